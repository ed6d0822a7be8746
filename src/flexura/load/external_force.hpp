#pragma once

#include "flexura/load/law_calls.hpp"

namespace flexura {

/// What terms of a law from the program share. N: numbers it takes of x and v, and gives.
template <int N>
struct LawTerm {
  static constexpr bool alone = true;

  template <class T>
  struct Params {
    T law{};
  };
  static void fields(auto& p, auto&& field) {
    field(p.law, Field{.name = "function", .unit = "-", .doc = "name of the force law", .value = 0, .is_law = true});
  }

  template <class T>
  using Data = LawCalls<N, T>;
  template <class T>
  static Data<T> prepare(const Params<T>& p, const NoOptions&, const T*) {
    return Data<T>(p.law);
  }
  template <class T>
  static void residual(const Data<T>& law, const NoOptions&, const Context<T>& c, const T* x, const T* v, T* r) {
    law.force(c, x, v, r);
  }
  template <class T>
  static void tangent(const Data<T>& law, const NoOptions&, const Context<T>& c, const T* x, const T* v, double cd,
                      T* K) {
    law.tangent(c, x, v, cd, K);
  }
};

/// Force at a point as a law of the program around the simulation gives it.
///
///      o──→  s(t) f(t, x, ẋ)          tangent −s (∂f/∂x + c_d ∂f/∂ẋ), by differences where the law has none
///
/// Slots: point, signal s(t) [1]. Work is recorded; nothing is known of an energy.
template <int D>
struct ExternalForce : LawTerm<D> {
  static constexpr std::string_view name = D == 2 ? "external_force_2d" : "external_force_3d";
  static constexpr int dim = D;
  static constexpr std::array slots{SlotKind::point, SlotKind::signal};
  static constexpr bool symmetric = false;
  static constexpr Role role = Role::load;
  static constexpr SlotSource sources[] = {{"at", 0}, {"signal", 0}};
  static constexpr SceneForm scene{"load", "external", "force at a point that the program computes from t, x and v",
                                   sources};
};

/// Moment or force on a joint's angle or displacement as a law of the program gives it: s(t) f(t, x, ẋ), one number each.
template <int D>
struct ExternalEffort : LawTerm<1> {
  static constexpr std::string_view name = D == 2 ? "external_effort_2d" : "external_effort_3d";
  static constexpr int dim = D;
  static constexpr std::array slots{SlotKind::scalar, SlotKind::signal};
  static constexpr bool symmetric = true;
  static constexpr Role role = Role::load;
  static constexpr SlotSource sources[] = {{"at", 0}, {"signal", 0}};
  static constexpr SceneForm scene{"load", "external_effort",
                                   "moment or force on a joint's angle or displacement that the program computes",
                                   sources};
};

using ExternalForce2d = ExternalForce<2>;
using ExternalForce3d = ExternalForce<3>;
using ExternalEffort2d = ExternalEffort<2>;
using ExternalEffort3d = ExternalEffort<3>;

}  // namespace flexura
