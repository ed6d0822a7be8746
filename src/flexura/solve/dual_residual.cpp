#include "flexura/solve/dual_residual.hpp"

#include <algorithm>

namespace flexura {

bool any_change(std::span<const double> x) {
  return std::any_of(x.begin(), x.end(), [](double value) { return value != 0; });
}

DualResidual::DualResidual(std::shared_ptr<const Topology> topology, const Values& values, const Values& direction)
    : assembler(std::move(topology), std::array{&values, &direction}),
      residual_(assembler.residual_size(), Tangent(0.0)) {
  moves_reference_ = any_change(direction.reference);
  moves_places_ = any_change(direction.weights) || any_change(direction.bases) || any_change(direction.directions);
  const std::vector<Tangent> start = assembler.initial_q();
  for (const Dependent& d : assembler.topology().dependents) {
    const Slot& slot = assembler.topology().slots[d.slot];
    for (int i = 0; i < slot.size && d.weights.empty() && d.drives.empty(); ++i)
      if (const double change = start[slot.offset + i].d; change != 0) fixed_.emplace_back(slot.offset + i, change);
    for (const Drive& drive : d.drives) driving_.push_back(drive.signal);
  }
  for (size_t b = 0; b < direction.parameters.size(); ++b) {
    const bool changes = any_change(direction.parameters[b]);
    if (changes && assembler.batches()[b]->has_residual) changing_.push_back(static_cast<int>(b));
    const std::vector<int>& of_signals = assembler.signal_batches();
    if ((changes && assembler.batches()[b]->has_residual) ||
        std::find(of_signals.begin(), of_signals.end(), static_cast<int>(b)) != of_signals.end())
      changing_by_signals_.push_back(static_cast<int>(b));
    moves_mass_ = moves_mass_ || (changes && assembler.batches()[b]->has_mass) || any_change(direction.mass_damping[b]);
  }
}

std::span<const Tangent> DualResidual::direct(State<Tangent>& state, bool inertia) {
  const std::vector<Tangent>& u = assembler.signals();
  const std::vector<Tangent>& du = assembler.signal_rates();
  const std::vector<Tangent>& ddu = assembler.signal_accelerations();
  const auto changes = [](const Tangent& x) { return x.d != 0; };
  const bool drives = std::any_of(driving_.begin(), driving_.end(),
                                  [&](int i) { return changes(u[i]) || changes(du[i]) || changes(ddu[i]); });
  if (drives || moves_places_ || moves_reference_) return at(state, inertia);
  const bool signals = std::any_of(u.begin(), u.end(), changes) || std::any_of(du.begin(), du.end(), changes);
  return of_batches(signals ? changing_by_signals_ : changing_, state, inertia);
}

std::span<const Tangent> DualResidual::of_batches(std::span<const int> batches, State<Tangent>& state, bool inertia) {
  assembler.forces_of(batches, state.t, state.q.data(), state.v.data(), residual_.data());
  const std::vector<Tangent>& gravity = assembler.gravity_force();
  for (size_t i = 0; i < gravity.size(); ++i) residual_[i] += gravity[i];
  if (inertia && moves_mass_) {
    assembler.subtract_mass_times(state.a.data(), Tangent(1.0), residual_.data());
    assembler.subtract_damping(state.v.data(), residual_.data());
  }
  return reduced();
}

std::span<const Tangent> DualResidual::reduced() {
  assembler.reduce(residual_.data());
  return std::span<const Tangent>(residual_).first(assembler.topology().ny);
}

Values no_direction(const Values& values) {
  Values out = values;
  for (auto* x : {&out.reference, &out.q0, &out.v0, &out.weights, &out.bases, &out.directions})
    x->assign(x->size(), 0.0);
  for (auto* list : {&out.parameters, &out.mass_damping})
    for (std::vector<double>& x : *list) x.assign(x.size(), 0.0);
  for (GravityField& field : out.gravity)
    for (double& g : field.g) g = 0;
  return out;
}

State<Tangent> unchanging(const State<double>& state) {
  State<Tangent> out;
  out.t = state.t;
  const auto lift = [](const std::vector<double>& from) { return std::vector<Tangent>(from.begin(), from.end()); };
  out.q = lift(state.q);
  out.v = lift(state.v);
  out.a = lift(state.a);
  out.a_alg = lift(state.a_alg);
  out.history = lift(state.history);
  out.lags = state.lags;
  out.loads = state.loads;
  return out;
}

State<double> value_of(const State<Tangent>& state) {
  State<double> out;
  out.t = state.t;
  const auto values = [](const std::vector<Tangent>& from) {
    std::vector<double> to;
    for (const Tangent& x : from) to.push_back(x.v);
    return to;
  };
  out.q = values(state.q);
  out.v = values(state.v);
  out.a = values(state.a);
  out.a_alg = values(state.a_alg);
  out.history = values(state.history);
  out.lags = state.lags;
  out.loads = state.loads;
  return out;
}

}  // namespace flexura
