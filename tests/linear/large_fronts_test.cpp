// Fronts of more pivots than are eliminated at once, and several threads on them: solids. Against the factorisation block by
// block, threads against one, lanes against solo runs, the heap.

#include <gtest/gtest.h>

#include <cstring>

#include "flexura/linear/supernodes.hpp"
#include "random_system.hpp"
#include "tests/support/count_allocations.hpp"

namespace flexura::test {
namespace {

/// With multipliers of neighbours, each third of which says the same as the one before it; the last one touches nothing.
BlockPattern with_multipliers(BlockPattern pattern, int count) {
  const auto pairs = pattern.pairs;
  pattern.constraint.assign(pattern.sizes.size(), 0);
  for (int c = 0; c < count; ++c) {
    const int block = static_cast<int>(pattern.sizes.size());
    const auto [i, j] = pairs[(c - (c % 3 == 2 ? 1 : 0)) * (pairs.size() / count)];
    pattern.sizes.push_back(1);
    pattern.constraint.push_back(1);
    pattern.pairs.emplace_back(i, block);
    pattern.pairs.emplace_back(block, j);
  }
  pattern.sizes.push_back(1);
  pattern.constraint.push_back(1);
  return pattern;
}

struct Problem {
  BlockPattern pattern;
  Dense a;

  Problem(BlockPattern free, int multipliers, Symmetry symmetry, Random& random)
      : pattern(with_multipliers(std::move(free), multipliers)), a(random_matrix(pattern, random)) {
    const auto first = static_cast<Eigen::Index>(a.rows()) - multipliers - 1;
    for (int c = 2; c < multipliers; c += 3) {
      a.row(first + c) = -2 * a.row(first + c - 1);
      a.col(first + c) = -2 * a.col(first + c - 1);
    }
    if (symmetry == Symmetry::symmetric) return;
    a.diagonal().head(first).array() += 1.0;
    for (Eigen::Index i = 0; i < first; ++i)
      for (Eigen::Index j = 0; j < first; ++j)
        if (a(i, j) != 0) a(i, j) *= 1 + 0.05 * uniform(random);
  }
};

struct Outcome {
  double weakest;
  double negative;
  std::vector<int> redundant;
  std::vector<double> x, transposed, pivots;
};

template <class Solver>
Outcome outcome_of(Solver& solver, std::span<const double> values, const std::vector<double>& b) {
  const FactorReport<double> report = solver.factor(values);
  Outcome out{report.weakest_pivot, report.negative_pivots, {}, b, b, std::vector<double>(b.size(), -1.0)};
  EXPECT_TRUE(report.ok);
  for (const auto& row : report.redundant_rows) out.redundant.push_back(row.unknown);
  std::sort(out.redundant.begin(), out.redundant.end());
  if constexpr (requires { solver.solve_transposed(std::span(out.x)); }) {
    solver.solve(std::span(out.x));
    solver.solve_transposed(std::span(out.transposed));
    solver.multiplier_pivots(out.pivots);
  } else {
    solver.solve(out.x.data(), 1, false);
    solver.solve(out.transposed.data(), 1, true);
    solver.multiplier_pivots(out.pivots.data());
  }
  return out;
}

double difference(const std::vector<double>& x, const std::vector<double>& y) {
  return (as_eigen(x) - as_eigen(y)).cwiseAbs().maxCoeff() / as_eigen(y).cwiseAbs().maxCoeff();
}

bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

/// The number of pivots of the largest front, and of fronts that threads share.
detail::Supernodes fronts_of(const ValueLayout& layout) {
  EXPECT_TRUE(layout.fronts);
  return detail::Supernodes(layout);
}

// Separators of 9 × 9 nodes make fronts of 243 pivots. Measured: differences of 3e-13 at most.
TEST(LargeFronts, FindWhatTheFactorisationByBlocksFinds) {
  Random random(3);
  const auto compare = [&]<bool symmetric>(std::bool_constant<symmetric>) {
    constexpr Symmetry symmetry = symmetric ? Symmetry::symmetric : Symmetry::unsymmetric;
    const Problem problem(box(8, 8, 8), 30, symmetry, random);
    LinearSolver<double> solver;
    solver.analyse(problem.pattern, symmetry);
    const detail::Supernodes fronts = fronts_of(solver.layout());
    EXPECT_GT(fronts.most_pivots, detail::Supernodes::block);
    EXPECT_GT(fronts.common.panel, 0);
    std::vector<double> values;
    assemble(solver, problem.pattern, symmetry, problem.a, values);
    ValueLayout layout = solver.layout();
    layout.fronts = false;
    const auto by_blocks = detail::make_block_factor<double, symmetric>(layout);
    const std::vector<double> b = random_vector(layout.unknowns, random);
    const Outcome own = outcome_of(solver, values, b), expected = outcome_of(*by_blocks, values, b);
    EXPECT_EQ(own.redundant, expected.redundant);
    EXPECT_EQ(own.redundant.size(), 11u);
    EXPECT_EQ(own.negative, expected.negative);
    EXPECT_NEAR(std::log10(own.weakest), std::log10(expected.weakest), 1);
    EXPECT_LT(difference(own.x, expected.x), 1e-10);
    EXPECT_LT(difference(own.transposed, expected.transposed), 1e-10);
    EXPECT_LT(difference(own.pivots, expected.pivots), 1e-10);
  };
  compare(std::true_type());
  compare(std::false_type());
}

// Several factorisations, as a pool tries both ways before it keeps to one.
TEST(LargeFronts, HaveTheSameBitsOnAnyNumberOfThreads) {
  Random random(4);
  for (Symmetry symmetry : {Symmetry::symmetric, Symmetry::unsymmetric}) {
    BlockPattern free = beside(box(8, 8, 8), plate(14, 14, false, 3));
    const Problem problem(free, 40, symmetry, random);
    LinearSolver<double> one;
    one.analyse(problem.pattern, symmetry);
    std::vector<double> values;
    assemble(one, problem.pattern, symmetry, problem.a, values);
    const std::vector<double> b = random_vector(one.layout().unknowns, random);
    const Outcome expected = outcome_of(one, values, b);
    for (int threads : {2, 3}) {
      LinearSolver<double> several;
      several.analyse(problem.pattern, symmetry, threads);
      for (int run = 0; run < 6; ++run) {
        const Outcome own = outcome_of(several, values, b);
        EXPECT_EQ(own.weakest, expected.weakest);
        EXPECT_EQ(own.negative, expected.negative);
        EXPECT_EQ(own.redundant, expected.redundant);
        EXPECT_TRUE(same_bits(own.x, expected.x));
        EXPECT_TRUE(same_bits(own.transposed, expected.transposed));
        EXPECT_TRUE(same_bits(own.pivots, expected.pivots));
      }
    }
  }
}

TEST(LargeFronts, HaveTheBitsOfASoloRunInLanes) {
  Random random(5);
  const BlockPattern pattern = box(7, 7, 9);
  LinearSolver<Lanes> lanes;
  LinearSolver<double> solo;
  lanes.analyse(pattern, Symmetry::symmetric, 2);
  solo.analyse(pattern, Symmetry::symmetric);
  EXPECT_GT(fronts_of(solo.layout()).most_pivots, detail::Supernodes::block);
  const int n = solo.layout().unknowns;
  std::vector<Lanes> lane_values(lanes.value_count(), Lanes(0.0)), lane_y(n, Lanes(1.0));
  std::vector<double> values[native_lanes];
  lanes.layout().for_each_entry([&](int row, int column, std::ptrdiff_t index) {
    for (int lane = 0; lane < native_lanes; ++lane) lane_values[index].set(lane, row == column ? 100 : uniform(random));
  });
  for (int lane = 0; lane < native_lanes; ++lane) values[lane].resize(solo.value_count(), 0.0);
  // Both layouts list their entries in the same order, rows of their blocks padded apart.
  std::vector<std::ptrdiff_t> places;
  lanes.layout().for_each_entry([&](int, int, std::ptrdiff_t index) { places.push_back(index); });
  std::size_t next = 0;
  solo.layout().for_each_entry([&](int, int, std::ptrdiff_t index) {
    for (int lane = 0; lane < native_lanes; ++lane) values[lane][index] = lane_values[places[next]][lane];
    ++next;
  });
  lanes.factor(lane_values);
  lanes.solve(std::span(lane_y));
  for (int lane = 0; lane < native_lanes; ++lane) {
    std::vector<double> y(n, 1.0), own(n);
    EXPECT_TRUE(solo.factor(values[lane]).ok);
    solo.solve(std::span(y));
    for (int i = 0; i < n; ++i) own[i] = lane_y[i][lane];
    EXPECT_TRUE(same_bits(own, y)) << "lane " << lane;
  }
}

TEST(LargeFronts, TakeNothingFromTheHeap) {
  Random random(6);
  const Problem problem(box(8, 8, 8), 12, Symmetry::symmetric, random);
  for (int threads : {1, 2}) {
    LinearSolver<double> solver;
    solver.analyse(problem.pattern, Symmetry::symmetric, threads);
    std::vector<double> values, x(solver.layout().unknowns, 1.0);
    assemble(solver, problem.pattern, Symmetry::symmetric, problem.a, values);
    const long before = allocations();
    for (int run = 0; run < 3; ++run) EXPECT_TRUE(solver.factor(values).ok);
    solver.solve(std::span(x));
    EXPECT_EQ(allocations(), before);
  }
}

// Parts of a matrix that nothing couples: none of them is large, and threads take them side by side.
TEST(LargeFronts, AreNotNeededForManySmallPieces) {
  BlockPattern pattern = box(5, 5, 5);
  for (int i = 1; i < 24; ++i) pattern = beside(pattern, box(5, 5, 5));
  LinearSolver<double> one, two;
  one.analyse(pattern, Symmetry::symmetric);
  two.analyse(pattern, Symmetry::symmetric, 2);
  const detail::Supernodes fronts = fronts_of(one.layout());
  EXPECT_GT(fronts.ranges.size(), 8u);
  EXPECT_EQ(fronts.common.panel, 0);
  Random random(7);
  std::vector<double> values(one.value_count()), x(one.layout().unknowns, 1.0), y = x;
  one.layout().for_each_entry(
      [&](int row, int column, std::ptrdiff_t index) { values[index] = row == column ? 100 : uniform(random); });
  EXPECT_TRUE(one.factor(values).ok);
  EXPECT_TRUE(two.factor(values).ok);
  EXPECT_TRUE(two.factor(values).ok);
  one.solve(std::span(x));
  two.solve(std::span(y));
  EXPECT_TRUE(same_bits(x, y));
}

}  // namespace
}  // namespace flexura::test
