// Pairs of blocks that come and go beside a pattern: the same answers as a matrix that always had them.

#include <gtest/gtest.h>

#include <set>

#include "random_system.hpp"

namespace flexura::test {
namespace {

using Pairs = std::vector<std::pair<int, int>>;

Pairs random_pairs(int blocks, int count, Random& random) {
  Pairs pairs;
  for (int k = 0; k < count; ++k) {
    const int i = static_cast<int>(random() % blocks), j = static_cast<int>(random() % blocks);
    if (i != j) pairs.emplace_back(i, j);
  }
  return pairs;
}

/// The base with the further pairs, each once.
BlockPattern with(const BlockPattern& base, const Pairs& pairs) {
  BlockPattern out = base;
  std::set<std::pair<int, int>> known;
  for (const auto& [i, j] : base.pairs) known.emplace(std::max(i, j), std::min(i, j));
  for (const auto& [i, j] : pairs)
    if (known.emplace(std::max(i, j), std::min(i, j)).second) out.pairs.emplace_back(i, j);
  return out;
}

void solve_and_check(LinearSolver<double>& solver, const BlockPattern& base, const Pairs& pairs, Symmetry symmetry,
                     Random& random) {
  solver.set_overlay(pairs);
  const BlockPattern all = with(base, pairs);
  Dense a = random_matrix(all, random);
  if (symmetry == Symmetry::unsymmetric) perturb(a, random);
  std::vector<double> values(solver.value_count(), 0.0);
  assemble(solver, all, symmetry, a, values);
  ASSERT_TRUE(solver.factor(values).ok);
  const std::vector<double> b = random_vector(static_cast<int>(a.rows()), random);
  std::vector<double> x = b;
  solver.solve(std::span<double>(x));
  EXPECT_LT(backward_error(a, x, b), 1e-11);
}

class Overlay : public testing::TestWithParam<Symmetry> {};

TEST_P(Overlay, SolvesWhatThePatternWithItsPairsWould) {
  Random random(7);
  for (int round = 0; round < 40; ++round) {
    const int n = 3 + static_cast<int>(random() % 40);
    BlockPattern base = round % 3 == 0   ? chain(mixed_sizes(n, 3, random))
                        : round % 3 == 1 ? tree(mixed_sizes(n, 9, random), random)
                                         : BlockPattern{mixed_sizes(n, 3, random), {}, {}};
    LinearSolver<double> solver;
    solver.analyse(base, GetParam());
    for (int change = 0; change < 6; ++change)
      solve_and_check(solver, base, random_pairs(n, 1 + static_cast<int>(random() % n), random), GetParam(), random);
    solve_and_check(solver, base, {}, GetParam(), random);
  }
}

/// Multipliers keep their place behind what they act on.
TEST_P(Overlay, JoinsPartsThatConstraintsHold) {
  Random random(11);
  for (int round = 0; round < 30; ++round) {
    BlockPattern base{mixed_sizes(12, 3, random), std::vector<char>(12, 0), {}};
    for (int k = 0; k + 1 < 12; ++k) base.pairs.emplace_back(k, k + 1);
    for (int c = 0; c < 4; ++c) {
      base.sizes.push_back(1);
      base.constraint.push_back(1);
      base.pairs.emplace_back(12 + c, 3 * c), base.pairs.emplace_back(12 + c, 3 * c + 2);
    }
    LinearSolver<double> solver;
    solver.analyse(base, GetParam());
    for (int change = 0; change < 4; ++change)
      solve_and_check(solver, base, random_pairs(12, 5, random), GetParam(), random);
  }
}

/// A heap has so much fill that dense fronts take over.
TEST_P(Overlay, TakesDenseFrontsWhereFillAsksForThem) {
  Random random(3);
  const BlockPattern base{std::vector<int>(144, 3), {}, {}};
  LinearSolver<double> solver;
  solver.analyse(base, GetParam());
  solve_and_check(solver, base, plate(12, 12, false, 3).pairs, GetParam(), random);
  solve_and_check(solver, base, random_pairs(144, 100, random), GetParam(), random);
  const BlockPattern mesh = plate(10, 10, false, 3);
  solver.analyse(mesh, GetParam());
  solve_and_check(solver, mesh, random_pairs(100, 3, random), GetParam(), random);
}

/// Parts that no pair touches are not looked at, and sets that alternate are analysed once.
TEST_P(Overlay, AnalysesOnlyWhatIsNew) {
  Random random(5);
  BlockPattern base{std::vector<int>(100, 3), {}, {}};
  for (int k = 0; k < 100; k += 5)
    for (int i = 0; i < 4; ++i) base.pairs.emplace_back(k + i, k + i + 1);
  LinearSolver<double> solver;
  solver.analyse(base, GetParam());
  const Pairs first{{2, 97}}, second{{7, 31}, {2, 97}};
  for (int round = 0; round < 3; ++round) {
    solver.set_overlay(second);
    solver.set_overlay(Pairs{{40, 12},
                             {20, 90},
                             {60, 90},
                             {11, 71},
                             {33, 51},
                             {22, 44},
                             {28, 64},
                             {36, 85},
                             {57, 3},
                             {39, 48},
                             {92, 51},
                             {12, 97}});
  }
  EXPECT_EQ(solver.overlays_analysed(), 2);
  solver.set_overlay(first);  // a part of the second set
  EXPECT_EQ(solver.overlays_analysed(), 2);
  const long before = solver.blocks_analysed();
  solver.set_overlay(Pairs{{1, 8}, {2, 9}});
  EXPECT_EQ(solver.blocks_analysed() - before, 10);
  solver.set_overlay(Pairs{{1, 2}});  // coupled anyway
  EXPECT_EQ(solver.value_count(), solver.layout().value_count());
}

INSTANTIATE_TEST_SUITE_P(Both, Overlay, testing::Values(Symmetry::symmetric, Symmetry::unsymmetric));

}  // namespace
}  // namespace flexura::test
