#pragma once
// Where an incompressible law is stable in Drucker's sense: dσ : dε > 0 for every small further stretch that keeps the volume.
//
//     τᵢ = λᵢ ∂Ŵ/∂λᵢ        M_ij = ∂(τᵢ − τ₃)/∂ln λⱼ − ∂(τᵢ − τ₃)/∂ln λ₃,   i, j = 1, 2
//
// Stable where the symmetric 2 × 2 matrix M is positive definite: Kirchhoff's stress against logarithmic strain.

#include <limits>

#include "flexura/material/homogeneous.hpp"

namespace flexura {

/// The smaller eigenvalue of M [Pa].
double drucker_margin(LawChoice choice, const ElasticConstants<double>& constants, const Stretches<double>& stretches);

/// Stretches around 1 at which a test is stable; the bounds are those of the search where nothing happens before.
struct StableRange {
  double low, high;
};
inline constexpr double least_searched_stretch = 0.1, most_searched_stretch = 10;

/// Empty (low = high = 1) if the law is unstable at rest.
StableRange stable_range(TensionTest test, LawChoice choice, const ElasticConstants<double>& constants);

}  // namespace flexura
