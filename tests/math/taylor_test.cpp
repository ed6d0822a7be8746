// Taylor numbers: first and second derivative along a curve, against nested duals and known derivatives.

#include "flexura/math/taylor.hpp"

#include <gtest/gtest.h>

#include "flexura/math/dual.hpp"
#include "tests/support/random.hpp"

namespace flexura::test {
namespace {

using T = Taylor<double>;
using DD = Dual<Dual<double>>;

template <class X>
X formula(const X& x, const X& y) {
  const X a = sin(x) * exp(X(0.3) * y) - cos(y) / (X(2.0) + x * x);
  X b = fma(a, log(X(3.0) + y), sqrt(abs(a) + X(1.0))) * max(x, y) - min(a, X(0.1));
  b += x;
  b *= y;
  b -= a;
  b /= X(2.0) + y * y;
  return -b;
}

// Both are exact: what differs is rounding.
TEST(Taylor, AgreesWithNestedDuals) {
  Random random(9);
  for (int sample = 0; sample < 200; ++sample) {
    double x[3], y[3];
    for (double* z : {x, y})
      for (int i = 0; i < 3; ++i) z[i] = random.uniform(-1.5, 1.5);
    const T t = formula(T(x[0], x[1], x[2]), T(y[0], y[1], y[2]));
    const auto nested = [](const double* z) { return DD{{z[0], z[1]}, {z[1], z[2]}}; };
    const DD d = formula(nested(x), nested(y));
    EXPECT_NEAR(t.v, d.v.v, 1e-14);
    EXPECT_NEAR(t.d, d.v.d, 1e-12 * (1 + std::fabs(t.d)));
    EXPECT_NEAR(t.dd, d.d.d, 1e-12 * (1 + std::fabs(t.dd)));
  }
}

// Along x = 1 + 2s + 3s²/2 at s = 0.
TEST(Taylor, HasTheDerivativesOfKnownFunctions) {
  const T x(1, 2, 3);
  EXPECT_DOUBLE_EQ((x * x).dd, 2 * 4 + 2 * 3) << "(x²)'' = 2 ẋ² + 2 x ẍ";
  EXPECT_DOUBLE_EQ((T(1.0) / x).dd, 2 * 4 - 3) << "(1/x)'' = 2 ẋ²/x³ − ẍ/x²";
  EXPECT_DOUBLE_EQ(sqrt(x).dd, -0.25 * 4 + 0.5 * 3);
  EXPECT_DOUBLE_EQ(exp(x).dd, std::exp(1.0) * (4 + 3));
  EXPECT_DOUBLE_EQ(log(x).dd, -4 + 3);
  EXPECT_DOUBLE_EQ(sin(x).dd, -std::sin(1.0) * 4 + std::cos(1.0) * 3);
  EXPECT_DOUBLE_EQ(cos(x).d, -std::sin(1.0) * 2);
  EXPECT_EQ(abs(T(-2, 3, 4)).dd, -4);
  EXPECT_EQ(T(7).d, 0) << "constants have no derivative";
}

TEST(Taylor, OfLanesIsThatOfEachLane) {
  Lanes x[3], y[3];
  for (int lane = 0; lane < native_lanes; ++lane)
    for (int i = 0; i < 3; ++i) x[i].set(lane, 0.4 * lane - 0.7 + i), y[i].set(lane, 0.9 - 0.5 * lane * i);
  const Taylor<Lanes> t = formula(Taylor<Lanes>(x[0], x[1], x[2]), Taylor<Lanes>(y[0], y[1], y[2]));
  for (int lane = 0; lane < native_lanes; ++lane) {
    const T one = formula(T(x[0][lane], x[1][lane], x[2][lane]), T(y[0][lane], y[1][lane], y[2][lane]));
    EXPECT_EQ(t.v[lane], one.v);
    EXPECT_EQ(t.d[lane], one.d);
    EXPECT_EQ(t.dd[lane], one.dd);
  }
}

}  // namespace
}  // namespace flexura::test
