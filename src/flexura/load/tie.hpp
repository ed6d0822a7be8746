#pragma once

#include "flexura/term/term.hpp"

namespace flexura {

/// Spring and damper without length between a point of a body and another point, or two vectors: what holds them softly where
/// they are one. The damper sees the gap's rate as the body does, in components along the body's axes e_k, so that it takes
/// no moment from a spin of both however far they are apart.
///
///      a, b:  d = b − a,  γ_k = d·e_k;   r_a = +k d + c Σ γ̇_k e_k,  r_b = −r_a,  r_{e_k} = −c γ̇_k d
///
/// Tangent: with G_k = ∂γ_k/∂x = (−e_k, e_k, … d …),  K = k (1, −1; −1, 1) + c Σ (G_k (Ġ_k + c_d G_k)ᵀ + γ̇_k ∂G_k/∂x).
template <SlotKind kind>
struct Tie {
  static constexpr std::string_view name = kind == SlotKind::point ? "point_tie" : "vector_tie";
  static constexpr int dim = 3, n = 15;
  static constexpr std::array slots{kind, kind, SlotKind::vector, SlotKind::vector, SlotKind::vector};
  static constexpr bool symmetric = false;
  static constexpr Role role = Role::conservative;

  template <class T>
  struct Params {
    T stiffness, damping{};
  };
  static void fields(auto& p, auto&& field) {
    constexpr bool of_points = kind == SlotKind::point;
    field(p.stiffness, Field{.name = "stiffness", .unit = of_points ? "N/m" : "N m", .doc = "k", .min = 0});
    field(p.damping, Field{.name = "damping", .unit = of_points ? "N s/m" : "N m s", .doc = "c", .value = 0, .min = 0});
  }

  /// ∂γ_k/∂x, or its derivative by time from the velocities.
  template <class T>
  static void slope(const T* x, int k, T (&g)[n]) {
    for (T& component : g) component = T(0.0);
    const int e = 6 + 3 * k;
    for (int i = 0; i < 3; ++i) {
      g[i] = -x[e + i];
      g[3 + i] = x[e + i];
      g[e + i] = x[3 + i] - x[i];
    }
  }
  template <class T>
  static T rate(const T* x, const T* v, int k) {
    const int e = 6 + 3 * k;
    T sum(0.0);
    for (int i = 0; i < 3; ++i) sum = fma(v[3 + i] - v[i], x[e + i], fma(x[3 + i] - x[i], v[e + i], sum));
    return sum;
  }

  template <class T>
  static void residual(const Params<T>& p, const NoOptions&, const Context<T>&, const T* x, const T* v, T* r) {
    for (int i = 0; i < n; ++i) r[i] = T(0.0);
    for (int i = 0; i < 3; ++i) {
      r[i] = p.stiffness * (x[3 + i] - x[i]);
      r[3 + i] = -r[i];
    }
    for (int k = 0; k < 3; ++k) {
      T g[n];
      slope(x, k, g);
      const T f = p.damping * rate(x, v, k);
      for (int i = 0; i < n; ++i) r[i] = r[i] - f * g[i];
    }
  }
  template <class T>
  static void tangent(const Params<T>& p, const NoOptions&, const Context<T>&, const T* x, const T* v, double cd,
                      T* K) {
    for (int i = 0; i < n * n; ++i) K[i] = T(0.0);
    for (int i = 0; i < 3; ++i) {
      K[i * n + i] = K[(3 + i) * n + 3 + i] = p.stiffness;
      K[i * n + 3 + i] = K[(3 + i) * n + i] = -p.stiffness;
    }
    for (int k = 0; k < 3; ++k) {
      T g[n], moving[n];
      slope(x, k, g);
      slope(v, k, moving);
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) K[i * n + j] += p.damping * g[i] * (moving[j] + T(cd) * g[j]);
      const T f = p.damping * rate(x, v, k);
      const int e = 6 + 3 * k;
      for (int i = 0; i < 3; ++i) {
        K[i * n + e + i] -= f;
        K[(3 + i) * n + e + i] += f;
        K[(e + i) * n + i] -= f;
        K[(e + i) * n + 3 + i] += f;
      }
    }
  }
  template <class T>
  static T energy(const Params<T>& p, const NoOptions&, const Context<T>&, const T* x) {
    const Vec<3, T> d = Vec<3, T>::load(x + 3) - Vec<3, T>::load(x);
    return T(0.5) * p.stiffness * dot(d, d);
  }
  template <class T>
  static T dissipation(const Params<T>& p, const NoOptions&, const Context<T>&, const T* x, const T* v) {
    T sum(0.0);
    for (int k = 0; k < 3; ++k) {
      const T along = rate(x, v, k);
      sum = fma(along, along, sum);
    }
    return p.damping * sum;
  }
};

using PointTie = Tie<SlotKind::point>;
using VectorTie = Tie<SlotKind::vector>;

}  // namespace flexura
