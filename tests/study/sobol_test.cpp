#include "flexura/study/sobol.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "flexura/study/distribution.hpp"

namespace flexura::test {
namespace {

using testing::ElementsAre;

std::vector<double> point(const Sobol& sobol, std::uint32_t n, int dimensions) {
  std::vector<double> x(static_cast<size_t>(dimensions));
  sobol.point(n, x);
  return x;
}

// The first points in three directions, as published: 0, 1/2, then 3/4 1/4 1/4, 1/4 3/4 3/4, ...
TEST(Sobol, BeginsAsPublished) {
  const Sobol sobol(3);
  EXPECT_THAT(point(sobol, 0, 3), ElementsAre(0, 0, 0));
  EXPECT_THAT(point(sobol, 1, 3), ElementsAre(0.5, 0.5, 0.5));
  EXPECT_THAT(point(sobol, 2, 3), ElementsAre(0.75, 0.25, 0.25));
  EXPECT_THAT(point(sobol, 3, 3), ElementsAre(0.25, 0.75, 0.75));
  EXPECT_THAT(point(sobol, 4, 3), ElementsAre(0.375, 0.375, 0.625));
}

// Of 2^k points, one in each of 2^k cells of every direction, scrambled or not: a wrong direction number breaks it.
TEST(Sobol, PutsOnePointIntoEachCellOfEveryDirection) {
  RandomNumbers random(7);
  const int d = Sobol::most_dimensions, n = 1 << 12;
  for (const Sobol& sobol : {Sobol(d), Sobol(d, random)}) {
    std::vector<std::set<int>> cells(static_cast<size_t>(d));
    for (int i = 0; i < n; ++i) {
      const std::vector<double> x = point(sobol, static_cast<std::uint32_t>(i), d);
      for (int k = 0; k < d; ++k) cells[static_cast<size_t>(k)].insert(static_cast<int>(x[static_cast<size_t>(k)] * n));
    }
    for (const std::set<int>& cell : cells) EXPECT_EQ(cell.size(), static_cast<size_t>(n));
  }
}

// Property A: the first digits of the first d direction numbers are independent modulo 2, in each number of directions. Numbers of another
// table, or one mistyped, lose it for half of all.
TEST(Sobol, HasPropertyA) {
  const Sobol sobol(Sobol::most_dimensions);
  for (int d = 1; d <= Sobol::most_dimensions; ++d) {
    std::vector<std::uint32_t> rows(static_cast<size_t>(d), 0);
    for (int i = 0; i < d; ++i)
      for (int k = 0; k < d; ++k) rows[static_cast<size_t>(i)] |= (sobol.direction(i, k) >> 31) << k;
    int rank = 0;
    for (int bit = 0; bit < d; ++bit) {
      const auto pivot =
          std::find_if(rows.begin() + rank, rows.end(), [&](std::uint32_t row) { return row >> bit & 1; });
      if (pivot == rows.end()) continue;
      std::iter_swap(rows.begin() + rank, pivot);
      for (int i = 0; i < d; ++i)
        if (i != rank && (rows[static_cast<size_t>(i)] >> bit & 1) != 0)
          rows[static_cast<size_t>(i)] ^= rows[static_cast<size_t>(rank)];
      ++rank;
    }
    EXPECT_EQ(rank, d);
  }
}

// Quantiles against the tables' digits, and Φ(Φ⁻¹(u)) = u into the tails.
TEST(Distribution, HasTheQuantilesOfTheNormalOne) {
  EXPECT_DOUBLE_EQ(normal_quantile(0.5), 0);
  EXPECT_NEAR(normal_quantile(0.975), 1.959963984540054, 1e-14);
  EXPECT_NEAR(normal_quantile(0.001), -3.090232306167813, 1e-13);
  for (const double u : {1e-15, 1e-9, 1e-3, 0.019, 0.021, 0.3, 0.49999, 0.7, 0.999})
    EXPECT_NEAR(normal_share(normal_quantile(u)) / u, 1, 1e-12) << u;
}

TEST(Distribution, TurnsSharesIntoValues) {
  EXPECT_EQ((Distribution{.low = 2, .high = 4}).quantile(0.25), 2.5);
  EXPECT_NEAR((Distribution{.kind = Distribution::Kind::log, .low = 1, .high = 100}).quantile(0.5), 10, 1e-14);
  const Distribution values{.kind = Distribution::Kind::values, .values = {3, 1, 2}};
  EXPECT_EQ(values.quantile(0), 3);
  EXPECT_EQ(values.quantile(0.34), 1);
  EXPECT_EQ(values.quantile(0.999), 2);
  const Distribution cut{.kind = Distribution::Kind::normal, .low = -1, .high = 2, .mean = 0, .deviation = 1};
  EXPECT_NEAR(cut.quantile(0), -1, 1e-12);
  EXPECT_NEAR(cut.quantile(1 - 0x1p-53), 2, 1e-12);
  EXPECT_NEAR(normal_share(cut.quantile(0.5)), 0.5 * (normal_share(-1) + normal_share(2)), 1e-12);
  // Cut at zero below and nowhere above: half of the normal distribution, P(x < q) = 2 Φ(q) − 1.
  const Distribution half{.kind = Distribution::Kind::normal, .low = 0, .mean = 0, .deviation = 1};
  EXPECT_EQ(half.quantile(0), 0);
  EXPECT_NEAR(half.quantile(0.95), normal_quantile(0.975), 1e-12);
}

}  // namespace
}  // namespace flexura::test
