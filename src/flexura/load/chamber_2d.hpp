#pragma once

#include "flexura/term/term.hpp"

namespace flexura {

/// A closed chamber of gas in the plane: edges around it and one gas, joined by one scalar, the overpressure p [Pa].
///
///          g₀ ╭───────╮ g₁        U = Σ_edges −p (V_e(q) − V_e(X))  +  gas: ∫ (V_gas(p) − V₀) dp
///        r₀ o ╯  p, V ╰ o r₁
///           │           │         r_q = p ∂V/∂q: the follower pressure,   r_p = V(q) − V(X) + V₀ − V_gas(p) = 0
///           o───────────o
///
/// V = d ½ ∮ r × dr with depth d: of an edge r = Σ S_a e_a it is d Σ_{a<b} w_ab e_a × e_b, w_ab = ½ ∫ (S_a S_b′ − S_b S_a′),
/// exact, quadratic in q. An edge by itself is meaningless, as its V depends on the origin; around a closed contour these
/// parts cancel, and the pressure has no resultant. The chamber lies left of an edge's direction, or right of it.
///
/// All second derivatives come from U, so the tangent is symmetric: K_qq = −p ∂²V/∂q², K_pq = −∂V/∂q, K_pp = V_gas′ < 0.
/// p is no Lagrange multiplier: its own row determines it at any q.
///
/// A contour of `nodes` places e_a, whose factors are 1 (points) or the length of the parameter (gradients).
template <int N>
struct ChamberContour {
  using Weights = std::array<std::array<double, N>, N>;

  /// Σ_b w_ab J e_b = −∂(V/d)/∂e_a, with e_a scaled by its factor.
  template <class T>
  static Vec<2, T> turned(const Weights& w, int a, const Vec<2, T>* e) {
    Vec<2, T> sum{T(0.0), T(0.0)};
    for (int b = 0; b < N; ++b)
      for (int i = 0; i < 2; ++i) sum[i] = fma(T(w[a][b]), e[b][i], sum[i]);
    return perp(sum);
  }
  /// ½ Σ_a e_a · ∂V/∂e_a, as V is quadratic.
  template <class T>
  static T volume(const Weights& w, const T* factor, const T* x) {
    Vec<2, T> e[N];
    scaled(factor, x, e);
    T sum = T(0.0);
    for (int a = 0; a < N; ++a) sum -= dot(e[a], turned(w, a, e));
    return T(0.5) * sum;
  }
  template <class T>
  static void scaled(const T* factor, const T* x, Vec<2, T>* e) {
    for (int a = 0; a < N; ++a) e[a] = factor[a] * Vec<2, T>::load(x + 2 * a);
  }
  /// depth < 0: the chamber lies right.
  template <class T>
  static void residual(const Weights& w, const T* factor, const T& depth, const T& volume0, const T* x, T* r) {
    Vec<2, T> e[N];
    scaled(factor, x, e);
    const T line = depth * x[2 * N];
    T sum = T(0.0);
    for (int a = 0; a < N; ++a) {
      const Vec<2, T> t = turned(w, a, e);
      sum -= dot(e[a], t);
      (-(line * factor[a]) * t).store(r + 2 * a);
    }
    r[2 * N] = fma(T(0.5) * depth, sum, -volume0);
  }
  template <class T>
  static void tangent(const Weights& w, const T* factor, const T& depth, const T* x, T* K) {
    constexpr int n = 2 * N + 1;
    Vec<2, T> e[N];
    scaled(factor, x, e);
    for (int i = 0; i < n * n; ++i) K[i] = T(0.0);
    for (int a = 0; a < N; ++a) {
      for (int b = 0; b < a; ++b) {
        const T turn = depth * x[2 * N] * T(w[a][b]) * factor[a] * factor[b];
        K[(2 * a) * n + 2 * b + 1] = -turn;
        K[(2 * a + 1) * n + 2 * b] = turn;
      }
      ((depth * factor[a]) * turned(w, a, e)).store(K + 2 * N * n + 2 * a);
    }
  }
};

namespace detail {
enum class ChamberSide { left, right };
struct ChamberOptions {
  ChamberSide side = ChamberSide::left;
  bool operator==(const ChamberOptions&) const = default;
};
void chamber_options(auto& o, auto&& option) {
  static constexpr std::string_view sides[] = {"left", "right"};
  option(o.side, Option{"side", "where the chamber lies, seen along the edge", sides});
}
template <class T>
T signed_depth(const T& depth, const ChamberOptions& o) {
  return o.side == ChamberSide::left ? depth : -depth;
}
}  // namespace detail

/// Edge of a chamber along a planar cable element (cubic Hermite r₀, g₀, r₁, g₁).
struct ChamberEdge2d {
  static constexpr std::string_view name = "chamber_edge_2d";
  static constexpr int dim = 2;
  static constexpr std::array slots{SlotKind::point, SlotKind::vector, SlotKind::point, SlotKind::vector,
                                    SlotKind::scalar};
  static constexpr Role role = Role::load;
  static constexpr bool symmetric = true;
  static bool uses_velocity(const detail::ChamberOptions&) { return false; }

  using Side = detail::ChamberSide;
  using Options = detail::ChamberOptions;
  static void options(auto& o, auto&& option) { detail::chamber_options(o, option); }

  template <class T>
  struct Params {
    T length, depth;
  };
  static void fields(auto& p, auto&& field) {
    field(p.length, Field{.name = "length", .unit = "m", .doc = "length of the parameter x of the cable", .above = 0});
    field(p.depth, Field{.name = "depth", .unit = "m", .doc = "depth of the chamber across the plane", .above = 0});
  }

  static constexpr ChamberContour<4>::Weights weights{
      {{0, 0.1, 0.5, -0.1}, {-0.1, 0, 0.1, -1.0 / 60}, {-0.5, -0.1, 0, 0.1}, {0.1, 1.0 / 60, -0.1, 0}}};

  template <class T>
  struct Data {
    T depth, volume, factor[4];  ///< signed depth, V(X)
  };
  template <class T>
  static Data<T> prepare(const Params<T>& p, const Options& o, const T* X) {
    Data<T> data{detail::signed_depth(p.depth, o), T(0.0), {T(1.0), p.length, T(1.0), p.length}};
    data.volume = data.depth * ChamberContour<4>::volume(weights, data.factor, X);
    return data;
  }
  template <class T>
  static void residual(const Data<T>& data, const Options&, const Context<T>&, const T* x, const T*, T* r) {
    ChamberContour<4>::residual(weights, data.factor, data.depth, data.volume, x, r);
  }
  template <class T>
  static void tangent(const Data<T>& data, const Options&, const Context<T>&, const T* x, const T*, double, T* K) {
    ChamberContour<4>::tangent(weights, data.factor, data.depth, x, K);
  }
};

/// Straight wall of a chamber between two points.
struct ChamberWall2d {
  static constexpr std::string_view name = "chamber_wall_2d";
  static constexpr int dim = 2;
  static constexpr std::array slots{SlotKind::point, SlotKind::point, SlotKind::scalar};
  static constexpr Role role = Role::load;
  static constexpr bool symmetric = true;
  static bool uses_velocity(const detail::ChamberOptions&) { return false; }

  using Side = detail::ChamberSide;
  using Options = detail::ChamberOptions;
  static void options(auto& o, auto&& option) { detail::chamber_options(o, option); }

  template <class T>
  struct Params {
    T depth;
  };
  static void fields(auto& p, auto&& field) {
    field(p.depth, Field{.name = "depth", .unit = "m", .doc = "depth of the chamber across the plane", .above = 0});
  }

  static constexpr ChamberContour<2>::Weights weights{{{0, 0.5}, {-0.5, 0}}};

  template <class T>
  struct Data {
    T depth, volume, factor[2];
  };
  template <class T>
  static Data<T> prepare(const Params<T>& p, const Options& o, const T* X) {
    Data<T> data{detail::signed_depth(p.depth, o), T(0.0), {T(1.0), T(1.0)}};
    data.volume = data.depth * ChamberContour<2>::volume(weights, data.factor, X);
    return data;
  }
  template <class T>
  static void residual(const Data<T>& data, const Options&, const Context<T>&, const T* x, const T*, T* r) {
    ChamberContour<2>::residual(weights, data.factor, data.depth, data.volume, x, r);
  }
  template <class T>
  static void tangent(const Data<T>& data, const Options&, const Context<T>&, const T* x, const T*, double, T* K) {
    ChamberContour<2>::tangent(weights, data.factor, data.depth, x, K);
  }
};

}  // namespace flexura
