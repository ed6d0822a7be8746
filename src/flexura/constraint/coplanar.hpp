#pragma once

#include "flexura/term/term.hpp"

namespace flexura {

/// Keeps a vector in the plane of two others.
///
///      b ↗           Φ = g·(a × b) [1];  λ [N m]
///        └──→ a      where plates are welded: a gradient of one in the tangent plane of the other, however it is stretched
///          ↘ g       and turned in that plane
///
///     r_g = −μ a × b,  r_a = −μ b × g,  r_b = −μ g × a,  r_λ = −Φ,  μ = λ + p Φ;   p as in InnerProduct
struct Coplanar3d {
  static constexpr std::string_view name = "coplanar_3d";
  static constexpr int dim = 3;
  static constexpr std::array slots{SlotKind::vector, SlotKind::vector, SlotKind::vector, SlotKind::scalar};
  static constexpr bool symmetric = true;
  static constexpr Role role = Role::constraint;
  static constexpr SceneForm scene{"", "", "a vector in the plane of two others", {}};
  static constexpr int lambda = 9, n = 10;

  template <class T>
  struct Params {
    T penalty{};
  };
  static void fields(auto& p, auto&& field) {
    field(p.penalty, Field{.name = "penalty", .unit = "N m", .doc = "augmentation p", .value = 0, .min = 0});
  }
  static bool uses_velocity(const NoOptions&) { return false; }

  /// Φ and ∂Φ/∂(g, a, b).
  template <class T>
  static T phi(const T* x, T* slope) {
    const auto g = Vec<3, T>::load(x), a = Vec<3, T>::load(x + 3), b = Vec<3, T>::load(x + 6);
    const Vec<3, T> normal = cross(a, b);
    normal.store(slope);
    cross(b, g).store(slope + 3);
    cross(g, a).store(slope + 6);
    return dot(g, normal);
  }

  template <class T>
  static void residual(const Params<T>& p, const NoOptions&, const Context<T>&, const T* x, const T*, T* r) {
    T slope[lambda];
    const T value = phi(x, slope), mu = fma(p.penalty, value, x[lambda]);
    for (int i = 0; i < lambda; ++i) r[i] = -mu * slope[i];
    r[lambda] = -value;
  }
  template <class T>
  static void tangent(const Params<T>& p, const NoOptions&, const Context<T>&, const T* x, const T*, double, T* K) {
    T slope[lambda];
    const T mu = fma(p.penalty, phi(x, slope), x[lambda]);
    for (int i = 0; i < lambda; ++i) {
      for (int j = 0; j <= i; ++j) K[i * n + j] = p.penalty * slope[i] * slope[j];
      K[lambda * n + i] = slope[i];
    }
    K[n * n - 1] = T(0.0);
    // ∂²Φ/∂a_i∂g_j = −ε_ijk b_k,  ∂²Φ/∂b_i∂g_j = ε_ijk a_k,  ∂²Φ/∂b_i∂a_j = −ε_ijk g_k
    add_turn(K + 3 * n, -mu, x + 6);
    add_turn(K + 6 * n, mu, x + 3);
    add_turn(K + 6 * n + 3, -mu, x);
  }

 private:
  /// K_ij += c ε_ijk v_k
  template <class T>
  static void add_turn(T* K, const T& c, const T* v) {
    for (int i = 0; i < 3; ++i) {
      const int j = (i + 1) % 3, k = (i + 2) % 3;
      K[i * n + j] += c * v[k];
      K[j * n + i] -= c * v[k];
    }
  }
};

}  // namespace flexura
