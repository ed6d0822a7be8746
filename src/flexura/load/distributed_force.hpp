#pragma once

#include "flexura/element/cubic_line.hpp"
#include "flexura/math/quadrature.hpp"
#include "flexura/term/term.hpp"

namespace flexura {

/// Force per length along a planar cable, on one of its elements.
///
///      ↓ ↓ ↓ ↓ ↓        r_a = s(t) ∫ S_a f dS, dS = ‖R_x‖ dx: per length of the reference
///      o~~~~~~~o        fixed: f in space;  follower: f = f_t t + f_n n turns with the tangent t = d/‖d‖
///
/// Tangent (follower): ∂f/∂d = (f_t n − f_n t) nᵀ/‖d‖, d = r_x. Quadrature: 5 Gauss points.
struct DistributedForce2d {
  static constexpr std::string_view name = "distributed_force_2d";
  static constexpr int dim = 2;
  static constexpr std::array slots{SlotKind::point, SlotKind::vector, SlotKind::point, SlotKind::vector,
                                    SlotKind::signal};
  static constexpr Role role = Role::load;
  static constexpr SlotSource sources[] = {{"on", 0}, {"on", 1}, {"on", 2}, {"on", 3}, {"signal", 0}};
  static constexpr SceneForm scene{"load", "distributed", "force per length along a cable", sources};

  enum class Frame { fixed, follower };
  struct Options {
    Frame frame = Frame::fixed;
    bool operator==(const Options&) const = default;
  };
  static void options(auto& o, auto&& option) {
    static constexpr std::string_view frames[] = {"fixed", "follower"};
    option(o.frame, Option{"frame", "fixed in space, or turning with the cable (along, across)", frames});
  }
  static bool symmetric(const Options& o) { return o.frame == Frame::fixed; }

  template <class T>
  struct Params {
    Vec<2, T> force;
    T length;
  };
  static void fields(auto& p, auto&& field) {
    field(p.force, Field{.name = "force", .unit = "N/m", .doc = "force per length of the reference, times the signal"});
    field(p.length, Field{.name = "length", .unit = "m", .doc = "length of the element's parameter", .above = 0});
  }

  static constexpr int points = 5;
  template <class T>
  struct Data {
    Vec<2, T> force;
    T length, inv_l, weight[points];
  };
  template <class T>
  static Data<T> prepare(const Params<T>& p, const Options&, const T* X) {
    Data<T> d{p.force, p.length, T(1.0) / p.length, {}};
    const CubicLine<2, T> basis(X, d.inv_l);
    for (int g = 0; g < points; ++g)
      d.weight[g] = p.length * T(Gauss<5>::w[g]) * norm(basis.d(cubic_shape(Gauss<5>::x[g])));
    return d;
  }

  template <class T>
  static std::array<T, 4> position_shape(const Data<T>& d, int g) {
    const std::array<double, 4> c = cubic_position_shape(Gauss<5>::x[g]);
    return {T(c[0]), d.length * T(c[1]), T(c[2]), d.length * T(c[3])};
  }

  template <class T>
  static void residual(const Data<T>& data, const Options& o, const Context<T>& c, const T* x, const T*, T* r) {
    for (int i = 0; i < 8; ++i) r[i] = T(0.0);
    const CubicLine<2, T> basis(x, data.inv_l);
    for (int g = 0; g < points; ++g) {
      Vec<2, T> f = data.force;
      if (o.frame == Frame::follower) {
        const Vec<2, T> d = basis.d(cubic_shape(Gauss<5>::x[g]));
        const Vec<2, T> t = d / norm(d);
        f = data.force[0] * t + data.force[1] * perp(t);
      }
      const std::array<T, 4> S = position_shape(data, g);
      for (int a = 0; a < 4; ++a) ((c.sig[0] * data.weight[g] * S[a]) * f).add_to(r + 2 * a);
    }
  }

  template <class T>
  static void tangent(const Data<T>& data, const Options& o, const Context<T>& c, const T* x, const T*, double, T* K) {
    for (int i = 0; i < 64; ++i) K[i] = T(0.0);
    if (o.frame == Frame::fixed) return;
    const CubicLine<2, T> basis(x, data.inv_l);
    for (int g = 0; g < points; ++g) {
      const CubicShape sh = cubic_shape(Gauss<5>::x[g]);
      const Vec<2, T> d = basis.d(sh);
      const T size = norm(d);
      const Vec<2, T> t = d / size, n = perp(t);
      const Vec<2, T> turned = (c.sig[0] * data.weight[g] / size) * (data.force[0] * n - data.force[1] * t);
      const std::array<T, 4> S = position_shape(data, g);
      const T D[4] = {-data.inv_l * T(sh.f[0]), T(sh.f[1]), data.inv_l * T(sh.f[0]), T(sh.f[2])};
      for (int a = 0; a < 4; ++a)
        for (int b = 0; b < 4; ++b)
          for (int i = 0; i < 2; ++i)
            for (int j = 0; j < 2; ++j) K[(2 * a + i) * 8 + 2 * b + j] -= S[a] * D[b] * turned[i] * n[j];
    }
  }
};

}  // namespace flexura
