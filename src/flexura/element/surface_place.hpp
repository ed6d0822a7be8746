#pragma once

#include "flexura/math/vec.hpp"

namespace flexura {

/// A surface r(ξ, η) at a place. Pairs are in the order 11, 22, 12; h = (r_1, r_2, r_11, r_22, r_12).
///
///     a_αβ = r_α·r_β    n = r_1 × r_2/J    a^α·r_β = δ^α_β, a^α·n = 0    b_αβ = r_αβ·n    Γ^γ_αβ = r_αβ·a^γ
///
/// δb_αβ = n·(δr_αβ − Γ^γ_αβ δr_γ),  δJ = J a^γ·δr_γ,  and of b the second variation in δ and δ' is, symmetrised,
///     −(n·δr_γ) a^γ·(δ'r_αβ − Γ^β_αβ δ'r_β) − (δ ↔ δ') − b_αβ a^γβ (n·δr_γ)(n·δ'r_β)
template <class T>
struct SurfacePlace {
  Vec<3, T> h[5], n, dual[2];
  T J, a[3], b[3], up[3], gamma[2][3];

  SurfacePlace() = default;
  explicit SurfacePlace(const Vec<3, T> (&derivatives)[5]) {
    for (int k = 0; k < 5; ++k) h[k] = derivatives[k];
    a[0] = dot(h[0], h[0]);
    a[1] = dot(h[1], h[1]);
    a[2] = dot(h[0], h[1]);
    const Vec<3, T> normal = cross(h[0], h[1]);
    const T square = dot(normal, normal), inverse = T(1.0) / square;
    J = sqrt(square);
    n = (T(1.0) / J) * normal;
    up[0] = a[1] * inverse;
    up[1] = a[0] * inverse;
    up[2] = -a[2] * inverse;
    dual[0] = up[0] * h[0] + up[2] * h[1];
    dual[1] = up[2] * h[0] + up[1] * h[1];
    for (int k = 0; k < 3; ++k) {
      b[k] = dot(h[2 + k], n);
      for (int c = 0; c < 2; ++c) gamma[c][k] = dot(h[2 + k], dual[c]);
    }
  }
  /// k_αβ − Γ^γ_αβ k_γ of the derivatives k of a function.
  template <class K>
  T covariant(const K (&k)[5], int pair) const {
    return T(k[2 + pair]) - gamma[0][pair] * T(k[0]) - gamma[1][pair] * T(k[1]);
  }
};

}  // namespace flexura
