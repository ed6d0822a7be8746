#pragma once
// What a run came to, for people and as JSON.

#include <string>
#include <utility>
#include <vector>

#include "flexura/base/json.hpp"
#include "flexura/run/estimated_errors.hpp"
#include "flexura/solve/contacts.hpp"

namespace flexura {

/// Where stability changes on a path of equilibria.
struct CriticalFact {
  std::string analysis, type;                   ///< "limit point" or "bifurcation"
  double load_factor = 0;                       ///< share of the loads
  int unstable_before = 0, unstable_after = 0;  ///< directions in which the equilibrium is unstable

  std::string text() const;
};

/// A path of equilibria and what it cost [J].
struct PathFact {
  std::string analysis;
  long load_steps = 0;
  double load_factor = 0;  ///< reached
  double work = 0;         ///< of loads and prescribed motions, ½ (f₀ + f₁)·Δq over each load step
  double weight = 0;       ///< of weight, which grows as other loads do
  double stored = 0;       ///< gain of strain energy
  /// Neither: lost where the structure snapped or something slid, and the error of the rule for the work.
  double open() const { return work + weight - stored; }
};

struct ModesFact {
  std::string analysis;
  std::vector<double> frequency;  ///< [Hz]; negative: grows instead
  std::vector<double> damping;    ///< share of critical damping, one for each; empty: of undamped modes
};

/// What analyses that take no time found, in order.
struct RestResults {
  std::vector<PathFact> paths;
  std::vector<CriticalFact> critical;
  std::vector<ModesFact> modes;
};
/// Members of the same names in a JSON object, and back; what is missing there stays empty. Throws Json::exception.
void set_rest_results(Json& json, const RestResults& results);
RestResults rest_results(const Json& json);

enum class RunStatus { finished, interrupted, failed };

/// Last, least and greatest value of each number of a sensor.
struct SensorSummary {
  std::string unit;
  std::vector<double> last, least, greatest;
  std::vector<double> smooth_least, smooth_greatest;  ///< between steps too (interpolated_extremes.hpp); may be empty
};

struct RunSummary {
  RunStatus status = RunStatus::finished;
  std::string message;  ///< why it failed, with the remedy
  std::vector<std::string> warnings;
  std::vector<std::string> unwritten;  ///< what could not be written, and why
  RestResults at_rest;
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
  ErrorEstimates errors;  ///< empty where they were not requested
  std::vector<std::string> files;
};

Json summary_json(const RunSummary& summary);
std::string summary_text(const RunSummary& summary);

}  // namespace flexura
