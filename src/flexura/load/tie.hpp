#pragma once

#include "flexura/term/term.hpp"

namespace flexura {

/// Spring and damper without length between two points, or two vectors: what holds them softly where they are one. Apart, the
/// damper is not indifferent to a spin of both: it is for ends that the spring keeps close.
///
///      a, b:  f = k (b − a) + c (ḃ − ȧ),  r_a = +f, r_b = −f;   K = k + c_d c times (1, −1; −1, 1)
template <SlotKind kind>
struct Tie {
  static constexpr std::string_view name = kind == SlotKind::point ? "point_tie" : "vector_tie";
  static constexpr int dim = 3;
  static constexpr std::array slots{kind, kind};
  static constexpr bool symmetric = true;
  static constexpr Role role = Role::conservative;

  template <class T>
  struct Params {
    T stiffness, damping;
  };
  static void fields(auto& p, auto&& field) {
    constexpr bool of_points = kind == SlotKind::point;
    field(p.stiffness, Field{.name = "stiffness", .unit = of_points ? "N/m" : "N m", .doc = "k", .min = 0});
    field(p.damping, Field{.name = "damping", .unit = of_points ? "N s/m" : "N m s", .doc = "c", .value = 0, .min = 0});
  }

  template <class T>
  static void residual(const Params<T>& p, const NoOptions&, const Context<T>&, const T* x, const T* v, T* r) {
    for (int i = 0; i < 3; ++i) {
      r[i] = p.stiffness * (x[3 + i] - x[i]) + p.damping * (v[3 + i] - v[i]);
      r[3 + i] = -r[i];
    }
  }
  template <class T>
  static void tangent(const Params<T>& p, const NoOptions&, const Context<T>&, const T*, const T*, double cd, T* K) {
    const T k = p.stiffness + T(cd) * p.damping;
    for (int i = 0; i < 36; ++i) K[i] = T(0.0);
    for (int i = 0; i < 3; ++i) {
      K[7 * i] = K[7 * (3 + i)] = k;
      K[6 * i + 3 + i] = K[6 * (3 + i) + i] = -k;
    }
  }
  template <class T>
  static T energy(const Params<T>& p, const NoOptions&, const Context<T>&, const T* x) {
    const Vec<3, T> d = Vec<3, T>::load(x + 3) - Vec<3, T>::load(x);
    return T(0.5) * p.stiffness * dot(d, d);
  }
  template <class T>
  static T dissipation(const Params<T>& p, const NoOptions&, const Context<T>&, const T*, const T* v) {
    const Vec<3, T> d = Vec<3, T>::load(v + 3) - Vec<3, T>::load(v);
    return p.damping * dot(d, d);
  }
};

using PointTie = Tie<SlotKind::point>;
using VectorTie = Tie<SlotKind::vector>;

}  // namespace flexura
