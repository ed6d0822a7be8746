#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "flexura/model/model_builder.hpp"
#include "flexura/solve/statics.hpp"

namespace flexura {
namespace {

// A point on two rods has no stiffness of its own until the rods carry load: the block factor without pivoting meets a
// zero pivot, and the sparse solver with pivoting takes over. Forces by hand: rods at 45°, T = m g / (2 sin 45°) each.
TEST(Pivoting, PointHungOnTwoRodsFindsTheirTensions) {
  ModelBuilder b(2);
  const std::array<double, 2> left{-1, 1}, right{1, 1}, middle{0, 0}, g{0, -9.81};
  const int a = b.slot("left", SlotKind::point, left), c = b.slot("right", SlotKind::point, right);
  const int p = b.slot("middle", SlotKind::point, middle);
  b.fix(a, "wall");
  b.fix(c, "wall");
  const double m = 2, length = std::sqrt(2.0);
  b.item("point_mass_2d", std::array{p}, {&m, 1}, {}, "mass");
  const int first = b.multiplier("rod 1"), second = b.multiplier("rod 2");
  b.item("distance_2d", std::array{a, p, first}, {&length, 1}, {}, "rod 1");
  b.item("distance_2d", std::array{c, p, second}, {&length, 1}, {}, "rod 2");
  b.gravity(g, b.constant_signal());
  const Model model = b.build();
  const Values* values = &model.values;
  System<double> system(model.topology, {&values, 1});
  State<double> state = system.initial_state(0);
  const StaticReport report = StaticSolver(system, {}).solve(state);
  ASSERT_TRUE(report.converged);
  const double tension = m * 9.81 / std::sqrt(2.0);
  for (int rod : {first, second})  // the stop rule is 1e-9 of the weight
    EXPECT_NEAR(state.q[model.topology->slots[rod].offset], tension, 1e-7 * tension);
}

}  // namespace
}  // namespace flexura
