// Motion over time: from cut to cut, where something begins to act or a signal jumps, in fixed or adaptive steps.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "flexura/integrate/implicit_methods.hpp"
#include "flexura/run/end_stops.hpp"
#include "flexura/run/initial_velocities.hpp"
#include "flexura/run/run.hpp"
#include "flexura/run/run_watcher.hpp"
#include "flexura/solve/extent.hpp"

namespace flexura {
namespace {

constexpr int default_checkpoints = 100;  ///< per dynamic analysis
/// From one default checkpoint to the next: each forgets the factor, which fixed steps otherwise keep for tens of steps.
constexpr long least_steps = 20;
constexpr double never = 1e300;  ///< [s]
/// |Φ| in its own unit, a length or none, of a model of 1 m; of others times their extent, at most 1 km.
constexpr double noticeable_violation = 1e-6, largest_extent = 1e3;
constexpr double unequal_masses = 1e-10;  ///< the smallest of a model over the greatest, where digits run out
constexpr int slow_steps = 500;           ///< coordinates from which each step is worth a look at the clock
constexpr std::ptrdiff_t most_singular_positions = 8;
constexpr double loaded_dampers = 1e-8;   ///< of the kinetic energy, that an error of accelerations makes in a step
constexpr double unseen_velocity = 1e-9;  ///< of the fastest
constexpr double broken_share = 0.05;     ///< of the extent; of a vector

bool reached(double t, double to) { return t >= to - 1e-12 * (1 + std::fabs(to)); }

/// Where the stretches of a segment end, ascending.
std::vector<double> cuts_of(const Drives& drives, const Segment& segment, const std::vector<double>& jumps) {
  std::vector<double> cuts = drives.gates(segment.begin, segment.end);
  cuts.insert(cuts.end(), jumps.begin(), jumps.end());
  cuts.push_back(segment.end);
  std::sort(cuts.begin(), cuts.end());
  cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
  return cuts;
}

/// A stretch that ends with a jump is driven by the signals from before it.
void end_stretch_at(Drives& drives, double to, const std::vector<double>& jumps) {
  drives.end_at(std::binary_search(jumps.begin(), jumps.end(), to) ? to : never);
}

/// "point 'bob'": where a coordinate is.
std::string slot_at(const Topology& topology, int coordinate) {
  for (size_t s = 0; s < topology.slots.size(); ++s)
    if (const Slot& slot = topology.slots[s]; slot.offset <= coordinate && coordinate < slot.offset + slot.size)
      return fmt::format("'{}'", topology.slot_names[s]);
  return "nothing in particular";
}

/// x − x is 0 of numbers only. Four sums side by side.
bool all_finite(const std::vector<double>& x) {
  double sums[4] = {0, 0, 0, 0};
  size_t i = 0;
  for (; i + 4 <= x.size(); i += 4)
    for (size_t k = 0; k < 4; ++k) sums[k] += x[i + k] - x[i + k];
  for (; i < x.size(); ++i) sums[0] += x[i] - x[i];
  return (sums[0] + sums[1]) + (sums[2] + sums[3]) == 0;
}

}  // namespace

std::string Run::why_no_start(std::string problem) {
  State<double>& state = active_.state;
  if (std::string signal = undefined_signal(state.t); !signal.empty()) return signal;
  System<double>& system = active_.system();
  set_signals();
  system.look_back(state);
  std::vector<double> force(system.assembler.residual_size());
  system.assembler.residual(state.t, state.q.data(), state.v.data(), force.data());
  force.resize(static_cast<size_t>(active_.topology().nq));
  const auto odd = std::find_if(force.begin(), force.end(), [](double f) { return !std::isfinite(f); });
  if (odd != force.end())
    return fmt::format(
        "dynamics: the forces on {} are no finite numbers at t = {:.6g} s: places that a spring or a rod joins "
        "lie in one point, or a number is far too large",
        slot_at(active_.topology(), static_cast<int>(odd - force.begin())), state.t);
  const ConstraintMatrix<double>& matrix = active_.constraints().matrix();
  const std::vector<double>& mass = matrix.mass();
  int least = -1, most = -1;
  double largest = 0;
  for (const double f : force) largest = std::max(largest, std::fabs(f));
  for (int i = 0; i < active_.topology().ncoord; ++i) {
    if (mass[i] > 0 && (least < 0 || mass[i] < mass[least])) least = i;
    if (most < 0 || mass[i] > mass[most]) most = i;
  }
  const bool unequal = least >= 0 && mass[least] < unequal_masses * mass[most];
  double fastest = 0;
  for (const double v : state.v) fastest = std::max(fastest, std::fabs(v));
  if (!std::isfinite(fastest * fastest + largest * largest))
    return fmt::format(
        "dynamics: no accelerations can be computed at t = {:.6g} s: velocities up to {:.2g} m/s and forces up to "
        "{:.2g} N are beyond the range of numbers, as their squares are",
        state.t, fastest, largest);
  if (least < 0 || (matrix.has_massless() && !unequal)) return fmt::format("{}, at t = {:.6g} s", problem, state.t);
  return fmt::format(
      "dynamics: no accelerations can be computed at t = {:.6g} s: masses from {:.2g} kg ({}) to {:.2g} kg ({}), "
      "forces "
      "up to {:.2g} N\ntry: masses that are less unequal, or numbers that are less extreme",
      state.t, mass[least], slot_at(active_.topology(), least), mass[most], slot_at(active_.topology(), most), largest);
}

std::string Run::broken_joints() {
  if (!active_.has_constraints()) return {};
  const double violation = active_.probe().violations().position(-1);
  const double size = extent(active_.topology(), active_.state.q);
  if (violation <= std::max(noticeable_violation * std::min(size, largest_extent), 10 * examined_violation_)) return {};
  examined_violation_ = violation;
  State<double> closed = active_.state;
  set_signals();
  const ProjectionReport way = active_.constraints().project_positions(closed);
  if (way.converged && way.moved <= broken_share * size && way.turned <= broken_share) return {};
  const std::string far =
      !way.converged ? std::string("they cannot be closed any more")
      : way.moved > broken_share * size
          ? fmt::format("to close them, points would move by {:.3g} m", way.moved)
          : fmt::format("to close them, directions and angles would turn by {:.3g} rad", way.turned);
  return fmt::format(
      "dynamics: joints are not kept at t = {:.6g} s, |Phi| = {:.2g}: {}\ntry: analysis.{}.step <= {:.2g} s, "
      "or {}",
      active_.state.t, violation, far, analysis().name, 0.1 * motion_->what->step, stepper_->advice());
}

void Run::open_motion(const Segment& segment, const AnalysisSpec& analysis, bool new_analysis, bool within) {
  const double size = extent(active_.topology(), active_.state.q);
  stepper_ = make_stepper_ ? make_stepper_(*analysis.motion(), active_.system(), size)
                           : analysis.motion()->stepper(active_.system(), size);
  // Kinematic analyses follow what is prescribed.
  if (!make_stepper_ && !analysis.motion()->is_driven())
    stepper_ = with_resolved_stops(std::move(stepper_), active_.scene().model.values, active_.system());
  Drives& drives = active_.system().drives;
  motion_ = Motion{};
  Motion& m = *motion_;
  m.segment = &segment;
  m.analysis = &analysis;
  m.what = analysis.motion();
  m.energies = dynamic_cast<KnowsEnergies*>(stepper_.get());
  m.new_analysis = new_analysis;
  const std::vector<Dependent>& dependents = active_.topology().dependents;
  turn_limits_ = m.what->is_driven() ? TurnLimits() : stepper_->turn_limits();
  turns_.emplace(active_.scene());
  efforts_.emplace(active_.scene(), active_.system());
  rank_watch_.reset();
  if (m.what->singular_positions && active_.has_constraints()) rank_watch_.emplace(active_.system());
  if (const size_t numbers = turns_->size() * TurnWatch::numbers; progress_.turned.size() != numbers)
    progress_.turned.assign(numbers, 0.0);
  m.prescribed =
      !lengths_.empty() || !gas_.empty() ||
      std::any_of(dependents.begin(), dependents.end(), [](const Dependent& d) { return !d.drives.empty(); });
  m.from = segment.begin;
  const double checkpoint = checkpoint_interval(analysis) / m.what->step;
  m.checkpoint_steps = std::max(m.what->checkpoint ? 1L : least_steps, std::lround(std::min(checkpoint, 1e15)));
  m.jumps = drives.jumps(segment.begin, segment.end);
  m.cuts = cuts_of(drives, segment, m.jumps);
  if (within) find_stretch();
}

bool Run::close_motion() {
  Drives& drives = active_.system().drives;
  drives.values(active_.state.loads);
  if (motion_->segment->end == motion_->analysis->end) record(true);
  drives.end_at(never);
  stepper_->reset();
  note_contact_work();
  const std::string broken = broken_joints();
  motion_.reset();
  if (!broken.empty()) return fail(broken);
  if (!recorder_.undefined().empty()) return fail("dynamics: " + recorder_.undefined());
  close_segment();
  return true;
}

bool Run::move() {
  forget_failures();
  for (bool moved = false;;) {
    Motion& m = *motion_;
    if (m.cut == m.cuts.size()) {
      return close_motion();
    }
    if (!m.open && moved) return true;
    if (!m.open && !open_stretch()) return false;
    if (stretch_done()) {
      next_stretch();
      continue;
    }
    if (moved) return true;
    if (m.new_analysis && progress_.step == 0) record(false);
    if (!(m.what->adaptive ? adaptive_step() : fixed_step())) return false;
    moved = true;
  }
}

bool Run::open_step() {
  if (over_ || at_end()) return false;
  if (!motion_) {
    const Segment& next = scene_.timeline.segments[static_cast<size_t>(progress_.segment)];
    if (scene_.timeline.analyses[next.analysis].motion() == nullptr) return false;
    over_ = stop_asked() || !enter_segment(false);
  }
  while (!over_) {
    if (motion_->cut == motion_->cuts.size()) return false;
    if (!motion_->open && !open_stretch()) {
      over_ = true;
    } else if (stretch_done()) {
      next_stretch();
    } else {
      return true;
    }
  }
  return false;
}

bool Run::stretch_begun() const {
  const Motion& m = *motion_;
  return m.what->adaptive ? !reached(m.from, active_.state.t) : progress_.step > m.first_step;
}

bool Run::stretch_done() const {
  const Motion& m = *motion_;
  return m.what->adaptive ? reached(active_.state.t, m.to()) : progress_.step >= m.first_step + m.steps;
}

void Run::next_stretch() {
  Motion& m = *motion_;
  if (goes_on() && m.cut + 1 < m.cuts.size() && active_.state.t == m.to()) {
    set_signals();
    end_ = end_of_motion(active_);
  }
  m.stepped = false;
  m.from = m.to();
  m.first_step += m.steps;
  m.open = false;
  ++m.cut;
}

void Run::plan_stretch() {
  Motion& m = *motion_;
  const double length = m.to() - m.from;
  m.steps = std::max(1L, std::lround(std::ceil(length / m.what->step - 1e-9)));
  m.h = m.what->adaptive ? progress_.step_size : length / static_cast<double>(m.steps);
  m.next_checkpoint = active_.state.t + checkpoint_interval(*m.analysis);
  end_stretch_at(active_.system().drives, m.to(), m.jumps);
  stepper_->until(m.to());
}

bool Run::begin_from_rest() {
  const Timeline& timeline = scene_.timeline;
  bool is_rest = false, is_first = true;
  for (long s = 0; s < progress_.segment; ++s) {
    const AnalysisSpec& before = timeline.analyses[timeline.segments[s].analysis];
    is_first = is_first && before.motion() == nullptr;
    if (!before.finds_modes()) is_rest = before.finds_equilibria();
  }
  if (!is_rest || !is_first || active_.scene().stated_velocities.empty() || motion_->what->is_driven()) return true;
  active_.set_signals(active_.state.t);
  const std::vector<double> before = active_.state.v;
  const VelocityReport begins = set_initial_velocities(active_, true);
  for (const std::string& warning : begins.warnings)
    if (std::ranges::find(summary_.warnings, warning) == summary_.warnings.end()) summary_.warnings.push_back(warning);
  if (start_) start_->velocities.insert(start_->velocities.end(), begins.notes.begin(), begins.notes.end());
  take_notes();
  if (watcher() == nullptr || active_.state.v == before) return true;
  State<double> projected = active_.state;
  projected.v = before;
  if (active_.has_constraints()) active_.constraints().project_velocities(projected);
  double apart = 0, fastest = 0;
  for (size_t i = 0; i < projected.v.size(); ++i) {
    apart = std::max(apart, std::fabs(projected.v[i] - active_.state.v[i]));
    fastest = std::max(fastest, std::fabs(active_.state.v[i]));
  }
  if (apart <= unseen_velocity * fastest) return true;
  return fail(fmt::format(
      "analysis '{}': no derivative of velocities with which a motion begins in an equilibrium ({:.3g} of {:.3g} m/s)",
      analysis().name, apart, fastest));
}

bool Run::open_stretch() {
  State<double>& state = active_.state;
  plan_stretch();
  if (motion_->cut == 0 && progress_.step == 0 && !begin_from_rest()) return false;
  active_.set_signals(state.t);
  if (const std::string overlap = overlap_text(active_); !overlap.empty())
    return fail(fmt::format("at t = {:.6g} s {}", state.t, overlap));
  if (const std::string problem = start_stretch(); !problem.empty()) return fail(why_no_start(problem));
  turns_->begin(state);
  rebase();
  if (RunWatcher* seen_by = watcher()) {
    seen_by->until(motion_->to());
    seen_by->open(state, std::ranges::binary_search(motion_->jumps, motion_->to()) ? motion_->to() : never);
  }
  return motion_->open = true;
}

bool Run::goes_on() {
  if (options_.watcher != nullptr || !stepper_->remembers_accelerations()) return false;
  const Assembler<double>& assembler = active_.system().assembler;
  return !assembler.velocity_batches().empty() || assembler.has_damping();
}

std::string Run::start_stretch() {
  State<double>& state = active_.state;
  const std::optional<MotionEnd> end = std::exchange(end_, std::nullopt);
  state.multistep.clear();
  if (!end || !goes_on()) return start_anew();
  const State<double> before = state;
  if (!go_on_behind_cut(active_, *end, scene_.models[end->model], motion_->h)) return start_anew();
  const State<double> kept = state;
  state = before;
  if (const std::string problem = start_anew(); problem.empty() && !loads_dampers(kept)) return {};
  state = kept;
  return stepper_->go_on(state);
}

std::string Run::start_anew() {
  if (active_.has_constraints())
    active_.constraints().project_velocities(active_.state);  // signals may ask for a sudden change
  return stepper_->start(active_.state);
}

bool Run::loads_dampers(const State<double>& kept) {
  const State<double>& anew = active_.state;
  const double h = motion_->h;
  Assembler<double>& assembler = active_.system().assembler;
  const auto energy = [&](auto&& velocity) {
    std::vector<double> v(kept.v.size());
    for (size_t i = 0; i < v.size(); ++i) v[i] = velocity(i);
    return assembler.kinetic_energy(v.data());
  };
  const auto ncoord = static_cast<size_t>(active_.topology().ncoord);
  const double off = energy([&](size_t i) { return i < ncoord ? h * (anew.a[i] - kept.a[i]) : 0.0; }) +
                     energy([&](size_t i) { return i < ncoord ? anew.v[i] - kept.v[i] : 0.0; });
  const double size = energy([&](size_t i) { return i < ncoord ? kept.v[i] : 0.0; }) +
                      energy([&](size_t i) { return i < ncoord ? h * kept.a[i] : 0.0; });
  return off > loaded_dampers * size;
}

void Run::note_end_of_motion() {
  end_.reset();
  const Timeline& timeline = scene_.timeline;
  long s = progress_.segment - 1;
  while (s >= 0 && timeline.analyses[timeline.segments[s].analysis].finds_modes()) --s;
  if (s < 0 || timeline.segments[s].model != active_.index()) return;
  const auto* before =
      dynamic_cast<const DynamicAnalysis*>(timeline.analyses[timeline.segments[s].analysis].what.get());
  if (before == nullptr || dynamic_cast<const NewmarkFamilyMethod*>(&before->method()) == nullptr) return;
  recall_signals(timeline.segments[s]);
  end_ = end_of_motion(active_);
}

void Run::find_stretch() {
  Motion& m = *motion_;
  for (; m.cut < m.cuts.size(); next_stretch()) {
    plan_stretch();
    if (!stretch_begun()) return;  // it begins like any other
    active_.set_signals(m.from);
    if (stretch_done()) continue;
    turns_->begin(active_.state);
    m.open = true;
    return;
  }
}

void Run::recall_signals() {
  const Segment& segment = scene_.timeline.segments[entered_];
  State<double>& state = active_.state;
  Drives& drives = active_.system().drives;
  drives.end_at(never);
  if (progress_.segment == 0) return active_.set_signals(state.t);
  if (analysis().over_time()) return recall_signals(segment);
  active_.set_signals(state.t);
  if (analysis().finds_equilibria())
    active_.system().assembler.set_signals(drives.blend(state.t, state.lags, state.loads, 1.0));
}

void Run::recall_signals(const Segment& segment) {
  Drives& drives = active_.system().drives;
  const std::vector<double> jumps = drives.jumps(segment.begin, segment.end);
  const std::vector<double> cuts = cuts_of(drives, segment, jumps);
  end_stretch_at(drives, segment.end, jumps);
  active_.set_signals(cuts.size() > 1 ? cuts[cuts.size() - 2] : segment.begin);
  drives.end_at(never);
}

void Run::set_signals() {
  active_.system().assembler.set_signals(active_.system().drives.at(active_.state.t, active_.state.lags));
}

void Run::settle() {
  if (over_ || unsettled_ || progress_.segment > 0 || progress_.step > 0 || !analysis().over_time()) return;
  unsettled_ = active_.state;
  over_ = !(motion_ || enter_segment(false)) || !open_stretch();
}

void Run::inputs_changed() {
  if (!unsettled_) return;
  unsettled_->lags = active_.state.lags;
  active_.state = std::move(*unsettled_);
  unsettled_.reset();
  if (motion_) motion_->open = motion_->stepped = false;
}

double Run::checkpoint_interval(const AnalysisSpec& analysis) const {
  return analysis.motion()->checkpoint.value_or((analysis.end - analysis.begin) / default_checkpoints);
}

bool Run::fixed_step() {
  const Motion& m = *motion_;
  const AnalysisSpec& analysis = *m.analysis;
  const long k = progress_.step - m.first_step + 1;
  const double t0 = active_.state.t;
  const double t1 = k == m.steps ? m.to() : m.from + static_cast<double>(k) * m.h;
  if (m.prescribed)
    if (const std::string problem = undefined_signal(t1); !problem.empty()) return fail(problem);
  const StepReport report = stepper_->step(active_.state, t1);
  motion_->stepped = report.done;
  count(report);
  if (!report.done) {
    if (const std::string problem = undefined_signal(t1); !problem.empty()) return fail(problem);
    set_signals();
    if (stop_asked()) return false;
    return fail_step(report, t0, t1 - t0, analysis);
  }
  return accept(analysis, t1 - t0, report, k % m.checkpoint_steps == 0 && k < m.steps);
}

/// Tries until a step is good enough.
bool Run::adaptive_step() {
  Motion& m = *motion_;
  const AnalysisSpec& analysis = *m.analysis;
  const AdaptiveSteps& steps = *m.what->adaptive;
  const double largest = steps.max_step.value_or(m.to() - analysis.begin);
  State<double>& state = active_.state;
  for (;;) {
    const double target = std::min(m.to(), next_sample(m.to()));
    const double room = target - state.t;
    // Steps share what is left up to the next sample or end equally.
    const double used = room / std::max(1.0, std::ceil(room / m.h - 1e-9));
    const double t1 = used >= room * (1 - 1e-12) ? target : state.t + used;
    if (m.prescribed)
      if (const std::string problem = undefined_signal(t1); !problem.empty()) return fail(problem);
    m.before = state;
    const StepReport report = stepper_->step(state, t1);
    count(report);
    if (!report.done)
      if (const std::string problem = undefined_signal(t1); !problem.empty()) return fail(problem);
    const double error = report.done ? report.error : 1e3;
    const double exponent = 1.0 / stepper_->error_order();
    const double factor = std::clamp(0.9 * std::pow(1 / std::max(error, 1e-9), exponent), 0.2, 2.0);
    const double tried = t1 - m.before.t;
    if (report.done && error <= 1) {
      // A step that would change by less than a quarter stays: its factor can be kept.
      if (factor > 1.25 || factor < 0.8) m.h = std::min(std::max(m.h, tried) * factor, largest);
      progress_.step_size = m.h;
      const bool checkpoint = state.t >= m.next_checkpoint && !stretch_done();
      if (checkpoint) m.next_checkpoint = state.t + checkpoint_interval(analysis);
      return accept(analysis, tried, report, checkpoint);
    }
    if (report.done) state = m.before;
    stepper_->reset();
    set_signals();
    if (stop_asked()) return false;
    m.h = tried * (report.done ? std::min(factor, 0.8) : 0.25);
    if (m.h >= steps.min_step) continue;
    if (!report.done) return fail_step(report, state.t, tried, analysis);
    return fail(
        fmt::format("dynamics: the error cannot be kept below {:g} with steps of {:g} s at t = {:.6g} s\n"
                    "try: a larger adaptive.tolerance, or a smaller adaptive.min_step",
                    steps.tolerance, steps.min_step, state.t));
  }
}

bool Run::accept(const AnalysisSpec& analysis, double h, const StepReport& report, bool checkpoint) {
  const double t = active_.state.t;
  if (!all_finite(active_.state.q) || !all_finite(active_.state.v)) {
    const std::string problem = undefined_signal(t);
    return fail(problem.empty() ? fmt::format("dynamics: the motion at t = {:.6g} s is no number", t) : problem);
  }
  if (const std::string emptied = emptied_chamber(active_.state); !emptied.empty()) return fail("dynamics: " + emptied);
  note_angles();
  if (motion_->what->is_driven()) rebase();  // whatever drives the motion does the work
  if (RunWatcher* seen_by = watcher()) seen_by->step(active_.state);
  recorder_.step(t, h, report);
  ++progress_.step;
  if (recorder_.due(t, progress_)) {
    record(false);
    watch_solids(true);
    watch_crossings(fmt::format("at t = {:.6g} s", t));
    if (const std::string broken = broken_joints(); !broken.empty()) return fail(broken);
  } else if (!recorder_.samplers().empty()) {
    const bool energies = (active_.probe().all_needs() & needs::energies) != 0;
    recorder_.watch(active_.state, active_.probe(), progress_, energies ? known_energies() : Energies(), true);
  }
  if (!recorder_.undefined().empty()) return fail("dynamics: " + recorder_.undefined());
  if (turn_limits_.any() && !watch_turns(analysis, h)) return false;
  watch_efforts();
  if (const std::string excess = watch_rotations(active_.state.q, t); !excess.empty())
    return fail(fmt::format("dynamics: at t = {:.6g} s {}", t, excess));
  if (rank_watch_) watch_rank(analysis, h);
  if (checkpoint) {
    stepper_->reset();
    note_checkpoint();
    if (!recorder_.problem().empty()) return fail("results cannot be written any more");
  }
  if ((progress_.steps & 63) == 0 || active_.topology().ny > slow_steps)
    show(analysis, t - analysis.begin, analysis.end - analysis.begin);
  return !stop_asked();
}

double Run::next_sample(double end) const {
  double next = end;
  for (size_t k = 0; k < recorder_.samplers().size(); ++k) {
    Sampler s = recorder_.samplers()[k];
    s.next = static_cast<long>(progress_.sampler_next[k]);
    if (s.interval > 0 && s.time() > active_.state.t + 1e-9 * s.interval) next = std::min(next, s.time());
  }
  return next;
}

void Run::count(const StepReport& report) {
  progress_.steps += report.steps;
  progress_.iterations += report.iterations;
  progress_.factorizations += report.factorizations;
}

void Run::record(bool last) {
  note_angles();
  const Energies e = known_energies();
  progress_.numerical = e.numerical;
  progress_.energy.include(e);
  recorder_.sample(active_.state, active_.probe(), active_.system().assembler, progress_, e, true, last);
}

bool Run::fail_step(const StepReport& report, double t, double h, const AnalysisSpec& analysis) {
  const std::optional<TurnWatch::Finding> turn = turns_->fastest(active_.state, h, turn_limits_);
  return fail(
      fmt::format("{} at t = {:.6g} s (step {}, h = {:.4g} s): {}{}\ntry: {}analysis.{}.step <= {:.2g} s, or {}",
                  report.problem, t + h, progress_.step + 1, h, report.detail,
                  turn ? fmt::format("; {} turns by {:.2g} rad a step", turn->part, turn->turn) : "",
                  rotations_->advice(active_.state.q), analysis.name, h * std::min(0.5, turn ? turn->share : 0.5),
                  stepper_->advice()));
}

void Run::note_angles() {
  const CountedAngles& angles = active_.angles();
  State<double>& state = active_.state;
  recorder_.note_angles(angles, state, progress_);
  for (const int k : angles.doubtful(state)) {
    const std::string begins = fmt::format("revolutions of {} may be off ", angles.counts()[k].name);
    const auto is_reported = [&](const std::string& warning) { return warning.starts_with(begins); };
    const double off = angles.counts().take_off(state.angles, k);
    if (std::ranges::any_of(summary_.warnings, is_reported)) continue;
    summary_.warnings.push_back(
        fmt::format("{}from t = {:.6g} s on: in one step it turned by {:.2g} rad more or less than its rates at both "
                    "ends tell; take smaller steps",
                    begins, state.t, off));
    take_notes();
  }
}

void Run::watch_efforts() {
  for (const EffortWatch::Finding& found : efforts_->look(active_.state)) {
    const auto is_reported = [&](const std::string& warning) { return warning.starts_with(found.joint + ": "); };
    if (std::ranges::any_of(summary_.warnings, is_reported)) continue;  // in an earlier motion
    summary_.warnings.push_back(found.text(active_.state.t));
    take_notes();
  }
}

bool Run::watch_turns(const AnalysisSpec& analysis, double h) {
  const std::optional<TurnWatch::Finding> found = turns_->step(active_.state, h, turn_limits_, progress_.turned);
  if (!found) return true;
  const double t = active_.state.t;
  std::string text = fmt::format("{} turns by {:.2g} rad a step at t = {:.6g} s", found->part, found->turn, t);
  if (found->change > 0) text += fmt::format(" and by {:.2g} rad more or less in the next", found->change);
  const std::string_view key = analysis.motion()->adaptive ? "adaptive.max_step" : "step";
  const std::string step = fmt::format("analysis.{}.{} <= {:.2g} s", analysis.name, key, h * found->share);
  if (found->refused) {
    return fail(
        fmt::format("dynamics: {} (h = {:.4g} s), which this integrator cannot follow\ntry: {}", text, h, step));
  }
  summary_.warnings.push_back(
      fmt::format("{} (h = {:.4g} s): speed or angle may be off by 1 % after ten turns; better: {}", text, h, step));
  take_notes();
  return true;
}

void Run::watch_rank(const AnalysisSpec& analysis, double h) {
  const std::string begin = fmt::format("analysis '{}': at t = ", analysis.name);
  const auto reported = std::count_if(summary_.warnings.begin(), summary_.warnings.end(),
                                      [&](const std::string& text) { return text.starts_with(begin); });
  if (reported > most_singular_positions) return;
  const std::optional<SingularPosition> found = rank_watch_->passed(active_.state, h);
  if (!found) return;
  std::string text = fmt::format("{}{:.6g} s ", begin, found->t);
  text += reported == most_singular_positions
              ? "and later there are more positions like these, which are not reported"
              : fmt::format(
                    "the constraints of {} depend on each other: a dead point, or one from which the mechanism "
                    "can go on in another way",
                    authors_of(active_.scene(), found->rows));
  if (std::ranges::find(summary_.warnings, text) != summary_.warnings.end()) return;
  summary_.warnings.push_back(std::move(text));
  take_notes();
}

}  // namespace flexura
