#pragma once

#include "flexura/term/term.hpp"

namespace flexura {

/// Moment on a direction of a node.
///
///      ↺ M      exact:       r = s M J g/‖g‖²      work M dθ whatever ‖g‖ is; symmetric tangent  [rong2024 eq 17]
///      o──→ g   simplified:  r = s M J g           for ‖g‖ ≈ 1; unsymmetric tangent              [rong2024 eq 18]
struct NodeMoment2d {
  static constexpr std::string_view name = "node_moment_2d";
  static constexpr int dim = 2;
  static constexpr std::array slots{SlotKind::vector, SlotKind::signal};
  static constexpr Role role = Role::load;
  static constexpr SlotSource sources[] = {{"at", 0}, {"signal", 0}};
  static constexpr SceneForm scene{"load", "moment", "moment on the direction of a node", sources};

  enum class Form { exact, simplified };
  struct Options {
    Form form = Form::exact;
    bool operator==(const Options&) const = default;
  };
  static void options(auto& o, auto&& option) {
    static constexpr std::string_view forms[] = {"exact", "simplified"};
    option(o.form, Option{"form", "exact, or the paper's form for unit gradients", forms});
  }
  static bool symmetric(const Options& o) { return o.form == Form::exact; }

  template <class T>
  struct Params {
    T moment;
  };
  static void fields(auto& p, auto&& field) {
    field(p.moment, Field{.name = "moment", .unit = "N m", .doc = "moment, multiplied by the signal"});
  }

  /// The force M J g/‖g‖² (or M J g) on the direction g.
  template <class T>
  static Vec<2, T> force(const Options& o, const T& moment, const Vec<2, T>& g) {
    return (o.form == Form::exact ? moment / dot(g, g) : moment) * perp(g);
  }
  /// Adds −∂force/∂g to the 2×2 block at K with rows of `stride`.
  template <class T>
  static void subtract_stiffness(const Options& o, const T& moment, const Vec<2, T>& g, T* K, int stride) {
    const T inv = o.form == Form::exact ? T(1.0) / dot(g, g) : T(1.0);
    const T turn = moment * inv;
    K[1] += turn;
    K[stride] -= turn;
    if (o.form == Form::simplified) return;
    const Vec<2, T> Jg = perp(g);
    const T w = T(2.0) * turn * inv;
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 2; ++j) K[i * stride + j] += w * Jg[i] * g[j];
  }

  template <class T>
  static void residual(const Params<T>& p, const Options& o, const Context<T>& c, const T* x, const T*, T* r) {
    force(o, c.sig[0] * p.moment, Vec<2, T>::load(x)).store(r);
  }
  template <class T>
  static void tangent(const Params<T>& p, const Options& o, const Context<T>& c, const T* x, const T*, double, T* K) {
    for (int i = 0; i < 4; ++i) K[i] = T(0.0);
    subtract_stiffness(o, c.sig[0] * p.moment, Vec<2, T>::load(x), K, 2);
  }
};

}  // namespace flexura
