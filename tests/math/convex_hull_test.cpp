#include "flexura/math/convex_hull.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace flexura {
namespace {

using Points = std::vector<Vec<3, double>>;

TEST(ConvexHull, CubesWithPointsInsideAndOnTheirSides) {
  Points points;
  for (int k = 0; k < 27; ++k) points.push_back({1.0 * (k % 3), 2.0 * (k / 3 % 3), 3.0 * (k / 9)});
  EXPECT_NEAR(convex_hull_volume(points), 2 * 4 * 6, 1e-12);
}

TEST(ConvexHull, PlanesAndFewPointsHaveNone) {
  EXPECT_EQ(convex_hull_volume({}), 0);
  Points plane;
  for (int k = 0; k < 9; ++k) plane.push_back({1.0 * (k % 3), 1.0 * (k / 3), 0.5 * (k % 3)});
  EXPECT_EQ(convex_hull_volume(plane), 0);
}

// A polyhedron inside the sphere: 2 % below it at 500 points, on a Fibonacci spiral.
TEST(ConvexHull, ManyPointsOfASphereFillIt) {
  Points points;
  const int n = 500;
  for (int k = 0; k < n; ++k) {
    const double z = 1 - (2 * k + 1.0) / n, r = std::sqrt(1 - z * z),
                 turn = std::numbers::pi * (1 + std::sqrt(5.0)) * k;
    points.push_back({7 + r * std::cos(turn), r * std::sin(turn) - 3, z});
  }
  const double volume = convex_hull_volume(points), sphere = 4 * std::numbers::pi / 3;
  EXPECT_LT(volume, sphere);
  EXPECT_GT(volume, 0.98 * sphere);
}

}  // namespace
}  // namespace flexura
