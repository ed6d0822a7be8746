#include "flexura/signal/table.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>
#include <vector>

#include "differences.hpp"

namespace flexura {
namespace {

using Numbers = std::vector<double>;

Numbers breakpoints(const TableSignal& table, double t0, double t1) {
  Numbers out;
  table.breakpoints(t0, t1, out);
  return out;
}

TableSignal sampled(auto&& f, double t0, double t1, int rows, Interpolation interpolation,
                    std::optional<double> period = {}) {
  Numbers t, u;
  for (int i = 0; i < rows; ++i) {
    t.push_back(t0 + (t1 - t0) * i / (rows - 1));
    u.push_back(f(t.back()));
  }
  if (period) u.back() = u.front();
  return {t, u, interpolation, period};
}

double largest_error(const TableSignal& table, auto&& f, double t0, double t1) {
  double error = 0;
  for (int i = 0; i <= 1000; ++i) {
    const double t = t0 + (t1 - t0) * i / 1000;
    error = std::max(error, std::abs(table.at(t).u - f(t)));
  }
  return error;
}

TEST(TableSignal, LinearInterpolatesAndHoldsOutside) {
  const TableSignal s({0, 1, 3}, {2, 4, 0});
  EXPECT_EQ(s.at(-1).u, 2);
  EXPECT_EQ(s.at(-1).du, 0);
  EXPECT_EQ(s.at(0.5).u, 3);
  EXPECT_EQ(s.at(0.5).du, 2);
  EXPECT_EQ(s.at(1).du, -2);
  EXPECT_EQ(s.at(2).u, 2);
  EXPECT_EQ(s.at(3).u, 0);
  EXPECT_EQ(s.at(9).u, 0);
  EXPECT_EQ(breakpoints(s, -1, 9), (Numbers{0, 1, 3}));
}

TEST(TableSignal, RowsOnOneLineAreNoBreakpoints) {
  EXPECT_EQ(breakpoints(TableSignal({0, 1, 2, 3}, {0, 1, 2, 2}), -1, 9), (Numbers{0, 2}));
}

TEST(TableSignal, TwoPointsOfOneTimeAreAJump) {
  const TableSignal s({0, 1, 1, 2}, {0, 0, 5, 5});
  EXPECT_EQ(s.at(std::nextafter(1, 0)).u, 0);
  EXPECT_EQ(s.at(1).u, 5);
  EXPECT_EQ(s.at(1).du, 0);
  EXPECT_EQ(breakpoints(s, -1, 9), (Numbers{1}));
}

TEST(TableSignal, HoldKeepsTheLastRow) {
  const TableSignal s({0, 1, 2, 3}, {4, 6, 6, 5}, Interpolation::hold);
  EXPECT_EQ(s.at(0.99).u, 4);
  EXPECT_EQ(s.at(1).u, 6);
  EXPECT_EQ(s.at(2.5).u, 6);
  EXPECT_EQ(s.at(7).u, 5);
  EXPECT_EQ(s.at(0.5).du, 0);
  EXPECT_EQ(breakpoints(s, -1, 9), (Numbers{1, 3}));
}

// Measured orders: linear 1.995, monotone cubic 1.995 (it is limited at the extremum), spline 4.007 (its natural ends lie where the
// second derivative of the sine is zero).
TEST(TableSignal, ConvergesWithTheOrderOfItsInterpolation) {
  const auto f = [](double t) { return std::sin(t); };
  const auto order = [&](Interpolation interpolation) {
    const double coarse = largest_error(sampled(f, 0, std::numbers::pi, 17, interpolation), f, 0, std::numbers::pi);
    const double fine = largest_error(sampled(f, 0, std::numbers::pi, 33, interpolation), f, 0, std::numbers::pi);
    return std::log2(coarse / fine);
  };
  EXPECT_GT(order(Interpolation::linear), 1.9);
  EXPECT_GT(order(Interpolation::cubic), 1.9);
  EXPECT_GT(order(Interpolation::spline), 3.9);
}

TEST(TableSignal, CubicNeverOvershoots) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> step(0.05, 2), value(-1, 1);
  for (int k = 0; k < 100; ++k) {
    Numbers t{0}, u{value(random)};
    for (int i = 0; i < 8; ++i) {
      t.push_back(t.back() + step(random));
      u.push_back(i % 3 == 0 ? u.back() : value(random));
    }
    const TableSignal s(t, u, Interpolation::cubic);
    for (int i = 0; i < 8; ++i) {
      for (double x : {0.1, 0.3, 0.5, 0.8, 0.95}) {
        const double here = s.at(t[i] + x * (t[i + 1] - t[i])).u;
        EXPECT_GE(here, std::min(u[i], u[i + 1]) - 1e-14);
        EXPECT_LE(here, std::max(u[i], u[i + 1]) + 1e-14);
      }
    }
  }
}

TEST(TableSignal, SmoothInterpolationsJoinTheirPiecesSmoothly) {
  std::mt19937 random(4);
  std::uniform_real_distribution<double> step(0.5, 2), value(-1, 1);
  for (const auto interpolation : {Interpolation::cubic, Interpolation::spline}) {
    for (const bool periodic : {false, true}) {
      for (int rows = 2; rows < 12; ++rows) {
        Numbers t{0.3}, u{value(random)};
        for (int i = 1; i < rows; ++i) {
          t.push_back(t.back() + step(random));
          u.push_back(value(random));
        }
        const double period = t.back() - t.front() + step(random);
        const TableSignal s(t, u, interpolation, periodic ? std::optional(period) : std::nullopt);
        for (int i = periodic ? 0 : 1; i < (periodic ? rows : rows - 1); ++i) {
          const double tiny = 1e-9;  // the jump of a derivative would be of order 1, its change over tiny of order 1e-8
          const SignalValue left = s.at(t[i] - tiny), right = s.at(t[i] + tiny);
          EXPECT_NEAR(s.at(t[i]).u, u[i], 1e-12);
          EXPECT_NEAR(left.u, right.u, 1e-7);
          EXPECT_NEAR(left.du, right.du, 1e-6);
          if (interpolation == Interpolation::spline) {
            EXPECT_NEAR(left.ddu, right.ddu, 1e-6);
          }
        }
      }
    }
  }
}

TEST(TableSignal, PeriodicSplineReproducesASineOverManyPeriods) {
  const auto f = [](double t) { return std::sin(t); };
  const double period = 2 * std::numbers::pi;
  const TableSignal s = sampled(f, 0, period, 65, Interpolation::spline, period);
  EXPECT_LT(largest_error(s, f, -20, 50), 5e-7);  // h⁴/384 = 2.4e-7 with h = 2π/64
  EXPECT_TRUE(breakpoints(s, -20, 50).empty());
}

TEST(TableSignal, RepeatsWithItsPeriodAndClosesTheGapToTheFirstRow) {
  const TableSignal s({1, 2, 3}, {0, 4, 2}, Interpolation::linear, 4.0);
  for (int k = -3; k < 4; ++k) {
    EXPECT_DOUBLE_EQ(s.at(1.5 + 4 * k).u, 2);
    EXPECT_DOUBLE_EQ(s.at(4 + 4 * k).u, 1);  // half way from (3, 2) to (5, 0)
  }
  EXPECT_EQ(breakpoints(s, 0.5, 9.5), (Numbers{1, 2, 3, 5, 6, 7, 9}));
}

TEST(TableSignal, StepsThatEndAtABreakpointSeeWhatComesAfterIt) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> step(0.01, 0.4);
  for (int k = 0; k < 200; ++k) {
    Numbers t{step(random)}, u{0};
    for (int i = 1; i < 5; ++i) {
      t.push_back(t.back() + step(random));
      u.push_back(i);
    }
    const TableSignal s(t, u, Interpolation::hold, t.back() - t.front() + step(random));
    const Numbers found = breakpoints(s, 0, 20);
    EXPECT_GT(found.size(), 30U);
    for (std::size_t i = 0; i < found.size(); ++i) {
      if (i > 0) {
        EXPECT_GT(found[i], found[i - 1]);
      }
      const double after = i + 1 < found.size() ? 0.5 * (found[i] + found[i + 1]) : found[i] + 1e-6;
      EXPECT_EQ(s.at(found[i]).u, s.at(after).u);
      EXPECT_NE(s.at(found[i] - 1e-12).u, s.at(after).u);
    }
  }
}

TEST(TableSignal, DerivativesAgreeWithCentralDifferencesAtRandomTimes) {
  std::mt19937 random(6);
  std::uniform_real_distribution<double> any(-1, 1), inside(0.001, 0.999);
  for (const auto interpolation : {Interpolation::linear, Interpolation::cubic, Interpolation::spline}) {
    for (int k = 0; k < 100; ++k) {
      Numbers t, u;
      for (int i = 0; i < 6; ++i) {
        t.push_back(i + 0.4 * any(random));
        u.push_back(any(random));
      }
      const TableSignal s(t, u, interpolation);
      const int i = k % 5;
      const double where = t[i] + inside(random) * (t[i + 1] - t[i]);
      expect_derivatives_match([&](double time) { return s.at(time); }, where, 0.05, 1e-6);
      EXPECT_NE(s.at(where).du, 0);
    }
  }
}

// The row of a time is found by a division where rows are equally far apart: it must be that of a search through all, of any rows.
TEST(TableSignal, FindsTheRowOfEachTime) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> number(0, 1);
  for (int trial = 0; trial < 60; ++trial) {
    Numbers t{-0.3 * trial}, u{0};
    const int rows = 2 + trial % 13;
    for (int i = 1; i < rows; ++i) {
      const double step = trial % 3 == 0 ? 0.1 : trial % 3 == 1 ? number(random) : std::pow(10, -6 * number(random));
      t.push_back(trial % 5 == 4 && i % 3 == 2 && t[i - 1] != t[std::max(0, i - 2)] ? t[i - 1] : t[i - 1] + step);
      u.push_back(i);
    }
    const TableSignal table(t, u);
    for (int i = 0; i < rows; ++i)
      for (const double at :
           {std::nextafter(t[i], -1e9), t[i], std::nextafter(t[i], 1e9), t[i] + 0.05 * number(random)}) {
        int row = -1;
        while (row + 1 < rows && t[row + 1] <= at) ++row;
        const double expected = row < 0 ? u.front()
                                : row == rows - 1
                                    ? u.back()
                                    : u[row] + (u[row + 1] - u[row]) / (t[row + 1] - t[row]) * (at - t[row]);
        EXPECT_EQ(table.at(at).u, expected) << "trial " << trial << ", row " << i << ", t = " << at;
      }
  }
}

TEST(TableSignal, OfOneRowIsConstant) {
  for (const auto interpolation :
       {Interpolation::hold, Interpolation::linear, Interpolation::cubic, Interpolation::spline}) {
    const TableSignal s({2}, {3}, interpolation, 1.0);
    EXPECT_EQ(s.at(0).u, 3);
    EXPECT_EQ(s.at(2.5).u, 3);
    EXPECT_TRUE(s.is_constant());
    EXPECT_TRUE(s.problems().empty());
    EXPECT_TRUE(breakpoints(s, -10, 10).empty());
  }
}

TEST(TableSignal, NamesWhatIsWrongAndStaysHarmless) {
  const double nan = std::nan("");
  const TableSignal wrong[] = {TableSignal({}, {}),
                               TableSignal(),
                               TableSignal({0, 1}, {0}),
                               TableSignal({0, nan}, {0, 1}),
                               TableSignal({1, 0}, {0, 1}),
                               TableSignal({0, 0}, {0, 1}, Interpolation::hold),
                               TableSignal({0, 0, 0}, {0, 1, 2}),
                               TableSignal({0, 1}, {0, 1}, Interpolation::linear, 0.5),
                               TableSignal({0, 1}, {0, 1}, Interpolation::linear, nan)};
  for (const TableSignal& s : wrong) {
    EXPECT_FALSE(s.problems().empty());
    s.at(0.5);
    breakpoints(s, 0, 1);
  }
}

}  // namespace
}  // namespace flexura
