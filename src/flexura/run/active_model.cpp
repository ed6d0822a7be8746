#include "flexura/run/active_model.hpp"

#include <algorithm>

#include "flexura/output/body_motion.hpp"

namespace flexura {

void ActiveModel::build(int model, bool unsymmetric) {
  const SceneModel& next = scene_.models[model];
  probe_.reset();
  constraints_.reset();
  system_.reset();
  index_ = model;
  unsymmetric_ = unsymmetric;
  const Values* values = &next.model.values;
  system_ = std::make_unique<System<double>>(next.model.topology, std::span(&values, 1),
                                             AssemblerOptions{.threads = threads_, .unsymmetric = unsymmetric});
  probe_ = std::make_unique<SensorProbe>(next, *system_);
}

void ActiveModel::enter(int model, bool unsymmetric) {
  if (model == index_ && unsymmetric == unsymmetric_) return;
  if (model == index_) return build(model, unsymmetric);
  const int before = index_;
  const State<double> old = std::move(state);
  build(model, unsymmetric);
  state = system_->initial_state(old.t);
  if (before >= 0) carry_over(scene_.models[before], old);
}

void ActiveModel::enter_saved(int model, bool unsymmetric) {
  if (model != index_ || unsymmetric != unsymmetric_) build(model, unsymmetric);
}

void ActiveModel::carry_over(const SceneModel& from_scene, const State<double>& old) {
  const Topology &from = *from_scene.model.topology, &to = topology();
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
  carry_anchors(from_scene, old, origin);
  state.lags = old.lags;
  state.energy = old.energy;
  for (size_t i = 0; i < to.signals.size(); ++i) {
    state.loads[i] = 0;
    for (size_t j = 0; j < from.signals.size(); ++j)
      if (from.signals[j] == to.signals[i]) state.loads[i] = old.loads[j];
  }
}

/// Slots that carry a body now and did not before: where the body has them.
void ActiveModel::carry_anchors(const SceneModel& from, const State<double>& old, const std::vector<int>& origin) {
  const Topology& to = topology();
  for (const BodyAnchor& anchor : scene().anchors) {
    if (origin[anchor.slot] >= 0) continue;
    const auto body = std::find_if(from.bodies.begin(), from.bodies.end(),
                                   [&](const BodyPart& b) { return b.name == scene().bodies[anchor.body].name; });
    if (body == from.bodies.end()) continue;
    for (const auto& [before, now] : {std::pair(&old.q, &state.q), {&old.v, &state.v}, {&old.a, &state.a}}) {
      const BodyFrame frame = body_frame(*body, *from.model.topology, *before);
      for (int i = 0; i < to.dim; ++i) {
        double x = anchor.is_point ? frame.origin[i] : 0.0;
        for (int k = 0; k < body->axes; ++k) x += anchor.local[k] * frame.axes[k][i];
        (*now)[to.slots[anchor.slot].offset + i] = x;
      }
    }
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

Constraints& ActiveModel::constraints() {
  if (!constraints_) constraints_ = std::make_unique<Constraints>(*system_);
  return *constraints_;
}

}  // namespace flexura
