#pragma once
// Ogden's law from measured tension by variable projection [golub1973].
//
//     P(λ) = Σ c_p φ(λ; α_p),   c_p = μ_p α_p ≥ 0,   φ(λ; α) = (λ₁^α − λ₃^α)/(α λ₁)
//
// P is linear in c, so that the exponents alone are searched: each set of them has its best c. A grid of exponents gives the
// starts, without further evaluations of P; least_squares improves the best of them, first the exponents, then everything.
// With c_p ≥ 0 every term is stable by itself.

#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "flexura/material/homogeneous.hpp"

namespace flexura {

/// φ and ∂φ/∂α at one point; α may be 0.
struct OgdenShape {
  double value, derivative;
};
OgdenShape ogden_shape(TensionTest test, double stretch, double alpha);

/// One point of a test, in any unit of stress; residuals are w (P − P̂).
struct OgdenPointOfTest {
  TensionTest test;
  double stretch, stress, weight;
};

/// A term; what has a value is fixed.
struct OgdenTermInput {
  std::optional<double> mu, alpha;
};

/// Bounds of the exponents' size; a term that ends there is no result.
inline constexpr double min_ogden_exponent = 0.1, max_ogden_exponent = 25;

struct OgdenFit {
  bool found = false;   ///< all exponents within the bounds, all coefficients positive
  std::string message;  ///< why not
  std::vector<double> mu, alpha;
  double sum_of_squares = 0;
  bool converged = false;
  /// μ₁, α₁, μ₂, …: NaN: fixed or not determined.
  std::vector<double> standard_error, correlation;
  int evaluations = 0;  ///< of φ at all points: a count of the work
};

/// `terms`: as many as the law is to have, one to three. Those without fixed values come out in the order of their exponents, the
/// positive ones first.
OgdenFit fit_ogden(std::span<const OgdenPointOfTest> points, const std::vector<OgdenTermInput>& terms);

}  // namespace flexura
