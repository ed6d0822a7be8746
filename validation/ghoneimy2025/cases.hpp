#pragma once
// What the cases of ghoneimy2025 share.

#include "validation/reproduce_case.hpp"

namespace flexura::detail {

PlotCurve curve(const std::string& label, const Series& s, int component);

/// Largest change of kinetic + strain + gravity (sensors of these names) from its first value at or after `begin` [s],
/// over the largest kinetic energy.
double energy_error(const SceneRun& run, double begin);
/// Kinetic, strain and gravity energy over time.
void energy_plot(Case& one, const SceneRun& run);

std::vector<CaseDefinition> ghoneimy2025_trunk_cases();  ///< the trunk alone
std::vector<CaseDefinition> ghoneimy2025_head_cases();   ///< head and trunk
std::vector<CaseDefinition> ghoneimy2025_drift_cases();  ///< control of the constraints' drift

}  // namespace flexura::detail
