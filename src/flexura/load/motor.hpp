#pragma once

#include "flexura/term/term.hpp"

namespace flexura {

/// A force that a motor cannot exceed: y up to 0.9 of the limit, then a parabola that reaches the limit at 1.1 of it; once
/// continuously differentiable.
template <class T>
struct Saturated {
  T value, slope;
  Saturated(T y, T limit) {
    const T size = abs(y);
    const T z = min(max((size - T(0.9) * limit) / (T(0.2) * limit), T(0.0)), T(1.0));
    const T reached = select(size < T(0.9) * limit, size, T(0.9) * limit + T(0.2) * limit * (z - T(0.5) * z * z));
    value = select(y < T(0.0), -reached, reached);
    slope = T(1.0) - z;
  }
};

/// Motor on the angle or displacement of a joint.
///
///     f = sat(u)        u: the effort [N m or N]
template <int D>
struct Motor {
  static constexpr std::string_view name = D == 2 ? "motor_2d" : "motor_3d";
  static constexpr int dim = D;
  static constexpr std::array slots{SlotKind::scalar, SlotKind::signal};
  static constexpr bool symmetric = true;
  static constexpr Role role = Role::load;
  static constexpr SlotSource sources[] = {{"at", 0}, {"effort", 0}};
  static constexpr SceneForm scene{"load", "motor", "motor on a joint's angle or displacement", sources};

  template <class T>
  struct Params {
    T limit{};
  };
  static void fields(auto& p, auto&& field) {
    field(p.limit, Field{.name = "limit", .unit = "*", .doc = "largest effort", .value = 1e9, .above = 0});
  }

  template <class T>
  static void residual(const Params<T>& p, const NoOptions&, const Context<T>& c, const T*, const T*, T* r) {
    r[0] = Saturated<T>(c.sig[0], p.limit).value;
  }
  template <class T>
  static void tangent(const Params<T>&, const NoOptions&, const Context<T>&, const T*, const T*, double, T* K) {
    K[0] = T(0.0);
  }
};

/// Motor that follows a target angle or displacement.
///
///     f = sat(k_p (u − x) + k_d (u̇ − ẋ))        u: the target [rad or m]
template <int D>
struct ServoMotor {
  static constexpr std::string_view name = D == 2 ? "servo_motor_2d" : "servo_motor_3d";
  static constexpr int dim = D;
  static constexpr std::array slots{SlotKind::scalar, SlotKind::signal};
  static constexpr bool symmetric = true;
  static constexpr Role role = Role::load;
  static constexpr SlotSource sources[] = {{"at", 0}, {"target", 0}};
  static constexpr SceneForm scene{"load", "servo", "motor that follows a target, on a joint's angle or displacement",
                                   sources};

  template <class T>
  struct Params {
    T kp, kd{}, limit{};
  };
  static void fields(auto& p, auto&& field) {
    field(p.kp, Field{.name = "kp", .unit = "*", .doc = "effort for a unit of error", .min = 0});
    field(p.kd,
          Field{.name = "kd", .unit = "*", .doc = "effort for a unit of error of the rate", .value = 0, .min = 0});
    field(p.limit, Field{.name = "limit", .unit = "*", .doc = "largest effort", .value = 1e9, .above = 0});
  }

  template <class T>
  static Saturated<T> effort(const Params<T>& p, const Context<T>& c, const T* x, const T* v) {
    return {p.kp * (c.sig[0] - x[0]) + p.kd * (c.sig_rate[0] - v[0]), p.limit};
  }
  template <class T>
  static void residual(const Params<T>& p, const NoOptions&, const Context<T>& c, const T* x, const T* v, T* r) {
    r[0] = effort(p, c, x, v).value;
  }
  template <class T>
  static void tangent(const Params<T>& p, const NoOptions&, const Context<T>& c, const T* x, const T* v, double cd,
                      T* K) {
    K[0] = effort(p, c, x, v).slope * (p.kp + T(cd) * p.kd);
  }
};

using Motor2d = Motor<2>;
using Motor3d = Motor<3>;
using ServoMotor2d = ServoMotor<2>;
using ServoMotor3d = ServoMotor<3>;

}  // namespace flexura
