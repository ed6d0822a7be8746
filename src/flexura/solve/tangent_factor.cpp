#include "flexura/solve/tangent_factor.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace flexura {
namespace {

double largest(std::span<const double> x) {
  double most = 0;
  for (const double value : x) most = std::max(most, std::fabs(value));
  return most;
}

}  // namespace

TangentFactor::TangentFactor(std::shared_ptr<const Topology> topology, const Values& values, bool unsymmetric)
    : system(std::move(topology), std::array{&values}, AssemblerOptions{.unsymmetric = unsymmetric}) {}

bool TangentFactor::factor(const State<double>& state, const StageWeights& weights,
                           std::span<const SignalValue> signals, const std::vector<double>& past, double h) {
  weights_ = weights;
  at_ = state;
  damping_known_ = false;
  system.assembler.set_signals(signals);
  system.assembler.set_history(past, h);
  system.assembler.tangent(state.t, state.q.data(), state.v.data(), weights.cm, weights.cd, system.values.data());
  return factor_values();
}

bool TangentFactor::factor_values() {
  use_pivoting_ = false;
  if (system.solver.factor(system.values).ok) return true;
  if (!analysed_) pivoting_.analyse(system.solver.layout());
  analysed_ = true;
  return use_pivoting_ = pivoting_.factor(system.values);
}

void TangentFactor::solve(std::span<double> y) {
  if (use_pivoting_)
    pivoting_.solve(y);
  else
    system.solver.solve(y);
}

/// J of a slender part has entries of EA/l beside those of EI/l³: what one solve leaves of soft directions is large there. Products that are
/// summed up in long doubles tell it.
void TangentFactor::refine_transposed(std::span<double> y) {
  constexpr int most_passes = 4;
  constexpr double enough = 1e-13;
  const std::vector<double> b(y.begin(), y.end());
  solve_transposed(y);
  double last = std::numeric_limits<double>::infinity();
  std::vector<double> left(y.size());
  std::vector<long double> sums;
  for (int pass = 0; pass < most_passes; ++pass) {
    sums.assign(b.begin(), b.end());
    system.solver.layout().for_each_entry([&](int row, int column, std::ptrdiff_t index) {
      sums[column] -= static_cast<long double>(system.values[index]) * y[row];
    });
    std::ranges::copy(sums, left.begin());
    solve_transposed(left);
    const double size = largest(left);
    if (!(size < 0.5 * last)) return;  // rows that are redundant stay what they are
    for (size_t i = 0; i < y.size(); ++i) y[i] += left[i];
    if (size <= enough * largest(y)) return;
    last = size;
  }
}

void TangentFactor::solve_transposed(std::span<double> y) {
  if (use_pivoting_)
    pivoting_.solve_transposed(y);
  else if (system.symmetric)
    system.solver.solve(y);
  else
    system.solver.solve_transposed(y);
}

std::vector<double> TangentFactor::mass_times(std::span<const double> x) {
  std::vector<double> out(x.size());
  product_.resize(system.values.size());
  system.assembler.mass_matrix(product_.data());
  system.solver.multiply(std::span<const double>(product_), x, std::span<double>(out));
  return out;
}

/// D − C = (Σ K(cd) − Σ K(0)) / cd of what reads velocities. What rounding leaves is that of those tangents.
bool TangentFactor::make_damping() {
  Assembler<double>& assembler = system.assembler;
  const std::vector<int>& moved = assembler.velocity_batches();
  if (moved.empty() && !assembler.has_damping()) return false;
  if (!damping_known_) {
    product_.resize(system.values.size());
    without_.assign(system.values.size(), 0.0);
    if (!moved.empty()) {
      const auto tangent = [&](double cd, std::vector<double>& to) {
        assembler.tangent_of_batches(moved, at_.t, at_.q.data(), at_.v.data(), cd, to.data());
      };
      tangent(weights_.cd, product_);
      tangent(0.0, without_);
      for (size_t i = 0; i < without_.size(); ++i) without_[i] = (product_[i] - without_[i]) / weights_.cd;
    }
    assembler.damping_matrix(product_.data());
    for (size_t i = 0; i < without_.size(); ++i) without_[i] += product_[i];
    damping_known_ = true;
  }
  return true;
}

std::vector<double> TangentFactor::damping_times(std::span<const double> x) {
  std::vector<double> out(x.size(), 0.0);
  if (!make_damping()) return out;
  system.solver.layout().for_each_entry(
      [&](int row, int column, std::ptrdiff_t index) { out[row] += without_[index] * x[column]; });
  return out;
}

std::vector<double> TangentFactor::damping_transposed_times(std::span<const double> x) {
  std::vector<double> out(x.size(), 0.0);
  if (!make_damping()) return out;
  system.solver.layout().for_each_entry(
      [&](int row, int column, std::ptrdiff_t index) { out[column] += without_[index] * x[row]; });
  return out;
}

bool TangentFactor::polish(State<double>& state, std::span<const SignalValue> signals) {
  const size_t ny = static_cast<size_t>(system.topology().ny), ncoord = static_cast<size_t>(system.topology().ncoord);
  double last = std::numeric_limits<double>::infinity();
  for (int pass = 0; pass < 4; ++pass) {
    system.assembler.set_signals(signals);
    system.assembler.expand(state.q.data(), state.v.data(), state.a.data());
    if (!factor(state, {.inertia = false}, signals, state.history, forever)) return false;
    delta_.resize(system.assembler.residual_size());
    system.assembler.residual(state.t, state.q.data(), state.v.data(), delta_.data());
    system.assembler.reduce(delta_.data());
    solve(std::span(delta_).first(ny));
    const double size = largest(std::span(delta_).first(ncoord));
    if (!(size < last)) return std::isfinite(size) || pass > 0;
    last = size;
    for (size_t i = 0; i < ny; ++i) state.q[i] += delta_[i];
    system.assembler.expand(state.q.data(), state.v.data(), state.a.data());
  }
  return factor(state, {.inertia = false}, signals, state.history, forever);
}

/// With K = J − cd D − cm M, what dR is off by at (dq, dv, da): ∂R/∂p − J dq − D (dv − cd dq) − M (da − cm dq) = J δ.
bool TangentFactor::solve_linear(DualResidual& residual, State<Tangent>& state, const StageWeights& weights) {
  const int ny = system.topology().ny, ncoord = system.topology().ncoord;
  std::vector<double> q(ny), v(ny, 0.0), a(ny, 0.0), stiff(ny);
  const auto change = [](Tangent& x) { return std::exchange(x.d, 0.0); };
  for (int i = 0; i < ny; ++i) q[i] = change(state.q[i]);
  for (int i = 0; i < ncoord; ++i) v[i] = change(state.v[i]), a[i] = change(state.a[i]);
  residual.expand(state);
  const std::span<const Tangent> r = residual.direct(state, weights.inertia);
  delta_.resize(ny);
  for (int i = 0; i < ny; ++i) delta_[i] = r[i].d;
  system.solver.multiply(std::span<const double>(system.values), std::span<const double>(q), std::span<double>(stiff));
  if (weights.inertia) {
    std::vector<double> rates(ny, 0.0), accelerations(ny, 0.0);
    for (int i = 0; i < ncoord; ++i) {
      rates[i] = v[i] - weights.dv * q[i];
      accelerations[i] = a[i] - weights.da * q[i];
    }
    const std::vector<double> drag = damping_times(rates), inertia = mass_times(accelerations);
    for (int i = 0; i < ny; ++i) delta_[i] -= drag[i] + inertia[i];
  }
  for (int i = 0; i < ny; ++i) delta_[i] -= stiff[i];
  solve(delta_);
  for (int i = 0; i < ny; ++i) {
    if (!std::isfinite(delta_[i])) return false;
    state.q[i].d = q[i] + delta_[i];
    if (i >= ncoord) continue;
    state.v[i].d = v[i] + weights.dv * delta_[i];
    state.a[i].d = a[i] + weights.da * delta_[i];
  }
  residual.expand(state);
  return true;
}

bool TangentFactor::solve_tangent(DualResidual& residual, State<Tangent>& state, const StageWeights& weights,
                                  double negligible) {
  constexpr double settled = 1e-11, tiny = 1e-8;
  constexpr int most_passes = 20;
  const int ny = system.topology().ny, ncoord = system.topology().ncoord;
  double first = 0;
  for (int pass = 0; pass < most_passes; ++pass) {
    const std::span<const Tangent> r = residual.at(state, weights.inertia);
    delta_.resize(ny);
    for (int i = 0; i < ny; ++i) delta_[i] = r[i].d;
    solve(delta_);
    double size = 0, moved = 0;
    for (int i = 0; i < ny; ++i) {
      state.q[i].d += delta_[i];
      if (i >= ncoord) continue;
      state.v[i].d += weights.dv * delta_[i];
      state.a[i].d += weights.da * delta_[i];
      size = std::max(size, std::fabs(delta_[i]));
      moved = std::max(moved, std::fabs(state.q[i].d));
    }
    if (!std::isfinite(size)) return false;
    if (pass == 0) first = size;
    if ((pass > 0 && size <= tiny * first) || size <= settled * moved || (pass > 0 && size <= negligible)) {
      residual.expand(state);
      return true;
    }
  }
  return false;
}

}  // namespace flexura
