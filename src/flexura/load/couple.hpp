#pragma once

#include "flexura/load/node_moment.hpp"

namespace flexura {

/// Moment on the line between two places, as of a body of trusses: a pair of forces that turns with it.
///
///      0 o────────o 1      ↺ M      r₁ = s M J d/‖d‖²,  r₀ = −r₁,  d = r₁ − r₀         work M dθ
struct Couple2d {
  static constexpr std::string_view name = "couple_2d";
  static constexpr int dim = 2;
  static constexpr std::array slots{SlotKind::point, SlotKind::point, SlotKind::signal};
  static constexpr bool symmetric = true;
  static constexpr Role role = Role::load;
  static constexpr SlotSource sources[] = {{"between", 0}, {"between", 1}, {"signal", 0}};
  static constexpr SceneForm scene{"load", "couple", "moment on the line between two places, as a pair of forces",
                                   sources};
  static bool uses_velocity(const NoOptions&) { return false; }

  template <class T>
  using Params = NodeMoment2d::Params<T>;
  static void fields(auto& p, auto&& field) { NodeMoment2d::fields(p, field); }

  template <class T>
  static void residual(const Params<T>& p, const NoOptions&, const Context<T>& c, const T* x, const T*, T* r) {
    const Vec<2, T> d = Vec<2, T>::load(x + 2) - Vec<2, T>::load(x);
    const Vec<2, T> force = NodeMoment2d::force({}, c.sig[0] * p.moment, d);
    force.store(r + 2);
    (T(-1.0) * force).store(r);
  }
  template <class T>
  static void tangent(const Params<T>& p, const NoOptions&, const Context<T>& c, const T* x, const T*, double, T* K) {
    for (int i = 0; i < 16; ++i) K[i] = T(0.0);
    const Vec<2, T> d = Vec<2, T>::load(x + 2) - Vec<2, T>::load(x);
    NodeMoment2d::subtract_stiffness({}, c.sig[0] * p.moment, d, K + 10, 4);
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 2; ++j) {
        const T k = K[4 * (2 + i) + 2 + j];
        K[4 * i + j] = k;
        K[4 * i + 2 + j] = K[4 * (2 + i) + j] = -k;
      }
  }
};

}  // namespace flexura
