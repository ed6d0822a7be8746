#include "flexura/solve/arc_length.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "flexura/model/contact_model.hpp"
#include "flexura/solve/extent.hpp"

namespace flexura {
namespace {

double largest(const std::vector<double>& x) {
  double size = 0;
  for (double value : x) size = std::max(size, std::fabs(value));
  return size;
}

}  // namespace

ArcLength::ArcLength(System<double>& system, const ArcLengthOptions& options)
    : system_(system), options_(options), angles_(system.topology()) {
  refuse_contacts(system.topology().contacts.get(), "arc length");
  const Topology& t = system.topology();
  for (auto* x : {&r_, &trial_, &reference_}) x->assign(system.assembler.residual_size(), 0.0);
  for (auto* x : {&load_, &metric_, &by_load_, &scale_}) x->assign(t.ny, 0.0);
}

/// Inner product of two motions: mean square over slots, relative to the model's size and c.
double ArcLength::product(const std::vector<double>& a, const std::vector<double>& b) const {
  double sum = 0;
  for (int i = 0; i < system_.topology().ncoord; ++i) sum += metric_[i] * a[i] * b[i];
  return sum / (motion_scale_ * motion_scale_);
}

void ArcLength::apply_loads(double factor) {
  system_.assembler.set_signals(system_.drives.blend(state_.t, state_.lags, from_loads_, factor));
}

/// r_ and load_ = ∂r/∂Λ at the point. r is affine in Λ for loads that are linear in their signals; prescribed motions make
/// it curved, and the central difference is then good to the square of its width, which only the speed of convergence
/// sees.
void ArcLength::evaluate(const Point& point) {
  Assembler<double>& assembler = system_.assembler;
  const auto residual = [&](double factor, std::vector<double>& r) {
    apply_loads(factor);
    state_.q = point.q;
    assembler.expand(state_.q.data(), state_.v.data(), state_.a.data());
    assembler.residual(state_.t, state_.q.data(), state_.v.data(), r.data());
    assembler.reduce(r.data());
    for (size_t i = 0; i < unbalanced_.size(); ++i) r[i] -= (1 - factor) * unbalanced_[i];
  };
  constexpr double width = 1e-3;
  residual(point.factor + width, trial_);
  residual(point.factor - width, r_);
  for (size_t i = 0; i < load_.size(); ++i) load_[i] = (trial_[i] - r_[i]) / (2 * width);
  residual(point.factor, r_);
}

bool ArcLength::factor(const double* before) {
  std::vector<double>& values = system_.values;
  system_.assembler.tangent(state_.t, state_.q.data(), state_.v.data(), 0.0, 0.0, values.data(), before);
  const FactorReport<double> report = system_.solver.factor(values);
  ++report_.factorizations;
  negative_ = static_cast<int>(report.negative_pivots);
  redundant_rows_ = static_cast<int>(report.redundant_rows.size());
  use_pivoting_ = !report.ok;
  if (use_pivoting_) {
    if (!analysed_) pivoting_.analyse(system_.solver.layout());
    analysed_ = true;
    if (!pivoting_.factor(values)) return false;
  }
  return true;
}

void ArcLength::solve_for(std::vector<double>& y) const {
  if (use_pivoting_) {
    pivoting_.solve(y);
  } else {
    system_.solver.solve(std::span<double>(y));
  }
}

/// max |r_i|/√J_ii, and what it has to come to (newton.hpp).
double ArcLength::measure(const Point& point, double& limit) const {
  const int nc = system_.topology().ncoord;
  double worst = 0, force = 0, position = 0;
  for (size_t i = 0; i < scale_.size(); ++i) {
    if (scale_[i] == 0) continue;
    worst = std::max(worst, std::fabs(r_[i]) / scale_[i]);
    if (!(std::fabs(r_[i]) <= std::numeric_limits<double>::max())) return std::numeric_limits<double>::quiet_NaN();
    if (static_cast<int>(i) >= nc) continue;
    force = std::max(force, std::max(std::fabs(reference_[i]), std::fabs(load_[i])) / scale_[i]);
    position = std::max(position, scale_[i] * std::fabs(point.q[i]));
  }
  limit = std::max(options_.tolerance * force, 4 * epsilon * position);
  return worst;
}

/// Newton's method for r = 0 and normal·(point − from) = distance.
bool ArcLength::correct(Point& point, const std::vector<double>& normal, double normal_factor, double distance,
                        const Point& from) {
  const Topology& t = system_.topology();
  std::vector<double> delta(t.ny), moved(t.ny);
  double last_step = std::numeric_limits<double>::infinity();
  bool scaled = false;
  std::vector<double> before;
  if (&point != &from) before = from.q;
  for (iterations_ = 0;; ++iterations_) {
    evaluate(point);
    if (!factor(before.empty() ? nullptr : before.data())) return false;
    if (!scaled) {
      system_.solver.diagonal(system_.values, std::span<double>(scale_));
      if (t.ny > t.ncoord) system_.solver.multiplier_pivots(std::span<double>(scale_));
      for (double& x : scale_) x = use_pivoting_ && !(x > 0) ? 1.0 : std::sqrt(x);
      scaled = true;
    }
    double limit = 0;
    const double size = measure(point, limit);
    if (!std::isfinite(size)) return false;
    for (int i = 0; i < t.ny; ++i) moved[i] = point.q[i] - from.q[i];
    const double gap = product(normal, moved) + normal_factor * (point.factor - from.factor) - distance;
    const bool on_plane = std::fabs(gap) <= 1e-9 * std::max(std::fabs(distance), 1e-3);
    if (size <= limit && on_plane) break;
    if (iterations_ >= options_.max_iterations) return false;
    ++report_.iterations;
    delta.assign(r_.begin(), r_.begin() + t.ny);
    by_load_ = load_;
    solve_for(delta);
    solve_for(by_load_);
    const double slope = normal_factor + product(normal, by_load_);
    const double change = -(gap + product(normal, delta)) / slope;
    if (!std::isfinite(change)) return false;
    for (int i = 0; i < t.ny; ++i) delta[i] += change * by_load_[i];
    const double step = std::sqrt(product(delta, delta) + change * change);
    if (!std::isfinite(step)) return false;
    before = state_.q;
    for (int i = 0; i < t.ny; ++i) point.q[i] += delta[i];
    point.factor += change;
    // At the level of rounding a step does not shrink any more; far from it one that grows leads nowhere.
    if (step > 0.5 * last_step && size <= 64 * limit && on_plane) break;
    if (iterations_ > 2 && step > 4 * last_step) return false;
    last_step = step;
  }
  point.unstable = system_.unstable_directions(negative_ - (t.ny - t.ncoord - redundant_rows_));
  point.counted = !use_pivoting_;
  point.q = state_.q;  // dependents expanded
  return true;
}

/// Unit tangent of the path with the factor of the point's last correction; it goes on as the one before does.
bool ArcLength::tangent_at(Point& point, const Point* before) {
  by_load_ = load_;
  solve_for(by_load_);
  const double length = std::sqrt(product(by_load_, by_load_) + 1);
  if (!std::isfinite(length)) return false;
  double sign = options_.forward ? 1 : -1;
  if (before) {
    const double motion = product(by_load_, before->direction);
    sign = motion + before->direction_factor < 0 ? -1 : 1;
    // Round a limit point the load turns at once where little of the model moves; what moves goes on.
    const bool crosses = point.counted && before->counted && (point.unstable - before->unstable) % 2 != 0;
    if (crosses && motion * before->direction_factor < 0) sign = motion < 0 ? -1 : 1;
  }
  point.direction_factor = sign / length;
  point.direction.resize(by_load_.size());
  for (size_t i = 0; i < by_load_.size(); ++i) point.direction[i] = by_load_[i] * point.direction_factor;
  return true;
}

/// The point at `step` along the tangent of `from`.
bool ArcLength::correct_step(const Point& from, double step, Point& to) {
  to.q = from.q;
  for (size_t i = 0; i < from.direction.size(); ++i) to.q[i] += step * from.direction[i];
  to.factor = from.factor + step * from.direction_factor;
  return correct(to, from.direction, from.direction_factor, step, from);
}

/// Whether the path or the chord to the next point turns too far: then a loop may lie between, or another branch begins.
/// The chord of an arc makes half of its angle with both tangents; one between two branches does not.
bool ArcLength::turned(const Point& from, const Point& to) const {
  std::vector<double> chord(from.direction.size());
  for (size_t i = 0; i < chord.size(); ++i) chord[i] = to.q[i] - from.q[i];
  const double rise = to.factor - from.factor, length = std::sqrt(product(chord, chord) + rise * rise);
  const auto along = [&](const Point& point) {
    return product(point.direction, chord) + point.direction_factor * rise;
  };
  const double cosine = product(from.direction, to.direction) + from.direction_factor * to.direction_factor;
  // Round a limit point the load may turn at once: steps that are short already are no jumps between branches.
  const double angle = length > 1e-3 ? options_.largest_angle : std::max(options_.largest_angle, 0.6);
  const double half = std::cos(0.5 * angle + 0.05);
  return !(cosine >= std::cos(angle) && along(from) >= half * length && along(to) >= half * length);
}

/// Whether the point in the middle of the step lies on an arc between the two: near a sharp turn a point of another branch may
/// have a tangent like that of the first.
bool ArcLength::continues(const Point& from, const Point& to, double step) {
  Point middle;
  return correct_step(from, 0.5 * step, middle) && tangent_at(middle, &from) && !turned(from, middle) &&
         !turned(middle, to);
}

/// Null vector of J at the point by inverse iteration.
std::vector<double> ArcLength::critical_direction(const Point& point) {
  const Topology& t = system_.topology();
  std::vector<double> x(t.ny), out(t.nq, 0.0), before(t.nq, 0.0), zero(t.nq, 0.0);
  for (int i = 0; i < t.ny; ++i) x[i] = i < t.ncoord ? std::sin(1.0 + 7.0 * i) : 0.0;
  for (int pass = 0; pass < 4; ++pass) {
    if (pass > 0)
      for (int i = 0; i < t.ny; ++i) x[i] = i < t.ncoord ? metric_[i] * x[i] : 0.0;
    solve_for(x);
    const double size = largest(x);
    if (!(size > 0) || !std::isfinite(size)) return out;
    for (double& value : x) value /= size;
  }
  std::copy(x.begin(), x.end(), out.begin());
  // Dependent slots: the difference that T makes.
  std::vector<double> q = point.q;
  system_.assembler.expand(q.data(), before.data(), zero.data());
  system_.assembler.expand(q.data(), out.data(), zero.data());
  for (int i = t.ny; i < t.nq; ++i) out[i] -= before[i];
  double size = 0;
  for (int i = 0; i < t.nq; ++i)
    if (i < t.ncoord || i >= t.ny) size = std::abs(out[i]) > std::abs(size) ? out[i] : size;
  if (size != 0)
    for (double& value : out) value /= size;
  return out;
}

/// Halves the step from `from` until the change of stability on it is found.
void ArcLength::locate(const Point& from, const Point& to, double step) {
  double low = 0, high = step;
  Point best = to, middle;
  while (high - low > options_.location * step) {
    const double at = 0.5 * (low + high);
    if (!correct_step(from, at, middle) || !middle.counted) break;
    if (middle.unstable == from.unstable) {
      low = at;
    } else {
      high = at;
      best = middle;
    }
  }
  CriticalPoint found;
  found.unstable_before = from.unstable;
  found.unstable_after = to.unstable;
  if (correct_step(from, high, middle)) best = middle;
  const bool turns = from.direction_factor * to.direction_factor < 0;
  found.type = turns && std::abs(to.unstable - from.unstable) == 1 ? CriticalPoint::Type::limit
                                                                   : CriticalPoint::Type::bifurcation;
  found.load_factor = best.factor;
  found.q = best.q;
  found.direction = critical_direction(best);
  report_.critical.push_back(std::move(found));
}

/// The first point of the branch that leaves a bifurcation; `step`: the longest way to it.
bool ArcLength::take_branch(const CriticalPoint& from, double step, Point& to) {
  constexpr double shortest = 1e-3;
  const Topology& t = system_.topology();
  Point start{from.q, from.load_factor, {from.direction.begin(), from.direction.begin() + t.ny}, 0.0, 0, false};
  double size = std::sqrt(product(start.direction, start.direction)), widest = 0;
  if (!(size > 0)) return false;
  for (const Slot& slot : t.slots)
    if (slot.kind == SlotKind::point)
      for (int i = slot.offset; i < slot.offset + slot.size; ++i)
        if (std::fabs(from.direction[i]) > (1 + 1e-6) * std::fabs(widest)) widest = from.direction[i];
  if ((widest < 0) != (options_.branch < 0)) size = -size;
  for (double& x : start.direction) x /= size;
  for (; step >= shortest; step *= 0.5)
    if (correct_step(start, step, to) && tangent_at(to, &start)) return true;
  return false;
}

/// The load factor nearest to `from` on the way to `to` at which the path shall have a point; NaN: none.
double ArcLength::passed_level(double from, double to) const {
  double nearest = std::numeric_limits<double>::quiet_NaN();
  const auto look = [&](double level) {
    const bool passed = (from - level) * (to - level) <= 0 && from != level;
    if (passed && !(std::fabs(level - from) >= std::fabs(nearest - from))) nearest = level;
  };
  look(options_.end);
  for (const double level : options_.levels) look(level);
  return nearest;
}

ArcLengthReport ArcLength::solve(State<double>& state,
                                 const std::function<void(double, const State<double>&)>& accept) {
  const Topology& t = system_.topology();
  report_ = {};
  bifurcations_ = 0;
  unbalanced_.clear();
  std::fill(state.v.begin(), state.v.end(), 0.0);
  std::fill(state.a.begin(), state.a.end(), 0.0);
  std::fill(state.a_alg.begin(), state.a_alg.end(), 0.0);
  from_loads_ = state.loads;
  system_.drives.enter(state.t);
  system_.drives.restart_lags(state.t, state.lags);
  state_ = state;
  struct AtTheState {  // what is evaluated afterwards
    System<double>& system;
    const State<double>& state;
    ~AtTheState() { system.look_back(state); }
  } at_the_state{system_, state};
  system_.look_back(state, forever);
  const double length = extent(t, state.q);
  int slots = 0;
  for (const Slot& slot : t.slots) slots += slot.dependent < 0 && !slot.multiplier;
  for (const Slot& slot : t.slots)
    if (slot.dependent < 0 && !slot.multiplier)
      for (int i = slot.offset; i < slot.offset + slot.size; ++i)
        metric_[i] = 1.0 / slots / (slot.kind == SlotKind::vector ? 1.0 : length * length);
  apply_loads(1.0);
  system_.assembler.forces_of(Role::load, state.t, state.q.data(), state.v.data(), reference_.data());
  system_.assembler.reduce(reference_.data());

  const auto leave = [&](const Point& point) {
    go_to(point, state);
    report_.load_factor = point.factor;
    report_.unstable = point.unstable;
    system_.accept_history(state);
    if (accept) accept(point.factor, state);
    system_.look_back(state, forever);
  };
  if (options_.model_changed) {
    apply_loads(0.0);
    unbalanced_ = system_.unbalanced(state_);
  }
  Point here{state.q, 0.0, {}, 0.0, 0, false};
  const std::vector<double> none(t.ny, 0.0);
  motion_scale_ = 1;
  report_.in_balance = correct(here, none, 1.0, 0.0, here);
  if (!report_.in_balance || !tangent_at(here, nullptr)) return report_;
  motion_scale_ = std::max(0.1, std::sqrt(product(by_load_, by_load_)));
  if (!tangent_at(here, nullptr)) return report_;
  leave(here);
  path_ = &state;
  until_scale_ = 0;
  if (options_.until) {
    until_ = until_at(here);
    until_scale_ = std::isfinite(until_) ? std::fabs(until_) : 0.0;
  }
  double step = options_.first_step;
  const auto loses_angles =
      [&](const Point& next) {  // joint_angles.hpp: another revolution, or a step too long to tell
        return angles_.largest_change(here.q, next.q, JointAngles::Which::all) > 0.5 * std::numbers::pi;
      };
  int iterations = 0;  // of the last step
  const auto doubtful = [&](const Point& next) {
    iterations = iterations_;
    const double cosine = product(here.direction, next.direction) + here.direction_factor * next.direction_factor;
    return here.unstable != next.unstable || cosine < std::cos(0.4 * options_.largest_angle);
  };
  while (report_.points < options_.max_points) {
    if (report_.stopped = options_.stop && options_.stop(); report_.stopped) return report_;
    Point next;
    if (!correct_step(here, step, next) || !tangent_at(next, &here) || turned(here, next) || loses_angles(next) ||
        (doubtful(next) && !continues(here, next, step))) {
      step *= 0.5;  // no convergence, or another part of the path
      if (step < options_.smallest_step) return report_;
      continue;
    }
    const double level = passed_level(here.factor, next.factor);
    double walked = step;
    if (!std::isnan(level)) {  // onto Λ = level
      Point last = next;
      const double share = (level - here.factor) / (next.factor - here.factor);
      for (int i = 0; i < t.ny; ++i) last.q[i] = here.q[i] + share * (next.q[i] - here.q[i]);
      last.factor = level;
      if (!correct(last, none, 1.0, level - here.factor, here) || !tangent_at(last, &here)) {
        step *= 0.5;
        if (step < options_.smallest_step) return report_;
        continue;
      }
      last.factor = level;
      std::vector<double> moved(t.ny);
      for (int i = 0; i < t.ny; ++i) moved[i] = last.q[i] - here.q[i];
      walked = product(here.direction, moved) + here.direction_factor * (level - here.factor);
      next = std::move(last);
    }
    const End end = options_.until ? find_end(here, next, walked) : End::none;
    if (end == End::unsure) {
      step *= 0.5;
      if (step < options_.smallest_step) return report_;
      continue;
    }
    if (here.counted && next.counted && here.unstable != next.unstable && walked > 0) {
      locate(here, next, walked);
      const CriticalPoint& met = report_.critical.back();
      bifurcations_ += met.type == CriticalPoint::Type::bifurcation;
      if (!report_.branched && options_.branch != 0 && bifurcations_ == std::abs(options_.branch)) {
        if (report_.no_branch = !take_branch(met, step, next); report_.no_branch) return report_;
        report_.branched = true;
        here = std::move(next);
        ++report_.points;
        leave(here);
        if (options_.until) until_ = until_at(here);
        continue;
      }
    }
    here = std::move(next);
    ++report_.points;
    leave(here);
    until_ = until_next_;
    report_.at_until = end == End::found;
    if (report_.at_until || here.factor == options_.end) {
      report_.converged = true;
      return report_;
    }
    const double growth = std::sqrt(static_cast<double>(options_.good_iterations) / std::max(iterations, 1));
    step = std::min(step * std::clamp(growth, 0.5, 2.0), options_.largest_step);
  }
  report_.converged = std::isnan(options_.end);
  report_.at_max_points = !report_.converged;
  return report_;
}

}  // namespace flexura
