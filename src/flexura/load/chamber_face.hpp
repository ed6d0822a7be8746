#pragma once

#include "flexura/load/face_form.hpp"

namespace flexura {

/// A face of a closed chamber in space; faces of all parts around it share one scalar, the overpressure p [Pa].
///
///          ╭──────╮          U = Σ −p (V_f(q) − V_f(X))        V_f = s ⅓ ∫ (r − o)·(r_ξ × r_η) dξ dη
///        ╱  p, V   ╲
///       ╱           ╲        r_i = p ∂V/∂x_i,   r_p = V(q) − V(X);   the row is completed by what fills the chamber
///      ───────o───────
///
/// By itself a face's V means nothing, as it depends on the origin o; around a closed surface o drops out and the forces are
/// the follower pressure. Where a plane of the ground closes the chamber, o lies on it, and the plane adds nothing.
/// s = 1: the normal r_ξ × r_η leaves the chamber. K_qq = −p ∂²V/∂q² is symmetric for each face, K_pq = −∂V/∂q.
template <class Shape>
struct ChamberFace {
  static constexpr int N = Shape::functions, n = 3 * N + 1;
  static constexpr std::string_view name = std::is_same_v<Shape, detail::ParabolaConeFace> ? "chamber_cone_3"
                                           : N == 12                                       ? "chamber_face_plate"
                                           : N == 5                                        ? "chamber_cone"
                                           : N == 3                                        ? "chamber_face_t3"
                                           : N == 6                                        ? "chamber_face_t6"
                                           : N == 4                                        ? "chamber_face_q4"
                                           : N == 8                                        ? "chamber_face_q8"
                                                                                           : "chamber_face_q9";
  static constexpr int dim = 3;
  static constexpr auto slots = [] {
    std::array<SlotKind, N + 1> kinds{};
    for (int i = 0; i < N; ++i) kinds[i] = Shape::length_of(i) != 0 ? SlotKind::vector : SlotKind::point;
    kinds[N] = SlotKind::scalar;
    return kinds;
  }();
  static constexpr bool symmetric = true;
  static constexpr Role role = Role::load;
  static bool uses_velocity(const NoOptions&) { return false; }

  template <class T>
  struct Params {
    T length{}, width{}, sense{};
    Vec<3, T> origin{};
  };
  static void fields(auto& p, auto&& field) {
    field(p.length, Field{.name = "length",
                          .unit = "m",
                          .doc = "of a plate: length of x; of a cone: of its edge",
                          .value = 1,
                          .above = 0});
    field(p.width, Field{.name = "width", .unit = "m", .doc = "of a plate: length of y", .value = 1, .above = 0});
    field(p.sense, Field{.name = "sense", .unit = "1", .doc = "1: the normal leaves the chamber; −1", .value = 1});
    field(p.origin,
          Field{.name = "origin", .unit = "m", .doc = "place that volumes count from, on a closing plane", .value = 0});
  }

  template <class T>
  struct Data {
    T factor[3], sense, volume;  ///< of r, r_x, r_y; V(X)
    Vec<3, T> origin;
  };
  template <class T>
  static Data<T> prepare(const Params<T>& p, const NoOptions&, const T* X) {
    Data<T> data{{T(1.0), p.length, p.width}, p.sense, T(0.0), p.origin};
    Vec<3, T> e[N], F[N];
    scaled(data, X, e);
    face_volume<Shape>.forces(e, F);
    data.volume = p.sense * enclosed<N>(e, F);
    return data;
  }
  template <class T>
  static T factor(const Data<T>& data, int i) {
    return data.factor[Shape::length_of(i)];
  }
  template <class T>
  static void scaled(const Data<T>& data, const T* x, Vec<3, T>* e) {
    for (int i = 0; i < N; ++i) {
      e[i] = Vec<3, T>::load(x + 3 * i);
      e[i] = Shape::length_of(i) == 0 ? e[i] - data.origin : factor(data, i) * e[i];
    }
  }

  template <class T>
  static void residual(const Data<T>& data, const NoOptions&, const Context<T>&, const T* x, const T*, T* r) {
    Vec<3, T> e[N], F[N];
    scaled(data, x, e);
    face_volume<Shape>.forces(e, F);
    const T pressure = data.sense * x[3 * N];
    for (int i = 0; i < N; ++i) ((pressure * factor(data, i)) * F[i]).store(r + 3 * i);
    r[3 * N] = fma(data.sense, enclosed<N>(e, F), -data.volume);
  }
  template <class T>
  static void tangent(const Data<T>& data, const NoOptions&, const Context<T>&, const T* x, const T*, double, T* K) {
    Vec<3, T> e[N], F[N];
    scaled(data, x, e);
    face_volume<Shape>.forces(e, F);
    T scale[N];
    for (int i = 0; i < N; ++i) {
      scale[i] = factor(data, i);
      const Vec<3, T> push = (-data.sense * scale[i]) * F[i];
      for (int a = 0; a < 3; ++a) K[(3 * i + a) * n + 3 * N] = K[3 * N * n + 3 * i + a] = push[a];
      e[i] = (data.sense * x[3 * N]) * e[i];
    }
    K[n * n - 1] = T(0.0);
    face_volume<Shape>.tangent(e, scale, n, K);
  }
};

using ChamberFaceT3 = ChamberFace<detail::TriangleFace<3>>;
using ChamberFaceT6 = ChamberFace<detail::TriangleFace<6>>;
using ChamberFaceQ4 = ChamberFace<detail::QuadrilateralFace<4>>;
using ChamberFaceQ8 = ChamberFace<detail::QuadrilateralFace<8>>;
using ChamberFaceQ9 = ChamberFace<detail::QuadrilateralFace<9>>;
using ChamberFacePlate = ChamberFace<detail::ThinPlateFace>;
using ChamberCone = ChamberFace<detail::ConeFace>;           ///< over an edge of a plate: what closes an opening
using ChamberCone3 = ChamberFace<detail::ParabolaConeFace>;  ///< the same over a side of three nodes

}  // namespace flexura
