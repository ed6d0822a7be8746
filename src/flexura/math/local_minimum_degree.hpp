#pragma once
// Minimum degree, exact, of a few nodes inside a graph.

#include <cstdint>
#include <vector>

#include "flexura/math/block_graph.hpp"

namespace flexura {

class LocalMinimumDegree {
 public:
  /// `weight`: what each node adds to the degrees of its neighbours.
  LocalMinimumDegree(const BlockGraph& graph, const std::vector<int>& weight)
      : graph_(graph), weight_(weight), local_(graph.size(), -1) {}

  /// Appends some nodes to an order; the nodes around them count as neighbours and are eliminated later.
  void append(const std::vector<int>& nodes, std::vector<int>& order);

 private:
  std::int64_t degree(std::size_t row) const;

  const BlockGraph& graph_;
  const std::vector<int>& weight_;
  std::vector<int> local_, all_;  ///< nodes and those around them: their numbers, and which they are
  std::size_t words_ = 0;
  std::vector<std::uint64_t> joined_;  ///< rows of bits
};

}  // namespace flexura
