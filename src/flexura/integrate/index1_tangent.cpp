#include "flexura/integrate/index1_tangent.hpp"

#include <algorithm>
#include <cmath>

namespace flexura {

Index1Tangent::Index1Tangent(TangentFactor& factor, const DriftControl& drift, Index1Method method)
    : factor_(factor), n_(factor.system.topology().ncoord), motion_(factor.system, drift, method) {}

void Index1Tangent::expand(State<double>& state) {
  motion_.set_signals(state);
  factor_.system.assembler.expand(state.q.data(), state.v.data(), state.a.data());
}

StartEquations& Index1Tangent::equations(DualResidual& residual) {
  std::unique_ptr<StartEquations>& own = equations_[&residual];
  if (own == nullptr) own = std::make_unique<StartEquations>(factor_, residual);
  return *own;
}

void Index1Tangent::look_back(StartEquations& equations, const State<double>& at) {
  if (!factor_.system.assembler.has_history()) return;
  factor_.system.look_back(at);
  equations.residual().assembler.set_history(unchanging(at).history, 0);
}

bool Index1Tangent::accelerate(StartEquations& equations, const State<double>& at, State<Tangent>& state) {
  motion_.set_signals(at);
  look_back(equations, at);
  if (!equations.factor(at).empty()) return false;
  for (Tangent& a : state.a) a.d = 0;
  const int ny = factor_.system.topology().ny;
  for (int i = n_; i < ny; ++i) state.q[i].d = 0;
  const std::vector<double> y = equations.changes(state);
  for (int i = 0; i < n_; ++i) state.a[i].d = y[i];
  for (int i = n_; i < ny; ++i) state.q[i].d = y[i];
  return std::ranges::all_of(y, [](double x) { return std::isfinite(x); });
}

bool Index1Tangent::project(StartEquations& equations, const State<double>& from, const State<double>& to,
                            State<Tangent>& state) {
  constexpr int most_passes = 20;
  constexpr double settled = 1e-13;
  const Topology& topology = factor_.system.topology();
  const int ny = topology.ny;
  Assembler<Tangent>& assembler = equations.residual().assembler;
  motion_.set_signals(from);
  look_back(equations, from);
  if (!equations.factor(from).empty()) return false;
  std::vector<double> way(n_), turn(n_);
  for (int i = 0; i < n_; ++i) way[i] = to.q[i] - from.q[i], turn[i] = to.v[i] - from.v[i];
  const std::vector<double> m = equations.multipliers_of(way), n = equations.multipliers_of(turn);

  State<Tangent> free = unchanging(from);
  for (int i = 0; i < n_; ++i) free.q[i].d = state.q[i].d, free.v[i].d = state.v[i].d;
  std::vector<Tangent> phi(ny, Tangent(0.0)), rate(phi), second(phi), force(assembler.residual_size(), Tangent(0.0)),
      penalty(force);
  const auto motion_of = [&](State<Tangent>& s, const std::vector<Tangent>& v) {
    assembler.constraint_motion(s.t, s.q.data(), v.data(), s.a.data(), {phi.data(), rate.data(), second.data()});
  };
  /// d(−Φ_qᵀ m − M x) of x = b − a, [n].
  const auto balance = [&](const std::vector<double>& multipliers, const std::vector<Tangent>& a,
                           const std::vector<Tangent>& b) {
    State<Tangent> at = free;
    for (int i = n_; i < ny; ++i) at.q[i] = Tangent(multipliers[static_cast<size_t>(i - n_)]);
    assembler.forces_of(Role::constraint, at.t, at.q.data(), at.v.data(), force.data());
    for (int i = n_; i < ny; ++i) at.q[i] = Tangent(0.0);
    assembler.forces_of(Role::constraint, at.t, at.q.data(), at.v.data(), penalty.data());
    for (size_t i = 0; i < force.size(); ++i) force[i] -= penalty[i];
    std::vector<Tangent> x = b;
    for (size_t i = 0; i < x.size(); ++i) x[i] -= a[i];
    assembler.subtract_mass_times(x.data(), Tangent(1.0), force.data());
    assembler.reduce(force.data());
    std::vector<double> out(n_);
    for (int i = 0; i < n_; ++i) out[i] = force[i].d;
    return out;
  };
  const auto rows_of = [&](auto&& value) {
    std::vector<double> out(ny - n_, 0.0);
    for (const int row : equations.matrix().rows()) out[row - n_] = value(row);
    return out;
  };
  equations.residual().expand(free);
  // q₁, and what m changes by on the way.
  std::vector<double> dm(ny - n_, 0.0);
  for (int pass = 0; pass < most_passes; ++pass) {
    equations.residual().expand(state);
    std::vector<double> r = balance(m, free.q, state.q);
    for (const auto& c : equations.matrix().couplings()) r[c.column] -= equations.matrix().value(c) * dm[c.row - n_];
    motion_of(state, state.v);
    const std::vector<double> y = equations.solve(r, rows_of([&](int row) { return -phi[row].d; }));
    double moved = 0, size = 0;
    for (int i = 0; i < n_; ++i) {
      state.q[i].d += y[i];
      moved = std::max(moved, std::fabs(y[i]));
      size = std::max(size, std::fabs(state.q[i].d));
    }
    for (int i = n_; i < ny; ++i) dm[i - n_] += y[i];
    if (!std::isfinite(moved)) return false;
    if (moved <= settled * size) break;
  }
  equations.residual().expand(state);
  // v₁ = v* + δ.
  std::vector<Tangent> star = state.v, still(state.v.size(), Tangent(0.0)), delta(still);
  for (int i = 0; i < n_; ++i) star[i] = free.v[i], delta[i] = Tangent(turn[i]);
  State<Tangent> late = state;
  late.v = star;
  equations.residual().expand(late);
  motion_of(late, late.v);
  std::vector<double> rows = rows_of([&](int row) { return -rate[row].d; });
  motion_of(free, delta);
  for (const int row : equations.matrix().rows()) rows[row - n_] -= rate[row].d;
  motion_of(free, still);
  for (const int row : equations.matrix().rows()) rows[row - n_] += rate[row].d;
  std::vector<Tangent> moved_v = free.v;
  for (int i = 0; i < n_; ++i) moved_v[i] = free.v[i] + delta[i];
  State<Tangent> shifted = free;
  shifted.v = moved_v;
  equations.residual().expand(shifted);
  const std::vector<double> y = equations.solve(balance(n, free.v, shifted.v), rows);
  for (int i = 0; i < n_; ++i) state.v[i].d = free.v[i].d + y[i];
  equations.residual().expand(state);
  return std::ranges::all_of(y, [](double x) { return std::isfinite(x); });
}

}  // namespace flexura
