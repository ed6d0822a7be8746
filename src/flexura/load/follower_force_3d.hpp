#pragma once

#include "flexura/load/line_frame.hpp"
#include "flexura/term/term.hpp"

namespace flexura {

/// Force at a point of a cable in space that turns with its tangent.
///
///      n ↑  ↗ f       f = s(t) (f_t t + f_n n + f_b b),  t, n, b of g and the normal e as in line_frame.hpp:
///        o──→ g       in a plane across e it is FollowerForce2d
///
/// On bodies and nodes of beams, which have directions of their own, a scene's load is FollowerForceFrame3d.
struct FollowerForce3d {
  static constexpr std::string_view name = "follower_force_3d";
  static constexpr int dim = 3;
  static constexpr std::array slots{SlotKind::point, SlotKind::vector, SlotKind::signal};
  static constexpr bool symmetric = false;
  static constexpr Role role = Role::load;
  static constexpr SlotSource sources[] = {{"at", 0}, {"at", 0, true}, {"signal", 0}};
  static constexpr SceneForm scene{"load", "follower_force", "force at a point that turns with the part", sources};

  template <class T>
  struct Params {
    Vec<3, T> force;
    Vec<3, T> normal{};
  };
  static void fields(auto& p, auto&& field) {
    field(p.force,
          Field{.name = "force",
                .unit = "N",
                .doc = "along the part and across it, times the signal: along the tangent, across it, along `normal` "
                       "of a cable; along d3, d1, d2 of a beam; along x, y, z of a body"});
    field(p.normal, Field{.name = "normal",
                          .unit = "1",
                          .doc = "of a cable: direction of space across which it bends; across is normal x tangent",
                          .value = 0});
  }

  template <class T>
  static void residual(const Params<T>& p, const NoOptions&, const Context<T>& c, const T* x, const T*, T* r) {
    const LineFrame<T> frame(Vec<3, T>::load(x + 3), p.normal);
    (c.sig[0] * frame.force(p.force)).store(r);
    r[3] = r[4] = r[5] = T(0.0);
  }
  template <class T>
  static void tangent(const Params<T>& p, const NoOptions&, const Context<T>& c, const T* x, const T*, double, T* K) {
    const LineFrame<T> frame(Vec<3, T>::load(x + 3), p.normal);
    for (int i = 0; i < 36; ++i) K[i] = T(0.0);
    for (int j = 0; j < 3; ++j) {
      const Vec<3, T> change = c.sig[0] * frame.change(p.force, axis_of_space<T>(j));
      for (int i = 0; i < 3; ++i) K[i * 6 + 3 + j] = -change[i];
    }
  }
};

/// Force at a point of a body or beam that turns with it.
///
///      a₃ ↑ ↗ a₂      f = s(t) (f₁ a₁ + f₂ a₂ + f₃ a₃),  a_k axes of the body; of a beam's node d₃, d₁, d₂: along it, then
///         └──→ a₁     across.  Tangent: −∂f/∂a_k = −s f_k I: unsymmetric, no potential
struct FollowerForceFrame3d {
  static constexpr std::string_view name = "follower_force_frame_3d";
  static constexpr int dim = 3;
  static constexpr std::array slots{SlotKind::point, SlotKind::vector, SlotKind::vector, SlotKind::vector,
                                    SlotKind::signal};
  static constexpr bool symmetric = false;
  static constexpr Role role = Role::load;
  static constexpr SceneForm scene{"", "", "force that turns with a body or a node of a beam", {}};

  template <class T>
  struct Params {
    Vec<3, T> force;
  };
  static void fields(auto& p, auto&& field) {
    field(p.force, Field{.name = "force", .unit = "N", .doc = "along the three axes, times the signal"});
  }

  template <class T>
  static void residual(const Params<T>& p, const NoOptions&, const Context<T>& c, const T* x, const T*, T* r) {
    Vec<3, T> f = p.force[0] * Vec<3, T>::load(x + 3);
    for (int k = 1; k < 3; ++k) f += p.force[k] * Vec<3, T>::load(x + 3 + 3 * k);
    (c.sig[0] * f).store(r);
    for (int i = 3; i < 12; ++i) r[i] = T(0.0);
  }
  template <class T>
  static void tangent(const Params<T>& p, const NoOptions&, const Context<T>& c, const T*, const T*, double, T* K) {
    for (int i = 0; i < 144; ++i) K[i] = T(0.0);
    for (int k = 0; k < 3; ++k)
      for (int i = 0; i < 3; ++i) K[i * 12 + 3 + 3 * k + i] = -(c.sig[0] * p.force[k]);
  }
};

}  // namespace flexura
