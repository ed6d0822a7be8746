#pragma once

#include "flexura/term/term.hpp"

namespace flexura {

/// Ties an angle, which counts revolutions, to the direction of a vector.
///
///      y ↑  ↗ e        Φ = ρ Δ,  Δ = φ − θ within half a revolution [rad],  φ = atan2(b, a),  a = e·x,  b = e·y,  ρ = √(a² + b²)
///        └──→ x        x, y, e unit vectors perpendicular to the axis; x ⊥ y move with one body, e with the other
///
/// Φ has one root per revolution (e·y cos θ − e·x sin θ = ρ sin Δ has two: θ and θ + π). Δ is the arc tangent of
/// (b cos θ − a sin θ)/(a cos θ + b sin θ), and jumps by 2π where e points the other way, away from the root.
///     r_i = −μ Φ_i,  r_λ = −Φ,  μ = λ + p Φ:   Φ_a = (Δ a − b)/ρ,  Φ_b = (a + Δ b)/ρ,  Φ_θ = −ρ
///     Φ_aa = Δ b²/ρ³,  Φ_ab = −Δ ab/ρ³,  Φ_bb = Δ a²/ρ³,  Φ_aθ = −a/ρ,  Φ_bθ = −b/ρ,  Φ_θθ = 0
/// The factor ρ takes the second derivatives with respect to a and b away on the constraint: with them large torques λ made
/// tangents whose elimination without pivoting lost all digits. λ [N m] is the torque about the axis.
/// θ has no mass: p (as in InnerProduct) gives it a pivot.
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
    T a, b, delta, inv_rho, phi, by_a, by_b, by_theta;  ///< Δ, 1/ρ, Φ and its derivatives
    explicit Angle(const T* q)
        : x(Vec<D, T>::load(q)), y(Vec<D, T>::load(q + D)), e(Vec<D, T>::load(q + 2 * D)), a(dot(e, x)), b(dot(e, y)) {
      const T s = sin(q[theta]), c = cos(q[theta]), rho = sqrt(a * a + b * b);
      delta = atan2(b * c - a * s, a * c + b * s);
      inv_rho = T(1.0) / rho;
      phi = rho * delta;
      by_a = inv_rho * (delta * a - b);
      by_b = inv_rho * (a + delta * b);
      by_theta = -rho;
    }
    void gradient(T* g) const {
      for (int i = 0; i < D; ++i) {
        g[i] = by_a * e[i];
        g[D + i] = by_b * e[i];
        g[2 * D + i] = by_a * x[i] + by_b * y[i];
      }
      g[theta] = by_theta;
    }
    /// Adds μ Φ_ij to the lower triangle of K.
    void add_curvature(const T& mu, T* K) const {
      const T open = mu * delta * inv_rho * inv_rho * inv_rho;
      const T aa = open * b * b, ab = -open * a * b, bb = open * a * a, ma = mu * by_a, mb = mu * by_b;
      const T at = -mu * inv_rho * a, bt = -mu * inv_rho * b;
      for (int i = 0; i < D; ++i) {
        const T along_x = aa * x[i] + ab * y[i], along_y = ab * x[i] + bb * y[i];
        for (int j = 0; j < D; ++j) {
          K[(D + i) * n + j] += ab * e[i] * e[j];
          K[(2 * D + i) * n + j] += along_x * e[j];
          K[(2 * D + i) * n + D + j] += along_y * e[j];
        }
        K[(2 * D + i) * n + i] += ma;
        K[(2 * D + i) * n + D + i] += mb;
        for (int j = 0; j <= i; ++j) {
          K[i * n + j] += aa * e[i] * e[j];
          K[(D + i) * n + D + j] += bb * e[i] * e[j];
          K[(2 * D + i) * n + 2 * D + j] += along_x * x[j] + along_y * y[j];
        }
        K[theta * n + i] += at * e[i];
        K[theta * n + D + i] += bt * e[i];
        K[theta * n + 2 * D + i] += at * x[i] + bt * y[i];
      }
    }
  };

  template <class T>
  static void residual(const Params<T>& p, const NoOptions&, const Context<T>&, const T* q, const T*, T* r) {
    const Angle<T> angle(q);
    const T mu = fma(p.penalty, angle.phi, q[lambda]);
    T g[lambda];
    angle.gradient(g);
    for (int i = 0; i < lambda; ++i) r[i] = -mu * g[i];
    r[lambda] = -angle.phi;
  }
  template <class T>
  static void tangent(const Params<T>& p, const NoOptions&, const Context<T>&, const T* q, const T*, double, T* K) {
    const Angle<T> angle(q);
    T g[lambda];
    angle.gradient(g);
    for (int i = 0; i < lambda; ++i) {
      for (int j = 0; j <= i; ++j) K[i * n + j] = p.penalty * g[i] * g[j];
      K[lambda * n + i] = g[i];
    }
    K[n * n - 1] = T(0.0);
    angle.add_curvature(fma(p.penalty, angle.phi, q[lambda]), K);
  }
};

using JointAngle2d = JointAngle<2>;
using JointAngle3d = JointAngle<3>;

}  // namespace flexura
