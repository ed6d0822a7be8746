#include "flexura/math/gmres.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace flexura {
namespace {

/// Unsymmetric, diagonally dominant: 4 on the diagonal, then 1, −2 and ever smaller numbers.
double entry(int i, int j) {
  return i == j ? 4 : j == i + 1 ? 1 : j == i - 1 ? -2 : 0.3 * std::sin(i + 2.0 * j) / (1 + std::abs(i - j));
}

std::vector<double> times(std::span<const double> x) {
  std::vector<double> y(x.size(), 0.0);
  for (size_t i = 0; i < x.size(); ++i)
    for (size_t j = 0; j < x.size(); ++j) y[i] += entry(static_cast<int>(i), static_cast<int>(j)) * x[j];
  return y;
}

// n products reach rounding, whatever the matrix; this one is well conditioned and takes fewer.
TEST(Gmres, UnsymmetricMatrix) {
  std::vector<double> wanted, x(30);
  for (int i = 0; i < 30; ++i) wanted.push_back(std::cos(1.3 * i));
  const std::vector<double> b = times(wanted);
  const GmresReport report = gmres(b, x, 1e-15, 40, [](std::span<const double> v, std::span<double> to) {
    std::ranges::copy(times(v), to.begin());
  });
  EXPECT_LE(report.products, 30);
  for (int i = 0; i < 30; ++i) EXPECT_NEAR(x[i], wanted[i], 1e-13);
}

// A space of two dimensions, b being made of two eigenvectors.
TEST(Gmres, EndsWhereTheSpaceEnds) {
  const std::vector<double> b{1, 1, 0, 0};
  std::vector<double> x(4);
  const GmresReport report = gmres(b, x, 0, 10, [](std::span<const double> v, std::span<double> to) {
    for (size_t i = 0; i < 4; ++i) to[i] = static_cast<double>(i + 1) * v[i];
  });
  EXPECT_LE(report.products, 3);
  EXPECT_NEAR(x[0], 1, 1e-15);
  EXPECT_NEAR(x[1], 0.5, 1e-15);
  EXPECT_EQ(x[2], 0);
}

TEST(Gmres, NothingOfNothing) {
  const std::vector<double> b(3, 0.0);
  std::vector<double> x(3, 7.0);
  EXPECT_EQ(gmres(b, x, 1e-12, 5, [](std::span<const double>, std::span<double>) {}).products, 0);
  EXPECT_EQ(x, b);
}

}  // namespace
}  // namespace flexura
