#pragma once
// Powers of a symmetric positive definite 3 × 3 matrix with their derivatives, for principal stretches: equal ones too.
//
//     C = Σ c_i v_i⊗v_i      C^γ = Σ c_i^γ v_i⊗v_i      D(C^γ)[X]_ij = h[c_i, c_j] X_ij      in the axes v_i
//     D²(C^γ)[X, Y]_ij = Σ_k h[c_i, c_k, c_j] (X_ik Y_kj + Y_ik X_kj),    h(c) = c^γ
//
// h[…] are divided differences, which need no c to differ. Eigenvectors have no derivative where two are equal, so duals do not
// go through them: their derivatives are written out. Lanes: no branch.

#include "flexura/material/convected.hpp"
#include "flexura/math/dual.hpp"

namespace flexura {

/// sinh(x)/x for |x| < ½
template <class T>
T small_sinhc(const T& x) {
  const T x2 = x * x;
  T series = T(1.0);
  for (int n = 12; n >= 2; n -= 2) series = fma(x2 * T(1.0 / (n * (n + 1))), series, T(1.0));
  return series;
}

/// sinh(x)/x
template <class T>
T sinhc(const T& x) {
  const T size = max(abs(x), T(0.25));
  return select(abs(x) < T(0.5), small_sinhc(x), T(0.5) * (exp(size) - exp(-size)) / size);
}

/// c > 0 with its logarithm and c^γ.
template <class T>
struct PowerOf {
  T base, log, power;
};

/// h[a, b] = γ m^(γ−1) sinhc(γ u/2)/sinhc(u/2),  m = √(ab), u = ln a − ln b, where sinhc(γ u/2) is small by a series, else
/// (a^γ − b^γ)/(m^γ γ u)
template <class T>
T power_difference(const T& gamma, const PowerOf<T>& a, const PowerOf<T>& b) {
  const T mean = sqrt(a.base * b.base), power = sqrt(a.power * b.power);
  const auto part = [](const T& x, const T& difference, const T& m) {
    const auto small = abs(x) < T(0.5);
    return select(small, small_sinhc(x), difference / (T(2.0) * m * select(small, T(1.0), x)));
  };
  const T half = T(0.5) * (a.log - b.log);
  return gamma * power / mean * part(gamma * half, a.power - b.power, power) / part(half, a.base - b.base, mean);
}

/// Eigenvalues and orthonormal eigenvectors by Jacobi's rotations, a fixed number of sweeps: after four, 1.3e-18 of the largest entry
/// was left beside the diagonal in the worst of 400 000 random matrices.
template <class T>
class Spectrum {
 public:
  explicit Spectrum(const T (&C)[6]) {
    T a[6];
    for (int p = 0; p < 6; ++p) a[p] = C[p];
    for (int i = 0; i < 3; ++i)
      for (int k = 0; k < 3; ++k) v_[i][k] = T(i == k ? 1.0 : 0.0);
    for (int sweep = 0; sweep < 5; ++sweep) {
      rotate(a, 0, 1);
      rotate(a, 0, 2);
      rotate(a, 1, 2);
    }
    for (int i = 0; i < 3; ++i) {
      value_[i] = a[i];
      log_[i] = log(a[i]);
    }
    for (int p = 0; p < 6; ++p)
      for (int q = 0; q < 6; ++q) {
        const int i = voigt_first[q], j = voigt_second[q], r = voigt_first[p], s = voigt_second[p];
        basis_[q][p] = q < 3 ? v_[r][i] * v_[s][i] : T(0.5) * fma(v_[r][i], v_[s][j], v_[r][j] * v_[s][i]);
      }
  }

  const T& value(int i) const { return value_[i]; }

  /// C^γ
  void power(const T& gamma, T (&P)[6]) const {
    T h[3];
    for (int i = 0; i < 3; ++i) h[i] = exp(gamma * log_[i]);
    turn(h, P);
  }
  /// D(C^γ), lower triangle
  void slope(const T& gamma, T (&Q)[21]) const {
    PowerOf<T> c[3];
    T h[6];
    powers(gamma, c);
    for (int q = 0; q < 6; ++q) h[q] = power_difference(gamma, c[voigt_first[q]], c[voigt_second[q]]);
    turn(h, Q);
  }

  /// What is diagonal in the principal axes, in Cartesian ones.
  void turn(const T (&h)[3], T (&P)[6]) const {
    for (int p = 0; p < 6; ++p) P[p] = fma(h[0], basis_[0][p], fma(h[1], basis_[1][p], h[2] * basis_[2][p]));
  }
  void turn(const T (&h)[6], T (&Q)[21]) const {
    for (int p = 0; p < 6; ++p)
      for (int q = 0; q <= p; ++q) {
        T sum = T(0.0);
        for (int r = 0; r < 6; ++r) sum = fma(T(r < 3 ? 1.0 : 2.0) * h[r] * basis_[r][p], basis_[r][q], sum);
        Q[triangle(p, q)] = sum;
      }
  }

  /// D²(C^γ)[X, ·], lower triangle
  void curvature(const T& gamma, const T (&X)[6], T (&Q)[21]) const {
    T x[6], Z[6][6];  // X in the principal axes
    for (int q = 0; q < 6; ++q) {
      x[q] = T(0.0);
      for (int p = 0; p < 6; ++p) x[q] = fma(T(p < 3 ? 1.0 : 2.0) * X[p], basis_[q][p], x[q]);
    }
    PowerOf<T> c[3];
    powers(gamma, c);
    T h[3][3][3];
    for (int i = 0; i < 3; ++i)
      for (int k = 0; k <= i; ++k)
        for (int j = 0; j <= k; ++j)
          h[i][k][j] = h[i][j][k] = h[k][i][j] = h[k][j][i] = h[j][i][k] = h[j][k][i] =
              second_difference(gamma, c[i], c[k], c[j]);
    for (int p = 0; p < 6; ++p)
      for (int q = 0; q < 6; ++q) {
        const int i = voigt_first[p], j = voigt_second[p], m = voigt_first[q], n = voigt_second[q];
        const auto half = [&](int r, int s) {  // Y = e_r⊗e_s
          T sum = T(0.0);
          if (s == j) sum += h[i][r][j] * x[voigt[i][r]];
          if (i == r) sum += h[i][s][j] * x[voigt[s][j]];
          return sum;
        };
        Z[p][q] = T(0.5) * (half(m, n) + half(n, m));
      }
    for (int p = 0; p < 6; ++p)
      for (int q = 0; q <= p; ++q) {
        T sum = T(0.0);
        for (int r = 0; r < 6; ++r)
          for (int s = 0; s < 6; ++s)
            sum = fma(T((r < 3 ? 1.0 : 2.0) * (s < 3 ? 1.0 : 2.0)) * Z[r][s] * basis_[r][p], basis_[s][q], sum);
        Q[triangle(p, q)] = sum;
      }
  }

  const T& log_of(int i) const { return log_[i]; }
  void powers(const T& gamma, PowerOf<T> (&out)[3]) const {
    for (int i = 0; i < 3; ++i) out[i] = {value_[i], log_[i], exp(gamma * log_[i])};
  }

 private:
  /// Makes a_ij zero.
  void rotate(T (&a)[6], int i, int j) {
    const int ij = voigt[i][j], k = 3 - i - j, ik = voigt[i][k], jk = voigt[j][k];
    const T d = a[j] - a[i], twice = T(2.0) * a[ij];
    const T size = abs(d) + sqrt(fma(d, d, twice * twice)) + T(1e-300);
    const T t = select(d < T(0.0), -twice, twice) / size;
    const T c = T(1.0) / sqrt(fma(t, t, T(1.0))), s = t * c;
    a[i] = fma(-t, a[ij], a[i]);
    a[j] = fma(t, a[ij], a[j]);
    a[ij] = T(0.0);
    turn(a[ik], a[jk], c, s);
    for (auto& row : v_) turn(row[i], row[j], c, s);
  }
  static void turn(T& x, T& y, const T& c, const T& s) {
    const T x0 = x;
    x = fma(c, x0, -(s * y));
    y = fma(s, x0, c * y);
  }

  /// h[c_i, c_k, c_j]: from differences of the two that lie farthest apart, or where all are near by Taylor's series about their
  /// mean m, Σ (γ over n + 2) m^(γ−2) H_n(c/m − 1), H_n the complete homogeneous polynomials.
  static T second_difference(const T& gamma, const PowerOf<T>& a, const PowerOf<T>& b, const PowerOf<T>& c) {
    const T mean = (a.base + b.base + c.base) / T(3.0);
    const T x = a.base / mean - T(1.0), y = b.base / mean - T(1.0), z = c.base / mean - T(1.0);
    const T e2 = fma(x, y, fma(y, z, z * x)), e3 = x * y * z;
    T last[3] = {T(1.0), T(0.0), T(0.0)};  // H_n, H_(n−1), H_(n−2)
    T weight = T(0.5) * gamma * (gamma - T(1.0)), series = weight;
    for (int n = 1; n <= 12; ++n) {
      const T next = fma(e3, last[2], -(e2 * last[1]));
      last[2] = last[1], last[1] = last[0], last[0] = next;
      weight *= (gamma - T(n + 1.0)) / T(n + 2.0);
      series = fma(weight, next, series);
    }
    series *= exp((gamma - T(2.0)) * log(mean));

    const T sizes[3] = {abs(a.base - c.base), abs(a.base - b.base), abs(b.base - c.base)};
    const T farthest = max(sizes[0], max(sizes[1], sizes[2]));
    const T far =
        select(sizes[0] < farthest, select(sizes[1] < farthest, by_ends(gamma, b, a, c), by_ends(gamma, a, c, b)),
               by_ends(gamma, a, b, c));
    return select(farthest < T(0.1) * mean, series, far);
  }
  /// (h[a, b] − h[b, c])/(a − c)
  static T by_ends(const T& gamma, const PowerOf<T>& a, const PowerOf<T>& b, const PowerOf<T>& c) {
    const T gap = a.base - c.base;
    return (power_difference(gamma, a, b) - power_difference(gamma, b, c)) / select(gap == T(0.0), T(1.0), gap);
  }

  T value_[3], log_[3], v_[3][3];
  T basis_[6][6];  ///< sym(v_i⊗v_j) of each pair
};

/// Value and direction: C = A + ε X, γ = g + ε e.
template <class V>
class Spectrum<Dual<V>> {
 public:
  explicit Spectrum(const Dual<V> (&C)[6]) : of_(parts(C).value) {
    for (int p = 0; p < 6; ++p) X_[p] = C[p].d;
  }

  void power(const Dual<V>& gamma, Dual<V> (&P)[6]) const {
    V value[6], by_gamma[6], h[3], Q[21];
    of_.power(gamma.v, value);
    of_.slope(gamma.v, Q);
    for (int i = 0; i < 3; ++i) h[i] = gamma.d * of_.log_of(i) * exp(gamma.v * of_.log_of(i));
    of_.turn(h, by_gamma);
    for (int p = 0; p < 6; ++p) {
      V sum = by_gamma[p];
      for (int q = 0; q < 6; ++q) sum = fma(V(q < 3 ? 1.0 : 2.0) * Q[triangle(p, q)], X_[q], sum);
      P[p] = {value[p], sum};
    }
  }
  void slope(const Dual<V>& gamma, Dual<V> (&Q)[21]) const {
    V value[21], by_gamma[21], by_C[21], h[6];
    of_.slope(gamma.v, value);
    of_.curvature(gamma.v, X_, by_C);
    PowerOf<Dual<V>> c[3];
    for (int i = 0; i < 3; ++i) {
      const Dual<V> log_c{of_.log_of(i), V(0.0)};
      c[i] = {{of_.value(i), V(0.0)}, log_c, exp(gamma * log_c)};
    }
    for (int q = 0; q < 6; ++q) h[q] = power_difference(gamma, c[voigt_first[q]], c[voigt_second[q]]).d;
    of_.turn(h, by_gamma);
    for (int p = 0; p < 21; ++p) Q[p] = {value[p], by_C[p] + by_gamma[p]};
  }
  /// Where eigenvalues are equal, right in every sum over them.
  Dual<V> log_of(int i) const {
    V h[3], P[6], along = V(0.0);
    for (int k = 0; k < 3; ++k) h[k] = V(k == i ? 1.0 : 0.0);
    of_.turn(h, P);
    for (int p = 0; p < 6; ++p) along = fma(V(p < 3 ? 1.0 : 2.0) * P[p], X_[p], along);
    return {of_.log_of(i), along / of_.value(i)};
  }

 private:
  struct Parts {
    V value[6];
  };
  static Parts parts(const Dual<V> (&C)[6]) {
    Parts out;
    for (int p = 0; p < 6; ++p) out.value[p] = C[p].v;
    return out;
  }

  Spectrum<V> of_;
  V X_[6];
};

}  // namespace flexura
