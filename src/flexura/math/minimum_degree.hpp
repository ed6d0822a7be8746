#pragma once

#include <vector>

#include "flexura/math/block_graph.hpp"

namespace flexura {

/// Approximate minimum degree order (Amestoy, Davis, Duff 1996; Eigen's implementation): result[k] is eliminated k-th.
std::vector<int> minimum_degree_order(const BlockGraph& graph);

}  // namespace flexura
