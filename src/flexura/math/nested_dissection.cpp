#include "flexura/math/nested_dissection.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <numeric>
#include <span>

namespace flexura {

namespace {

/// Breadth-first levels of a set of nodes; −1: not reached.
struct Levels {
  std::vector<int> level;
  std::vector<int> visited;  ///< level by level
  int count = 0;

  Levels(const BlockGraph& graph, std::span<const int> from)
      : level(graph.size(), -1), visited(from.begin(), from.end()) {
    for (int v : from) level[v] = 0;
    for (std::size_t k = 0; k < visited.size(); ++k) {
      const int v = visited[k];
      count = level[v] + 1;
      for (int e = graph.start[v]; e < graph.start[v + 1]; ++e) {
        const int u = graph.neighbour[e];
        if (level[u] >= 0) continue;
        level[u] = count;
        visited.push_back(u);
      }
    }
  }
  std::vector<int> last() const {
    std::vector<int> out(visited.rbegin(), visited.rend());
    const auto end = std::find_if(out.begin(), out.end(), [&](int v) { return level[v] != count - 1; });
    out.erase(end, out.end());
    return out;
  }
};

enum Side : unsigned char { left, right, separator };

/// A graph in three parts; no edge joins left and right.
struct Split {
  std::vector<Side> side;
  std::int64_t weight[3] = {0, 0, 0};

  double cost(double imbalance) const {
    const auto difference = static_cast<double>(std::abs(weight[left] - weight[right]));
    const auto sum = static_cast<double>(weight[left] + weight[right]);
    return static_cast<double>(weight[separator]) + std::max(0.0, difference - imbalance * sum);
  }
};

/// Moves nodes from the separator to a side, which draws their neighbours on the other side into the separator.
class Refinement {
 public:
  Refinement(const BlockGraph& graph, const std::vector<int>& weight, double imbalance)
      : graph_(graph), weight_(weight), imbalance_(imbalance) {}

  void improve(Split& split) {
    split_ = &split;
    const double before = split.cost(imbalance_);
    double last = before;
    for (int pass = 0; pass < 8; ++pass) {
      const double now = run_pass();
      if (!(now < last)) break;
      last = now;
    }
  }

 private:
  struct Change {
    int node;
    Side from;
  };

  std::int64_t drawn(int v, int to) const {
    std::int64_t sum = 0;
    for (int e = graph_.start[v]; e < graph_.start[v + 1]; ++e) {
      const int u = graph_.neighbour[e];
      if (split_->side[u] == 1 - to) sum += weight_[u];
    }
    return sum;
  }
  void put(int v, Side to) {
    changes_.push_back({v, split_->side[v]});
    if (split_->side[v] == separator) boundary_.erase(std::find(boundary_.begin(), boundary_.end(), v));
    if (to == separator) boundary_.push_back(v);
    split_->weight[split_->side[v]] -= weight_[v];
    split_->weight[to] += weight_[v];
    split_->side[v] = to;
  }
  double cost_after(int v, int to) const {
    const std::int64_t in = drawn(v, to);
    Split after;
    after.weight[to] = split_->weight[to] + weight_[v];
    after.weight[1 - to] = split_->weight[1 - to] - in;
    after.weight[separator] = split_->weight[separator] - weight_[v] + in;
    return after.cost(imbalance_);
  }

  /// The cost after the best sequence of moves, each node once.
  double run_pass() {
    constexpr int patience = 24;
    boundary_.clear();
    changes_.clear();
    std::vector<char> moved(graph_.size(), 0);
    for (int v = 0; v < graph_.size(); ++v)
      if (split_->side[v] == separator) boundary_.push_back(v);
    double best = split_->cost(imbalance_);
    std::size_t kept = 0;
    for (int idle = 0; idle < patience; ++idle) {
      int node = -1;
      Side to = left;
      double least = 0;
      for (int v : boundary_) {
        if (moved[v]) continue;
        for (Side t : {left, right}) {
          const double cost = cost_after(v, t);
          if (node >= 0 && (cost > least || (cost == least && v >= node))) continue;
          least = cost;
          node = v;
          to = t;
        }
      }
      if (node < 0) break;
      moved[node] = 1;
      put(node, to);
      for (int e = graph_.start[node]; e < graph_.start[node + 1]; ++e) {
        const int u = graph_.neighbour[e];
        if (split_->side[u] == 1 - to) put(u, separator);
      }
      if (least < best) {
        best = least;
        kept = changes_.size();
        idle = -1;
      }
    }
    while (changes_.size() > kept) {
      const Change change = changes_.back();
      put(change.node, change.from);
      changes_.resize(changes_.size() - 2);
    }
    return best;
  }

  const BlockGraph& graph_;
  const std::vector<int>& weight_;
  double imbalance_;
  Split* split_ = nullptr;
  std::vector<int> boundary_;
  std::vector<Change> changes_;
};

class Dissection {
 public:
  Dissection(const BlockGraph& graph, const std::vector<int>& weight, const DissectionOptions& options)
      : graph_(graph), weight_(weight), options_(options), local_(graph.size(), -1) {}

  std::vector<int> order() {
    std::vector<int> all(graph_.size());
    std::iota(all.begin(), all.end(), 0);
    dissect(all);
    return std::move(order_);
  }

 private:
  /// The graph of some nodes; their numbers in it are left in local_ until clear().
  BlockGraph part_of(const std::vector<int>& nodes) {
    BlockGraph out;
    for (std::size_t i = 0; i < nodes.size(); ++i) local_[nodes[i]] = static_cast<int>(i);
    out.start.push_back(0);
    for (int v : nodes) {
      for (int e = graph_.start[v]; e < graph_.start[v + 1]; ++e)
        if (local_[graph_.neighbour[e]] >= 0) out.neighbour.push_back(local_[graph_.neighbour[e]]);
      out.start.push_back(static_cast<int>(out.neighbour.size()));
    }
    return out;
  }
  void clear(const std::vector<int>& nodes) {
    for (int v : nodes) local_[v] = -1;
  }

  /// Appends the nodes to the order; their neighbours elsewhere come later.
  void dissect(const std::vector<int>& nodes) {
    const BlockGraph part = part_of(nodes);
    clear(nodes);
    std::vector<int> weight;
    for (int v : nodes) weight.push_back(weight_[v]);
    std::vector<int> sides[3];
    if (const Levels reached(part, std::array{0}); reached.visited.size() < nodes.size()) {
      for (std::size_t i = 0; i < nodes.size(); ++i) sides[reached.level[i] < 0].push_back(nodes[i]);
    } else {
      if (static_cast<int>(nodes.size()) <= options_.leaf) return minimum_degree(nodes);
      const Split split = best_split(part, weight);
      if (split.weight[left] == 0 || split.weight[right] == 0) return minimum_degree(nodes);
      for (std::size_t i = 0; i < nodes.size(); ++i) sides[split.side[i]].push_back(nodes[i]);
    }
    for (int s : {left, right})
      if (!sides[s].empty()) dissect(sides[s]);
    order_.insert(order_.end(), sides[separator].begin(), sides[separator].end());
  }

  Split best_split(const BlockGraph& part, const std::vector<int>& weight) {
    constexpr std::size_t starts = 12, refined = 4;
    struct Candidate {
      double cost;
      int start, level;
    };
    std::vector<Levels> searches;
    std::vector<Candidate> candidates;
    std::vector<int> distance(part.size(), part.size());
    const std::int64_t total = std::accumulate(weight.begin(), weight.end(), std::int64_t{0});
    std::vector<int> from = Levels(part, std::array{0}).last();
    int start = from.back();
    for (std::size_t s = 0; s < starts; ++s) {
      searches.emplace_back(part, std::array{start});
      searches.emplace_back(part, searches.back().last());  // straight where the first was round
      const Levels& own = searches[searches.size() - 2];
      for (int v = 0; v < part.size(); ++v) distance[v] = std::min(distance[v], own.level[v]);
      start = static_cast<int>(std::max_element(distance.begin(), distance.end()) - distance.begin());
      if (distance[start] == 0) break;
    }
    for (std::size_t s = 0; s < searches.size(); ++s) {
      const Levels& search = searches[s];
      std::vector<std::int64_t> sum(search.count, 0);
      for (int v = 0; v < part.size(); ++v) sum[search.level[v]] += weight[v];
      std::int64_t before = 0;
      for (int l = 0; l < search.count; before += sum[l++]) {
        Split split;
        split.weight[left] = before;
        split.weight[separator] = sum[l];
        split.weight[right] = total - before - sum[l];
        if (l > 0 && l + 1 < search.count)
          candidates.push_back({split.cost(options_.imbalance), static_cast<int>(s), l});
      }
    }
    std::stable_sort(candidates.begin(), candidates.end(),
                     [](const Candidate& a, const Candidate& b) { return a.cost < b.cost; });
    Split best;
    double least = 0;
    for (std::size_t c = 0; c < std::min(refined, candidates.size()); ++c) {
      Split split = cut(searches[candidates[c].start], candidates[c].level, weight);
      Refinement(part, weight, options_.imbalance).improve(split);
      const double cost = split.cost(options_.imbalance);
      if (!best.side.empty() && cost >= least) continue;
      least = cost;
      best = std::move(split);
    }
    return best;
  }

  static Split cut(const Levels& search, int level, const std::vector<int>& weight) {
    Split out;
    out.side.resize(weight.size());
    for (std::size_t v = 0; v < weight.size(); ++v) {
      const Side side = search.level[v] < level ? left : search.level[v] == level ? separator : right;
      out.side[v] = side;
      out.weight[side] += weight[v];
    }
    return out;
  }

  /// Minimum degree, exact, of few nodes; the nodes around them count and are not eliminated.
  void minimum_degree(const std::vector<int>& nodes) {
    std::vector<int> all(nodes);
    for (std::size_t i = 0; i < nodes.size(); ++i) local_[nodes[i]] = static_cast<int>(i);
    for (int v : nodes) {
      for (int e = graph_.start[v]; e < graph_.start[v + 1]; ++e) {
        const int u = graph_.neighbour[e];
        if (local_[u] >= 0) continue;
        local_[u] = static_cast<int>(all.size());
        all.push_back(u);
      }
    }
    const std::size_t n = all.size(), own = nodes.size();
    std::vector<char> joined(n * n, 0), done(own, 0);
    for (std::size_t i = 0; i < n; ++i) {
      for (int e = graph_.start[all[i]]; e < graph_.start[all[i] + 1]; ++e)
        if (local_[graph_.neighbour[e]] >= 0) joined[i * n + local_[graph_.neighbour[e]]] = 1;
      for (std::size_t j = own; j < n && i >= own; ++j) joined[i * n + j] = i != j;  // they end in one front
    }
    clear(all);
    std::vector<std::size_t> around;
    for (std::size_t k = 0; k < own; ++k) {
      std::size_t next = own;
      std::int64_t least = 0;
      for (std::size_t i = 0; i < own; ++i) {
        if (done[i]) continue;
        std::int64_t degree = 0;
        for (std::size_t j = 0; j < n; ++j)
          if (joined[i * n + j]) degree += weight_[all[j]];
        if (next < own && degree >= least) continue;
        least = degree;
        next = i;
      }
      done[next] = 1;
      order_.push_back(all[next]);
      around.clear();
      for (std::size_t j = 0; j < n; ++j)
        if (joined[next * n + j]) around.push_back(j);
      for (std::size_t i : around) {
        for (std::size_t j : around) joined[i * n + j] = i != j;
        joined[i * n + next] = 0;
      }
    }
  }

  const BlockGraph& graph_;
  const std::vector<int>& weight_;
  const DissectionOptions options_;
  std::vector<int> local_, order_;
};

}  // namespace

std::vector<int> nested_dissection_order(const BlockGraph& graph, const std::vector<int>& weight,
                                         const DissectionOptions& options) {
  return graph.size() == 0 ? std::vector<int>{} : Dissection(graph, weight, options).order();
}

}  // namespace flexura
