// Redundant constraints: found, named, and their load shared.

#include "flexura/solve/redundancy.hpp"

#include <gtest/gtest.h>

#include "flexura/constraint/distance.hpp"
#include "flexura/constraint/inner_product.hpp"
#include "flexura/constraint/offset.hpp"
#include "flexura/constraint/vector_length.hpp"
#include "flexura/integrate/generalized_alpha.hpp"
#include "mechanisms.hpp"

namespace flexura::test {
namespace {

using std::array;

/// A door of 2 × 1 m and 30 kg that hangs on three hinges along z, each with three rows to its place on the ground.
struct Door {
  std::vector<int> rows[3];  ///< multipliers of each hinge
  Model model;
};
Door door() {
  ModelBuilder b(3);
  Door out;
  const array<int, 0> none{};
  const array<int, 3> axes{ground_vector(b, "X", {1, 0, 0}), ground_vector(b, "Y", {0, 1, 0}),
                           ground_vector(b, "Z", {0, 0, 1})};
  const int node = b.node();
  const int p = b.slot("door.p", SlotKind::point, array{0.0, 0.0, 0.0}, node);
  const int q = b.slot("door.q", SlotKind::point, array{1.0, 0.0, 0.0}, node);
  const int v = b.slot("door.v", SlotKind::vector, array{0.0, 1.0, 0.0}, node),
            w = b.slot("door.w", SlotKind::vector, array{0.0, 0.0, 1.0}, node);
  std::vector<double> mass = box_mass(30, 0.05, 2);
  b.item("rigid_mass_3d", array{p, q, v, w}, mass, none, "door");
  b.item<Distance3d>({p, q, b.multiplier("door.length")}, {.length = 1.0}, "door");
  b.item<VectorLength3d>({v, b.multiplier("door.vv")}, {}, "door");
  b.item<VectorLength3d>({w, b.multiplier("door.ww")}, {}, "door");
  b.item<InnerProduct3d>({v, w, b.multiplier("door.vw")}, {}, "door");
  b.item<Offset3d>({p, q, v, b.multiplier("door.pv")}, {}, "door");
  b.item<Offset3d>({p, q, w, b.multiplier("door.pw")}, {}, "door");
  for (int h = 0; h < 3; ++h) {
    const double z = -0.8 + 0.8 * h;
    const std::string name = fmt::format("joint.hinge{}", h);
    const int place =
        b.combination(name + ".place", SlotKind::point,
                      {3, {{p, {1, 0, 0, 0, 1, 0, 0, 0, 1}}, {w, {z, 0, 0, 0, z, 0, 0, 0, z}}}, {}, {}}, name);
    const int ground = b.slot(name + ".ground", SlotKind::point, array{0.0, 0.0, z});
    b.fix(ground, "ground");
    const int zero = b.slot(name + ".zero", SlotKind::scalar, array{0.0});
    b.fix(zero, "ground");
    for (int i = 0; i < 3; ++i) {
      out.rows[h].push_back(b.multiplier(fmt::format("{}.{}", name, "xyz"[i])));
      b.item<OffsetCoordinate3d>({ground, place, axes[i], zero, out.rows[h].back()}, {}, name);
    }
  }
  b.gravity(array{0.0, 0.0, -9.81}, b.constant_signal());
  out.model = b.build();
  return out;
}

/// Largest difference of what two sets of multipliers do to the coordinates.
double difference_of_forces(Simulation<double>& s, const std::vector<double>& lambda,
                            const std::vector<double>& other) {
  const Topology& t = *s.model.topology;
  std::vector<double> a(s.system.assembler.residual_size()), b = a, q = s.state.q;
  for (auto [from, to] : {std::pair{&lambda, &a}, std::pair{&other, &b}}) {
    for (int i = t.ncoord; i < t.ny; ++i) q[i] = (*from)[i];
    s.system.assembler.forces_of(Role::constraint, 0, q.data(), s.state.v.data(), to->data());
    s.system.assembler.reduce(to->data());
  }
  double out = 0;
  for (int i = 0; i < t.ncoord; ++i) out = std::max(out, std::fabs(a[i] - b[i]));
  return out;
}

// Nine rows hold what five can: four are redundant. The weight is shared by the three hinges; without the least norm one
// of them carries it alone.
TEST(Redundancy, ThreeHingesShareADoor) {
  Door d = door();
  Simulation<double> s(d.model);
  Constraints constraints(s.system);
  ASSERT_TRUE(constraints.accelerations(s.state));
  EXPECT_EQ(constraints.redundant().size(), 4u);
  EXPECT_EQ(constraints.degrees_of_freedom(), 1);
  for (const RowName& name : row_names(*s.model.topology, constraints.redundant()))
    EXPECT_EQ(name.item.substr(0, 11), "joint.hinge") << name.multiplier;
  const std::vector<double> before = s.state.q, lambda = minimum_norm_multipliers(s.system, s.state);
  EXPECT_LE(difference_of_forces(s, before, lambda), 1e-11);
  double weight = 0, norm = 0, norm_before = 0;
  for (const auto& rows : d.rows) {
    const double share = lambda[s.at(rows[2], 0)];
    EXPECT_NEAR(std::fabs(share), 30 * 9.81 / 3, 1e-10) << "an equal share of the weight";
    weight += share;
  }
  for (int row : constraints.rows()) norm += lambda[row] * lambda[row], norm_before += before[row] * before[row];
  EXPECT_NEAR(std::fabs(weight), 30 * 9.81, 1e-10);
  EXPECT_LT(norm, 0.9 * norm_before);
  // The moment 30 · 9.81 · 0.5 about y is held by horizontal forces ∓M/(2 · 0.8) at the outer hinges, none in the middle.
  EXPECT_NEAR(std::fabs(lambda[s.at(d.rows[0][0], 0)]), 30 * 9.81 * 0.5 / 1.6, 1e-9);
  EXPECT_NEAR(lambda[s.at(d.rows[1][0], 0)], 0, 1e-9);
}

// Four equal cranks under one bar: two too many, left out when the model is built or set aside later.
TEST(Redundancy, FourCranksUnderOneBarTurn) {
  ModelBuilder b(2);
  const int left = b.slot("left", SlotKind::point, array{0.3, 1.0}),
            right = b.slot("right", SlotKind::point, array{3.3, 1.0});
  b.item("rod_mass_2d", array{left, right}, rod_mass(6), {}, "bar");
  b.item<Distance2d>({left, right, b.multiplier("bar")}, {.length = 3.0}, "bar");
  for (int i = 0; i < 4; ++i) {
    const int foot = b.slot(fmt::format("foot{}", i), SlotKind::point, array{1.0 * i, 0.0});
    b.fix(foot, "ground");
    const double x = i / 3.0;
    const LinearForm place{2, {{left, {1 - x, 0, 0, 1 - x}}, {right, {x, 0, 0, x}}}, {}, {}};
    const int top = i == 0   ? left
                    : i == 3 ? right
                             : b.combination(fmt::format("top{}", i), SlotKind::point, place, "bar");
    b.item<Distance2d>({foot, top, b.multiplier(fmt::format("crank{}", i))}, {.length = std::hypot(0.3, 1.0)},
                       fmt::format("joint.crank{}", i));
  }
  add_gravity(b, 0, -9.81);
  Simulation<double> s(b.build());
  Constraints constraints(s.system);
  ASSERT_TRUE(constraints.factor(s.state));
  EXPECT_EQ(constraints.degrees_of_freedom(), 1);
  GeneralizedAlpha<double> integrator(s.system, NewmarkFamily::generalized_alpha(0.8), {});
  ASSERT_TRUE(integrator.start(s.state));
  for (int k = 1; k <= 500; ++k) ASSERT_TRUE(integrator.step(s.state, 1e-3 * k).converged) << k;
  EXPECT_NEAR(s.q(left, 1), s.q(right, 1), 1e-8) << "the bar stays level";
}

// A ring of six bars in Bricard's position; hinges as shared points and axes. One row is redundant at all times.
TEST(Redundancy, BricardsRingHasOneRowTooMany) {
  ModelBuilder b(3);
  const array<int, 0> none{};
  const array<array<double, 3>, 6> P{{{0, 0, 0}, {1, 0, 0}, {1, -1, 0}, {1, -1, 1}, {0, -1, 1}, {0, 0, 1}}};
  const array<array<double, 3>, 6> axis{{{0, 1, 0}, {0, 0, 1}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 0}}};
  std::vector<int> p, e;
  for (int i = 0; i < 6; ++i) {
    p.push_back(b.slot(fmt::format("P{}", i), SlotKind::point, P[i]));
    e.push_back(b.slot(fmt::format("axis{}", i), SlotKind::vector, axis[i]));
  }
  for (int slot : {p[0], e[0], p[5], e[5]}) b.fix(slot, "ground");
  for (int i = 0; i < 5; ++i) {
    const std::string name = fmt::format("rod{}", i);
    const auto row = [&] { return b.multiplier(name); };
    b.item("rigid_mass_3d", array{p[i], p[i + 1], e[i], e[i + 1]}, box_mass(1, 0.1, 0.1), none, name);
    b.item<Distance3d>({p[i], p[i + 1], row()}, {.length = 1.0}, name);
    if (i < 4) b.item<VectorLength3d>({e[i + 1], row()}, {}, name);
    b.item<InnerProduct3d>({e[i], e[i + 1], row()}, {}, name);
    b.item<Offset3d>({p[i], p[i + 1], e[i], row()}, {}, name);
    b.item<Offset3d>({p[i], p[i + 1], e[i + 1], row()}, {}, name);
  }
  b.gravity(array{0.0, -9.81, 0.0}, b.constant_signal());
  Simulation<double> s(b.build());
  Constraints constraints(s.system);
  ASSERT_TRUE(constraints.accelerations(s.state));
  EXPECT_EQ(constraints.degrees_of_freedom(), 1);
  EXPECT_EQ(constraints.redundant().size(), 1u);
  GeneralizedAlpha<double> integrator(s.system, NewmarkFamily::generalized_alpha(0.9), {});
  ASSERT_TRUE(integrator.start(s.state));
  for (int k = 1; k <= 1000; ++k) {
    ASSERT_TRUE(integrator.step(s.state, 1e-3 * k).converged) << k;
    ASSERT_EQ(integrator.newton().set_aside().size(), 1u) << k;
  }
  // P3 is the corner that starts at (1, −1, 0); figures of the third party, second order at 1 ms.
  const double error =
      std::hypot(s.q(p[2], 0) - .274481319, std::hypot(s.q(p[2], 1) + .886707939, s.q(p[2], 2) + .462330003));
  RecordProperty("error", fmt::format("{:.2e}", error));
  EXPECT_LE(error, 1e-4);
}

}  // namespace
}  // namespace flexura::test
