#include "flexura/linear/front_forest.hpp"

#include <algorithm>

#include "flexura/math/elimination_tree.hpp"

namespace flexura::detail {

namespace {

/// Estimated processor cycles of a front with s pivots and r later rows: arithmetic, tiles, assembly of the panel and
/// of the update and its way to the parent, and what a solve reads. Measured on fronts of 9 … 400 rows with AVX2.
double front_cost(double s, double r) {
  const double arithmetic = s * s * s / 6 + s * s * r / 2 + s * r * r / 2;
  const double tiles = (s + r) * s / 48 + r * r / 96;
  return 300 + arithmetic / 7 + 12 * tiles + 0.6 * s * (s + r) + 0.8 * r * r;
}

/// Blocks that are eliminated in one front.
struct Group {
  std::vector<int> blocks;    ///< positions, ascending
  std::vector<int> children;  ///< tops of their groups
  double pivots = 0, rows = 0;
};

/// Merges each block's front with those of its children where that makes the whole cheaper. A group is named by its
/// last block, its top; groups that went into another are left empty. `rows`: unknowns below those of each block.
std::vector<Group> amalgamate(const ValueLayout& layout, const EliminationTree& tree,
                              const std::vector<std::int64_t>& rows) {
  const int n = layout.rows();
  std::vector<Group> groups(n);
  const auto lower = [&](int a, int b) {
    const double x = groups[a].pivots + groups[a].rows, y = groups[b].pivots + groups[b].rows;
    return x != y ? x < y : a < b;
  };
  for (int k = 0; k < n; ++k) {
    Group& own = groups[k];
    own.blocks = {k};
    own.pivots = layout.sizes[k];
    own.rows = static_cast<double>(rows[k]);
    // Children have smaller positions: their groups are complete. The largest first, its own children after it.
    std::vector<int> open = std::move(own.children), kept;
    own.children.clear();
    std::make_heap(open.begin(), open.end(), lower);
    while (!open.empty()) {
      std::pop_heap(open.begin(), open.end(), lower);
      const int c = open.back();
      open.pop_back();
      Group& other = groups[c];
      const double together = front_cost(own.pivots + other.pivots, own.rows);
      if (together > front_cost(own.pivots, own.rows) + front_cost(other.pivots, other.rows)) {
        kept.push_back(c);
        continue;
      }
      own.blocks.insert(own.blocks.end(), other.blocks.begin(), other.blocks.end());
      own.pivots += other.pivots;
      for (const int child : other.children) {
        open.push_back(child);
        std::push_heap(open.begin(), open.end(), lower);
      }
      other = {};
    }
    std::sort(own.blocks.begin(), own.blocks.end());
    std::sort(kept.begin(), kept.end());
    own.children = std::move(kept);
    if (tree.parent[k] >= 0) groups[tree.parent[k]].children.push_back(k);
  }
  return groups;
}

/// Tops of the groups, children before their parents.
std::vector<int> postorder(const std::vector<Group>& groups, const std::vector<int>& roots) {
  std::vector<int> out, open(roots);
  while (!open.empty()) {  // parents first, children backwards; then reversed
    const int k = open.back();
    open.pop_back();
    out.push_back(k);
    open.insert(open.end(), groups[k].children.begin(), groups[k].children.end());
  }
  std::reverse(out.begin(), out.end());
  return out;
}

}  // namespace

FrontForest::FrontForest(const ValueLayout& layout) {
  const BlockGraph graph = layout.graph();
  const EliminationTree tree(graph);
  std::vector<Group> groups = amalgamate(layout, tree, weights_below(graph, tree, layout.sizes));
  std::vector<int> roots;
  for (int k = 0; k < layout.rows(); ++k)
    if (tree.parent[k] < 0) roots.push_back(k);
  const std::vector<int> tops = postorder(groups, roots);

  std::vector<int> front_of(layout.rows()), turn(layout.rows());  // of a block; when it is eliminated
  int next = 0;
  for (int top : tops) {
    for (int k : groups[top].blocks) {
      front_of[k] = size();
      turn[k] = next++;
    }
    blocks.push_back(std::move(groups[top].blocks));
  }
  for (int top : tops) {
    for (int& child : groups[top].children) child = front_of[child];
    children.push_back(std::move(groups[top].children));
    parent.push_back(tree.parent[top] < 0 ? -1 : front_of[tree.parent[top]]);
  }
  depth.resize(size());
  for (int f = size() - 1; f >= 0; --f) depth[f] = parent[f] < 0 ? 0 : depth[parent[f]] + 1;
  list_later(layout, front_of, turn);
}

/// What is coupled with a front's blocks, and what its children pass on.
void FrontForest::list_later(const ValueLayout& layout, const std::vector<int>& front_of,
                             const std::vector<int>& turn) {
  std::vector<int> met(layout.rows(), -1);
  later.resize(size());
  for (int f = 0; f < size(); ++f) {
    const auto add = [&](int k) {
      if (front_of[k] == f || met[k] == f) return;
      met[k] = f;
      later[f].push_back(k);
    };
    for (int k : blocks[f])
      for (int b = layout.start[k]; b < layout.start[k + 1]; ++b) add(layout.column[b]);
    for (int c : children[f])
      for (int k : later[c]) add(k);
    std::sort(later[f].begin(), later[f].end(), [&](int a, int b) { return turn[a] < turn[b]; });
  }
}

}  // namespace flexura::detail
