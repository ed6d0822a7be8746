#pragma once
// Faces of solids and plates: their functions, for pressures, chambers, areas.

#include <array>

#include "flexura/element/cubic_line.hpp"
#include "flexura/element/thin_plate_shape.hpp"

namespace flexura {

/// Functions B of a face and their derivatives at a place: B, B_ξ, B_η. `length_of` a shape's function: 0 of a point, which sum to
/// one, 1 and 2 of a gradient by the first and second of its lengths.
template <int N>
using FacePlace = std::array<std::array<double, 3>, N>;

namespace detail {

/// Corners (0,0), (1,0), (0,1); nodes 3, 4, 5 in the middle of sides 01, 12, 20.
template <int N>
struct TriangleFace {
  static constexpr int functions = N;
  static constexpr bool is_triangle = true;
  static constexpr int length_of(int) { return 0; }
  static FacePlace<N> at(double xi, double eta) {
    const double l[3] = {1 - xi - eta, xi, eta};
    constexpr double d[3][2] = {{-1, -1}, {1, 0}, {0, 1}};
    FacePlace<N> out{};
    for (int k = 0; k < 3; ++k) {
      out[k] = {l[k], d[k][0], d[k][1]};
      if constexpr (N == 6) {
        const int m = (k + 1) % 3;
        out[k] = {l[k] * (2 * l[k] - 1), (4 * l[k] - 1) * d[k][0], (4 * l[k] - 1) * d[k][1]};
        out[3 + k] = {4 * l[k] * l[m], 4 * (l[k] * d[m][0] + l[m] * d[k][0]), 4 * (l[k] * d[m][1] + l[m] * d[k][1])};
      }
    }
    return out;
  }
};

/// Corners counter-clockwise, then the middles of the sides 01, 12, 23, 30, then the centre; on [0, 1]².
template <int N>
struct QuadrilateralFace {
  static constexpr int functions = N;
  static constexpr bool is_triangle = false;
  static constexpr int length_of(int) { return 0; }
  static FacePlace<N> at(double xi, double eta) {
    constexpr double place[9][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}, {0, -1}, {1, 0}, {0, 1}, {-1, 0}, {0, 0}};
    const double s = 2 * xi - 1, t = 2 * eta - 1;
    FacePlace<N> out{};
    for (int k = 0; k < N; ++k) {
      const double a = place[k][0], b = place[k][1];
      const auto line = [](double c, double x) -> std::array<double, 2> {  // of degree N = 9: 2, else 1
        if (N == 9) return c == 0 ? std::array{1 - x * x, -2 * x} : std::array{x * (x + c) / 2, x + c / 2};
        return {(1 + c * x) / 2, c / 2};
      };
      const auto f = line(a, s), g = line(b, t);
      double value[3] = {f[0] * g[0], f[1] * g[0], f[0] * g[1]};
      if (N == 8 && k < 4) {
        const double e = a * s + b * t - 1;
        value[1] = value[1] * e + value[0] * a;
        value[2] = value[2] * e + value[0] * b;
        value[0] *= e;
      } else if (N == 8) {
        const double u = a == 0 ? 1 - s * s : 1 + a * s, v = b == 0 ? 1 - t * t : 1 + b * t;
        value[0] = u * v / 2;
        value[1] = (a == 0 ? -2 * s : a) * v / 2;
        value[2] = u * (b == 0 ? -2 * t : b) / 2;
      }
      out[k] = {value[0], 2 * value[1], 2 * value[2]};
    }
    return out;
  }
};

/// Middle surface of a thin plate: r, r_x, r_y of four corners.
struct ThinPlateFace {
  static constexpr int functions = 12;
  static constexpr bool is_triangle = false;
  static constexpr int length_of(int i) { return i % 3; }
  static FacePlace<12> at(double xi, double eta) {
    const ThinPlateShape shape = ThinPlateShape::at(xi, eta);
    FacePlace<12> out{};
    for (int i = 0; i < 12; ++i) out[i] = {shape.value[i], shape.d[i][0], shape.d[i][1]};
    return out;
  }
};

/// Cone from a point over an edge r, g, r, g of a thin plate: r = (1 − η) x_4 + η Σ H_k(ξ) x_k. Its normal r_ξ × r_η is that of the
/// plate beside it where the plate's corners follow each other along the edge.
struct ConeFace {
  static constexpr int functions = 5;
  static constexpr bool is_triangle = false;
  static constexpr int length_of(int i) { return i % 2; }
  static FacePlace<5> at(double xi, double eta) {
    const std::array<double, 4> h = cubic_position_shape(xi), d{6 * xi * xi - 6 * xi, 1 - 4 * xi + 3 * xi * xi,
                                                                6 * xi - 6 * xi * xi, 3 * xi * xi - 2 * xi};
    FacePlace<5> out{};
    for (int k = 0; k < 4; ++k) out[k] = {eta * h[k], eta * d[k], h[k]};
    out[4] = {1 - eta, 0, -1};
    return out;
  }
};

/// Cone from a point 3 over a side of a solid's face, from corner 0 to corner 1 with 2 in its middle; its normal is that of the face
/// beside it.
struct ParabolaConeFace {
  static constexpr int functions = 4;
  static constexpr bool is_triangle = false;
  static constexpr int length_of(int) { return 0; }
  static FacePlace<4> at(double xi, double eta) {
    const double h[3] = {(1 - xi) * (1 - 2 * xi), xi * (2 * xi - 1), 4 * xi * (1 - xi)},
                 d[3] = {4 * xi - 3, 4 * xi - 1, 4 - 8 * xi};
    FacePlace<4> out{};
    for (int k = 0; k < 3; ++k) out[k] = {eta * h[k], eta * d[k], h[k]};
    out[3] = {1 - eta, 0, -1};
    return out;
  }
};

}  // namespace detail

}  // namespace flexura
