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

/// What an order of elimination makes of a graph.
struct EliminationWork {
  std::int64_t blocks = 0;   ///< off-diagonal blocks of the factor
  std::int64_t updates = 0;  ///< subtractions of a product of two of them, diagonal blocks included
};
EliminationWork elimination_work(const BlockGraph& graph, const std::vector<int>& order);
/// Multiplications and additions of LDLᵀ; `sizes`: unknowns of each block.
double elimination_flops(const BlockGraph& graph, const std::vector<int>& sizes, const std::vector<int>& order);

/// `order`, or one by nested dissection if that makes less work; for graphs with much fill.
std::vector<int> dissected_order(const BlockGraph& graph, const std::vector<char>& constraint,
                                 const std::vector<int>& sizes, const std::vector<int>& order);

/// Strictly upper block structure of the factor of a graph numbered in elimination order; columns ascending.
struct FactorStructure {
  std::vector<std::int64_t> start;
  std::vector<int> column;

  FactorStructure() = default;
  explicit FactorStructure(const BlockGraph& graph);
};

}  // namespace flexura
