#pragma once

#include "flexura/term/term.hpp"

namespace flexura {

/// Keeps two points at a distance; the multiplier is the tension of the massless rod.
///
///      0 o────────o 1      Φ = (d·d/L − L)/2 [m],  d = r₁ − r₀;   λ [N] > 0 pulls them together
///
///     r₀ = +λ d/L,  r₁ = −λ d/L,  r_λ = −Φ;   quadratic, so Φ_qq is constant and energy–momentum methods are exact.
template <int D>
struct Distance {
  static constexpr std::string_view name = D == 2 ? "distance_2d" : "distance_3d";
  static constexpr int dim = D;
  static constexpr std::array slots{SlotKind::point, SlotKind::point, SlotKind::scalar};
  static constexpr bool symmetric = true;
  static constexpr Role role = Role::constraint;
  static constexpr SlotSource sources[] = {{"of", 0}, {"of", 1}, {"", 0}};
  static constexpr SceneForm scene{"joint", "distance", "keeps two points at a distance", sources};

  template <class T>
  struct Params {
    T length;
  };
  static void fields(auto& p, auto&& field) {
    field(p.length, Field{.name = "length", .unit = "m", .doc = "distance between the points", .above = 0});
  }

  static bool uses_velocity(const NoOptions&) { return false; }

  template <class T>
  static void residual(const Params<T>& p, const NoOptions&, const Context<T>&, const T* x, const T*, T* r) {
    const Vec<D, T> d = Vec<D, T>::load(x + D) - Vec<D, T>::load(x);
    const Vec<D, T> n = d / p.length;
    (x[2 * D] * n).store(r);
    (-x[2 * D] * n).store(r + D);
    r[2 * D] = T(-0.5) * (dot(n, d) - p.length);
  }
  template <class T>
  static void tangent(const Params<T>& p, const NoOptions&, const Context<T>&, const T* x, const T*, double, T* K) {
    constexpr int n = 2 * D + 1;
    for (int i = 0; i < n * n; ++i) K[i] = T(0.0);
    const T k = x[2 * D] / p.length;
    for (int i = 0; i < D; ++i) {
      K[i * n + i] = K[(D + i) * n + D + i] = k;
      K[(D + i) * n + i] = -k;
      const T direction = (x[D + i] - x[i]) / p.length;
      K[2 * D * n + i] = -direction;
      K[2 * D * n + D + i] = direction;
    }
  }
};

/// Ties the distance of two points to a coordinate.
///
///      0 o──────o 1      Φ = (d·d/L − (L + s)²/L)/2 [m],  d = r₁ − r₀;   s [m]: by how much they are further apart than L
///
///     r_i = −μ Φ_i,  r_λ = −Φ,  μ = λ + p Φ:   Φ_r₁ = d/L = −Φ_r₀,  Φ_s = −(1 + s/L);   p as in InnerProduct. Quadratic as Distance.
template <int D>
struct DistanceCoordinate {
  static constexpr std::string_view name = D == 2 ? "distance_coordinate_2d" : "distance_coordinate_3d";
  static constexpr int dim = D;
  static constexpr std::array slots{SlotKind::point, SlotKind::point, SlotKind::scalar, SlotKind::scalar};
  static constexpr bool symmetric = true;
  static constexpr Role role = Role::constraint;
  static constexpr SceneForm scene{"", "", "distance of two points as a coordinate", {}};
  static constexpr int s = 2 * D, lambda = s + 1, n = lambda + 1;

  template <class T>
  struct Params {
    T length, penalty{};
  };
  static void fields(auto& p, auto&& field) {
    field(p.length, Field{.name = "length", .unit = "m", .doc = "distance L where the coordinate is 0", .above = 0});
    field(p.penalty, Field{.name = "penalty", .unit = "N/m", .doc = "augmentation p", .value = 0, .min = 0});
  }
  static bool uses_velocity(const NoOptions&) { return false; }

  /// Φ, and ∂Φ/∂x of the coordinates.
  template <class T>
  static T slope(const Params<T>& p, const T* x, T* g) {
    const Vec<D, T> d = Vec<D, T>::load(x + D) - Vec<D, T>::load(x);
    const T ratio = T(1.0) + x[s] / p.length;
    for (int i = 0; i < D; ++i) {
      g[D + i] = d[i] / p.length;
      g[i] = -g[D + i];
    }
    g[s] = -ratio;
    return T(0.5) * (dot(d, d) / p.length - p.length * ratio * ratio);
  }

  template <class T>
  static void residual(const Params<T>& p, const NoOptions&, const Context<T>&, const T* x, const T*, T* r) {
    T g[lambda];
    const T phi = slope(p, x, g), mu = fma(p.penalty, phi, x[lambda]);
    for (int i = 0; i < lambda; ++i) r[i] = -mu * g[i];
    r[lambda] = -phi;
  }
  template <class T>
  static void tangent(const Params<T>& p, const NoOptions&, const Context<T>&, const T* x, const T*, double, T* K) {
    T g[lambda];
    const T k = fma(p.penalty, slope(p, x, g), x[lambda]) / p.length;
    for (int i = 0; i < lambda; ++i) {
      for (int j = 0; j <= i; ++j) K[i * n + j] = p.penalty * g[i] * g[j];
      K[lambda * n + i] = g[i];
    }
    K[n * n - 1] = T(0.0);
    for (int i = 0; i < D; ++i) {
      K[i * n + i] += k;
      K[(D + i) * n + D + i] += k;
      K[(D + i) * n + i] -= k;
    }
    K[s * n + s] -= k;
  }
};

using Distance2d = Distance<2>;
using Distance3d = Distance<3>;
using DistanceCoordinate2d = DistanceCoordinate<2>;
using DistanceCoordinate3d = DistanceCoordinate<3>;

}  // namespace flexura
