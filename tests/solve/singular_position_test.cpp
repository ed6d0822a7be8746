// Where a mechanism's constraints become dependent, and how near to it the factor still tells them apart.
//
// A parallelogram folded flat: feet (0, 0), (1, 0), tops at the angle θ, posts of unequal mass. Its three rods are dependent
// at θ = 0. Of the beam's row 0.6 θ² is left when the posts are eliminated, so it is set aside at θ < 4e-6 (ratio 1e-11).
// The multipliers grow as 1/θ, and the error of the accelerations as 3e-18/θ² (measured): 3e-7 at the threshold, all of it
// at θ = 2e-9, where a row could no more be told from its rounding. Beyond the threshold nothing grows: the posts move
// as if the beam did not tie them, which positions on the constraint allow to first order.

#include <gtest/gtest.h>

#include "tests/support/machines.hpp"
#include "tests/support/mechanism_chains.hpp"

namespace flexura::test {
namespace {

using std::array;

Simulation<double> parallelogram(double theta, int copies) {
  ModelBuilder b(2);
  const double c = std::cos(theta), s = std::sin(theta);
  const int a0 = b.slot("a0", SlotKind::point, array{0.0, 0.0}), a1 = b.slot("a1", SlotKind::point, array{1.0, 0.0});
  const int b0 = b.slot("b0", SlotKind::point, array{c, s}), b1 = b.slot("b1", SlotKind::point, array{1 + c, s});
  b.fix(a0, "ground");
  b.fix(a1, "ground");
  for (int k = 0; k < copies; ++k) {
    add_rod(b, a0, b0, 1, "post0");
    add_rod(b, a1, b1, 3, "post1");
    add_rod(b, b0, b1, 1, "beam");
  }
  b.gravity(array{0.0, -9.81}, b.constant_signal());
  return Simulation<double>(b.build());
}

/// Accelerations and multipliers at rest.
struct Solution {
  FactorReport<double> report;
  std::vector<double> y;
};
Solution at_rest(Simulation<double>& s) {
  const Topology& t = s.system.topology();
  s.system.assembler.constraint_matrix(0, s.state.q.data(), s.state.v.data(), 1.0, s.system.values.data());
  Solution out{s.system.solver.factor(s.system.values), {}};
  std::vector<double> r(s.system.assembler.residual_size());
  s.system.assembler.residual(0, s.state.q.data(), s.state.v.data(), r.data());
  s.system.assembler.reduce(r.data());
  out.y.assign(r.begin(), r.begin() + t.ny);
  std::fill(out.y.begin() + t.ncoord, out.y.end(), 0.0);
  s.system.solver.solve(std::span(out.y));
  return out;
}

TEST(SingularPosition, IsSetAsideWhereOnlyRoundingTellsTheRowsApart) {
  for (double theta = 1e-2; theta > 1e-13; theta *= 0.1) {
    Simulation<double> s = parallelogram(theta, 1);
    const Solution x = at_rest(s);
    ASSERT_TRUE(x.report.ok) << theta;
    for (double value : x.y) ASSERT_TRUE(std::isfinite(value));
    const bool regular = theta > 4e-6;
    EXPECT_EQ(x.report.redundant_rows.size(), regular ? 0u : 1u) << theta;
    // θ̈ = −9/7 g cos θ; measured 3e-18/θ² off
    const double expected = -9.81 * 9 / 7 * std::cos(theta) * std::cos(theta);
    for (int top : {1, 3})
      if (regular) {
        EXPECT_NEAR(x.y[top] / expected, 1, 2e-17 / (theta * theta) + 1e-13);
      }
    for (double value : x.y) EXPECT_LT(std::fabs(value), 20 / std::min(1.0, std::max(theta, 3e-6)));
  }
}

TEST(SingularPosition, DuplicatesOfAllConstraintsChangeNoAcceleration) {
  for (double theta : {1.0, 1e-2, 1e-4}) {
    Simulation<double> one = parallelogram(theta, 1), three = parallelogram(theta, 3);
    const Solution x = at_rest(one), y = at_rest(three);
    ASSERT_TRUE(y.report.ok);
    for (int i = 0; i < 4; ++i) EXPECT_NEAR(y.y[i], x.y[i], 1e-15 / (theta * theta) * std::fabs(x.y[1]));
  }
}

}  // namespace
}  // namespace flexura::test
