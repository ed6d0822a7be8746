#pragma once
// A scene's analyses, one after the other, recorded into a folder. The way from a scene file to results.

#include <atomic>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "flexura/run/summary.hpp"
#include "flexura/scene/scene_model.hpp"

namespace flexura {

/// The folder of the results cannot be used.
struct ResultsError : InputError {
  using InputError::InputError;
};

struct Progress {
  std::string analysis;
  double done = 0, end = 1;     ///< simulated time [s], or the load factor
  double real_time_factor = 0;  ///< simulated over wall time
  double remaining = 0;         ///< wall time left [s], estimated
};

/// One sample of a sensor.
struct SensorSample {
  const AnalysisSpec& analysis;
  const SensorSpec& sensor;
  double at;  ///< time [s]; load factor in statics
  std::span<const double> values;
};

class RunWatcher;

struct RunOptions {
  std::string folder;  ///< of the results
  bool resume = false;
  bool csv = true, vtk = false, plots = false;
  bool report = true;  ///< report.html
  bool record = true;  ///< false: nothing is written (timing, studies)
  int threads = 1;
  std::function<void(const Progress&)> progress;
  std::function<void(const SensorSample&)> sample;  ///< called with every sample of every sensor, recorded or not
  /// Set by Ctrl-C, or by a function of the program that has given up: a step that fails then is not tried again.
  const std::atomic<bool>* stop = nullptr;
  bool interpolate_extremes = false;  ///< SensorSummary::smooth_least, smooth_greatest
  RunWatcher* watcher = nullptr;      ///< sees every state on the way (run_watcher.hpp)
  /// Estimates errors of what the sensors of a finished run have read (estimated_errors.hpp), before results are written.
  std::function<ErrorEstimates(const RunSummary&)> verify;
};

/// Runs the scene. Input errors (Newmark with multipliers) are thrown as InputError, an unusable folder as ResultsError;
/// failures of a solver are returned, with everything computed until then on disk.
RunSummary run_scene(const SceneDocument& document, const RunOptions& options);
/// The same of a scene that has been interpreted: `scene` must be interpret_scene(document).
RunSummary run_scene(const SceneDocument& document, const SceneModels& scene, const RunOptions& options);

}  // namespace flexura
