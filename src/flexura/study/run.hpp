#pragma once
// One run of a scene: segment after segment, from the beginning or from a checkpoint.

#include <chrono>

#include "flexura/study/active_model.hpp"
#include "flexura/study/consistent_start.hpp"
#include "flexura/study/recorder.hpp"
#include "flexura/study/stepper.hpp"

namespace flexura {

class Run {
 public:
  Run(const SceneDocument& document, const SceneModels& scene, const RunOptions& options);
  RunSummary operator()();

 private:
  using Clock = std::chrono::steady_clock;
  static double seconds_since(Clock::time_point start);

  StartReport begin(const SceneDocument& document);

  // Each returns false where the run ends: failed, or stopped by the user.
  bool run_segment(int index, bool restored);
  bool statics(const AnalysisSpec& analysis);
  using AcceptLoadStep = std::function<void(double factor, const State<double>& state)>;
  bool load_steps(const AnalysisSpec& analysis, const AcceptLoadStep& accept);
  bool arc_length(const AnalysisSpec& analysis, const AcceptLoadStep& accept);
  bool modes(const AnalysisSpec& analysis);
  bool dynamics(const Segment& segment, const AnalysisSpec& analysis, bool new_analysis, bool restored);
  bool between_cuts(const Segment& segment, const AnalysisSpec& analysis, bool new_analysis, bool restored);
  bool fixed_steps(const AnalysisSpec& analysis, double from, double to, long steps, long first_step);
  bool adaptive_steps(const AnalysisSpec& analysis, double to);
  /// Counts, records what is due, checkpoint, progress, Ctrl-C.
  bool accept(const AnalysisSpec& analysis, double h, const StepReport& report, bool checkpoint);

  /// End of a segment: where a resumed run goes on.
  void close_segment();
  void count(const StepReport& report);
  void record(bool last);
  double next_sample(double end) const;
  double checkpoint_interval(const AnalysisSpec& analysis) const;
  bool stop_asked();
  void show(const AnalysisSpec& analysis, double done, double end);
  bool fail(std::string message);
  bool fail_step(const StepReport& report, double t, double h, const AnalysisSpec& analysis);

  Energies energies() { return active_.energies(progress_.baseline); }
  /// Statics and changes of the model move energy in ways that are not work over time: the balance starts from here.
  void rebase();
  void check_balance(const Energies& energies);
  void conclude();

  const SceneModels& scene_;
  const RunOptions& options_;
  ActiveModel active_;
  StartReport start_;  ///< made before the recorder: a scene that is wrong leaves no folder
  Recorder recorder_;
  RunSummary summary_;
  RunProgress progress_;
  std::unique_ptr<Stepper> stepper_;
  std::string shown_analysis_;
  Clock::time_point shown_from_ = Clock::now();
  double shown_done_ = 0;
};

}  // namespace flexura
