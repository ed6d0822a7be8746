#pragma once

#include "flexura/term/term.hpp"

namespace flexura {

/// Ties an angle, which counts turns, to the direction of a vector.
///
///      y ↑  ↗ e        Φ = e·y cos θ − e·x sin θ [1];  λ [N m] is the torque about the axis
///        └──→ x        x, y, e unit vectors perpendicular to the axis; x ⊥ y move with one body, e with the other
///
///     r_i = −μ Φ_i,  r_λ = −Φ,  μ = λ + p Φ:   Φ_e = y cos θ − x sin θ,  Φ_x = −e sin θ,  Φ_y = e cos θ,
///     Φ_θ = −(e·y sin θ + e·x cos θ), −1 on the constraint.   θ has no mass: p (as in InnerProduct) gives it a pivot.
template <int D>
struct JointAngle {
  static constexpr std::string_view name = D == 2 ? "joint_angle_2d" : "joint_angle_3d";
  static constexpr int dim = D;
  static constexpr std::array slots{SlotKind::vector, SlotKind::vector, SlotKind::vector, SlotKind::scalar,
                                    SlotKind::scalar};
  static constexpr bool symmetric = true;
  static constexpr Role role = Role::constraint;
  static constexpr SceneForm scene{"", "", "angle of a joint", {}};
  static constexpr int theta = 3 * D, lambda = theta + 1, n = lambda + 1;

  template <class T>
  struct Params {
    T penalty{};
  };
  static void fields(auto& p, auto&& field) {
    field(p.penalty, Field{.name = "penalty", .unit = "N m", .doc = "augmentation p", .value = 1, .min = 0});
  }
  static bool uses_velocity(const NoOptions&) { return false; }

  template <class T>
  struct Angle {
    Vec<D, T> x, y, e;
    T s, c, phi, along;  ///< along = −Φ_θ
    explicit Angle(const T* q)
        : x(Vec<D, T>::load(q)),
          y(Vec<D, T>::load(q + D)),
          e(Vec<D, T>::load(q + 2 * D)),
          s(sin(q[theta])),
          c(cos(q[theta])) {
      const T ex = dot(e, x), ey = dot(e, y);
      phi = ey * c - ex * s;
      along = ey * s + ex * c;
    }
    void slope(T* g) const {
      for (int i = 0; i < D; ++i) {
        g[i] = -s * e[i];
        g[D + i] = c * e[i];
        g[2 * D + i] = c * y[i] - s * x[i];
      }
      g[theta] = -along;
    }
  };

  template <class T>
  static void residual(const Params<T>& p, const NoOptions&, const Context<T>&, const T* q, const T*, T* r) {
    const Angle<T> a(q);
    const T mu = fma(p.penalty, a.phi, q[lambda]);
    T g[lambda];
    a.slope(g);
    for (int i = 0; i < lambda; ++i) r[i] = -mu * g[i];
    r[lambda] = -a.phi;
  }
  template <class T>
  static void tangent(const Params<T>& p, const NoOptions&, const Context<T>&, const T* q, const T*, double, T* K) {
    const Angle<T> a(q);
    const T mu = fma(p.penalty, a.phi, q[lambda]);
    T g[lambda];
    a.slope(g);
    for (int i = 0; i < lambda; ++i) {
      for (int j = 0; j <= i; ++j) K[i * n + j] = p.penalty * g[i] * g[j];
      K[lambda * n + i] = g[i];
    }
    K[n * n - 1] = T(0.0);
    for (int i = 0; i < D; ++i) {
      K[(2 * D + i) * n + i] -= mu * a.s;
      K[(2 * D + i) * n + D + i] += mu * a.c;
      K[theta * n + i] -= mu * a.c * a.e[i];
      K[theta * n + D + i] -= mu * a.s * a.e[i];
      K[theta * n + 2 * D + i] -= mu * (a.s * a.y[i] + a.c * a.x[i]);
    }
    K[theta * n + theta] -= mu * a.phi;
  }
};

using JointAngle2d = JointAngle<2>;
using JointAngle3d = JointAngle<3>;

}  // namespace flexura
