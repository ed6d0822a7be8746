#include "flexura/observe/moment.hpp"

#include <algorithm>

#include "flexura/observe/probe_names.hpp"

namespace flexura {

BoundSensor bind(const Quantity& quantity, const SensorPlace& place, int choice, const Topology& topology) {
  BoundSensor bound{&place, &quantity, choice, number_count(quantity, place, topology.dim)};
  bound.probes.fill(-1);
  if (place.elements.empty() || !place.elements[0].item.exists()) return bound;
  const TermInfo& info = topology.batches[place.elements[0].item.batch].type->info;
  for (size_t k = 0; k < quantity.probes.size(); ++k)
    if (!quantity.probes[k].empty()) bound.probes[k] = find_probe(info, quantity.probes[k]);
  return bound;
}

void Moment::make_room(const SensorPlace& place) {
  probes_.resize(std::max(probes_.size(), place.elements.size()));
  size_t most = local_.size();
  for (const JointReaction::ItemShare& share : place.item_shares)
    if (share.item.exists())
      most = std::max(most, static_cast<size_t>(topology.batches[share.item.batch].type->info.dofs()));
  local_.resize(most);
}

std::span<const Probes> Moment::inside(const SensorPlace& place) const {
  const size_t count = place.elements.size();
  if (probed_ == &place) return {probes_.data(), count};
  const In<double> in = assembler->input(state->t, state->q.data(), state->v.data());
  for (size_t k = 0; k < count; ++k) {
    const SensorPlace::Element& at = place.elements[k];
    if (at.item.exists()) {
      const std::array where{at.xi, at.eta, at.zeta};
      assembler->batches()[at.item.batch]->probe(at.item.index, in, where, probes_[k].data());
      if (!at.beside.exists()) continue;
      const std::span<const std::string_view> names = topology.batches[at.beside.batch].type->info.probes;
      Probes more{};
      assembler->batches()[at.beside.batch]->probe(at.beside.index, in, where, more.data());
      for (size_t i = 0; i < names.size(); ++i) probes_[k][i] += more[i];
    } else {
      probes_[k].fill(0);
    }
  }
  probed_ = &place;
  return {probes_.data(), count};
}

double Moment::mean(const BoundSensor& sensor, int k, int behind) const {
  if (sensor.probes[k] < 0) return 0;
  const std::span<const Probes> elements = inside(*sensor.place);
  if (elements.size() == 1) return elements[0][sensor.probes[k] + behind];
  double sum = 0;
  for (const Probes& probes : elements) sum += probes[sensor.probes[k] + behind] / static_cast<double>(elements.size());
  return sum;
}

Triple Moment::force(const ItemRef& item, int slot) const {
  if (held_.batch != item.batch || held_.index != item.index) {
    const In<double> in = assembler->input(state->t, state->q.data(), state->v.data());
    assembler->batches()[item.batch]->item_force(item.index, in, local_.data());
    held_ = item;
  }
  const std::vector<SlotKind>& kinds = topology.batches[item.batch].type->info.slots;
  int offset = 0;
  for (int a = 0; a < slot; ++a) offset += slot_size(kinds[a], topology.dim);
  Triple force{};
  std::copy_n(&local_[offset], slot_size(kinds[slot], topology.dim), force.begin());
  return force;
}

int Moment::slot_of(const ItemRef& item, int slot) const {
  const ItemBatch& items = topology.batches[item.batch];
  return items.slots[item.index * static_cast<int>(items.type->info.slots.size()) + slot];
}

namespace {

/// add(kind, slot, force): of each share, the force of the item on its slot, with the share's sign.
void for_shares(const Moment& now, ItemShares shares, auto&& add) {
  for (const JointReaction::ItemShare& share : shares) {
    if (!share.item.exists()) continue;
    const int slot = now.slot_of(share.item, share.slot);
    add(now.slot(slot).kind, slot, share.sign * now.force(share.item, share.slot));
  }
}

}  // namespace

void add_item_forces(const Moment& now, ItemShares shares, std::span<double> out) {
  for_shares(now, shares, [&](SlotKind kind, int, const Triple& force) {
    for (int i = 0; i < now.dim() && kind == SlotKind::point; ++i) out[i] += force[i];
  });
}

void add_item_moments(const Moment& now, ItemShares shares, const Triple* about, std::span<double> out) {
  for_shares(now, shares, [&](SlotKind kind, int slot, const Triple& force) {
    const Triple x = now.vector(now.q(slot));
    if (kind == SlotKind::vector) add_moment(x, force, 1, out);
    if (kind == SlotKind::point && about != nullptr) add_moment(x - *about, force, 1, out);
  });
}

void add_item_efforts(const Moment& now, ItemShares shares, std::span<double> out) {
  for_shares(now, shares, [&](SlotKind kind, int slot, const Triple& force) {
    if (kind == SlotKind::scalar) out[0] += force[0];
    if (kind == SlotKind::vector) add_moment(now.vector(now.q(slot)), force, 1, out);
    if (kind != SlotKind::point) return;
    const Triple line = now.vector(now.q(slot)) - now.vector(now.q(now.slot_of(shares[0].item, 0)));
    const double length = norm(line);
    if (length > 0) out[0] -= dot(force, line) / length;
  });
}

void add_moment(const Triple& x, const Triple& f, double factor, std::span<double> out) {
  const double z = x[0] * f[1] - x[1] * f[0];
  if (out.size() == 1) {
    out[0] += factor * z;
    return;
  }
  out[0] += factor * (x[1] * f[2] - x[2] * f[1]);
  out[1] += factor * (x[2] * f[0] - x[0] * f[2]);
  out[2] += factor * z;
}

}  // namespace flexura
