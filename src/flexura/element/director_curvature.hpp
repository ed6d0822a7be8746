#pragma once
// The curvature of interpolated directors: what the beam of directors and loads that work on its bending measure alike.

#include <limits>

#include "flexura/math/vec.hpp"

namespace flexura {

/// Factor ψ that makes a curvature of the products of interpolated directors, which shrink between the nodes.
///
///     κ_k = ½ (d_i′·d_j − d_j′·d_i),   p = ½ (d₁·d₁ + d₂·d₂ + d₃·d₃ − 1),   K_k = ψ(p) κ_k
///     ψ = (2 + 3/p)/5 of three nodes, (1 + 2/p)/3 of two
///
/// Turned by θ about any one axis, h = θ/2, an element of three nodes has p = 1 − h⁴/18 + … and κ l = θ (1 − h⁴/30 + …) at its Gauss points:
/// κ/p is the curvature of the interpolated triad, and the mixture cancels the term in h⁴. Of three rotations p ≥ 0.00798; off the
/// constraints, inside an iteration, it may be less. Such a state is refused: everything there is NaN, and the solver shortens its step.
template <int N, class T>
struct CurvatureFactor {
  static_assert(N == 2 || N == 3);
  static constexpr double least = 0.005;  ///< of p, and of d₃·d₃
  static constexpr double inverse_weight = N == 3 ? 3.0 / 5 : 2.0 / 3;

  T psi, inverse;  ///< ψ, 1/p

  explicit CurvatureFactor(const T& p) : psi(T(1 - inverse_weight)), inverse(T(1.0) / above_least(p)) {
    psi = fma(T(inverse_weight), inverse, psi);
  }
  T first() const { return T(-inverse_weight) * inverse * inverse; }                  ///< ψ′
  T second() const { return T(2 * inverse_weight) * inverse * (inverse * inverse); }  ///< ψ″

  static T p(const Vec<3, T> (&d)[3]) {
    return T(0.5) * (((dot(d[0], d[0]) + dot(d[1], d[1])) + dot(d[2], d[2])) - T(1.0));
  }
  /// NaN where x is too small.
  static T above_least(const T& x) { return select(x > T(least), x, T(std::numeric_limits<double>::quiet_NaN())); }
};

/// Σ_k c_k ∂κ_k on d_i of a node, with e_i = ½ (S′ d_i − S d_i′) there: ∂κ_k is e_j on d_i and −e_i on d_j.
template <class T>
[[gnu::always_inline]] inline Vec<3, T> curvature_gradient(const T (&c)[3], const Vec<3, T> (&e)[3], int i) {
  const int j = (i + 1) % 3, k = (i + 2) % 3;
  return c[k] * e[j] - c[j] * e[k];
}

}  // namespace flexura
