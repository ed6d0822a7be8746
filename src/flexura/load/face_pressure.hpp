#pragma once

#include "flexura/load/face_form.hpp"

namespace flexura {

/// Pressure on a face of a solid that follows it, against the normal r_ξ × r_η that leaves the solid where it is positive.
///
///     2 o             3 o──6──o 2        r_i = −f p(t) ∫ B_i (r_ξ × r_η) dξ dη
///       5   4           7     5          nodes counter-clockwise as seen from outside, then the middles of the sides,
///     0 o──3──o 1     0 o──4──o 1        then the centre
///
/// Exact by FaceForm::pull; the tangent is unsymmetric, as the face has an edge: around a closed surface that cancels.
template <class Shape>
struct FacePressure {
  static constexpr int N = Shape::functions;
  static constexpr std::string_view name = Shape::is_triangle ? (N == 3 ? "face_pressure_t3" : "face_pressure_t6")
                                           : N == 4           ? "face_pressure_q4"
                                           : N == 8           ? "face_pressure_q8"
                                                              : "face_pressure_q9";
  static constexpr int dim = 3;
  static constexpr auto slots = [] {
    std::array<SlotKind, N + 1> kinds{};
    kinds.fill(SlotKind::point);
    kinds[N] = SlotKind::signal;
    return kinds;
  }();
  static constexpr bool symmetric = false;
  static constexpr Role role = Role::load;
  static bool uses_velocity(const NoOptions&) { return false; }

  template <class T>
  struct Params {
    T factor{};
  };
  static void fields(auto& p, auto&& field) {
    field(
        p.factor,
        Field{
            .name = "factor", .unit = "1", .doc = "multiplies the pressure; −1 where nodes run clockwise", .value = 1});
  }

  template <class T>
  static void residual(const Params<T>& p, const NoOptions&, const Context<T>& c, const T* x, const T*, T* r) {
    Vec<3, T> e[N], F[N];
    for (int i = 0; i < N; ++i) e[i] = Vec<3, T>::load(x + 3 * i);
    face_pull<Shape>.forces(e, F);
    for (int i = 0; i < N; ++i) ((-p.factor * c.sig[0]) * F[i]).store(r + 3 * i);
  }
  template <class T>
  static void tangent(const Params<T>& p, const NoOptions&, const Context<T>& c, const T* x, const T*, double, T* K) {
    Vec<3, T> e[N];
    const T pressure = -p.factor * c.sig[0];
    for (int i = 0; i < N; ++i) e[i] = pressure * Vec<3, T>::load(x + 3 * i);
    face_pull<Shape>.tangent(e, static_cast<const T*>(nullptr), 3 * N, K);
  }
};

using FacePressureT3 = FacePressure<detail::TriangleFace<3>>;
using FacePressureT6 = FacePressure<detail::TriangleFace<6>>;
using FacePressureQ4 = FacePressure<detail::QuadrilateralFace<4>>;
using FacePressureQ8 = FacePressure<detail::QuadrilateralFace<8>>;
using FacePressureQ9 = FacePressure<detail::QuadrilateralFace<9>>;

}  // namespace flexura
