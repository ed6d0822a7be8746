#include "flexura/math/elimination_tree.hpp"

#include <algorithm>
#include <numeric>

namespace flexura {

EliminationTree::EliminationTree(const BlockGraph& graph) : parent(graph.size(), -1) {
  std::vector<int> ancestor(graph.size(), -1);  // paths to the root so far, shortened as they are walked
  for (int i = 0; i < graph.size(); ++i) {
    for (int e = graph.start[i]; e < graph.start[i + 1] && graph.neighbour[e] < i; ++e) {
      for (int k = graph.neighbour[e]; k != i;) {
        const int next = ancestor[k];
        ancestor[k] = i;
        if (next < 0) parent[k] = i;
        k = next < 0 ? i : next;
      }
    }
  }
}

std::vector<int> EliminationTree::postorder() const {
  const int n = static_cast<int>(parent.size());
  std::vector<int> child(n, -1), sibling(n, -1), open, out;
  out.reserve(n);
  for (int k = n; k-- > 0;) {  // so that children are ascending
    if (parent[k] < 0) continue;
    sibling[k] = child[parent[k]];
    child[parent[k]] = k;
  }
  for (int root = 0; root < n; ++root) {
    if (parent[root] >= 0) continue;
    open.push_back(root);
    while (!open.empty()) {
      const int k = open.back();
      if (child[k] >= 0) {
        open.push_back(child[k]);
        child[k] = sibling[child[k]];
      } else {
        open.pop_back();
        out.push_back(k);
      }
    }
  }
  return out;
}

namespace {

/// The tree's nodes as they are met on the way from leaves to what joins them.
class Joints {
 public:
  explicit Joints(int n) : ancestor_(n) { std::iota(ancestor_.begin(), ancestor_.end(), 0); }
  int root(int k) {
    while (ancestor_[k] != k) k = ancestor_[k] = ancestor_[ancestor_[k]];
    return k;
  }
  void hang(int k, int parent) { ancestor_[k] = parent; }

 private:
  std::vector<int> ancestor_;
};

}  // namespace

// Row i of the factor is a subtree that reaches up to i. Its columns are counted by its leaves, less where two paths from leaves
// meet: each column then sums up what its own subtree holds.
std::vector<std::int64_t> weights_below(const BlockGraph& graph, const EliminationTree& tree,
                                        const std::vector<int>& weight) {
  const int n = graph.size();
  const std::vector<int> order = tree.postorder();
  std::vector<int> first(n, -1), last_first(n, -1),
      last_leaf(n, -1);  // turn of the first descendant; of the last leaf of a row
  std::vector<std::int64_t> sum(n, 0);
  for (int turn = 0; turn < n; ++turn) {
    const int k = order[turn];
    if (first[k] < 0) sum[k] = weight[k];
    for (int a = k; a >= 0 && first[a] < 0; a = tree.parent[a]) first[a] = turn;
  }
  Joints joints(n);
  for (const int k : order) {
    if (tree.parent[k] >= 0) sum[tree.parent[k]] -= weight[k];
    for (int e = graph.start[k]; e < graph.start[k + 1]; ++e) {
      const int i = graph.neighbour[e];
      if (i < k || first[k] <= last_first[i]) continue;  // above the diagonal; no leaf of row i
      last_first[i] = first[k];
      sum[k] += weight[i];
      if (last_leaf[i] >= 0) sum[joints.root(last_leaf[i])] -= weight[i];
      last_leaf[i] = k;
    }
    if (tree.parent[k] >= 0) joints.hang(k, tree.parent[k]);
  }
  for (const int k : order)
    if (tree.parent[k] >= 0) sum[tree.parent[k]] += sum[k];
  for (int k = 0; k < n; ++k) sum[k] -= weight[k];
  return sum;
}

}  // namespace flexura
