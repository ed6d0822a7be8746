#include "flexura/solve/constraints.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace flexura {

Constraints::Constraints(System<double>& system) : system_(system) {
  const Topology& t = system.topology();
  rows_ = t.ny - t.ncoord;
  q_.assign(t.nq, 0.0);
  residual_.assign(system.assembler.residual_size(), 0.0);
  for (auto* x : {&y_, &phi_, &rate_, &second_}) x->assign(t.ny, 0.0);
  motion_ = {phi_.data(), rate_.data(), second_.data()};
  redundant_.reserve(rows_);
}

int Constraints::degrees_of_freedom() const {
  return system_.topology().ncoord - rows_ + static_cast<int>(redundant_.size());
}

const ConstraintMotion<double>& Constraints::motion(const State<double>& state) {
  system_.assembler.constraint_motion(state.t, state.q.data(), state.v.data(), state.a.data(), motion_);
  return motion_;
}

bool Constraints::factor(const State<double>& state) {
  const Topology& t = system_.topology();
  std::copy(state.q.begin(), state.q.end(), q_.begin());
  std::fill(q_.begin() + t.ncoord, q_.begin() + t.ny, 0.0);
  system_.assembler.constraint_matrix(state.t, q_.data(), state.v.data(), 1.0, system_.values.data());
  const FactorReport<double> report = system_.solver.factor(system_.values);
  redundant_.clear();
  for (const SetAside<double>& row : report.set_aside) redundant_.push_back(row.unknown);
  use_pivoting_ = false;
  if (report.ok) return true;
  if (!pivoting_) {
    pivoting_ = std::make_unique<SparseFallback>();
    pivoting_->analyse(system_.solver.layout());
  }
  return use_pivoting_ = pivoting_->factor(system_.values);
}

void Constraints::solve(std::span<double> y) const {
  if (use_pivoting_) {
    pivoting_->solve(y);
  } else {
    system_.solver.solve(y);
  }
}

namespace {

void note(ProjectionReport& report, const Topology& t, const std::vector<double>& change) {
  double most = -1;
  for (size_t s = 0; s < t.slots.size(); ++s) {
    const Slot& slot = t.slots[s];
    if (slot.multiplier) continue;
    double size = 0;
    for (int i = slot.offset; i < slot.offset + slot.size; ++i) size = std::max(size, std::fabs(change[i]));
    (slot.kind == SlotKind::point ? report.moved : report.turned) =
        std::max(slot.kind == SlotKind::point ? report.moved : report.turned, size);
    if (size > most) most = size, report.moved_most = static_cast<int>(s);
  }
}

double largest(const double* x, int first, int end, int& where) {
  double size = 0;
  where = first < end ? first : -1;
  for (int i = first; i < end; ++i)
    if (!(std::fabs(x[i]) <= size)) size = std::fabs(x[i]), where = i;
  return size;
}

}  // namespace

/// Gauss–Newton in the metric of M, halved while the violation grows.
ProjectionReport Constraints::project_positions(State<double>& state, int max_iterations) {
  const Topology& t = system_.topology();
  Assembler<double>& assembler = system_.assembler;
  ProjectionReport report;
  const std::vector<double> before = state.q;
  double size = 0;
  for (int i = 0; i < t.ncoord; ++i) size = std::max(size, std::fabs(state.q[i]));
  const double floor = 8 * std::numeric_limits<double>::epsilon() * std::max(size, 1e-6);
  const auto violation = [&] {
    assembler.expand(state.q.data(), state.v.data(), state.a.data());
    motion(state);
    report.violation = largest(phi_.data(), t.ncoord, t.ny, report.worst);
    double sum = 0;
    for (int i = t.ncoord; i < t.ny; ++i) sum += phi_[i] * phi_[i];
    return std::sqrt(sum);
  };
  double norm = violation(), last_step = std::numeric_limits<double>::infinity();
  for (; report.iterations < max_iterations && std::isfinite(norm); ++report.iterations) {
    if (norm == 0) {
      report.converged = true;
      break;
    }
    if (!factor(state)) break;
    std::fill(y_.begin(), y_.begin() + t.ncoord, 0.0);
    for (int i = t.ncoord; i < t.ny; ++i) y_[i] = -phi_[i];
    solve(y_);
    int where;
    const double step = largest(y_.data(), 0, t.ncoord, where);
    if (!std::isfinite(step)) break;
    const std::vector<double> from = state.q;
    double share = 1, next = norm;
    for (int halving = 0; halving < 8; ++halving, share *= 0.5) {
      for (int i = 0; i < t.ncoord; ++i) state.q[i] = from[i] + share * y_[i];
      next = violation();
      if (next < norm || step <= floor) break;
    }
    norm = next;
    // At the level of rounding a step does not shrink any more.
    if (step <= floor || (step <= 1e4 * floor && step >= 0.5 * last_step)) {
      report.converged = report.violation <= 1e4 * floor * std::max(1.0, size);
      ++report.iterations;
      break;
    }
    if (share < 1e-2) break;  // no way down
    last_step = step;
  }
  std::vector<double> change(t.nq);
  for (int i = 0; i < t.nq; ++i) change[i] = state.q[i] - before[i];
  note(report, t, change);
  return report;
}

ProjectionReport Constraints::project_velocities(State<double>& state) {
  const Topology& t = system_.topology();
  ProjectionReport report;
  const std::vector<double> before = state.v;
  system_.assembler.expand(state.q.data(), state.v.data(), state.a.data());
  if (rows_ > 0 && factor(state)) {
    for (int pass = 0; pass < 2; ++pass) {  // the second removes what rounding left
      motion(state);
      std::fill(y_.begin(), y_.begin() + t.ncoord, 0.0);
      for (int i = t.ncoord; i < t.ny; ++i) y_[i] = -rate_[i];
      solve(y_);
      for (int i = 0; i < t.ncoord; ++i) state.v[i] += y_[i];
      system_.assembler.expand(state.q.data(), state.v.data(), state.a.data());
      ++report.iterations;
    }
  }
  motion(state);
  report.violation = largest(rate_.data(), t.ncoord, t.ny, report.worst);
  double size = 1e-6;
  for (int i = 0; i < t.ncoord; ++i) size = std::max(size, std::fabs(state.v[i]));
  report.converged = report.violation <= 1e-9 * size;
  std::vector<double> change(t.nq);
  for (int i = 0; i < t.nq; ++i) change[i] = state.v[i] - before[i];
  note(report, t, change);
  return report;
}

bool Constraints::accelerations(State<double>& state) {
  const Topology& t = system_.topology();
  Assembler<double>& assembler = system_.assembler;
  // Φ̈ without the free accelerations, but with those that driven dependents have by themselves.
  std::vector<double>& a = driven_;
  a.assign(t.nq, 0.0);
  assembler.expand(state.q.data(), state.v.data(), a.data());
  assembler.constraint_motion(state.t, state.q.data(), state.v.data(), a.data(), motion_);
  if (!factor(state)) return false;  // leaves q with λ = 0 in q_
  assembler.residual(state.t, q_.data(), state.v.data(), residual_.data());
  assembler.subtract_mass_times(a.data(), 1.0, residual_.data());
  assembler.subtract_damping(state.v.data(), residual_.data());
  assembler.reduce(residual_.data());
  std::copy(residual_.begin(), residual_.begin() + t.ncoord, y_.begin());
  for (int i = t.ncoord; i < t.ny; ++i) y_[i] = -second_[i];
  solve(y_);
  for (double x : y_)
    if (!std::isfinite(x)) return false;
  std::copy(y_.begin(), y_.begin() + t.ncoord, state.a.begin());
  std::copy(y_.begin() + t.ncoord, y_.end(), state.q.begin() + t.ncoord);
  assembler.expand(state.q.data(), state.v.data(), state.a.data());
  return true;
}

}  // namespace flexura
