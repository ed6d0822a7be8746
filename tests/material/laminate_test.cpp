#include "flexura/material/laminate.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

namespace flexura::test {
namespace {

void expect_near(const PlaneStiffness& a, const PlaneStiffness& b, double tolerance) {
  for (int i = 0; i < 6; ++i) EXPECT_NEAR(a[i], b[i], tolerance) << i;
}

// E h/(1 − ν²), E h³/12(1 − ν²): one layer or many of the same, no coupling.
TEST(Laminate, OfOneMaterialIsAPlate) {
  const double E = 1.2e6, nu = 0.3, h = 0.02, G = E / (2 * (1 + nu)), E1 = E / (1 - nu * nu);
  const Layer whole{isotropic_stiffness(E, nu), h, 1000, 0.4};
  Layer third = whole;
  third.thickness = h / 3;
  const std::vector<Layer> thirds(3, third);
  for (const Laminate& l : {make_laminate({&whole, 1}), make_laminate(thirds)}) {
    const double d = h * h * h / 12;
    expect_near(l.A, {E1 * h, nu * E1 * h, E1 * h, 0, 0, G * h}, 1e-11 * E);
    expect_near(l.D, {E1 * d, nu * E1 * d, E1 * d, 0, 0, G * d}, 1e-15 * E);
    expect_near(l.B, {}, 0);
    EXPECT_NEAR(l.rho_h, 20, 1e-12);
    EXPECT_NEAR(l.thickness, h, 1e-17);
  }
}

// Q of fibres at 90° is that at 0° with its axes swapped; 30° and −30° differ in the sign of 16 and 26.
TEST(Laminate, FibresTurn) {
  const PlaneStiffness Q = orthotropic_stiffness(140e9, 10e9, 0.3, 5e9);
  EXPECT_NEAR(Q[0], 140e9 / (1 - 0.09 * 10 / 140), 1);
  EXPECT_NEAR(Q[1], 0.3 * Q[2], 1);
  const PlaneStiffness across = turned(Q, std::numbers::pi / 2);
  expect_near(across, {Q[2], Q[1], Q[0], 0, 0, Q[5]}, 1e-4);
  const PlaneStiffness a = turned(Q, 0.5), b = turned(Q, -0.5);
  expect_near(a, {b[0], b[1], b[2], -b[3], -b[4], b[5]}, 1e-4);
  expect_near(turned(a, -0.5), Q, 1e-4);
  EXPECT_GT(a[3], 1e9);  // the stiff fibres lie along +45°
}

// A bimetal strip of layers E and 2E, h each: the well-known neutral axis at B/A.
TEST(Laminate, HeightsCountFromTheMiddleUpwards) {
  const std::vector<Layer> layers = {{isotropic_stiffness(1, 0), 1, 1, 0}, {isotropic_stiffness(2, 0), 1, 3, 0}};
  const Laminate l = make_laminate(layers);
  EXPECT_DOUBLE_EQ(l.A[0], 3);
  EXPECT_DOUBLE_EQ(l.B[0], 0.5);
  EXPECT_DOUBLE_EQ(l.D[0], 1);
  EXPECT_DOUBLE_EQ(l.rho_h, 4);
  EXPECT_DOUBLE_EQ(l.bottom[0], 1);
  EXPECT_DOUBLE_EQ(l.top[0], 2);
}

}  // namespace
}  // namespace flexura::test
