#include "flexura/study/lane_runs.hpp"

#include <algorithm>
#include <chrono>
#include <memory>

#include "flexura/run/run.hpp"
#include "flexura/study/lane_steps.hpp"

namespace flexura {
namespace {

/// A run in its lane.
struct LaneRun {
  SceneDocument document;
  SceneModels scene;
  std::optional<SampleCollector> collector;
  RunOptions options;
  std::unique_ptr<Run> run;
  bool ready = false;
};

bool model_fits(const SceneModels& scene) {
  return scene.models.size() == 1 && scene.code.empty() && model_fits_lanes(scene.models.front().model) &&
         std::ranges::any_of(scene.timeline.analyses, [](const AnalysisSpec& a) { return a.is_dynamic(); });
}

}  // namespace

int lane_count() { return native_lanes; }

bool fits_lanes(const SweepPlan& plan) {
  if (plan.keeps_reports) return false;
  for (const StudyParameter& parameter : plan.study.parameters)
    if (parameter.path.starts_with("analysis.") || parameter.path.starts_with("output.")) return false;
  return model_fits(interpret_scene(plan.study.scene));
}

std::vector<std::optional<SweepOutcome>> run_in_lanes(const SweepPlan& plan, std::span<const long> runs,
                                                      const std::atomic<bool>* stop) {
  const auto begun = std::chrono::steady_clock::now();
  std::vector<std::optional<SweepOutcome>> outcomes(runs.size());
  std::vector<std::unique_ptr<LaneRun>> lanes(runs.size());
  LaneSteps steps(runs.size());
  const Model* model = nullptr;
  for (std::size_t k = 0; k < runs.size(); ++k) {
    auto lane = std::make_unique<LaneRun>();
    try {
      lane->document = plan.study.vary(plan.runs[static_cast<std::size_t>(runs[k])]);
      lane->scene = scene_of_run(plan, lane->document);
      const Model& own = lane->scene.models.front().model;
      if (!model_fits(lane->scene) || (model != nullptr && !same_structure(*model, own))) continue;
      model = &own;
      lane->collector.emplace(plan, lane->scene);
      lane->options.record = false;
      lane->options.stop = stop;
      lane->options.sample = [&collector = *lane->collector](const SensorSample& sample) { collector.take(sample); };
      lane->run = std::make_unique<Run>(lane->document, lane->scene, lane->options);
      lane->run->use_stepper([&steps, k](const MotionAnalysis& motion, System<double>& system, double extent) {
        return steps.stepper(k, system, motion.stepper(system, extent));
      });
    } catch (const InputError&) {
      continue;  // run_alone() says why
    }
    lanes[k] = std::move(lane);
  }
  if (model == nullptr) return outcomes;
  for (std::size_t k = 0; k < lanes.size(); ++k) {
    steps.member(k).model = lanes[k] ? &lanes[k]->scene.models.front().model : model;
    steps.member(k).left = lanes[k] == nullptr;
  }
  const auto lane_is_over = [&](std::size_t k) {
    return !lanes[k] || lanes[k]->run->is_over() || steps.member(k).left;
  };
  for (bool any = true; any;) {
    any = false;
    for (std::size_t k = 0; k < lanes.size(); ++k) {
      LaneSteps::Member& member = steps.member(k);
      member.state = nullptr;
      if (lane_is_over(k)) continue;
      any = true;
      lanes[k]->ready = lanes[k]->run->open_step();
      if (lanes[k]->ready) member.state = &lanes[k]->run->active().state;
    }
    for (std::size_t k = 0; k < lanes.size(); ++k)
      if (!lane_is_over(k)) lanes[k]->run->advance(1);
  }
  const double wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
  for (std::size_t k = 0; k < lanes.size(); ++k) {
    if (!lanes[k] || steps.member(k).left) continue;
    const RunSummary summary = lanes[k]->run->conclude();
    if (summary.status != RunStatus::finished) continue;
    outcomes[k] = outcome_of(plan, runs[k], summary, *lanes[k]->collector);
    outcomes[k]->wall = wall / static_cast<double>(runs.size());
    outcomes[k]->in_lanes = true;
  }
  return outcomes;
}

}  // namespace flexura
