#pragma once
// The line that ANCF cables share.
//
//     r₀,g₀ o~~~~~~~~~o r₁,g₁        g = ∂r/∂x, x ∈ [0, l] a parameter, ξ = x/l
//
//     r(ξ): cubic Hermite;  r_x = φ·(Δ, g₀, g₁),  r_xx = φ′·(Δ, g₀, g₁)/l,  Δ = (r₁ − r₀)/l
//     φ = (6ξ − 6ξ², 1 − 4ξ + 3ξ², 3ξ² − 2ξ)                                   [rong2024 eqs 1–8, gerstmayr2008]

#include <array>

#include "flexura/math/quadrature.hpp"
#include "flexura/math/unroll.hpp"
#include "flexura/math/vec.hpp"

namespace flexura {

/// φ and φ′ at ξ for (Δ, g₀, g₁).
struct CubicShape {
  double f[3], df[3];
};
constexpr CubicShape cubic_shape(double x) {
  return {{6 * x - 6 * x * x, 1 - 4 * x + 3 * x * x, 3 * x * x - 2 * x}, {6 - 12 * x, 6 * x - 4, 6 * x - 2}};
}
/// r(ξ) = Σ S_a e_a over (r₀, g₀, r₁, g₁): coefficients without the factor l of the gradients.
constexpr std::array<double, 4> cubic_position_shape(double x) {
  return {1 - 3 * x * x + 2 * x * x * x, x - 2 * x * x + x * x * x, 3 * x * x - 2 * x * x * x, x * x * x - x * x};
}

/// Lobatto's rule of three points on [0, 1]: polynomials of degree 3 exactly.
struct Lobatto3 {
  static constexpr double x[] = {0.0, 0.5, 1.0};
  static constexpr double w[] = {1.0 / 6, 4.0 / 6, 1.0 / 6};
};
/// Points of stretch. In a thin cable each of them keeps ‖d‖ = J: five of an element's own leave nothing to bend where it has
/// four coordinates, three of which it shares two leave as much as there should be [gerstmayr2008].
template <bool reduced>
struct StretchRule : Gauss<5> {
  static constexpr int count = 5;
};
template <>
struct StretchRule<true> : Lobatto3 {
  static constexpr int count = 3;
};
inline int stretch_count(bool reduced) { return reduced ? 3 : 5; }
inline double stretch_place(bool reduced, int g) { return reduced ? Lobatto3::x[g] : Gauss<5>::x[g]; }
inline double stretch_weight(bool reduced, int g) { return reduced ? Lobatto3::w[g] : Gauss<5>::w[g]; }

/// (Δ, g₀, g₁) of an element with nodes (r₀, g₀, r₁, g₁).
template <int D, class T>
struct CubicLine {
  Vec<D, T> p[3];
  CubicLine(const T* x, const T& inv_l) {
    p[0] = inv_l * (Vec<D, T>::load(x + 2 * D) - Vec<D, T>::load(x));
    p[1] = Vec<D, T>::load(x + D);
    p[2] = Vec<D, T>::load(x + 3 * D);
  }
  [[gnu::always_inline]] Vec<D, T> d(const CubicShape& s) const { return combine(s.f); }
  [[gnu::always_inline]] Vec<D, T> s(const CubicShape& s, const T& inv_l) const { return inv_l * combine(s.df); }

 private:
  [[gnu::always_inline]] Vec<D, T> combine(const double (&c)[3]) const {
    Vec<D, T> out;
    for (int i = 0; i < D; ++i) out[i] = fma(T(c[0]), p[0][i], fma(T(c[1]), p[1][i], T(c[2]) * p[2][i]));
    return out;
  }
};

/// Forces conjugate to (Δ, g₀, g₁).
template <int D, class T>
struct CubicForces {
  Vec<D, T> p[3];
  CubicForces() {
    for (auto& pk : p)
      for (int i = 0; i < D; ++i) pk[i] = T(0.0);
  }
  [[gnu::always_inline]] void subtract(const double (&c)[3], const Vec<D, T>& a) {
    for (int k = 0; k < 3; ++k)
      for (int i = 0; i < D; ++i) p[k][i] = fma(T(-c[k]), a[i], p[k][i]);
  }
  void to_nodes(const T& inv_l, T* r) const {
    const Vec<D, T> f0 = inv_l * p[0];
    (-f0).store(r);
    p[1].store(r + D);
    f0.store(r + 2 * D);
    p[2].store(r + 3 * D);
  }
};

/// K over the nodes from the D × D blocks H_kl over (Δ, g₀, g₁), k ≥ l; lower triangle unless full, which takes all H.
template <int D, bool full, class T>
void spread_cubic(const T (&H)[3 * D][3 * D], const T& inv_l, T* K) {
  constexpr int of[4] = {0, 1, 0, 2}, n = 4 * D;
  const T factor[4] = {-inv_l, T(1.0), inv_l, T(1.0)};
  for_each_index<16>([&](auto pair) __attribute__((always_inline)) {
    constexpr int a = pair / 4, b = pair % 4;
    if constexpr (full || a >= b) {
      constexpr bool swap = !full && of[a] < of[b];
      for (int i = 0; i < D; ++i)
        for (int j = 0; j < D; ++j) {
          const T& h = swap ? H[D * of[b] + j][D * of[a] + i] : H[D * of[a] + i][D * of[b] + j];
          K[(D * a + i) * n + D * b + j] = of[a] > 0 && of[b] > 0 ? h : factor[a] * factor[b] * h;
        }
    }
  });
}

}  // namespace flexura
