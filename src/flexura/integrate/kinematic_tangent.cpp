#include "flexura/integrate/kinematic_tangent.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "flexura/solve/redundancy.hpp"

namespace flexura {

std::string KinematicTangent::begin(const State<double>& before, const State<double>& after,
                                    std::span<const SignalValue> signals) {
  h_ = after.t - before.t;
  after_ = after;
  Assembler<double>& assembler = factor_.system.assembler;
  assembler.set_signals(signals);
  assembler.set_history(before.history, h_);
  assembler.expand(after_.q.data(), after_.v.data(), after_.a.data());
  if (!forces_) return {};
  if (!matrix_.factor(after.t, after_.q, after_.v))
    return fmt::format("the equations at t = {:.6g} s are singular", after.t);
  if (matrix_.redundant().empty()) return {};
  const RowName held = row_name(factor_.system.topology(), matrix_.redundant().front().unknown);
  return fmt::format("forces have no derivative where joints hold more than once ('{}')", held.item);
}

bool KinematicTangent::forward(DualResidual& residual, const State<Tangent>& before, State<Tangent>& after,
                               std::span<const TangentSignals> signals, double) {
  const Topology& topology = factor_.system.topology();
  const int n = topology.ncoord, ny = topology.ny;
  std::unique_ptr<StartEquations>& own = equations_[&residual];
  if (own == nullptr) own = std::make_unique<StartEquations>(factor_, residual);
  StartEquations& equations = *own;
  if (!equations.factor(after_).empty()) return false;
  Assembler<Tangent>& assembler = residual.assembler;
  assembler.set_signals(signals[0].u, signals[0].du, signals[0].ddu);
  assembler.set_history(before.history, h_);

  std::vector<Tangent> phi(ny, Tangent(0.0)), rate(phi), second(phi);
  const std::vector<double> still(n, 0.0);
  const auto y_of = [&](const std::vector<Tangent>& off) {
    residual.expand(after);
    assembler.constraint_motion(after.t, after.q.data(), after.v.data(), after.a.data(),
                                {phi.data(), rate.data(), second.data()});
    std::vector<double> rows(ny - n, 0.0);
    for (const int row : equations.matrix().rows()) rows[row - n] = -off[row].d;
    return equations.solve(still, rows);
  };
  for (int pass = 0; pass < 2; ++pass) {  // Φ is linear in what it changes by: the second takes rounding away
    const std::vector<double> y = y_of(phi);
    for (int i = 0; i < n; ++i) after.q[i].d += y[i];
  }
  const std::vector<double> v = y_of(rate);
  for (int i = 0; i < n; ++i) after.v[i].d = v[i];
  const std::vector<double> y = equations.changes(after);
  for (int i = 0; i < n; ++i) {
    after.a[i].d = y[i];
    after.a_alg[i].d = before.a_alg[i].d;
  }
  for (int i = n; i < ny; ++i) after.q[i].d = y[i];
  if (!forces_)
    for (const int row : equations.matrix().rows()) after.q[row].d = 0;
  residual.expand(after);
  if (assembler.has_history()) assembler.remember(after.t, after.q.data(), after.v.data(), after.history.data());
  return std::ranges::all_of(y, [](double x) { return std::isfinite(x); });
}

}  // namespace flexura
