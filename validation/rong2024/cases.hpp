#pragma once
// What the cases of rong2024 share.

#include "validation/reproduce_case.hpp"

namespace flexura::detail {

/// The static tip (x, y) as a function of the pressure, over the range that `pressure` has: equilibria of the same scene.
Interpolant static_tip(Case& one, const std::string& scene, const Series& pressure, std::vector<std::string> set = {});
/// The static tip at the pressures of the samples.
Series static_response(const Interpolant& tip, const Series& pressure);

/// "KEY=VALUE" with all digits.
std::string setting(const std::string& key, double value);
std::vector<double> in_millimetres(std::vector<double> x);

void chosen_parameters(Case& one);
std::vector<CaseDefinition> rong2024_identification_cases();  ///< identify-ei, identify-c
std::vector<CaseDefinition> rong2024_driven_cases();          ///< sine, chirp, complex, frequency-limit
std::vector<CaseDefinition> rong2024_outlook_cases();         ///< series, rayleigh, stiffening, bursting

}  // namespace flexura::detail
