#pragma once

#include <vector>

#include "flexura/math/block_graph.hpp"

namespace flexura {

/// How a graph is dissected.
struct DissectionOptions {
  int leaf = 64;           ///< parts of at most so many nodes are ordered by minimum degree
  double imbalance = 0.2;  ///< difference of the two sides' weights, relative to their sum, that costs nothing
  int tries = 4;           ///< of the first separator; half as many of the next ones, and so on
};

/// Nested dissection (George 1973) without coordinates, by separators of several levels (math/separator.hpp). Nodes with
/// the same neighbours are one node to it; those coupled with very many others come last.
/// `weight`: unknowns of each node; result[k] is eliminated k-th. The same on every machine.
std::vector<int> nested_dissection_order(const BlockGraph& graph, const std::vector<int>& weight,
                                         const DissectionOptions& options);

}  // namespace flexura
