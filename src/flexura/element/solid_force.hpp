#pragma once
// Energy and force of solids of any shape: equations in solid_kernel.hpp.

#include "flexura/element/solid_points.hpp"
#include "flexura/material/relaxing_law.hpp"

namespace flexura {

/// What an item is evaluated with. law: energy, stress and stiffness at a place (material/relaxing_law.hpp).
template <class T, class Law = PlainLaw<T>>
struct SolidView {
  const SolidRule& rule;
  Law law;
  bool mixed, damped;
  const T &modal, &pointwise;  ///< k of the modes, and of J at the points
  const T& viscosity;
  const SolidGaussPoint<T>* point;
  const T *mode, *shift;
};

/// Matrices by rows.
template <class T>
struct SolidStrain {
  T F[9], cof[9], J;

  void cauchy_green(T (&C)[6]) const {
    for (int p = 0; p < 6; ++p) {
      const int a = voigt_first[p], b = voigt_second[p];
      C[p] = fma(F[a], F[b], fma(F[3 + a], F[3 + b], F[6 + a] * F[6 + b]));
    }
  }
};

/// ∂x/∂X.
template <class T>
void solid_deformation(int nodes, const double* slope, const SolidGaussPoint<T>& point, const T* x, T (&F)[9]) {
  T g[9];
  solid_gradient(nodes, slope, x, g);
  for (int i = 0; i < 3; ++i)
    for (int a = 0; a < 3; ++a)
      F[3 * i + a] =
          fma(g[3 * i], point.inverse[a], fma(g[3 * i + 1], point.inverse[3 + a], g[3 * i + 2] * point.inverse[6 + a]));
}
template <class T, class Law>
void solid_deformation(const SolidView<T, Law>& view, int place, const T* x, T (&F)[9]) {
  solid_deformation(view.rule.nodes, view.rule.slopes(place), view.point[place], x, F);
}
template <class T, class Law>
[[gnu::noinline]] void solid_strains(const SolidView<T, Law>& view, const T* x, SolidStrain<T>* strain) {
  for (int k = 0; k < view.rule.places; ++k) {
    SolidStrain<T>& s = strain[k];
    solid_deformation(view, k, x, s.F);
    solid_cofactors(s.F, s.cof);
    s.J = solid_determinant(s.F, s.cof);
  }
}
/// c_a
template <class T, class Law>
void solid_volume(const SolidView<T, Law>& view, const SolidStrain<T>* strain, T* c) {
  const int modes = view.rule.modes;
  for (int a = 0; a < modes; ++a) {
    c[a] = T(0.0);
    for (int k = 0; k < view.rule.places; ++k) c[a] = fma(view.mode[k * modes + a], strain[k].J - T(1.0), c[a]);
  }
}
/// w p at the places; `predicted`: with the shift of c.
template <class T, class Law>
void solid_pressure(const SolidView<T, Law>& view, const SolidStrain<T>* strain, bool predicted, T* pressure) {
  const int modes = view.mixed ? view.rule.modes : 0;
  T c[most_volume_modes];
  if (view.mixed) solid_volume(view, strain, c);
  for (int a = 0; predicted && a < modes; ++a) c[a] -= view.shift[a];
  for (int k = 0; k < view.rule.places; ++k) {
    T sum(0.0);
    for (int a = 0; a < modes; ++a) sum = fma(view.mode[k * view.rule.modes + a], c[a], sum);
    pressure[k] = fma(view.modal, sum, view.pointwise * view.point[k].weight * (strain[k].J - T(1.0)));
  }
}

template <class T, class Law>
[[gnu::noinline]] T solid_energy(const SolidView<T, Law>& view, const T* x) {
  SolidStrain<T> strain[most_solid_places];
  solid_strains(view, x, strain);
  T shape(0.0), points(0.0), modes(0.0);
  for (int k = 0; k < view.rule.places; ++k) {
    T C[6];
    strain[k].cauchy_green(C);
    shape = fma(view.point[k].weight, view.law.energy(k, C), shape);
    const T change = strain[k].J - T(1.0);
    points = fma(view.point[k].weight * change, change, points);
  }
  if (view.mixed) {
    T c[most_volume_modes];
    solid_volume(view, strain, c);
    for (int a = 0; a < view.rule.modes; ++a) modes = fma(c[a], c[a], modes);
  }
  return shape + T(0.5) * fma(view.modal, modes, view.pointwise * points);
}

/// Adds 2 η Ė of F and Ḟ.
template <class T>
void add_viscous_stress(const T& viscosity, const T (&F)[9], const T (&rate)[9], T (&S)[6]) {
  for (int p = 0; p < 6; ++p) {
    const int a = voigt_first[p], b = voigt_second[p];
    T twice(0.0);
    for (int i = 0; i < 3; ++i) twice = fma(F[3 * i + a], rate[3 * i + b], fma(F[3 * i + b], rate[3 * i + a], twice));
    S[p] = fma(viscosity, twice, S[p]);
  }
}

template <class T, class Law>
[[gnu::noinline]] void solid_force(const SolidView<T, Law>& view, const T* x, const T* v, T* r) {
  const int nodes = view.rule.nodes;
  SolidStrain<T> strain[most_solid_places];
  T pressure[most_solid_places];
  solid_strains(view, x, strain);
  solid_pressure(view, strain, false, pressure);
  for (int i = 0; i < 3 * nodes; ++i) r[i] = T(0.0);
  for (int k = 0; k < view.rule.places; ++k) {
    const SolidGaussPoint<T>& point = view.point[k];
    const T(&F)[9] = strain[k].F;
    T C[6], S[6];
    strain[k].cauchy_green(C);
    view.law.stress(k, C, S);
    if (view.damped) {
      T rate[9];
      solid_deformation(view, k, v, rate);
      add_viscous_stress(view.viscosity, F, rate, S);
    }
    T P[9], turned[9];  // w ∂ψ/∂F, and by ξ
    for (int i = 0; i < 3; ++i)
      for (int a = 0; a < 3; ++a)
        P[3 * i + a] =
            fma(point.weight,
                fma(F[3 * i], S[voigt[0][a]], fma(F[3 * i + 1], S[voigt[1][a]], F[3 * i + 2] * S[voigt[2][a]])),
                pressure[k] * strain[k].cof[3 * i + a]);
    for (int i = 0; i < 3; ++i)
      for (int a = 0; a < 3; ++a)
        turned[3 * i + a] = fma(P[3 * i], point.inverse[3 * a],
                                fma(P[3 * i + 1], point.inverse[3 * a + 1], P[3 * i + 2] * point.inverse[3 * a + 2]));
    const double* slope = view.rule.slopes(k);
    for (int n = 0; n < nodes; ++n)
      for (int i = 0; i < 3; ++i)
        r[3 * n + i] -= fma(T(slope[3 * n]), turned[3 * i],
                            fma(T(slope[3 * n + 1]), turned[3 * i + 1], T(slope[3 * n + 2]) * turned[3 * i + 2]));
  }
}

/// ∫ 2 η Ė:Ė dV
template <class T, class Law>
[[gnu::noinline]] T solid_dissipation(const SolidView<T, Law>& view, const T* x, const T* v) {
  T sum(0.0);
  for (int k = 0; k < view.rule.places; ++k) {
    T F[9], rate[9], twice[6];
    solid_deformation(view, k, x, F);
    solid_deformation(view, k, v, rate);
    for (T& e : twice) e = T(0.0);
    add_viscous_stress(T(1.0), F, rate, twice);
    for (int p = 0; p < 6; ++p) sum = fma(T(p < 3 ? 0.5 : 1.0) * view.point[k].weight * twice[p], twice[p], sum);
  }
  return view.viscosity * sum;
}

}  // namespace flexura
