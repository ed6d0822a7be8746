#pragma once
// Every constraint term with its Φ written down a second time, on nested duals: value, slope and curvature of Φ along
// any pair of directions follow from it, whatever the kernels do.

#include <functional>
#include <ostream>
#include <string>
#include <vector>

#include "flexura/math/dual.hpp"
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

  const TermType& type() const { return *find_term(name); }
  friend void PrintTo(const ConstraintCase& c, std::ostream* out) { *out << c.name; }
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
      {"vector_length" + d,
       [=](const DD* x, const auto& p) { return DD(0.5) * (dot(at(x, 0), at(x, 0)) / DD(p[0]) - DD(p[0])); }},
      {"inner_product" + d, [=](const DD* x, const auto& p) { return dot(at(x, 0), at(x, 1)) - DD(p[0]); }},
      {"offset" + d, [=](const DD* x, const auto& p) { return dot(at(x, 1) - at(x, 0), at(x, 2)) - DD(p[0]); }},
      {"offset_coordinate" + d,
       [=](const DD* x, const auto& p) { return dot(at(x, 1) - at(x, 0), at(x, 2)) - x[3 * D] - DD(p[0]); }},
      {"joint_angle" + d,
       [=](const DD* x, const auto&) {
         const DD angle = x[3 * D];
         return dot(at(x, 2), at(x, 1)) * cos(angle) - dot(at(x, 2), at(x, 0)) * sin(angle);
       }},
  };
}

inline std::vector<ConstraintCase> constraint_cases() {
  std::vector<ConstraintCase> all = constraint_cases_of<2>();
  for (ConstraintCase& c : constraint_cases_of<3>()) all.push_back(std::move(c));
  all.push_back({"coplanar_3d", [](const DD* x, const auto&) {
                   using V = Vec<3, DD>;
                   return dot(V::load(x), cross(V::load(x + 3), V::load(x + 6)));
                 }});
  return all;
}

}  // namespace flexura::test
