#include "flexura/math/block_graph.hpp"

#include <algorithm>
#include <numeric>

#include "flexura/math/elimination_tree.hpp"
#include "flexura/math/minimum_degree.hpp"
#include "flexura/math/nested_dissection.hpp"

namespace flexura {

BlockGraph::BlockGraph(int nodes, const std::vector<std::pair<int, int>>& pairs) : start(nodes + 1, 0) {
  for (auto [i, j] : pairs) {
    if (i == j) continue;
    ++start[i + 1];
    ++start[j + 1];
  }
  std::partial_sum(start.begin(), start.end(), start.begin());
  neighbour.resize(start[nodes]);
  std::vector<int> next(start.begin(), start.end() - 1);
  for (auto [i, j] : pairs) {
    if (i == j) continue;
    neighbour[next[i]++] = j;
    neighbour[next[j]++] = i;
  }
  int kept = 0;
  for (int i = 0; i < nodes; ++i) {
    const auto first = neighbour.begin() + start[i], last = neighbour.begin() + start[i + 1];
    std::sort(first, last);
    const auto end = std::unique(first, last);
    start[i] = kept;
    kept = static_cast<int>(std::copy(first, end, neighbour.begin() + kept) - neighbour.begin());
  }
  start[nodes] = kept;
  neighbour.resize(kept);
}

BlockGraph BlockGraph::renumbered(const std::vector<int>& order) const {
  std::vector<int> position(size());
  for (int k = 0; k < size(); ++k) position[order[k]] = k;
  BlockGraph out;
  out.start.reserve(start.size());
  out.neighbour.reserve(neighbour.size());
  out.start.push_back(0);
  for (int k = 0; k < size(); ++k) {
    for (int e = start[order[k]]; e < start[order[k] + 1]; ++e) out.neighbour.push_back(position[neighbour[e]]);
    std::sort(out.neighbour.begin() + out.start.back(), out.neighbour.end());
    out.start.push_back(static_cast<int>(out.neighbour.size()));
  }
  return out;
}

namespace {

/// Visits the factor's entries (row k, column i), k < i, with i ascending: each row of the lower triangle is the part
/// of the elimination tree that is reached from the row's own entries. `visit` returns false to stop.
template <class Visit>
void walk_factor(const BlockGraph& graph, Visit visit) {
  const int n = graph.size();
  std::vector<int> parent(n, -1), seen(n, -1);
  for (int i = 0; i < n; ++i) {
    seen[i] = i;
    for (int e = graph.start[i]; e < graph.start[i + 1] && graph.neighbour[e] < i; ++e) {
      for (int k = graph.neighbour[e]; seen[k] != i; k = parent[k]) {
        if (parent[k] < 0) parent[k] = i;
        seen[k] = i;
        if (!visit(k, i)) return;
      }
    }
  }
}

/// Whether an order makes no fill at all.
bool is_perfect(const BlockGraph& graph, const std::vector<int>& order) {
  int blocks = 0;
  walk_factor(graph.renumbered(order), [&](int, int) { return ++blocks <= graph.edges(); });
  return blocks == graph.edges();
}

/// `order` with each constraint block moved to directly behind the last block it touches.
std::vector<int> with_constraints_late(const BlockGraph& graph, const std::vector<char>& constraint,
                                       const std::vector<int>& order) {
  const int n = graph.size();
  std::vector<int> key(n);
  for (int k = 0; k < n; ++k) key[order[k]] = 2 * k;
  std::vector<int> late(key);
  for (int c = 0; c < n; ++c) {
    if (!constraint[c]) continue;
    int last = -1;
    for (int e = graph.start[c]; e < graph.start[c + 1]; ++e) {
      if (!constraint[graph.neighbour[e]]) last = std::max(last, key[graph.neighbour[e]]);
    }
    late[c] = last < 0 ? 2 * n - 1 : last + 1;  // a block that touches multipliers only comes last of all
  }
  std::vector<int> out(order), count(2 * n + 1, 0);
  for (int i = 0; i < n; ++i) ++count[late[i] + 1];
  std::partial_sum(count.begin(), count.end(), count.begin());
  for (int block : order) out[count[late[block]]++] = block;
  return out;
}

/// The blocks that are not constraints, where a constraint couples the blocks it touches as a penalty would; one that is
/// shared more widely becomes a border and couples nothing.
BlockGraph penalty_graph(const BlockGraph& graph, const std::vector<char>& constraint) {
  if (std::find(constraint.begin(), constraint.end(), 1) == constraint.end()) return graph;
  constexpr std::size_t widely_shared = 8;
  std::vector<std::pair<int, int>> pairs;
  std::vector<int> touched;
  for (int i = 0; i < graph.size(); ++i) {
    touched.clear();
    for (int e = graph.start[i]; e < graph.start[i + 1]; ++e) {
      if (!constraint[graph.neighbour[e]]) touched.push_back(graph.neighbour[e]);
    }
    if (!constraint[i]) {
      for (int j : touched) pairs.emplace_back(i, j);
    } else if (touched.size() <= widely_shared) {
      for (std::size_t a = 0; a < touched.size(); ++a) {
        for (std::size_t b = 0; b < a; ++b) pairs.emplace_back(touched[a], touched[b]);
      }
    }
  }
  return BlockGraph(graph.size(), pairs);
}

}  // namespace

std::vector<int> elimination_order(const BlockGraph& graph, const std::vector<char>& constraint) {
  std::vector<int> natural(graph.size());
  std::iota(natural.begin(), natural.end(), 0);
  const bool constrained = std::find(constraint.begin(), constraint.end(), 1) != constraint.end();
  if (constrained) natural = with_constraints_late(graph, constraint, natural);
  if (is_perfect(graph, natural)) return natural;

  std::vector<int> best = minimum_degree_order(graph);
  if (constrained) best = with_constraints_late(graph, constraint, best);
  std::int64_t least = elimination_work(graph, best).updates;
  const auto try_order = [&](std::vector<int> order) {
    const std::int64_t updates = elimination_work(graph, order).updates;
    if (updates > least) return;
    least = updates;
    best = std::move(order);
  };
  if (constrained) {
    try_order(with_constraints_late(graph, constraint, minimum_degree_order(penalty_graph(graph, constraint))));
  }
  try_order(natural);
  return best;
}

EliminationWork elimination_work(const BlockGraph& graph, const std::vector<int>& order) {
  const BlockGraph ordered = graph.renumbered(order);
  EliminationWork work;
  for (const std::int64_t below : weights_below(ordered, EliminationTree(ordered), std::vector<int>(graph.size(), 1))) {
    work.blocks += below;
    work.updates += below * (below + 1) / 2;
  }
  return work;
}

double elimination_flops(const BlockGraph& graph, const std::vector<int>& sizes, const std::vector<int>& order) {
  const BlockGraph ordered = graph.renumbered(order);
  std::vector<int> weight(graph.size());
  for (int k = 0; k < graph.size(); ++k) weight[k] = sizes[order[k]];
  const std::vector<std::int64_t> below = weights_below(ordered, EliminationTree(ordered), weight);
  double sum = 0;
  for (int k = 0; k < graph.size(); ++k) {
    const double s = weight[k], r = static_cast<double>(below[k]);
    sum += s * (s * s / 3 + s * r + r * r);
  }
  return sum;
}

std::vector<int> dissected_order(const BlockGraph& graph, const std::vector<char>& constraint,
                                 const std::vector<int>& sizes, const std::vector<int>& order) {
  std::vector<int> other =
      with_constraints_late(graph, constraint, nested_dissection_order(penalty_graph(graph, constraint), sizes, {}));
  return elimination_flops(graph, sizes, other) < elimination_flops(graph, sizes, order) ? other : order;
}

FactorStructure::FactorStructure(const BlockGraph& graph) : start(graph.size() + 1, 0) {
  walk_factor(graph, [&](int k, int) { return ++start[k + 1], true; });
  std::partial_sum(start.begin(), start.end(), start.begin());
  column.resize(start.back());
  std::vector<std::int64_t> next(start.begin(), start.end() - 1);
  walk_factor(graph, [&](int k, int i) { return column[next[k]++] = i, true; });
}

}  // namespace flexura
