#pragma once

#include "flexura/term/term.hpp"

namespace flexura {

/// Force at a point, fixed in space.
///
///      o──→  s(t) f          r = s f          work is recorded; no stiffness
///
/// Slots: point, signal s(t) [1].
template <int D>
struct PointForce {
  static constexpr std::string_view name = D == 2 ? "point_force_2d" : "point_force_3d";
  static constexpr int dim = D;
  static constexpr std::array slots{SlotKind::point, SlotKind::signal};
  static constexpr bool symmetric = true;
  static constexpr Role role = Role::load;
  static constexpr SlotSource sources[] = {{"at", 0}, {"signal", 0}};
  static constexpr SceneForm scene{"load", "force", "force at a point, fixed in space", sources};

  template <class T>
  struct Params {
    Vec<D, T> force;
  };

  static void fields(auto& p, auto&& field) {
    field(p.force, Field{.name = "force", .unit = "N", .doc = "force, multiplied by the signal"});
  }

  template <class T>
  static void residual(const Params<T>& p, const NoOptions&, const Context<T>& c, const T*, const T*, T* r) {
    (c.sig[0] * p.force).store(r);
  }
  template <class T>
  static void tangent(const Params<T>&, const NoOptions&, const Context<T>&, const T*, const T*, double, T* k) {
    for (int i = 0; i < D * D; ++i) k[i] = T(0.0);
  }
};

using PointForce2d = PointForce<2>;
using PointForce3d = PointForce<3>;

}  // namespace flexura
