#include "flexura/solve/quadratic_pencil.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace flexura {

QuadraticPencil::QuadraticPencil(System<double>& system, const State<double>& state, const SteadyRotation& rotation,
                                 bool damped)
    : size_(system.topology().ny), coordinates_(system.topology().ncoord) {
  const Topology& topology = system.topology();
  const CouplingPattern& coupling = system.assembler.pattern();
  const std::vector<char> everywhere(coupling.sizes.size(), 1);
  solver_.analyse({coupling.sizes, coupling.multipliers, coupling.pairs, everywhere}, Symmetry::unsymmetric);
  number_blocks(topology);
  for (auto* values : {&stiffness_, &rates_, &mass_}) values->assign(solver_.value_count(), 0.0);

  Assembler<double>& assembler = system.assembler;
  std::vector<double> q = state.q, v(q.size(), 0.0), a(q.size(), 0.0), values(system.values.size());
  assembler.expand(q.data(), v.data(), a.data());
  std::fill(v.begin(), v.end(), 0.0);
  assembler.tangent(state.t, q.data(), v.data(), 0.0, 0.0, values.data());
  add(system, values, 1.0, stiffness_);
  if (damped) {  // tangent(…, cd) − tangent(…, 0) = cd (C − ∂Q/∂v): much of it, as K is of another size
    constexpr double much = 1e30;
    add(system, values, -1 / much, rates_);
    assembler.tangent(state.t, q.data(), v.data(), 0.0, much, values.data());
    add(system, values, 1 / much, rates_);
  }
  assembler.mass_matrix(values.data());
  add(system, values, 1.0, mass_);
  if (rotation.turns()) {
    std::vector<double> once(mass_.size(), 0.0);
    add_turned(mass_, 1.0, topology, rotation, once);
    add_turned(once, 1.0, topology, rotation, stiffness_);
    for (size_t i = 0; i < once.size(); ++i) rates_[i] += 2 * once[i];
  }
  has_rates_ = std::any_of(rates_.begin(), rates_.end(), [](double x) { return x != 0; });

  stiffness_diagonal_.assign(size_, 0.0);
  mass_diagonal_.assign(size_, 0.0);
  solver_.diagonal(stiffness_, std::span<double>(stiffness_diagonal_));
  solver_.diagonal(mass_, std::span<double>(mass_diagonal_));
  bool any_mass = false, finite = true;
  for (int i = 0; i < coordinates_; ++i)
    if (mass_diagonal_[i] > 0) {
      any_mass = true;
      scale_ = std::max(scale_, stiffness_diagonal_[i] / mass_diagonal_[i]);
    }
  for (const auto* part : {&stiffness_, &rates_})
    for (double x : *part) finite &= std::isfinite(x);
  if (!finite) scale_ = std::numeric_limits<double>::quiet_NaN();
  if (any_mass && scale_ == 0) scale_ = 1;
  shifted_.resize(stiffness_.size());
}

void QuadraticPencil::number_blocks(const Topology& topology) {
  block_.assign(size_, 0);
  within_.assign(size_, 0);
  for (const Slot& slot : topology.slots) {
    if (slot.block < 0) continue;
    for (int i = 0; i < slot.size; ++i) {
      block_[slot.offset + i] = slot.block;
      within_[slot.offset + i] = slot.block_offset + i;
    }
  }
}

std::ptrdiff_t QuadraticPencil::place(int i, int j) const {
  const Entry e = solver_.entry(block_[i], block_[j]);
  return e.offset + within_[i] * e.row_stride + within_[j] * e.col_stride;
}

void QuadraticPencil::add(const System<double>& system, std::span<const double> values, double factor,
                          std::vector<double>& to) const {
  system.solver.layout().for_each_entry(
      [&](int i, int j, std::ptrdiff_t at) { to[place(i, j)] += factor * values[at]; });
}

void QuadraticPencil::add_turned(const std::vector<double>& a, double factor, const Topology& topology,
                                 const SteadyRotation& rotation, std::vector<double>& to) const {
  std::vector<int> first(size_, -1);  // of the point or vector that a coordinate belongs to
  for (const Slot& slot : topology.slots)
    if (slot.block >= 0 && !slot.multiplier && slot.size == topology.dim)
      for (int i = 0; i < slot.size; ++i) first[slot.offset + i] = slot.offset;
  solver_.layout().for_each_entry([&](int i, int j, std::ptrdiff_t at) {
    if (a[at] == 0 || first[i] < 0) return;
    double unit[3] = {};
    unit[i - first[i]] = factor * a[at];
    const auto r = turned(rotation, unit, topology.dim);
    for (int k = 0; k < topology.dim; ++k)
      if (r[k] != 0) to[place(first[i] + k, j)] += r[k];
  });
}

bool QuadraticPencil::factor(double rate, double square) {
  for (size_t i = 0; i < shifted_.size(); ++i) shifted_[i] = stiffness_[i] + rate * rates_[i] + square * mass_[i];
  const FactorReport<double> report = solver_.factor(shifted_);
  pivoted_ = !report.ok || report.weakest_pivot < weak_pivot;
  if (!pivoted_) return true;
  if (!analysed_) pivoting_.analyse(solver_.layout());
  analysed_ = true;
  return pivoting_.factor(shifted_);
}

void QuadraticPencil::solve(std::span<double> x) const {
  const auto once = [&](std::span<double> y) {
    if (pivoted_)
      pivoting_.solve(y);
    else
      solver_.solve(y);
  };
  std::vector<double> rest(x.begin(), x.end()), product(x.size());
  once(x);
  times(shifted_, x, std::span<double>(product));
  for (size_t i = 0; i < rest.size(); ++i) rest[i] -= product[i];
  once(rest);
  for (size_t i = 0; i < rest.size(); ++i) x[i] += rest[i];
}

}  // namespace flexura
