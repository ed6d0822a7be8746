#pragma once

#include "flexura/term/term.hpp"

namespace flexura {

/// Mass concentrated at a point.
///
///      o m            ½ m ṙ·ṙ;  gravity acts on it through its mass
template <int D>
struct PointMass {
  static constexpr std::string_view name = D == 2 ? "point_mass_2d" : "point_mass_3d";
  static constexpr int dim = D;
  static constexpr std::array slots{SlotKind::point};
  static constexpr Role role = Role::conservative;
  static constexpr SlotSource sources[] = {{"at", 0}};
  static constexpr SceneForm scene{"mass", "point", "mass concentrated at a point", sources};

  template <class T>
  struct Params {
    T m;
  };
  static void fields(auto& p, auto&& field) { field(p.m, Field{.name = "m", .unit = "kg", .doc = "mass", .min = 0}); }

  template <class T>
  static void mass(const Params<T>& p, T* m) {
    m[0] = p.m;
  }
};

using PointMass2d = PointMass<2>;
using PointMass3d = PointMass<3>;

}  // namespace flexura
