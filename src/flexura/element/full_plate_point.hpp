#pragma once
// What all full plates have in common: frames of a place, metric of a point, laws in convected coordinates, mass.

#include <cmath>

#include "flexura/element/full_plate.hpp"
#include "flexura/element/plate_shape.hpp"
#include "flexura/material/relaxing_law.hpp"

namespace flexura {

/// h = (m_ξ, m_η, n, n_ξ, n_η, w, w_ξ, w_η) of a place, from scaled coordinates.
template <int vectors, class T>
struct PlateFrame {
  static constexpr int functions = 3 + vectors;
  Vec<3, T> h[2 + 3 * vectors];

  PlateFrame() = default;
  PlateFrame(const PlateShape::Values& s, const T* e) {
    for (Vec<3, T>& x : h) x = {T(0.0), T(0.0), T(0.0)};
    for (int n = 0; n < 4; ++n)
      for (int k = 0; k < functions; ++k) {
        const T* x = e + 3 * (functions * n + k);
        const int f = k < 3 ? k : 3, first = k < 3 ? 0 : 3 * k - 6;
        for (int i = 0; i < 3; ++i) {
          h[first][i] = fma(T(s.dx[n][f]), x[i], h[first][i]);
          h[first + 1][i] = fma(T(s.dy[n][f]), x[i], h[first + 1][i]);
          if (k >= 3) h[first - 1][i] = fma(T(s.f[n][3]), x[i], h[first - 1][i]);
        }
      }
  }
  /// g_ξ, g_η, g_ζ at ζ.
  void at(double zeta, Vec<3, T> (&g)[3]) const {
    for (int a = 0; a < 2; ++a) {
      g[a] = h[a] + T(zeta) * h[3 + a];
      if constexpr (vectors == 2) g[a] += T(0.5 * zeta * zeta) * h[6 + a];
    }
    g[2] = h[2];
    if constexpr (vectors == 2) g[2] += T(zeta) * h[5];
  }
};

/// What function f adds to g_ξ, g_η, g_ζ, of scaled coordinates.
template <int vectors, class T>
void plate_gradients(const PlateShape::Values& v, int f, double zeta, T (&c)[3]) {
  const int node = f / (3 + vectors), k = f % (3 + vectors), shape = k < 3 ? k : 3;
  const double power = k < 3 ? 1 : k == 3 ? zeta : 0.5 * zeta * zeta, slope = k < 3 ? 0 : k == 3 ? 1 : zeta;
  c[0] = T(power * v.dx[node][shape]), c[1] = T(power * v.dy[node][shape]), c[2] = T(slope * v.f[node][3]);
}

/// Coordinates of a place's functions in (m, n, w), all of a length.
template <int vectors, class T>
void scale_plate(const T (&factor)[5], const T* x, T* e) {
  constexpr int n = FullPlate<vectors>::dofs;
  for (int i = 0; i < n; ++i) e[i] = factor[i / 3 % (3 + vectors)] * x[i];
}

/// Cartesian axes of a point of the reference: G = L Lᵀ, so that with a = L⁻¹, lower, a tensor has the components
/// C_ij = a_iα C_αβ a_jβ and S^αβ = a_iα S_ij a_jβ.
template <class T>
struct PlateMetric {
  T a[6];          ///< 00, 11, 22, 21, 20, 10
  T root, weight;  ///< √det G, and with dξ dη dζ

  PlateMetric() = default;
  /// Of Cartesian coordinates.
  static PlateMetric unit() {
    PlateMetric out;
    for (int p = 0; p < 6; ++p) out.a[p] = T(p < 3 ? 1.0 : 0.0);
    out.root = out.weight = T(1.0);
    return out;
  }
  PlateMetric(const Vec<3, T> (&G)[3], double share)
      : PlateMetric(
            {dot(G[0], G[0]), dot(G[1], G[1]), dot(G[2], G[2]), dot(G[2], G[1]), dot(G[2], G[0]), dot(G[1], G[0])},
            T(share)) {}
  PlateMetric(const T (&G)[6], const T& share) {
    const T l00 = sqrt(G[0]), l10 = G[5] / l00, l20 = G[4] / l00;
    const T l11 = sqrt(G[1] - l10 * l10), l21 = (G[3] - l20 * l10) / l11;
    const T l22 = sqrt(G[2] - l20 * l20 - l21 * l21);
    a[0] = T(1.0) / l00, a[1] = T(1.0) / l11, a[2] = T(1.0) / l22;
    a[5] = -(l10 * a[0] * a[1]);
    a[3] = -(l21 * a[1] * a[2]);
    a[4] = -((l20 * a[0] + l21 * a[5]) * a[2]);
    root = l00 * l11 * l22;
    weight = share * root;
  }
  /// Of a reference stretched along these axes.
  void grow(const T (&stretch)[3]) {
    // Nothing grows below length 0: no iteration goes on from there.
    const T least = min(stretch[0], min(stretch[1], stretch[2]));
    const T volume = select(least > T(0.0), stretch[0] * stretch[1] * stretch[2], T(NAN));
    for (int p = 0; p < 6; ++p) a[p] = a[p] / stretch[voigt_second[p]];
    root = volume * root;
    weight = volume * weight;
  }
};

template <class T>
void to_cartesian(const T (&a)[6], const T (&C)[6], T (&c)[6]) {
  T half[3][3];
  for (int i = 0; i < 3; ++i)
    for (int b = 0; b < 3; ++b) {
      half[i][b] = a[voigt[i][0]] * C[voigt[0][b]];
      for (int k = 1; k <= i; ++k) half[i][b] = fma(a[voigt[i][k]], C[voigt[k][b]], half[i][b]);
    }
  for (int p = 0; p < 6; ++p) {
    const int i = voigt_second[p], j = voigt_first[p];  // j ≤ i
    c[p] = half[i][0] * a[voigt[j][0]];
    for (int k = 1; k <= j; ++k) c[p] = fma(half[i][k], a[voigt[j][k]], c[p]);
  }
}

/// S^αβ = Σ t_(αβ)(ij) S_ij over the parts (ij) that a lower a leaves.
template <class T>
struct PlateTurn {
  static constexpr int many[6] = {6, 3, 1, 2, 3, 5};
  static constexpr int parts[6][6] = {{0, 1, 2, 3, 4, 5}, {1, 2, 3}, {2}, {2, 3}, {2, 3, 4}, {1, 2, 3, 4, 5}};
  T t[6][6];

  explicit PlateTurn(const T (&a)[6]) {
    const auto at = [&a](int i, int k) { return i >= k ? a[voigt[i][k]] : T(0.0); };
    for (int p = 0; p < 6; ++p)
      for (int n = 0; n < many[p]; ++n) {
        const int q = parts[p][n], i = voigt_first[q], j = voigt_second[q], k = voigt_first[p], l = voigt_second[p];
        t[p][n] = at(i, k) * at(j, l);
        if (q >= 3) t[p][n] += at(j, k) * at(i, l);
      }
  }
  /// D = t d tᵀ
  void both(const T (&d)[21], T (&D)[21]) const {
    T half[6][6];
    for (int q = 0; q < 6; ++q) {
      const T line[6] = {d[triangle(q, 0)], d[triangle(q, 1)], d[triangle(q, 2)],
                         d[triangle(q, 3)], d[triangle(q, 4)], d[triangle(q, 5)]};
      for (int p = 0; p < 6; ++p) half[p][q] = row(p, line);
    }
    for (int p = 0; p < 6; ++p)
      for (int q = 0; q <= p; ++q) D[triangle(p, q)] = row(q, half[p]);
  }
  T row(int p, const T* s) const {
    T sum = t[p][0] * s[parts[p][0]];
    for (int n = 1; n < many[p]; ++n) sum = fma(t[p][n], s[parts[p][n]], sum);
    return sum;
  }
};

/// Laws in convected coordinates, of point k. Law: of relaxing_law.hpp.
template <class T, class Law = PlainLaw<T>>
struct PlateLaw {
  Law law;

  [[gnu::noinline]] T energy(const PlateMetric<T>& m, int k, const T (&C)[6]) const {
    T c[6];
    to_cartesian(m.a, C, c);
    return law.energy(k, c);
  }
  [[gnu::noinline]] void stress(const PlateMetric<T>& m, int k, const T (&C)[6], T (&S)[6]) const {
    T c[6], s[6];
    to_cartesian(m.a, C, c);
    law.stress(k, c, s);
    const PlateTurn<T> t(m.a);
    for (int p = 0; p < 6; ++p) S[p] = t.row(p, s);
  }
  [[gnu::noinline]] void stiffness(const PlateMetric<T>& m, int k, const T (&C)[6], T (&S)[6], T (&D)[21]) const {
    T c[6], s[6], d[21];
    to_cartesian(m.a, C, c);
    law.stiffness(k, c, s, d);
    const PlateTurn<T> t(m.a);
    for (int p = 0; p < 6; ++p) S[p] = t.row(p, s);
    t.both(d, D);
  }
};

/// Adds 2 η Ė; rate: of ε, shears twice.
template <class T>
void add_viscous_stress(const PlateMetric<T>& m, const T& viscosity, const T (&rate)[6], T (&S)[6]) {
  T C[6], c[6];
  for (int p = 0; p < 6; ++p) C[p] = T(p < 3 ? 2.0 : 1.0) * rate[p];
  to_cartesian(m.a, C, c);
  const PlateTurn<T> t(m.a);
  for (T& s : c) s = viscosity * s;
  for (int p = 0; p < 6; ++p) S[p] += t.row(p, c);
}
/// 2 Ė:Ė
template <class T>
T viscous_power(const PlateMetric<T>& m, const T (&rate)[6]) {
  T C[6], c[6];
  for (int p = 0; p < 6; ++p) C[p] = T(p < 3 ? 2.0 : 1.0) * rate[p];
  to_cartesian(m.a, C, c);
  return T(0.5) * double_product(c, c);
}
/// ∂S/∂ε̇ of it.
template <class T>
void viscous_stiffness(const PlateMetric<T>& m, const T& viscosity, T (&D)[21]) {
  T d[21];
  for (int p = 0; p < 6; ++p)
    for (int q = 0; q <= p; ++q) d[triangle(p, q)] = p == q ? T(p < 3 ? 2.0 : 1.0) * viscosity : T(0.0);
  PlateTurn<T>(m.a).both(d, D);
}

/// Rows of ε and ε̇ over n coordinates, B(x) and B(v), are the same linear function, since ε is quadratic:
/// K += Σ M_pq B_p(x) ⊗ (B_q(v) + c_d B_q(x)), all of it.
template <int n, class T>
[[gnu::noinline]] void add_viscous_tangent(const T (&M)[21], const T (*x)[n], const T (*v)[n], double cd, T* K) {
  for (int p = 0; p < 6; ++p) {
    T line[n];
    for (int j = 0; j < n; ++j) {
      T sum = M[triangle(p, 0)] * fma(T(cd), x[0][j], v[0][j]);
      for (int q = 1; q < 6; ++q) sum = fma(M[triangle(p, q)], fma(T(cd), x[q][j], v[q][j]), sum);
      line[j] = sum;
    }
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) K[i * n + j] = fma(x[p][i], line[j], K[i * n + j]);
  }
}
/// Upper half from the lower.
template <int n, class T>
void mirror(T* K) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < i; ++j) K[j * n + i] = K[i * n + j];
}

/// Change of volume θ of a point, whose energy k/2 θ² elements treat apart: J − 1, J = √(det C/det G); of St. Venant–Kirchhoff
/// tr E, with the deviatoric rest as W.
template <class T>
struct PlateVolume {
  T value, first[6];  ///< θ, ∂θ/∂ε

  PlateVolume(ElasticLaw law, const PlateMetric<T>& m, const T (&C)[6])
      : change_(C), J_(change_.J / m.root), by_trace_(law == ElasticLaw::st_venant_kirchhoff) {
    if (by_trace_) {
      value = T(-1.5);
      for (int p = 0; p < 6; ++p) {
        first[p] = T(0.0);
        for (int i = voigt_second[p]; i < 3; ++i)
          first[p] = fma(m.a[voigt[i][voigt_first[p]]], m.a[voigt[i][voigt_second[p]]], first[p]);
        value = fma(T(p < 3 ? 0.5 : 1.0) * first[p], C[p], value);
      }
    } else {
      value = J_ - T(1.0);
      for (int p = 0; p < 6; ++p) first[p] = J_ * change_.inverse[p];
    }
  }
  void add_stress(const T& pressure, T (&S)[6]) const {
    for (int p = 0; p < 6; ++p) S[p] = fma(pressure, first[p], S[p]);
  }
  /// D += slope ∂θ⊗∂θ + p ∂²θ
  void add_stiffness(const T& pressure, const T& slope, T (&D)[21]) const {
    const T twice = T(-2.0) * pressure * J_, square = by_trace_ ? slope : slope + pressure / J_;
    for (int p = 0; p < 6; ++p)
      for (int q = 0; q <= p; ++q) {
        D[triangle(p, q)] = fma(square * first[p], first[q], D[triangle(p, q)]);
        if (!by_trace_) D[triangle(p, q)] = fma(twice, change_.product(p, q), D[triangle(p, q)]);
      }
  }

 private:
  VolumeChange<T> change_;
  T J_;
  bool by_trace_;
};
/// Constants of W and k of k/2 θ².
template <class T>
ElasticConstants<T> split_constants(ElasticLaw law, const Vec<most_elastic_constants, T>& given, const T& bulk) {
  ElasticConstants<T> out;
  for (int i = 0; i < most_elastic_constants; ++i) out.c[i] = given[i];
  out.bulk = bulk;
  if (law == ElasticLaw::st_venant_kirchhoff) {  // λ, μ
    out.c[0] = T(-2.0 / 3) * given[1];
    out.bulk += given[0] - out.c[0];
  }
  return out;
}

/// Lower triangle of ∫ ρ S_i S_j dV over the functions: 5 × 5 × 3 points, exact for a flat reference.
template <int vectors, class T>
[[gnu::noinline]] void plate_mass(const T& rho, const T (&factor)[5], const T* e, T* mass) {
  constexpr int count = FullPlate<vectors>::count, functions = 3 + vectors;
  for (int i = 0; i < count * (count + 1) / 2; ++i) mass[i] = T(0.0);
  for (int k = 0; k < 75; ++k) {
    const int x = k % 5, y = k / 5 % 5, z = k / 25;
    const PlateShape::Values s = PlateShape::at(Gauss<5>::x[x], Gauss<5>::x[y]);
    const double zeta = Gauss<3>::x[z] - 0.5;
    Vec<3, T> g[3];
    PlateFrame<vectors, T>(s, e).at(zeta, g);
    const T volume = dot(g[0], cross(g[1], g[2]));
    const T weight = T(Gauss<5>::w[x] * Gauss<5>::w[y] * Gauss<3>::w[z]) * rho * volume;
    T S[count];
    for (int i = 0; i < count; ++i) {
      const int f = i % functions;
      S[i] = T(f < 3 ? s.f[i / functions][f] : s.f[i / functions][3] * (f == 3 ? zeta : 0.5 * zeta * zeta)) * factor[f];
    }
    for (int i = 0; i < count; ++i)
      for (int j = 0; j <= i; ++j) mass[triangle(i, j)] += weight * S[i] * S[j];
  }
}

}  // namespace flexura
