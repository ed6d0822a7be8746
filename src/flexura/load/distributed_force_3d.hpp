#pragma once

#include "flexura/element/cubic_line.hpp"
#include "flexura/element/director_beam.hpp"
#include "flexura/load/distributed_force.hpp"
#include "flexura/load/line_frame.hpp"
#include "flexura/math/quadrature.hpp"
#include "flexura/term/term.hpp"

namespace flexura {

/// Force per length along a cable in space, on one of its elements.
///
///      ↓ ↓ ↓ ↓ ↓        r_a = s(t) ∫ S_a f dS, dS = ‖R_x‖ dx: per length of the reference
///      o~~~~~~~o        fixed: f in space;  follower: f = f_t t + f_n n + f_b b of d = r_x and the normal, line_frame.hpp
///
/// In a plane across the normal it is DistributedForce2d. Quadrature: 5 Gauss points. Along beams a scene's load is
/// DistributedForceBeam3d.
struct DistributedForce3d {
  static constexpr std::string_view name = "distributed_force_3d";
  static constexpr int dim = 3;
  static constexpr std::array slots{SlotKind::point, SlotKind::vector, SlotKind::point, SlotKind::vector,
                                    SlotKind::signal};
  static constexpr Role role = Role::load;
  static constexpr SlotSource sources[] = {{"on", 0}, {"on", 1}, {"on", 2}, {"on", 3}, {"signal", 0}};
  static constexpr SceneForm scene{"load", "distributed", "force per length along a cable or beam", sources};

  using Frame = DistributedForce2d::Frame;
  using Options = DistributedForce2d::Options;
  static void options(auto& o, auto&& option) {
    static constexpr std::string_view frames[] = {"fixed", "follower"};
    option(o.frame, Option{"frame", "fixed in space, or turning with the part: along it, across it", frames});
  }
  static bool symmetric(const Options& o) { return o.frame == Frame::fixed; }

  template <class T>
  struct Params {
    Vec<3, T> force;
    T length;
    Vec<3, T> normal{};
  };
  static void fields(auto& p, auto&& field) {
    field(
        p.force,
        Field{.name = "force",
              .unit = "N/m",
              .doc =
                  "force per length of the reference, times the signal; follower: along the tangent, across it, along "
                  "`normal` of a cable; along d3, d1, d2 of a beam"});
    field(p.length, Field{.name = "length", .unit = "m", .doc = "length of the element's parameter", .above = 0});
    field(p.normal,
          Field{.name = "normal",
                .unit = "1",
                .doc = "follower on a cable: direction of space across which it bends; across is normal x tangent",
                .value = 0});
  }

  static constexpr int points = 5;
  template <class T>
  struct Data {
    Vec<3, T> force, normal;
    T length, inv_l, weight[points];
  };
  template <class T>
  static Data<T> prepare(const Params<T>& p, const Options&, const T* X) {
    Data<T> d{p.force, p.normal, p.length, T(1.0) / p.length, {}};
    const CubicLine<3, T> basis(X, d.inv_l);
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
    for (int i = 0; i < 12; ++i) r[i] = T(0.0);
    const CubicLine<3, T> basis(x, data.inv_l);
    for (int g = 0; g < points; ++g) {
      Vec<3, T> f = data.force;
      if (o.frame == Frame::follower)
        f = LineFrame<T>(basis.d(cubic_shape(Gauss<5>::x[g])), data.normal).force(data.force);
      const std::array<T, 4> S = position_shape(data, g);
      for (int a = 0; a < 4; ++a) ((c.sig[0] * data.weight[g] * S[a]) * f).add_to(r + 3 * a);
    }
  }

  template <class T>
  static void tangent(const Data<T>& data, const Options& o, const Context<T>& c, const T* x, const T*, double, T* K) {
    for (int i = 0; i < 144; ++i) K[i] = T(0.0);
    if (o.frame == Frame::fixed) return;
    const CubicLine<3, T> basis(x, data.inv_l);
    for (int g = 0; g < points; ++g) {
      const CubicShape sh = cubic_shape(Gauss<5>::x[g]);
      const LineFrame<T> frame(basis.d(sh), data.normal);
      const std::array<T, 4> S = position_shape(data, g);
      const T D[4] = {-data.inv_l * T(sh.f[0]), T(sh.f[1]), data.inv_l * T(sh.f[0]), T(sh.f[2])};
      for (int j = 0; j < 3; ++j) {
        const Vec<3, T> change = (c.sig[0] * data.weight[g]) * frame.change(data.force, axis_of_space<T>(j));
        for (int a = 0; a < 4; ++a)
          for (int b = 0; b < 4; ++b)
            for (int i = 0; i < 3; ++i) K[(3 * a + i) * 12 + 3 * b + j] -= S[a] * D[b] * change[i];
      }
    }
  }
};

/// Force per length along a beam, on one of its elements of three nodes.
///
///      ↓ ↓ ↓ ↓ ↓        r_a = s(t) ∫ N_a f dS, dS = ‖R_ξ‖ dξ: per length of the reference
///      ├───┼───┤        fixed: f in space;  follower: f = f₀ e₃ + f₁ e₁ + f₂ e₂, e_k = D_k/|D_k|, D_k = Σ N_b d_kb,
///                        since interpolated directors are shorter than 1
///
/// Tangent (follower): −∂r_a/∂d_kb = −s f_k ∫ N_a N_b (I − e_k e_kᵀ)/|D_k| dS. Quadrature: 3 Gauss points.
struct DistributedForceBeam3d {
  static constexpr std::string_view name = "distributed_force_beam_3d";
  static constexpr int dim = 3, nodes = 3;
  static constexpr auto slots = [] {
    std::array<SlotKind, 4 * nodes + 1> kinds{};
    for (int a = 0; a < 4 * nodes; ++a) kinds[a] = a % 4 == 0 ? SlotKind::point : SlotKind::vector;
    kinds.back() = SlotKind::signal;
    return kinds;
  }();
  static constexpr Role role = Role::load;
  static constexpr SceneForm scene{"", "", "force per length along a beam", {}};

  using Frame = DistributedForce2d::Frame;
  using Options = DistributedForce2d::Options;
  static void options(auto& o, auto&& option) { DistributedForce3d::options(o, option); }
  static bool symmetric(const Options& o) { return o.frame == Frame::fixed; }

  template <class T>
  struct Params {
    Vec<3, T> force;
  };
  static void fields(auto& p, auto&& field) {
    field(p.force, Field{.name = "force",
                         .unit = "N/m",
                         .doc = "force per length of the reference, in space or along d3, d1, d2, times the signal"});
  }

  template <class T>
  struct Data {
    Vec<3, T> force;  ///< follower: along d₁, d₂, d₃
    T weight[3];      ///< dS of the Gauss points
  };
  template <class T>
  static Data<T> prepare(const Params<T>& p, const Options& o, const T* X) {
    Data<T> d{p.force, {}};
    if (o.frame == Frame::follower) d.force = {p.force[1], p.force[2], p.force[0]};
    for (int g = 0; g < 3; ++g) {
      const auto N = DirectorBeam3::shape(Gauss<3>::x[g]);
      Vec<3, T> along = T(N.df[0]) * Vec<3, T>::load(X);
      for (int a = 1; a < nodes; ++a) along += T(N.df[a]) * Vec<3, T>::load(X + 12 * a);
      d.weight[g] = T(Gauss<3>::w[g]) * norm(along);
    }
    return d;
  }

  /// Direction k of a section and 1/|D_k|.
  template <class T>
  struct Direction {
    Vec<3, T> e;
    T inverse;
    Direction(const DirectorBeam3::Shape& N, const T* x, int k) {
      e = T(N.f[0]) * Vec<3, T>::load(x + 3 + 3 * k);
      for (int b = 1; b < nodes; ++b) e += T(N.f[b]) * Vec<3, T>::load(x + 12 * b + 3 + 3 * k);
      inverse = T(1.0) / norm(e);
      e = inverse * e;
    }
  };

  template <class T>
  static void residual(const Data<T>& data, const Options& o, const Context<T>& c, const T* x, const T*, T* r) {
    for (int i = 0; i < 36; ++i) r[i] = T(0.0);
    for (int g = 0; g < 3; ++g) {
      const auto N = DirectorBeam3::shape(Gauss<3>::x[g]);
      Vec<3, T> f = data.force;
      if (o.frame == Frame::follower) {
        f = {T(0.0), T(0.0), T(0.0)};
        for (int k = 0; k < 3; ++k) f += data.force[k] * Direction<T>(N, x, k).e;
      }
      for (int a = 0; a < nodes; ++a) ((c.sig[0] * data.weight[g] * T(N.f[a])) * f).add_to(r + 12 * a);
    }
  }
  template <class T>
  static void tangent(const Data<T>& data, const Options& o, const Context<T>& c, const T* x, const T*, double, T* K) {
    for (int i = 0; i < 36 * 36; ++i) K[i] = T(0.0);
    if (o.frame == Frame::fixed) return;
    for (int g = 0; g < 3; ++g) {
      const auto N = DirectorBeam3::shape(Gauss<3>::x[g]);
      for (int k = 0; k < 3; ++k) {
        const Direction<T> d(N, x, k);
        const T factor = -(c.sig[0] * data.weight[g]) * data.force[k] * d.inverse;
        for (int a = 0; a < nodes; ++a)
          for (int b = 0; b < nodes; ++b)
            for (int i = 0; i < 3; ++i)
              for (int j = 0; j < 3; ++j)
                K[(12 * a + i) * 36 + 12 * b + 3 + 3 * k + j] +=
                    factor * T(N.f[a] * N.f[b]) * (T(i == j ? 1.0 : 0.0) - d.e[i] * d.e[j]);
      }
    }
  }
};

}  // namespace flexura
