#pragma once

#include "flexura/term/term.hpp"

namespace flexura {

/// Keeps the length of a vector.
///
///      a ↗        Φ = (a·a/L − L)/2 [length of a];  λ [N] if a is in metres
///
///     r_a = −μ a/L,  r_λ = −Φ,  μ = λ + p Φ;   p as in InnerProduct
template <int D>
struct VectorLength {
  static constexpr std::string_view name = D == 2 ? "vector_length_2d" : "vector_length_3d";
  static constexpr int dim = D;
  static constexpr std::array slots{SlotKind::vector, SlotKind::scalar};
  static constexpr bool symmetric = true;
  static constexpr Role role = Role::constraint;
  static constexpr SceneForm scene{"", "", "length of a vector", {}};

  template <class T>
  struct Params {
    T length{}, penalty{};
  };
  static void fields(auto& p, auto&& field) {
    field(p.length, Field{.name = "length", .unit = "1", .doc = "length L", .value = 1, .above = 0});
    field(p.penalty, Field{.name = "penalty", .unit = "N m", .doc = "augmentation p", .value = 0, .min = 0});
  }
  static bool uses_velocity(const NoOptions&) { return false; }

  template <class T>
  static void residual(const Params<T>& p, const NoOptions&, const Context<T>&, const T* x, const T*, T* r) {
    const auto a = Vec<D, T>::load(x), n = a / p.length;
    const T phi = T(0.5) * (dot(a, n) - p.length), mu = fma(p.penalty, phi, x[D]);
    (-mu * n).store(r);
    r[D] = -phi;
  }
  template <class T>
  static void tangent(const Params<T>& p, const NoOptions&, const Context<T>&, const T* x, const T*, double, T* K) {
    constexpr int m = D + 1;
    const auto a = Vec<D, T>::load(x), n = a / p.length;
    const T phi = T(0.5) * (dot(a, n) - p.length), mu = fma(p.penalty, phi, x[D]);
    for (int i = 0; i < D; ++i) {
      for (int j = 0; j <= i; ++j) K[i * m + j] = p.penalty * n[i] * n[j] + (i == j ? mu / p.length : T(0.0));
      K[D * m + i] = n[i];
    }
    K[m * m - 1] = T(0.0);
  }
};

using VectorLength2d = VectorLength<2>;
using VectorLength3d = VectorLength<3>;

}  // namespace flexura
