#include "flexura/run/interpolated_extremes.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace flexura {
namespace {

InterpolatedExtremes of_samples(const std::vector<double>& t, auto&& x) {
  InterpolatedExtremes extremes(1);
  for (const double at : t) extremes.add(0, at, x(at));
  return extremes;
}

// The vertex of a parabola is exact for steps of any sizes; the nearest sample is 0.01 beside it.
TEST(InterpolatedExtremes, AreExactOfParabolas) {
  const auto extremes = of_samples({0, 0.3, 0.7, 0.9, 1.4, 1.8}, [](double t) { return 2 + (t - 0.8) * (t - 0.8); });
  EXPECT_NEAR(extremes.least(0), 2, 1e-15);
  EXPECT_DOUBLE_EQ(extremes.greatest(0), 3);  // the last sample, an end
}

// Of cos t about 2 pi in steps h, with the nearest sample 0.4 h beside: samples leave 3.2e-3 and 8e-4, second order.
TEST(InterpolatedExtremes, OfAWaveAreOfFourthOrder) {
  const auto error = [](double h) {
    std::vector<double> t;
    for (int i = 0; i < 11; ++i) t.push_back(2 * M_PI + h * (i - 5 + 0.4));
    return std::fabs(1 - of_samples(t, [](double at) { return std::cos(at); }).greatest(0));
  };
  EXPECT_LT(error(0.2), 1e-2 * 3.2e-3);
  EXPECT_NEAR(std::log2(error(0.2) / error(0.1)), 4, 0.1);
}

// No parabola at a jump, a kink or among equal values: the samples are the extremes.
TEST(InterpolatedExtremes, AreSamplesAtJumpsAndKinks) {
  const std::vector<double> t{0, 1, 2, 3, 4, 5, 6};
  const auto jump = of_samples(t, [](double at) { return at < 3 ? 0.0 : 1.0; });
  EXPECT_EQ(jump.least(0), 0);
  EXPECT_EQ(jump.greatest(0), 1);
  EXPECT_EQ(of_samples(t, [](double at) { return std::fabs(at - 3.2); }).least(0), std::fabs(3 - 3.2));
  EXPECT_EQ(of_samples(t, [](double) { return 7.0; }).greatest(0), 7);
}

// A time again replaces the sample (a change of the model); an earlier one, as of another analysis, is no neighbour.
TEST(InterpolatedExtremes, BeginAnewWhereTimeGoesBack) {
  InterpolatedExtremes extremes(1);
  for (const double t : {0.0, 1.0, 2.0, 0.0, 1.0, 2.0}) extremes.add(0, t, (t - 1.3) * (t - 1.3));
  EXPECT_DOUBLE_EQ(extremes.least(0), 0.3 * 0.3);
  for (const double t : {2.0, 3.0}) extremes.add(0, t, (t - 1.3) * (t - 1.3));
  EXPECT_DOUBLE_EQ(extremes.least(0), 0.3 * 0.3);  // four samples
  extremes.add(0, 4, 2.7 * 2.7);
  EXPECT_DOUBLE_EQ(extremes.least(0), 0.3 * 0.3);  // the middle one of five, at 2, is no extreme
}

}  // namespace
}  // namespace flexura
