#include "flexura/math/singular_values.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace flexura::test {
namespace {

/// Columns of the matrix of Läuchli: 1 above, ε on the diagonal below. σ = √(n + ε²), then n − 1 times ε.
std::vector<double> laeuchli(int n, double small) {
  std::vector<double> a;
  for (int k = 0; k < n; ++k) {
    a.push_back(1);
    for (int i = 0; i < n; ++i) a.push_back(i == k ? small : 0);
  }
  return a;
}

// Of AᵀA nothing would be left of ε. Rounding of the columns' products: n u against 1, u σ₁/ε against ε.
TEST(SingularValues, OfNearlyEqualColumns) {
  const double small = 1e-9;
  const SingularValues s(laeuchli(3, small), 3);
  EXPECT_NEAR(s.value(0), std::sqrt(3.0), 1e-15);
  EXPECT_NEAR(s.value(1), small, 1e-15);
  EXPECT_NEAR(s.value(2), small, 1e-15);
  for (const double x : s.right(0)) EXPECT_NEAR(std::fabs(x), std::sqrt(1.0 / 3), 1e-15);
}

TEST(SingularValues, AreEigenvaluesOfSymmetricMatrices) {
  // 1, 2, 4 along (1, 1, 0)/√2, (0, 0, 1), (1, −1, 0)/√2.
  const SingularValues s(std::vector<double>{2.5, -1.5, 0, -1.5, 2.5, 0, 0, 0, 2}, 3);
  const double values[] = {4, 2, 1};
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(s.value(k), values[k], 1e-15);
  EXPECT_NEAR(s.right(0)[0] + s.right(0)[1], 0, 1e-15);
  EXPECT_NEAR(std::fabs(s.right(1)[2]), 1, 1e-15);
}

TEST(SingularValues, SolveLeastSquares) {
  // x + y t through (0, 1), (1, 2), (2, 4): 5/6 + 3/2 t.
  const SingularValues line(std::vector<double>{1, 1, 1, 0, 1, 2}, 2);
  const auto fit = line.solve(std::vector<double>{1, 2, 4});
  EXPECT_NEAR(fit[0], 5.0 / 6, 1e-15);
  EXPECT_NEAR(fit[1], 1.5, 1e-15);
  // Equal columns: the shortest solution shares.
  const auto shared = SingularValues(std::vector<double>{1, 1, 1, 1}, 2).solve(std::vector<double>{3, 3});
  EXPECT_NEAR(shared[0], 1.5, 1e-15);
  EXPECT_NEAR(shared[1], 1.5, 1e-15);
}

TEST(SingularValues, OfNothing) {
  EXPECT_EQ(SingularValues({}, 0).count(), 0);
  const SingularValues zero(std::vector<double>(4, 0.0), 2);
  EXPECT_EQ(zero.value(0), 0);
  EXPECT_EQ(zero.solve(std::vector<double>{1, 1}), std::vector<double>(2, 0.0));
}

}  // namespace
}  // namespace flexura::test
