#pragma once

#include "flexura/term/term.hpp"

namespace flexura {

/// Dry friction on the angle or displacement of a joint, with stiction.
///
///          k, k τ                  x: angle [rad] or displacement [m];  z: what the bristle is bent by
///     x ──/\/\/\──▷▌▌▌             f = −k (z + τ ż) − c ẋ,  k |z + τ ż| ≤ F:  stuck below F (ż = ẋ), at F the bristle slides
///          bristle  slider          F = F_c (1 + (s − 1) exp(−(ẋ/v_s)²)),  k = s F_c/z₀
///
/// An elastoplastic law (Jenkins' element) [dupont2002; F(ẋ): armstrong1994], integrated by its exact return map: with z* = z_n + x − x_n and the rate over the
/// step, y = z* + (τ/h)(x − x_n),
///     |y| ≤ F/k:  z = z*        else:  z = (± F/k + (τ/h) z_n)/(1 + τ/h),  slipped by z* − z
/// so what is stuck does not creep, and returns to where it was when a load on it goes. Stored ½ k z²; lost in a step
/// F |z* − z| + k (τ/h)(z − z_n)². At once (h = 0) y = z + τ ẋ, and z stays. z₀ is where friction at rest gives way: as
/// small as the step resolves.
template <int D>
struct JointFriction {
  static constexpr std::string_view name = D == 2 ? "joint_friction_2d" : "joint_friction_3d";
  static constexpr int dim = D;
  static constexpr std::array slots{SlotKind::scalar};
  static constexpr bool symmetric = true;
  static constexpr Role role = Role::dissipative;
  static constexpr SlotSource sources[] = {{"at", 0}};
  static constexpr SceneForm scene{"load", "friction",
                                   "dry friction with stiction on a joint's angle or displacement, or a truss's length",
                                   sources};
  static constexpr int history = 2;  ///< x_n, z_n

  template <class T>
  struct Params {
    T coulomb, static_ratio, stribeck, viscous, presliding, settling;
  };
  static void fields(auto& p, auto&& field) {
    field(p.coulomb, Field{.name = "coulomb", .unit = "*", .doc = "friction F_c of what slides", .min = 0});
    field(p.static_ratio,
          Field{.name = "static_ratio", .unit = "1", .doc = "largest friction at rest over F_c", .value = 1, .min = 1});
    field(p.stribeck, Field{.name = "stribeck",
                            .unit = "*",
                            .doc = "rate v_s at which the excess at rest has fallen to 1/e",
                            .value = 1e-2,
                            .above = 0});
    field(p.viscous,
          Field{.name = "viscous", .unit = "*", .doc = "friction c for a unit of rate", .value = 0, .min = 0});
    field(p.presliding, Field{.name = "presliding",
                              .unit = "*",
                              .doc = "elastic displacement z_0 at which what is stuck gives way",
                              .value = 1e-4,
                              .above = 0});
    field(p.settling, Field{.name = "settling",
                            .unit = "s",
                            .doc = "time tau of the damper that brings what is stuck to rest",
                            .value = 1e-3,
                            .min = 0});
  }

  /// The return map. `rigid`: k (1 + τ/h), what answers a displacement where it is stuck.
  template <class T>
  struct Bristle {
    T k, limit, limit_slope, force, z, slip, rigid, lag;
    MaskOf<T> stuck;
    Bristle(const Params<T>& p, const Context<T>& c, const T* x, const T* v) {
      const T u = v[0] / p.stribeck, excess = p.coulomb * (p.static_ratio - T(1.0)) * exp(-min(u * u, T(700.0)));
      limit = p.coulomb + excess;
      limit_slope = T(-2.0) * excess * u / p.stribeck;
      k = p.static_ratio * p.coulomb / p.presliding;
      lag = c.h > 0 ? p.settling / T(c.h) : T(0.0);
      rigid = k * (T(1.0) + lag);
      const T way = x[0] - c.past[0], trial = c.past[1] + way;
      force = k * trial + (c.h > 0 ? k * lag * way : k * p.settling * v[0]);
      stuck = abs(force) <= (c.h > 0 ? limit : T(1.0 + 1e-12) * limit);  // what slid up to here holds when it stops
      const T held = select(force < T(0.0), -limit, limit);
      if (c.h > 0) {
        z = select(stuck, trial, (held + k * lag * c.past[1]) / max(rigid, T(1e-300)));
      } else {
        const T most = limit / max(k, T(1e-300));
        z = min(max(trial, -most), most);
      }
      force = select(stuck, force, held);
      limit_slope = select(force < T(0.0), -limit_slope, limit_slope);
      slip = trial - z;
    }
  };

  template <class T>
  static void residual(const Params<T>& p, const NoOptions&, const Context<T>& c, const T* x, const T* v, T* r) {
    r[0] = -Bristle<T>(p, c, x, v).force - p.viscous * v[0];
  }
  template <class T>
  static void tangent(const Params<T>& p, const NoOptions&, const Context<T>& c, const T* x, const T* v, double cd,
                      T* K) {
    const Bristle<T> b(p, c, x, v);
    const T held = c.h > 0 ? b.rigid : b.k * (T(1.0) + T(cd) * p.settling);
    K[0] = select(b.stuck, held, T(cd) * b.limit_slope) + T(cd) * p.viscous;
  }
  template <class T>
  static void begin(const Params<T>&, const NoOptions&, const Context<T>&, const T* x, T* next) {
    next[0] = x[0];
  }
  template <class T>
  static void remember(const Params<T>& p, const NoOptions&, const Context<T>& c, const T* x, const T* v, T* next) {
    next[0] = x[0];
    next[1] = Bristle<T>(p, c, x, v).z;
  }
  template <class T>
  static T energy(const Params<T>& p, const NoOptions&, const Context<T>& c, const T* x, const T* v) {
    const Bristle<T> b(p, c, x, v);
    return T(0.5) * b.k * b.z * b.z;
  }
  template <class T>
  static T energy(const Params<T>& p, const NoOptions& o, const Context<T>& c, const T* x) {
    const T at_rest[1] = {T(0.0)};
    return energy(p, o, c, x, at_rest);
  }
  template <class T>
  static T loss(const Params<T>& p, const NoOptions&, const Context<T>& c, const T* x, const T* v) {
    const Bristle<T> b(p, c, x, v);
    const T bent = b.z - c.past[1];
    return b.limit * abs(b.slip) + b.k * b.lag * bent * bent;
  }
  template <class T>
  static T dissipation(const Params<T>& p, const NoOptions&, const Context<T>&, const T*, const T* v) {
    return p.viscous * v[0] * v[0];
  }
};

using JointFriction2d = JointFriction<2>;
using JointFriction3d = JointFriction<3>;

}  // namespace flexura
