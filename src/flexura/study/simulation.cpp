#include "flexura/study/simulation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "flexura/study/run.hpp"
#include "flexura/study/run_checkpoint.hpp"

namespace flexura {
namespace {

constexpr double tolerated_gain = 0.01, tolerated_loss = 0.05;  ///< of energy by the integration
constexpr double no_number = std::numeric_limits<double>::infinity();

}  // namespace

double Run::seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

Run::Run(const SceneDocument& document, const SceneModels& scene, const RunOptions& options)
    : scene_(scene),
      options_(options),
      active_(scene, options.threads),
      start_(begin(document)),
      recorder_(document, scene, options) {
  progress_.sampler_next.assign(scene.models.front().sensors.size(), 0);
  progress_.frames.assign(recorder_.frame_numbers(), 0);
  progress_.last.assign(recorder_.sensor_numbers(), 0);
  progress_.least.assign(recorder_.sensor_numbers(), no_number);
  progress_.greatest.assign(recorder_.sensor_numbers(), -no_number);
  summary_.warnings = start_.warnings;
  if (!recorder_.resumed()) return;
  restore_run(recorder_.resumed_from(), progress_, active_.state);
  restored_ = progress_.step > 0;
  const size_t segment = static_cast<size_t>(progress_.segment);
  // Written at the end of a segment, the state is that of its model.
  active_.enter_saved(scene.timeline.segments[restored_ ? segment : segment - 1].model);
}

/// A run that goes on has its state from the checkpoint.
StartReport Run::begin(const SceneDocument& document) {
  if (options_.resume) return {};
  const Segment& first = scene_.timeline.segments.front();
  active_.enter(first.model);
  return make_consistent(active_, document, scene_.timeline.analyses[first.analysis]);
}

bool Run::advance(long steps) {
  while (steps > 0 && !over_) {
    if (!motion_) {
      over_ =
          static_cast<size_t>(progress_.segment) == scene_.timeline.segments.size() || stop_asked() || !enter_segment();
      if (!motion_) --steps;
      continue;
    }
    const Clock::time_point start = Clock::now();
    const double begun = active_.state.t;
    for (; steps > 0 && motion_ && !over_; --steps) over_ = !move();
    summary_.integration_time += seconds_since(start);
    summary_.simulated += active_.state.t - begun;
  }
  if (!motion_ && static_cast<size_t>(progress_.segment) == scene_.timeline.segments.size()) over_ = true;
  return !over_;
}

const AnalysisSpec& Run::analysis() const {
  const Timeline& timeline = scene_.timeline;
  return timeline.analyses[timeline.segments[entered_].analysis];
}

Checkpoint Run::save() {
  if (stepper_) stepper_->reset();
  if (motion_) motion_->next_checkpoint = active_.state.t + checkpoint_interval(*motion_->analysis);
  return RunCheckpoint(active_.state, progress_, active_.index()).owned();
}

std::string Run::misfit(const Checkpoint& checkpoint) const {
  const auto* counts = checkpoint.integers("counts");
  const auto size = [&](const char* name) {
    const auto* numbers = checkpoint.reals(name);
    return numbers == nullptr ? -1L : static_cast<long>(numbers->size());
  };
  const long models = static_cast<long>(scene_.models.size());
  if (counts == nullptr || counts->size() != 9 || (*counts)[8] < 0 || (*counts)[8] >= models || size("numbers") != 9)
    return "the saved state is none of this version";
  const Topology& topology = *scene_.models[(*counts)[8]].model.topology;
  const bool fits = size("q") == topology.nq && size("v") == topology.nq && size("a") == topology.nq &&
                    size("last") == recorder_.sensor_numbers() && size("frames") == recorder_.frame_numbers() &&
                    size("lags") == static_cast<long>(active_.state.lags.size()) && (*counts)[0] >= 0 &&
                    (*counts)[0] <= static_cast<long>(scene_.timeline.segments.size());
  return fits ? "" : "the saved state is that of another scene: it has other coordinates, sensors or signals";
}

void Run::restore(const Checkpoint& checkpoint) {
  motion_.reset();
  stepper_.reset();
  summary_.status = RunStatus::finished;
  summary_.message.clear();
  active_.enter_saved(restore_run(checkpoint, progress_, active_.state));
  restored_ = progress_.step > 0;
  entered_ = static_cast<size_t>(std::max(0L, restored_ ? progress_.segment : progress_.segment - 1));
  over_ = static_cast<size_t>(progress_.segment) == scene_.timeline.segments.size();
}

/// An analysis without time is done whole, a motion begins.
bool Run::enter_segment() {
  const size_t index = static_cast<size_t>(progress_.segment);
  const bool restored = std::exchange(restored_, false);
  entered_ = index;
  const Segment& segment = scene_.timeline.segments[index];
  const AnalysisSpec& analysis = scene_.timeline.analyses[segment.analysis];
  const bool new_analysis = index == 0 || scene_.timeline.segments[index - 1].analysis != segment.analysis;
  stepper_.reset();
  const bool unsymmetric = needs_unsymmetric(analysis, *scene_.models[segment.model].model.topology);
  if (restored) {
    active_.enter_saved(segment.model, unsymmetric);
  } else {
    progress_.step = 0;
    active_.enter(segment.model, unsymmetric);
    active_.state.t = segment.begin;
    if (new_analysis) {
      progress_.states = 0;
      std::fill(progress_.sampler_next.begin(), progress_.sampler_next.end(), 0.0);
      progress_.step_size = analysis.step;
    }
  }
  recorder_.enter(segment.analysis, segment.model);
  switch (analysis.kind) {
    case AnalysisSpec::Kind::statics:
      return statics(analysis);
    case AnalysisSpec::Kind::modes:
      return modes(analysis);
    default:
      open_motion(segment, analysis, new_analysis, restored);
      return true;
  }
}

void Run::close_segment() {
  ++progress_.segment;
  progress_.step = 0;
  recorder_.checkpoint(active_.state, progress_, active_.index());
}

bool Run::stop_asked() {
  if (options_.stop == nullptr || !options_.stop->load(std::memory_order_relaxed)) return false;
  summary_.status = RunStatus::interrupted;
  summary_.message = fmt::format("interrupted at t = {:.6g} s", active_.state.t);
  return true;
}

void Run::show(const AnalysisSpec& analysis, double done, double end) {
  if (!options_.progress) return;
  const double wall = seconds_since(shown_from_);
  const bool same = shown_analysis_ == analysis.name;
  if (!same) shown_analysis_ = analysis.name, shown_from_ = Clock::now(), shown_done_ = done;
  Progress p{analysis.name, done, end, 0, 0};
  if (same && wall > 0) p.real_time_factor = (done - shown_done_) / wall;
  if (p.real_time_factor > 0) p.remaining = (end - done) / p.real_time_factor;
  options_.progress(p);
}

bool Run::fail(std::string message) {
  for (const auto& code : scene_.code)
    if (code->has_failed() && code->failed_at() >= active_.state.t - 1e-9 * (1 + std::fabs(active_.state.t)))
      message = fmt::format("{} gave no finite number at t = {:.6g} s\n{}", code->what(), code->failed_at(), message);
  summary_.status = RunStatus::failed;
  summary_.message = std::move(message);
  return false;
}

void Run::rebase() {
  const double before = progress_.numerical;
  progress_.baseline = 0;
  progress_.baseline = before - energies().numerical;
}

/// A wrong root of Newton's, or steps that are too large, show in the energy balance before they show anywhere else.
void Run::check_balance(const Energies& e) {
  const double gained = -e.numerical;
  const double held = e.kinetic + e.strain + e.dissipated - std::max(0.0, gained);
  const double in_play = std::max(held, std::fabs(e.work));
  const double share = std::fabs(gained) / (in_play + 1e-6 * std::fabs(e.gravity) + 1e-15);
  if (progress_.steps == 0 || share < (gained > 0 ? tolerated_gain : tolerated_loss)) return;
  summary_.warnings.push_back(fmt::format(
      "the integration {} {:.2g} J, {:.2g} % of the energy in play: do not trust the motion without a smaller step",
      gained > 0 ? "put in" : "took out", std::fabs(gained), 100 * share));
}

RunSummary Run::conclude() {
  summary_.wall_time = seconds_since(begun_);
  const SceneModel& model = active_.scene();
  const Topology& topology = active_.topology();
  summary_.coordinates = topology.ncoord;
  summary_.multipliers = topology.ny - topology.ncoord;
  const StartReport start = options_.resume ? count_freedom(active_) : start_;
  summary_.eliminated = start.freedom.eliminated;
  summary_.redundant = static_cast<int>(start.freedom.redundant.size());
  summary_.implied = static_cast<int>(topology.implied.size());
  summary_.degrees_of_freedom = start.freedom.dof;
  summary_.moved = start.moved;
  summary_.start = start.moved_text();
  if (start.has_joints()) summary_.freedom = start.count_text;
  for (const CablePart& cable : model.cables) summary_.elements += static_cast<int>(cable.elements.size());
  summary_.steps = progress_.steps;
  summary_.iterations = progress_.iterations;
  summary_.factorizations = progress_.factorizations;
  summary_.load_steps = progress_.load_steps;
  summary_.t = active_.state.t;
  const Energies e = energies();
  summary_.kinetic = e.kinetic;
  summary_.strain = e.strain;
  summary_.gravity = e.gravity;
  summary_.dissipated = e.dissipated;
  summary_.work = e.work;
  summary_.numerical = e.numerical;
  summary_.violation = progress_.violation;
  check_balance(e);
  for (size_t k = 0; k < model.sensors.size(); ++k) {
    const int a = recorder_.sensor_offset(static_cast<int>(k)), b = recorder_.sensor_offset(static_cast<int>(k) + 1);
    const auto part = [&](const std::vector<double>& x) { return std::vector<double>(x.begin() + a, x.begin() + b); };
    if (!std::isfinite(progress_.least[a])) continue;  // never sampled
    summary_.sensors.emplace_back(
        model.sensors[k].name,
        SensorSummary{model.sensors[k].unit, part(progress_.last), part(progress_.least), part(progress_.greatest)});
  }
  summary_.files = recorder_.finish(summary_);
  return summary_;
}

RunSummary run_scene(const SceneDocument& document, const RunOptions& options) {
  const SceneModels scene = interpret_scene(document);
  Run run(document, scene, options);
  while (run.advance(std::numeric_limits<long>::max())) {
  }
  return run.conclude();
}

}  // namespace flexura
