#pragma once
// Every constraint term with its Φ written down a second time, on nested duals: value, slope and curvature of Φ along
// any pair of directions follow from it, whatever the kernels do.

#include <functional>
#include <ostream>
#include <string>
#include <vector>

#include "flexura/element/cubic_line.hpp"
#include "flexura/element/face_shape.hpp"
#include "flexura/math/dual.hpp"
#include "flexura/math/quadrature.hpp"
#include "flexura/math/vec.hpp"
#include "flexura/model/term_type.hpp"
#include "tests/support/random.hpp"

namespace flexura::test {

using DD = Dual<Dual<double>>;

/// x + (d₁ along the outer, d₂ along the inner derivative); `second` is their mixed derivative.
inline DD nested(double x, double outer, double inner, double second = 0) { return {{x, inner}, {outer, second}}; }

struct ConstraintCase {
  std::string name;
  /// Φ of the local coordinates and the parameters in their declared order.
  std::function<DD(const DD* x, const std::vector<double>& p)> phi;
  bool has_penalty = true;
  /// Of sizes that are kept: Φ less that of the reference times this power of 1 + change · signal.
  int ratio_power = 0;
  std::vector<int> options = {};
  std::string label = {};  ///< what the name leaves open
  /// In place of phi: with the signal.
  std::function<DD(const DD* x, const std::vector<double>& p, const DD& signal)> driven_phi = {};

  const TermType& type() const { return *find_term(name); }
  friend void PrintTo(const ConstraintCase& c, std::ostream* out) { *out << c.name + c.label; }
  /// Φ with what the reference X and the signal have to do with it; `change` is the last parameter.
  DD with_reference(const DD* x, const std::vector<double>& p, const std::vector<double>& X, const DD& signal) const {
    if (driven_phi) return driven_phi(x, p, signal);
    const DD now = phi(x, p);
    if (ratio_power == 0) return now;
    std::vector<DD> there;
    for (const double c : X) there.push_back(nested(c, 0, 0));
    const DD ratio = DD(1.0) + DD(p.back()) * signal;
    return now - (ratio_power == 2 ? ratio * ratio : ratio) * DD(phi(there.data(), p).v.v);
  }
  double penalty(const std::vector<double>& p) const { return has_penalty ? p.back() : 0.0; }
};

template <int D>
std::vector<ConstraintCase> constraint_cases_of() {
  using V = Vec<D, DD>;
  const std::string d = D == 2 ? "_2d" : "_3d";
  const auto at = [](const DD* x, int slot) { return V::load(x + slot * D); };
  return {
      {"distance" + d,
       [=](const DD* x, const auto& p) {
         const V r = at(x, 1) - at(x, 0);
         return DD(0.5) * (dot(r, r) / DD(p[0]) - DD(p[0]));
       },
       false},
      {"distance_coordinate" + d,
       [=](const DD* x, const auto& p) {
         const V r = at(x, 1) - at(x, 0);
         const DD length = DD(p[0]) + x[2 * D];
         return DD(0.5) * (dot(r, r) - length * length) / DD(p[0]);
       }},
      {"rigid_truss" + d,
       [=](const DD* x, const auto& p) {
         const V r = at(x, 1) - at(x, 0);
         return DD(0.5) * (dot(r, r) / DD(p[0]) - DD(p[0]));
       },
       false},
      {"driven_truss" + d,
       {},
       false,
       0,
       {},
       {},
       [=](const DD* x, const auto& p, const DD& signal) {
         const V r = at(x, 1) - at(x, 0);
         const DD length = DD(p[0]) + signal;
         return DD(0.5) * (dot(r, r) / length - length);
       }},
      {"vector_length" + d,
       [=](const DD* x, const auto& p) { return DD(0.5) * (dot(at(x, 0), at(x, 0)) / DD(p[0]) - DD(p[0])); }},
      {"inner_product" + d, [=](const DD* x, const auto& p) { return dot(at(x, 0), at(x, 1)) - DD(p[0]); }},
      {"offset" + d, [=](const DD* x, const auto& p) { return dot(at(x, 1) - at(x, 0), at(x, 2)) - DD(p[0]); }},
      {"offset_coordinate" + d,
       [=](const DD* x, const auto& p) { return dot(at(x, 1) - at(x, 0), at(x, 2)) - x[3 * D] - DD(p[0]); }},
      {"joint_angle" + d,
       [=](const DD* x, const auto&) {
         const DD angle = x[3 * D];
         const DD along = dot(at(x, 2), at(x, 0)), across = dot(at(x, 2), at(x, 1));
         return sqrt(along * along + across * across) *
                atan2(across * cos(angle) - along * sin(angle), along * cos(angle) + across * sin(angle));
       }},
  };
}

/// ∫ ‖r_x‖ dx, or ½ ∫ r_x·r_x dx, of r = Σ S_a e_a, gradients by the parameter's length; derivatives of S by differences of degree 5, which are
/// exact for cubics.
template <int D, int N>
DD length_of_line(const DD* x, double length, const std::function<std::array<double, N>(double)>& shape, bool gradients,
                  bool quadratic = false) {
  constexpr int points = N == 4 ? 5 : N == 3 ? 3 : 1;
  DD sum(0.0);
  for (int g = 0; g < points; ++g) {
    Vec<D, DD> slope{};
    const double h = 0.25, at = Gauss<points>::x[g];
    for (int a = 0; a < N; ++a) {
      const auto S = [&](double xi) { return shape(xi)[a]; };
      const double d = (8 * (S(at + h) - S(at - h)) - (S(at + 2 * h) - S(at - 2 * h))) / (12 * h);
      slope += DD(d / length * (gradients && a % 2 == 1 ? length : 1)) * Vec<D, DD>::load(x + D * a);
    }
    const DD square = dot(slope, slope);
    sum += DD(Gauss<points>::w[g] * length) * (quadratic ? DD(0.5) * square : sqrt(square));
  }
  return sum;
}

/// ∫ ‖r_ξ × r_η‖ by the face's own functions, as sums of triangles would have it in the limit.
template <class Shape>
DD area_of_face(const DD* x, double length, double width, int points) {
  using V = Vec<3, DD>;
  DD sum(0.0);
  const double* place = points == 4 ? Gauss<4>::x : Gauss<3>::x;
  const double* weight = points == 4 ? Gauss<4>::w : Gauss<3>::w;
  const double lengths[3] = {1, length, width};
  for (int g = 0; g < points * points; ++g) {
    const double xi = place[g % points], shrink = Shape::is_triangle ? 1 - xi : 1, eta = shrink * place[g / points];
    const auto B = Shape::at(xi, eta);
    V a{}, b{};
    for (int i = 0; i < Shape::functions; ++i) {
      const V e = DD(lengths[Shape::length_of(i)]) * V::load(x + 3 * i);
      a += DD(B[i][1]) * e;
      b += DD(B[i][2]) * e;
    }
    const V normal = cross(a, b);
    sum += DD(weight[g % points] * weight[g / points] * shrink) * sqrt(dot(normal, normal));
  }
  return sum;
}

inline std::vector<ConstraintCase> size_cases() {
  using detail::QuadrilateralFace;
  using detail::TriangleFace;
  const auto cubic = [](double s) { return cubic_position_shape(s); };
  const auto quadratic = [](double s) { return std::array{(1 - s) * (1 - 2 * s), 4 * s * (1 - s), s * (2 * s - 1)}; };
  const auto straight = [](double s) { return std::array{1 - s, s}; };
  std::vector<ConstraintCase> all{
      {"length_cubic_2d",
       [=](const DD* x, const auto& p) { return length_of_line<2, 4>(x, p[0], cubic, true); },
       false,
       1,
       {0}},
      {"length_cubic_3d",
       [=](const DD* x, const auto& p) { return length_of_line<3, 4>(x, p[0], cubic, true); },
       false,
       1,
       {0}},
      {"length_quadratic_3d",
       [=](const DD* x, const auto& p) { return length_of_line<3, 3>(x, p[0], quadratic, false); },
       false,
       1,
       {0}},
      {"length_straight_3d",
       [=](const DD* x, const auto& p) { return length_of_line<3, 2>(x, p[0], straight, false); },
       false,
       1,
       {0}},
      {"area_t3_3d", [](const DD* x, const auto&) { return area_of_face<TriangleFace<3>>(x, 1, 1, 3); }, false, 2},
      {"area_t6_3d", [](const DD* x, const auto&) { return area_of_face<TriangleFace<6>>(x, 1, 1, 3); }, false, 2},
      {"area_q4_3d", [](const DD* x, const auto&) { return area_of_face<QuadrilateralFace<4>>(x, 1, 1, 3); }, false, 2},
      {"area_q8_3d", [](const DD* x, const auto&) { return area_of_face<QuadrilateralFace<8>>(x, 1, 1, 3); }, false, 2},
      {"area_q9_3d", [](const DD* x, const auto&) { return area_of_face<QuadrilateralFace<9>>(x, 1, 1, 3); }, false, 2},
      {"area_plate_3d",
       [](const DD* x, const auto& p) { return area_of_face<detail::ThinPlateFace>(x, p[0], p[1], 4); }, false, 2}};
  for (const bool planar : {true, false})
    all.push_back({planar ? "length_cubic_2d" : "length_cubic_3d",
                   [=](const DD* x, const auto& p) {
                     return planar ? length_of_line<2, 4>(x, p[0], cubic, true, true)
                                   : length_of_line<3, 4>(x, p[0], cubic, true, true);
                   },
                   false,
                   2,
                   {1},
                   "_squared"});
  all.push_back({"length_quadratic_3d",
                 [=](const DD* x, const auto& p) { return length_of_line<3, 3>(x, p[0], quadratic, false, true); },
                 false,
                 2,
                 {1},
                 "_squared"});
  all.push_back({"length_straight_3d",
                 [=](const DD* x, const auto& p) { return length_of_line<3, 2>(x, p[0], straight, false, true); },
                 false,
                 2,
                 {1},
                 "_squared"});
  return all;
}

inline std::vector<ConstraintCase> constraint_cases() {
  std::vector<ConstraintCase> all = constraint_cases_of<2>();
  for (ConstraintCase& c : constraint_cases_of<3>()) all.push_back(std::move(c));
  for (ConstraintCase& c : size_cases()) all.push_back(std::move(c));
  all.push_back({"coplanar_3d", [](const DD* x, const auto&) {
                   using V = Vec<3, DD>;
                   return dot(V::load(x), cross(V::load(x + 3), V::load(x + 6)));
                 }});
  return all;
}

}  // namespace flexura::test
