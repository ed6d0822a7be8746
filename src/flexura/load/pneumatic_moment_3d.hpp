#pragma once

#include <numbers>

#include "flexura/element/director_beam.hpp"
#include "flexura/load/line_frame.hpp"
#include "flexura/math/quadrature.hpp"
#include "flexura/term/term.hpp"

namespace flexura {

/// Pressure of a chamber beside the neutral line of a cable in space, as a pair of end moments about a direction of space.
///
///      ↻ o~~~~~~~~o ↺ M       M = π R² a p(t),  +M on g₁, −M on g₀, about the normal e       [rong2024 eqs 17–18]
///        g₀       g₁          r = M w/(w·w),  w = e × g: work M dφ, φ the angle of g about e; symmetric tangent
///
/// A cable has no torsion and cannot say itself on which side its chamber lies: e does. In a plane across e it is
/// PneumaticMoment2d. In beams a scene's load is PneumaticMomentBeam3d.
struct PneumaticMoment3d {
  static constexpr std::string_view name = "pneumatic_moment_3d";
  static constexpr int dim = 3;
  static constexpr std::array slots{SlotKind::signal, SlotKind::vector, SlotKind::vector};
  static constexpr bool symmetric = true;
  static constexpr Role role = Role::load;
  static constexpr SlotSource sources[] = {{"pressure", 0}, {"between", 0}, {"between", 1}};
  static constexpr SceneForm scene{"load", "pneumatic", "chamber pressure as moments between two places", sources};

  template <class T>
  struct Params {
    T radius, arm;
    T angle{};
    Vec<3, T> normal{};
  };
  static void fields(auto& p, auto&& field) {
    field(p.radius, Field{.name = "radius", .unit = "m", .doc = "radius of the chamber", .above = 0});
    field(p.arm, Field{.name = "arm",
                       .unit = "m",
                       .doc = "distance of the chamber's axis from the neutral line; the sign chooses the side"});
    field(p.angle, Field{.name = "angle",
                         .unit = "rad",
                         .doc = "of a beam: where the chamber lies in its section, from d1 towards d2",
                         .value = 0});
    field(
        p.normal,
        Field{.name = "normal", .unit = "1", .doc = "of a cable: direction of space about which it bends", .value = 0});
  }

  template <class T>
  static T moment(const Params<T>& p, const Context<T>& c) {
    return T(std::numbers::pi) * p.radius * p.radius * p.arm * c.sig[0];
  }
  template <class T>
  static void residual(const Params<T>& p, const NoOptions&, const Context<T>& c, const T* x, const T*, T* r) {
    const T M = moment(p, c);
    const Vec<3, T> e = p.normal / norm(p.normal);
    for (int end = 0; end < 2; ++end) {
      const Vec<3, T> w = cross(e, Vec<3, T>::load(x + 3 * end));
      ((end == 0 ? -M : M) / dot(w, w) * w).store(r + 3 * end);
    }
  }
  /// −∂r/∂g δg = −M (δw/(w·w) − 2 w (w·δw)/(w·w)²),  δw = e × δg
  template <class T>
  static void tangent(const Params<T>& p, const NoOptions&, const Context<T>& c, const T* x, const T*, double, T* K) {
    const T M = moment(p, c);
    const Vec<3, T> e = p.normal / norm(p.normal);
    for (int i = 0; i < 36; ++i) K[i] = T(0.0);
    for (int end = 0; end < 2; ++end) {
      const Vec<3, T> w = cross(e, Vec<3, T>::load(x + 3 * end));
      const T inverse = T(1.0) / dot(w, w), turn = (end == 0 ? -M : M) * inverse;
      for (int j = 0; j < 3; ++j) {
        const Vec<3, T> dw = cross(e, axis_of_space<T>(j));
        const Vec<3, T> change = turn * (dw - (T(2.0) * inverse * dot(w, dw)) * w);
        for (int i = 0; i < 3; ++i) K[(3 * end + i) * 6 + 3 * end + j] = -change[i];
      }
    }
  }
};

/// Pressure of a chamber in the wall of a beam, on one of its elements: what bends it does not depend on where it is.
///
///         ___d₁           the chamber's axis lies at c = a (cos α d₁ + sin α d₂) of the section; its length is
///      ○ c   │                ∫ (1 + κ·(c × d₃)) dS, the pressure works π R² p on each metre of it:
///      ──────┼── d₃       W = ∫ M·κ dS,  M = π R² p c × d₃ = π R² a p (sin α d₁ − cos α d₂)
///
/// with the element's curvatures κ₁ = ½ (d₂'·d₃ − d₂·d₃'), κ₂ = ½ (d₃'·d₁ − d₃·d₁') [simo1986]. Their integrals are exact,
///
///     ∫ κ₁ dS = Σ G_bc d₂b·d₃c,  ∫ κ₂ dS = Σ G_bc d₃b·d₁c,   G_bc = ½ ∫ (N_b' N_c − N_b N_c') dξ
///
/// bilinear, so that the forces are linear in the directors, have no resultant, turn with the beam, and the tangent is
/// symmetric and constant. Along a straight or evenly bent beam this is the pair of end moments of PneumaticMoment2d.
struct PneumaticMomentBeam3d {
  static constexpr std::string_view name = "pneumatic_moment_beam_3d";
  static constexpr int dim = 3, nodes = 3;
  static constexpr auto slots = [] {
    std::array<SlotKind, 3 * nodes + 1> kinds{};
    kinds.fill(SlotKind::vector);
    kinds[0] = SlotKind::signal;
    return kinds;
  }();
  static constexpr bool symmetric = true;
  static constexpr Role role = Role::load;
  static constexpr SceneForm scene{"", "", "chamber pressure along a beam", {}};

  template <class T>
  struct Params {
    T radius, arm, angle;
  };
  static void fields(auto& p, auto&& field) {
    field(p.radius, Field{.name = "radius", .unit = "m", .doc = "radius of the chamber", .above = 0});
    field(p.arm, Field{.name = "arm", .unit = "m", .doc = "distance of the chamber's axis from the beam's"});
    field(p.angle, Field{.name = "angle", .unit = "rad", .doc = "of the chamber's axis from d1 towards d2"});
  }

  template <class T>
  struct Data {
    T about_1, about_2;  ///< M₁, M₂ for a pressure of 1 Pa
  };
  template <class T>
  static Data<T> prepare(const Params<T>& p, const NoOptions&, const T*) {
    const T size = T(std::numbers::pi) * p.radius * p.radius * p.arm;
    return {size * sin(p.angle), -size * cos(p.angle)};
  }

  struct Pairs {
    double G[nodes][nodes];
  };
  static constexpr Pairs pairs = [] {
    Pairs out{};
    for (int g = 0; g < 2; ++g) {
      const auto N = DirectorBeam3::shape(Gauss<2>::x[g]);
      for (int b = 0; b < nodes; ++b)
        for (int c = 0; c < nodes; ++c) out.G[b][c] += 0.5 * Gauss<2>::w[g] * (N.df[b] * N.f[c] - N.f[b] * N.df[c]);
    }
    return out;
  }();
  /// Where d_k (1, 2, 3) of a node begins.
  static constexpr int at(int node, int k) { return 9 * node + 3 * (k - 1); }

  template <class T>
  static void residual(const Data<T>& d, const NoOptions&, const Context<T>& c, const T* x, const T*, T* r) {
    for (int i = 0; i < 27; ++i) r[i] = T(0.0);
    const auto add = [&](const T& moment, int k, int l) {  // of moment Σ G_bc d_kb·d_lc
      for (int b = 0; b < nodes; ++b)
        for (int e = 0; e < nodes; ++e) {
          const T weight = (moment * c.sig[0]) * T(pairs.G[b][e]);
          (weight * Vec<3, T>::load(x + at(e, l))).add_to(r + at(b, k));
          (weight * Vec<3, T>::load(x + at(b, k))).add_to(r + at(e, l));
        }
    };
    add(d.about_1, 2, 3);
    add(d.about_2, 3, 1);
  }
  template <class T>
  static void tangent(const Data<T>& d, const NoOptions&, const Context<T>& c, const T*, const T*, double, T* K) {
    for (int i = 0; i < 27 * 27; ++i) K[i] = T(0.0);
    const auto subtract = [&](const T& moment, int k, int l) {
      for (int b = 0; b < nodes; ++b)
        for (int e = 0; e < nodes; ++e) {
          const T weight = (moment * c.sig[0]) * T(pairs.G[b][e]);
          for (int i = 0; i < 3; ++i) {
            K[(at(b, k) + i) * 27 + at(e, l) + i] -= weight;
            K[(at(e, l) + i) * 27 + at(b, k) + i] -= weight;
          }
        }
    };
    subtract(d.about_1, 2, 3);
    subtract(d.about_2, 3, 1);
  }
};

}  // namespace flexura
