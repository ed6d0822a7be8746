// Control of the drift: Baumgarte, and fuzzy control that is Baumgarte near zero and limited far away.

#include "flexura/solve/drift_control.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace flexura::test {
namespace {

using Membership = FuzzyOptions::Membership;
using Inference = FuzzyOptions::Inference;

TEST(DriftControl, NoneAddsNothing) {
  EXPECT_FALSE(DriftControl().acts());
  EXPECT_EQ(DriftControl()(1, 1), 0);
}

TEST(DriftControl, BaumgarteIsLinear) {
  const DriftControl control(BaumgarteOptions{5, 12});
  EXPECT_TRUE(control.acts());
  EXPECT_DOUBLE_EQ(control(1e-3, 2e-2), 10 * 2e-2 + 144 * 1e-3);
}

// s₀ of seven Gaussian sets with σ = 0.2333, known to five digits.
TEST(FuzzyControl, HasTheSlopeOfSevenGaussianSets) {
  EXPECT_NEAR(DriftControl(FuzzyOptions{.sigma = 0.2333}).slope(), 0.99658, 1e-5);
  EXPECT_NEAR(DriftControl(FuzzyOptions{}).slope(), 0.99658, 2e-5) << "default width: 0.7 of a third";
  EXPECT_NEAR(DriftControl(FuzzyOptions{.membership = Membership::triangular}).slope(), 1, 1e-9);
}

// The slope changes with the square of the distance: at φ_max/1000 by 1e-5 of itself or less.
TEST(FuzzyControl, IsBaumgarteNearZero) {
  const double omega = 20, zeta = 0.7, phi_max = 1e-3;
  const DriftControl linear(BaumgarteOptions{zeta * omega, omega});
  for (Membership membership : {Membership::gaussian, Membership::triangular}) {
    const DriftControl fuzzy(FuzzyOptions{.membership = membership, .phi_max = phi_max, .omega = omega, .zeta = zeta});
    for (double phi : {1e-6, -1e-6, 0.0})
      for (double rate : {1e-5, -1e-5, 0.0})
        EXPECT_NEAR(fuzzy(phi, rate), linear(phi, rate), 1e-4 * linear(1e-6, 1e-5)) << phi << " " << rate;
  }
}

TEST(FuzzyControl, IsOddAndLimited) {
  for (Membership membership : {Membership::gaussian, Membership::triangular, Membership::trapezoidal})
    for (Inference inference : {Inference::sugeno, Inference::mamdani}) {
      const DriftControl fuzzy(FuzzyOptions{.membership = membership, .inference = inference, .phi_max = 1e-3});
      const double most = fuzzy(1, 1e3);
      EXPECT_LE(most, fuzzy.gain() * (1 + 1e-12));
      EXPECT_GE(most, 0.85 * fuzzy.gain());
      EXPECT_EQ(most, fuzzy(2, 2e3)) << "saturated";
      double last = -1e300;
      for (int i = -50; i <= 50; ++i) {
        const double phi = 4e-5 * i, u = fuzzy(phi, 0);
        EXPECT_NEAR(u, -fuzzy(-phi, 0), 1e-10 * fuzzy.gain());
        EXPECT_GE(u, last - 0.02 * fuzzy.gain()) << "does not fall where the violation grows";
        last = std::max(last, u);
      }
    }
}

// The rule table at the centres of the sets, where neighbours of triangles and trapezoids are zero.
TEST(FuzzyControl, FollowsItsRulesAtTheCentres) {
  for (Membership membership : {Membership::triangular, Membership::trapezoidal})
    for (int sets : {3, 7, 11}) {
      const DriftControl fuzzy(FuzzyOptions{.sets = sets, .membership = membership});
      for (int i = 0; i < sets; ++i)
        for (int j = 0; j < sets; ++j) {
          const double e = -1 + 2.0 * i / (sets - 1), r = -1 + 2.0 * j / (sets - 1);
          EXPECT_NEAR(fuzzy.output(e, r), std::fmin(1, std::fmax(-1, e + r)), 1e-14);
        }
    }
}

// Trapezoids with tops of half the spacing: below a quarter of it only the middle set is met.
TEST(FuzzyControl, OfTrapezoidsLeavesSmallViolationsAlone) {
  const DriftControl fuzzy(FuzzyOptions{.membership = Membership::trapezoidal, .phi_max = 1e-3});
  EXPECT_EQ(fuzzy(1e-3 / 12 * 0.99, 0), 0);
  EXPECT_GT(fuzzy(1e-3 / 12 * 1.01, 0), 0);
}

}  // namespace
}  // namespace flexura::test
