#pragma once

#include "flexura/term/term.hpp"

namespace flexura {

/// Keeps the distance of a point from a plane, or ties it to a coordinate.
///
///      0 o──→ n      Φ = (r₁ − r₀)·n − s [m];  n a unit vector that moves with 0's body;  λ [N]
///         ╲
///          o 1       s: constant, or in OffsetCoordinate an unknown (which may follow a signal, carry a spring, or turn a
///                    gear)
///
///     r₁ = −μ n,  r₀ = +μ n,  r_n = −μ (r₁ − r₀),  r_s = +μ,  r_λ = −Φ,  μ = λ + p Φ;   p as in InnerProduct
template <int D, bool coordinate>
struct Offset {
  static constexpr std::string_view name = D == 2 ? (coordinate ? "offset_coordinate_2d" : "offset_2d")
                                                  : (coordinate ? "offset_coordinate_3d" : "offset_3d");
  static constexpr int dim = D;
  static constexpr auto slots = [] {
    if constexpr (coordinate) {
      return std::array{SlotKind::point, SlotKind::point, SlotKind::vector, SlotKind::scalar, SlotKind::scalar};
    } else {
      return std::array{SlotKind::point, SlotKind::point, SlotKind::vector, SlotKind::scalar};
    }
  }();
  static constexpr bool symmetric = true;
  static constexpr Role role = Role::constraint;
  static constexpr SceneForm scene{"", "", "distance of a point from a plane", {}};
  static constexpr int lambda = 3 * D + coordinate, n = lambda + 1;

  template <class T>
  struct Params {
    T value{}, penalty{};
  };
  static void fields(auto& p, auto&& field) {
    field(p.value, Field{.name = "value", .unit = "m", .doc = "distance s", .value = 0});
    field(p.penalty, Field{.name = "penalty", .unit = "N/m", .doc = "augmentation p", .value = 0, .min = 0});
  }
  static bool uses_velocity(const NoOptions&) { return false; }

  template <class T>
  static T gap(const Params<T>& p, const T* x) {
    const Vec<D, T> d = Vec<D, T>::load(x + D) - Vec<D, T>::load(x);
    T phi = dot(d, Vec<D, T>::load(x + 2 * D)) - p.value;
    if constexpr (coordinate) phi = phi - x[3 * D];
    return phi;
  }
  /// ∂Φ/∂x of the coordinates.
  template <class T>
  static void slope(const T* x, T* g) {
    for (int i = 0; i < D; ++i) {
      g[i] = -x[2 * D + i];
      g[D + i] = x[2 * D + i];
      g[2 * D + i] = x[D + i] - x[i];
    }
    if constexpr (coordinate) g[3 * D] = T(-1.0);
  }

  template <class T>
  static void residual(const Params<T>& p, const NoOptions&, const Context<T>&, const T* x, const T*, T* r) {
    const T phi = gap(p, x), mu = fma(p.penalty, phi, x[lambda]);
    T g[lambda];
    slope(x, g);
    for (int i = 0; i < lambda; ++i) r[i] = -mu * g[i];
    r[lambda] = -phi;
  }
  template <class T>
  static void tangent(const Params<T>& p, const NoOptions&, const Context<T>&, const T* x, const T*, double, T* K) {
    const T mu = fma(p.penalty, gap(p, x), x[lambda]);
    T g[lambda];
    slope(x, g);
    for (int i = 0; i < lambda; ++i) {
      for (int j = 0; j <= i; ++j) K[i * n + j] = p.penalty * g[i] * g[j];
      K[lambda * n + i] = g[i];
    }
    K[n * n - 1] = T(0.0);
    for (int i = 0; i < D; ++i) {
      K[(2 * D + i) * n + i] -= mu;
      K[(2 * D + i) * n + D + i] += mu;
    }
  }
};

using Offset2d = Offset<2, false>;
using Offset3d = Offset<3, false>;
using OffsetCoordinate2d = Offset<2, true>;
using OffsetCoordinate3d = Offset<3, true>;

}  // namespace flexura
