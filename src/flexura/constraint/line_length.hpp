#pragma once

#include "flexura/element/cubic_line.hpp"
#include "flexura/math/quadrature.hpp"
#include "flexura/term/term.hpp"

namespace flexura {
namespace detail {

/// Edges of elements, r(ξ) = Σ S_a(ξ) e_a with S and ∂S/∂ξ; of gradients, by x = l ξ, times the length l of the edge's parameter.

/// Of cables and plates: r, g, r, g.
template <int D>
struct CubicEdge {
  static constexpr std::string_view name = D == 2 ? "length_cubic_2d" : "length_cubic_3d";
  static constexpr int dim = D, functions = 4, points = 5;
  static constexpr bool is_gradient(int a) { return a % 2 == 1; }
  static constexpr std::array<double, 4> value(double x) { return cubic_position_shape(x); }
  static constexpr std::array<double, 4> slope(double x) {
    const CubicShape s = cubic_shape(x);
    return {-s.f[0], s.f[1], s.f[0], s.f[2]};
  }
};
/// Of beams and of solids whose edges have a node in the middle: start, middle, end.
struct QuadraticEdge {
  static constexpr std::string_view name = "length_quadratic_3d";
  static constexpr int dim = 3, functions = 3, points = 3;
  static constexpr bool is_gradient(int) { return false; }
  static constexpr std::array<double, 3> value(double x) {
    return {(1 - x) * (1 - 2 * x), 4 * x * (1 - x), x * (2 * x - 1)};
  }
  static constexpr std::array<double, 3> slope(double x) { return {4 * x - 3, 4 - 8 * x, 4 * x - 1}; }
};
struct StraightEdge {
  static constexpr std::string_view name = "length_straight_3d";
  static constexpr int dim = 3, functions = 2, points = 1;
  static constexpr bool is_gradient(int) { return false; }
  static constexpr std::array<double, 2> value(double x) { return {1 - x, x}; }
  static constexpr std::array<double, 2> slope(double) { return {-1, 1}; }
};

}  // namespace detail

/// The length of an edge in a sum that is kept: all edges of a line share one multiplier, the tension λ [N], to whose row each
/// adds its share of Φ.
///
///      o~~~~~o~~~~~o~~~~~o        arc         Φ = ∫ ‖r_x‖ dx − s ∫ ‖R_x‖ dx                      [xing2022 eq 31]
///         Φ₁ + Φ₂ + Φ₃ = 0        quadratic   Φ = ½ (∫ r_x·r_x dx − s² ∫ R_x·R_x dx)             [xing2022 eq 32]
///
///     arc:        Φ_a = ∫ B_a t dx,  Φ_ab = ∫ B_a B_b (I − t tᵀ)/‖r_x‖ dx,  t = r_x/‖r_x‖,  r_x = Σ B_a e_a
///     quadratic:  Φ_a = ∫ B_a r_x dx,  Φ_ab = ∫ B_a B_b dx I
///     r_a = −λ Φ_a,  r_λ = −Φ;   λ > 0 pulls the line together
///
/// s = 1 + change · signal: the ratio to the reference. Quadratic is not a length: it bounds it, (∫ ‖r_x‖ dx)² ≤ l ∫ r_x·r_x dx, and a line
/// may shorten as far as it is stretched unevenly. Gauss points: of a cubic edge 5, quadratic 3, straight 1.
template <class Edge>
struct LineLength {
  static constexpr int D = Edge::dim, N = Edge::functions, points = Edge::points, n = D * N + 1;
  static constexpr std::string_view name = Edge::name;
  static constexpr int dim = D;
  static constexpr auto slots = [] {
    std::array<SlotKind, N + 2> kinds{};
    for (int a = 0; a < N; ++a) kinds[a] = Edge::is_gradient(a) ? SlotKind::vector : SlotKind::point;
    kinds[N] = SlotKind::scalar;
    kinds[N + 1] = SlotKind::signal;
    return kinds;
  }();
  static constexpr bool symmetric = true;
  static constexpr Role role = Role::constraint;

  enum class Measure { arc, quadratic };
  struct Options {
    Measure measure = Measure::arc;
    bool operator==(const Options&) const = default;
  };
  static void options(auto& o, auto&& option) {
    static constexpr std::string_view measures[] = {"arc", "quadratic"};
    option(o.measure, Option{"measure", "what is kept: the length, or the integral of its square", measures});
  }
  static bool uses_velocity(const Options&) { return false; }

  template <class T>
  struct Params {
    T length, change{};
  };
  static void fields(auto& p, auto&& field) {
    field(p.length, Field{.name = "length", .unit = "m", .doc = "length of the edge's parameter", .above = 0});
    field(p.change, Field{.name = "change",
                          .unit = "1",
                          .doc = "of the length where the signal is 1, as a share of the reference",
                          .value = 0});
  }

  template <class T>
  struct Data {
    T B[points][N], weight[points];  ///< r_x = Σ B_a e_a; dx
    T change, reference;             ///< ∫ ‖R_x‖ dx or ∫ R_x·R_x dx [m]
  };
  template <class T>
  static Data<T> prepare(const Params<T>& p, const Options& o, const T* X) {
    Data<T> data{};
    data.change = p.change;
    const T inverse = T(1.0) / p.length;
    for (int g = 0; g < points; ++g) {
      const auto c = Edge::slope(Gauss<points>::x[g]);
      for (int a = 0; a < N; ++a) data.B[g][a] = T(c[a]) * (Edge::is_gradient(a) ? T(1.0) : inverse);
      data.weight[g] = T(Gauss<points>::w[g]) * p.length;
    }
    data.reference = integral(data, o, X);
    return data;
  }
  template <class T>
  static Vec<D, T> slope(const Data<T>& data, int g, const T* x) {
    Vec<D, T> out = data.B[g][0] * Vec<D, T>::load(x);
    for (int a = 1; a < N; ++a) out += data.B[g][a] * Vec<D, T>::load(x + D * a);
    return out;
  }
  template <class T>
  static T integral(const Data<T>& data, const Options& o, const T* x) {
    T sum(0.0);
    for (int g = 0; g < points; ++g) {
      const Vec<D, T> d = slope(data, g, x);
      const T square = dot(d, d);
      sum += data.weight[g] * (o.measure == Measure::arc ? sqrt(square) : square);
    }
    return sum;
  }

  template <class T>
  static void residual(const Data<T>& data, const Options& o, const Context<T>& c, const T* x, const T*, T* r) {
    for (int i = 0; i < n; ++i) r[i] = T(0.0);
    const bool arc = o.measure == Measure::arc;
    for (int g = 0; g < points; ++g) {
      const Vec<D, T> d = slope(data, g, x);
      const T force = x[n - 1] * (arc ? data.weight[g] / norm(d) : data.weight[g]);
      for (int a = 0; a < N; ++a) ((-force * data.B[g][a]) * d).add_to(r + D * a);
    }
    const T now = integral(data, o, x), ratio = fma(data.change, c.sig[0], T(1.0));
    r[n - 1] = arc ? ratio * data.reference - now : T(0.5) * (ratio * ratio * data.reference - now);
  }

  template <class T>
  static void tangent(const Data<T>& data, const Options& o, const Context<T>&, const T* x, const T*, double, T* K) {
    for (int i = 0; i < n * n; ++i) K[i] = T(0.0);
    const bool arc = o.measure == Measure::arc;
    for (int g = 0; g < points; ++g) {
      Vec<D, T> d = slope(data, g, x);
      T stiffness = x[n - 1] * data.weight[g];
      if (arc) {
        const T length = norm(d);
        d = d / length;
        stiffness = stiffness / length;
      }
      const T along = arc ? T(1.0) : T(0.0);
      for (int a = 0; a < N; ++a) {
        const T pull = data.weight[g] * data.B[g][a];
        for (int i = 0; i < D; ++i) {
          K[(n - 1) * n + D * a + i] += pull * d[i];
          K[(D * a + i) * n + n - 1] += pull * d[i];
        }
        for (int b = 0; b < N; ++b) {
          const T k = stiffness * data.B[g][a] * data.B[g][b];
          for (int i = 0; i < D; ++i)
            for (int j = 0; j < D; ++j)
              K[(D * a + i) * n + D * b + j] += k * (T(i == j ? 1.0 : 0.0) - along * d[i] * d[j]);
        }
      }
    }
  }
};

using CubicLength2d = LineLength<detail::CubicEdge<2>>;
using CubicLength3d = LineLength<detail::CubicEdge<3>>;
using QuadraticLength3d = LineLength<detail::QuadraticEdge>;
using StraightLength3d = LineLength<detail::StraightEdge>;

}  // namespace flexura
