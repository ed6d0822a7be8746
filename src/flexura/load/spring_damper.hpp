#pragma once

#include "flexura/element/viscoelastic.hpp"
#include "flexura/term/term.hpp"

namespace flexura {

/// Spring and damper between two points.
///
///      0 o──/\/\/──o 1        l = ‖r₁ − r₀‖,  n = (r₁ − r₀)/l
///                             f = k (l − l₀) + c l̇      pulls 0 along +n, 1 along −n
///
/// Tangent: with P = I − n nᵀ,  ∂(f n)/∂r₁ = k n nᵀ + (f/l) P + (c/l) n (Pṙ)ᵀ,  ∂(f n)/∂ṙ₁ = c n nᵀ,  ṙ = ṙ₁ − ṙ₀.
/// Unsymmetric when the damper's points turn about each other. The points must not coincide.
template <int D>
struct SpringDamper {
  static constexpr std::string_view name = D == 2 ? "spring_damper_2d" : "spring_damper_3d";
  static constexpr int dim = D;
  static constexpr std::array slots{SlotKind::point, SlotKind::point};
  static constexpr bool symmetric = false;
  static constexpr Role role = Role::conservative;
  static constexpr SlotSource sources[] = {{"between", 0}, {"between", 1}};
  static constexpr SceneForm scene{"spring", "linear", "spring and damper between two points", sources};

  template <class T>
  struct Params {
    T stiffness, damping{}, free_length;
  };
  static void fields(auto& p, auto&& field) {
    field(p.stiffness, Field{.name = "stiffness", .unit = "N/m", .doc = "spring rate k", .min = 0});
    field(p.damping, Field{.name = "damping", .unit = "N s/m", .doc = "damper rate c", .value = 0, .min = 0});
    field(p.free_length, Field{.name = "free_length", .unit = "m", .doc = "length l0 without force", .min = 0});
  }

  template <class T>
  struct Stretch {
    Vec<D, T> n, v;
    T l, rate, force;
    Stretch(const Params<T>& p, const T* x, const T* xd) {
      const Vec<D, T> d = Vec<D, T>::load(x + D) - Vec<D, T>::load(x);
      v = Vec<D, T>::load(xd + D) - Vec<D, T>::load(xd);
      l = norm(d);
      n = d / l;
      rate = dot(n, v);
      force = p.stiffness * (l - p.free_length) + p.damping * rate;
    }
  };

  template <class T>
  static void residual(const Params<T>& p, const NoOptions&, const Context<T>&, const T* x, const T* v, T* r) {
    const Stretch<T> s(p, x, v);
    (s.force * s.n).store(r);
    (-s.force * s.n).store(r + D);
  }

  template <class T>
  static void tangent(const Params<T>& p, const NoOptions&, const Context<T>&, const T* x, const T* v, double cd,
                      T* K) {
    const Stretch<T> s(p, x, v);
    const Vec<D, T> turning = s.v - s.rate * s.n;  // P ṙ
    for (int i = 0; i < D; ++i)
      for (int j = 0; j < D; ++j) {
        const T P = (i == j ? T(1.0) : T(0.0)) - s.n[i] * s.n[j];
        const T k = (p.stiffness + T(cd) * p.damping) * s.n[i] * s.n[j] + s.force / s.l * P +
                    p.damping / s.l * s.n[i] * turning[j];
        K[i * 2 * D + j] = K[(D + i) * 2 * D + D + j] = k;
        K[i * 2 * D + D + j] = K[(D + i) * 2 * D + j] = -k;
      }
  }

  template <class T>
  static T energy(const Params<T>& p, const NoOptions&, const Context<T>&, const T* x) {
    const T stretch = norm(Vec<D, T>::load(x + D) - Vec<D, T>::load(x)) - p.free_length;
    return T(0.5) * p.stiffness * stretch * stretch;
  }
  // For viscoelastic.hpp: l − l₀.
  static constexpr int strain_count = 1;
  template <class T>
  static void strains(const Params<T>& p, const NoOptions&, const T* x, T* e) {
    e[0] = norm(Vec<D, T>::load(x + D) - Vec<D, T>::load(x)) - p.free_length;
  }
  template <class T>
  static void set_free(Params<T>& p, const NoOptions&, const T& factor, const T* shift) {
    p.stiffness *= factor;
    p.free_length += shift[0];
  }
  /// Between two configurations, for methods that conserve energy: along the mean d̄, since Δ(l²) = 2 d̄·Δd, so that
  /// linear and angular momentum are kept too:  f = k (1 − 2 l₀/(l_a + l_b)) d̄.
  template <class T>
  static void discrete_gradient(const Params<T>& p, const NoOptions&, const Context<T>&, const T* xa, const T* xb,
                                T* r) {
    const Vec<D, T> da = Vec<D, T>::load(xa + D) - Vec<D, T>::load(xa),
                    db = Vec<D, T>::load(xb + D) - Vec<D, T>::load(xb);
    const T force = p.stiffness * (T(0.5) - p.free_length / (norm(da) + norm(db)));
    (force * (da + db)).store(r);
    (-force * (da + db)).store(r + D);
  }
  template <class T>
  static T dissipation(const Params<T>& p, const NoOptions&, const Context<T>&, const T* x, const T* v) {
    const Stretch<T> s(p, x, v);
    return p.damping * s.rate * s.rate;
  }
};

using ViscoelasticSpringDamper2d = Viscoelastic<SpringDamper<2>>;
using ViscoelasticSpringDamper3d = Viscoelastic<SpringDamper<3>>;
using SpringDamper2d = SpringDamper<2>;
using SpringDamper3d = SpringDamper<3>;

}  // namespace flexura
