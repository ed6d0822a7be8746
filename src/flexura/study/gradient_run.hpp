#pragma once
// What both ways of gradient.hpp share: the numbers, the sensors and when they are read. Part of flexura_ensemble.

#include <limits>
#include <optional>

#include "flexura/integrate/index1_motion.hpp"
#include "flexura/integrate/step_tangent.hpp"
#include "flexura/run/run_watcher.hpp"
#include "flexura/scene/scene_number.hpp"
#include "flexura/study/gradient.hpp"
#include "flexura/study/scene_variation.hpp"
#include "flexura/study/sensor_row.hpp"

namespace flexura {

class GradientRun : public RunWatcher {
 public:
  /// What is wrong with the question is noted: throw_problems().
  GradientRun(const SceneDocument& document, const GradientQuestion& question);

  void readings(std::span<const double> last) override { readings_.assign(last.begin(), last.end()); }

 protected:
  /// Copies of the scene beside the number; none, and a problem noted, where it is another scene then.
  std::optional<SceneVariation> vary(const SceneNumber& number, const ReadScene& read);
  /// All that has been noted, at once.
  void throw_problems();
  Problem problem(const std::string& path, const std::string& message) const;
  /// Runs the scene; throws GradientError where it does not end well.
  void run();
  /// Whether the state is asked for now, as end of a step.
  bool is_due(double t);
  /// Whether the analysis that was under way is asked for at its end, which is here: `next` begins, or none.
  bool ends_due(const AnalysisSpec* next);
  /// Throws where the run did not come by all that is asked for.
  void check_moments() const;
  /// Reads all sensors at the state that `here_` has into a row of values, on from what the run has read; `row_` and `readings_` go on
  /// from this reading then.
  void read_row(double t);
  /// Why the model cannot be differentiated is thrown; the factor and what steps with it are of that model from then on.
  void enter_model(int model);
  /// The analysis that goes on, by the scene that stays.
  void begin_analysis(const AnalysisSpec& analysis);
  /// Of the analysis that goes on, the tangent of its steps: throws where they have none.
  void begin_motion();
  /// What flows or rubs: it has no derivative of an equilibrium, which follows from the load steps.
  static bool has_none_at_rest(const ItemBatch& items);
  void refuse_drift_control(const std::string& path, const DriftControl& control) const;
  [[noreturn]] void refuse(const std::string& path, const std::string& message) const;
  /// Throws where the parameter moves the time of a jump: beside it the difference of signals grows as 1/step.
  void refuse_moved_jumps(SceneVariation& number, const AnalysisSpec& analysis, double t);

  const SceneDocument& document_;
  const GradientQuestion& question_;
  SceneCopy here_;                    ///< the scene itself
  std::vector<SceneNumber> numbers_;  ///< to differentiate by
  Derivatives out_;
  SensorRow row_;
  std::shared_ptr<TangentFactor> factor_;
  std::unique_ptr<StepTangent> step_;
  int model_ = -1;
  std::vector<bool> met_;   ///< times that a step has ended at
  bool row_timed_ = false;  ///< the next row is one
  double last_due_ = -std::numeric_limits<double>::infinity();
  const AnalysisSpec* analysis_ = nullptr;  ///< of here_
  std::vector<double> readings_;            ///< of all sensors, as the run has them
  State<double> last_;
  std::vector<Problem> problems_;
  DifferenceDoubt doubt_;

  const Model& model() const { return here_.scene().models[model_].model; }
  const Topology& topology() const { return *model().topology; }
};

}  // namespace flexura
