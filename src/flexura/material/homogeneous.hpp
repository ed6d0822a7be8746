#pragma once
// Tests of a piece of rubber that is stretched alike everywhere, F = diag(λ₁, λ₂, λ₃).
//
//     uniaxial      λ₁ = λ, the sides free of stress
//     equibiaxial   λ₁ = λ₂ = λ, the faces free of stress
//     planar        λ₁ = λ, λ₂ = 1 held, the faces free of stress (pure shear)
//
// Nominal stress P: force along 1 per area before the test. Incompressible, λ₁λ₂λ₃ = 1, of W alone: with the hydrostatic pressure
// eliminated by the free direction 3 and S of W, P = λ₁ S₁ − λ₃² S₃/λ₁ (with W isochoric or coupled, the same).

#include <string_view>

#include "flexura/material/hyperelastic.hpp"

namespace flexura {

enum class TensionTest { uniaxial, equibiaxial, planar };
inline constexpr std::string_view tension_test_names[] = {"uniaxial", "equibiaxial", "planar"};

/// λ₁, λ₂, λ₃ of an incompressible body.
template <class T>
struct Stretches {
  T of[3];
};
Stretches<double> incompressible_stretches(TensionTest test, double stretch);

/// P(λ) of W, and dP/dλ where asked for.
double incompressible_tension(TensionTest test, LawChoice choice, const ElasticConstants<double>& constants,
                              double stretch, double* slope = nullptr);

/// P(λ) of W + U, and the stretches at which the free directions have no stress; not converged: NaN.
struct CompressibleTension {
  double stress;
  Stretches<double> stretches;
};
CompressibleTension compressible_tension(TensionTest test, LawChoice choice, const ElasticConstants<double>& constants,
                                         double stretch);

}  // namespace flexura
