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

/// Stretches that a search goes through, on both sides of 1.
struct StretchRange {
  double low = 0.1, high = 10;
};

/// Stretches around 1 between which a test is stable; 0 and infinity where the search ends without having found a limit.
struct StableRange {
  double low = 1, high = 1;

  bool includes(double stretch) const { return stretch >= low && stretch <= high; }
};

/// Empty (low = high = 1) if the law is unstable at rest.
StableRange stable_range(TensionTest test, LawChoice choice, const ElasticConstants<double>& constants,
                         const StretchRange& searched = {});

}  // namespace flexura
