#pragma once
// The graph of coupled blocks, its elimination order and the structure of its factor.

#include <cstdint>
#include <utility>
#include <vector>

namespace flexura {

/// Undirected graph in compressed rows; neighbours ascending, without loops and duplicates.
struct BlockGraph {
  std::vector<int> start, neighbour;

  BlockGraph() = default;
  BlockGraph(int nodes, const std::vector<std::pair<int, int>>& pairs);
  int size() const { return static_cast<int>(start.size()) - 1; }
  int edges() const { return static_cast<int>(neighbour.size()) / 2; }
  /// The same graph with node order[k] renamed to k.
  BlockGraph renumbered(const std::vector<int>& order) const;
};

/// Order of elimination: order[k] is the block eliminated k-th. Each constraint block follows the blocks it touches.
/// Natural order where it makes no more work than approximate minimum degree (a chain always keeps it).
std::vector<int> elimination_order(const BlockGraph& graph, const std::vector<char>& constraint);

/// Strictly upper block structure of the factor of a graph numbered in elimination order; columns ascending.
struct FactorStructure {
  std::vector<std::int64_t> start;
  std::vector<int> column;

  FactorStructure() = default;
  explicit FactorStructure(const BlockGraph& graph);
};

}  // namespace flexura
