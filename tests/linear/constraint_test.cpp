// Multipliers: saddle-point systems, redundant rows, orders of elimination.

#include <gtest/gtest.h>

#include <algorithm>

#include "flexura/linear/sparse_fallback.hpp"
#include "random_system.hpp"

namespace flexura::test {
namespace {

/// A random tree of primal blocks with constraints between random pairs of neighbours; the multipliers' blocks come first
/// in y, so that the solver has to move them.
BlockPattern constrained_tree(int blocks, int constraints, int largest, Random& random) {
  BlockPattern out;
  for (int c = 0; c < constraints; ++c) out.sizes.push_back(1 + static_cast<int>(random() % 2));
  for (int i = 0; i < blocks; ++i) out.sizes.push_back(3 + static_cast<int>(random() % (largest - 2)));
  out.constraint.assign(out.sizes.size(), 0);
  std::fill_n(out.constraint.begin(), constraints, 1);
  for (int i = 1; i < blocks; ++i)
    out.pairs.emplace_back(constraints + static_cast<int>(random() % i), constraints + i);
  for (int c = 0; c < constraints; ++c) {
    const auto [i, j] = out.pairs[(c * 3) % (blocks - 1)];
    out.pairs.emplace_back(c, i);
    out.pairs.emplace_back(j, c);
  }
  return out;
}

// Measured: at most 8e-15.
TEST(SaddlePoint, AgreesWithPivotedLuAndCountsEachMultiplierAsANegativePivot) {
  Random random(7);
  for (int largest : {3, 4, 6, 9, 12}) {
    for (Symmetry symmetry : {Symmetry::symmetric, Symmetry::unsymmetric}) {
      const BlockPattern pattern = constrained_tree(40, 12, largest, random);
      const Dense a = random_matrix(pattern, random);
      LinearSolver<double> solver;
      solver.analyse(pattern, symmetry);
      std::vector<double> values;
      assemble(solver, pattern, symmetry, a, values);
      const FactorReport<double> report = solver.factor(values);
      ASSERT_TRUE(report.ok);
      EXPECT_TRUE(report.redundant_rows.empty());
      const int multipliers = first_unknowns(pattern)[12];
      EXPECT_EQ(report.negative_pivots, multipliers);
      const std::vector<double> b = random_vector(static_cast<int>(a.rows()), random);
      std::vector<double> x = b, xs = b, xt = b;
      solver.solve(std::span(x));
      solver.solve_transposed(std::span(xt));
      SparseFallback fallback;
      fallback.analyse(solver.layout());
      ASSERT_TRUE(fallback.factor(values));
      ASSERT_TRUE(fallback.solve(xs));
      const Eigen::VectorXd expected = a.partialPivLu().solve(as_eigen(b));
      const double size = expected.cwiseAbs().maxCoeff();
      EXPECT_LT((as_eigen(x) - expected).cwiseAbs().maxCoeff() / size, 1e-12);
      EXPECT_LT((as_eigen(xt) - expected).cwiseAbs().maxCoeff() / size, 1e-12);
      EXPECT_LT((as_eigen(xs) - expected).cwiseAbs().maxCoeff() / size, 1e-12);
    }
  }
}

TEST(SaddlePoint, ConstraintsFollowTheBlocksTheyTouch) {
  Random random(3);
  for (int run = 0; run < 20; ++run) {
    const BlockPattern pattern = constrained_tree(50, 20, 6, random);
    LinearSolver<double> solver;
    solver.analyse(pattern, Symmetry::symmetric);
    for (auto [i, j] : pattern.pairs) {
      if (pattern.constraint[i] == pattern.constraint[j]) continue;
      const auto [multiplier, body] = pattern.constraint[i] ? std::pair{i, j} : std::pair{j, i};
      EXPECT_LT(solver.layout().position[body], solver.layout().position[multiplier]);
    }
  }
}

/// A chain of 3-blocks whose constraint 1 repeats constraint 0 (times −2), both between blocks 1 and 2.
struct Duplicated {
  BlockPattern pattern = chain({3, 3, 3, 3});
  int first, second;  ///< indices in y of the two multipliers
  Dense a;

  explicit Duplicated(Random& random) {
    for (int c = 0; c < 2; ++c) {
      const int block = static_cast<int>(pattern.sizes.size());
      pattern.sizes.push_back(1);
      pattern.pairs.emplace_back(block, 1);
      pattern.pairs.emplace_back(block, 2);
    }
    pattern.constraint = {0, 0, 0, 0, 1, 1};
    first = 12;
    second = 13;
    a = random_matrix(pattern, random);
    a.row(second) = -2 * a.row(first);
    a.col(second) = -2 * a.col(first);
  }
};

TEST(RedundantConstraint, IsNamedAndTheRestIsSolvedAsWithoutIt) {
  Random random(11);
  for (Symmetry symmetry : {Symmetry::symmetric, Symmetry::unsymmetric}) {
    for (int run = 0; run < 50; ++run) {
      const Duplicated system(random);
      LinearSolver<double> solver;
      solver.analyse(system.pattern, symmetry);
      std::vector<double> values;
      assemble(solver, system.pattern, symmetry, system.a, values);
      const FactorReport<double> report = solver.factor(values);
      ASSERT_TRUE(report.ok);
      ASSERT_EQ(report.redundant_rows.size(), 1u);
      const int redundant = report.redundant_rows[0].unknown;
      EXPECT_TRUE(redundant == system.first || redundant == system.second);

      Dense regular = system.a;  // the equation λ = 0 instead of the redundant one
      regular.row(redundant).setZero();
      regular.col(redundant).setZero();
      regular(redundant, redundant) = 1;
      std::vector<double> b = random_vector(14, random), x = b;
      b[redundant] = 0;
      const Eigen::VectorXd expected = regular.partialPivLu().solve(as_eigen(b));
      solver.solve(std::span(x));
      EXPECT_EQ(x[redundant], 0.0);
      EXPECT_LT((as_eigen(x) - expected).cwiseAbs().maxCoeff() / expected.cwiseAbs().maxCoeff(),
                1e-12);  // measured 3e-15
    }
  }
}

TEST(RedundantConstraint, WithinOneBlockAndARowOfZerosAreSetAsideToo) {
  Random random(5);
  BlockPattern pattern = chain({4, 4});
  pattern.sizes.push_back(4);
  pattern.constraint = {0, 0, 1};
  pattern.pairs.emplace_back(2, 0);
  pattern.pairs.emplace_back(2, 1);
  Dense a = random_matrix(pattern, random);
  a.row(10) = a.row(8) - 3 * a.row(9);
  a.col(10) = a.col(8) - 3 * a.col(9);
  a.row(11).setZero();
  a.col(11).setZero();
  LinearSolver<double> solver;
  solver.analyse(pattern, Symmetry::symmetric);
  std::vector<double> values;
  assemble(solver, pattern, Symmetry::symmetric, a, values);
  const FactorReport<double> report = solver.factor(values);
  EXPECT_TRUE(report.ok);
  ASSERT_EQ(report.redundant_rows.size(), 2u);
  EXPECT_EQ(report.redundant_rows[0].unknown, 10);
  EXPECT_EQ(report.redundant_rows[1].unknown, 11);
}

TEST(RedundantConstraint, IsSetAsideInItsLaneOnly) {
  Random random(13);
  LinearSolver<Lanes> solver;
  std::vector<Lanes> values;
  std::vector<Duplicated> systems;
  for (int lane = 0; lane < native_lanes; ++lane) {
    systems.emplace_back(random);
    if (lane == 0) solver.analyse(systems[0].pattern, Symmetry::symmetric);
    if (lane % 2 == 0) systems[lane].a = random_matrix(systems[lane].pattern, random);  // regular
    assemble(solver, systems[lane].pattern, Symmetry::symmetric, systems[lane].a, values, lane);
  }
  const FactorReport<Lanes> report = solver.factor(values);
  EXPECT_TRUE(all(report.ok));
  ASSERT_EQ(report.redundant_rows.size(), 1u);
  for (int lane = 0; lane < native_lanes; ++lane) EXPECT_EQ(report.redundant_rows[0].lanes.lane(lane), lane % 2 == 1);
}

TEST(SingularMatrix, IsReportedByBothSolvers) {
  Random random(17);
  for (Symmetry symmetry : {Symmetry::symmetric, Symmetry::unsymmetric}) {
    for (int size : {1, 3, 4, 9}) {
      const BlockPattern pattern = chain({size, size, size});
      Dense a = random_matrix(pattern, random);
      a.row(1).setZero();
      a.col(1).setZero();
      LinearSolver<double> solver;
      solver.analyse(pattern, symmetry);
      std::vector<double> values;
      assemble(solver, pattern, symmetry, a, values);
      EXPECT_FALSE(solver.factor(values).ok);
      SparseFallback fallback;
      fallback.analyse(solver.layout());
      EXPECT_FALSE(fallback.factor(values));
    }
  }
}

// A chain of springs that nothing holds: the last pivot is all rounding error, not an exact zero.
TEST(SingularMatrix, FreeChainOfSpringsIsReported) {
  Random random(19);
  for (int n : {2, 5, 50}) {
    const BlockPattern pattern = chain(std::vector<int>(n, 1));
    Dense a = Dense::Zero(n, n);
    for (int i = 0; i + 1 < n; ++i) {
      const double k = 1.5 + uniform(random);
      a(i, i) += k;
      a(i + 1, i + 1) += k;
      a(i, i + 1) -= k;
      a(i + 1, i) -= k;
    }
    LinearSolver<double> solver;
    solver.analyse(pattern, Symmetry::symmetric);
    std::vector<double> values;
    assemble(solver, pattern, Symmetry::symmetric, a, values);
    const FactorReport<double> report = solver.factor(values);
    EXPECT_FALSE(report.ok);
    EXPECT_LT(report.weakest_pivot, 1e-14);
  }
}

TEST(NotFinite, IsReportedWhereverItStands) {
  Random random(23);
  for (Symmetry symmetry : {Symmetry::symmetric, Symmetry::unsymmetric}) {
    for (int size : {1, 4, 6}) {
      const BlockPattern pattern = chain({size, size, size});
      const Dense a = random_matrix(pattern, random);
      LinearSolver<double> solver;
      solver.analyse(pattern, symmetry);
      std::vector<double> values;
      assemble(solver, pattern, symmetry, a, values);
      ASSERT_TRUE(solver.factor(values).ok);
      solver.layout().for_each_entry([&](int, int, std::ptrdiff_t index) {
        for (double bad : {std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
          const double good = std::exchange(values[index], bad);
          EXPECT_FALSE(solver.factor(values).ok);
          values[index] = good;
        }
      });
      EXPECT_TRUE(solver.factor(values).ok);
    }
  }
}

// Weak without pivoting, harmless with it.
TEST(SparseFallbackTest, SolvesWhatNeedsPivoting) {
  const BlockPattern pattern = chain({1, 1});
  Dense a(2, 2);
  a << 1e-18, 1, 1, 1;
  LinearSolver<double> solver;
  solver.analyse(pattern, Symmetry::symmetric);
  std::vector<double> values;
  assemble(solver, pattern, Symmetry::symmetric, a, values);
  SparseFallback fallback;
  fallback.analyse(solver.layout());
  ASSERT_TRUE(fallback.factor(values));
  std::vector<double> y{1, 2};
  ASSERT_TRUE(fallback.solve(y));
  EXPECT_NEAR(y[0], 1, 1e-15);
  EXPECT_NEAR(y[1], 1, 1e-15);
}

// Coordinates without a pivot of their own and a constraint given twice: neither the block factor nor LU alone can.
TEST(SparseFallbackTest, SetsRedundantConstraintsAside) {
  BlockPattern pattern{{2, 1, 1, 1}, {0, 1, 1, 1}, {{0, 1}, {0, 2}, {0, 3}}};
  Dense a = Dense::Zero(5, 5);
  a(0, 2) = a(2, 0) = 1;  // x₀
  a(1, 3) = a(3, 1) = 2;  // x₁
  a(0, 4) = a(4, 0) = 3;  // 3 x₀ − x₁: follows from both
  a(1, 4) = a(4, 1) = -1;
  for (Symmetry symmetry : {Symmetry::symmetric, Symmetry::unsymmetric}) {
    LinearSolver<double> solver;
    solver.analyse(pattern, symmetry);
    std::vector<double> values;
    assemble(solver, pattern, symmetry, a, values);
    EXPECT_FALSE(solver.factor(values).ok);
    SparseFallback fallback;
    fallback.analyse(solver.layout());
    ASSERT_TRUE(fallback.factor(values));
    ASSERT_EQ(fallback.redundant_rows().size(), 1u);
    std::vector<double> y{1, 2, 3, 8, 5};  // x = (3, 4): 3 · 3 − 4 = 5 agrees
    ASSERT_TRUE(fallback.solve(y));
    EXPECT_NEAR(y[0], 3, 1e-14);
    EXPECT_NEAR(y[1], 4, 1e-14);
    EXPECT_EQ(y[fallback.redundant_rows()[0]], 0.0);
    EXPECT_NEAR(y[2] + 3 * y[4], 1, 1e-14);
    EXPECT_NEAR(2 * y[3] - y[4], 2, 1e-14);
  }
}

// A coordinate that nothing holds is no redundant constraint.
TEST(SparseFallbackTest, ReportsASingularMatrixWithRedundantConstraints) {
  BlockPattern pattern{{3, 1, 1}, {0, 1, 1}, {{0, 1}, {0, 2}}};
  Dense a = Dense::Zero(5, 5);
  a(1, 1) = 1;
  a(0, 3) = a(3, 0) = a(0, 4) = a(4, 0) = 1;
  LinearSolver<double> solver;
  solver.analyse(pattern, Symmetry::symmetric);
  std::vector<double> values;
  assemble(solver, pattern, Symmetry::symmetric, a, values);
  SparseFallback fallback;
  fallback.analyse(solver.layout());
  EXPECT_FALSE(fallback.factor(values));
}

}  // namespace
}  // namespace flexura::test
