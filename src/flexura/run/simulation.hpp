#pragma once
// A scene's analyses, one after the other, recorded into a folder. The way from a scene file to results.

#include <atomic>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "flexura/base/json.hpp"
#include "flexura/scene/scene_model.hpp"
#include "flexura/solve/contacts.hpp"

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
};

enum class RunStatus { finished, interrupted, failed };

/// Last, least and greatest value of each number of a sensor.
struct SensorSummary {
  std::string unit;
  std::vector<double> last, least, greatest;
};

struct RunSummary {
  RunStatus status = RunStatus::finished;
  std::string message;  ///< why it failed, with the remedy
  std::vector<std::string> warnings;
  std::vector<std::string> critical;   ///< limit points and bifurcations on paths of equilibria
  std::vector<std::string> unwritten;  ///< what could not be written, and why
  int coordinates = 0, multipliers = 0, elements = 0;
  int eliminated = 0, implied = 0, redundant = 0, degrees_of_freedom = 0;  ///< at the start
  std::string freedom;                                                     ///< the same in words
  double moved = 0;   ///< largest move of a point before the first analysis, so that the joints fit [m]
  std::string start;  ///< the same in words; empty where nothing moved
  long steps = 0, iterations = 0, factorizations = 0, load_steps = 0;
  ContactWork contacts;  ///< in this process; before it was resumed nobody counted
  double t = 0;
  double kinetic = 0, strain = 0, gravity = 0, dissipated = 0, numerical = 0, work = 0;  ///< [J]
  double violation = 0;
  double wall_time = 0;         ///< of the computation [s]
  double integration_time = 0;  ///< of the dynamic analyses [s]
  double simulated = 0;         ///< time simulated by them [s]
  std::vector<std::pair<std::string, SensorSummary>> sensors;
  std::vector<std::string> files;
};

/// Runs the scene. Input errors (Newmark with multipliers) are thrown as InputError, an unusable folder as ResultsError;
/// failures of a solver are returned, with everything computed until then on disk.
RunSummary run_scene(const SceneDocument& document, const RunOptions& options);

Json summary_json(const RunSummary& summary);
std::string summary_text(const RunSummary& summary);

}  // namespace flexura
