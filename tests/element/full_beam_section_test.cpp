// Points of the sections of full beams.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "flexura/element/full_beam_strains.hpp"

namespace flexura::test {
namespace {

// The rule of a disc's or a tube's section: means of y^a z^b to degree 7.
TEST(FullBeamSection, RoundPointsAreExactToDegreeSeven) {
  for (const double hole : {0.0, 0.3, 0.7, 0.99, 0.999999})
    for (int a = 0; a <= 7; ++a)
      for (int b = 0; a + b <= 7; ++b) {
        double sum = 0;
        for (int k = 0; k < 12; ++k) {
          double y, z, share;
          section_point(AncfBeam24::Section::ellipse, AncfBeam24::Points::fine, hole, k, y, z, share);
          EXPECT_GT(share, 0);
          sum += share * std::pow(y, a) * std::pow(z, b);
        }
        double exact = 0;  // mean of r^(a+b) times that of cos^a sin^b
        if (a % 2 == 0 && b % 2 == 0) {
          const int n = (a + b) / 2;
          double radial = 0;
          for (int i = 0; i <= n; ++i) radial += std::pow(hole * hole, i) / (n + 1);
          exact = radial * std::tgamma((a + 1) / 2.0) * std::tgamma((b + 1) / 2.0) /
                  (std::numbers::pi * std::tgamma(n + 1.0));
        }
        EXPECT_NEAR(sum, exact, 1e-14) << hole << " " << a << " " << b;
      }
}

}  // namespace
}  // namespace flexura::test
