#pragma once

#include <numbers>

#include "flexura/element/director_beam.hpp"
#include "flexura/element/director_curvature.hpp"
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
/// with the element's curvatures K_k = ψ(p) κ_k (director_curvature.hpp) at its two Gauss points. With χ = M·κ, ∂χ and u = ∂p:
///
///     r = Σ w (ψ ∂χ + ψ′ χ u),   −∂r = −Σ w (ψ ∂²χ + ψ′ (∂χ uᵀ + u ∂χᵀ) + ψ″ χ u uᵀ + ψ′ χ ∂u)
///
/// so that the forces have no resultant, turn with the beam, and the tangent is symmetric. Along a straight or evenly bent beam this
/// is the pair of end moments of PneumaticMoment2d.
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

  using Rule = Gauss<2>;
  /// Where d_k (1, 2, 3) of a node begins.
  static constexpr int at(int node, int k) { return 9 * node + 3 * (k - 1); }

  /// At a Gauss point, with ′ = d/dξ, since ∫ κ dS = ∫ κ J⁻¹ J dξ.
  template <class T>
  struct Point {
    DirectorBeam3::Shape shape;
    Vec<3, T> d[3], dd[3];
    T chi;

    Point(const Data<T>& data, const T* x, int g) : shape(DirectorBeam3::shape(Rule::x[g])) {
      for (int i = 0; i < 3; ++i) {
        d[i] = T(shape.f[0]) * Vec<3, T>::load(x + 3 * i);
        dd[i] = T(shape.df[0]) * Vec<3, T>::load(x + 3 * i);
        for (int a = 1; a < nodes; ++a) {
          d[i] += T(shape.f[a]) * Vec<3, T>::load(x + 9 * a + 3 * i);
          dd[i] += T(shape.df[a]) * Vec<3, T>::load(x + 9 * a + 3 * i);
        }
      }
      chi = T(0.5) * (data.about_1 * (dot(dd[1], d[2]) - dot(dd[2], d[1])) +
                      data.about_2 * (dot(dd[2], d[0]) - dot(dd[0], d[2])));
    }
    /// ∂χ of a node.
    void gradient(const Data<T>& data, int a, Vec<3, T> (&out)[3]) const {
      const T moments[3] = {data.about_1, data.about_2, T(0.0)};
      Vec<3, T> e[3];
      for (int i = 0; i < 3; ++i) e[i] = T(0.5) * (T(shape.df[a]) * d[i] - T(shape.f[a]) * dd[i]);
      for (int i = 0; i < 3; ++i) out[i] = curvature_gradient(moments, e, i);
    }
  };

  template <class T>
  static void residual(const Data<T>& data, const NoOptions&, const Context<T>& c, const T* x, const T*, T* r) {
    for (int i = 0; i < 27; ++i) r[i] = T(0.0);
    for (int g = 0; g < 2; ++g) {
      const Point<T> point(data, x, g);
      const CurvatureFactor<3, T> factor(CurvatureFactor<3, T>::p(point.d));
      const T weight = T(Rule::w[g]) * c.sig[0], along = factor.first() * point.chi;
      for (int a = 0; a < nodes; ++a) {
        Vec<3, T> gradient[3];
        point.gradient(data, a, gradient);
        for (int i = 0; i < 3; ++i)
          (weight * (factor.psi * gradient[i] + (along * T(point.shape.f[a])) * point.d[i])).add_to(r + 9 * a + 3 * i);
      }
    }
  }
  template <class T>
  static void tangent(const Data<T>& data, const NoOptions&, const Context<T>& c, const T* x, const T*, double, T* K) {
    for (int i = 0; i < 27 * 27; ++i) K[i] = T(0.0);
    const T moments[3] = {data.about_1, data.about_2, T(0.0)};
    for (int g = 0; g < 2; ++g) {
      const Point<T> point(data, x, g);
      const CurvatureFactor<3, T> factor(CurvatureFactor<3, T>::p(point.d));
      const T weight = T(-Rule::w[g]) * c.sig[0], first = weight * factor.first(), along = first * point.chi;
      const T half_bent = T(0.5) * weight * factor.second() * point.chi;
      Vec<3, T> z[nodes][3], u[nodes][3];  // u zᵀ + z uᵀ
      for (int a = 0; a < nodes; ++a) {
        point.gradient(data, a, z[a]);
        for (int i = 0; i < 3; ++i) {
          u[a][i] = T(point.shape.f[a]) * point.d[i];
          z[a][i] = first * z[a][i] + half_bent * u[a][i];
        }
      }
      for (int a = 0; a < nodes; ++a)
        for (int b = 0; b < nodes; ++b) {
          const double fa = point.shape.f[a], fb = point.shape.f[b];
          const T turn = (weight * factor.psi) * T(0.5 * (point.shape.df[a] * fb - fa * point.shape.df[b]));
          for (int s = 0; s < 9; ++s) {
            const int i = s / 3, j = s % 3;
            T* block = K + (9 * a + 3 * i) * 27 + 9 * b + 3 * j;
            for (int k = 0; k < 3; ++k)
              for (int l = 0; l < 3; ++l) block[27 * k + l] += u[a][i][k] * z[b][j][l] + z[a][i][k] * u[b][j][l];
            // κ_k of (i, j, k) cyclic: + turn on (d_i, d_j), − on (d_j, d_i)
            T identity = i == j ? along * T(fa * fb) : T(0.0);
            if ((i + 1) % 3 == j) identity += moments[(i + 2) % 3] * turn;
            if ((j + 1) % 3 == i) identity -= moments[(j + 2) % 3] * turn;
            for (int k = 0; k < 3; ++k) block[28 * k] += identity;
          }
        }
    }
  }
};

}  // namespace flexura
