#pragma once

#include "flexura/element/viscoelastic.hpp"
#include "flexura/math/whole_turns.hpp"
#include "flexura/term/term.hpp"

namespace flexura {

/// Spring and damper between two directions in the plane.
///
///      g₁ /
///        / θ        θ = angle from g₀ to g₁, counter-clockwise;  free at the reference angle + turn
///       o-----g₀    M = k (θ − θ_free) + c θ̇
///
/// θ counts revolutions: it is the angle nearest to that at t_n, which the spring remembers, and so continuous where it turns
/// by less than half a turn in a step.
///
/// With ∂θ/∂g₁ = J g₁/‖g₁‖², ∂θ/∂g₀ = −J g₀/‖g₀‖² (J: turn by +90°) and H(g) = J/‖g‖² − 2 (J g) gᵀ/‖g‖⁴ (symmetric):
///     r = −M θ_g,   K = k θ_g θ_gᵀ + M θ_gg + c θ_g (θ_gg ġ)ᵀ + c_d c θ_g θ_gᵀ
struct TorsionalSpring2d {
  static constexpr std::string_view name = "torsional_spring_2d";
  static constexpr int dim = 2;
  static constexpr std::array slots{SlotKind::vector, SlotKind::vector};
  static constexpr bool symmetric = false;
  static constexpr Role role = Role::conservative;
  static constexpr SlotSource sources[] = {{"between", 0}, {"between", 1}};
  static constexpr SceneForm scene{"spring", "torsional", "spring and damper between two directions", sources};

  template <class T>
  struct Params {
    T stiffness, damping{}, turn{};
  };
  static void fields(auto& p, auto&& field) {
    field(p.stiffness, Field{.name = "stiffness", .unit = "N m/rad", .doc = "spring rate k", .min = 0});
    field(p.damping, Field{.name = "damping", .unit = "N m s/rad", .doc = "damper rate c", .value = 0, .min = 0});
    field(p.turn, Field{.name = "turn", .unit = "rad", .doc = "free angle beyond that of the reference", .value = 0});
  }

  template <class T>
  struct Data {
    T stiffness, damping, cos_free, sin_free, shift, turn;  ///< θ_free: that angle and `shift`
  };
  template <class T>
  static Data<T> prepare(const Params<T>& p, const NoOptions&, const T* X) {
    const Vec<2, T> a = Vec<2, T>::load(X), b = Vec<2, T>::load(X + 2);
    const T size = norm(a) * norm(b);
    const T c = dot(a, b) / size, s = cross(a, b) / size;
    return {p.stiffness, p.damping, c * cos(p.turn) - s * sin(p.turn), s * cos(p.turn) + c * sin(p.turn),
            T(0.0),      p.turn};
  }

  template <class T>
  struct Angle {
    Vec<2, T> g[2], grad[2];
    T inv[2], excess;  // θ − θ_free
    Angle(const Data<T>& d, const Context<T>& c, const T* x) : Angle(d, c.past != nullptr ? c.past[0] : T(0.0), x) {}
    /// Nearest to `near`, `shift` left aside.
    Angle(const Data<T>& d, const T& near, const T* x) {
      for (int a = 0; a < 2; ++a) {
        g[a] = Vec<2, T>::load(x + 2 * a);
        inv[a] = T(1.0) / dot(g[a], g[a]);
        grad[a] = (a == 0 ? -inv[a] : inv[a]) * perp(g[a]);
      }
      const T c = dot(g[0], g[1]), s = cross(g[0], g[1]);
      const T angle = atan2(s * d.cos_free - c * d.sin_free, c * d.cos_free + s * d.sin_free);
      excess = angle + whole_turns(near - angle) - d.shift;
    }
    T rate(const T* v) const { return dot(grad[0], Vec<2, T>::load(v)) + dot(grad[1], Vec<2, T>::load(v + 2)); }
    /// Entry of ∂²θ/∂g_a².
    T second(int a, int i, int j) const {
      const Vec<2, T> Jg = perp(g[a]);
      const T J = i == j ? T(0.0) : (i == 0 ? -inv[a] : inv[a]);
      const T h = J - T(2.0) * inv[a] * inv[a] * Jg[i] * g[a][j];
      return a == 0 ? -h : h;
    }
  };

  template <class T>
  static void residual(const Data<T>& d, const NoOptions&, const Context<T>& c, const T* x, const T* v, T* r) {
    const Angle<T> angle(d, c, x);
    const T moment = d.stiffness * angle.excess + d.damping * angle.rate(v);
    (-moment * angle.grad[0]).store(r);
    (-moment * angle.grad[1]).store(r + 2);
  }

  template <class T>
  static void tangent(const Data<T>& d, const NoOptions&, const Context<T>& c, const T* x, const T* v, double cd,
                      T* K) {
    const Angle<T> angle(d, c, x);
    const T moment = d.stiffness * angle.excess + d.damping * angle.rate(v);
    const T k = d.stiffness + T(cd) * d.damping;
    for (int b = 0; b < 2; ++b)
      for (int j = 0; j < 2; ++j) {
        const T rate_gradient = angle.second(b, 0, j) * v[2 * b] + angle.second(b, 1, j) * v[2 * b + 1];
        const T column = k * angle.grad[b][j] + d.damping * rate_gradient;
        for (int a = 0; a < 2; ++a)
          for (int i = 0; i < 2; ++i)
            K[(2 * a + i) * 4 + 2 * b + j] =
                angle.grad[a][i] * column + (a == b ? moment * angle.second(a, i, j) : T(0.0));
      }
  }

  template <class T>
  static T energy(const Data<T>& d, const NoOptions&, const Context<T>& c, const T* x) {
    const T excess = Angle<T>(d, c, x).excess;
    return T(0.5) * d.stiffness * excess * excess;
  }
  static constexpr int history = 1;  ///< θ − θ_free at t_n
  template <class T>
  static void begin(const Data<T>& d, const NoOptions&, const Context<T>&, const T* x, T* next) {
    next[0] = Angle<T>(d, -d.turn, x).excess;
  }
  template <class T>
  static void remember(const Data<T>& d, const NoOptions&, const Context<T>& c, const T* x, const T*, T* next) {
    next[0] = Angle<T>(d, c, x).excess;
  }
  // For viscoelastic.hpp: θ − θ_free, whose own memory begins with it, too.
  static constexpr int strain_count = 1;
  template <class T>
  static void strains(const Data<T>& d, const NoOptions&, const Context<T>& c, const T* x, T* e) {
    e[0] = Angle<T>(d, c, x).excess;
  }
  template <class T>
  static void strains(const Data<T>& d, const NoOptions&, const T* x, T* e) {
    e[0] = Angle<T>(d, T(0.0), x).excess;
  }
  template <class T>
  static void set_free(Data<T>& d, const NoOptions&, const T& factor, const T* shift) {
    d.stiffness *= factor;
    d.shift += shift[0];
  }
  template <class T>
  static T dissipation(const Data<T>& d, const NoOptions&, const Context<T>& c, const T* x, const T* v) {
    const T rate = Angle<T>(d, c, x).rate(v);
    return d.damping * rate * rate;
  }
};

using ViscoelasticTorsionalSpring2d = Viscoelastic<TorsionalSpring2d>;

}  // namespace flexura
