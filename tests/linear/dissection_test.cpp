// Orders of elimination for meshes.

#include <gtest/gtest.h>

#include <numeric>

#include "flexura/math/elimination_tree.hpp"
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

double flops(const BlockPattern& pattern, const std::vector<int>& order) {
  return elimination_flops(graph_of(pattern), pattern.sizes, order);
}

// Multiplications and additions of LDLᵀ, counted. `metis` is the number of METIS 5.1 for the same graph (METIS_NodeND with its
// defaults, by pymetis): a bound that is not ours. Small differences go either way: another order of the same quality.
struct Counted {
  const char* name;
  BlockPattern pattern;
  double most, metis;
};

TEST(NestedDissection, MakesAsLittleWorkAsMetis) {
  const Counted cases[] = {
      {"hexahedra 8", box(8, 8, 8), 0.071e9, 0.0762e9},
      {"hexahedra 16", box(16, 16, 16), 3.73e9, 3.877e9},
      {"hexahedra 24", box(24, 24, 24), 40.1e9, 40.86e9},
      {"slab", box(40, 40, 4), 3.42e9, 3.570e9},
      {"beam", box(100, 10, 10), 7.50e9, 7.691e9},
      {"tetrahedra 16", tetrahedra(16, 16, 16), 3.58e9, 3.461e9},
      {"plate 32", plate(33, 33, false, 9), 0.381e9, 0.434e9},
      {"plate 64", plate(65, 65, false, 9), 3.29e9, 3.686e9},
      {"tube", plate(93, 24, true, 9), 1.40e9, 1.487e9},
      {"cloud", cloud(4000, 0.1), 1.4e9, 1.4e9},
      {"two pieces", beside(box(8, 8, 8), plate(33, 33, false, 9)), 0.452e9, 0.51e9},
  };
  for (const Counted& c : cases) {
    const double own = flops(c.pattern, nested_dissection_order(graph_of(c.pattern), c.pattern.sizes, {}));
    EXPECT_LE(own, c.most) << c.name;
    EXPECT_LE(own, 1.05 * c.metis) << c.name;
  }
}

TEST(NestedDissection, IsLeftWhereMinimumDegreeMakesLessWork) {
  for (const auto& [pattern, dissected] : {std::pair{plate(93, 24, true, 9), false}, {plate(33, 33, false, 9), true}}) {
    const BlockGraph graph = graph_of(pattern);
    const std::vector<char> none(pattern.sizes.size(), 0);
    const std::vector<int> minimum_degree = minimum_degree_order(graph);
    const std::vector<int> order = dissected_order(graph, none, pattern.sizes, minimum_degree);
    EXPECT_EQ(order != minimum_degree, dissected);
    EXPECT_LE(flops(pattern, order), flops(pattern, minimum_degree));
  }
}

// Thousands of pieces, a dense matrix, a star, a path: nothing of it may take the time of a square of nodes in a walk over
// parts, nor dissect what cannot be dissected.
TEST(NestedDissection, EndsOnGraphsWithoutSeparators) {
  const auto in_one_cell = [](int nodes) {
    std::vector<int> all(nodes);
    std::iota(all.begin(), all.end(), 0);
    return coupled_in_cells(nodes, 1, {all});
  };
  BlockPattern star{std::vector<int>(5000, 2), {}, {}};
  for (int i = 1; i < 5000; ++i) star.pairs.emplace_back(0, i);
  for (const BlockPattern& pattern : {BlockPattern{std::vector<int>(20000, 1), {}, {}}, in_one_cell(200),
                                      in_one_cell(700), star, chain(std::vector<int>(20000, 2))}) {
    std::vector<int> order = nested_dissection_order(graph_of(pattern), pattern.sizes, {});
    std::sort(order.begin(), order.end());
    for (std::size_t i = 0; i < order.size(); ++i) ASSERT_EQ(order[i], static_cast<int>(i));
    ASSERT_EQ(order.size(), pattern.sizes.size());
  }
}

// Nodes in pairs with the same neighbours are dissected as one: the work is that of blocks of twice the size.
TEST(NestedDissection, TakesNodesWithTheSameNeighboursAsOne) {
  const BlockPattern whole = plate(20, 20, false, 6);
  BlockPattern halves{std::vector<int>(800, 3), {}, {}};
  for (int i = 0; i < 400; ++i) halves.pairs.emplace_back(i, 400 + i);
  for (auto [i, j] : whole.pairs)
    for (int a : {0, 400})
      for (int b : {0, 400}) halves.pairs.emplace_back(i + a, j + b);
  const std::vector<int> order = nested_dissection_order(graph_of(halves), halves.sizes, {});
  const double one = flops(whole, nested_dissection_order(graph_of(whole), whole.sizes, {}));
  EXPECT_NEAR(flops(halves, order), one, 1e-9 * one);
  for (std::size_t k = 0; k < order.size(); k += 2) EXPECT_EQ(order[k] % 400, order[k + 1] % 400);
}

// A multiplier of each fourth pair of neighbours in a box, and one that all nodes of a face share.
TEST(DissectedOrder, EliminatesEachMultiplierRightAfterTheSlotsItActsOn) {
  BlockPattern pattern = box(8, 8, 8);
  const int nodes = static_cast<int>(pattern.sizes.size());
  const auto pairs = pattern.pairs;
  for (std::size_t p = 0; p < pairs.size(); p += 400) {
    const int multiplier = static_cast<int>(pattern.sizes.size());
    pattern.sizes.push_back(1);
    pattern.pairs.emplace_back(pairs[p].first, multiplier);
    pattern.pairs.emplace_back(multiplier, pairs[p].second);
  }
  const int shared = static_cast<int>(pattern.sizes.size());
  pattern.sizes.push_back(1);
  for (int i = 0; i < 81; ++i) pattern.pairs.emplace_back(shared, i);
  pattern.constraint.assign(pattern.sizes.size(), 0);
  std::fill(pattern.constraint.begin() + nodes, pattern.constraint.end(), 1);
  const BlockGraph graph = graph_of(pattern);
  const std::vector<int> order =
      dissected_order(graph, pattern.constraint, pattern.sizes, elimination_order(graph, pattern.constraint));
  std::vector<int> position(order.size());
  for (std::size_t k = 0; k < order.size(); ++k) position[order[k]] = static_cast<int>(k);
  for (int c = nodes; c <= shared; ++c) {
    int last = -1;
    for (int e = graph.start[c]; e < graph.start[c + 1]; ++e) last = std::max(last, position[graph.neighbour[e]]);
    EXPECT_GT(position[c], last);
    for (int k = last + 1; k < position[c]; ++k) EXPECT_TRUE(pattern.constraint[order[k]]);  // others of the same slot
  }
  EXPECT_LT(flops(pattern, order), 0.1e9);  // 0.071e9 without multipliers
}

// The columns' lengths from the tree are those of the structure itself.
TEST(EliminationTree, CountsWhatTheFactorHolds) {
  Random random(8);
  for (BlockPattern pattern : {plate(9, 11, false, 3), plate(12, 7, true, 2), tree(std::vector<int>(200, 2), random),
                               cloud(150, 0.3), beside(box(3, 4, 2), chain({1, 2, 3})), BlockPattern{{2, 1}, {}, {}}}) {
    const int n = static_cast<int>(pattern.sizes.size());
    std::vector<int> order(n);
    std::iota(order.begin(), order.end(), 0);
    for (int i = n - 1; i > 0; --i) std::swap(order[i], order[static_cast<int>(random() % (i + 1))]);
    const BlockGraph graph = graph_of(pattern).renumbered(order);
    for (int& size : pattern.sizes) size = 1 + static_cast<int>(random() % 5);
    const FactorStructure structure(graph);
    const EliminationTree tree(graph);
    const std::vector<std::int64_t> below = weights_below(graph, tree, pattern.sizes);
    std::vector<char> met(n, 0);
    for (int k : tree.postorder()) {
      std::int64_t sum = 0;
      for (auto b = structure.start[k]; b < structure.start[k + 1]; ++b) sum += pattern.sizes[structure.column[b]];
      EXPECT_EQ(below[k], sum);
      EXPECT_EQ(tree.parent[k], sum == 0 ? -1 : structure.column[structure.start[k]]);
      if (tree.parent[k] >= 0) {
        EXPECT_FALSE(met[tree.parent[k]]);
      }
      met[k] = 1;
    }
    EXPECT_EQ(std::count(met.begin(), met.end(), 1), n);
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
