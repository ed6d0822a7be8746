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
    const T reached = select(size <= T(0.9) * limit, size, T(0.9) * limit + T(0.2) * limit * (z - T(0.5) * z * z));
    value = select(y < T(0.0), -reached, reached);
    slope = T(1.0) - z;
  }
};

/// An effort that drives no faster than a rate, as no motor does whose supply is limited: all of it up to 0.9 of the rate, none from the
/// rate on, once continuously differentiable between. What brakes is not limited.
template <class T>
struct RateLimited {
  T share, slope;  ///< of the effort that is left, and its derivative by the rate
  RateLimited(T effort, T rate, T limit) {
    const T ahead = select(effort < T(0.0), T(-1.0), T(1.0)) / limit;
    const T z = min(max(T(10.0) * (rate * ahead - T(0.9)), T(0.0)), T(1.0));
    share = T(1.0) - z * z * (T(3.0) - T(2.0) * z);
    slope = T(-60.0) * z * (T(1.0) - z) * ahead;
  }
  static void field(auto& limit, auto&& declare) {
    declare(limit, Field{.name = "max_rate",
                         .unit = "*",
                         .doc = "largest rate to which it drives: its effort fades from 0.9 of it on",
                         .value = 1e9,
                         .above = 0});
  }
};

/// Motor on the angle or displacement of a joint, or the length of a truss.
///
///     f = sat(u) g(ẋ)        u: the effort [N m or N];  g: RateLimited
template <int D>
struct Motor {
  static constexpr std::string_view name = D == 2 ? "motor_2d" : "motor_3d";
  static constexpr int dim = D;
  static constexpr std::array slots{SlotKind::scalar, SlotKind::signal};
  static constexpr bool symmetric = true;
  static constexpr Role role = Role::load;
  static constexpr SlotSource sources[] = {{"at", 0}, {"effort", 0}};
  static constexpr SceneForm scene{"load", "motor", "motor on a joint's angle or displacement, or a truss's length",
                                   sources};

  template <class T>
  struct Params {
    T limit{}, max_rate{};
  };
  static void fields(auto& p, auto&& field) {
    field(p.limit, Field{.name = "limit", .unit = "*", .doc = "largest effort", .value = 1e9, .above = 0});
    RateLimited<double>::field(p.max_rate, field);
  }

  template <class T>
  static void residual(const Params<T>& p, const NoOptions&, const Context<T>& c, const T*, const T* v, T* r) {
    const T f = Saturated<T>(c.sig[0], p.limit).value;
    r[0] = f * RateLimited<T>(f, v[0], p.max_rate).share;
  }
  template <class T>
  static void tangent(const Params<T>& p, const NoOptions&, const Context<T>& c, const T*, const T* v, double cd,
                      T* K) {
    const T f = Saturated<T>(c.sig[0], p.limit).value;
    K[0] = -T(cd) * f * RateLimited<T>(f, v[0], p.max_rate).slope;
  }
};

/// Motor that follows a target angle or displacement.
///
///     f = sat(k_p (u − x) + k_d (u̇ − ẋ)) g(ẋ)        u: the target [rad or m];  g: RateLimited
template <int D>
struct ServoMotor {
  static constexpr std::string_view name = D == 2 ? "servo_motor_2d" : "servo_motor_3d";
  static constexpr int dim = D;
  static constexpr std::array slots{SlotKind::scalar, SlotKind::signal};
  static constexpr bool symmetric = true;
  static constexpr Role role = Role::load;
  static constexpr SlotSource sources[] = {{"at", 0}, {"target", 0}};
  static constexpr SceneForm scene{
      "load", "servo", "motor that follows a target, on a joint's angle or displacement, or a truss's length", sources};

  template <class T>
  struct Params {
    T kp, kd{}, limit{}, max_rate{};
  };
  static void fields(auto& p, auto&& field) {
    field(p.kp, Field{.name = "kp", .unit = "*", .doc = "effort for a unit of error", .min = 0});
    field(p.kd,
          Field{.name = "kd", .unit = "*", .doc = "effort for a unit of error of the rate", .value = 0, .min = 0});
    field(p.limit, Field{.name = "limit", .unit = "*", .doc = "largest effort", .value = 1e9, .above = 0});
    RateLimited<double>::field(p.max_rate, field);
  }

  template <class T>
  static Saturated<T> effort(const Params<T>& p, const Context<T>& c, const T* x, const T* v) {
    return {p.kp * (c.sig[0] - x[0]) + p.kd * (c.sig_rate[0] - v[0]), p.limit};
  }
  template <class T>
  static void residual(const Params<T>& p, const NoOptions&, const Context<T>& c, const T* x, const T* v, T* r) {
    const T f = effort(p, c, x, v).value;
    r[0] = f * RateLimited<T>(f, v[0], p.max_rate).share;
  }
  template <class T>
  static void tangent(const Params<T>& p, const NoOptions&, const Context<T>& c, const T* x, const T* v, double cd,
                      T* K) {
    const Saturated<T> f = effort(p, c, x, v);
    const RateLimited<T> g(f.value, v[0], p.max_rate);
    K[0] = f.slope * g.share * (p.kp + T(cd) * p.kd) - T(cd) * f.value * g.slope;
  }
};

using Motor2d = Motor<2>;
using Motor3d = Motor<3>;
using ServoMotor2d = ServoMotor<2>;
using ServoMotor3d = ServoMotor<3>;

}  // namespace flexura
