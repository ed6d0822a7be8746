#pragma once
// What a run of a sweep came to, and what makes it of samples.

#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "flexura/base/json.hpp"
#include "flexura/run/simulation.hpp"
#include "flexura/study/sweep_plan.hpp"

namespace flexura {

/// Samples of an output with take = "series".
struct SweepSeries {
  std::vector<double> at;      ///< times [s]; load factors where the analysis takes no time
  std::vector<double> values;  ///< [sample × columns of the output]
};

struct SweepOutcome {
  long run = 0;  ///< index in SweepPlan::runs
  bool finished = false;
  std::string message;              ///< why it failed; else what is to be known of it: warnings
  std::vector<double> numbers;      ///< SweepPlan::columns(); NaN where there is none, as of a run that failed
  std::vector<SweepSeries> series;  ///< of each such output, in order
  double wall = 0;                  ///< [s]; of runs in lanes their share
  bool in_lanes = false;
};

/// As a line of JSON without its end, and back. Numbers read back as the same bits. Nothing of a line that is none.
std::string outcome_line(const SweepOutcome& outcome);
std::optional<SweepOutcome> outcome_of_line(std::string_view line);

/// Takes in the samples of one run.
class SampleCollector {
 public:
  SampleCollector(const SweepPlan& plan, const SceneModels& scene);
  void take(const SensorSample& sample);
  /// Numbers and series of all outputs.
  void conclude(SweepOutcome& outcome) const;

 private:
  /// Of one number: extremes, and integrals by the trapezoidal rule.
  struct Sums {
    double last = 0, least = 0, greatest = 0, integral = 0, of_squares = 0;
  };
  struct Collected {
    const SweepOutput* output;
    const AnalysisSpec* analysis;
    long count = 0;
    double begin = 0, at = 0;
    std::vector<Sums> sums;
    SweepSeries series;
  };
  void take(Collected& into, double at, std::span<const double> values);

  std::vector<Collected> all_;
  std::unordered_map<const SensorSpec*, std::vector<std::size_t>> of_sensor_;
};

/// The scene of a run, with those sensors alone that outputs are made of; all where each run is written whole.
SceneModels scene_of_run(const SweepPlan& plan, const SceneDocument& document);
/// What a run that has ended came to.
SweepOutcome outcome_of(const SweepPlan& plan, long run, const RunSummary& summary, const SampleCollector& collector);

/// Run by run, as `flexura run --set` does it. Where the stop flag is set the outcome is none. `folder`: of all that the run writes; empty:
/// nothing.
std::optional<SweepOutcome> run_alone(const SweepPlan& plan, long run, const std::atomic<bool>* stop,
                                      const std::string& folder = {});

}  // namespace flexura
