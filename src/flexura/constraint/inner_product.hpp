#pragma once

#include "flexura/term/term.hpp"

namespace flexura {

/// Keeps the inner product of two vectors: their angle, where their lengths are kept too; 0: perpendicular.
///
///      a ↗  ↘ b        Φ = a·b − c [1];  λ [N m]
///
///     r_a = −μ b,  r_b = −μ a,  r_λ = −Φ,  μ = λ + p Φ;   bilinear: Φ_qq is constant
///
/// p [N m], "penalty": an augmented Lagrangian. It changes λ off the constraint only, but gives directions without mass a
/// pivot of their own.
template <int D>
struct InnerProduct {
  static constexpr std::string_view name = D == 2 ? "inner_product_2d" : "inner_product_3d";
  static constexpr int dim = D;
  static constexpr std::array slots{SlotKind::vector, SlotKind::vector, SlotKind::scalar};
  static constexpr bool symmetric = true;
  static constexpr Role role = Role::constraint;
  static constexpr SceneForm scene{"", "", "inner product of two vectors", {}};

  template <class T>
  struct Params {
    T value{}, penalty{};
  };
  static void fields(auto& p, auto&& field) {
    field(p.value, Field{.name = "value", .unit = "1", .doc = "inner product c", .value = 0});
    field(p.penalty, Field{.name = "penalty", .unit = "N m", .doc = "augmentation p", .value = 0, .min = 0});
  }
  static bool uses_velocity(const NoOptions&) { return false; }

  template <class T>
  static void residual(const Params<T>& p, const NoOptions&, const Context<T>&, const T* x, const T*, T* r) {
    const auto a = Vec<D, T>::load(x), b = Vec<D, T>::load(x + D);
    const T phi = dot(a, b) - p.value, mu = fma(p.penalty, phi, x[2 * D]);
    (-mu * b).store(r);
    (-mu * a).store(r + D);
    r[2 * D] = -phi;
  }
  template <class T>
  static void tangent(const Params<T>& p, const NoOptions&, const Context<T>&, const T* x, const T*, double, T* K) {
    constexpr int n = 2 * D + 1;
    const auto a = Vec<D, T>::load(x), b = Vec<D, T>::load(x + D);
    const T mu = fma(p.penalty, dot(a, b) - p.value, x[2 * D]);
    for (int i = 0; i < D; ++i) {
      for (int j = 0; j < D; ++j) {
        K[i * n + j] = p.penalty * b[i] * b[j];
        K[(D + i) * n + D + j] = p.penalty * a[i] * a[j];
        K[(D + i) * n + j] = p.penalty * a[i] * b[j] + (i == j ? mu : T(0.0));
      }
      K[2 * D * n + i] = b[i];
      K[2 * D * n + D + i] = a[i];
    }
    K[n * n - 1] = T(0.0);
  }
};

using InnerProduct2d = InnerProduct<2>;
using InnerProduct3d = InnerProduct<3>;

}  // namespace flexura
