#pragma once

#include <cstdint>
#include <vector>

#include "flexura/math/block_graph.hpp"

namespace flexura {

/// Of a graph numbered in elimination order: parent[k] is the first of those coupled with k in the factor and eliminated
/// later; −1: there is none.
struct EliminationTree {
  std::vector<int> parent;

  explicit EliminationTree(const BlockGraph& graph);
  /// Children before their parents, the subtree of each in one piece.
  std::vector<int> postorder() const;
};

/// Of each column of the factor the sum of the weights of its rows below the diagonal, in time that is nearly that of reading
/// the graph (Gilbert, Ng, Peyton 1994).
std::vector<std::int64_t> weights_below(const BlockGraph& graph, const EliminationTree& tree,
                                        const std::vector<int>& weight);

}  // namespace flexura
