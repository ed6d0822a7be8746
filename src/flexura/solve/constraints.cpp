#include "flexura/solve/constraints.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "flexura/solve/extent.hpp"

namespace flexura {
namespace {

/// Of the extent, and in rad: nearer places coincide, as they do for eliminated joints (MachineDraft::near).
constexpr double coincident = 1e-8;
constexpr double infinity = std::numeric_limits<double>::infinity();

void note(ProjectionReport& report, const Topology& t, const std::vector<double>& before,
          const std::vector<double>& after) {
  double most = -1;
  for (size_t s = 0; s < t.slots.size(); ++s) {
    const Slot& slot = t.slots[s];
    if (slot.multiplier) continue;
    double size = 0;
    for (int i = slot.offset; i < slot.offset + slot.size; ++i) size = std::max(size, std::fabs(after[i] - before[i]));
    double& largest = slot.is_length ? report.moved : report.turned;
    largest = std::max(largest, size);
    if (size > most) most = size, report.moved_most = static_cast<int>(s);
  }
}

double largest(const std::vector<double>& x, int first, int end) {
  double size = 0;
  for (int i = first; i < end; ++i)
    if (!(std::fabs(x[i]) <= size)) size = std::fabs(x[i]);
  return size;
}

}  // namespace

Constraints::Constraints(System<double>& system) : system_(system), matrix_(system), angles_(system.topology()) {
  const Topology& t = system.topology();
  before_.q.assign(t.nq, 0.0);
  before_.v = before_.a = before_.q;
  from_.assign(t.nq, 0.0);
  residual_.assign(system.assembler.residual_size(), 0.0);
  for (auto* x : {&y_, &phi_, &rate_, &second_, &row_scale_, &damping_, &allowed_, &aim_, &open_}) x->assign(t.ny, 0.0);
  motion_ = {phi_.data(), rate_.data(), second_.data()};
  redundant_.reserve(t.ny - t.ncoord);
}

int Constraints::degrees_of_freedom() const {
  return system_.topology().ncoord - count() + static_cast<int>(redundant_.size());
}

const ConstraintMotion<double>& Constraints::motion(const State<double>& state) {
  system_.assembler.constraint_motion(state.t, state.q.data(), state.v.data(), state.a.data(), motion_);
  return motion_;
}

bool Constraints::factor(const State<double>& state, std::span<const double> damping) {
  const bool ok = matrix_.factor(state.t, state.q, state.v, damping);
  redundant_.clear();
  for (const RedundantRow<double>& row : matrix_.redundant()) redundant_.push_back(row.unknown);
  return ok;
}

bool Constraints::factor_damped(const State<double>& state, double h) {
  return matrix_.factor_damped(state.t, state.q, state.v, h);
}

/// Rows are compared by what it takes to close them: Φ²/(Φ_q M⁻¹ Φ_qᵀ), a mass times a distance squared.
void Constraints::weigh_rows() {
  double mean = 0;
  for (int row : rows()) mean += matrix_.row_scale()[row] / count();
  for (int row : rows()) {
    row_scale_[row] = std::max(matrix_.row_scale()[row], 1e-6 * mean);
    if (!(row_scale_[row] > 0)) row_scale_[row] = 1;
  }
}

/// Φ_q of the last factor times the gaps that are allowed. `rounding`: at least that, for rows without a derivative here.
void Constraints::allow_gaps(const State<double>& state, double rounding) {
  const Topology& t = system_.topology();
  double furthest = 0;
  for (const Slot& slot : t.slots)
    if (slot.kind == SlotKind::point)
      furthest = std::max(furthest, largest(state.q, slot.offset, slot.offset + slot.size));
  const double length = coincident * (extent(t, state.q) + 0.1 * furthest);
  std::fill(y_.begin(), y_.end(), coincident);  // scratch: the gap of each coordinate
  for (const Slot& slot : t.slots) {
    if (slot.dependent >= 0 || !slot.is_length) continue;
    for (int i = slot.offset; i < std::min(slot.offset + slot.size, t.ny); ++i) y_[i] = length;
  }
  for (const int row : rows()) allowed_[row] = rounding;
  for (const auto& c : matrix_.couplings())
    allowed_[c.row] = std::max(allowed_[c.row], std::fabs(matrix_.value(c)) * y_[c.column]);
}

bool Constraints::is_closed() const {
  return std::all_of(rows().begin(), rows().end(), [&](int row) { return std::fabs(phi_[row]) <= allowed_[row]; });
}

double Constraints::violation(State<double>& state, ProjectionReport& report) {
  system_.assembler.expand(state.q.data(), state.v.data(), state.a.data());
  motion(state);
  for (const int row : angles_.rows())
    if (aim_[row] != 0) phi_[row] = std::remainder(phi_[row] - aim_[row], 2 * std::numbers::pi);
  report.violation = 0;
  report.worst = -1;
  double sum = 0;
  for (int row : rows()) {
    sum += phi_[row] * phi_[row] / row_scale_[row];
    if (report.worst >= 0 && std::fabs(phi_[row]) <= report.violation) continue;
    report.violation = std::fabs(phi_[row]);
    report.worst = row;
  }
  return std::sqrt(sum);
}

ProjectionReport Constraints::project_positions(State<double>& state, int max_iterations) {
  std::copy(state.q.begin(), state.q.end(), before_.q.begin());
  if (!angles_.empty() && count() > 0) {
    system_.assembler.expand(state.q.data(), state.v.data(), state.a.data());
    motion(state);
    turn_in_stages(state, phi_, max_iterations);
  }
  ProjectionReport report = close(state, max_iterations);
  note(report, system_.topology(), before_.q, state.q);
  return report;
}

/// Φ of the angles goes to zero by a quarter of a radian each time, all others are closed meanwhile: loops stay on the branch where they
/// are, and bodies do not turn over. One projection over more than a radian may end anywhere.
void Constraints::turn_in_stages(State<double>& state, std::span<const double> open, int max_iterations) {
  constexpr double stage = 0.25;
  const int ncoord = system_.topology().ncoord;
  double largest = 0;
  for (const int row : angles_.rows()) {
    open_[row] = open[row];
    largest = std::max(largest, std::fabs(open[row]));
  }
  if (!(largest > stage)) return;
  const int stages = static_cast<int>(std::ceil(largest / stage));
  bool closed = true;
  for (int k = 1; k < stages && closed; ++k) {
    for (const int row : angles_.rows()) aim_[row] = open_[row] * (1 - static_cast<double>(k) / stages);
    closed = close(state, max_iterations).converged;
  }
  for (const int row : angles_.rows()) aim_[row] = 0;
  if (!closed) std::copy(before_.q.begin(), before_.q.begin() + ncoord, state.q.begin());
}

ProjectionReport Constraints::turn_to_positions(State<double>& state, std::span<const double> open) {
  constexpr int most_iterations = 50;
  constexpr double farthest = 100;  // [rad]; beyond it would take long
  double largest = 0;
  for (const double angle : open) largest = std::max(largest, std::fabs(angle));
  if (largest > std::numbers::pi && largest <= farthest && count() > 0) {
    std::copy(state.q.begin(), state.q.end(), before_.q.begin());
    turn_in_stages(state, open, most_iterations);
  }
  return project_positions(state, most_iterations);
}

/// Gauss–Newton in the metric of M, halved while the violation grows, and damped where that does not help.
ProjectionReport Constraints::close(State<double>& state, int max_iterations) {
  const Topology& t = system_.topology();
  constexpr int halvings = 3, damped_iterations = 300;
  ProjectionReport report;
  system_.assembler.expand(state.q.data(), state.v.data(), state.a.data());
  const double size = std::max(largest(state.q, 0, t.ncoord), largest(state.q, t.ny, t.nq));
  const double floor = 8 * std::numeric_limits<double>::epsilon() * std::max(size, 1e-6);
  if (count() == 0) {
    report.converged = true;
    return report;
  }
  bool fresh = factor(state);
  weigh_rows();
  allow_gaps(state, 1e4 * floor * std::max(1.0, size));
  double norm = violation(state, report), last_step = infinity, damping = 0;
  while (fresh && std::isfinite(norm) && report.iterations - report.damped < max_iterations &&
         report.damped < damped_iterations) {
    if (norm == 0) break;
    if (report.iterations > 0) {
      for (int row : rows()) damping_[row] = damping * row_scale_[row];
      fresh = factor(state, damping > 0 ? std::span<const double>(damping_) : std::span<const double>());
    }
    if (!fresh) break;
    ++report.iterations;
    if (damping > 0) ++report.damped;
    std::fill(y_.begin(), y_.begin() + t.ncoord, 0.0);
    for (int i = t.ncoord; i < t.ny; ++i) y_[i] = -phi_[i];
    solve(y_);
    const double step = largest(y_, 0, t.ncoord);
    std::copy(state.q.begin(), state.q.end(), from_.begin());
    double share = 1, next = infinity;
    const int tries = damping > 0 ? 1 : halvings;
    for (int k = 0; k < tries && std::isfinite(step); ++k, share *= 0.5) {
      for (int i = 0; i < t.ncoord; ++i) state.q[i] = from_[i] + share * y_[i];
      next = violation(state, report);
      if (next < norm || step <= floor) break;
    }
    // At the level of rounding a step does not shrink any more.
    const bool ended =
        (damping < 1 && step <= floor) || (damping == 0 && step <= 1e4 * floor && step >= 0.5 * last_step);
    if (ended || !(next < norm)) {
      if (!(next <= norm)) {
        std::copy(from_.begin(), from_.end(), state.q.begin());
        next = violation(state, report);
      }
      if (ended || report.violation <= 1e2 * floor || is_closed()) break;
      damping = std::max(1e-3, 8 * damping);
      if (damping > 1e12) break;  // no way down
    } else {
      if (damping > 0 && next > (1 - 1e-9) * norm && damping < 1e-2) break;  // as near as it comes
      damping = damping > 1e-6 ? 0.2 * damping : 0;
      last_step = step;
    }
    norm = next;
  }
  // What fits already needs no factor, which very unequal masses may deny.
  report.converged = std::isfinite(norm) && is_closed();
  return report;
}

ProjectionReport Constraints::project_velocities(State<double>& state) {
  const Topology& t = system_.topology();
  ProjectionReport report;
  std::copy(state.v.begin(), state.v.end(), before_.v.begin());
  system_.assembler.expand(state.q.data(), state.v.data(), state.a.data());
  const bool ok = count() == 0 || factor(state);
  for (int pass = 0; pass < 2 && ok && count() > 0; ++pass) {  // the second removes what rounding left
    motion(state);
    std::fill(y_.begin(), y_.begin() + t.ncoord, 0.0);
    for (int i = t.ncoord; i < t.ny; ++i) y_[i] = -rate_[i];
    solve(y_);
    if (!std::isfinite(largest(y_, 0, t.ny))) break;
    for (int i = 0; i < t.ncoord; ++i) state.v[i] += y_[i];
    system_.assembler.expand(state.q.data(), state.v.data(), state.a.data());
    ++report.iterations;
  }
  motion(state);
  double size = largest(before_.v, 0, t.nq);  // dependents too: they may drive the others
  for (int row : rows()) {
    if (report.worst >= 0 && std::fabs(rate_[row]) <= report.violation) continue;
    report.violation = std::fabs(rate_[row]);
    report.worst = row;
  }
  size = std::max({size, largest(state.v, 0, t.nq), 1e-6});
  report.converged = report.violation <= 1e-9 * size * std::max(1.0, largest(state.q, 0, t.ncoord));
  note(report, t, before_.v, state.v);
  return report;
}

bool Constraints::accelerations(State<double>& state, const DriftControl& control) {
  const Topology& t = system_.topology();
  Assembler<double>& assembler = system_.assembler;
  constexpr int most_passes = 6;
  std::copy(state.a.begin(), state.a.end(), before_.a.begin());
  std::copy(state.q.begin() + t.ncoord, state.q.end(), before_.q.begin() + t.ncoord);
  std::fill(state.a.begin(), state.a.end(), 0.0);
  assembler.expand(state.q.data(), state.v.data(), state.a.data());
  for (int row : rows()) state.q[row] = 0;
  matrix_.solve_scalars(state, residual_);
  bool ok = factor(state);
  double change = 0, runaway = 0;
  for (int pass = 0; pass < most_passes && ok; ++pass) {
    motion(state);
    assembler.residual(state.t, state.q.data(), state.v.data(), residual_.data());
    assembler.subtract_mass_times(state.a.data(), 1.0, residual_.data());
    assembler.subtract_damping(state.v.data(), residual_.data());
    assembler.reduce(residual_.data());
    std::copy(residual_.begin(), residual_.begin() + t.ncoord, y_.begin());
    for (int i = t.ncoord; i < t.ny; ++i) y_[i] = -second_[i];
    if (control.acts())
      for (int row : rows()) y_[row] -= control(phi_[row], rate_[row]);
    const double force = largest(y_, 0, t.ncoord);
    for (int i : matrix_.free_massless()) ok = ok && std::fabs(y_[i]) <= 1e-9 * force, y_[i] = 0;
    solve(y_);
    const double size = std::max(largest(state.a, 0, t.ncoord), largest(state.q, t.ncoord, t.ny));
    change = largest(y_, 0, t.ny) / std::max(size, 1e-300);
    runaway = largest(y_, 0, t.ncoord) / std::max(largest(state.a, 0, t.ncoord), 1e-300);
    for (int i = 0; i < t.ncoord; ++i) state.a[i] += y_[i];
    for (int i = t.ncoord; i < t.ny; ++i) state.q[i] += y_[i];
    assembler.expand(state.q.data(), state.v.data(), state.a.data());
    ok = ok && std::isfinite(largest(y_, 0, t.ny));
    // The first pass leaves p Φ_q a of augmented constraints in their multipliers; the second has Φ_q a = 0.
    if ((matrix_.exact() && (pass == 1 || !matrix_.is_augmented())) || change <= 1e-14) break;
  }
  // What no mass and no constraint holds runs away; how redundant rows share a force may go on changing.
  ok = ok && (matrix_.exact() || std::min(change, runaway) <= 1e-4);
  if (!ok) {
    std::copy(before_.a.begin(), before_.a.end(), state.a.begin());
    std::copy(before_.q.begin() + t.ncoord, before_.q.end(), state.q.begin() + t.ncoord);
  }
  return ok;
}

}  // namespace flexura
