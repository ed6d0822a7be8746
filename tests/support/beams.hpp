#pragma once
// Beams of directors for tests: nodes along any framed curve, with the constraints of their directors.

#include <functional>
#include <numbers>

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
      b.item("vector_length_3d", std::array{slots[i + 1], lambda[i]}, std::array{1.0, penalty}, {}, "director");
      b.item("inner_product_3d", std::array{slots[i + 1], slots[j + 1], lambda[3 + i]}, std::array{0.0, penalty}, {},
             "directors");
    }
    beam.multipliers.push_back(lambda);
  }
  const bool damped = s.stretch_retardation > 0 || s.bend_retardation > 0 || s.twist_retardation > 0;
  const double p[] = {s.GA1,
                      s.GA2,
                      s.EA,
                      s.EI1,
                      s.EI2,
                      s.GJ,
                      s.rhoA,
                      s.rhoI1,
                      s.rhoI2,
                      s.stretch_retardation,
                      s.bend_retardation,
                      s.twist_retardation};
  for (int e = 0; e < elements; ++e) {
    std::vector<int> slots;
    for (int a = 0; a < node_count; ++a)
      for (int slot : beam.nodes[e * (node_count - 1) + a]) slots.push_back(slot);
    b.item(node_count == 2 ? "director_beam_2" : "director_beam_3", slots, p, std::array{damped ? 1 : 0},
           fmt::format("{}, element {}", name, e));
  }
  return beam;
}

inline void add_force(ModelBuilder& b, int slot, const Triple& f) {
  b.item("point_force_3d", std::array{slot, b.constant_signal()}, f, {}, "force");
}

}  // namespace flexura::test
