#pragma once

#include <vector>

#include "flexura/math/block_graph.hpp"

namespace flexura {

/// How a graph is dissected.
struct DissectionOptions {
  int leaf = 24;            ///< parts of at most so many nodes are ordered by minimum degree
  double imbalance = 0.25;  ///< difference of the two sides' weights, relative to their sum, that costs nothing
};

/// Nested dissection (George 1973) without coordinates: separators are levels of breadth-first searches from many
/// places, refined by moving single nodes (Fiduccia, Mattheyses 1982; of nodes: Hendrickson, Rothberg 1998).
/// `weight`: unknowns of each node; result[k] is eliminated k-th. The same on every machine.
std::vector<int> nested_dissection_order(const BlockGraph& graph, const std::vector<int>& weight,
                                         const DissectionOptions& options);

}  // namespace flexura
