#include "flexura/math/separator.hpp"

#include <algorithm>
#include <numeric>

#include "flexura/math/separator_refinement.hpp"

namespace flexura {
namespace {

constexpr int coarsest = 100;  ///< nodes of a graph that is no longer merged
constexpr int small = 500;     ///< nodes of one that is merged in several ways
constexpr int passes = 8;      ///< of refinement, at most, on each level

/// Minimal standard generator (Park, Miller 1988).
class Sequence {
 public:
  int below(int n) {
    state_ = static_cast<std::uint32_t>(std::uint64_t{state_} * 48271 % 2147483647);
    return static_cast<int>(state_ % static_cast<std::uint32_t>(n));
  }

 private:
  std::uint32_t state_ = 1;
};

/// Nodes of few neighbours first, otherwise in the given order.
std::vector<int> sorted_by_degree(const WeightedGraph& graph, const std::vector<int>& order) {
  const auto degree = [&](int v) { return graph.start[v + 1] - graph.start[v]; };
  int most = 0;
  for (const int v : order) most = std::max(most, degree(v));
  std::vector<int> first(most + 2, 0), out(order.size());
  for (const int v : order) ++first[degree(v) + 1];
  std::partial_sum(first.begin(), first.end(), first.begin());
  for (const int v : order) out[first[degree(v)]++] = v;
  return out;
}

/// Of each node its coarser one: neighbours joined by the heaviest edges are merged in pairs.
std::vector<int> merge_pairs(const WeightedGraph& graph, std::int64_t most_weight, Sequence& random, int& count) {
  const int n = graph.size();
  std::vector<int> order(n), out(n, -1);
  std::iota(order.begin(), order.end(), 0);
  for (int i = n - 1; i > 0; --i) std::swap(order[i], order[random.below(i + 1)]);
  order = sorted_by_degree(graph, order);
  count = 0;
  for (const int v : order) {
    if (out[v] >= 0) continue;
    int partner = -1, heaviest = 0;
    for (int e = graph.start[v]; e < graph.start[v + 1]; ++e) {
      const int u = graph.neighbour[e];
      if (out[u] >= 0 || graph.edge[e] < heaviest || std::int64_t{graph.weight[v]} + graph.weight[u] > most_weight)
        continue;
      if (graph.edge[e] == heaviest && graph.weight[u] >= graph.weight[partner]) continue;
      heaviest = graph.edge[e];
      partner = u;
    }
    out[v] = count;
    if (partner >= 0) out[partner] = count;
    ++count;
  }
  return out;
}

/// The graph of merged nodes.
WeightedGraph merged(const WeightedGraph& graph, const std::vector<int>& coarse, int count) {
  std::vector<int> first(count, -1), second(count, -1), place(count, -1);
  for (int v = 0; v < graph.size(); ++v) (first[coarse[v]] < 0 ? first : second)[coarse[v]] = v;
  WeightedGraph out;
  out.start.reserve(count + 1);
  out.weight.reserve(count);
  out.neighbour.reserve(graph.neighbour.size());
  out.edge.reserve(graph.neighbour.size());
  for (int c = 0; c < count; ++c) {
    const int begin = out.start.back();
    out.weight.push_back(0);
    for (const int v : {first[c], second[c]}) {
      if (v < 0) continue;
      out.weight.back() += graph.weight[v];
      for (int e = graph.start[v]; e < graph.start[v + 1]; ++e) {
        const int other = coarse[graph.neighbour[e]];
        if (other == c) continue;
        if (place[other] < begin) {
          place[other] = static_cast<int>(out.neighbour.size());
          out.neighbour.push_back(other);
          out.edge.push_back(0);
        }
        out.edge[place[other]] += graph.edge[e];
      }
    }
    out.start.push_back(static_cast<int>(out.neighbour.size()));
  }
  return out;
}

/// Distances from the nearest of the places so far: the next place is the farthest node.
class Places {
 public:
  explicit Places(const WeightedGraph& graph) : graph_(graph), distance_(graph.size(), graph.size()) {}

  void add(int from) {
    distance_[from] = 0;
    open_ = {from};
    for (std::size_t k = 0; k < open_.size(); ++k) {
      const int v = open_[k];
      for (int e = graph_.start[v]; e < graph_.start[v + 1]; ++e) {
        const int u = graph_.neighbour[e];
        if (distance_[u] <= distance_[v] + 1) continue;
        distance_[u] = distance_[v] + 1;
        open_.push_back(u);
      }
    }
  }
  int farthest() const {
    return static_cast<int>(std::max_element(distance_.begin(), distance_.end()) - distance_.begin());
  }

 private:
  const WeightedGraph& graph_;
  std::vector<int> distance_, open_;
};

class Multilevel {
 public:
  Multilevel(const WeightedGraph& graph, const SeparatorOptions& options)
      : options_(options),
        most_weight_(3 * std::accumulate(graph.weight.begin(), graph.weight.end(), std::int64_t{0}) / (2 * coarsest)) {}

  Separation separate(const WeightedGraph& graph, int tries) {
    if (graph.size() <= coarsest) return cut(graph);
    if (graph.size() > small || tries == 1) return by_merging(graph, tries);
    SeparatorRefinement refinement(graph, options_.imbalance);
    return best_of(refinement, tries, [&] { return by_merging(graph, 1); });
  }

 private:
  template <class F>
  static Separation best_of(const SeparatorRefinement& refinement, int tries, F find) {
    Separation best;
    double least = 0;
    for (int k = 0; k < tries; ++k) {
      Separation split = find();
      const double cost = refinement.cost(split);
      if (k > 0 && cost >= least) continue;
      least = cost;
      best = std::move(split);
    }
    return best;
  }

  /// What separates the merged graph separates this one; then it moves as little as it is large.
  Separation by_merging(const WeightedGraph& graph, int tries) {
    int count = 0;
    const std::vector<int> coarse = merge_pairs(graph, most_weight_, random_, count);
    if (count > 0.95 * graph.size()) return cut(graph);
    const Separation inherited = separate(merged(graph, coarse, count), tries);
    Separation out;
    out.side.resize(graph.size());
    for (int v = 0; v < graph.size(); ++v) out.side[v] = inherited.side[coarse[v]];
    std::copy(std::begin(inherited.weight), std::end(inherited.weight), out.weight);
    SeparatorRefinement(graph, options_.imbalance).improve(out, passes);
    return out;
  }

  /// Grown from places far from each other.
  Separation cut(const WeightedGraph& graph) {
    int from = 0;
    for (int k = 0; k < 2; ++k) {  // an end of the graph
      Places one(graph);
      one.add(from);
      from = one.farthest();
    }
    Places places(graph);
    SeparatorRefinement refinement(graph, options_.imbalance);
    return best_of(refinement, std::min(options_.starts, graph.size()), [&] {
      Separation split = refinement.grow(from);
      refinement.improve(split, passes);
      places.add(from);
      from = places.farthest();
      return split;
    });
  }

  const SeparatorOptions options_;
  const std::int64_t most_weight_;
  Sequence random_;
};

}  // namespace

Separation find_separator(const WeightedGraph& graph, const SeparatorOptions& options) {
  return Multilevel(graph, options).separate(graph, options.tries);
}

}  // namespace flexura
