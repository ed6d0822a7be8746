#include "flexura/solve/statics.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "flexura/model/contact_model.hpp"
#include "flexura/solve/extent.hpp"

namespace flexura {
namespace {

/// Of the system's size: farther than that is another equilibrium.
constexpr double plausible_motion = 0.5;
/// Of the first load step: shorter ones are tried only where nothing else is left. Without symmetry there is no energy and so
/// no way downhill.
constexpr double least_share = 0.1, least_share_without_energy = 0.01;

bool all_finite(const std::vector<double>& x) {
  return std::all_of(x.begin(), x.end(), [](double xi) { return std::isfinite(xi); });
}

}  // namespace

StaticSolver::StaticSolver(System<double>& system, const StaticOptions& options)
    : system_(system), options_(options), newton_(system, options.newton), angles_(system.topology()) {
  const Topology& t = system.topology();
  if (t.contacts != nullptr) {
    contacts_ = std::make_unique<Contacts>(system);
    newton_.set_contacts(contacts_.get());
  }
  multipliers_ = t.ny - t.ncoord;
  moves_places_ =
      std::any_of(t.dependents.begin(), t.dependents.end(), [](const Dependent& d) { return !d.drives.empty(); });
}

/// Signals and what holds the start, at a load factor.
void StaticSolver::load(const State<double>& state, double factor) {
  system_.assembler.set_signals(system_.drives.blend(state.t, state.lags, from_, factor));
  std::vector<double>& holding = newton_.holding_force() = unbalanced_;
  for (double& x : holding) x *= factor - 1;
}

/// The first step of Newton's method is from the last equilibrium (y₀, Λ₀) with what is prescribed moving linearly,
///
///     J(y₀, Λ₀) δy = r(y₀, Λ₀) + ΔΛ ∂r/∂Λ
///
/// instead of J δy = r(y₀, Λ): where places are prescribed, all of their motion would be in the cells next to them, whose volumes and
/// pressures say nothing then. Stresses are predicted from y₀ on.
void StaticSolver::follow(State<double>& state) {
  constexpr double share = 1.0 / 64;
  std::vector<double> r[3];
  for (int k = 2; k >= 0; --k) {
    load(state, factor_ + k * share * (target_ - factor_));
    r[k].resize(system_.assembler.residual_size());
    out_of_balance(state, r[k]);
  }
  following_.resize(system_.topology().ny);
  for (size_t i = 0; i < following_.size(); ++i) following_[i] = (4 * r[1][i] - 3 * r[0][i] - r[2][i]) / (2 * share);
  newton_.approach(following_, [this, &state] { load(state, target_); });
}

/// Who may touch on the way that the last load step would go on, and what they feel: the stiffness at the last equilibrium.
void StaticSolver::begin_contacts(const State<double>& state) {
  std::vector<double> after = state.q, diagonal(system_.topology().ny);
  for (size_t i = 0; i < rate_.size(); ++i) after[i] += (target_ - factor_) * rate_[i];
  contacts_->begin(state.q, state.contacts, after);
  system_.assembler.tangent(state.t, state.q.data(), state.v.data(), 0.0, 0.0, system_.values.data());
  system_.solver.diagonal(system_.values, std::span<double>(diagonal));
  contacts_->rest_on(diagonal);
}

/// Where neither stiffness nor load act along a motion (a body that hangs on a ball turns about the vertical) the matrix is singular, and
/// any place along it is an equilibrium: the nearest, as a little mass in the matrix keeps it from moving there.
StaticSolver::Outcome StaticSolver::newton_step(State<double>& state, StaticReport& report, const Attempt& attempt) {
  const Outcome plain = newton_attempt(state, report, attempt, 0);
  const bool ran_away = plain == Outcome::implausible && moved_ > plausible_motion * length_;
  if (plain == Outcome::found || contacts_ || !(report.last.weak || ran_away)) return plain;
  const double little = little_mass();
  if (!(little > 0)) return plain;
  const Outcome steadied = newton_attempt(state, report, attempt, little);
  return steadied == Outcome::found ? steadied : plain;
}

/// A millionth of how fast the loads would turn the free masses, squared [1/s²].
double StaticSolver::little_mass() {
  std::vector<double> mass(system_.topology().ny);
  system_.assembler.mass_matrix(system_.values.data());
  system_.solver.diagonal(system_.values, std::span<double>(mass));
  const std::vector<double>& force = newton_.reference_force();
  double fastest = 0;
  for (const Slot& slot : system_.topology().slots) {
    if (slot.kind == SlotKind::scalar || slot.dependent >= 0) continue;
    const double size = slot.kind == SlotKind::point ? length_ : 1;
    for (int i = slot.offset; i < slot.offset + slot.size; ++i)
      if (mass[i] > 0) fastest = std::max(fastest, std::fabs(force[i]) / (mass[i] * size));
  }
  return 1e-6 * fastest;
}

/// `attempt.follows`: the state is the last equilibrium, and the motion of what is prescribed is still to be made.
StaticSolver::Outcome StaticSolver::newton_attempt(State<double>& state, StaticReport& report, const Attempt& attempt,
                                                   double mass) {
  newton_.options().line_search = attempt.line_search;
  newton_.options().predict_stress = options_.newton.predict_stress;
  const State<double> before = state;
  StageWeights w;
  w.inertia = false;
  w.cm = mass;
  newton_.reset();
  if (contacts_) begin_contacts(state);
  if (attempt.follows && moves_places_) follow(state);
  report.last = newton_.solve(state, w);
  report.iterations += report.last.iterations;
  double moved = 0;
  for (const Slot& slot : system_.topology().slots)
    if (slot.kind == SlotKind::point)
      for (int i = 0; i < slot.size; ++i)
        moved = std::max(moved, std::fabs(state.q[slot.offset + i] - before.q[slot.offset + i]));
  const int unstable = system_.unstable_directions(static_cast<int>(newton_.negative_pivots()) - multipliers_ +
                                                   static_cast<int>(newton_.redundant_rows().size()));
  report.unstable_directions = unstable;
  report.unstable = unstable > 0;
  moved_ = moved;
  const bool plausible =
      moved <= plausible_motion * length_ && (unstable <= unstable_before_ || !options_.must_be_stable);
  if (report.last.converged && (plausible || !attempt.must_be_stable)) return Outcome::found;
  state = before;
  load(state, target_);
  return report.last.converged ? Outcome::implausible : Outcome::none;
}

/// Whether the tangent at the state has no more negative pivots than its multipliers give it.
bool StaticSolver::stands(const State<double>& state) {
  system_.assembler.tangent(state.t, state.q.data(), state.v.data(), 0.0, 0.0, system_.values.data());
  const FactorReport<double> factor = system_.solver.factor(system_.values);
  const int negative = static_cast<int>(factor.negative_pivots) + static_cast<int>(factor.redundant_rows.size());
  return factor.ok && system_.unstable_directions(negative - multipliers_) == 0;
}

/// r reduced [ny], with what holds the start.
void StaticSolver::out_of_balance(State<double>& state, std::vector<double>& r) {
  system_.assembler.expand(state.q.data(), state.v.data(), state.a.data());
  system_.assembler.residual(state.t, state.q.data(), state.v.data(), r.data());
  system_.assembler.reduce(r.data());
  const std::vector<double>& holding = newton_.holding_force();
  for (size_t i = 0; i < holding.size(); ++i) r[i] += holding[i];
}

/// Largest component over points of x, a motion in the order of q, of which what depends on others may be left out.
double StaticSolver::largest_motion(const std::vector<double>& x) const {
  double largest = 0;
  for (const Slot& slot : system_.topology().slots)
    if (slot.kind == SlotKind::point && slot.offset + slot.size <= static_cast<int>(x.size()))
      for (int i = slot.offset; i < slot.offset + slot.size; ++i) largest = std::max(largest, std::fabs(x[i]));
  return largest;
}

/// Δτ that moves the system by about a fiftieth of its size.
double StaticSolver::first_pseudo_step(const std::vector<double>& r) {
  std::vector<double> rate(system_.topology().ny), mass(system_.topology().ny);
  system_.assembler.mass_matrix(system_.values.data());
  system_.solver.diagonal(system_.values, std::span<double>(mass));
  for (size_t i = 0; i < rate.size(); ++i) rate[i] = mass[i] > 0 ? r[i] / mass[i] : 0.0;
  const double fastest = largest_motion(rate);
  return fastest > 0 ? 0.02 * length_ / fastest : 1.0;
}

/// One iteration of Newton's method for each step of implicit Euler; tangents of predicted stresses.
bool StaticSolver::pseudo_transient(State<double>& state, StaticReport& report) {
  constexpr double too_far = 0.3, far = 0.1, near = 1e-2, still = 1e-9;  // of the system's size
  const int ny = system_.topology().ny;
  std::vector<double> r(system_.assembler.residual_size()), delta(ny), before, from, change;
  out_of_balance(state, r);
  double dtau = first_pseudo_step(r);
  int steps_to_newton = 0;
  for (int step = 0; step < options_.max_pseudo_steps && !stopped(report); ++step) {
    system_.assembler.tangent(state.t, state.q.data(), state.v.data(), 1 / dtau, 0.0, system_.values.data(),
                              before.empty() ? nullptr : before.data());
    ++report.iterations;
    ++report.pseudo_steps;
    if (!system_.solver.factor(system_.values).ok) {
      dtau *= 0.25;
      if (!(dtau > 1e-15)) return false;
      continue;
    }
    delta.assign(r.begin(), r.begin() + ny);
    system_.solver.solve(std::span<double>(delta));
    from = state.q;
    for (int i = 0; i < ny; ++i) state.q[i] += delta[i];
    system_.assembler.expand(state.q.data(), state.v.data(), state.a.data());
    change.assign(from.size(), 0.0);
    for (size_t i = 0; i < from.size(); ++i) change[i] = state.q[i] - from[i];
    const double moved = largest_motion(change);
    if (!(moved <= too_far * length_)) {
      state.q = from;
      dtau *= 0.25;
      if (!(dtau > 1e-15)) return false;
      continue;
    }
    out_of_balance(state, r);
    if (!all_finite(r)) {  // an element cannot be evaluated there
      state.q = from;
      out_of_balance(state, r);
      dtau *= 0.25;
      if (!(dtau > 1e-15)) return false;
      continue;
    }
    before = from;
    if (moved < far * length_) dtau *= 2;
    if (moved > near * length_ || --steps_to_newton > 0) continue;
    if (newton_step(state, report, {}) == Outcome::found) return true;
    if (moved < still * length_) return newton_step(state, report, {.must_be_stable = false}) == Outcome::found;
    steps_to_newton = 4;
    dtau *= 2;
    out_of_balance(state, r);
  }
  report.moves_on = true;
  return false;
}

bool StaticSolver::stopped(StaticReport& report) const {
  return report.stopped = report.stopped || (options_.stop && options_.stop());
}

/// What acts, on slots themselves and through those that depend on them: of a piston's weight, or a pressure on it, nothing but
/// that is left.
void StaticSolver::find_reference(const State<double>& state) {
  std::vector<double>& reference = newton_.reference_force();
  system_.assembler.forces_of(Role::load, state.t, state.q.data(), state.v.data(), reference.data());
  own_.assign(reference.begin(), reference.end());
  system_.assembler.reduce(reference.data());
  for (int i = 0; i < system_.topology().ncoord; ++i)
    reference[i] = std::max(std::fabs(reference[i]), std::fabs(own_[i]));
}

/// `shrinking`: a shorter load step may be tried first, where the last equilibrium is stable and so goes on: after a line search
/// or, without symmetry, before it.
bool StaticSolver::equilibrium(State<double>& state, StaticReport& report, bool shrinking) {
  find_reference(state);
  report.moves_on = false;
  const Outcome plain = newton_step(state, report, {.follows = true});
  if (plain == Outcome::found) return true;
  // A line search knows nothing of who changes sides, nor does the way downhill: where shorter steps end unstable too, so does this one.
  if (contacts_)
    return !shrinking && plain == Outcome::implausible && moved_ <= plausible_motion * length_ &&
           newton_step(state, report, {.must_be_stable = false, .follows = true}) == Outcome::found;
  const bool goes_on = shrinking && stands(state);
  if (goes_on && !system_.symmetric) return false;
  if (plain == Outcome::none && newton_step(state, report, {.line_search = true, .follows = true}) == Outcome::found)
    return true;
  return !goes_on && pseudo_transient(state, report);
}

double StaticSolver::longest_step(const State<double>& state) {
  if (angles_.empty()) return options_.largest_step;
  State<double> end = state;
  load(state, 1);
  system_.assembler.expand(end.q.data(), end.v.data(), end.a.data());
  load(state, 0);
  const double turned = angles_.largest_change(state.q, end.q, JointAngles::Which::dependent);
  return std::min(options_.largest_step, options_.largest_turn / std::max(turned, 1e-300));
}

/// `step` on, or where a level or the end comes before.
double StaticSolver::next_factor(double factor, double step) const {
  constexpr double rounding = 1e-12;
  const double target = factor + step >= 1 - rounding ? 1.0 : factor + step;
  for (const double level : options_.levels)
    if (level > factor + rounding && level < target + rounding) return level;
  return target;
}

StaticReport StaticSolver::solve(State<double>& state,
                                 const std::function<void(double, const State<double>&)>& accept) {
  StaticReport report;
  const Topology& t = system_.topology();
  std::fill(state.v.begin(), state.v.end(), 0.0);
  std::fill(state.a.begin(), state.a.end(), 0.0);
  std::fill(state.a_alg.begin(), state.a_alg.end(), 0.0);
  from_ = state.loads;
  system_.drives.enter(state.t);
  system_.drives.restart_lags(state.t, state.lags);
  length_ = extent(system_.topology(), state.q);
  newton_.options().extent = length_;
  unstable_before_ = 0;
  factor_ = 0;
  double step = options_.first_step;
  const auto leave = [&] {
    system_.look_back(state);
    return report;
  };
  const double least = system_.symmetric ? least_share : least_share_without_energy;
  unbalanced_.clear();
  rate_.clear();
  if (options_.model_changed) {
    system_.look_back(state, forever);
    load(state, 0);
    unbalanced_ = system_.unbalanced(state);
    if (contacts_) {
      contacts_->begin(state.q, state.contacts, state.q);
      contacts_->restart(1);
      std::vector<double> pushing(system_.assembler.residual_size(), 0.0);
      contacts_->add_forces(pushing.data());
      system_.assembler.reduce(pushing.data());
      for (int i = 0; i < t.ncoord; ++i) unbalanced_[i] += pushing[i];
    }
  }
  // What is prescribed is where it was at the loads of the start, not yet where it is to go.
  load(state, 0);
  system_.assembler.expand(state.q.data(), state.v.data(), state.a.data());
  system_.look_back(state);
  const double longest = longest_step(state);
  step = std::min(step, longest);
  if (accept) accept(0.0, state);
  while (factor_ < 1) {
    if (stopped(report)) return leave();
    system_.look_back(state, forever);
    target_ = next_factor(factor_, step);
    const State<double> before = state;
    const int iterations = report.iterations;
    load(state, target_);
    const bool shrinking = target_ - factor_ > least * options_.first_step;
    const auto loses_angles = [&] {
      return shrinking && angles_.largest_change(before.q, state.q, JointAngles::Which::all) > std::numbers::pi;
    };
    if (!equilibrium(state, report, shrinking) || loses_angles()) {
      state = before;
      step = std::min(0.5 * step, factor_ + 0.5 * step < target_ ? step : 0.5 * (target_ - factor_));
      if (step < options_.smallest_step) return leave();
      continue;
    }
    system_.accept_history(state);
    const double walked = target_ - factor_;
    if (contacts_) {
      contacts_->write_at_rest(state.contacts);
      rate_.resize(state.q.size());
      for (size_t i = 0; i < rate_.size(); ++i) rate_[i] = (state.q[i] - before.q[i]) / walked;
    }
    if (report.unstable_directions != unstable_before_)
      report.changes.push_back({factor_, target_, unstable_before_, report.unstable_directions});
    factor_ = report.load_factor = target_;
    ++report.load_steps;
    if (accept) accept(factor_, state);
    unstable_before_ = report.unstable_directions;
    if (report.iterations - iterations <= 6) step = std::min(2 * step, longest);
    step = std::min(step, 0.95 * plausible_motion * length_ / std::max(moved_, 1e-12 * length_) * walked);
  }
  system_.drives.values(state.loads);
  report.converged = true;
  return report;
}

}  // namespace flexura
