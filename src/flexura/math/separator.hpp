#pragma once

#include "flexura/math/weighted_graph.hpp"

namespace flexura {

struct SeparatorOptions {
  double imbalance = 0.2;  ///< difference of the two sides' weights, relative to their sum, that costs nothing
  int tries = 1;           ///< ways of merging a small graph further, of which the best is taken
  int starts = 4;          ///< places from which the smallest graph is cut
};

/// A small set of nodes between two sides of similar weight, by several levels: neighbours are merged in pairs again and
/// again, the smallest graph is cut from several places, and each finer one refines what it inherits (Hendrickson, Leland
/// 1995; Karypis, Kumar 1998). The graph must be connected. The same on every machine.
Separation find_separator(const WeightedGraph& graph, const SeparatorOptions& options);

}  // namespace flexura
