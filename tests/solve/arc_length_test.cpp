// Equilibrium paths through limit points against closed forms.

#include "flexura/solve/arc_length.hpp"

#include <gtest/gtest.h>

#include <numbers>

#include "flexura/constraint/distance.hpp"
#include "flexura/load/spring_damper.hpp"
#include "tests/support/machines.hpp"

namespace flexura::test {
namespace {

using std::array;
using std::numbers::pi;

/// Two springs from (±1, 0) to an apex at (0, 0.25), pressed down:
///     P(y) = 2k (l₀/l − 1) y,  l² = 1 + y²;   dP/dy = 0 at l³ = l₀
struct Truss {
  static constexpr double k = 1000, height = 0.25;
  double free_length = std::sqrt(1 + height * height);
  double load(double y) const { return 2 * k * (free_length / std::sqrt(1 + y * y) - 1) * y; }
  double limit() const { return load(std::sqrt(std::cbrt(free_length) * std::cbrt(free_length) - 1)); }
};

/// With the load on the apex, or at the end of a rigid bar that hangs from it in a guide.
Simulation<double> truss(double load, bool bar, int* apex) {
  const Truss t;
  ModelBuilder b(2);
  const int left = b.slot("left", SlotKind::point, array{-1.0, 0.0}),
            right = b.slot("right", SlotKind::point, array{1.0, 0.0});
  *apex = b.slot("apex", SlotKind::point, array{0.0, Truss::height});
  b.fix(left, "ground");
  b.fix(right, "ground");
  for (int end : {left, right})
    b.item<SpringDamper2d>({end, *apex}, {.stiffness = Truss::k, .free_length = t.free_length}, "spring");
  int loaded = *apex;
  if (bar) {
    loaded = b.slot("hook", SlotKind::point, array{0.0, -0.75});
    b.relate({1, {{loaded, {1, 0}}}, {0.0}, {}}, "guide");
    b.item<Distance2d>({*apex, loaded, b.multiplier("bar")}, {.length = 1.0}, "bar");
  }
  add_force(b, loaded, 0, -load);
  return Simulation<double>(b.build());
}

TEST(ArcLength, FollowsAShallowTrussThroughBothLimitPoints) {
  const Truss t;
  for (bool bar : {false, true}) {
    int apex = 0;
    auto s = truss(1.5 * t.limit(), bar, &apex);
    double worst = 0, lowest = 0;
    const auto report = ArcLength(s.system, {}).solve(s.state, [&](double factor, const State<double>& state) {
      worst = std::max(worst, std::fabs(t.load(state.q[s.at(apex, 1)]) - factor * 1.5 * t.limit()));
      lowest = std::min(lowest, factor);
    });
    ASSERT_TRUE(report.converged);
    EXPECT_EQ(report.load_factor, 1);
    EXPECT_LT(worst, 1e-6 * t.limit());
    EXPECT_LT(lowest, -0.5);  // it went down and through
    EXPECT_EQ(report.unstable, 0);
    ASSERT_EQ(report.critical.size(), 2u);
    for (int i : {0, 1}) {
      EXPECT_EQ(report.critical[i].type, CriticalPoint::Type::limit);
      EXPECT_NEAR(report.critical[i].load_factor, (i == 0 ? 1 : -1) / 1.5, 1e-9);
      EXPECT_NEAR(report.critical[i].direction[s.at(apex, 0)], 0, 1e-9);
      EXPECT_NEAR(std::fabs(report.critical[i].direction[s.at(apex, 1)]), 1, 1e-6);
    }
  }
}

// Guided sideways and clamped below, a straight column of bending stiffness EI buckles at π²EI/L² when its ends turn
// freely. 8 elements: 1e-4 of it is the elements' error and the compression P/EA.
TEST(ArcLength, ReportsTheBifurcationOfAColumn) {
  ModelBuilder b(2);
  const Section section{.EA = 1e6, .EI = 1, .rhoA = 1};
  const Cable c = add_cable(b, 8, {.length = 1}, section);
  b.fix(c.r[0], "pin");
  b.relate({1, {{c.tip(), {0, 1}}}, {0.0}, {}}, "guide");
  add_force(b, c.tip(), -1.5 * pi * pi, 0);
  Simulation<double> s(b.build());
  const auto report = ArcLength(s.system, {}).solve(s.state);
  ASSERT_TRUE(report.converged);
  ASSERT_EQ(report.critical.size(), 1u);
  EXPECT_EQ(report.critical[0].type, CriticalPoint::Type::bifurcation);
  EXPECT_NEAR(report.critical[0].load_factor, 1 / 1.5, 1e-4);
  EXPECT_EQ(report.critical[0].unstable_before, 0);
  EXPECT_EQ(report.critical[0].unstable_after, 1);
  EXPECT_EQ(report.unstable, 1);
  const std::vector<double>& mode = report.critical[0].direction;  // a half wave
  for (int i = 0; i <= 8; ++i) EXPECT_NEAR(mode[s.at(c.r[i], 1)] / mode[s.at(c.r[4], 1)], std::sin(pi * i / 8.0), 1e-3);
}

// Deep circular arch of 215°, one foot clamped and one hinged, pressed at the crown: 8.97 EI/R² (DaDeppo and Schmidt 1975). 32 elements give
// 0.9046, 64 give 0.8980.
TEST(ArcLength, FindsTheLimitLoadOfADeepArch) {
  ModelBuilder b(2);
  const double R = 100, half = 107.5 * pi / 180;
  const Cable c =
      add_cable(b, 64, {.length = 2 * half * R, .angle = half, .curvature = -1 / R}, {.EA = 1e8, .EI = 1e6, .rhoA = 1});
  clamp(b, c);
  b.fix(c.tip(), "hinge");
  add_force(b, c.r[32], 0, -1000);
  Simulation<double> s(b.build());
  ArcLengthOptions options;
  options.max_points = 400;
  double highest = 0;
  bool turned = false;
  const auto report = ArcLength(s.system, options).solve(s.state, [&](double factor, const State<double>&) {
    turned = turned || factor < highest;
    if (!turned) highest = factor;
  });
  ASSERT_FALSE(report.critical.empty());
  EXPECT_EQ(report.critical[0].type, CriticalPoint::Type::limit);
  EXPECT_NEAR(report.critical[0].load_factor, 0.897, 0.002);
  EXPECT_LE(highest, report.critical[0].load_factor + 1e-9);
  EXPECT_TRUE(turned);
}

TEST(ArcLength, EndsAtAGivenFactorAndGoesBackwards) {
  const Truss t;
  int apex = 0;
  auto s = truss(t.limit(), false, &apex);
  ArcLengthOptions options;
  options.end = -0.8;
  options.forward = false;
  const auto report = ArcLength(s.system, options).solve(s.state);
  ASSERT_TRUE(report.converged);
  EXPECT_EQ(report.load_factor, -0.8);
  EXPECT_NEAR(t.load(s.q(apex, 1)), -0.8 * t.limit(), 1e-6);
  EXPECT_NEAR(s.state.loads[0], -0.8, 1e-15);
}

// P(y) of the truss at each end, to 1e-9 of the range of y (the tolerance of the end); no point lies beyond it.
TEST(ArcLength, EndsWhereAFunctionOfTheStateIsZero) {
  const Truss t;
  const double at_limit = std::sqrt(std::cbrt(t.free_length) * std::cbrt(t.free_length) - 1);
  for (const bool bar : {false, true})
    for (const double height : {0.2, at_limit, 0.1, 0.0, -0.1, -0.25, -0.3}) {
      int apex = 0;
      auto s = truss(3 * t.limit(), bar, &apex);
      double lowest = 1;
      ArcLengthOptions options;
      options.until = [&](const State<double>& state) { return state.q[s.at(apex, 1)] - height; };
      const auto report = ArcLength(s.system, options).solve(s.state, [&](double, const State<double>& state) {
        lowest = std::min(lowest, state.q[s.at(apex, 1)]);
      });
      ASSERT_TRUE(report.converged && report.at_until) << height;
      EXPECT_NEAR(s.q(apex, 1), height, 1e-9 * 0.55);
      EXPECT_NEAR(lowest, height, 1e-9 * 0.55);
      EXPECT_NEAR(report.load_factor, t.load(height) / (3 * t.limit()), 1e-7);
      EXPECT_NEAR(s.state.loads[0], report.load_factor, 1e-15);
    }
}

// Just below the limit load the load comes to a value and leaves it again within one step; just above it never does.
TEST(ArcLength, EndsAtAValueThatIsPassedTwiceWithinAStep) {
  const Truss t;
  const double at_limit = std::sqrt(std::cbrt(t.free_length) * std::cbrt(t.free_length) - 1);
  for (const double below : {1e-2, 1e-3, 1e-4, 1e-5, 1e-6}) {
    int apex = 0;
    auto s = truss(3 * t.limit(), false, &apex);
    ArcLengthOptions options;
    options.until = [&](const State<double>& state) { return 3 * state.loads[0] - (1 - below); };
    const auto report = ArcLength(s.system, options).solve(s.state);
    ASSERT_TRUE(report.at_until) << below;
    EXPECT_NEAR(3 * report.load_factor, 1 - below, 3e-9);
    EXPECT_GT(s.q(apex, 1), at_limit) << below;  // where the load still rises
  }
  int apex = 0;
  auto s = truss(0.9 * t.limit(), false, &apex);
  ArcLengthOptions options;
  options.until = [&](const State<double>& state) { return 0.25 - state.q[s.at(apex, 1)] - 10; };
  const auto report = ArcLength(s.system, options).solve(s.state);
  EXPECT_TRUE(report.converged);
  EXPECT_FALSE(report.at_until);
  EXPECT_EQ(report.load_factor, 1);
  EXPECT_NEAR(report.nearest, 0.25 - s.q(apex, 1) - 10, 1e-12);
  EXPECT_EQ(report.nearest_factor, 1);
}

// Zero at the start is no end: the path ends where the load is gone again, with the truss flat.
TEST(ArcLength, GoesOnFromAStartThatIsZeroItself) {
  const Truss t;
  int apex = 0;
  auto s = truss(3 * t.limit(), false, &apex);
  ArcLengthOptions options;
  options.until = [](const State<double>& state) { return state.loads[0]; };
  const auto report = ArcLength(s.system, options).solve(s.state);
  ASSERT_TRUE(report.at_until);
  EXPECT_GT(report.points, 5);
  EXPECT_NEAR(s.q(apex, 1), 0, 1e-8);
}

}  // namespace
}  // namespace flexura::test
