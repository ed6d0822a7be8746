#pragma once
// Beams of directors for tests: nodes along any framed curve, with the constraints of their directors.

#include <algorithm>
#include <functional>
#include <numbers>
#include <type_traits>

#include "flexura/constraint/inner_product.hpp"
#include "flexura/constraint/vector_length.hpp"
#include "flexura/element/director_beam.hpp"
#include "tests/support/machines.hpp"

namespace flexura::test {

using Triple = std::array<double, 3>;
inline Triple cross(const Triple& a, const Triple& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

struct BeamSection {
  double GA1, GA2, EA, EI1, EI2, GJ, rhoA = 1, rhoI1 = 1e-3, rhoI2 = 1e-3;
  double stretch_retardation = 0, bend_retardation = 0, twist_retardation = 0;
};
/// Position and directors at a share of the length.
struct Frame {
  Triple r, d[3];
};
/// d₃ along the tangent t, d₁ = up where that is perpendicular.
inline Frame frame(const Triple& r, const Triple& t, const Triple& up) { return {r, {up, cross(t, up), t}}; }

struct Beam {
  std::vector<std::array<int, 4>> nodes;  ///< slots r, d₁, d₂, d₃
  std::vector<std::array<int, 6>> multipliers;
  int tip(int slot = 0) const { return nodes.back()[slot]; }
};

/// `node_count` 2 or 3 per element. The first node is clamped unless `free`.
inline Beam add_beam(ModelBuilder& b, int elements, int node_count, const BeamSection& s, double length,
                     const std::function<Frame(double)>& at, bool free = false, const std::string& name = "beam") {
  Beam beam;
  const int n = elements * (node_count - 1);
  const double penalty = std::max({s.EI1, s.EI2, s.GJ}) / length * n;
  for (int k = 0; k <= n; ++k) {
    const Frame f = at(static_cast<double>(k) / n);
    const int node = b.node();
    std::array<int, 4> slots;
    slots[0] = b.slot(fmt::format("{}.{}.r", name, k), SlotKind::point, f.r, node);
    for (int i = 0; i < 3; ++i)
      slots[i + 1] = b.slot(fmt::format("{}.{}.d{}", name, k, i + 1), SlotKind::vector, f.d[i], node);
    beam.nodes.push_back(slots);
    if (k == 0 && !free) {
      for (int slot : slots) b.fix(slot, "clamp");
      continue;
    }
    const int rows = b.node();
    std::array<int, 6> lambda;
    for (int i = 0; i < 3; ++i) {
      const int j = (i + 1) % 3;
      lambda[i] = b.multiplier(fmt::format("{}.{}.length {}", name, k, i), rows);
      lambda[3 + i] = b.multiplier(fmt::format("{}.{}.angle {}", name, k, i), rows);
      b.item<VectorLength3d>({slots[i + 1], lambda[i]}, {.penalty = penalty}, "director");
      b.item<InnerProduct3d>({slots[i + 1], slots[j + 1], lambda[3 + i]}, {.penalty = penalty}, "directors");
    }
    beam.multipliers.push_back(lambda);
  }
  const bool damped = s.stretch_retardation > 0 || s.bend_retardation > 0 || s.twist_retardation > 0;
  const auto add_elements = [&]<int N>(std::integral_constant<int, N>) {
    using Element = DirectorBeam<N>;
    const GivenParams<Element> p{.GA1 = s.GA1,
                                 .GA2 = s.GA2,
                                 .EA = s.EA,
                                 .EI1 = s.EI1,
                                 .EI2 = s.EI2,
                                 .GJ = s.GJ,
                                 .rhoA = s.rhoA,
                                 .rhoI1 = s.rhoI1,
                                 .rhoI2 = s.rhoI2,
                                 .stretch_retardation = s.stretch_retardation,
                                 .bend_retardation = s.bend_retardation,
                                 .twist_retardation = s.twist_retardation};
    for (int e = 0; e < elements; ++e) {
      std::array<int, 4 * N> slots;
      for (int a = 0; a < N; ++a) std::copy_n(beam.nodes[e * (N - 1) + a].begin(), 4, slots.begin() + 4 * a);
      b.item<Element>(slots, p, {.damped = damped ? Element::Damped::yes : Element::Damped::no},
                      fmt::format("{}, element {}", name, e));
    }
  };
  if (node_count == 2) {
    add_elements(std::integral_constant<int, 2>());
  } else {
    add_elements(std::integral_constant<int, 3>());
  }
  return beam;
}

inline void add_force(ModelBuilder& b, int slot, const Triple& f) {
  b.item<PointForce3d>({slot, b.constant_signal()}, {.force = {f[0], f[1], f[2]}}, "force");
}

}  // namespace flexura::test
