// Orders of elimination for meshes.

#include <gtest/gtest.h>

#include <numeric>

#include "flexura/math/minimum_degree.hpp"
#include "flexura/math/nested_dissection.hpp"
#include "random_system.hpp"

namespace flexura::test {
namespace {

BlockGraph graph_of(const BlockPattern& pattern) {
  return BlockGraph(static_cast<int>(pattern.sizes.size()), pattern.pairs);
}

TEST(NestedDissection, OrdersEachNodeOfAnyGraphOnce) {
  Random random(1);
  for (const BlockPattern& pattern :
       {plate(1, 1, false, 1), plate(13, 17, false, 3), plate(20, 11, true, 9), chain(std::vector<int>(300, 2)),
        tree(std::vector<int>(300, 2), random), BlockPattern{std::vector<int>(40, 1), {}, {}}}) {
    std::vector<int> order = nested_dissection_order(graph_of(pattern), pattern.sizes, {});
    std::sort(order.begin(), order.end());
    std::vector<int> all(pattern.sizes.size());
    std::iota(all.begin(), all.end(), 0);
    EXPECT_EQ(order, all);
  }
}

// Counted: 3.76e8 multiplications and additions against 5.13e8 of minimum degree for 33 × 33 nodes; of
// 65 × 65 nodes 3.29e9 against 4.98e9. METIS 5.1 makes 4.34e8 and 3.69e9.
TEST(NestedDissection, MakesLessWorkThanMinimumDegreeOnPlates) {
  for (auto [side, most] : {std::pair{33, 0.8}, {65, 0.7}}) {
    const BlockPattern pattern = plate(side, side, false, 9);
    const BlockGraph graph = graph_of(pattern);
    const double before = elimination_flops(graph, pattern.sizes, minimum_degree_order(graph));
    const std::vector<char> none(pattern.sizes.size(), 0);
    const std::vector<int> order = dissected_order(graph, none, pattern.sizes, minimum_degree_order(graph));
    EXPECT_LT(elimination_flops(graph, pattern.sizes, order), most * before);
  }
}

// Counted by hand: blocks of 2, 1 and 3 unknowns, all coupled: 6³/3 + … of a dense matrix by blocks.
TEST(EliminationFlops, AreThoseOfTheBlocks) {
  const BlockGraph graph(3, {{0, 1}, {1, 2}, {0, 2}});
  const double expected = (8.0 / 3 + 4 * 4 + 2 * 16) + (1.0 / 3 + 3 + 9) + 27.0 / 3;
  EXPECT_DOUBLE_EQ(elimination_flops(graph, {2, 1, 3}, {0, 1, 2}), expected);
}

TEST(Layout, TakesFrontsForMeshesOnly) {
  Random random(3);
  const auto fronts = [](const BlockPattern& pattern) {
    LinearSolver<double> solver;
    solver.analyse(pattern, Symmetry::symmetric);
    return solver.layout().fronts;
  };
  EXPECT_FALSE(fronts(chain(std::vector<int>(1000, 9))));
  EXPECT_FALSE(fronts(tree(std::vector<int>(1000, 9), random)));
  EXPECT_FALSE(fronts(plate(2, 300, false, 9)));
  EXPECT_TRUE(fronts(plate(9, 9, false, 9)));
  EXPECT_TRUE(fronts(plate(93, 24, true, 9)));
}

}  // namespace
}  // namespace flexura::test
