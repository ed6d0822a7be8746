#pragma once
// Estimated errors of sensor values, from repeats of a run with other time steps and meshes.
//
// Each family of refinements (all time steps, all meshes) is run at 2h, h and h/2. For a value x of a sensor
//
//     d₂ = |x(2h) − x(h)|,   d₁ = |x(h) − x(h/2)|,   p = log₂ d₂/d₁,   |x(h) − x| ≈ 1.25 d₁ 2^p/(2^p − 1)
//
// is Richardson's estimate with the factor of safety 1.25 of the grid convergence index [Roache 1994]. p is at most 2: a higher one may be chance. Where
// the differences do not shrink by at least a third (p < 0.6), or without a run at 2h and p = 2 (steps), 1 (meshes), the
// factor is 3. The error of the run is the sum over both families.

#include <optional>
#include <string>
#include <vector>

#include "flexura/base/json.hpp"

namespace flexura {

struct RunOptions;
struct RunSummary;
struct SceneDocument;
struct SceneOptions;

struct EstimatedError {
  std::string sensor, of;  ///< "last", "min" or "max"
  int component = 0;
  std::string unit;
  double value = 0, error = 0;                   ///< in the unit; the error is infinite where a finer run failed
  double scale = 0;                              ///< largest magnitude that the sensor read
  std::optional<double> step_order, mesh_order;  ///< observed; empty: unknown
};

struct ErrorEstimates {
  std::vector<std::string> refined;   ///< "step of analysis 'move', 0.001 s"
  std::vector<std::string> excluded;  ///< what was not refined, and why
  std::vector<EstimatedError> values;
  int runs = 0;  ///< beside the one that is estimated

  bool empty() const { return refined.empty() && excluded.empty(); }
};

/// Repeats a finished run and compares; `reading`: with which the document was read. Nothing is written. Runs that fail or
/// are stopped leave errors infinite.
ErrorEstimates estimate_errors(const SceneDocument& document, const SceneOptions& reading, const RunSummary& run,
                               const RunOptions& options);

/// Of a sensor's value as one line: "1.234 ± 0.005 m, order 2.0 (step), 3.9 (mesh)".
std::string error_text(const EstimatedError& value);
/// A table, with what was refined and what was not.
std::string errors_text(const ErrorEstimates& errors);
/// Sensors of which an error is greater than 5 % of the largest value, a warning each.
std::vector<std::string> error_warnings(const ErrorEstimates& errors);
Json errors_json(const ErrorEstimates& errors);

}  // namespace flexura
