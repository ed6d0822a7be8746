#include "flexura/study/active_model.hpp"

#include <algorithm>

namespace flexura {

void ActiveModel::enter(int model) {
  if (model == index_) return;
  const SceneModel& next = scene_.models[model];
  const std::shared_ptr<const Topology> before = index_ >= 0 ? scene_.models[index_].model.topology : nullptr;
  const State<double> old = std::move(state);
  probe_.reset();
  system_.reset();
  index_ = model;
  const Values* values = &next.model.values;
  system_ = std::make_unique<System<double>>(next.model.topology, std::span(&values, 1),
                                             AssemblerOptions{.threads = threads_});
  probe_ = std::make_unique<SensorProbe>(next, *system_);
  state = system_->initial_state(old.t);
  if (!old.q.empty()) carry_over(*before, old);
}

void ActiveModel::enter_saved(int model) {
  State<double> saved = std::move(state);
  state = {};
  state.t = saved.t;
  enter(model);
  state = std::move(saved);
}

void ActiveModel::carry_over(const Topology& from, const State<double>& old) {
  const Topology& to = topology();
  const std::vector<int> origin = slots_by_name(from, to);
  for (size_t s = 0; s < to.slots.size(); ++s) {
    if (origin[s] < 0) continue;
    const Slot &a = from.slots[origin[s]], &b = to.slots[s];
    for (int i = 0; i < b.size; ++i) {
      state.q[b.offset + i] = old.q[a.offset + i];
      state.v[b.offset + i] = old.v[a.offset + i];
      state.a[b.offset + i] = old.a[a.offset + i];
      if (b.offset + i < to.ny && a.offset + i < from.ny) state.a_alg[b.offset + i] = old.a_alg[a.offset + i];
    }
  }
  state.lags = old.lags;
  state.energy = old.energy;
  for (size_t i = 0; i < to.signals.size(); ++i) {
    state.loads[i] = 0;
    for (size_t j = 0; j < from.signals.size(); ++j)
      if (from.signals[j] == to.signals[i]) state.loads[i] = old.loads[j];
  }
}

Energies ActiveModel::energies(double baseline) {
  const Assembler<double>& assembler = system_->assembler;
  Energies e;
  e.kinetic = assembler.kinetic_energy(state.v.data());
  e.strain = assembler.potential_energy(state.t, state.q.data());
  e.gravity = 0.0 - assembler.inner(assembler.gravity_force().data(), state.q.data());
  e.dissipated = state.energy.dissipated;
  e.work = state.energy.loads + state.energy.prescribed;
  e.numerical = baseline + state.energy.gravity + e.work - e.kinetic - e.strain - e.dissipated;
  return e;
}

void ActiveModel::set_signals(double from) {
  system_->drives.enter(from);
  system_->assembler.set_signals(system_->drives.at(state.t, state.lags));
}

double ActiveModel::extent() const {
  double length = 1e-9;
  for (int i = 0; i < topology().dim; ++i) {
    double low = 1e300, high = -1e300;
    for (const Slot& slot : topology().slots)
      if (slot.kind == SlotKind::point) {
        low = std::min(low, state.q[slot.offset + i]);
        high = std::max(high, state.q[slot.offset + i]);
      }
    length = std::max(length, high - low);
  }
  return length;
}

std::string culprit(const Topology& topology, int y) {
  if (y < 0) return "nothing in particular";
  int slot = -1;
  for (size_t s = 0; s < topology.slots.size(); ++s)
    if (topology.slots[s].offset <= y && y < topology.slots[s].offset + topology.slots[s].size)
      slot = static_cast<int>(s);
  for (const ItemBatch& batch : topology.batches) {
    const int ns = static_cast<int>(batch.type->info.slots.size());
    for (int i = 0; i < batch.count; ++i)
      for (int a = 0; a < ns; ++a)
        if (batch.type->info.slots[a] != SlotKind::signal && batch.slots[i * ns + a] == slot)
          return topology.item_names[batch.names[i]];
  }
  return slot < 0 ? "nothing in particular" : topology.slot_names[slot];
}

}  // namespace flexura
