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

bool Run::dynamics(const Segment& segment, const AnalysisSpec& analysis, bool new_analysis, bool restored) {
  const Clock::time_point start = Clock::now();
  const double begun = active_.state.t;
  stepper_ = make_stepper(active_.system(), analysis, extent(active_.topology(), active_.state.q));
  const bool fine = between_cuts(segment, analysis, new_analysis, restored);
  summary_.integration_time += seconds_since(start);
  summary_.simulated += active_.state.t - begun;
  if (!fine) return false;
  active_.system().drives.values(active_.state.loads);
  if (segment.end == analysis.end) record(true);
  active_.system().drives.end_at(1e300);
  stepper_->reset();
  close_segment();
  return true;
}

bool Run::between_cuts(const Segment& segment, const AnalysisSpec& analysis, bool new_analysis, bool restored) {
  Drives& drives = active_.system().drives;
  const std::vector<double> jumps = drives.jumps(segment.begin, segment.end);
  std::vector<double> cuts = drives.gates(segment.begin, segment.end);
  cuts.insert(cuts.end(), jumps.begin(), jumps.end());
  cuts.push_back(segment.end);
  std::sort(cuts.begin(), cuts.end());
  cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
  double from = segment.begin;
  long first_step = 0;  // steps of the segment before `from`
  for (double to : cuts) {
    const long steps = std::max(1L, std::lround(std::ceil((to - from) / analysis.step - 1e-9)));
    const bool done = analysis.adaptive ? reached(active_.state.t, to) : progress_.step >= first_step + steps;
    if (!restored || !done) {
      drives.end_at(std::binary_search(jumps.begin(), jumps.end(), to) ? to : 1e300);
      if (restored) {
        active_.set_signals(from);
      } else {
        if (active_.has_constraints()) {  // signals may ask for a sudden change
          active_.set_signals(active_.state.t);
          active_.constraints().project_velocities(active_.state);
        }
        if (const std::string problem = stepper_->start(active_.state); !problem.empty())
          return fail(fmt::format("{}, at t = {:.6g} s", problem, active_.state.t));
        rebase();
        if (new_analysis && from == segment.begin) record(false);
      }
      restored = false;
      if (!(analysis.adaptive ? adaptive_steps(analysis, to) : fixed_steps(analysis, from, to, steps, first_step)))
        return false;
    }
    from = to;
    first_step += steps;
  }
  return true;
}

double Run::checkpoint_interval(const AnalysisSpec& analysis) const {
  return analysis.checkpoint > 0 ? analysis.checkpoint : (analysis.end - analysis.begin) / default_checkpoints;
}

bool Run::fixed_steps(const AnalysisSpec& analysis, double from, double to, long steps, long first_step) {
  const long every = std::max(1L, std::lround(std::min(checkpoint_interval(analysis) / analysis.step, 1e15)));
  const double h = (to - from) / static_cast<double>(steps);
  for (long k = progress_.step - first_step + 1; k <= steps; ++k) {
    const double t1 = k == steps ? to : from + static_cast<double>(k) * h;
    const double t0 = active_.state.t;
    const StepReport report = stepper_->step(active_.state, t1);
    count(report);
    if (!report.done) return fail_step(report, t0, t1 - t0, analysis);
    if (!accept(analysis, t1 - t0, report, k % every == 0 && k < steps)) return false;
  }
  return true;
}

bool Run::adaptive_steps(const AnalysisSpec& analysis, double to) {
  const double interval = checkpoint_interval(analysis);
  const double largest = analysis.max_step > 0 ? analysis.max_step : to - analysis.begin;
  State<double>& state = active_.state;
  double next_checkpoint = state.t + interval;
  double h = progress_.step_size;
  State<double> before;
  while (!reached(state.t, to)) {
    const double target = std::min(to, next_sample(to));
    const double room = target - state.t;
    // Steps share what is left up to the next sample or end equally.
    const double used = room / std::max(1.0, std::ceil(room / h - 1e-9));
    const double t1 = used >= room * (1 - 1e-12) ? target : state.t + used;
    before = state;
    const StepReport report = stepper_->step(state, t1);
    count(report);
    const double error = report.done ? report.error : 1e3;
    const double exponent = 1.0 / stepper_->error_order();
    const double factor = std::clamp(0.9 * std::pow(1 / std::max(error, 1e-9), exponent), 0.2, 2.0);
    if (!report.done || error > 1) {
      const double tried = t1 - before.t;
      if (report.done) state = before;
      stepper_->reset();
      active_.system().assembler.set_signals(active_.system().drives.at(state.t, state.lags));
      h = tried * (report.done ? std::min(factor, 0.8) : 0.25);
      if (h >= analysis.min_step) continue;
      if (!report.done) return fail_step(report, state.t, tried, analysis);
      return fail(
          fmt::format("dynamics: the error cannot be kept below {:g} with steps of {:g} s at t = {:.6g} s\n"
                      "try: a larger adaptive.tolerance, or a smaller adaptive.min_step",
                      analysis.error_tolerance, analysis.min_step, state.t));
    }
    // A step that would change by less than a quarter stays: its factor can be kept.
    if (factor > 1.25 || factor < 0.8) h = std::min(std::max(h, t1 - before.t) * factor, largest);
    progress_.step_size = h;
    const bool checkpoint = state.t >= next_checkpoint;
    if (checkpoint) next_checkpoint = state.t + interval;
    if (!accept(analysis, t1 - before.t, report, checkpoint)) return false;
  }
  return true;
}

bool Run::accept(const AnalysisSpec& analysis, double h, const StepReport& report, bool checkpoint) {
  const double t = active_.state.t;
  if (analysis.kind != AnalysisSpec::Kind::dynamics) rebase();  // whatever drives the motion does the work
  recorder_.step(t, h, report);
  ++progress_.step;
  if (recorder_.due(t, progress_)) record(false);
  if (checkpoint) {
    stepper_->reset();
    recorder_.checkpoint(active_.state, progress_);
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
