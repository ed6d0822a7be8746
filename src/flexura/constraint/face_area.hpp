#pragma once

#include "flexura/element/face_shape.hpp"
#include "flexura/math/quadrature.hpp"
#include "flexura/term/term.hpp"

namespace flexura {

namespace detail {

/// Functions of a face at its Gauss points, with their weights.
template <class Shape, int points>
struct FacePoints {
  double weight[points * points];
  FacePlace<Shape::functions> place[points * points];
  FacePoints() {
    using Rule = Gauss<points>;
    for (int g = 0; g < points * points; ++g) {
      const double xi = Rule::x[g % points], eta = Rule::x[g / points], rest = Shape::is_triangle ? 1 - xi : 1;
      weight[g] = Rule::w[g % points] * Rule::w[g / points] * rest;
      place[g] = Shape::at(xi, rest * eta);
    }
  }
};
template <class Shape, int points>
inline const FacePoints<Shape, points> face_points;

}  // namespace detail

/// The area of a face in a sum that is kept: all faces of a patch share one multiplier, the surface tension λ [N/m].
///
///      ┌───┬───┐      Φ = ∫ J dξ dη − s² ∫ J₀ dξ dη,   J = ‖N‖,  N = r_ξ × r_η,  n = N/J       s = 1 + change · signal
///      │ Φ₁│ Φ₂│
///      └───┴───┘      δN = Σ δe_i × u_i,   u_i = B_i,ξ r_η − B_i,η r_ξ
///
///     Φ_i = ∫ g_i,  g_i = u_i × n
///     Φ_ij = ∫ ((u_i·u_j) I − u_j u_iᵀ − g_i g_jᵀ)/J − (B_i,ξ B_j,η − B_i,η B_j,ξ) [n]×
///
/// r_i = −λ Φ_i,  r_λ = −Φ: λ > 0 pulls the face together. Gauss points: 4 × 4 of a plate, else 3 × 3.
template <class Shape>
struct FaceArea {
  static constexpr int N = Shape::functions, n = 3 * N + 1, points = N == 12 ? 4 : 3;
  static constexpr std::string_view name = N == 12  ? "area_plate_3d"
                                           : N == 3 ? "area_t3_3d"
                                           : N == 6 ? "area_t6_3d"
                                           : N == 4 ? "area_q4_3d"
                                           : N == 8 ? "area_q8_3d"
                                                    : "area_q9_3d";
  static constexpr int dim = 3;
  static constexpr auto slots = [] {
    std::array<SlotKind, N + 2> kinds{};
    for (int i = 0; i < N; ++i) kinds[i] = Shape::length_of(i) != 0 ? SlotKind::vector : SlotKind::point;
    kinds[N] = SlotKind::scalar;
    kinds[N + 1] = SlotKind::signal;
    return kinds;
  }();
  static constexpr bool symmetric = true;
  static constexpr Role role = Role::constraint;
  static bool uses_velocity(const NoOptions&) { return false; }

  template <class T>
  struct Params {
    T length{}, width{}, change{};
  };
  static void fields(auto& p, auto&& field) {
    field(p.length, Field{.name = "length", .unit = "m", .doc = "of a plate: length of x", .value = 1, .above = 0});
    field(p.width, Field{.name = "width", .unit = "m", .doc = "of a plate: length of y", .value = 1, .above = 0});
    field(p.change, Field{.name = "change",
                          .unit = "1",
                          .doc = "of lengths where the signal is 1, as a share of the reference",
                          .value = 0});
  }

  template <class T>
  struct Data {
    T factor[3], change, reference;  ///< of r, r_x, r_y; area of the reference [m²]
  };
  template <class T>
  static Data<T> prepare(const Params<T>& p, const NoOptions&, const T* X) {
    Data<T> data{{T(1.0), p.length, p.width}, p.change, T(0.0)};
    data.reference = area(data, X);
    return data;
  }

  /// At a Gauss point: functions by the slots as they are, r_ξ and r_η.
  template <class T>
  struct Point {
    T weight, B[N][2];
    Vec<3, T> a, b;
    Point(const Data<T>& data, const T* x, int g) {
      const auto& place = detail::face_points<Shape, points>.place[g];
      weight = T(detail::face_points<Shape, points>.weight[g]);
      for (int k = 0; k < N; ++k) {
        const T factor = data.factor[Shape::length_of(k)];
        for (int s = 0; s < 2; ++s) B[k][s] = factor * T(place[k][s + 1]);
        const Vec<3, T> e = Vec<3, T>::load(x + 3 * k);
        a = k == 0 ? B[k][0] * e : a + B[k][0] * e;
        b = k == 0 ? B[k][1] * e : b + B[k][1] * e;
      }
    }
  };
  template <class T>
  static T area(const Data<T>& data, const T* x) {
    T sum(0.0);
    for (int g = 0; g < points * points; ++g) {
      const Point<T> at(data, x, g);
      sum += at.weight * norm(cross(at.a, at.b));
    }
    return sum;
  }

  template <class T>
  static void residual(const Data<T>& data, const NoOptions&, const Context<T>& c, const T* x, const T*, T* r) {
    for (int i = 0; i < n; ++i) r[i] = T(0.0);
    T sum(0.0);
    for (int g = 0; g < points * points; ++g) {
      const Point<T> at(data, x, g);
      const Vec<3, T> normal = cross(at.a, at.b);
      const T J = norm(normal);
      sum += at.weight * J;
      const Vec<3, T> pull = (-x[n - 1] * at.weight / J) * normal;
      for (int i = 0; i < N; ++i) cross(at.B[i][0] * at.b - at.B[i][1] * at.a, pull).add_to(r + 3 * i);
    }
    const T ratio = fma(data.change, c.sig[0], T(1.0));
    r[n - 1] = ratio * ratio * data.reference - sum;
  }

  template <class T>
  static void tangent(const Data<T>& data, const NoOptions&, const Context<T>&, const T* x, const T*, double, T* K) {
    for (int i = 0; i < n * n; ++i) K[i] = T(0.0);
    for (int g = 0; g < points * points; ++g) {
      const Point<T> at(data, x, g);
      Vec<3, T> normal = cross(at.a, at.b), u[N], pull[N];
      const T J = norm(normal), stiffness = x[n - 1] * at.weight, by_area = stiffness / J;
      normal = normal / J;
      for (int i = 0; i < N; ++i) {
        u[i] = at.B[i][0] * at.b - at.B[i][1] * at.a;
        pull[i] = cross(u[i], normal);
        for (int k = 0; k < 3; ++k) {
          K[(n - 1) * n + 3 * i + k] += at.weight * pull[i][k];
          K[(3 * i + k) * n + n - 1] += at.weight * pull[i][k];
        }
      }
      for (int i = 0; i < N; ++i)
        for (int j = 0; j < N; ++j) {
          const T even = by_area * dot(u[i], u[j]);
          const Vec<3, T> odd = (stiffness * (at.B[i][0] * at.B[j][1] - at.B[i][1] * at.B[j][0])) * normal;
          T* block = K + 3 * (i * n + j);
          for (int k = 0; k < 3; ++k) {
            for (int l = 0; l < 3; ++l) block[k * n + l] -= by_area * (u[j][k] * u[i][l] + pull[i][k] * pull[j][l]);
            const int next = (k + 1) % 3, last = (k + 2) % 3;
            block[k * n + k] += even;
            block[k * n + next] += odd[last];
            block[next * n + k] -= odd[last];
          }
        }
    }
  }
};

using AreaT3 = FaceArea<detail::TriangleFace<3>>;
using AreaT6 = FaceArea<detail::TriangleFace<6>>;
using AreaQ4 = FaceArea<detail::QuadrilateralFace<4>>;
using AreaQ8 = FaceArea<detail::QuadrilateralFace<8>>;
using AreaQ9 = FaceArea<detail::QuadrilateralFace<9>>;
using AreaPlate = FaceArea<detail::ThinPlateFace>;

}  // namespace flexura
