#pragma once

#include "flexura/element/ancf_cable_2d.hpp"
#include "flexura/element/cubic_line.hpp"
#include "flexura/term/term.hpp"

namespace flexura {

/// Damping in proportion to the tangent stiffness, −c₂ K(q) q̇, of a straight planar cable with the laws `green` and
/// `simplified`, as published.                                                            [rong2024 eq 28 and section 4.4]
///
///      r₀,g₀ o─────────o r₁,g₁        Q_e = ∫ (EA ε r_x δr_x + EI r_xx δr_xx) dx,   ε = (r_x·r_x − 1)/2
///
/// K q̇ is the rate of Q_e: with d = r_x, s = r_xx the forces c₂ EA (ε̇ d + ε ḋ), ε̇ = d·ḋ, on d and c₂ EI ṡ on s. Retardation
/// of stretch and bending gives the same for small motions; this also brakes a bent or pulled cable that turns as a rigid
/// body, and drives one that is pressed.
/// Quadrature: stretch as the cable's own, 3 Gauss points for bending. Units: SI.
struct StiffnessDamping2d {
  static constexpr std::string_view name = "stiffness_damping_2d";
  static constexpr int dim = 2;
  static constexpr std::array slots{SlotKind::point, SlotKind::vector, SlotKind::point, SlotKind::vector};
  static constexpr bool symmetric = true;
  static constexpr Role role = Role::dissipative;

  using Integration = AncfCable2d::Integration;
  struct Options {
    Integration integration = Integration::full;
    bool operator==(const Options&) const = default;
  };
  static void options(auto& o, auto&& option) {
    static constexpr std::string_view integrations[] = {"full", "reduced"};
    option(o.integration, Option{"integration", "points of stretch, of K as of the cable", integrations});
  }

  template <class T>
  struct Params {
    T EA, EI, length, time;
  };
  static void fields(auto& p, auto&& field) {
    field(p.EA, Field{.name = "EA", .unit = "N", .doc = "axial stiffness", .min = 0});
    field(p.EI, Field{.name = "EI", .unit = "N m^2", .doc = "bending stiffness", .min = 0});
    field(p.length, Field{.name = "length", .unit = "m", .doc = "length of the element", .above = 0});
    field(p.time, Field{.name = "time", .unit = "s", .doc = "c2 of the force -c2 K v", .min = 0});
  }

  template <class T>
  static void residual(const Params<T>& p, const Options& o, const Context<T>&, const T* x, const T* v, T* r) {
    const bool is_reduced = o.integration == Integration::reduced;
    const T inv_l = T(1.0) / p.length;
    const CubicLine<2, T> e(x, inv_l), ev(v, inv_l);
    CubicForces<2, T> f;
    for (int g = 0; g < stretch_count(is_reduced); ++g) {
      const CubicShape sh = cubic_shape(stretch_place(is_reduced, g));
      const Vec<2, T> d = e.d(sh), rate = ev.d(sh);
      const T w = p.time * p.EA * p.length * T(stretch_weight(is_reduced, g)), strain = T(0.5) * (dot(d, d) - T(1.0));
      f.subtract(sh.f, w * (dot(d, rate) * d + strain * rate));
    }
    for (int g = 0; g < 3; ++g) {
      const CubicShape sh = cubic_shape(Gauss<3>::x[g]);
      f.subtract(sh.df, (p.time * p.EI * T(Gauss<3>::w[g])) * ev.s(sh, inv_l));  // l w ṡ/l
    }
    f.to_nodes(inv_l, r);
  }

  template <class T>
  static void tangent(const Params<T>& p, const Options& o, const Context<T>&, const T* x, const T* v, double cd,
                      T* K) {
    const bool is_reduced = o.integration == Integration::reduced;
    const T inv_l = T(1.0) / p.length, c = T(cd);
    const CubicLine<2, T> e(x, inv_l), ev(v, inv_l);
    T H[6][6];
    for (auto& row : H)
      for (T& h : row) h = T(0.0);
    // d: ε̇ I + d ḋᵀ + ḋ dᵀ of positions, ε I + d dᵀ of rates
    for (int g = 0; g < stretch_count(is_reduced); ++g) {
      const CubicShape sh = cubic_shape(stretch_place(is_reduced, g));
      const Vec<2, T> d = e.d(sh), rate = ev.d(sh);
      const T w = p.time * p.EA * p.length * T(stretch_weight(is_reduced, g)), strain = T(0.5) * (dot(d, d) - T(1.0));
      T A[2][2];
      for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j) {
          A[i][j] = w * (d[i] * rate[j] + rate[i] * d[j] + c * d[i] * d[j]);
          if (i == j) A[i][j] += w * (dot(d, rate) + c * strain);
        }
      add(sh.f, A, H);
    }
    for (int g = 0; g < 3; ++g) {
      const T w = c * p.time * p.EI * T(Gauss<3>::w[g]) * inv_l;
      const T A[2][2] = {{w, T(0.0)}, {T(0.0), w}};
      add(cubic_shape(Gauss<3>::x[g]).df, A, H);
    }
    spread_cubic<2, true>(H, inv_l, K);
  }

  template <class T>
  static T dissipation(const Params<T>& p, const Options& o, const Context<T>& c, const T* x, const T* v) {
    T r[8];
    residual(p, o, c, x, v, r);
    T power = T(0.0);
    for (int i = 0; i < 8; ++i) power -= r[i] * v[i];
    return power;
  }

 private:
  template <class T>
  static void add(const double (&shape)[3], const T (&A)[2][2], T (&H)[6][6]) {
    for (int p = 0; p < 3; ++p)
      for (int q = 0; q < 3; ++q)
        for (int i = 0; i < 2; ++i)
          for (int j = 0; j < 2; ++j) H[2 * p + i][2 * q + j] += T(shape[p] * shape[q]) * A[i][j];
  }
};

}  // namespace flexura
