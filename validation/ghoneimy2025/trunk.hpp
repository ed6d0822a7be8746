#pragma once
// What the cases of the trunk share: its centre line, its closed forms, its pictures.

#include <array>
#include <functional>
#include <numbers>

#include "flexura/mesh/surface_mesh.hpp"
#include "flexura/output/surface_svg.hpp"
#include "validation/ghoneimy2025/cases.hpp"

namespace flexura::detail {

constexpr double trunk_length = 1.5, trunk_modulus = 0.938e6, trunk_poisson = 0.3;  ///< [m, Pa, 1]
constexpr double trunk_shear = trunk_modulus / (2 * (1 + trunk_poisson));           ///< [Pa]
inline double trunk_radius(double s) { return 0.16 - 0.08 * s; }                    ///< [m]
/// ∫ f ds over the trunk's length up to `end`.
double integral(const std::function<double(double)>& f, double end = trunk_length);

/// Means of the rings "centre_0", "centre_1", ... in a row of a static analysis, and "claw", in front of the tip, if any.
std::vector<Vec3> centre_line(const SceneRun& run, const std::string& analysis, size_t row);
/// Angle from +X to the last side of a line in the plane of X and Z, downwards, counted on from side to side [rad].
double turned(const std::vector<Vec3>& line);

/// The plates of a model at a state as quadrilaterals; each element is drawn as divisions x divisions of them.
std::vector<std::array<Vec3, 4>> plate_quads(const SceneModel& model, const std::vector<double>& q, int divisions = 2);
/// The state of a static analysis nearest to row `row` of the results that the run has left; nothing where it left none.
SurfacePanel panel_of(const SceneRun& run, const std::string& analysis, size_t row, const std::string& caption);

std::vector<CaseDefinition> ghoneimy2025_bent_trunk_cases();     ///< bend, coil, collapse
std::vector<CaseDefinition> ghoneimy2025_steered_trunk_cases();  ///< postures, reachability

}  // namespace flexura::detail
