#pragma once

#include "flexura/element/full_beam_point.hpp"

namespace flexura {

/// Viscosity of a full beam (ancf_beam_24_kernel.hpp).
struct FullBeamDamping : FullBeamPoint {
  /// V of N = V ė: Σ 2 η w (∂ε̂/∂e)ᵀ(·), ε̂_p = ε_p − ν_p (ε₀ − ε₀ of the axis).
  template <class T>
  [[gnu::noinline]] static void prepare_viscosity(Data<T>& data, const Options& o, int s, const T& viscosity) {
    T(&V)[strain_pairs] = data.viscous[s];
    for (T& value : V) value = T(0.0);
    const int per = section_points(o.section, o.points);
    for (int k = 0; k < per; ++k) {
      const PlateMetric<T>& metric = data.metric[s * per + k];
      T D[21], rows[6][beam_strains];
      viscous_stiffness(metric, metric.weight * viscosity, D);
      viscous_rows(data, k, rows);
      for (int p = 0; p < 6; ++p) {
        T line[beam_strains];
        for (int j = 0; j < beam_strains; ++j) {
          line[j] = D[triangle(p, 0)] * rows[0][j];
          for (int q = 1; q < 6; ++q) line[j] = fma(D[triangle(p, q)], rows[q][j], line[j]);
        }
        for (int i = 0; i < beam_strains; ++i)
          for (int j = 0; j <= i; ++j) V[triangle(i, j)] = fma(rows[p][i], line[j], V[triangle(i, j)]);
      }
    }
  }
  template <class T>
  static void viscous_rows(const Data<T>& data, int k, T (&rows)[6][beam_strains]) {
    const SectionMap<T>& map = data.map[k];
    for (int p = 0; p < 6; ++p) {
      for (T& value : rows[p]) value = T(0.0);
      for (int l = 0; l < map.many[p]; ++l)
        if (map.part[p][l] < beam_strains) rows[p][map.part[p][l]] = map.slope(p, l);
    }
    for (int p = 1; p < 3; ++p)
      for (int l = 1; l < 6; ++l) rows[p][l] = fma(-data.exponent[p - 1], rows[0][l], rows[p][l]);
  }
  template <class T>
  [[gnu::noinline]] static void add_viscous_force(const Data<T>& data, const Options& o, int s, const BeamVectors<T>& u,
                                                  const BeamVectors<T>& rates, T (&N)[beam_parts]) {
    T rate[beam_strains];
    strain_rates(stations_of(o).forms[s], u, rates, rate);
    for (int p = 0; p < beam_strains; ++p)
      for (int q = 0; q < beam_strains; ++q) N[p] = fma(data.viscous[s][triangle(p, q)], rate[q], N[p]);
  }
  /// ė_p = uᵀ A_p u̇
  template <class T>
  static void strain_rates(const BeamForms& forms, const BeamVectors<T>& u, const BeamVectors<T>& rates,
                           T (&rate)[beam_strains]) {
    for (T& value : rate) value = T(0.0);
    for (int k = 0; k < forms.count; ++k) {
      const BeamForms::Entry& a = forms.entry[k];
      T both = dot(u.u[a.i], rates.u[a.j]);
      if (a.i != a.j) both += dot(u.u[a.j], rates.u[a.i]);
      rate[a.p] = fma(T(a.a), both, rate[a.p]);
    }
  }
  /// ∫ 2 η Ė:Ė dV
  template <class T>
  static T dissipation(const Data<T>& data, const Options& o, const Context<T>&, const T* x, const T* v) {
    T sum(0.0);
    if (o.damped == Damped::no) return sum;
    const BeamVectors<T> u(x, data.inv_l), rates(v, data.inv_l);
    for (int s = 0; s < stations(o); ++s) {
      T rate[beam_strains];
      strain_rates(stations_of(o).forms[s], u, rates, rate);
      for (int p = 0; p < beam_strains; ++p)
        for (int q = 0; q < beam_strains; ++q) sum = fma(data.viscous[s][triangle(p, q)] * rate[p], rate[q], sum);
    }
    return sum;
  }
};

}  // namespace flexura
