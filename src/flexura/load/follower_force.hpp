#pragma once

#include "flexura/term/term.hpp"

namespace flexura {

/// Force at a point that turns with a direction.
///
///      n ↑  ↗ f       t = g/‖g‖,  n = J t,  f = s(t) (f_t t + f_n n)
///        o──→ g
///
/// Tangent: ∂f/∂g = s (f_t n − f_n t) nᵀ/‖g‖: unsymmetric, no potential.
struct FollowerForce2d {
  static constexpr std::string_view name = "follower_force_2d";
  static constexpr int dim = 2;
  static constexpr std::array slots{SlotKind::point, SlotKind::vector, SlotKind::signal};
  static constexpr bool symmetric = false;
  static constexpr Role role = Role::load;
  static constexpr SlotSource sources[] = {{"at", 0}, {"at", 0, true}, {"signal", 0}};
  static constexpr SceneForm scene{"load", "follower_force", "force at a point that turns with the part", sources};

  template <class T>
  struct Params {
    Vec<2, T> force;
  };
  static void fields(auto& p, auto&& field) {
    field(p.force, Field{.name = "force", .unit = "N", .doc = "along and across the direction, times the signal"});
  }

  template <class T>
  static void residual(const Params<T>& p, const NoOptions&, const Context<T>& c, const T* x, const T*, T* r) {
    const Vec<2, T> g = Vec<2, T>::load(x + 2);
    const Vec<2, T> t = g / norm(g);
    (c.sig[0] * (p.force[0] * t + p.force[1] * perp(t))).store(r);
    r[2] = r[3] = T(0.0);
  }
  template <class T>
  static void tangent(const Params<T>& p, const NoOptions&, const Context<T>& c, const T* x, const T*, double, T* K) {
    const Vec<2, T> g = Vec<2, T>::load(x + 2);
    const T size = norm(g);
    const Vec<2, T> t = g / size, n = perp(t);
    const Vec<2, T> turned = (-c.sig[0] / size) * (p.force[0] * n - p.force[1] * t);
    for (int i = 0; i < 16; ++i) K[i] = T(0.0);
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 2; ++j) K[i * 4 + 2 + j] = turned[i] * n[j];
  }
};

}  // namespace flexura
