// Springs, stops and motors on the coordinates of joints.

#include <gtest/gtest.h>

#include <cmath>

#include "flexura/load/coordinate_spring.hpp"
#include "flexura/load/motor.hpp"

namespace flexura {
namespace {

using Spring = CoordinateSpring2d;
constexpr Spring::Params<double> with_stops{3.0, 0.2, 0.1, -0.5, 0.7, 400.0, 2.0, 0.05};

double force(double x, double v) {
  double r;
  Spring::residual(with_stops, {}, Context<double>{}, &x, &v, &r);
  return r;
}

TEST(CoordinateSpring, IsLinearBetweenItsStops) {
  for (double x : {-0.4, 0.1, 0.6}) EXPECT_DOUBLE_EQ(force(x, 0.3), -3.0 * (x - 0.1) - 0.2 * 0.3);
}

// Beyond the width w the stop is a spring k_s (p − w/2): the force −k (x − x₀) −/+ that, exact.
TEST(CoordinateSpring, ItsStopsAreSpringsBeyondTheirWidth) {
  EXPECT_NEAR(force(0.7 + 0.2, 0), -3.0 * 0.8 - 400 * (0.2 - 0.025), 1e-12 * 400);
  EXPECT_NEAR(force(-0.5 - 0.2, 0), 3.0 * 0.8 + 400 * (0.2 - 0.025), 1e-12 * 400);
}

// Central differences of step 1e-6: an error of 1e-12 times the third derivative, and 1e-10 of rounding.
TEST(CoordinateSpring, ForceIsTheSlopeOfTheEnergyAndTheTangentThatOfTheForce) {
  const double e = 1e-6;
  for (double x = -0.7; x < 0.9; x += 0.0137) {
    const double above = x + e, below = x - e, rest = 0;
    const double slope = (Spring::energy(with_stops, {}, Context<double>{}, &above) -
                          Spring::energy(with_stops, {}, Context<double>{}, &below)) /
                         (2 * e);
    EXPECT_NEAR(force(x, 0), -slope, 1e-7) << x;
    double k;
    Spring::tangent(with_stops, {}, Context<double>{}, &x, &rest, 0.0, &k);
    EXPECT_NEAR(k, -(force(above, 0) - force(below, 0)) / (2 * e), 1e-2) << x;  // f″ jumps at the edges: 400/0.05 e
  }
}

TEST(CoordinateSpring, StopsLoseEnergyOnlyWhereTheyTouch) {
  const auto power = [](double x) {
    const double v = 2.0;
    return Spring::dissipation(with_stops, {}, Context<double>{}, &x, &v);
  };
  EXPECT_DOUBLE_EQ(power(0.2), 0.2 * 4);
  EXPECT_DOUBLE_EQ(power(1.0), (0.2 + 2.0) * 4);
}

TEST(Motor, ReachesItsLimitSmoothlyAndNeverExceedsIt) {
  double before = -2.5, last = 0;
  for (double y = -2.5; y <= 2.5; y += 1e-3) {
    const Saturated<double> s(y, 2.0);
    EXPECT_LE(std::fabs(s.value), 2.0 + 1e-15);
    if (std::fabs(y) < 1.8) {
      EXPECT_DOUBLE_EQ(s.value, y);
    }
    if (std::fabs(y) > 2.2) {
      EXPECT_DOUBLE_EQ(std::fabs(s.value), 2.0);
    }
    if (y > -2.5) {
      EXPECT_NEAR((s.value - last) / (y - before), s.slope, 2e-3);  // slope changes by 1/0.4 per unit
    }
    before = y, last = s.value;
  }
}

// All of the effort up to 0.9 of the largest rate, none from there on ahead, all of it against what moves the other way.
TEST(Motor, DrivesNoFasterThanItsRate) {
  const Motor2d::Params<double> p{1e9, 2.0};
  const double angle = 0;
  for (const double effort : {5.0, -5.0}) {
    const auto at = [&](double rate) {
      double r;
      Motor2d::residual(p, {}, Context<double>{0, &effort}, &angle, &rate, &r);
      return r / effort;
    };
    const double ahead = effort > 0 ? 1 : -1;
    EXPECT_EQ(at(1.79 * ahead), 1);
    EXPECT_NEAR(at(1.9 * ahead), 0.5, 1e-13);
    EXPECT_EQ(at(2.01 * ahead), 0);
    EXPECT_EQ(at(-7.0 * ahead), 1);
    for (double rate = -2.5; rate < 2.5; rate += 0.0137) {
      double k;
      Motor2d::tangent(p, {}, Context<double>{0, &effort}, &angle, &rate, 1.0, &k);
      EXPECT_NEAR(k, -effort * (at(rate + 1e-6) - at(rate - 1e-6)) / 2e-6, 1e-3) << rate;  // curvature 750 at the edges
    }
  }
}

TEST(Motor, AServoPullsTowardsItsTarget) {
  const ServoMotor2d::Params<double> p{50.0, 4.0, 1e9, 1e9};
  const double target = 0.3, rate = 0.1, x = 0.25, v = -0.2;
  double r;
  ServoMotor2d::residual(p, {}, Context<double>{0, &target, &rate}, &x, &v, &r);
  EXPECT_DOUBLE_EQ(r, 50.0 * (target - x) + 4.0 * (rate - v));
}

}  // namespace
}  // namespace flexura
