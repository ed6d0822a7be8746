// Lanes: every operation gives each lane the bits of the scalar operation, whatever its neighbours hold.

#include "flexura/math/pack.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>

#include "flexura/math/scalar.hpp"
#include "tests/support/random.hpp"

namespace flexura::test {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();

std::uint64_t bits(double x) {
  std::uint64_t out;
  std::memcpy(&out, &x, sizeof out);
  return out;
}
/// The same bits, any NaN for a NaN.
bool same(double a, double b) { return (a != a && b != b) || bits(a) == bits(b); }

double sample(Random& random, int k) {
  constexpr double special[] = {0.0, -0.0, 1.0, -1.0, infinity, -infinity, nan, 1e-310, 1e308, 0.1};
  return k % 7 == 3 ? special[static_cast<int>(random.uniform(0, 10))] : random.uniform(-10, 10);
}

template <class P>
class Packs : public ::testing::Test {};
using Widths = ::testing::Types<Pack<1>, Pack<2>, Pack<4>>;
TYPED_TEST_SUITE(Packs, Widths);

TYPED_TEST(Packs, LanesHaveTheBitsOfScalars) {
  constexpr int W = TypeParam::size();
  Random random(1);
  for (int trial = 0; trial < 500; ++trial) {
    TypeParam a, b, c;
    for (int i = 0; i < W; ++i) {
      a.set(i, sample(random, trial + i));
      b.set(i, sample(random, trial + 2 * i + 1));
      c.set(i, sample(random, trial + 3 * i + 2));
    }
    const TypeParam results[] = {
        a + b,     a - b,     a * b,  a / b,  -a,     fma(a, b, c), sqrt(a),     abs(a),
        max(a, b), min(a, b), sin(a), cos(a), exp(a), log(a),       atan2(a, b), select(a < b, a, c)};
    for (int i = 0; i < W; ++i) {
      const double x = a[i], y = b[i], z = c[i];
      const double expected[] = {x + y,
                                 x - y,
                                 x * y,
                                 x / y,
                                 -x,
                                 std::fma(x, y, z),
                                 std::sqrt(x),
                                 std::fabs(x),
                                 flexura::max(x, y),
                                 flexura::min(x, y),
                                 std::sin(x),
                                 std::cos(x),
                                 std::exp(x),
                                 std::log(x),
                                 std::atan2(x, y),
                                 x < y ? x : z};
      for (size_t k = 0; k < std::size(expected); ++k)
        ASSERT_TRUE(same(results[k][i], expected[k])) << "operation " << k << " of " << x << ", " << y << ", " << z;
      EXPECT_EQ((a < b).lane(i), x < y);
      EXPECT_EQ((a <= b).lane(i), x <= y);
      EXPECT_EQ((a > b).lane(i), x > y);
      EXPECT_EQ((a >= b).lane(i), x >= y);
      EXPECT_EQ((a == b).lane(i), x == y);
    }
  }
}

// std::max(1, NaN) is 1: a solver would take a broken lane for a small residual.
TYPED_TEST(Packs, NanStaysVisibleInMaxAndMin) {
  EXPECT_NE(max(TypeParam(1.0), TypeParam(nan))[0], max(TypeParam(1.0), TypeParam(nan))[0]);
  EXPECT_NE(max(TypeParam(nan), TypeParam(1.0))[0], max(TypeParam(nan), TypeParam(1.0))[0]);
  EXPECT_NE(min(TypeParam(1.0), TypeParam(nan))[0], min(TypeParam(1.0), TypeParam(nan))[0]);
  EXPECT_TRUE(std::isnan(flexura::max(1.0, nan)) && std::isnan(flexura::max(nan, 1.0)));
  EXPECT_TRUE(std::isnan(flexura::min(1.0, nan)) && std::isnan(flexura::min(nan, 1.0)));
}

TEST(PackMask, AnyAndAllLookAtEveryLane) {
  using M = MaskOf<Lanes>;
  EXPECT_TRUE(all(uniform_mask<Lanes>(true)));
  EXPECT_FALSE(any(uniform_mask<Lanes>(false)));
  for (int lane = 0; lane < native_lanes; ++lane) {
    M m = uniform_mask<Lanes>(false);
    set_lane(m, lane, true);
    EXPECT_TRUE(any(m));
    EXPECT_FALSE(all(m));
    EXPECT_TRUE(lane_of(m, lane));
    EXPECT_FALSE(any(m & !m));
    EXPECT_TRUE(all(m | !m));
    const M chosen = select_mask(m, uniform_mask<Lanes>(true), uniform_mask<Lanes>(false));
    for (int i = 0; i < native_lanes; ++i) EXPECT_EQ(lane_of(chosen, i), i == lane);
  }
}

}  // namespace
}  // namespace flexura::test
