#pragma once

#include "flexura/element/viscoelastic.hpp"
#include "flexura/term/term.hpp"

namespace flexura {

/// Spring, damper and end stops on the angle or displacement of a joint.
///
///      x: angle [rad] or displacement [m]          f = −k (x − x₀) − c ẋ − stop(x − upper) + stop(lower − x)
///
///     stop(p), p the penetration, w the width over which the stop engages, s = p/w in [0, 1], u = max(p − w, 0):
///         k_s (w (s³ − s⁴/2) + u) + c_s s² (3 − 2 s) ṗ:  once continuously differentiable, k_s p − k_s w/2 beyond w
///         energy k_s (w² (s⁴/4 − s⁵/10) + w u/2 + u²/2)
///
/// Units: of force over x, with N m for angles and N for displacements.
template <int D>
struct CoordinateSpring {
  static constexpr std::string_view name = D == 2 ? "coordinate_spring_2d" : "coordinate_spring_3d";
  static constexpr int dim = D;
  static constexpr std::array slots{SlotKind::scalar};
  static constexpr bool symmetric = true;
  static constexpr Role role = Role::conservative;
  static constexpr SlotSource sources[] = {{"at", 0}};
  static constexpr SceneForm scene{
      "spring", "joint", "spring, damper and end stops on a joint's angle or displacement, or a truss's length",
      sources};

  template <class T>
  struct Params {
    T stiffness{}, damping{}, rest{}, lower{}, upper{}, stop_stiffness{}, stop_damping{}, stop_width{};
  };
  static void fields(auto& p, auto&& field) {
    field(p.stiffness, Field{.name = "stiffness", .unit = "*", .doc = "spring rate k", .value = 0, .min = 0});
    field(p.damping, Field{.name = "damping", .unit = "*", .doc = "damper rate c", .value = 0, .min = 0});
    field(p.rest, Field{.name = "rest", .unit = "*", .doc = "angle or displacement without force", .value = 0});
    field(p.lower, Field{.name = "lower", .unit = "*", .doc = "where the lower stop begins", .value = -1e9});
    field(p.upper, Field{.name = "upper", .unit = "*", .doc = "where the upper stop begins", .value = 1e9});
    field(p.stop_stiffness,
          Field{.name = "stop_stiffness", .unit = "*", .doc = "rate k_s of the stops", .value = 0, .min = 0});
    field(p.stop_damping,
          Field{.name = "stop_damping", .unit = "*", .doc = "damper rate c_s of the stops", .value = 0, .min = 0});
    field(p.stop_width, Field{.name = "stop_width",
                              .unit = "*",
                              .doc = "penetration over which the stops engage",
                              .value = 1e-3,
                              .above = 0});
  }

  template <class T>
  struct Stop {
    T force, slope, slope_rate, energy;  ///< of unit stiffness; `slope` is the share of c_s too
    Stop(const Params<T>& p, T penetration) {
      const T w = p.stop_width, s = min(max(penetration / w, T(0.0)), T(1.0)), u = max(penetration - w, T(0.0));
      const T s2 = s * s;
      force = w * (s2 * s - T(0.5) * s2 * s2) + u;
      slope = s2 * (T(3.0) - T(2.0) * s);
      slope_rate = T(6.0) * s * (T(1.0) - s) / w;
      energy = w * w * s2 * s2 * (T(0.25) - T(0.1) * s) + T(0.5) * u * (w + u);
    }
  };

  template <class T>
  static void residual(const Params<T>& p, const NoOptions&, const Context<T>&, const T* x, const T* v, T* r) {
    const Stop<T> low(p, p.lower - x[0]), high(p, x[0] - p.upper);
    r[0] = p.stiffness * (p.rest - x[0]) + p.stop_stiffness * (low.force - high.force) -
           (p.damping + p.stop_damping * (low.slope + high.slope)) * v[0];
  }
  template <class T>
  static void tangent(const Params<T>& p, const NoOptions&, const Context<T>&, const T* x, const T* v, double cd,
                      T* K) {
    const Stop<T> low(p, p.lower - x[0]), high(p, x[0] - p.upper);
    K[0] = p.stiffness + p.stop_stiffness * (low.slope + high.slope) +
           p.stop_damping * (high.slope_rate - low.slope_rate) * v[0] +
           T(cd) * (p.damping + p.stop_damping * (low.slope + high.slope));
  }
  template <class T>
  static T energy(const Params<T>& p, const NoOptions&, const Context<T>&, const T* x) {
    const T d = x[0] - p.rest;
    return T(0.5) * p.stiffness * d * d +
           p.stop_stiffness * (Stop<T>(p, p.lower - x[0]).energy + Stop<T>(p, x[0] - p.upper).energy);
  }
  // For viscoelastic.hpp: x − x₀. The stops do not relax.
  static constexpr int strain_count = 1;
  template <class T>
  static void strains(const Params<T>& p, const NoOptions&, const T* x, T* e) {
    e[0] = x[0] - p.rest;
  }
  template <class T>
  static void set_free(Params<T>& p, const NoOptions&, const T& factor, const T* shift) {
    p.stiffness *= factor;
    p.rest += shift[0];
  }
  template <class T>
  static T dissipation(const Params<T>& p, const NoOptions&, const Context<T>&, const T* x, const T* v) {
    const Stop<T> low(p, p.lower - x[0]), high(p, x[0] - p.upper);
    return (p.damping + p.stop_damping * (low.slope + high.slope)) * v[0] * v[0];
  }
};

using ViscoelasticCoordinateSpring2d = Viscoelastic<CoordinateSpring<2>>;
using ViscoelasticCoordinateSpring3d = Viscoelastic<CoordinateSpring<3>>;
using CoordinateSpring2d = CoordinateSpring<2>;
using CoordinateSpring3d = CoordinateSpring<3>;

}  // namespace flexura
