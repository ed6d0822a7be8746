// What joints carry, what springs and loads do, and what lies between two places.

#include <algorithm>
#include <cmath>

#include "flexura/observe/moment.hpp"

namespace flexura {

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

namespace detail {
namespace {

/// The force of an item on a local slot of its.
Triple force_of_item(const Moment& now, const ItemRef& item, int slot) {
  const Topology& topology = now.system.topology();
  const std::vector<SlotKind>& kinds = topology.batches[item.batch].type->info.slots;
  const auto in = now.system.assembler.input(now.state->t, now.state->q.data(), now.state->v.data());
  now.system.assembler.batches()[item.batch]->item_force(item.index, in, now.local.data());
  int offset = 0;
  for (int a = 0; a < slot; ++a) offset += slot_size(kinds[a], topology.dim);
  Triple force{};
  std::copy_n(&now.local[offset], slot_size(kinds[slot], topology.dim), force.begin());
  return force;
}

/// The model's slot that is an item's local one.
int slot_of_item(const Moment& now, const ItemRef& item, int slot) {
  const ItemBatch& items = now.system.topology().batches[item.batch];
  return items.slots[item.index * static_cast<int>(items.type->info.slots.size()) + slot];
}

/// add(kind, slot, force): of each item share, the force of the item on its slot, with the share's sign.
void for_item_shares(const Moment& now, const BoundSensor& s, auto&& add) {
  for (const JointReaction::ItemShare& share : s.spec.item_shares) {
    if (!share.item.exists()) continue;
    Triple force = force_of_item(now, share.item, share.slot);
    for (double& x : force) x *= share.sign;
    const int slot = slot_of_item(now, share.item, share.slot);
    add(now.slot(slot).kind, slot, force);
  }
}

void read_reaction(const Moment& now, const BoundSensor& s, std::span<double> out, std::span<const double>) {
  const SensorSpec& spec = s.spec;
  const int dim = now.dim();
  if (spec.multiplier >= 0) {  // tension pulls the second end towards the first
    const double tension = *now.q(spec.multiplier);
    double length = 0, d[3];
    for (int i = 0; i < dim; ++i) {
      d[i] = now.q(spec.rod_ends[1])[i] - now.q(spec.rod_ends[0])[i];
      length += d[i] * d[i];
    }
    for (int i = 0; i < dim; ++i) out[i] = -tension * d[i] / std::sqrt(length);
  }
  const std::vector<double>& residual = spec.carried ? now.carried : now.residual;
  for (const JointReaction::Share& share : spec.shares)
    if (share.point >= 0)
      for (int i = 0; i < dim; ++i) out[i] += spec.sign * -residual[now.slot(share.point).offset + i];
  for_item_shares(now, s, [&](SlotKind kind, int, const Triple& force) {
    if (kind != SlotKind::point) return;
    for (int i = 0; i < dim; ++i) out[i] += force[i];
  });
}

void read_reaction_moment(const Moment& now, const BoundSensor& s, std::span<double> out, std::span<const double>) {
  const SensorSpec& spec = s.spec;
  const Triple about = spec.point >= 0 ? now.vector(now.q(spec.point)) : Triple{};
  const auto add = [&](SlotKind kind, int slot, const Triple& force, double factor) {
    Triple x = now.vector(now.q(slot));
    if (kind == SlotKind::point) {
      if (spec.point < 0) return;
      for (int i = 0; i < 3; ++i) x[i] -= about[i];
    }
    add_moment(x, force, factor, out);
  };
  const std::vector<double>& residual = spec.carried ? now.carried : now.residual;
  for (const JointReaction::Share& share : spec.shares)
    for (const int slot : {share.point, share.vector})
      if (slot >= 0) add(now.slot(slot).kind, slot, now.vector(&residual[now.slot(slot).offset]), -spec.sign);
  for_item_shares(now, s, [&](SlotKind kind, int slot, const Triple& force) {
    if (kind == SlotKind::point || kind == SlotKind::vector) add(kind, slot, force, 1.0);
  });
}

void read_multipliers(const Moment& now, const BoundSensor& s, std::span<double> out, std::span<const double>) {
  for (size_t k = 0; k < s.spec.multipliers.size(); ++k)
    if (s.spec.multipliers[k] >= 0) out[k] = *now.q(s.spec.multipliers[k]);
}

/// On a coordinate; between two points the pull along their line; of two directions the moment on the second.
void read_item(const Moment& now, const BoundSensor& s, std::span<double> out, std::span<const double>) {
  for_item_shares(now, s, [&](SlotKind kind, int slot, const Triple& force) {
    if (kind == SlotKind::scalar) out[0] += force[0];
    if (kind == SlotKind::vector) add_moment(now.vector(now.q(slot)), force, 1, out);
    if (kind != SlotKind::point) return;
    const Triple line = now.vector(now.q(slot)) - now.vector(now.q(slot_of_item(now, s.spec.item_shares[0].item, 0)));
    const double length = norm(line);
    if (length > 0) out[0] -= dot(force, line) / length;
  });
}

void read_distance(const Moment& now, const BoundSensor& s, std::span<double> out, std::span<const double>) {
  out[0] = norm(now.at(s.spec.ends[1]) - now.at(s.spec.ends[0]));
}

constexpr Quantity joint_rows[] = {
    {.name = "reaction",
     .unit = "N",
     .doc = "force of the first place on the second [N]",
     .shape = Shape::vector,
     .where = where::joint_reaction,
     .needs = needs::residual | needs::multipliers,
     .read = read_reaction},
    {.name = "reaction_moment",
     .unit = "N m",
     .doc = "moment of the first place on the second, about it [N m]",
     .shape = Shape::turning,
     .where = where::joint_reaction,
     .needs = needs::residual | needs::multipliers,
     .read = read_reaction_moment},
    {.name = "multiplier",
     .unit = "",
     .doc = "all multipliers of a joint; those of least size where equations are redundant",
     .shape = Shape::multipliers,
     .where = where::joint_multipliers,
     .needs = needs::multipliers,
     .read = read_multipliers},
    {.name = "distance",
     .unit = "m",
     .doc = "between two places [m]",
     .where = where::two_places,
     .read = read_distance},
    {.name = "force",
     .unit = "N",
     .doc = "of a spring, friction or motor: what it pulls its two places together with, or does "
            "to a displacement [N]",
     .where = where::item_force,
     .needs = needs::signals,
     .read = read_item},
    {.name = "torque",
     .unit = "N m",
     .doc = "of a spring, friction or motor: what it does to an angle [N m]",
     .where = where::item_torque,
     .needs = needs::signals,
     .read = read_item}};

}  // namespace

std::span<const Quantity> joint_quantities() { return joint_rows; }

}  // namespace detail
}  // namespace flexura
