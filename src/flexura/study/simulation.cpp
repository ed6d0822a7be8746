#include "flexura/study/simulation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "flexura/study/run.hpp"

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
      recorder_(document, scene, options) {}

/// A run that goes on has its state from the checkpoint.
StartReport Run::begin(const SceneDocument& document) {
  if (options_.resume) return {};
  const Segment& first = scene_.timeline.segments.front();
  active_.enter(first.model);
  return make_consistent(active_, document, scene_.timeline.analyses[first.analysis]);
}

RunSummary Run::operator()() {
  const Clock::time_point start = Clock::now();
  const size_t sensors = scene_.models.front().sensors.size();
  progress_.sampler_next.assign(sensors, 0);
  progress_.frames.assign(recorder_.frame_numbers(), 0);
  progress_.last.assign(recorder_.sensor_numbers(), 0);
  progress_.least.assign(recorder_.sensor_numbers(), no_number);
  progress_.greatest.assign(recorder_.sensor_numbers(), -no_number);
  bool restored = recorder_.resumed();
  if (restored) recorder_.restore(progress_, active_.state);
  summary_.warnings = start_.warnings;
  const size_t first = static_cast<size_t>(progress_.segment);
  const size_t segments = scene_.timeline.segments.size();
  if (restored && progress_.step == 0) {  // written at the end of a segment: the state is that of its model
    active_.enter_saved(scene_.timeline.segments[first - 1].model);
    restored = false;
  }
  for (size_t k = first; k < segments; ++k) {
    if (stop_asked()) break;
    const bool go_on = run_segment(static_cast<int>(k), restored);
    restored = false;
    if (!go_on) break;
  }
  if (!active_.entered()) {  // stopped before it began
    const int model = scene_.timeline.segments[first].model;
    restored ? active_.enter_saved(model) : active_.enter(model);
  }
  summary_.wall_time = seconds_since(start);
  conclude();
  return summary_;
}

bool Run::run_segment(int index, bool restored) {
  const Segment& segment = scene_.timeline.segments[index];
  const AnalysisSpec& analysis = scene_.timeline.analyses[segment.analysis];
  const bool new_analysis = index == 0 || scene_.timeline.segments[index - 1].analysis != segment.analysis;
  stepper_.reset();
  const bool unsymmetric = needs_unsymmetric(analysis, *scene_.models[segment.model].model.topology);
  if (restored) {
    active_.enter_saved(segment.model, unsymmetric);
  } else {
    progress_.segment = index;
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
      return dynamics(segment, analysis, new_analysis, restored);
  }
}

void Run::close_segment() {
  ++progress_.segment;
  progress_.step = 0;
  recorder_.checkpoint(active_.state, progress_);
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

void Run::conclude() {
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
}

RunSummary run_scene(const SceneDocument& document, const RunOptions& options) {
  const SceneModels scene = interpret_scene(document);
  return Run(document, scene, options)();
}

}  // namespace flexura
