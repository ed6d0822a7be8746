#include "flexura/integrate/index1_motion.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace flexura {
namespace {

constexpr int kinds = 3;  ///< points, vectors, scalars

/// Largest value of each kind of slot; multipliers are left out.
std::array<double, kinds> largest_of_kinds(const std::vector<Slot>& slots, const std::vector<double>& x) {
  std::array<double, kinds> largest{};
  for (const Slot& slot : slots) {
    if (slot.multiplier || slot.kind == SlotKind::signal) continue;
    double& size = largest[static_cast<int>(slot.kind)];
    for (int i = slot.offset; i < slot.offset + slot.size; ++i) size = max(size, std::fabs(x[i]));
  }
  double& scalar = largest[static_cast<int>(SlotKind::scalar)];
  for (const double size : largest) scalar = max(scalar, size);  // a scalar may be a displacement
  return largest;
}

}  // namespace

Index1Motion::Index1Motion(System<double>& system, const DriftControl& control, Index1Method method)
    : system_(system), solver_(system, method), control_(control) {
  const Topology& t = system.topology();
  n_ = t.ncoord;
  y_.assign(t.ny, 0.0);
  rounding_.reserve(t.ny - n_);
  for (auto* x : {&drive_q_, &drive_v_, &drive_a_}) x->assign(t.nq, 0.0);
  force_.assign(system.assembler.residual_size(), 0.0);
  for (const Dependent& d : t.dependents) {
    if (d.drives.empty()) continue;
    for (int i = 0; i < t.slots[d.slot].size; ++i) driven_.push_back(t.slots[d.slot].offset + i);
  }
  for (const auto& batch : system.assembler.batches()) has_losses_ |= batch->has_dissipation;
}

bool Index1Motion::evaluate(State<double>& state, double t) {
  state.t = t;
  set_signals(state);
  return solver_.accelerations(state, control_);
}

double Index1Motion::scaled(const ErrorScale& scale, const double* qa, const double* va, const double* qb,
                            const double* vb, const double* eq, const double* ev) const {
  const auto square = [](const double* x, int size) {
    double sum = 0;
    for (int i = 0; i < size; ++i) sum = fma(x[i], x[i], sum);
    return sum;
  };
  const double vector_q = scale.absolute_vector >= 0 ? scale.absolute_vector : scale.absolute_q;
  const double vector_v =
      scale.absolute_vector >= 0 ? scale.absolute_v * (vector_q / scale.absolute_q) : scale.absolute_v;
  double sum = 0;
  int count = 0;
  for (const Slot& slot : system_.topology().slots) {
    if (slot.multiplier || slot.offset >= n_) continue;
    const bool point = slot.kind == SlotKind::point;
    const auto add = [&](const double* x, const double* y, const double* e, double absolute) {
      const double size = std::sqrt(std::max(square(x + slot.offset, slot.size), square(y + slot.offset, slot.size)));
      const double allowed = absolute + scale.relative * size;
      sum += square(e + slot.offset, slot.size) / (allowed * allowed);
    };
    add(qa, qb, eq, point ? scale.absolute_q : vector_q);
    add(va, vb, ev, point ? scale.absolute_v : vector_v);
    count += 2;
  }
  return std::sqrt(sum / std::max(count, 1));
}

/// Simplified Newton from so near that two or three corrections with one factor reach rounding; velocities with the same.
/// A step is compared with the largest value of its kind (points, vectors, scalars), dependent coordinates included:
/// rows are rounded as points far from the origin are, while a free coordinate may be near zero.
/// Rounding of a row: 4 ε Σ_j |Φ_ij q_j|. Near a singular position corrections of what is left below it do not shrink.
bool Index1Motion::project(State<double>& state) {
  if (solver_.count() == 0) return true;
  constexpr int most = 12;
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  Assembler<double>& assembler = system_.assembler;
  const auto correct = [&](const double* violation, std::vector<double>& x) {
    for (int i = n_; i < static_cast<int>(y_.size()); ++i) y_[i] = -violation[i];
    solver_.solve_rows(y_);
    for (int i = 0; i < n_; ++i) x[i] += y_[i];
    assembler.expand(state.q.data(), state.v.data(), state.a.data());
    const std::vector<Slot>& slots = system_.topology().slots;
    const std::array<double, kinds> size = largest_of_kinds(slots, x);
    double step = 0;
    for (const Slot& slot : slots) {
      if (slot.multiplier || slot.offset >= n_) continue;
      for (int i = slot.offset; i < slot.offset + slot.size; ++i)
        step = max(step, std::fabs(y_[i]) / std::max(size[static_cast<int>(slot.kind)], 1e-300));
    }
    return step;
  };
  assembler.expand(state.q.data(), state.v.data(), state.a.data());
  if (!solver_.factor(state)) return false;
  std::fill(y_.begin() + n_, y_.end(), 0.0);
  for (const auto& c : solver_.matrix().couplings())
    y_[c.row] += 4 * epsilon * std::fabs(solver_.matrix().value(c) * state.q[c.column]);
  rounding_.assign(y_.begin() + n_, y_.end());
  const auto only_rounding = [&](const double* phi) {
    for (int row : solver_.rows())
      if (!(std::fabs(phi[row]) <= rounding_[row - n_])) return false;
    return true;
  };
  double last = 1;
  bool converged = false;
  for (int k = 0; k < most && !converged; ++k) {
    converged = k > 0 && only_rounding(solver_.motion(state).phi);
    if (converged) break;
    const double step = correct(solver_.motion(state).phi, state.q);
    converged = step <= 4 * epsilon || (step <= 1e4 * epsilon && step > 0.5 * last);
    if (!(step < last) && !converged) return false;
    last = step;
  }
  return converged && std::isfinite(correct(solver_.motion(state).rate, state.v));
}

std::array<double, 4> Index1Motion::power(const State<double>& state) {
  Assembler<double>& assembler = system_.assembler;
  const std::vector<double>& weight = assembler.gravity_force();
  std::array<double, 4> p{};
  auto& [gravity, loads, prescribed, dissipated] = p;
  gravity = assembler.inner(weight.data(), state.v.data());
  if (assembler.has_loads()) {
    assembler.forces_of(Role::load, state.t, state.q.data(), state.v.data(), force_.data());
    loads = assembler.inner(force_.data(), state.v.data()) - gravity;
  }
  if (has_losses_ || assembler.has_damping())
    dissipated = assembler.dissipation(state.t, state.q.data(), state.v.data());
  if (!driven_.empty()) {
    for (auto* x : {&drive_q_, &drive_v_, &drive_a_}) std::fill(x->begin(), x->begin() + n_, 0.0);
    assembler.expand(drive_q_.data(), drive_v_.data(), drive_a_.data());
    assembler.residual(state.t, state.q.data(), state.v.data(), force_.data());
    assembler.subtract_mass_times(state.a.data(), 1.0, force_.data());
    assembler.subtract_damping(state.v.data(), force_.data());
    for (int i : driven_) prescribed = fma(-force_[i], drive_v_[i], prescribed);
  }
  return p;
}

}  // namespace flexura
