#pragma once
// Inertia of rigid bodies in natural coordinates [jalon1994].
//
//     o s₀ ──── s₁ … s_N           r(X) = Σ c_a(X) s_a,  c_a affine in X,  s_a points or vectors of the body
//
//     T = ½ Σ m_ab ṡ_a·ṡ_b,  m_ab = ∫ ρ c_a c_b dV constant: no gyroscopic terms; rigidity is a set of constraints
//
// Which slots are points is the model's affair: gravity acts on those.

#include "flexura/term/term.hpp"

namespace flexura {

/// N slots of D coordinates: 2 (a slender rod), 3 (planar) or 4 (spatial).
template <int D, int N>
struct RigidMass {
  static constexpr std::string_view name =
      D == 2 ? (N == 2 ? "rod_mass_2d" : "rigid_mass_2d") : (N == 2 ? "rod_mass_3d" : "rigid_mass_3d");
  static constexpr int dim = D, pairs = N * (N + 1) / 2;
  static constexpr auto slots = [] {
    std::array<SlotKind, N> kinds{};
    kinds.fill(SlotKind::vector);
    kinds[0] = SlotKind::point;
    return kinds;
  }();
  static constexpr Role role = Role::conservative;
  static constexpr SceneForm scene{"", "", "inertia of a rigid body", {}};

  template <class T>
  struct Params {
    Vec<pairs, T> m;
  };
  static void fields(auto& p, auto&& field) {
    field(p.m, Field{.name = "m", .unit = "kg", .doc = "m_ab, lower triangle by rows: 00, 10, 11, 20, …"});
  }

  template <class T>
  static void mass(const Params<T>& p, T* m) {
    int k = 0;
    for (int a = 0; a < N; ++a)
      for (int b = 0; b <= a; ++b) m[a * N + b] = m[b * N + a] = p.m[k++];
  }
};

using RodMass2d = RigidMass<2, 2>;
using RigidMass2d = RigidMass<2, 3>;
using RodMass3d = RigidMass<3, 2>;
using RigidMass3d = RigidMass<3, 4>;

}  // namespace flexura
