#pragma once
// Shape functions of solid elements over (ξ, η, ζ): hexahedra on [0, 1]³, tetrahedra where ξ, η, ζ ≥ 0 and ξ + η + ζ ≤ 1.
//
//        7───18───6          corners, then edges, then faces, then the centre, in the order of VTK:
//      19│      17│          hexahedra: edges 01 12 23 30 · 45 56 67 74 · 04 15 26 37,
//      4───16───5 │                     faces ξ = 0, 1, η = 0, 1, ζ = 0, 1   (hexahedron 27: nodes 20 … 25, centre 26)
//     ζ↑ 3──│10─│─2          (here the edges of the top are drawn with their numbers less 4: 12 … 15)
//      │11  η   │9           tetrahedra: corners 0, ξ, η, ζ; edges 01 12 20 03 13 23
//      0────8───1 → ξ
//
//     hexahedron 8     trilinear
//     hexahedron 20    serendipity:  corners (1 + s)(1 + u)(1 + v)(s + u + v − 2)/8, edges (1 − s²)(1 + u)(1 + v)/4,
//                      s = (2ξ − 1) s_n and so on with the signs of the node
//     hexahedron 27    products of parabolas
//     tetrahedron 4    L₀ = 1 − ξ − η − ζ, ξ, η, ζ
//     tetrahedron 10   corners L (2L − 1), edges 4 L_a L_b
//     triangle 3       1 − ξ − η, ξ, η; a membrane's, of which ζ says nothing

#include <array>

#include "flexura/math/quadrature.hpp"

namespace flexura {

enum class SolidKind { hexahedron_8, hexahedron_20, hexahedron_27, tetrahedron_4, tetrahedron_10, triangle_3 };

constexpr bool is_hexahedron(SolidKind kind) { return kind <= SolidKind::hexahedron_27; }
constexpr int node_count(SolidKind kind) {
  constexpr int counts[] = {8, 20, 27, 4, 10, 3};
  return counts[static_cast<int>(kind)];
}
/// Of a membrane and not of a solid: nodes, places and faces go with those of solids, and it has a term of its own.
constexpr bool is_surface(SolidKind kind) { return kind == SolidKind::triangle_3; }
inline constexpr int most_solid_nodes = 27;

/// (ξ, η, ζ) of node n.
constexpr std::array<double, 3> solid_node(SolidKind kind, int n) {
  constexpr int hexahedron[27][3] = {{0, 0, 0}, {2, 0, 0}, {2, 2, 0}, {0, 2, 0}, {0, 0, 2}, {2, 0, 2}, {2, 2, 2},
                                     {0, 2, 2}, {1, 0, 0}, {2, 1, 0}, {1, 2, 0}, {0, 1, 0}, {1, 0, 2}, {2, 1, 2},
                                     {1, 2, 2}, {0, 1, 2}, {0, 0, 1}, {2, 0, 1}, {2, 2, 1}, {0, 2, 1}, {0, 1, 1},
                                     {2, 1, 1}, {1, 0, 1}, {1, 2, 1}, {1, 1, 0}, {1, 1, 2}, {1, 1, 1}};
  constexpr int tetrahedron[10][3] = {{0, 0, 0}, {2, 0, 0}, {0, 2, 0}, {0, 0, 2}, {1, 0, 0},
                                      {1, 1, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {0, 1, 1}};
  const int* at = is_hexahedron(kind) ? hexahedron[n] : tetrahedron[n];
  return {at[0] / 2.0, at[1] / 2.0, at[2] / 2.0};
}

/// Of each node: its function, and the derivatives by ξ, η, ζ.
struct SolidFunctions {
  double value[most_solid_nodes], slope[most_solid_nodes][3];
};

namespace detail {

/// On [0, 1], with slope: the line or parabola that is one at x = a (0, ½ or 1) and zero at the other nodes.
constexpr void nodal_polynomial(bool parabola, double a, double x, double (&f)[2]) {
  if (!parabola) {
    f[0] = a == 0 ? 1 - x : x, f[1] = a == 0 ? -1 : 1;
  } else if (a == 0.5) {
    f[0] = 4 * x * (1 - x), f[1] = 4 - 8 * x;
  } else {
    const double s = a == 0 ? 1 - x : x, sign = a == 0 ? -1 : 1;
    f[0] = s * (2 * s - 1), f[1] = sign * (4 * s - 1);
  }
}

constexpr void tensor_functions(SolidKind kind, const double* x, SolidFunctions& out) {
  for (int n = 0; n < node_count(kind); ++n) {
    double f[3][2]{};
    for (int i = 0; i < 3; ++i) nodal_polynomial(kind == SolidKind::hexahedron_27, solid_node(kind, n)[i], x[i], f[i]);
    out.value[n] = f[0][0] * f[1][0] * f[2][0];
    for (int i = 0; i < 3; ++i) out.slope[n][i] = f[0][i == 0] * f[1][i == 1] * f[2][i == 2];
  }
}

constexpr void serendipity_functions(const double* x, SolidFunctions& out) {
  for (int n = 0; n < 20; ++n) {
    const std::array<double, 3> node = solid_node(SolidKind::hexahedron_20, n);
    double s[3]{}, f[3]{}, df[3]{}, sum = -2;  // factors and their slopes by ξ, η, ζ
    for (int i = 0; i < 3; ++i) {
      const double sign = 2 * node[i] - 1;
      s[i] = (2 * x[i] - 1) * (n < 8 ? sign : 1);
      const bool middle = node[i] == 0.5;
      f[i] = middle ? 1 - s[i] * s[i] : 1 + (2 * x[i] - 1) * sign;
      df[i] = middle ? -4 * s[i] : 2 * sign;
      sum += s[i];
    }
    const double share = n < 8 ? 0.125 * sum : 0.25;
    out.value[n] = f[0] * f[1] * f[2] * share;
    for (int i = 0; i < 3; ++i) {
      const double others = f[(i + 1) % 3] * f[(i + 2) % 3];
      out.slope[n][i] = others * (df[i] * share + (n < 8 ? 0.125 * f[i] * df[i] : 0.0));
    }
  }
}

constexpr void triangle_functions(const double* x, SolidFunctions& out) {
  constexpr double slope[3][2] = {{-1, -1}, {1, 0}, {0, 1}};
  const double L[3] = {1 - x[0] - x[1], x[0], x[1]};
  for (int n = 0; n < 3; ++n) {
    out.value[n] = L[n];
    for (int i = 0; i < 2; ++i) out.slope[n][i] = slope[n][i];
  }
}

constexpr void tetrahedron_functions(SolidKind kind, const double* x, SolidFunctions& out) {
  constexpr double slope[4][3] = {{-1, -1, -1}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  constexpr int edge[6][2] = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}};
  const double L[4] = {1 - x[0] - x[1] - x[2], x[0], x[1], x[2]};
  const bool quadratic = kind == SolidKind::tetrahedron_10;
  for (int n = 0; n < 4; ++n) {
    out.value[n] = quadratic ? L[n] * (2 * L[n] - 1) : L[n];
    for (int i = 0; i < 3; ++i) out.slope[n][i] = slope[n][i] * (quadratic ? 4 * L[n] - 1 : 1);
  }
  for (int e = 0; quadratic && e < 6; ++e) {
    const int a = edge[e][0], b = edge[e][1];
    out.value[4 + e] = 4 * L[a] * L[b];
    for (int i = 0; i < 3; ++i) out.slope[4 + e][i] = 4 * (slope[a][i] * L[b] + L[a] * slope[b][i]);
  }
}

}  // namespace detail

constexpr SolidFunctions solid_functions(SolidKind kind, double xi, double eta, double zeta) {
  const double x[3] = {xi, eta, zeta};
  SolidFunctions out{};
  if (kind == SolidKind::hexahedron_20) {
    detail::serendipity_functions(x, out);
  } else if (is_hexahedron(kind)) {
    detail::tensor_functions(kind, x, out);
  } else if (is_surface(kind)) {
    detail::triangle_functions(x, out);
  } else {
    detail::tetrahedron_functions(kind, x, out);
  }
  return out;
}

/// A point of a rule and its weight; weights sum to the volume of the domain, 1 or 1/6.
struct SolidPlace {
  double x[3], weight;
};

/// Place k of N × N × N Gauss points; of a tetrahedron collapsed ones, ξ = a, η = b (1 − a), ζ = c (1 − a)(1 − b).
template <int N>
constexpr SolidPlace gauss_place(SolidKind kind, int k) {
  const double *x = Gauss<N>::x, *w = Gauss<N>::w;
  const double a = x[k % N], b = x[k / N % N], c = x[k / N / N], weight = w[k % N] * w[k / N % N] * w[k / N / N];
  if (is_hexahedron(kind)) return {{a, b, c}, weight};
  return {{a, b * (1 - a), c * (1 - a) * (1 - b)}, weight * (1 - a) * (1 - a) * (1 - b)};
}

/// The points where the energy is integrated: 2³ for 8 nodes, 3³ for 20 and 27; of tetrahedra 1, exact to degree 1, and 8, exact
/// to degree 3, which curved edges need for a homogeneous deformation to be one: L = (1, 1, 1, 5)/8 with the weight 4/25 and
/// (0, 1, 1, 1)/3 with 9/100, permuted.
constexpr int place_count(SolidKind kind) {
  constexpr int counts[] = {8, 27, 27, 1, 8, 1};
  return counts[static_cast<int>(kind)];
}
constexpr SolidPlace solid_place(SolidKind kind, int k) {
  if (kind == SolidKind::hexahedron_8) return gauss_place<2>(kind, k);
  if (is_hexahedron(kind)) return gauss_place<3>(kind, k);
  if (kind == SolidKind::tetrahedron_4) return {{0.25, 0.25, 0.25}, 1.0 / 6};
  if (is_surface(kind)) return {{1.0 / 3, 1.0 / 3, 0}, 0.5};
  const bool inside = k < 4;
  const double other = inside ? 1.0 / 8 : 1.0 / 3, own = inside ? 5.0 / 8 : 0.0;
  return {{k % 4 == 1 ? own : other, k % 4 == 2 ? own : other, k % 4 == 3 ? own : other}, (inside ? 0.16 : 0.09) / 6};
}

/// Modes of the change of volume: 1; 1, x, y, z.
constexpr int volume_modes(SolidKind kind) {
  return kind == SolidKind::hexahedron_20 || kind == SolidKind::hexahedron_27 ? 4 : 1;
}

/// Parabolas on a tetrahedron hold x ↦ 2 (a·x) x − x·x a, which keeps all angles and, on the mean, the volume: with one mode J has
/// to be held at the points as well, as softly as the shape is.
constexpr bool holds_points(SolidKind kind) { return kind == SolidKind::tetrahedron_10; }

/// The slopes of all functions at the places: slope[(place · nodes + node) · 3 + direction].
template <SolidKind kind>
struct SolidTable {
  std::array<double, node_count(kind) * place_count(kind) * 3> slope{};
  std::array<double, place_count(kind)> weight{};
};
template <SolidKind kind>
inline constexpr SolidTable<kind> solid_table = [] {
  constexpr int nodes = node_count(kind);
  SolidTable<kind> out;
  for (int k = 0; k < place_count(kind); ++k) {
    const SolidPlace place = solid_place(kind, k);
    const SolidFunctions f = solid_functions(kind, place.x[0], place.x[1], place.x[2]);
    out.weight[k] = place.weight;
    for (int n = 0; n < nodes; ++n)
      for (int i = 0; i < 3; ++i) out.slope[(k * nodes + n) * 3 + i] = f.slope[n][i];
  }
  return out;
}();

}  // namespace flexura
