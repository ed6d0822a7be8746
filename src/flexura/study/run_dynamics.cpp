// Motion over time: from cut to cut, where something begins to act or a signal jumps, in fixed or adaptive steps.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "flexura/solve/extent.hpp"
#include "flexura/study/run.hpp"

namespace flexura {
namespace {

constexpr int default_checkpoints = 100;  ///< per dynamic analysis

bool reached(double t, double to) { return t >= to - 1e-12 * (1 + std::fabs(to)); }

}  // namespace

void Run::open_motion(const Segment& segment, const AnalysisSpec& analysis, bool new_analysis, bool restored) {
  stepper_ = make_stepper(active_.system(), analysis, extent(active_.topology(), active_.state.q));
  const Drives& drives = active_.system().drives;
  motion_ = Motion{};
  Motion& m = *motion_;
  m.segment = &segment;
  m.analysis = &analysis;
  m.new_analysis = new_analysis;
  m.restored = restored;
  m.from = segment.begin;
  const double checkpoint = checkpoint_interval(analysis) / analysis.step;
  m.checkpoint_steps = std::max(1L, std::lround(std::min(checkpoint, 1e15)));
  m.jumps = drives.jumps(segment.begin, segment.end);
  m.cuts = drives.gates(segment.begin, segment.end);
  m.cuts.insert(m.cuts.end(), m.jumps.begin(), m.jumps.end());
  m.cuts.push_back(segment.end);
  std::sort(m.cuts.begin(), m.cuts.end());
  m.cuts.erase(std::unique(m.cuts.begin(), m.cuts.end()), m.cuts.end());
}

void Run::close_motion() {
  Drives& drives = active_.system().drives;
  drives.values(active_.state.loads);
  if (motion_->segment->end == motion_->analysis->end) record(true);
  drives.end_at(1e300);
  stepper_->reset();
  motion_.reset();
  close_segment();
}

bool Run::move() {
  for (bool moved = false;;) {
    Motion& m = *motion_;
    if (m.cut == m.cuts.size()) {
      close_motion();
      return true;
    }
    if (!m.open && moved) return true;
    if (!m.open && !open_stretch()) return false;
    if (!m.open) continue;  // nothing left of it
    if (stretch_done()) {
      next_stretch();
      continue;
    }
    if (moved) return true;
    if (!(m.analysis->adaptive ? adaptive_step() : fixed_step())) return false;
    moved = true;
  }
}

bool Run::stretch_done() const {
  const Motion& m = *motion_;
  return m.analysis->adaptive ? reached(active_.state.t, m.to()) : progress_.step >= m.first_step + m.steps;
}

void Run::next_stretch() {
  Motion& m = *motion_;
  m.from = m.to();
  m.first_step += m.steps;
  m.open = false;
  ++m.cut;
}

bool Run::open_stretch() {
  Motion& m = *motion_;
  const AnalysisSpec& analysis = *m.analysis;
  Drives& drives = active_.system().drives;
  State<double>& state = active_.state;
  m.steps = std::max(1L, std::lround(std::ceil((m.to() - m.from) / analysis.step - 1e-9)));
  if (m.restored && stretch_done()) {
    next_stretch();
    return true;
  }
  drives.end_at(std::binary_search(m.jumps.begin(), m.jumps.end(), m.to()) ? m.to() : 1e300);
  if (m.restored) {
    active_.set_signals(m.from);
  } else {
    if (active_.has_constraints()) {  // signals may ask for a sudden change
      active_.set_signals(state.t);
      active_.constraints().project_velocities(state);
    }
    if (const std::string problem = stepper_->start(state); !problem.empty())
      return fail(fmt::format("{}, at t = {:.6g} s", problem, state.t));
    rebase();
    if (m.new_analysis && m.from == m.segment->begin) record(false);
  }
  m.restored = false;
  m.open = true;
  m.h = analysis.adaptive ? progress_.step_size : (m.to() - m.from) / static_cast<double>(m.steps);
  m.next_checkpoint = state.t + checkpoint_interval(analysis);
  return true;
}

void Run::settle() {
  if (over_ || progress_.segment > 0 || progress_.step > 0 || !analysis().over_time()) return;
  if (!motion_) over_ = !enter_segment();
  if (motion_ && !motion_->open) over_ = !open_stretch();
}

void Run::inputs_changed() {
  if (motion_ && motion_->open && progress_.step == motion_->first_step) motion_->open = false;
}

double Run::checkpoint_interval(const AnalysisSpec& analysis) const {
  return analysis.checkpoint > 0 ? analysis.checkpoint : (analysis.end - analysis.begin) / default_checkpoints;
}

bool Run::fixed_step() {
  const Motion& m = *motion_;
  const AnalysisSpec& analysis = *m.analysis;
  const long k = progress_.step - m.first_step + 1;
  const double t0 = active_.state.t;
  const double t1 = k == m.steps ? m.to() : m.from + static_cast<double>(k) * m.h;
  const StepReport report = stepper_->step(active_.state, t1);
  count(report);
  if (!report.done) return fail_step(report, t0, t1 - t0, analysis);
  return accept(analysis, t1 - t0, report, k % m.checkpoint_steps == 0 && k < m.steps);
}

/// Tries until a step is good enough.
bool Run::adaptive_step() {
  Motion& m = *motion_;
  const AnalysisSpec& analysis = *m.analysis;
  const double largest = analysis.max_step > 0 ? analysis.max_step : m.to() - analysis.begin;
  State<double>& state = active_.state;
  for (;;) {
    const double target = std::min(m.to(), next_sample(m.to()));
    const double room = target - state.t;
    // Steps share what is left up to the next sample or end equally.
    const double used = room / std::max(1.0, std::ceil(room / m.h - 1e-9));
    const double t1 = used >= room * (1 - 1e-12) ? target : state.t + used;
    m.before = state;
    const StepReport report = stepper_->step(state, t1);
    count(report);
    const double error = report.done ? report.error : 1e3;
    const double exponent = 1.0 / stepper_->error_order();
    const double factor = std::clamp(0.9 * std::pow(1 / std::max(error, 1e-9), exponent), 0.2, 2.0);
    const double tried = t1 - m.before.t;
    if (report.done && error <= 1) {
      // A step that would change by less than a quarter stays: its factor can be kept.
      if (factor > 1.25 || factor < 0.8) m.h = std::min(std::max(m.h, tried) * factor, largest);
      progress_.step_size = m.h;
      const bool checkpoint = state.t >= m.next_checkpoint;
      if (checkpoint) m.next_checkpoint = state.t + checkpoint_interval(analysis);
      return accept(analysis, tried, report, checkpoint);
    }
    if (report.done) state = m.before;
    stepper_->reset();
    active_.system().assembler.set_signals(active_.system().drives.at(state.t, state.lags));
    m.h = tried * (report.done ? std::min(factor, 0.8) : 0.25);
    if (m.h >= analysis.min_step) continue;
    if (!report.done) return fail_step(report, state.t, tried, analysis);
    return fail(
        fmt::format("dynamics: the error cannot be kept below {:g} with steps of {:g} s at t = {:.6g} s\n"
                    "try: a larger adaptive.tolerance, or a smaller adaptive.min_step",
                    analysis.error_tolerance, analysis.min_step, state.t));
  }
}

bool Run::accept(const AnalysisSpec& analysis, double h, const StepReport& report, bool checkpoint) {
  const double t = active_.state.t;
  if (analysis.kind != AnalysisSpec::Kind::dynamics) rebase();  // whatever drives the motion does the work
  recorder_.step(t, h, report);
  ++progress_.step;
  if (recorder_.due(t, progress_)) record(false);
  if (checkpoint) {
    stepper_->reset();
    recorder_.checkpoint(active_.state, progress_, active_.index());
    if (!recorder_.problem().empty()) return fail("results cannot be written any more");
  }
  if ((progress_.steps & 63) == 0) show(analysis, t - analysis.begin, analysis.end - analysis.begin);
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
  const Energies e = energies();
  progress_.numerical = e.numerical;
  recorder_.sample(active_.state, active_.probe(), progress_, e, true, last);
}

bool Run::fail_step(const StepReport& report, double t, double h, const AnalysisSpec& analysis) {
  return fail(fmt::format("{} at t = {:.6g} s (step {}, h = {:.4g} s): {}\ntry: analysis.{}.step <= {:.2g} s, or {}",
                          report.problem, t + h, progress_.step + 1, h, report.detail, analysis.name, 0.5 * h,
                          stepper_->advice()));
}

}  // namespace flexura
