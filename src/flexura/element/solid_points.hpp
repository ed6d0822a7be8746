#pragma once
// What solids of all shapes share: places of a rule, modes of the change of volume, mass. Loops over nodes, places and modes run at
// run time, so that five shapes are compiled as one.

#include "flexura/element/solid_shape.hpp"
#include "flexura/material/hyperelastic.hpp"

namespace flexura {

inline constexpr int most_solid_places = 27, most_volume_modes = 4;

/// A shape and its rule.
struct SolidRule {
  SolidKind kind;
  int nodes, places, modes;
  const double *slope, *weight;  ///< SolidTable

  const double* slopes(int place) const { return slope + 3 * nodes * place; }
};

/// Weights by which numbers at the points are read elsewhere: polynomials through all of them, of a tetrahedron's eight the linear one
/// through the four inside.
constexpr void solid_place_weights(SolidKind kind, double xi, double eta, double zeta, double* weight) {
  const double x[3] = {xi, eta, zeta};
  if (is_hexahedron(kind)) {
    const int n = kind == SolidKind::hexahedron_8 ? 2 : 3;
    const auto line = [&](int i, int k) {
      return n == 2 ? lagrange<Gauss<2>, 2>(k, x[i]) : lagrange<Gauss<3>, 3>(k, x[i]);
    };
    for (int k = 0; k < n * n * n; ++k) weight[k] = line(0, k % n) * line(1, k / n % n) * line(2, k / n / n);
    return;
  }
  const double L[4] = {1 - x[0] - x[1] - x[2], x[0], x[1], x[2]};
  for (int k = 0; k < place_count(kind); ++k) weight[k] = k < 4 ? 2 * L[k] - 0.25 : 0;
  if (kind == SolidKind::tetrahedron_4) weight[0] = 1;
}

/// Of the reference: ∂ξ/∂X by rows, and w det ∂X/∂ξ.
template <class T>
struct SolidGaussPoint {
  T inverse[9], weight;
};

/// Σ x_i ∂N_i/∂ξ by rows of x: places are taken from the first node, so that an item far out has no more rounding.
template <class T>
void solid_gradient(int nodes, const double* slope, const T* x, T (&g)[9]) {
  for (T& c : g) c = T(0.0);
  for (int n = 1; n < nodes; ++n)
    for (int i = 0; i < 3; ++i) {
      const T d = x[3 * n + i] - x[i];
      for (int a = 0; a < 3; ++a) g[3 * i + a] = fma(T(slope[3 * n + a]), d, g[3 * i + a]);
    }
}

/// Cofactors by rows: det M = M_0j cof_0j, M⁻¹ = cofᵀ/det.
template <class T>
void solid_cofactors(const T (&M)[9], T (&cof)[9]) {
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      const int a = (i + 1) % 3, b = (i + 2) % 3, c = (j + 1) % 3, d = (j + 2) % 3;
      cof[3 * i + j] = fma(M[3 * a + c], M[3 * b + d], -(M[3 * a + d] * M[3 * b + c]));
    }
}
template <class T>
T solid_determinant(const T (&M)[9], const T (&cof)[9]) {
  return fma(M[0], cof[0], fma(M[1], cof[1], M[2] * cof[2]));
}
/// M⁻¹; returns det M.
template <class T>
T solid_inverse(const T (&M)[9], T (&inverse)[9]) {
  T cof[9];
  solid_cofactors(M, cof);
  const T det = solid_determinant(M, cof), per = T(1.0) / det;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) inverse[3 * i + j] = per * cof[3 * j + i];
  return det;
}

template <class T>
[[gnu::noinline]] void solid_points(const SolidRule& rule, const T* X, SolidGaussPoint<T>* points) {
  for (int k = 0; k < rule.places; ++k) {
    T G[9];
    solid_gradient(rule.nodes, rule.slopes(k), X, G);
    points[k].weight = T(rule.weight[k]) * solid_inverse(G, points[k].inverse);
  }
}

/// X − X₀ of a place, seen from the centre's axes.
template <class T>
void solid_from_center(const SolidFunctions& f, int nodes, const T* X, const T* center, T (&y)[3]) {
  T at[3];
  for (int i = 0; i < 3; ++i) {
    at[i] = X[i] - center[i];
    for (int n = 1; n < nodes; ++n) at[i] = fma(T(f.value[n]), X[3 * n + i] - X[i], at[i]);
  }
  for (int a = 0; a < 3; ++a)
    y[a] = fma(center[3 + 3 * a], at[0], fma(center[4 + 3 * a], at[1], center[5 + 3 * a] * at[2]));
}
/// Modes at y: m_a = Σ_b≤a polynomial_ab (1, y)_b.
template <class T>
void solid_modes_at(int modes, const T* polynomial, const T (&y)[3], T* m) {
  for (int a = 0; a < modes; ++a) {
    m[a] = polynomial[a * modes];
    for (int b = 1; b <= a; ++b) m[a] = fma(polynomial[a * modes + b], y[b - 1], m[a]);
  }
}

/// Orthonormal over the places of the rule (Gram–Schmidt); mode: [place][mode], with the weight.
template <class T>
[[gnu::noinline]] void solid_modes(const SolidRule& rule, const T* X, const SolidGaussPoint<T>* points, T* mode,
                                   T* polynomial, T* center) {
  const double middle = is_hexahedron(rule.kind) ? 0.5 : 0.25;
  const SolidFunctions at_center = solid_functions(rule.kind, middle, middle, middle);
  T G[9], axes[9];
  solid_gradient(rule.nodes, at_center.slope[0], X, G);
  solid_inverse(G, axes);
  for (int i = 0; i < 3; ++i) {
    center[i] = X[i];
    for (int n = 1; n < rule.nodes; ++n) center[i] = fma(T(at_center.value[n]), X[3 * n + i] - X[i], center[i]);
  }
  for (int i = 0; i < 9; ++i) center[3 + i] = axes[i];
  const int modes = rule.modes;
  T value[most_solid_places][most_volume_modes];
  for (int k = 0; k < rule.places; ++k) {
    const SolidPlace place = solid_place(rule.kind, k);
    T y[3];
    solid_from_center(solid_functions(rule.kind, place.x[0], place.x[1], place.x[2]), rule.nodes, X, center, y);
    value[k][0] = T(1.0);
    for (int a = 1; a < modes; ++a) value[k][a] = y[a - 1];
  }
  for (int i = 0; i < modes * modes; ++i) polynomial[i] = T(i / modes == i % modes ? 1.0 : 0.0);
  const auto product = [&](int a, int b) {
    T sum(0.0);
    for (int k = 0; k < rule.places; ++k) sum = fma(points[k].weight * value[k][a], value[k][b], sum);
    return sum;
  };
  for (int a = 0; a < modes; ++a) {
    for (int b = 0; b < a; ++b) {
      const T share = product(a, b);
      for (int k = 0; k < rule.places; ++k) value[k][a] -= share * value[k][b];
      for (int c = 0; c <= b; ++c) polynomial[a * modes + c] -= share * polynomial[b * modes + c];
    }
    const T per = T(1.0) / sqrt(product(a, a));
    for (int k = 0; k < rule.places; ++k) value[k][a] = per * value[k][a];
    for (int c = 0; c <= a; ++c) polynomial[a * modes + c] = per * polynomial[a * modes + c];
  }
  for (int k = 0; k < rule.places; ++k)
    for (int a = 0; a < modes; ++a) mode[k * modes + a] = points[k].weight * value[k][a];
}

/// Lower triangle of ∫ ρ N_i N_j dV: 4³ points, exact where edges are straight.
template <class T>
[[gnu::noinline]] void solid_mass(const SolidRule& rule, const T& rho, const T* X, T* mass) {
  for (int i = 0; i < rule.nodes * (rule.nodes + 1) / 2; ++i) mass[i] = T(0.0);
  for (int k = 0; k < 64; ++k) {
    const SolidPlace place = gauss_place<4>(rule.kind, k);
    const SolidFunctions f = solid_functions(rule.kind, place.x[0], place.x[1], place.x[2]);
    T G[9], cof[9];
    solid_gradient(rule.nodes, f.slope[0], X, G);
    solid_cofactors(G, cof);
    const T weight = T(place.weight) * rho * solid_determinant(G, cof);
    for (int i = 0; i < rule.nodes; ++i)
      for (int j = 0; j <= i; ++j) mass[triangle(i, j)] = fma(weight, T(f.value[i] * f.value[j]), mass[triangle(i, j)]);
  }
}

}  // namespace flexura
