#include "flexura/math/cube_root.hpp"

#include <gtest/gtest.h>

#include "tests/support/random.hpp"

namespace flexura::test {
namespace {

// Over sixty powers of ten; lanes have the bits of one number alone. Measured: 2.5 epsilon, those of std::cbrt and of the product among them.
TEST(InverseCubeRoot, IsThatOfTheLibrary) {
  Random random(1);
  double worst = 0;
  for (int k = 0; k < 100000; ++k) {
    const double x = random.spread(1e-30, 1e30), y = inverse_cube_root(x);
    worst = std::max(worst, std::abs(y * std::cbrt(x) - 1));
    const Lanes lanes = inverse_cube_root(Lanes(x));
    EXPECT_EQ(lanes[native_lanes - 1], y);
  }
  EXPECT_LT(worst, 3 * epsilon);
  EXPECT_EQ(inverse_cube_root(1.0), 1.0);
}

TEST(InverseCubeRoot, HasItsDerivative) {
  const Dual<double> y = inverse_cube_root(Dual<double>(8.0, 1.0));
  EXPECT_NEAR(y.v, 0.5, 1e-16);
  EXPECT_NEAR(y.d, -0.5 / 24, 1e-17);
  EXPECT_TRUE(std::isnan(inverse_cube_root(std::nan(""))));
}

}  // namespace
}  // namespace flexura::test
