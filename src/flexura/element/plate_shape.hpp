#pragma once

#include <array>

#include "flexura/math/quadrature.hpp"

namespace flexura {

/// Shape functions of a rectangle (ξ, η) ∈ [0, 1]² with values and slopes, without twist coordinates [ghoneimy2025 eq 23].
///
///       3 o─────────o 2        with s = (2ξ − 1) s_n, u = (2η − 1) u_n, s_n and u_n = ±1 the signs of the corner:
///     η ↑ │         │          N   = (1 + s)(1 + u)(2 + s + u − s² − u²)/8       of the value
///       0 o─────────o 1        N^x = s_n (1 + s)²(s − 1)(1 + u)/16               of the slope along ξ
///           → ξ                N^y = u_n (1 + u)²(u − 1)(1 + s)/16               of the slope along η
///                              L   = (1 + s)(1 + u)/4                            bilinear
/// Complete to third order, and ξ³η, ξη³.
struct PlateShape {
  /// Of node n: N, N^x, N^y and L, with derivatives along ξ and η.
  struct Values {
    double f[4][4], dx[4][4], dy[4][4];  ///< [node][function]
  };
  static constexpr Values at(double xi, double eta) {
    constexpr double sign_x[4] = {-1, 1, 1, -1}, sign_y[4] = {-1, -1, 1, 1};
    Values out{};
    for (int n = 0; n < 4; ++n) {
      const double sn = sign_x[n], un = sign_y[n], s = (2 * xi - 1) * sn, u = (2 * eta - 1) * un;
      const double p = 2 + s + u - s * s - u * u;
      out.f[n][0] = (1 + s) * (1 + u) * p / 8;
      out.dx[n][0] = sn * (1 + u) * (p + (1 + s) * (1 - 2 * s)) / 4;
      out.dy[n][0] = un * (1 + s) * (p + (1 + u) * (1 - 2 * u)) / 4;
      out.f[n][1] = sn * (1 + s) * (1 + s) * (s - 1) * (1 + u) / 16;
      out.dx[n][1] = (1 + s) * (3 * s - 1) * (1 + u) / 8;
      out.dy[n][1] = sn * un * (1 + s) * (1 + s) * (s - 1) / 8;
      out.f[n][2] = un * (1 + u) * (1 + u) * (u - 1) * (1 + s) / 16;
      out.dx[n][2] = sn * un * (1 + u) * (1 + u) * (u - 1) / 8;
      out.dy[n][2] = (1 + u) * (3 * u - 1) * (1 + s) / 8;
      out.f[n][3] = (1 + s) * (1 + u) / 4;
      out.dx[n][3] = sn * (1 + u) / 2;
      out.dy[n][3] = un * (1 + s) / 2;
    }
    return out;
  }

  /// 3 × 3 Gauss points.
  using Line = Gauss<3>;
  static constexpr int side = 3, places = side * side;
  static constexpr double weight(int place) { return Line::w[place % side] * Line::w[place / side]; }
};

/// At the nine places.
inline constexpr auto plate_surface = [] {
  std::array<PlateShape::Values, PlateShape::places> out{};
  for (int k = 0; k < PlateShape::places; ++k)
    out[k] = PlateShape::at(PlateShape::Line::x[k % PlateShape::side], PlateShape::Line::x[k / PlateShape::side]);
  return out;
}();

/// Derivatives by function: (N_ξ, N_η) of N, N^x, N^y as [node][function][place]; (L, L_ξ, L_η) as [node][place].
struct PlateRows {
  double surface[4][3][PlateShape::places][2];
  double director[4][PlateShape::places][3];
};
inline constexpr PlateRows plate_rows = [] {
  PlateRows out{};
  for (int n = 0; n < 4; ++n)
    for (int s = 0; s < PlateShape::places; ++s) {
      const PlateShape::Values& v = plate_surface[s];
      for (int k = 0; k < 3; ++k) out.surface[n][k][s][0] = v.dx[n][k], out.surface[n][k][s][1] = v.dy[n][k];
      out.director[n][s][0] = v.f[n][3], out.director[n][s][1] = v.dx[n][3], out.director[n][s][2] = v.dy[n][3];
    }
  return out;
}();

}  // namespace flexura
