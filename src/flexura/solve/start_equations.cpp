#include "flexura/solve/start_equations.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace flexura {

StartEquations::StartEquations(TangentFactor& factor, DualResidual& residual)
    : factor_(factor), residual_(residual), matrix_(factor.system), topology_(factor.system.topology()) {
  for (auto* x : {&phi_, &rate_, &second_}) x->assign(topology_.ny, Tangent(0.0));
  force_.assign(residual.assembler.residual_size(), Tangent(0.0));
  for (int i = topology_.ncoord; i < topology_.ny; ++i)
    if (!std::ranges::binary_search(matrix_.rows(), i)) scalars_.push_back(i);
  for (const auto& c : matrix_.couplings()) touched_.push_back(c.column);
  std::ranges::sort(touched_);
  touched_.erase(std::ranges::unique(touched_).begin(), touched_.end());
}

std::string StartEquations::factor(const State<double>& state) {
  if (!matrix_.factor(state.t, state.q, state.v))
    return "singular equations where motion begins: differentiate forwards";
  if (!scalars_.empty()) {
    tangent_.resize(factor_.system.values.size());
    factor_.system.assembler.tangent(state.t, state.q.data(), state.v.data(), 0, 0, tangent_.data());
  }
  return {};
}

std::vector<double> StartEquations::solve(std::span<const double> coordinates, std::span<const double> multipliers) {
  constexpr int most_passes = 30;
  std::vector<double> felt(topology_.ny, 0.0), y(topology_.ny, 0.0), left;
  std::copy_n(coordinates.begin(), topology_.ncoord, felt.begin());
  for (const int row : matrix_.rows()) felt[row] = multipliers[row - topology_.ncoord];
  double before = std::numeric_limits<double>::infinity();
  for (int pass = 0; pass < most_passes; ++pass) {
    left = y;
    std::fill(left.begin() + topology_.ncoord, left.end(), 0.0);
    left = factor_.mass_times(left);
    for (const auto& c : matrix_.couplings()) {
      left[c.column] += matrix_.value(c) * y[c.row];
      left[c.row] += matrix_.value(c) * y[c.column];
    }
    double size = 0;
    for (const int i : matrix_.free_massless()) left[i] = felt[i];  // their accelerations stay 0
    for (int i = 0; i < topology_.ny; ++i) {
      left[i] = felt[i] - left[i];
      size = std::max(size, std::fabs(left[i]));
    }
    if (pass > 1 && !(size < 0.5 * before)) break;
    before = size;
    matrix_.solve(left);
    for (int i = 0; i < topology_.ny; ++i) y[i] += left[i];
  }
  return y;
}

/// As the run finds s: by passes over the diagonal, of rows that hardly feel each other.
std::vector<double> StartEquations::solve_scalars(std::span<const double> b, bool transposed) const {
  constexpr int most_passes = 60;
  constexpr double rounding = 1e-16;
  std::vector<double> x(topology_.ny, 0.0), left(topology_.ny), diagonal(topology_.ny, 0.0);
  std::vector<char> is_scalar(topology_.ny, 0);
  for (const int i : scalars_) is_scalar[i] = 1;
  for (int pass = 0; pass < most_passes; ++pass) {
    std::ranges::copy(b, left.begin());
    factor_.system.solver.layout().for_each_entry([&](int row, int column, std::ptrdiff_t index) {
      if (!is_scalar[row] || !is_scalar[column]) return;
      if (row == column) diagonal[row] = tangent_[index];
      if (transposed) std::swap(row, column);
      left[row] -= tangent_[index] * x[column];
    });
    double moved = 0, size = 0;
    for (const int i : scalars_) {
      if (diagonal[i] == 0) continue;
      x[i] += left[i] / diagonal[i];
      moved = std::max(moved, std::fabs(left[i] / diagonal[i]));
      size = std::max(size, std::fabs(x[i]));
    }
    if (moved <= rounding * size) break;
  }
  return x;
}

void StartEquations::add_scalars(std::span<const double> unknowns, std::vector<double>& mu) const {
  if (scalars_.empty()) return;
  std::vector<double> felt(unknowns.begin(), unknowns.begin() + topology_.ny);
  factor_.system.solver.layout().for_each_entry([&](int row, int column, std::ptrdiff_t index) {
    if (row < topology_.ncoord) felt[column] -= tangent_[index] * mu[row];
  });
  const std::vector<double> own = solve_scalars(felt, true);
  for (const int i : scalars_) mu[i] = own[i];
}

std::vector<double> StartEquations::changes(State<Tangent>& state) {
  std::span<const Tangent> r = residual_.at(state, true);
  std::vector<double> scalars;
  if (!scalars_.empty()) {
    std::vector<double> b(topology_.ny);
    for (int i = 0; i < topology_.ny; ++i) b[i] = r[i].d;
    scalars = solve_scalars(b, false);
    for (const int i : scalars_) state.q[i].d = scalars[i];
    r = residual_.at(state, true);
  }
  std::vector<double> force(topology_.ncoord), rows(topology_.ny - topology_.ncoord, 0.0);
  for (int i = 0; i < topology_.ncoord; ++i) force[i] = r[i].d;
  residual_.assembler.constraint_motion(state.t, state.q.data(), state.v.data(), state.a.data(),
                                        {phi_.data(), rate_.data(), second_.data()});
  for (const int row : matrix_.rows()) rows[row - topology_.ncoord] = -second_[row].d;
  std::vector<double> y = solve(force, rows);
  for (const int i : scalars_) y[i] = scalars[i];
  return y;
}

std::vector<double> StartEquations::multipliers_of(std::span<const double> way) {
  std::vector<double> rows(topology_.ny - topology_.ncoord, 0.0);
  for (const auto& c : matrix_.couplings()) rows[c.row - topology_.ncoord] += matrix_.value(c) * way[c.column];
  std::vector<double> y = solve(std::vector<double>(topology_.ncoord, 0.0), rows);
  return {y.begin() + topology_.ncoord, y.end()};
}

double StartEquations::places(State<Tangent>& state, std::span<const double> mu) {
  residual_.expand(state);
  return -rows(state, phi_, mu);
}

double StartEquations::rates(State<Tangent>& state, std::span<const double> mu) {
  residual_.expand(state);
  return -rows(state, rate_, mu);
}

double StartEquations::start(State<Tangent>& state, std::span<const double> mu) {
  residual_.expand(state);
  return -rows(state, second_, mu);
}

double StartEquations::project(State<Tangent>& state, const State<Tangent>& from, std::span<const double> mu) {
  State<Tangent> before = from;
  Assembler<Tangent>& assembler = residual_.assembler;
  residual_.expand(state);
  residual_.expand(before);
  assembler.forces_of(Role::constraint, state.t, state.q.data(), state.v.data(), force_.data());
  std::vector<Tangent> without = state.q, penalty(force_.size());  // of some constraints, which no projection has
  std::fill(without.begin() + topology_.ncoord, without.begin() + topology_.ny, Tangent(0.0));
  assembler.forces_of(Role::constraint, state.t, without.data(), state.v.data(), penalty.data());
  for (size_t i = 0; i < force_.size(); ++i) force_[i] -= penalty[i];
  for (size_t i = 0; i < before.v.size(); ++i) before.v[i] = state.v[i] - before.v[i];
  assembler.subtract_mass_times(before.v.data(), Tangent(1.0), force_.data());
  assembler.reduce(force_.data());
  double sum = 0;
  for (int i = 0; i < topology_.ncoord; ++i) sum += mu[i] * force_[i].d;
  return sum - rows(state, rate_, mu);
}

std::vector<double> StartEquations::impulses(const State<double>& from) {
  State<Tangent> state = unchanging(from);
  residual_.expand(state);
  rows(state, rate_, std::vector<double>(topology_.ny, 0.0));
  std::vector<double> rates(topology_.ny, 0.0);
  for (const int row : matrix_.rows()) rates[row] = -rate_[row].v;
  const std::vector<double> y =
      solve(std::vector<double>(topology_.ncoord, 0.0), std::span(rates).subspan(topology_.ncoord));
  return {y.begin() + topology_.ncoord, y.end()};
}

double StartEquations::rows(const State<Tangent>& state, const std::vector<Tangent>& of, std::span<const double> mu) {
  residual_.assembler.constraint_motion(state.t, state.q.data(), state.v.data(), state.a.data(),
                                        {phi_.data(), rate_.data(), second_.data()});
  double sum = 0;
  for (const int row : matrix_.rows()) sum += mu[row] * of[row].d;
  return sum;
}

}  // namespace flexura
