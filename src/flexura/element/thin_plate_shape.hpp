#pragma once

#include "flexura/element/plate_shape.hpp"

namespace flexura {

/// Derivatives (ξ, η, ξξ, ηη, ξη) of the twelve functions N, N^x, N^y of plate_shape.hpp, node by node.
struct ThinPlateShape {
  double value[12], d[12][5];

  static constexpr ThinPlateShape at(double xi, double eta) {
    constexpr double sign_x[4] = {-1, 1, 1, -1}, sign_y[4] = {-1, -1, 1, 1};
    const PlateShape::Values first = PlateShape::at(xi, eta);
    ThinPlateShape out{};
    for (int n = 0; n < 4; ++n) {
      const double sn = sign_x[n], un = sign_y[n], s = (2 * xi - 1) * sn, u = (2 * eta - 1) * un;
      for (int k = 0; k < 3; ++k) {
        out.value[3 * n + k] = first.f[n][k];
        out.d[3 * n + k][0] = first.dx[n][k];
        out.d[3 * n + k][1] = first.dy[n][k];
      }
      double(&value)[5] = out.d[3 * n], (&x)[5] = out.d[3 * n + 1], (&y)[5] = out.d[3 * n + 2];
      value[2] = -3 * s * (1 + u);
      value[3] = -3 * u * (1 + s);
      value[4] = sn * un * (4 - 3 * s * s - 3 * u * u) / 2;
      x[2] = sn * (1 + u) * (3 * s + 1) / 2;
      x[3] = 0;
      x[4] = un * (1 + s) * (3 * s - 1) / 4;
      y[2] = 0;
      y[3] = un * (1 + s) * (3 * u + 1) / 2;
      y[4] = sn * (1 + u) * (3 * u - 1) / 4;
    }
    return out;
  }
};

/// The functions at side × side Gauss points: derivatives as [function][place][derivative].
template <int side>
struct ThinPlateRule {
  static constexpr int places = side * side;
  double weight[places], d[12][places][5];
};
template <int side>
inline constexpr ThinPlateRule<side> thin_plate_rule = [] {
  ThinPlateRule<side> out{};
  for (int p = 0; p < side * side; ++p) {
    const ThinPlateShape shape = ThinPlateShape::at(Gauss<side>::x[p % side], Gauss<side>::x[p / side]);
    out.weight[p] = Gauss<side>::w[p % side] * Gauss<side>::w[p / side];
    for (int i = 0; i < 12; ++i)
      for (int k = 0; k < 5; ++k) out.d[i][p][k] = shape.d[i][k];
  }
  return out;
}();

}  // namespace flexura
