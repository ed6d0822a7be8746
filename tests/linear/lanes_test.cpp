// Lanes against solo runs, duals, the product, the heap and the cost of long chains.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <numeric>

#include "random_system.hpp"
#include "tests/support/count_allocations.hpp"

namespace flexura::test {
namespace {

BlockPattern constrained_grid(int size, Random& random) {
  BlockPattern out = grid(4, 5, size);
  out.constraint.assign(20, 0);
  for (int c = 0; c < 4; ++c) {
    out.sizes.push_back(1);
    out.constraint.push_back(1);
    out.pairs.emplace_back(5 * c + static_cast<int>(random() % 4), 20 + c);
    out.pairs.emplace_back(20 + c, 5 * c + 4);
  }
  return out;
}

class LaneWidth : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(BlockSizes, LaneWidth, testing::Values(1, 2, 3, 4, 6, 9, 12),
                         testing::PrintToStringParamName());

TEST_P(LaneWidth, ALaneHasTheBitsOfASoloRun) {
  Random random(GetParam());
  for (const BlockPattern& pattern : {constrained_grid(GetParam(), random), chain(std::vector<int>(9, GetParam()))}) {
    for (Symmetry symmetry : {Symmetry::symmetric, Symmetry::unsymmetric}) {
      LinearSolver<Lanes> lanes;
      LinearSolver<double> solo[native_lanes];
      lanes.analyse(pattern, symmetry);
      const int n = lanes.layout().unknowns;
      std::vector<Lanes> lane_values, lane_y(n, Lanes(0.0));
      std::vector<double> y[native_lanes];
      FactorReport<double> solo_report[native_lanes];
      for (int lane = 0; lane < native_lanes; ++lane) {
        Dense a = random_matrix(pattern, random);
        if (symmetry == Symmetry::unsymmetric) {
          for (double& x : a.reshaped()) x *= 1 + 1e-3 * uniform(random);
        }
        assemble(lanes, pattern, symmetry, a, lane_values, lane);
        solo[lane].analyse(pattern, symmetry);
        std::vector<double> values;
        assemble(solo[lane], pattern, symmetry, a, values);
        solo_report[lane] = solo[lane].factor(values);
        y[lane] = random_vector(n, random);
        for (int i = 0; i < n; ++i) lane_y[i].set(lane, y[lane][i]);
      }
      const FactorReport<Lanes> report = lanes.factor(lane_values);
      std::vector<Lanes> lane_t = lane_y;
      lanes.solve(std::span(lane_y));
      lanes.solve_transposed(std::span(lane_t));
      for (int lane = 0; lane < native_lanes; ++lane) {
        EXPECT_EQ(report.ok.lane(lane), solo_report[lane].ok);
        EXPECT_EQ(report.weakest_pivot[lane], solo_report[lane].weakest_pivot);
        EXPECT_EQ(report.negative_pivots[lane], solo_report[lane].negative_pivots);
        std::vector<double> t = y[lane];
        solo[lane].solve(std::span(y[lane]));
        solo[lane].solve_transposed(std::span(t));
        for (int i = 0; i < n; ++i) {
          const double x = lane_y[i][lane], xt = lane_t[i][lane];
          EXPECT_EQ(std::memcmp(&x, &y[lane][i], sizeof(double)), 0) << "unknown " << i << ", lane " << lane;
          EXPECT_EQ(std::memcmp(&xt, &t[i], sizeof(double)), 0)
              << "unknown " << i << ", lane " << lane << ", transposed";
        }
      }
    }
  }
}

// A lane that fails leaves its neighbours' bits alone.
TEST(LanesOfDifferentFate, AreIndependent) {
  Random random(29);
  const BlockPattern pattern = chain({4, 4, 4});
  LinearSolver<Lanes> solver;
  solver.analyse(pattern, Symmetry::symmetric);
  std::vector<Lanes> values, y(12, Lanes(1.0)), alone(12, Lanes(1.0));
  for (int lane = 0; lane < native_lanes; ++lane) {
    assemble(solver, pattern, Symmetry::symmetric, random_matrix(pattern, random), values, lane);
  }
  solver.factor(values);
  solver.solve(std::span(alone));
  for (Lanes& v : values) v.set(1, std::numeric_limits<double>::quiet_NaN());
  const auto report = solver.factor(values);
  solver.solve(std::span(y));
  for (int lane = 0; lane < native_lanes; ++lane) {
    EXPECT_EQ(report.ok.lane(lane), lane != 1);
    for (int i = 0; i < 12 && lane != 1; ++i) EXPECT_EQ(y[i][lane], alone[i][lane]);
  }
}

TEST(DualRightHandSide, IsSolvedForValueAndDerivative) {
  Random random(31);
  const BlockPattern pattern = constrained_grid(4, random);
  LinearSolver<double> solver;
  solver.analyse(pattern, Symmetry::unsymmetric);
  std::vector<double> values;
  assemble(solver, pattern, Symmetry::unsymmetric, random_matrix(pattern, random), values);
  solver.factor(values);
  const int n = solver.layout().unknowns;
  std::vector<double> v = random_vector(n, random), d = random_vector(n, random);
  std::vector<Dual<double>> y(n), t;
  for (int i = 0; i < n; ++i) y[i] = {v[i], d[i]};
  t = y;
  std::vector<double> vt = v, dt = d;
  solver.solve(std::span(y));
  solver.solve(std::span(v));
  solver.solve(std::span(d));
  solver.solve_transposed(std::span(t));
  solver.solve_transposed(std::span(vt));
  solver.solve_transposed(std::span(dt));
  for (int i = 0; i < n; ++i) {
    EXPECT_EQ(y[i].v, v[i]);
    EXPECT_EQ(y[i].d, d[i]);
    EXPECT_EQ(t[i].v, vt[i]);
    EXPECT_EQ(t[i].d, dt[i]);
  }
}

TEST(Multiply, IsTheMatrixAndDiagonalItsDiagonal) {
  Random random(37);
  for (Symmetry symmetry : {Symmetry::symmetric, Symmetry::unsymmetric}) {
    const BlockPattern pattern = constrained_grid(3, random);
    Dense a = random_matrix(pattern, random);
    if (symmetry == Symmetry::unsymmetric) a.triangularView<Eigen::StrictlyUpper>() *= 1.5;
    LinearSolver<double> solver;
    solver.analyse(pattern, symmetry);
    std::vector<double> values;
    assemble(solver, pattern, symmetry, a, values);
    const int n = solver.layout().unknowns;
    const std::vector<double> x = random_vector(n, random);
    std::vector<double> product(n), diagonal(n);
    solver.multiply<double>(values, x, product);
    solver.diagonal(values, diagonal);
    EXPECT_LT((as_eigen(product) - a * as_eigen(x)).cwiseAbs().maxCoeff(), 1e-13);  // sums of some 20 numbers below 30
    EXPECT_EQ(as_eigen(diagonal), a.diagonal().cwiseAbs());
    std::vector<Dual<double>> dual(n), out(n);
    for (int i = 0; i < n; ++i) dual[i] = {x[i], 2 * x[i]};
    solver.multiply<Dual<double>>(values, dual, out);
    for (int i = 0; i < n; ++i) {
      EXPECT_EQ(out[i].v, product[i]);
      EXPECT_EQ(out[i].d, 2 * product[i]);
    }
  }
}

template <class V>
void expect_no_heap_use() {
  Random random(41);
  for (Symmetry symmetry : {Symmetry::symmetric, Symmetry::unsymmetric}) {
    BlockPattern pattern = constrained_grid(4, random);
    pattern.sizes.push_back(1);  // an empty constraint, to be set aside
    pattern.constraint.push_back(1);
    LinearSolver<V> solver;
    solver.analyse(pattern, symmetry);
    std::vector<V> values;
    for (int lane = 0; lane < ScalarTraits<V>::lanes; ++lane) {
      assemble(solver, pattern, symmetry, random_matrix(pattern, random), values, lane);
    }
    const int n = solver.layout().unknowns;
    std::vector<V> y(n, V(1.0)), out(n, V(0.0));
    std::vector<Dual<V>> dual(n, Dual<V>(1.0));
    const long before = allocations();
    EXPECT_EQ(solver.factor(values).redundant_rows.size(), 1u);
    solver.solve(std::span(y));
    solver.solve_transposed(std::span(y));
    solver.solve(std::span(dual));
    solver.template multiply<V>(values, y, out);
    solver.diagonal(values, out);
    EXPECT_EQ(allocations(), before);
  }
}

TEST(Heap, IsNotUsedAfterAnalyse) {
  expect_no_heap_use<double>();
  expect_no_heap_use<Lanes>();
}

// Analysis, factor and solve together: three times the blocks, both too many for the caches and for memory that the
// allocator keeps (beyond 32 MB it takes fresh pages each time, which costs more than the arithmetic). Least of three,
// because other programs use the caches too; measured 1.06 to 1.14 beside other programs, a quadratic part would give 3.
TEST(LongChain, CostsTheSamePerBlock) {
  const auto seconds_per_block = [](int blocks) {
    const BlockPattern pattern = chain(std::vector<int>(blocks, 4));
    double least = 1e9;
    for (int run = 0; run < 3; ++run) {
      const std::clock_t begin = std::clock();  // of this process
      LinearSolver<double> solver;
      solver.analyse(pattern, Symmetry::symmetric);
      std::vector<double> values(solver.value_count(), 0.0), y(4 * blocks, 1.0);
      for (int i = 0; i < blocks; ++i) {
        const Entry e = solver.entry(i, i);
        for (int r = 0; r < 4; ++r) values[e.offset + r * (e.row_stride + e.col_stride)] = 1.0;
      }
      solver.factor(values);
      solver.solve(std::span(y));
      least = std::min(least, static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC);
    }
    return least / blocks;
  };
  EXPECT_LT(seconds_per_block(450000) / seconds_per_block(150000), 2);
}

TEST(Order, IsNaturalForAChainAndWithoutFillForATree) {
  Random random(43);
  const auto factor_blocks = [](const BlockPattern& pattern) {
    LinearSolver<double> solver;
    solver.analyse(pattern, Symmetry::symmetric);
    return FactorStructure(solver.layout().graph()).column.size();
  };
  LinearSolver<double> solver;
  solver.analyse(chain(std::vector<int>(100, 4)), Symmetry::symmetric);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(solver.layout().position[i], i);
  EXPECT_EQ(factor_blocks(tree(std::vector<int>(300, 2), random)), 299u);
  // A pressure that every block sees, numbered first, becomes a border.
  BlockPattern shared = chain(std::vector<int>(300, 2));
  shared.sizes.push_back(1);
  for (int i = 0; i < 300; ++i) shared.pairs.emplace_back(300, i);
  std::rotate(shared.sizes.begin(), shared.sizes.end() - 1, shared.sizes.end());
  for (auto& [i, j] : shared.pairs) i = (i + 1) % 301, j = (j + 1) % 301;
  EXPECT_EQ(factor_blocks(shared), 599u);
  // 40 × 40: the natural band has 6.2e4 blocks; minimum degree leaves 2.2e4.
  EXPECT_LT(factor_blocks(grid(40, 40, 1)), 25000u);
}

}  // namespace
}  // namespace flexura::test
