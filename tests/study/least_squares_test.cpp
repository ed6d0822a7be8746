#include "flexura/study/least_squares.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "flexura/base/problem.hpp"
#include "tests/support/random.hpp"

namespace flexura::test {
namespace {

// A straight line: slope, intercept and their standard errors are those of the textbook, s²/Σ(x − x̄)² and so on.
TEST(LeastSquares, OfALineHasTheTextbooksErrors) {
  const std::vector<double> x{0, 1, 2, 3, 4, 5}, y{0.1, 0.9, 2.2, 2.8, 4.1, 5.2};
  double mx = 0, my = 0, sxx = 0, sxy = 0;
  for (size_t i = 0; i < 6; ++i) mx += x[i] / 6, my += y[i] / 6;
  for (size_t i = 0; i < 6; ++i) sxx += (x[i] - mx) * (x[i] - mx), sxy += (x[i] - mx) * (y[i] - my);
  const double slope = sxy / sxx, intercept = my - slope * mx;
  double rest = 0;
  for (size_t i = 0; i < 6; ++i) rest += std::pow(y[i] - intercept - slope * x[i], 2);
  const LeastSquaresReport fit =
      least_squares({{.name = "a"}, {.name = "b"}}, 6, [&](std::span<const double> p, std::span<double> r) {
        for (size_t i = 0; i < 6; ++i) r[i] = p[0] + p[1] * x[i] - y[i];
        return true;
      });
  ASSERT_TRUE(fit.converged) << fit.message;
  EXPECT_NEAR(fit.x[0], intercept, 1e-10);
  EXPECT_NEAR(fit.x[1], slope, 1e-10);
  EXPECT_NEAR(fit.standard_error[1], std::sqrt(rest / 4 / sxx), 1e-9);
  EXPECT_NEAR(fit.standard_error[0], std::sqrt(rest / 4 * (1.0 / 6 + mx * mx / sxx)), 1e-9);
  EXPECT_NEAR(fit.correlation[1], -mx / std::sqrt(sxx / 6 + mx * mx), 1e-9);
}

// Rosenbrock's valley, as least squares; from the usual start to (1, 1).
TEST(LeastSquares, FollowsACurvedValley) {
  const auto valley = [](std::span<const double> x, std::span<double> r) {
    r[0] = 10 * (x[1] - x[0] * x[0]);
    r[1] = 1 - x[0];
    return true;
  };
  const LeastSquaresReport fit = least_squares({{.name = "x", .start = -1.2}, {.name = "y", .start = 1}}, 2, valley);
  ASSERT_TRUE(fit.converged);
  EXPECT_NEAR(fit.x[0], 1, 1e-9);
  EXPECT_NEAR(fit.x[1], 1, 1e-9);
  EXPECT_LT(fit.iterations, 60);
  // the same with x ≤ 0.5: the best is on the bound, (½, ¼)
  const LeastSquaresReport bounded =
      least_squares({{.name = "x", .start = -1.2, .high = 0.5}, {.name = "y", .start = 1}}, 2, valley);
  ASSERT_TRUE(bounded.converged);
  EXPECT_EQ(bounded.x[0], 0.5);
  EXPECT_NEAR(bounded.x[1], 0.25, 1e-9);
  EXPECT_TRUE(bounded.at_bound[0]);
  EXPECT_TRUE(std::isnan(bounded.standard_error[0]));
}

// Errors scattered by a known amount: the standard error is right within the scatter of such estimates, and derivatives that are
// given lead to the same.
TEST(LeastSquares, OfADecayFindsItsRate) {
  Random random(5);
  std::vector<double> t, y;
  for (int i = 0; i < 400; ++i) {
    double noise = 0;
    for (int k = 0; k < 12; ++k) noise += random.uniform(-0.5, 0.5);  // variance 1
    t.push_back(0.01 * i);
    y.push_back(2 * std::exp(-1.3 * t.back()) + 0.05 * noise);
  }
  const std::vector<SoughtParameter> parameters{{.name = "A", .start = 1}, {.name = "rate", .start = 0.2, .low = 0}};
  const auto residuals = [&](std::span<const double> p, std::span<double> r) {
    for (size_t i = 0; i < 400; ++i) r[i] = p[0] * std::exp(-p[1] * t[i]) - y[i];
    return true;
  };
  const LeastSquaresReport fit = least_squares(parameters, 400, residuals);
  const LeastSquaresReport exact =
      least_squares(parameters, 400, residuals, {}, [&](std::span<const double> p, std::span<double> slopes) {
        for (size_t i = 0; i < 400; ++i) {
          slopes[i] = std::exp(-p[1] * t[i]);
          slopes[400 + i] = -t[i] * p[0] * slopes[i];
        }
        return true;
      });
  ASSERT_TRUE(fit.converged && exact.converged);
  EXPECT_NEAR(fit.x[1], exact.x[1], 1e-8);
  EXPECT_NEAR(fit.standard_error[1] / exact.standard_error[1], 1, 1e-6);
  EXPECT_LT(std::abs(fit.x[1] - 1.3), 3 * fit.standard_error[1]);
  EXPECT_LT(fit.standard_error[1], 0.03);
}

TEST(LeastSquares, NamesWhatCannotBeTold) {
  const LeastSquaresReport fit = least_squares(
      {{.name = "a"}, {.name = "b"}, {.name = "c"}}, 5, [](std::span<const double> p, std::span<double> r) {
        for (size_t i = 0; i < 5; ++i)
          r[i] = p[0] + p[1] + p[2] * static_cast<double>(i * i) - 1 - static_cast<double>(i);
        return true;
      });
  EXPECT_EQ(fit.message, "not determined by these residuals: a, b");
  EXPECT_TRUE(std::isnan(fit.standard_error[0]));
}

// Steps into places without a value are made shorter.
TEST(LeastSquares, StaysWhereThereAreValues) {
  const LeastSquaresReport fit =
      least_squares({{.name = "x", .start = 0.01}}, 1, [](std::span<const double> x, std::span<double> r) {
        r[0] = std::log(x[0]) - 1;
        return x[0] > 0;
      });
  ASSERT_TRUE(fit.converged);
  EXPECT_NEAR(fit.x[0], std::exp(1.0), 1e-9);
}

TEST(LeastSquares, NeedsAValueAtTheStart) {
  const LeastSquaresReport fit = least_squares({{.name = "x", .start = -1}}, 1,
                                               [](std::span<const double> x, std::span<double>) { return x[0] > 0; });
  EXPECT_FALSE(fit.converged);
  EXPECT_EQ(fit.message, "the residuals have no value at the start");
}

TEST(LeastSquares, RefusesBoundsWithoutRoom) {
  EXPECT_THROW(least_squares({{.name = "x", .start = 2, .low = 3, .high = 1}}, 1, [](auto, auto) { return true; }),
               InputError);
}

// Of 0, 0, 0, 0 and 10 the mean is 2. With c = 1 the far one pulls no harder than 1 by Huber's loss, and four pull back with
// x each: x = 1/4. The others are where their pulls ψ = ρ′ r are in balance. The sum has its last digit where x is √ε off: 5e-8.
TEST(LeastSquares, LossesLetFarResidualsCountForLess) {
  const std::vector<double> y{0, 0, 0, 0, 10};
  const auto place = [&](Loss loss) {
    const LeastSquaresReport fit = least_squares({{.name = "x", .start = 1}}, y.size(),
                                                 [&](std::span<const double> x, std::span<double> r) {
                                                   for (size_t i = 0; i < y.size(); ++i) r[i] = x[0] - y[i];
                                                   return true;
                                                 },
                                                 {.loss = loss});
    EXPECT_TRUE(fit.converged) << fit.message;
    return fit.x[0];
  };
  EXPECT_NEAR(place(Loss::squares), 2, 1e-9);
  EXPECT_NEAR(place(Loss::huber), 0.25, 5e-8);
  const double soft = place(Loss::soft_l1), far = 10 - soft;
  EXPECT_NEAR(4 * soft / std::sqrt(1 + soft * soft), far / std::sqrt(1 + far * far), 2e-7);
  const double cauchy = place(Loss::cauchy), off = 10 - cauchy;
  EXPECT_NEAR(4 * cauchy / (1 + cauchy * cauchy), off / (1 + off * off), 2e-7);
  EXPECT_LT(cauchy, 0.03);
}

// Errors that are normal: Huber's estimate of a mean has 95 % of the mean's precision [huber1964], and the standard errors that
// are told have the size of the scatter. 2000 samples of 40 give both within 1.6 %; 4 % is two and a half times that.
TEST(LeastSquares, StandardErrorsWithALossAreThoseOfTheScatter) {
  Random random(11);
  const double c = usual_loss_scale(Loss::huber);
  double scatter = 0, told = 0;
  constexpr int samples = 2000, points = 40;
  for (int k = 0; k < samples; ++k) {
    std::vector<double> y(points);
    for (double& value : y) {
      value = -6;
      for (int i = 0; i < 12; ++i) value += random.uniform(0, 1);
    }
    const LeastSquaresReport fit = least_squares({{.name = "x"}}, y.size(),
                                                 [&](std::span<const double> x, std::span<double> r) {
                                                   for (size_t i = 0; i < y.size(); ++i) r[i] = x[0] - y[i];
                                                   return true;
                                                 },
                                                 {.loss = Loss::huber, .loss_scale = c});
    scatter += fit.x[0] * fit.x[0] / samples;
    told += fit.standard_error[0] * fit.standard_error[0] / samples;
  }
  EXPECT_NEAR(std::sqrt(scatter * points * 0.95), 1, 0.04);
  EXPECT_NEAR(std::sqrt(told / scatter), 1, 0.04);
}

// Two measurements of a number, 1 and 2, each ± 0.5, and what was known before, 3 ± 1: weights 4, 4 and 1.
TEST(LeastSquares, PriorsCountAsWhatTheyAre) {
  const LeastSquaresReport fit = least_squares({{.name = "x", .prior = NormalPrior{3, 1}}}, 2,
                                               [](std::span<const double> x, std::span<double> r) {
                                                 r[0] = (x[0] - 1) / 0.5;
                                                 r[1] = (x[0] - 2) / 0.5;
                                                 return true;
                                               },
                                               {.known_noise = true});
  ASSERT_TRUE(fit.converged);
  EXPECT_NEAR(fit.x[0], (4 * 1 + 4 * 2 + 1 * 3) / 9.0, 1e-9);
  EXPECT_NEAR(fit.standard_error[0], 1 / 3.0, 1e-9);
  EXPECT_EQ(fit.residuals.size(), 2u);
  EXPECT_NEAR(fit.sum_of_squares + std::pow(fit.x[0] - 3, 2), fit.cost, 1e-12);
}

// a·b is seen and nothing else: near (2, 3) a may grow as b falls, in the ratio 2 : −3, in scales of 1 and 3 as 2 : −1.
TEST(LeastSquares, NamesTheCombinationThatNothingNotices) {
  const LeastSquaresReport fit = least_squares({{.name = "a", .start = 2}, {.name = "b", .start = 3, .scale = 3}}, 3,
                                               [](std::span<const double> x, std::span<double> r) {
                                                 for (size_t i = 0; i < 3; ++i)
                                                   r[i] = static_cast<double>(i + 1) * (x[0] * x[1] - 6) + 0.01;
                                                 return true;
                                               },
                                               {.known_noise = true, .least_singular = 1e-6});
  ASSERT_EQ(fit.undetermined.size(), 1u);
  ASSERT_EQ(fit.undetermined[0].size(), 2u);
  EXPECT_NEAR(fit.undetermined[0][0] / fit.undetermined[0][1], -2, 1e-2);
  EXPECT_TRUE(std::isnan(fit.standard_error[0]));
  EXPECT_EQ(fit.message, "not determined by these residuals: a, b");
}

// a + b and c/d are seen, and e and f by themselves: two changes that nothing notices, of two
// parameters each. What is told beside them has the error that it has with b and d held.
TEST(LeastSquares, TwoCombinationsLeaveTheOthersTheirErrors) {
  const auto residuals = [](double a, double b, double c, double d, double e, double f, std::span<double> r) {
    for (size_t i = 0; i < 40; ++i) {
      const double t = 0.1 * static_cast<double>(i);
      r[i] = (a + b) * std::cos(3 * t) + c / d * t + e * std::exp(-t) + f - 2 * std::cos(3 * t) - 0.5 * t - 1 -
             0.01 * std::sin(40 * t);
    }
    return true;
  };
  const LeastSquaresReport all = least_squares(
      {{.name = "e"},
       {.name = "a"},
       {.name = "c", .start = 2},
       {.name = "b"},
       {.name = "d", .start = 3},
       {.name = "f"}},
      40,
      [&](std::span<const double> x, std::span<double> r) { return residuals(x[1], x[3], x[2], x[4], x[0], x[5], r); },
      {.least_singular = 1e-6});
  const LeastSquaresReport held =
      least_squares({{.name = "e"}, {.name = "a"}, {.name = "c", .start = 2}, {.name = "f"}}, 40,
                    [&](std::span<const double> x, std::span<double> r) {
                      return residuals(x[1], all.x[3], x[2], all.x[4], x[0], x[3], r);
                    },
                    {.least_singular = 1e-6});
  EXPECT_EQ(all.message, "not determined by these residuals: a, b; c, d");
  ASSERT_EQ(all.undetermined.size(), 2u);
  EXPECT_NEAR(all.undetermined[0][1] / all.undetermined[0][3], -1, 1e-4);
  EXPECT_NEAR(all.undetermined[1][2] / all.undetermined[1][4], all.x[2] / all.x[4], 1e-4);
  for (const size_t k : {1, 2, 3, 4}) EXPECT_TRUE(std::isnan(all.standard_error[k])) << k;
  EXPECT_NEAR(all.standard_error[0], held.standard_error[0], 1e-4 * held.standard_error[0]);
  EXPECT_NEAR(all.standard_error[5], held.standard_error[3], 1e-4 * held.standard_error[3]);
  EXPECT_NEAR(all.correlation[5], held.correlation[3], 1e-4);
}

// One residual of known noise tells one parameter: a measured 4 ± 0.2 of x² is x = 2 ± 0.05.
TEST(LeastSquares, OneValueOfKnownNoiseIsEnough) {
  std::vector<double> accepted;
  const LeastSquaresReport fit =
      least_squares({{.name = "x", .start = 1}}, 1,
                    [](std::span<const double> x, std::span<double> r) {
                      r[0] = (x[0] * x[0] - 4) / 0.2;
                      return true;
                    },
                    {.known_noise = true, .longest_step = 0.25, .accepted = [&](std::span<const double> x) {
                       accepted.push_back(x[0]);
                     }});
  EXPECT_NEAR(fit.x[0], 2, 1e-9);
  EXPECT_NEAR(fit.standard_error[0], 0.05, 1e-7);
  ASSERT_GT(accepted.size(), 4u);
  for (size_t i = 1; i < accepted.size(); ++i) EXPECT_LE(accepted[i] - accepted[i - 1], 0.25 + 1e-12);
}

}  // namespace
}  // namespace flexura::test
