// Matrices with much fill, which are factored by dense fronts: against pivoted LU, against the factorisation block by
// block, lanes against solo runs, the heap.

#include <gtest/gtest.h>

#include <cstring>

#include "flexura/linear/sparse_fallback.hpp"
#include "random_system.hpp"
#include "tests/support/count_allocations.hpp"

namespace flexura::test {
namespace {

/// `plate` with multipliers between neighbours: their blocks come first in y, so that the solver has to move them.
BlockPattern constrained_plate(int rows, int columns, int size, int constraints, Random& random) {
  const BlockPattern free = plate(rows, columns, false, size);
  BlockPattern out;
  for (int c = 0; c < constraints; ++c) out.sizes.push_back(1 + static_cast<int>(random() % std::min(2, size)));
  out.sizes.insert(out.sizes.end(), free.sizes.begin(), free.sizes.end());
  out.constraint.assign(out.sizes.size(), 0);
  std::fill_n(out.constraint.begin(), constraints, 1);
  for (auto [i, j] : free.pairs) out.pairs.emplace_back(constraints + i, constraints + j);
  for (int c = 0; c < constraints; ++c) {
    const auto [i, j] = free.pairs[(c * 17 + 5) % free.pairs.size()];
    out.pairs.emplace_back(c, constraints + i);
    out.pairs.emplace_back(constraints + j, c);
  }
  return out;
}

double difference(const std::vector<double>& x, const Eigen::VectorXd& expected) {
  return (as_eigen(x) - expected).cwiseAbs().maxCoeff() / expected.cwiseAbs().maxCoeff();
}

bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

class FrontsOfBlockSize : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Linear, FrontsOfBlockSize, testing::Range(1, 13), testing::PrintToStringParamName());

// Plates, closed tubes and a plate of mixed blocks. Measured: errors at most 1e-13 (size 1; conditions of 1e3 and more).
TEST_P(FrontsOfBlockSize, AgreeWithPivotedLu) {
  Random random(GetParam());
  BlockPattern mixed = plate(9, 10, false, 1);
  mixed.sizes = mixed_sizes(90, GetParam(), random);
  for (const BlockPattern& pattern : {plate(9, 9, false, GetParam()), plate(9, 10, true, GetParam()), mixed}) {
    for (Symmetry symmetry : {Symmetry::symmetric, Symmetry::unsymmetric}) {
      Dense a = random_matrix(pattern, random);
      if (symmetry == Symmetry::unsymmetric) {
        a.diagonal().array() += 1.0;  // keeps the perturbed matrix positive
        perturb(a, random);
      }
      LinearSolver<double> solver;
      solver.analyse(pattern, symmetry);
      ASSERT_TRUE(solver.layout().fronts);
      std::vector<double> values;
      assemble(solver, pattern, symmetry, a, values);
      const FactorReport<double> report = solver.factor(values);
      EXPECT_TRUE(report.ok);
      EXPECT_GT(report.weakest_pivot, 1e-4);
      EXPECT_LE(report.weakest_pivot, 1);
      EXPECT_EQ(report.negative_pivots, 0);
      const std::vector<double> b = random_vector(static_cast<int>(a.rows()), random);
      std::vector<double> x = b, xt = b;
      solver.solve(std::span(x));
      solver.solve_transposed(std::span(xt));
      const Eigen::PartialPivLU<Dense> lu(a);
      EXPECT_LT(difference(x, lu.solve(as_eigen(b))), 1e-11);
      EXPECT_LT(difference(xt, lu.transpose().solve(as_eigen(b))), 1e-11);
      EXPECT_LT(backward_error(a, x, b), 2e-14);  // measured 1e-15
    }
  }
}

// A ring or a few blocks of a mesh are unsymmetric, as moments on nodes make them: what is eliminated before them is held as one
// half, and the answer is that of the whole in two halves, of the matrix and of its transpose.
TEST(FrontsWithFewSkewBlocks, AgreeWithPivotedLu) {
  Random random(11);
  const int columns = 10;
  const std::vector<std::vector<int>> cases = {{}, {44}, {0, 89}, {40, 41, 42, 43, 44, 45, 46, 47, 48, 49}};
  for (const bool closed : {false, true})
    for (const std::vector<int>& blocks : cases) {
      BlockPattern pattern = constrained_plate(9, columns, 5, 6, random);
      if (closed) pattern = plate(9, columns, true, 9);
      const int free = static_cast<int>(pattern.sizes.size()) - 9 * columns;
      pattern.skew.assign(pattern.sizes.size(), 0);
      for (const int block : blocks) pattern.skew[free + block] = 1;
      Dense a = random_matrix(pattern, random);
      const std::vector<int> first = first_unknowns(pattern);
      for (const int i : blocks)
        for (const int j : blocks)
          for (int r = first[free + i]; r < first[free + i + 1]; ++r)
            for (int c = first[free + j]; c < first[free + j + 1]; ++c)
              if (a(r, c) != 0) a(r, c) += r < c ? 0.4 : -0.4;  // leaves the symmetric part
      LinearSolver<double> solver;
      solver.analyse(pattern, Symmetry::unsymmetric);
      ASSERT_TRUE(solver.layout().fronts);
      std::vector<double> values;
      assemble(solver, pattern, Symmetry::unsymmetric, a, values);
      ASSERT_TRUE(solver.factor(values).ok);
      BlockPattern everywhere = pattern;
      everywhere.skew.clear();
      LinearSolver<double> whole;
      whole.analyse(everywhere, Symmetry::unsymmetric);
      ASSERT_TRUE(whole.factor(values).ok);
      const int n = static_cast<int>(a.rows());
      const std::vector<double> b = random_vector(n, random);
      std::vector<double> x = b, xt = b, y = b, pivots(n, 0.0), expected(n, 0.0);
      solver.solve(std::span(x));
      solver.solve_transposed(std::span(xt));
      whole.solve(std::span(y));
      const Eigen::PartialPivLU<Dense> lu(a);
      EXPECT_LT(difference(x, lu.solve(as_eigen(b))), 1e-10);
      EXPECT_LT(difference(xt, lu.transpose().solve(as_eigen(b))), 1e-10);
      EXPECT_LT(difference(x, as_eigen(y)), 1e-10);
      solver.multiplier_pivots(pivots);
      whole.multiplier_pivots(expected);
      for (int i = 0; i < n; ++i) EXPECT_NEAR(pivots[i], expected[i], 1e-10 * std::fabs(expected[i]));
    }
}

/// What both factorisations find in the same matrix.
template <bool symmetric>
void expect_same_findings(const BlockPattern& pattern, const Dense& a, Random& random) {
  constexpr Symmetry symmetry = symmetric ? Symmetry::symmetric : Symmetry::unsymmetric;
  LinearSolver<double> solver;
  solver.analyse(pattern, symmetry);
  ASSERT_TRUE(solver.layout().fronts);
  std::vector<double> values;
  assemble(solver, pattern, symmetry, a, values);
  ValueLayout layout = solver.layout();
  layout.fronts = false;
  const auto by_blocks = detail::make_block_factor<double, symmetric>(layout);
  const FactorReport<double> expected = by_blocks->factor(values), report = solver.factor(values);
  EXPECT_TRUE(report.ok);
  EXPECT_EQ(report.negative_pivots, expected.negative_pivots);
  std::vector<int> redundant, expected_redundant;
  for (const auto& s : report.redundant_rows) redundant.push_back(s.unknown);
  for (const auto& s : expected.redundant_rows) expected_redundant.push_back(s.unknown);
  std::sort(expected_redundant.begin(), expected_redundant.end());
  EXPECT_EQ(redundant, expected_redundant);
  EXPECT_NEAR(std::log10(report.weakest_pivot), std::log10(expected.weakest_pivot), 1);
  const int n = solver.layout().unknowns;
  std::vector<double> pivots(n, -1.0), expected_pivots(n, -1.0), x = random_vector(n, random), y = x;
  solver.multiplier_pivots(pivots);
  by_blocks->multiplier_pivots(expected_pivots.data());
  for (int i = 0; i < n; ++i) EXPECT_NEAR(pivots[i], expected_pivots[i], 1e-10 * std::fabs(expected_pivots[i]) + 1e-13);
  solver.solve(std::span(x));
  by_blocks->solve(y.data(), 1, false);
  EXPECT_LT(difference(x, as_eigen(y)), 1e-10);  // measured 4e-14
}

TEST(FrontsWithMultipliers, FindWhatTheFactorisationByBlocksFinds) {
  Random random(3);
  for (int size : {2, 3, 5, 9, 12}) {
    const BlockPattern pattern = constrained_plate(9, 9, size, 12, random);
    const Dense a = random_matrix(pattern, random);
    expect_same_findings<true>(pattern, a, random);
    expect_same_findings<false>(pattern, a, random);
  }
}

TEST(FrontsWithMultipliers, SetRedundantConstraintsAside) {
  Random random(5);
  for (int size : {3, 9}) {
    BlockPattern pattern = constrained_plate(9, 9, size, 0, random);
    for (int c = 0; c < 6; ++c) {  // 1 repeats 0, 3 repeats 2 …
      const int block = static_cast<int>(pattern.sizes.size());
      pattern.sizes.push_back(1);
      pattern.constraint.push_back(1);
      pattern.pairs.emplace_back(block, 20 * (c / 2));
      pattern.pairs.emplace_back(20 * (c / 2) + 1, block);
    }
    pattern.sizes.push_back(1);  // touches nothing
    pattern.constraint.push_back(1);
    Dense a = random_matrix(pattern, random);
    const int first = 81 * size;
    for (int c = 0; c < 6; c += 2) {
      a.row(first + c + 1) = -2 * a.row(first + c);
      a.col(first + c + 1) = -2 * a.col(first + c);
    }
    expect_same_findings<true>(pattern, a, random);
    expect_same_findings<false>(pattern, a, random);
    LinearSolver<double> solver;
    solver.analyse(pattern, Symmetry::symmetric);
    std::vector<double> values;
    assemble(solver, pattern, Symmetry::symmetric, a, values);
    EXPECT_EQ(solver.factor(values).redundant_rows.size(), 4u);
    for (auto [i, j] : pattern.pairs) {
      if (pattern.constraint[i] == pattern.constraint[j]) continue;
      const auto [multiplier, node] = pattern.constraint[i] ? std::pair{i, j} : std::pair{j, i};
      EXPECT_LT(solver.layout().position[node], solver.layout().position[multiplier]);
    }
  }
}

TEST(FrontsOfASingularMatrix, AreReported) {
  Random random(7);
  const BlockPattern pattern = plate(9, 9, false, 3);
  for (Symmetry symmetry : {Symmetry::symmetric, Symmetry::unsymmetric}) {
    LinearSolver<double> solver;
    solver.analyse(pattern, symmetry);
    Dense a = random_matrix(pattern, random);
    std::vector<double> values;
    assemble(solver, pattern, symmetry, a, values);
    EXPECT_TRUE(solver.factor(values).ok);
    for (std::size_t i = 0; i < values.size(); i += 97) {  // entries that are padding have no effect
      const double good = std::exchange(values[i], std::numeric_limits<double>::quiet_NaN());
      bool read = false;
      solver.layout().for_each_entry(
          [&](int, int, std::ptrdiff_t index) { read = read || index == static_cast<std::ptrdiff_t>(i); });
      if (read) {
        EXPECT_FALSE(solver.factor(values).ok);
      }
      values[i] = good;
    }
    EXPECT_TRUE(solver.factor(values).ok);
    a.row(100).setZero();
    a.col(100).setZero();
    assemble(solver, pattern, symmetry, a, values);
    EXPECT_FALSE(solver.factor(values).ok);
  }
  // Springs between all neighbours of a plate that nothing holds: the last pivot is all rounding error.
  const BlockPattern springs = plate(12, 12, false, 1);
  Dense a = Dense::Zero(144, 144);
  for (auto [i, j] : springs.pairs) {
    const double k = 1.5 + uniform(random);
    a(i, i) += k;
    a(j, j) += k;
    a(i, j) -= k;
    a(j, i) -= k;
  }
  LinearSolver<double> solver;
  solver.analyse(springs, Symmetry::symmetric);
  ASSERT_TRUE(solver.layout().fronts);
  std::vector<double> values;
  assemble(solver, springs, Symmetry::symmetric, a, values);
  EXPECT_FALSE(solver.factor(values).ok);
}

class FrontsInLanes : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Linear, FrontsInLanes, testing::Values(1, 2, 3, 4, 7, 9, 12),
                         testing::PrintToStringParamName());

TEST_P(FrontsInLanes, HaveTheBitsOfASoloRun) {
  Random random(GetParam());
  for (const BlockPattern& pattern : {constrained_plate(9, 9, GetParam(), 5, random), plate(9, 11, true, GetParam())}) {
    for (Symmetry symmetry : {Symmetry::symmetric, Symmetry::unsymmetric}) {
      LinearSolver<Lanes> lanes;
      LinearSolver<double> solo;
      lanes.analyse(pattern, symmetry);
      solo.analyse(pattern, symmetry);
      ASSERT_TRUE(lanes.layout().fronts);
      const int n = lanes.layout().unknowns;
      std::vector<Lanes> lane_values, lane_y(n, Lanes(0.0));
      std::vector<double> values[native_lanes], y[native_lanes];
      for (int lane = 0; lane < native_lanes; ++lane) {
        Dense a = random_matrix(pattern, random);
        if (symmetry == Symmetry::unsymmetric) perturb(a, random, 1e-3);
        assemble(lanes, pattern, symmetry, a, lane_values, lane);
        assemble(solo, pattern, symmetry, a, values[lane]);
        y[lane] = random_vector(n, random);
        for (int i = 0; i < n; ++i) lane_y[i].set(lane, y[lane][i]);
      }
      const FactorReport<Lanes> report = lanes.factor(lane_values);
      std::vector<Lanes> lane_t = lane_y;
      lanes.solve(std::span(lane_y));
      lanes.solve_transposed(std::span(lane_t));
      for (int lane = 0; lane < native_lanes; ++lane) {
        const FactorReport<double> solo_report = solo.factor(values[lane]);
        EXPECT_EQ(report.ok.lane(lane), solo_report.ok);
        EXPECT_EQ(report.weakest_pivot[lane], solo_report.weakest_pivot);
        EXPECT_EQ(report.negative_pivots[lane], solo_report.negative_pivots);
        std::vector<double> x = y[lane], t = y[lane], lane_x(n), lane_xt(n);
        solo.solve(std::span(x));
        solo.solve_transposed(std::span(t));
        for (int i = 0; i < n; ++i) {
          lane_x[i] = lane_y[i][lane];
          lane_xt[i] = lane_t[i][lane];
        }
        EXPECT_TRUE(same_bits(lane_x, x)) << "lane " << lane;
        EXPECT_TRUE(same_bits(lane_xt, t)) << "lane " << lane;
      }
    }
  }
}

TEST(Fronts, SolveSeveralSidesWithTheBitsOfEach) {
  Random random(11);
  const BlockPattern pattern = constrained_plate(9, 9, 9, 3, random);
  for (Symmetry symmetry : {Symmetry::symmetric, Symmetry::unsymmetric}) {
    LinearSolver<double> solver;
    solver.analyse(pattern, symmetry);
    std::vector<double> values;
    assemble(solver, pattern, symmetry, random_matrix(pattern, random), values);
    solver.factor(values);
    const int n = solver.layout().unknowns;
    for (int count : {1, 2, 3, 7}) {
      std::vector<double> all = random_vector(count * n, random);
      const std::vector<double> b = all;
      solver.solve_several(std::span(all), count);
      for (int r = 0; r < count; ++r) {
        std::vector<double> x(b.begin() + r * n, b.begin() + (r + 1) * n);
        solver.solve(std::span(x));
        EXPECT_EQ(std::memcmp(x.data(), all.data() + r * n, n * sizeof(double)), 0);
      }
    }
    std::vector<double> v = random_vector(n, random), d = random_vector(n, random);
    std::vector<Dual<double>> y(n);
    for (int i = 0; i < n; ++i) y[i] = {v[i], d[i]};
    solver.solve_transposed(std::span(y));
    solver.solve_transposed(std::span(v));
    solver.solve_transposed(std::span(d));
    for (int i = 0; i < n; ++i) {
      EXPECT_EQ(y[i].v, v[i]);
      EXPECT_EQ(y[i].d, d[i]);
    }
  }
}

TEST(Fronts, TakeNothingFromTheHeapAndRepeatTheirBits) {
  Random random(13);
  for (Symmetry symmetry : {Symmetry::symmetric, Symmetry::unsymmetric}) {
    BlockPattern pattern = constrained_plate(10, 10, 6, 8, random);
    pattern.sizes.push_back(1);  // an empty constraint, to be set redundant
    pattern.constraint.push_back(1);
    const Dense a = random_matrix(pattern, random);
    LinearSolver<double> solver, other;
    solver.analyse(pattern, symmetry);
    ASSERT_TRUE(solver.layout().fronts);
    std::vector<double> values;
    assemble(solver, pattern, symmetry, a, values);
    const int n = solver.layout().unknowns;
    const std::vector<double> b = random_vector(2 * n, random);
    std::vector<double> x = b;
    std::vector<Dual<double>> dual(n, Dual<double>(1.0));
    const long before = allocations();
    EXPECT_EQ(solver.factor(values).redundant_rows.size(), 1u);
    solver.solve_several(std::span(x), 2);
    solver.solve_transposed(std::span(x).first(n));
    solver.solve(std::span(dual));
    EXPECT_EQ(allocations(), before);
    other.analyse(pattern, symmetry);
    for (int run = 0; run < 2; ++run) {  // what an earlier factorisation left behind has no effect
      std::vector<double> y = b;
      other.factor(values);
      other.solve_several(std::span(y), 2);
      other.solve_transposed(std::span(y).first(n));
      EXPECT_TRUE(same_bits(x, y));
    }
  }
}

// 24 × 93 nodes of 9 unknowns. The random matrix has a condition of some 1e3.
TEST(Fronts, SolveALongTubeToRounding) {
  const BlockPattern pattern = plate(93, 24, true, 9);
  LinearSolver<double> solver;
  solver.analyse(pattern, Symmetry::symmetric);
  Random random(17);
  std::vector<double> values(solver.value_count());
  solver.layout().for_each_entry(
      [&](int row, int col, std::ptrdiff_t index) { values[index] = row == col ? 80.0 : uniform(random); });
  EXPECT_TRUE(solver.factor(values).ok);
  const std::vector<double> b = random_vector(solver.layout().unknowns, random);
  std::vector<double> x = b, back(b.size());
  solver.solve(std::span(x));
  solver.multiply<double>(values, x, back);
  for (std::size_t i = 0; i < b.size(); ++i) EXPECT_NEAR(back[i], b[i], 2e-13);  // measured 5e-15
}

}  // namespace
}  // namespace flexura::test
