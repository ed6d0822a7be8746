// The factor of numbers that the mass of an axis is solved with, against the product.

#include "flexura/linear/scalar_factor.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace flexura {
namespace {

using Entry = ScalarFactor::Entry;

/// Of a grid of n × n nodes, each coupled with eight: rows sum to 1 + weight.
std::vector<Entry> grid(int n, double weight) {
  std::vector<Entry> out;
  std::vector<double> own(static_cast<size_t>(n) * n, 1.0);
  for (int i = 0; i < n * n; ++i)
    for (int j = 0; j < i; ++j)
      if (std::abs(i / n - j / n) <= 1 && std::abs(i % n - j % n) <= 1) {
        const double value = -weight * (1.5 + std::sin(i + 0.3 * j));
        out.push_back({i, j, value});
        own[i] -= value, own[j] -= value;
      }
  for (int i = 0; i < n * n; ++i) out.push_back({i, i, own[i]});
  return out;
}

// Up to fill that asks for nested dissection; rounding of well conditioned matrices (1e-13 of a few hundred products).
TEST(ScalarFactor, SolvesWhatTheMatrixMultiplies) {
  for (const int n : {1, 2, 7, 40})
    for (const int dim : {1, 2, 3}) {
      const std::vector<Entry> entries = grid(n, 0.1);
      const int size = n * n;
      std::vector<double> x(static_cast<size_t>(size) * dim), b(x.size(), 0.0);
      for (size_t i = 0; i < x.size(); ++i) x[i] = std::sin(0.7 * static_cast<double>(i) + 0.2);
      for (const Entry& e : entries)
        for (int d = 0; d < dim; ++d) {
          b[e.row * dim + d] += e.value * x[e.column * dim + d];
          if (e.row != e.column) b[e.column * dim + d] += e.value * x[e.row * dim + d];
        }
      ScalarFactor factor;
      ASSERT_TRUE(factor.factor(size, entries, 1e-8));
      factor.solve(b, dim);
      for (size_t i = 0; i < x.size(); ++i) ASSERT_NEAR(b[i], x[i], 1e-13) << n << " " << dim << " " << i;
    }
}

TEST(ScalarFactor, SaysWhereAPivotIsLeftOfNothing) {
  const std::vector<Entry> singular = {{0, 0, 2.0}, {1, 0, 2.0}, {1, 1, 2.0}},
                           weak = {{0, 0, 1}, {1, 0, 1}, {1, 1, 1 + 1e-9}};
  EXPECT_FALSE(ScalarFactor().factor(2, singular, 0.0));
  EXPECT_FALSE(ScalarFactor().factor(2, weak, 1e-8));
  EXPECT_TRUE(ScalarFactor().factor(2, weak, 1e-10));
  EXPECT_FALSE(ScalarFactor().factor(1, std::vector<Entry>{{0, 0, std::nan("")}}, 0.0));
  EXPECT_FALSE(ScalarFactor().factor(2, std::vector<Entry>{{0, 0, 1.0}}, 0.0));
}

}  // namespace
}  // namespace flexura
