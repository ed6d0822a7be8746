#pragma once
// Mechanisms of any size in natural coordinates: chains of rods and of bodies, windows, a planar linkage with loops.

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <vector>

#include "flexura/constraint/distance.hpp"
#include "flexura/constraint/inner_product.hpp"
#include "flexura/constraint/offset.hpp"
#include "flexura/constraint/vector_length.hpp"
#include "flexura/model/model_builder.hpp"

namespace flexura::test {

/// m_ab of a slender rod between two points.
inline std::array<double, 3> rod_mass(double m) { return {m / 3, m / 6, m / 3}; }

/// A rod of mass m between two points that stay as far apart as they are now.
inline void add_rod(ModelBuilder& b, int r0, int r1, double m, const std::string& name) {
  const auto X0 = b.reference(r0), X1 = b.reference(r1);
  b.item(b.dim() == 2 ? "rod_mass_2d" : "rod_mass_3d", std::array{r0, r1}, rod_mass(m), {}, name);
  double length = 0;
  for (size_t i = 0; i < X0.size(); ++i) length = std::hypot(length, X1[i] - X0[i]);
  b.item(b.dim() == 2 ? "distance_2d" : "distance_3d", std::array{r0, r1, b.multiplier(name)}, std::array{length}, {},
         name);
}

/// n rods of 1 m and 1 kg in a zigzag, pinned to each other and to the ground.
inline Model planar_chain(int n) {
  ModelBuilder b(2);
  const auto X = [](int i) { return std::array{0.8 * i, i % 2 == 0 ? 0.0 : -0.6}; };
  int last = b.slot("r0", SlotKind::point, X(0));
  b.fix(last, "joint.pin");
  for (int i = 1; i <= n; ++i) {
    const int next = b.slot(fmt::format("r{}", i), SlotKind::point, X(i));
    add_rod(b, last, next, 1.0, fmt::format("rod{}", i));
    last = next;
  }
  b.gravity(std::array{0.0, -9.81}, b.constant_signal());
  return b.build();
}

/// Inertia of a body on a basis p₀, p₁, v, w: a uniform box of mass m along p₀p₁ with unit vectors v, w across.
inline std::vector<double> box_mass(double m, double width, double height) {
  std::vector<double> out(10, 0.0);
  out[0] = out[2] = m / 3;
  out[1] = m / 6;
  out[5] = m * width * width / 12;
  out[9] = m * height * height / 12;
  return out;
}

enum class SpatialJoint {
  hinge,     ///< bodies share a point and an axis
  spherical  ///< bodies share a point
};

/// n boxes of 1 m and 1 kg, one behind the other, each a node of its own and its multipliers another.
inline Model spatial_chain(int n, SpatialJoint joint) {
  ModelBuilder b(3);
  const auto mass = box_mass(1.0, 0.2, 0.1);
  const std::array<int, 0> none{};
  int p = b.slot("p0", SlotKind::point, std::array{0.0, 0.0, 0.0});
  int axis = b.slot("e0", SlotKind::vector, std::array{0.0, 1.0, 0.0});
  b.fix(p, "ground");
  b.fix(axis, "ground");
  for (int i = 1; i <= n; ++i) {
    const int node = b.node(), rows = b.node();
    const auto row = [&](const char* what) { return b.multiplier(fmt::format("body{}.{}", i, what), rows); };
    const auto name = fmt::format("body{}", i);
    const int q = b.slot(fmt::format("p{}", i), SlotKind::point, std::array{1.0 * i, 0.0, 0.0}, node);
    const std::array<double, 3> Y{0, 1, 0}, Z{0, 0, 1};
    const int v = joint == SpatialJoint::hinge ? axis : b.slot("v", SlotKind::vector, i % 2 ? Y : Z, node);
    const int w = b.slot(fmt::format("e{}", i), SlotKind::vector, i % 2 ? Z : Y, node);
    b.item("rigid_mass_3d", std::array{p, q, v, w}, mass, none, name);
    b.item<Distance3d>({p, q, row("length")}, {.length = 1.0}, name);
    if (joint == SpatialJoint::spherical) b.item<VectorLength3d>({v, row("v")}, {}, name);
    b.item<VectorLength3d>({w, row("w")}, {}, name);
    b.item<InnerProduct3d>({v, w, row("vw")}, {}, name);
    b.item<Offset3d>({p, q, v, row("pv")}, {}, name);
    b.item<Offset3d>({p, q, w, row("pw")}, {}, name);
    p = q;
    axis = w;
  }
  b.gravity(std::array{0.3, -1.0, -9.81}, b.constant_signal());
  return b.build();
}

/// n windows: n + 1 posts of 1 m on the ground, joined on top by n beams of 1 m; each 1 kg, tops moving sideways at 1 m/s.
inline Model windows(int n) {
  ModelBuilder b(2);
  int last = -1;
  for (int i = 0; i <= n; ++i) {
    const int foot = b.slot(fmt::format("a{}", i), SlotKind::point, std::array{1.0 * i, 0.0});
    b.fix(foot, "ground");
    const int top = b.slot(fmt::format("b{}", i), SlotKind::point, std::array{1.0 * i, 1.0});
    b.set_initial(top, b.reference(top), std::array{1.0, 0.0});
    add_rod(b, foot, top, 1.0, fmt::format("post{}", i));
    if (last >= 0) add_rod(b, last, top, 1.0, fmt::format("beam{}", i));
    last = top;
  }
  b.gravity(std::array{0.0, -9.81}, b.constant_signal());
  return b.build();
}

/// Four points and seven rods with three of their ends on the ground: as many unknowns and loops as a squeezer has.
inline Model linkage() {
  ModelBuilder b(2);
  const auto point = [&](const char* name, double x, double y) {
    return b.slot(name, SlotKind::point, std::array{x, y});
  };
  const int o = point("o", 0, 0), a = point("a", -0.07, 0.03), c = point("c", 0.02, 0.07);
  for (int ground : {o, a, c}) b.fix(ground, "ground");
  const int e = point("e", -0.02, 0.002), f = point("f", -0.035, 0.016), g = point("g", -0.01, 0.04),
            h = point("h", -0.045, 0.045);
  const std::array<std::array<int, 2>, 7> rods{{{o, e}, {e, f}, {f, g}, {f, h}, {a, h}, {c, g}, {a, f}}};
  for (size_t i = 0; i < rods.size(); ++i) add_rod(b, rods[i][0], rods[i][1], 0.05, fmt::format("rod{}", i));
  b.gravity(std::array{0.0, -9.81}, b.constant_signal());
  return b.build();
}

}  // namespace flexura::test
