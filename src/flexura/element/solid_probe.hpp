#pragma once
// What is read inside a solid: Solid::probes.

#include "flexura/element/solid.hpp"
#include "flexura/element/solid_force.hpp"
#include "flexura/element/symmetric_tensor.hpp"

namespace flexura {

/// t l,  t = −V B_i·S B_j, of the edge from i to j nearest to the place L of a tetrahedron of 4 nodes: its nodes are pulled by
/// Σ_j t_ij (x_j − x_i), and by no more.
template <class T>
T tetrahedron_edge_force(const SolidRule& rule, const SolidGaussPoint<T>& point, const T* S, const T* x,
                         const std::array<double, 4>& L) {
  int i = 0, j = 1;
  for (int a = 0; a < 4; ++a)
    for (int b = a + 1; b < 4; ++b)
      if (L[a] + L[b] > L[i] + L[j]) i = a, j = b;
  T B[2][3], sum(0.0), square(0.0);
  for (int k = 0; k < 2; ++k) {
    const double* slope = rule.slopes(0) + 3 * (k == 0 ? i : j);
    for (int a = 0; a < 3; ++a)
      B[k][a] =
          T(slope[0]) * point.inverse[a] + T(slope[1]) * point.inverse[3 + a] + T(slope[2]) * point.inverse[6 + a];
  }
  for (int a = 0; a < 3; ++a) {
    for (int b = 0; b < 3; ++b) sum = fma(B[0][a] * S[voigt[a][b]], B[1][b], sum);
    const T d = x[3 * j + a] - x[3 * i + a];
    square = fma(d, d, square);
  }
  return -point.weight * sum * sqrt(square);
}

/// Modes of the change of volume anywhere: see solid_points.hpp.
template <class T>
struct SolidModes {
  const T *polynomial, *center;
};

/// All but the energy of the law. there: the law at the place, its point 0; grow(inverse): ∂ξ/∂X of the state that is free of stress;
/// scale: of the modes there. C: as the law sees it.
template <class T, class Law, class Grow>
[[gnu::noinline]] void solid_probe(const SolidView<T, Law>& view, const Law& there, const SolidModes<T>& field,
                                   const T* X, const T* x, double xi, double eta, double zeta, const Grow& grow,
                                   const T& scale, T (&C)[6], T* out) {
  const int modes = view.rule.modes;
  const SolidFunctions f = solid_functions(view.rule.kind, xi, eta, zeta);
  SolidGaussPoint<T> point;
  T G[9], S[6];
  solid_gradient(view.rule.nodes, f.slope[0], X, G);
  solid_inverse(G, point.inverse);
  grow(point.inverse);
  SolidStrain<T> s;
  solid_deformation(view.rule.nodes, f.slope[0], point, x, s.F);
  solid_cofactors(s.F, s.cof);
  s.J = solid_determinant(s.F, s.cof);
  s.cauchy_green(C);
  there.stress(0, C, S);
  T change = s.J;  // J̄
  if (view.mixed) {
    SolidStrain<T> strain[most_solid_places];
    T c[most_volume_modes], m[most_volume_modes], y[3];
    solid_strains(view, x, strain);
    solid_volume(view, strain, c);
    solid_from_center(f, view.rule.nodes, X, field.center, y);
    solid_modes_at(modes, field.polynomial, y, m);
    change = T(1.0);
    for (int a = 0; a < modes; ++a) change = fma(scale * c[a], m[a], change);
  }
  // S += p J C⁻¹,  σ = F S Fᵀ/J
  const T own = s.J - T(1.0), shared = change - T(1.0), per = T(1.0) / s.J;
  const T pressure = fma(view.modal, shared, view.pointwise * own);
  T sigma[6];
  for (int p = 0; p < 6; ++p) {
    const int a = voigt_first[p], b = voigt_second[p];
    T inverse(0.0), push(0.0);  // of C, times J; of S
    for (int i = 0; i < 3; ++i) {
      inverse = fma(s.cof[3 * i + a], s.cof[3 * i + b], inverse);
      for (int j = 0; j < 3; ++j) push = fma(s.F[3 * a + i] * s.F[3 * b + j], S[voigt[i][j]], push);
    }
    sigma[p] = per * push + (p < 3 ? pressure : T(0.0));
    out[Solid::green_probe + p] = T(0.5) * (p < 3 ? C[p] - T(1.0) : C[p]);
    out[Solid::piola_probe + p] = inverse;
  }
  // J C⁻¹ = cofᵀ cof/J
  for (int p = 0; p < 6; ++p) {
    out[Solid::piola_probe + p] = fma(pressure * per, out[Solid::piola_probe + p], S[p]);
    out[Solid::cauchy_probe + p] = sigma[p];
  }
  T square[3];
  principal_values(C, square);
  for (int i = 0; i < 3; ++i) out[Solid::stretch_probe + i] = sqrt(square[i]);
  const T mean = T(1.0 / 3) * (sigma[0] + sigma[1] + sigma[2]);
  out[Solid::volume_probe] = change;
  out[Solid::pressure_probe] = -mean;
  out[Solid::energy_probe] = T(0.5) * fma(view.modal * shared, shared, view.pointwise * own * own);
  out[Solid::von_mises_probe] = von_mises_of(sigma);
}

}  // namespace flexura
