#pragma once

#include <numbers>

#include "flexura/load/node_moment.hpp"

namespace flexura {

/// Pressure of a chamber beside the neutral line, as a pair of end moments.
///
///      ↻ o~~~~~~~~o ↺ M       M = π R² a p(t):  R radius of the chamber, a arm from the neutral line, p = signal [Pa]
///        g₀       g₁          +M on g₁, −M on g₀                                   [rong2024 eqs 17–18]
struct PneumaticMoment2d {
  static constexpr std::string_view name = "pneumatic_moment_2d";
  static constexpr int dim = 2;
  static constexpr std::array slots{SlotKind::vector, SlotKind::vector, SlotKind::signal};
  static constexpr Role role = Role::load;
  static constexpr SlotSource sources[] = {{"between", 0}, {"between", 1}, {"pressure", 0}};
  static constexpr SceneForm scene{"load", "pneumatic", "chamber pressure as a pair of end moments", sources};

  using Options = NodeMoment2d::Options;
  static void options(auto& o, auto&& option) { NodeMoment2d::options(o, option); }
  static bool symmetric(const Options& o) { return NodeMoment2d::symmetric(o); }

  template <class T>
  struct Params {
    T radius, arm;
  };
  static void fields(auto& p, auto&& field) {
    field(p.radius, Field{.name = "radius", .unit = "m", .doc = "radius of the chamber", .above = 0});
    field(p.arm, Field{.name = "arm",
                       .unit = "m",
                       .doc = "distance of the chamber's axis from the neutral line; the sign chooses the side"});
  }

  template <class T>
  static T moment(const Params<T>& p, const Context<T>& c) {
    return T(std::numbers::pi) * p.radius * p.radius * p.arm * c.sig[0];
  }
  template <class T>
  static void residual(const Params<T>& p, const Options& o, const Context<T>& c, const T* x, const T*, T* r) {
    const T M = moment(p, c);
    NodeMoment2d::force(o, -M, Vec<2, T>::load(x)).store(r);
    NodeMoment2d::force(o, M, Vec<2, T>::load(x + 2)).store(r + 2);
  }
  template <class T>
  static void tangent(const Params<T>& p, const Options& o, const Context<T>& c, const T* x, const T*, double, T* K) {
    const T M = moment(p, c);
    for (int i = 0; i < 16; ++i) K[i] = T(0.0);
    NodeMoment2d::subtract_stiffness(o, -M, Vec<2, T>::load(x), K, 4);
    NodeMoment2d::subtract_stiffness(o, M, Vec<2, T>::load(x + 2), K + 10, 4);
  }
};

}  // namespace flexura
