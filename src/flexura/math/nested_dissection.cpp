#include "flexura/math/nested_dissection.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>

#include "flexura/math/local_minimum_degree.hpp"
#include "flexura/math/minimum_degree.hpp"
#include "flexura/math/separator.hpp"

namespace flexura {

namespace {

/// Nodes that have the same neighbours, themselves included, are eliminated together: one node for all of them.
struct Compression {
  std::vector<int> group;  ///< of each node
  int count = 0;

  explicit Compression(const BlockGraph& graph) : group(graph.size(), -1) {
    const int n = graph.size();
    std::vector<std::uint64_t> key(n);
    const auto hash = [](int v) {
      std::uint64_t x = static_cast<std::uint64_t>(v) + 0x9e3779b97f4a7c15u;
      x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
      return (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    };
    for (int v = 0; v < n; ++v) {
      key[v] = hash(v);
      for (int e = graph.start[v]; e < graph.start[v + 1]; ++e) key[v] += hash(graph.neighbour[e]);
    }
    for (int v = 0; v < n; ++v) {
      if (group[v] >= 0) continue;
      group[v] = count;
      for (int e = graph.start[v]; e < graph.start[v + 1]; ++e) {
        const int u = graph.neighbour[e];
        if (group[u] < 0 && key[u] == key[v] && same_neighbours(graph, u, v)) group[u] = count;
      }
      ++count;
    }
  }

  BlockGraph compressed(const BlockGraph& graph) const {
    if (count == graph.size()) return graph;
    std::vector<std::pair<int, int>> pairs;
    for (int v = 0; v < graph.size(); ++v)
      for (int e = graph.start[v]; e < graph.start[v + 1]; ++e)
        if (group[graph.neighbour[e]] < group[v]) pairs.emplace_back(group[v], group[graph.neighbour[e]]);
    return BlockGraph(count, pairs);
  }

 private:
  static bool same_neighbours(const BlockGraph& graph, int u, int v) {
    if (graph.start[u + 1] - graph.start[u] != graph.start[v + 1] - graph.start[v]) return false;
    int a = graph.start[u], b = graph.start[v];
    const int end_a = graph.start[u + 1], end_b = graph.start[v + 1];
    while (a < end_a && b < end_b) {
      const int x = graph.neighbour[a] == v ? -1 : graph.neighbour[a];
      const int y = graph.neighbour[b] == u ? -1 : graph.neighbour[b];
      if (x < 0) {
        ++a;
      } else if (y < 0) {
        ++b;
      } else if (x != y) {
        return false;
      } else {
        ++a, ++b;
      }
    }
    return true;  // what is left on one side is the other node
  }
};

class Dissection {
 public:
  Dissection(const BlockGraph& graph, const std::vector<int>& weight, const DissectionOptions& options)
      : graph_(graph), weight_(weight), options_(options), local_(graph.size(), -1), minimum_degree_(graph, weight) {}

  std::vector<int> order() {
    const int n = graph_.size();
    const auto most = std::max(64, static_cast<int>(10 * std::sqrt(n)));
    std::vector<int> nodes, border;
    for (int v = 0; v < n; ++v) (graph_.start[v + 1] - graph_.start[v] > most ? border : nodes).push_back(v);
    dissect_parts(nodes, 0);
    order_.insert(order_.end(), border.begin(), border.end());
    return std::move(order_);
  }

 private:
  /// Nodes that may hang together or not.
  void dissect_parts(const std::vector<int>& nodes, int depth) {
    for (const int v : nodes) local_[v] = 0;  // not yet reached
    std::vector<std::vector<int>> parts;
    for (const int first : nodes) {
      if (local_[first] < 0) continue;
      std::vector<int>& part = parts.emplace_back(1, first);
      local_[first] = -1;
      for (std::size_t k = 0; k < part.size(); ++k) {
        for (int e = graph_.start[part[k]]; e < graph_.start[part[k] + 1]; ++e) {
          const int u = graph_.neighbour[e];
          if (local_[u] < 0) continue;
          local_[u] = -1;
          part.push_back(u);
        }
      }
    }
    for (std::vector<int>& part : parts) {
      std::sort(part.begin(), part.end());
      dissect(part, depth);
    }
  }

  /// Appends connected nodes to the order; their neighbours elsewhere come later.
  void dissect(const std::vector<int>& nodes, int depth) {
    if (static_cast<int>(nodes.size()) <= options_.leaf) return minimum_degree_.append(nodes, order_);
    const Separation split = find_separator(
        part_of(nodes),
        {.imbalance = options_.imbalance, .tries = std::max(1, options_.tries >> depth), .starts = depth < 3 ? 8 : 4});
    if (split.weight[Separation::left] == 0 || split.weight[Separation::right] == 0) return append_whole(nodes);
    std::vector<int> sides[3];
    for (std::size_t i = 0; i < nodes.size(); ++i) sides[split.side[i]].push_back(nodes[i]);
    dissect_parts(sides[Separation::left], depth + 1);
    dissect_parts(sides[Separation::right], depth + 1);
    order_.insert(order_.end(), sides[Separation::between].begin(), sides[Separation::between].end());
  }

  /// Nodes without a separator, as those of a dense matrix.
  void append_whole(const std::vector<int>& nodes) {
    constexpr std::size_t most = 512;  // more bits are too many for a square of them
    if (nodes.size() <= most) return minimum_degree_.append(nodes, order_);
    const WeightedGraph part = part_of(nodes);
    BlockGraph graph;
    graph.start = part.start;
    graph.neighbour = part.neighbour;
    for (const int i : minimum_degree_order(graph)) order_.push_back(nodes[i]);
  }

  WeightedGraph part_of(const std::vector<int>& nodes) {
    WeightedGraph out;
    for (std::size_t i = 0; i < nodes.size(); ++i) local_[nodes[i]] = static_cast<int>(i);
    for (const int v : nodes) {
      for (int e = graph_.start[v]; e < graph_.start[v + 1]; ++e)
        if (local_[graph_.neighbour[e]] >= 0) out.neighbour.push_back(local_[graph_.neighbour[e]]);
      out.start.push_back(static_cast<int>(out.neighbour.size()));
      out.weight.push_back(weight_[v]);
    }
    out.edge.assign(out.neighbour.size(), 1);
    for (const int v : nodes) local_[v] = -1;
    return out;
  }

  const BlockGraph& graph_;
  const std::vector<int>& weight_;
  const DissectionOptions options_;
  std::vector<int> local_, order_;
  LocalMinimumDegree minimum_degree_;
};

}  // namespace

std::vector<int> nested_dissection_order(const BlockGraph& graph, const std::vector<int>& weight,
                                         const DissectionOptions& options) {
  const Compression compression(graph);
  const BlockGraph compressed = compression.compressed(graph);
  std::vector<int> sum(compression.count, 0), first(compression.count + 1, 0), out(graph.size());
  for (int v = 0; v < graph.size(); ++v) sum[compression.group[v]] += weight[v];
  const std::vector<int> order = Dissection(compressed, sum, options).order();
  // Nodes by the turn of their group.
  std::vector<int> turn(compression.count);
  for (int k = 0; k < compression.count; ++k) turn[order[k]] = k;
  for (int v = 0; v < graph.size(); ++v) ++first[turn[compression.group[v]] + 1];
  std::partial_sum(first.begin(), first.end(), first.begin());
  for (int v = 0; v < graph.size(); ++v) out[first[turn[compression.group[v]]]++] = v;
  return out;
}

}  // namespace flexura
