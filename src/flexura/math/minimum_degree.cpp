#include "flexura/math/minimum_degree.hpp"

#define EIGEN_MPL2_ONLY
#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>

namespace flexura {

namespace {

/// Blocks with at most one neighbour left, again and again: they make no fill. (Eigen's degrees are approximate enough to
/// make some on a tree.)
std::vector<int> leaves_first(const BlockGraph& graph) {
  std::vector<int> degree(graph.size()), order;
  for (int i = 0; i < graph.size(); ++i) {
    degree[i] = graph.start[i + 1] - graph.start[i];
    if (degree[i] <= 1) order.push_back(i);
  }
  for (std::size_t k = 0; k < order.size(); ++k) {
    for (int e = graph.start[order[k]]; e < graph.start[order[k] + 1]; ++e) {
      if (--degree[graph.neighbour[e]] == 1) order.push_back(graph.neighbour[e]);
    }
  }
  return order;
}

}  // namespace

std::vector<int> minimum_degree_order(const BlockGraph& graph) {
  std::vector<int> order = leaves_first(graph);
  std::vector<int> core_index(graph.size(), 0), core;
  for (int block : order) core_index[block] = -1;
  for (int i = 0; i < graph.size(); ++i) {
    if (core_index[i] < 0) continue;
    core_index[i] = static_cast<int>(core.size());
    core.push_back(i);
  }
  if (core.empty()) return order;

  std::vector<Eigen::Triplet<double>> entries;
  for (int c = 0; c < static_cast<int>(core.size()); ++c) {
    entries.emplace_back(c, c, 1.0);
    for (int e = graph.start[core[c]]; e < graph.start[core[c] + 1]; ++e) {
      const int other = core_index[graph.neighbour[e]];
      if (other >= 0) entries.emplace_back(other, c, 1.0);
    }
  }
  const auto n = static_cast<Eigen::Index>(core.size());
  Eigen::SparseMatrix<double> matrix(n, n);
  matrix.setFromTriplets(entries.begin(), entries.end());
  Eigen::AMDOrdering<int>::PermutationType permutation;
  Eigen::AMDOrdering<int>()(matrix, permutation);
  for (Eigen::Index k = 0; k < n; ++k) order.push_back(core[permutation.indices()[k]]);
  return order;
}

}  // namespace flexura
