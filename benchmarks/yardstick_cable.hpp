#pragma once
/// The cable element of the yardstick: force and tangent of one element, or of four side by side.
///
///     0 o────────o 1     U = EA/2 ∫ ε² dx + EI/2 ∫ κ² dx,   ε = (p·p − 1)/2,   κ = (p × s)/(p·p),   p = r_x, s = r_xx
///
/// Everything depends on u = (r₁ − r₀, r_x0, r_x1) only: p = Σ d_a u_a, s = Σ e_a u_a, a = 0…2.
/// With w = 1/(p·p), x_a = w (d_a (s₂, −s₁) + e_a (−p₂, p₁)), z_a = −2κw d_a p the gradient of κ is k = x + z and
///
///     ∂²(κ²/2)/∂u_a∂u_b = y_a y_bᵀ − z_a z_bᵀ − 2κ²w d_a d_b I + κw (d_a e_b − e_a d_b) [0 1; −1 0],   y = k + z
///
/// Gauss points: 5 for the axial and 3 for the bending part. SI units.

#include <immintrin.h>

#include <array>
#include <cmath>

namespace flexura::bench {

using Lanes4 = double __attribute__((vector_size(32)));

inline double mul_add(double a, double b, double c) { return __builtin_fma(a, b, c); }
inline Lanes4 mul_add(Lanes4 a, Lanes4 b, Lanes4 c) { return _mm256_fmadd_pd(a, b, c); }
inline Lanes4 mul_add(double a, Lanes4 b, Lanes4 c) { return _mm256_fmadd_pd(Lanes4{a, a, a, a}, b, c); }

/// T = double: one element. T = Lanes4: four elements of the same length.
template <class T>
class YardstickCable {
 public:
  static constexpr int axial_points = 5, bending_points = 3;
  using Pair = std::array<T, 2>;

  /// What the force leaves for the tangent.
  struct Kept {
    std::array<Pair, axial_points> p;
    std::array<T, axial_points> n;
    std::array<std::array<Pair, 3>, bending_points> y, z;
    std::array<T, bending_points> isotropic, skew;
  };

  YardstickCable() = default;
  YardstickCable(double l, double EA, double EI) {
    const double r5a = std::sqrt(5 - 2 * std::sqrt(10.0 / 7)) / 3, r5b = std::sqrt(5 + 2 * std::sqrt(10.0 / 7)) / 3;
    const double w5a = (322 + 13 * std::sqrt(70.0)) / 900, w5b = (322 - 13 * std::sqrt(70.0)) / 900;
    const std::array<double, 5> x5{-r5b, -r5a, 0, r5a, r5b}, w5{w5b, w5a, 128.0 / 225, w5a, w5b};
    const std::array<double, 3> x3{-std::sqrt(0.6), 0, std::sqrt(0.6)}, w3{5.0 / 9, 8.0 / 9, 5.0 / 9};
    for (int g = 0; g < axial_points; ++g) axial_[g] = point((x5[g] + 1) / 2, l, w5[g] / 2 * l * EA);
    for (int g = 0; g < bending_points; ++g) bending_[g] = point((x3[g] + 1) / 2, l, w3[g] / 2 * l * EI);
  }

  /// ∂U/∂u.
  std::array<Pair, 3> force(const std::array<Pair, 3>& u, Kept& kept) const {
    std::array<Pair, 3> f{};
#pragma GCC unroll 8
    for (int g = 0; g < axial_points; ++g) {
      const Point& c = axial_[g];
      const Pair p = combine(c.d, u);
      const T n = c.weight * 0.5 * (mul_add(p[0], p[0], p[1] * p[1]) - 1.0);
      kept.p[g] = p, kept.n[g] = n;
      const Pair np{n * p[0], n * p[1]};
#pragma GCC unroll 8
      for (int a = 0; a < 3; ++a) f[a][0] = mul_add(c.d[a], np[0], f[a][0]), f[a][1] = mul_add(c.d[a], np[1], f[a][1]);
    }
#pragma GCC unroll 8
    for (int g = 0; g < bending_points; ++g) {
      const Point& c = bending_[g];
      const Pair p = combine(c.d, u), s = combine(c.e, u);
      const T w = 1.0 / mul_add(p[0], p[0], p[1] * p[1]);
      const T kappa = mul_add(p[0], s[1], -p[1] * s[0]) * w;
      const Pair ws{w * s[1], -w * s[0]}, wp{-w * p[1], w * p[0]};
      const T kw = -2.0 * kappa * w, m = c.weight * kappa;
      const Pair zp{kw * p[0], kw * p[1]};
      kept.isotropic[g] = kw * m, kept.skew[g] = m * w;
#pragma GCC unroll 8
      for (int a = 0; a < 3; ++a)
#pragma GCC unroll 8
        for (int k = 0; k < 2; ++k) {
          const T z = c.d[a] * zp[k], grad = mul_add(c.d[a], ws[k], mul_add(c.e[a], wp[k], z));
          f[a][k] = mul_add(m, grad, f[a][k]);
          kept.y[g][a][k] = grad + z, kept.z[g][a][k] = z;
        }
    }
    return f;
  }

  /// The symmetric 6 × 6 tangent as blocks ab = 00, 01, 02, 11, 12, 22, each (xx, xy, yx, yy).
  void tangent(const Kept& kept, std::array<std::array<T, 4>, 6>& K) const {
    K = {};
    std::array<T, 6> xx{}, xy{}, yy{};
#pragma GCC unroll 8
    for (int g = 0; g < axial_points; ++g) {
      const Point& c = axial_[g];
      const Pair& p = kept.p[g];
      const T px = c.weight * p[0], py = c.weight * p[1];
      const T axx = mul_add(px, p[0], kept.n[g]), axy = px * p[1], ayy = mul_add(py, p[1], kept.n[g]);
#pragma GCC unroll 8
      for (int b = 0; b < 6; ++b)
        xx[b] = mul_add(c.dd[b], axx, xx[b]), xy[b] = mul_add(c.dd[b], axy, xy[b]),
        yy[b] = mul_add(c.dd[b], ayy, yy[b]);
    }
#pragma GCC unroll 8
    for (int b = 0; b < 6; ++b) K[b] = {xx[b], xy[b], xy[b], yy[b]};
#pragma GCC unroll 8
    for (int g = 0; g < bending_points; ++g) {
      const Point& c = bending_[g];
#pragma GCC unroll 8
      for (int a = 0, ab = 0; a < 3; ++a) {
        const Pair& ya = kept.y[g][a];
        const Pair& za = kept.z[g][a];
        const Pair wy{c.weight * ya[0], c.weight * ya[1]}, wz{-c.weight * za[0], -c.weight * za[1]};
#pragma GCC unroll 8
        for (int b = a; b < 3; ++b, ++ab) {
          const Pair& yb = kept.y[g][b];
          const Pair& zb = kept.z[g][b];
          const T iso = c.dd[ab] * kept.isotropic[g];
          K[ab][0] = mul_add(wy[0], yb[0], mul_add(wz[0], zb[0], K[ab][0] + iso));
          K[ab][1] = mul_add(wy[0], yb[1], mul_add(wz[0], zb[1], K[ab][1]));
          K[ab][2] = mul_add(wy[1], yb[0], mul_add(wz[1], zb[0], K[ab][2]));
          K[ab][3] = mul_add(wy[1], yb[1], mul_add(wz[1], zb[1], K[ab][3] + iso));
        }
      }
      constexpr std::array off{1, 2, 4};
#pragma GCC unroll 8
      for (int i = 0; i < 3; ++i) {
        const T turn = c.skew[i] * kept.skew[g];
        K[off[i]][1] += turn, K[off[i]][2] -= turn;
      }
    }
  }

  /// Strain energy [J].
  T energy(const std::array<Pair, 3>& u) const {
    T sum{};
    for (const Point& c : axial_) {
      const Pair p = combine(c.d, u);
      const T eps = 0.5 * (p[0] * p[0] + p[1] * p[1] - 1.0);
      sum += 0.5 * c.weight * eps * eps;
    }
    for (const Point& c : bending_) {
      const Pair p = combine(c.d, u), s = combine(c.e, u);
      const T kappa = (p[0] * s[1] - p[1] * s[0]) / (p[0] * p[0] + p[1] * p[1]);
      sum += 0.5 * c.weight * kappa * kappa;
    }
    return sum;
  }

 private:
  struct Point {
    std::array<double, 3> d, e;  ///< derivatives of the three shape functions: first [1/m or 1], second
    std::array<double, 6> dd;    ///< d_a d_b, a ≤ b
    std::array<double, 3> skew;  ///< d_a e_b − e_a d_b for ab = 01, 02, 12
    double weight;               ///< Gauss weight × l × EA or EI
  };

  static Pair combine(const std::array<double, 3>& d, const std::array<Pair, 3>& u) {
    Pair p;
    for (int k = 0; k < 2; ++k) p[k] = mul_add(d[0], u[0][k], mul_add(d[1], u[1][k], d[2] * u[2][k]));
    return p;
  }

  static Point point(double xi, double l, double weight) {
    Point p{};
    p.d = {6 * (xi - xi * xi) / l, 1 - 4 * xi + 3 * xi * xi, 3 * xi * xi - 2 * xi};
    p.e = {(6 - 12 * xi) / (l * l), (6 * xi - 4) / l, (6 * xi - 2) / l};
    p.weight = weight;
    for (int a = 0, k = 0; a < 3; ++a)
      for (int b = a; b < 3; ++b) p.dd[k++] = p.d[a] * p.d[b];
    p.skew = {p.d[0] * p.e[1] - p.e[0] * p.d[1], p.d[0] * p.e[2] - p.e[0] * p.d[2], p.d[1] * p.e[2] - p.e[1] * p.d[2]};
    return p;
  }

  std::array<Point, axial_points> axial_{};
  std::array<Point, bending_points> bending_{};
};

}  // namespace flexura::bench
