#pragma once
// Rotation between the end sections of a full beam, and what strains lose by it.
//
// With Y_i = (y_i, z_i) of node i, X = Y₀ᵀY₁, Ḡ = ½ (Y₀ᵀY₀ + Y₁ᵀY₁) and sections that rotate by θ = 2 h about a unit vector n and are
// strained alike,
//
//     p = ¼ (1 + tr X Ḡ⁻¹ + det X/det Ḡ) = cos² h        w = ¼ (X₁₂ − X₂₁)²/det Ḡ = (2 sin h cos h n_x)²
//
// whatever axes the section has and however it is strained (n_x: along the normal of the sections). Between the nodes n_y and n_z are shorter by
// cos h across n; d_y and d_z are chords of 2 sin h for arcs of 2 h; y₁·z₀ − z₁·y₀ is 2 sin h cos h of twist; and m, normal to n_y and n_z,
// leans towards n, by which bending is too large by 1/g. Strains that are so multiplied have what the arc has:
//
//     e₁, e₂: f g      e₃, e₄, e₅: f²      e₁₃: f/√p      in the middle e₆, e₇: 1/√p
//     f = h/sin h = Σ k!/(2k + 1)!! (1 − √p)ᵏ      g² = 1 − w/4p = 1 − n_x² sin² h
//
// At 180° p = 0, and the direction of the rotation is lost: rotations beyond count the other way round. p < 0 has no strains: NaN.

#include "flexura/element/full_beam_strains.hpp"

namespace flexura {

/// p and w over u, of which only y₀, y₁, z₀, z₁ count.
template <class T>
struct BeamRotation {
  static constexpr int first = 3, vectors = 4, forms = 7, scalars = 2;
  enum Form { A, B, C, W, a, b, c };
  /// Of (y₀, y₁, z₀, z₁): A = y₀·y₁, B = ½ (y₀·z₁ + z₀·y₁), C = z₀·z₁, W = ½ (y₀·z₁ − z₀·y₁), and a, b, c of Ḡ.
  static constexpr double form[forms][vectors][vectors] = {
      {{0, 1, 0, 0}, {1, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}},
      {{0, 0, 0, 0.5}, {0, 0, 0.5, 0}, {0, 0.5, 0, 0}, {0.5, 0, 0, 0}},
      {{0, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 1}, {0, 0, 1, 0}},
      {{0, 0, 0, 0.5}, {0, 0, -0.5, 0}, {0, -0.5, 0, 0}, {0.5, 0, 0, 0}},
      {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}},
      {{0, 0, 0.5, 0}, {0, 0, 0, 0.5}, {0.5, 0, 0, 0}, {0, 0.5, 0, 0}},
      {{0, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}}};
  /// Numerators N of p = ¼ (1 + N₀/D) and w = N₁/D, and D = det Ḡ last: k · (one form) · (another).
  struct Product {
    int of, left, right;
    double factor;
  };
  static constexpr Product products[] = {{0, A, c, 1}, {0, C, a, 1}, {0, B, b, -2}, {0, A, C, 1}, {0, B, B, -1},
                                         {0, W, W, 1}, {1, W, W, 1}, {2, a, c, 1},  {2, b, b, -1}};
  static constexpr double share[scalars] = {0.25, 1};  ///< of N/D

  T x[forms], inverse, ratio[scalars], p, w;

  explicit BeamRotation(const BeamVectors<T>& u) {
    for (int k = 0; k < forms; ++k) {
      T twice(0.0);
      for (int i = 0; i < vectors; ++i)
        for (int j = 0; j < vectors; ++j)
          if (form[k][i][j] != 0) twice = fma(T(form[k][i][j]), dot(u.u[first + i], u.u[first + j]), twice);
      x[k] = T(0.5) * twice;
    }
    T value[scalars + 1] = {T(0.0), T(0.0), T(0.0)};
    for (const Product& t : products) value[t.of] = fma(T(t.factor) * x[t.left], x[t.right], value[t.of]);
    inverse = T(1.0) / value[scalars];
    for (int s = 0; s < scalars; ++s) ratio[s] = inverse * value[s];
    p = T(0.25) * (T(1.0) + ratio[0]), w = ratio[1];
  }
  using Gradient = Vec<3, T>[vectors];
  /// ∂(p, w)/∂u
  void gradients(const BeamVectors<T>& u, Gradient (&out)[scalars]) const {
    T weight[scalars + 1][forms], matrix[vectors][vectors];
    slopes(weight);
    for (int s = 0; s < scalars; ++s) {
      combine(weight[s], matrix);
      rows(matrix, u, out[s]);
    }
  }
  /// H += Σ V_s ∂²(p, w)_s/∂u∂u on the lower half, or on both.
  template <int n>
  [[gnu::noinline]] void add_curvature(const BeamVectors<T>& u, const T (&by)[scalars], bool full, T* H) const {
    T weight[scalars + 1][forms], sum[forms], matrix[vectors][vectors], scaled[scalars + 1];
    slopes(weight);
    scaled[scalars] = T(0.0);
    for (int s = 0; s < scalars; ++s) {
      scaled[s] = T(share[s]) * inverse * by[s];
      scaled[scalars] -= scaled[s] * ratio[s];
    }
    for (int k = 0; k < forms; ++k) sum[k] = fma(by[0], weight[0][k], by[1] * weight[1][k]);
    combine(sum, matrix);
    Gradient row[forms], turn, size;
    for (int k = 0; k < forms; ++k) {
      T one[vectors][vectors];
      for (int i = 0; i < vectors; ++i)
        for (int j = 0; j < vectors; ++j) one[i][j] = T(form[k][i][j]);
      rows(one, u, row[k]);
    }
    T other[vectors][vectors];
    rows(matrix, u, turn);
    combine(weight[scalars], other);
    rows(other, u, size);
    for (int i = 0; i < vectors; ++i)
      for (int j = 0; j < vectors; ++j)
        for (int k = 0; k < 3; ++k)
          for (int l = 0; l < 3; ++l) {
            const int at_row = 3 * (first + i) + k, at_column = 3 * (first + j) + l;
            if (!full && at_column > at_row) continue;
            T value = -inverse * (turn[i][k] * size[j][l] + size[i][k] * turn[j][l]);
            for (const Product& t : products) {
              const T both = row[t.left][i][k] * row[t.right][j][l] + row[t.right][i][k] * row[t.left][j][l];
              value = fma(T(t.factor) * scaled[t.of], both, value);
            }
            H[at_row * n + at_column] += k == l ? value + matrix[i][j] : value;
          }
  }

 private:
  /// ∂(p, w, D)/∂(A … c)
  void slopes(T (&out)[scalars + 1][forms]) const {
    for (auto& line : out)
      for (T& value : line) value = T(0.0);
    for (const Product& t : products) {
      out[t.of][t.left] = fma(T(t.factor), x[t.right], out[t.of][t.left]);
      out[t.of][t.right] = fma(T(t.factor), x[t.left], out[t.of][t.right]);
    }
    for (int s = 0; s < scalars; ++s)
      for (int k = 0; k < forms; ++k) out[s][k] = T(share[s]) * inverse * fma(-ratio[s], out[scalars][k], out[s][k]);
  }
  static void combine(const T (&weight)[forms], T (&matrix)[vectors][vectors]) {
    for (int i = 0; i < vectors; ++i)
      for (int j = 0; j < vectors; ++j) {
        matrix[i][j] = T(0.0);
        for (int k = 0; k < forms; ++k)
          if (form[k][i][j] != 0) matrix[i][j] = fma(T(form[k][i][j]), weight[k], matrix[i][j]);
      }
  }
  static void rows(const T (&matrix)[vectors][vectors], const BeamVectors<T>& u, Gradient& out) {
    for (int i = 0; i < vectors; ++i) {
      out[i] = matrix[i][0] * u.u[first];
      for (int j = 1; j < vectors; ++j) out[i] += matrix[i][j] * u.u[first + j];
    }
  }
};

/// Factors of strains over p and w, and their derivatives.
template <class T>
struct RotationFactors {
  enum Kind { none, bend, bend_twice, twist, shear };
  static constexpr int kinds = 5;
  static constexpr Kind kind(int strain, bool middle) {
    if (strain == 1 || strain == 2) return bend;
    if (strain >= 3 && strain <= 5) return bend_twice;
    if (strain == 13) return twist;
    return middle && (strain == 6 || strain == 7) ? shear : none;
  }
  /// A value with its derivatives by p, w and p p, p w, w w.
  struct Value {
    T v, d[2], dd[3];
    friend Value operator*(const Value& x, const Value& y) {
      return {x.v * y.v,
              {fma(x.v, y.d[0], x.d[0] * y.v), fma(x.v, y.d[1], x.d[1] * y.v)},
              {fma(x.v, y.dd[0], fma(T(2.0) * x.d[0], y.d[0], x.dd[0] * y.v)),
               fma(x.v, y.dd[1], fma(x.d[0], y.d[1], fma(x.d[1], y.d[0], x.dd[1] * y.v))),
               fma(x.v, y.dd[2], fma(T(2.0) * x.d[1], y.d[1], x.dd[2] * y.v))}};
    }
  };
  Value of[kinds];

  explicit RotationFactors(const BeamRotation<T>& rotation) {
    const T zero(0.0), inverse = T(1.0) / rotation.p, root = sqrt(inverse), cosine = rotation.p * root;
    of[none] = {T(1.0), {zero, zero}, {zero, zero, zero}};
    of[shear] = {root, {T(-0.5) * root * inverse, zero}, {T(0.75) * root * inverse * inverse, zero, zero}};
    const Value f = arc(cosine, root, inverse);
    of[bend] = f * lean(rotation.w, inverse);
    of[bend_twice] = f * f;
    of[twist] = f * of[shear];
  }
  void apply(bool middle, T (&e)[beam_parts]) const {
    for (int p = 0; p < beam_strains; ++p) e[p] = of[kind(p, middle)].v * e[p];
    BeamVectors<T>::add_ratios(e);
  }

 private:
  /// h/sin h over cos h
  static Value arc(const T& cosine, const T& root, const T& inverse) {
    constexpr int terms = 20;
    double series[terms];
    series[0] = 1;
    for (int k = 1; k < terms; ++k) series[k] = series[k - 1] * k / (2 * k + 1);
    const T x = T(1.0) - cosine;
    T v(series[terms - 1]), d(0.0), dd(0.0);
    for (int k = terms - 2; k >= 0; --k) {
      dd = fma(dd, x, T(2.0) * d);
      d = fma(d, x, v);
      v = fma(v, x, T(series[k]));
    }
    const T dx = T(-0.5) * root, ddx = T(0.25) * root * inverse;
    return {v, {d * dx, T(0.0)}, {fma(dd * dx, dx, d * ddx), T(0.0), T(0.0)}};
  }
  /// g
  static Value lean(const T& w, const T& inverse) {
    const T quarter = T(0.25) * inverse, s = fma(-w, quarter, T(1.0)), g = sqrt(s), half = T(0.5) / g;
    const T sp = w * quarter * inverse, sw = -quarter, spp = T(-2.0) * sp * inverse, spw = quarter * inverse;
    const T bent = half / s * T(0.5);
    return {g,
            {half * sp, half * sw},
            {fma(half, spp, -(bent * sp * sp)), fma(half, spw, -(bent * sp * sw)), -(bent * sw * sw)}};
  }
};

/// Derivatives of a station's energy by p and w; of the tangent besides by both, and by a strain and p or w.
template <class T>
struct RotationForce {
  T first[2] = {T(0.0), T(0.0)}, second[3] = {T(0.0), T(0.0), T(0.0)}, mixed[2][beam_strains];
};
/// N over the strains without their factors from N over those with them.
template <class T>
void pull_back_rotation(const RotationFactors<T>& factors, bool middle, const T (&plain)[beam_strains],
                        T (&N)[beam_parts], RotationForce<T>& out) {
  for (int p = 0; p < beam_strains; ++p) {
    const auto& factor = factors.of[RotationFactors<T>::kind(p, middle)];
    const T n = plain[p] * N[p];
    for (int s = 0; s < 2; ++s) out.first[s] = fma(factor.d[s], n, out.first[s]);
    N[p] = factor.v * N[p];
  }
}
/// The same of N and M.
template <class T>
void pull_back_rotation(const RotationFactors<T>& factors, bool middle, const T (&plain)[beam_strains],
                        T (&N)[beam_parts], T (&M)[beam_parts][beam_parts], RotationForce<T>& out) {
  const auto at = [&](int p) -> const auto& { return factors.of[RotationFactors<T>::kind(p, middle)]; };
  for (int p = 0; p < beam_strains; ++p) {
    T line[2] = {T(0.0), T(0.0)};
    for (int q = 0; q < beam_strains; ++q)
      for (int s = 0; s < 2; ++s) line[s] = fma(M[p][q] * at(q).d[s], plain[q], line[s]);
    const T n = plain[p] * N[p];
    for (int s = 0; s < 2; ++s) out.mixed[s][p] = fma(at(p).v, line[s], at(p).d[s] * N[p]);
    out.second[0] = fma(at(p).d[0] * plain[p], line[0], fma(at(p).dd[0], n, out.second[0]));
    out.second[1] = fma(at(p).d[1] * plain[p], line[0], fma(at(p).dd[1], n, out.second[1]));
    out.second[2] = fma(at(p).d[1] * plain[p], line[1], fma(at(p).dd[2], n, out.second[2]));
  }
  for (int p = 0; p < beam_strains; ++p)
    for (int q = 0; q < beam_strains; ++q) M[p][q] = at(p).v * at(q).v * M[p][q];
  pull_back_rotation(factors, middle, plain, N, out);
}

}  // namespace flexura
