#pragma once
// Estimated errors of sensor values, from repeats of a run with other time steps and meshes.
//
// Each family of refinements (all time steps, all meshes) is run at r h, h and h/2; r is 2, less where an odd number of elements
// is halved. For a value x of a sensor
//
//     d₂ = |x(r h) − x(h)|,   d₁ = |x(h) − x(h/2)|,   d₂/d₁ = (r^p − 1)/(1 − 2^−p),   |x(h) − x| ≈ 1.25 d₁ 2^p/(2^p − 1)
//
// is Richardson's estimate with the factor of safety 1.25 of the grid convergence index [Roache 1994]. p counts for at most 2: a
// higher one may be chance. For the same reason the estimate is at least 1.25 d₂/(r^P − 1), P the formal order of the method,
// and 1.25 d₂ where p is beyond P + 2. There a coarse run that differs by a fifth of one sensor's largest value is another
// motion, and counts as none for all sensors. Where the differences do not shrink by at least a third (p < 0.6), or without
// a run at r h and p = 2 (steps), 1 (meshes), the factor is 3. Directions of one element have no coarser mesh and are a
// family of their own. The error of the run is the sum over the families.
//
// Extremes are compared between the steps (interpolated_extremes.hpp), and their distance from the reported sample counts too.
//
// Violations of constraints are rounding, or what a tolerance leaves, and counts of contacts jump: finer runs approach no
// limit, and these sensors have no estimate.

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
  double scale = 0;                              ///< largest magnitude that the sensor read; of energies, of any energy
  double unit_scale = 0;                         ///< the same of all sensors in the unit, 0 of pure numbers
  std::optional<double> step_order, mesh_order;  ///< observed; empty: unknown
  /// False where a refinement changes the value by more than 1 % of the scale and by no less than the coarser one did;
  /// of a run with such a value also where the error is above 20 % of the scale.
  bool converged = true;
  bool estimated = true;  ///< false: the sensor has no discretisation error, and `error` is 0
};

struct ErrorEstimates {
  std::vector<std::string> refined;   ///< "step of analysis 'move', 0.001 s"
  std::vector<std::string> excluded;  ///< what was not refined, and why
  /// Critical points and ends of static analyses that refined runs do not confirm.
  std::vector<std::string> path_changes;
  std::vector<EstimatedError> values;
  int runs = 0;  ///< beside the one that is estimated

  bool empty() const { return refined.empty() && excluded.empty(); }
};

/// Repeats a finished run and compares; `reading`: with which the document was read. Nothing is written. Runs that fail or
/// are stopped leave errors infinite.
ErrorEstimates estimate_errors(const SceneDocument& document, const SceneOptions& reading, const RunSummary& run,
                               const RunOptions& options);

/// Of a sensor's value as one line: "1.234 ± 0.005 m, order 2.0 (step), 3.9 (mesh)"; "2e-12 ± – m" without an estimate.
std::string error_text(const EstimatedError& value);
/// A table, with what was refined and what was not.
std::string errors_text(const ErrorEstimates& errors);
/// A warning for each sensor that is not converged or has an error above 5 % of its largest value, and for each change of a path.
std::vector<std::string> error_warnings(const ErrorEstimates& errors);
Json errors_json(const ErrorEstimates& errors);

}  // namespace flexura
