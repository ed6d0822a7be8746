#include "validation/series.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace flexura {
namespace {

constexpr double pi = std::numbers::pi;

std::vector<double> times(double end, double interval) {
  std::vector<double> t;
  for (long k = 0; k <= std::lround(end / interval); ++k) t.push_back(static_cast<double>(k) * interval);
  return t;
}

// Over whole periods the samples of other harmonics and of the mean cancel to rounding.
TEST(Series, FirstHarmonicFindsAmplitudeAndPhase) {
  const std::vector<double> t = times(10, 1e-3);
  std::vector<double> x;
  for (const double s : t) x.push_back(2 + 3 * std::cos(2 * pi * 0.7 * s - 0.4) + std::cos(4 * pi * 0.7 * s));
  const std::complex<double> h = first_harmonic(t, x, 0.7, 6);
  EXPECT_NEAR(std::abs(h), 3, 1e-3);  // 5.714 s are 5714 samples: a period is not a whole number of them
  EXPECT_NEAR(std::arg(h), -0.4, 1e-3);
}

TEST(Series, MeanWithinTakesTheSamplesAfterTheBeginningUpToTheEnd) {
  const Series s{"x", "m", {0, 1, 2, 3, 4}, {{100, 2, -4, 6, 1000}}};
  EXPECT_EQ(mean_within(s, 0, 0, 3), 4);  // magnitudes
}

TEST(Series, CrossingsAreLinearBetweenSamples) {
  EXPECT_EQ(zero_crossings({0, 1, 2}, {1, -1, -3}), std::vector<double>{0.5});
}

TEST(Series, EachPositiveStretchHasOnePeak) {
  EXPECT_EQ(positive_peaks({-1, 1, 3, 2, -1, -2, 4, 5, -1}), (std::vector<size_t>{2, 7}));
}

// 13 Chebyshev points leave less than 1e-9 of a function as smooth as the static tip.
TEST(Series, InterpolantReproducesSmoothFunctions) {
  const Interpolant f(-1, 3, 13, [](double x) { return std::vector<double>{std::exp(0.3 * x), x}; });
  for (const double x : {-1.0, -0.3, 0.77, 2.9, 3.0}) {
    EXPECT_NEAR(f(x)[0], std::exp(0.3 * x), 1e-9);
    EXPECT_NEAR(f(x)[1], x, 1e-12);
  }
}

TEST(Series, BisectionWithoutAChangeOfSignIsNoNumber) {
  EXPECT_TRUE(std::isnan(bisect(0, 1, 1e-3, [](double x) { return x + 1; })));
  EXPECT_NEAR(bisect(0, 2, 1e-9, [](double x) { return x * x - 2; }), std::sqrt(2), 1e-9);
}

// Standard errors at 1e5 numbers: 0.0032 of the mean, 0.0045 of the variance.
TEST(Series, NoiseIsTheSameEachTimeAndHasUnitVariance) {
  Noise a(7), b(7);
  double sum = 0, squares = 0;
  for (int i = 0; i < 100000; ++i) {
    const double x = a.normal();
    ASSERT_EQ(x, b.normal());
    sum += x;
    squares += x * x;
  }
  EXPECT_NEAR(sum / 1e5, 0, 0.013);
  EXPECT_NEAR(squares / 1e5, 1, 0.02);
}

}  // namespace
}  // namespace flexura
