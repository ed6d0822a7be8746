#include "flexura/linear/minimum_degree.hpp"

#define EIGEN_MPL2_ONLY
#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>

namespace flexura {

std::vector<int> minimum_degree_order(const BlockGraph& graph) {
  const int n = graph.size();
  std::vector<Eigen::Triplet<double>> entries;
  entries.reserve(graph.neighbour.size() + n);
  for (int i = 0; i < n; ++i) {
    entries.emplace_back(i, i, 1.0);
    for (int e = graph.start[i]; e < graph.start[i + 1]; ++e) entries.emplace_back(graph.neighbour[e], i, 1.0);
  }
  Eigen::SparseMatrix<double> matrix(n, n);
  matrix.setFromTriplets(entries.begin(), entries.end());
  Eigen::AMDOrdering<int>::PermutationType permutation;
  Eigen::AMDOrdering<int>()(matrix, permutation);
  return {permutation.indices().data(), permutation.indices().data() + n};
}

}  // namespace flexura
