#include "flexura/math/separator_refinement.hpp"

#include <algorithm>
#include <cstdlib>
#include <numeric>

namespace flexura {

void NodeHeap::clear() {
  for (const int node : nodes_) place_[node] = -1;
  nodes_.clear();
}

void NodeHeap::insert(int node, std::int64_t priority) {
  priority_[node] = priority;
  nodes_.push_back(node);
  rise(static_cast<int>(nodes_.size()) - 1);
}

void NodeHeap::raise(int node, std::int64_t by) {
  priority_[node] += by;
  rise(place_[node]);
}

int NodeHeap::pop() {
  const int node = nodes_[0], last = nodes_.back();
  place_[node] = -1;
  nodes_.pop_back();
  if (last != node) {
    nodes_[0] = last;
    sink(0);
  }
  return node;
}

void NodeHeap::rise(int place) {
  const int node = nodes_[place];
  for (; place > 0 && before(node, nodes_[(place - 1) / 2]); place = (place - 1) / 2)
    put(place, nodes_[(place - 1) / 2]);
  put(place, node);
}

void NodeHeap::sink(int place) {
  const int node = nodes_[place], count = static_cast<int>(nodes_.size());
  for (int child = 2 * place + 1; child < count; child = 2 * place + 1) {
    if (child + 1 < count && before(nodes_[child + 1], nodes_[child])) ++child;
    if (!before(nodes_[child], node)) break;
    put(place, nodes_[child]);
    place = child;
  }
  put(place, node);
}

namespace {

constexpr double evenness = 0.5;      ///< how much dearer a separator is that leaves all on one side
constexpr int most_idle_moves = 200;  ///< in a row that improve nothing, before a pass ends

using enum Separation::Side;

Separation::Side opposite(Separation::Side side) { return side == left ? right : left; }

}  // namespace

/// Of separators of the same weight the more even one is better: what is left is dissected at about the square of its weight.
double SeparatorRefinement::cost(const Separation& split) const {
  const auto difference = static_cast<double>(std::abs(split.weight[left] - split.weight[right]));
  const auto sum = static_cast<double>(split.weight[left] + split.weight[right]);
  const auto own = static_cast<double>(split.weight[between]);
  if (sum == 0) return 2 * own;
  const double share = difference / sum;
  return own * (1 + evenness * share * share) + std::max(0.0, difference - imbalance_ * sum);
}

void SeparatorRefinement::set(int node, Side to) {
  changes_.push_back({node, split_->side[node]});
  split_->weight[split_->side[node]] -= graph_.weight[node];
  split_->weight[to] += graph_.weight[node];
  split_->side[node] = to;
}

/// Into the separator, where it may move on once, and others no longer draw it.
void SeparatorRefinement::draw(int node) {
  set(node, between);
  std::int64_t drawn = 0;
  for (int e = graph_.start[node]; e < graph_.start[node + 1]; ++e) {
    const int u = graph_.neighbour[e];
    if (split_->side[u] == other_) {
      drawn += graph_.weight[u];
    } else if (heap_.contains(u)) {
      heap_.raise(u, graph_.weight[node]);
    }
  }
  if (!moved_[node]) heap_.insert(node, graph_.weight[node] - drawn);
}

void SeparatorRefinement::move_top() {
  const int node = heap_.pop();
  moved_[node] = 1;
  set(node, to_);
  for (int e = graph_.start[node]; e < graph_.start[node + 1]; ++e)
    if (split_->side[graph_.neighbour[e]] == other_) draw(graph_.neighbour[e]);
}

void SeparatorRefinement::open(Separation& split, Side to) {
  split_ = &split;
  to_ = to;
  other_ = opposite(to);
  changes_.clear();
  heap_.clear();
  std::fill(moved_.begin(), moved_.end(), 0);
  for (int v = 0; v < graph_.size(); ++v) {
    if (split.side[v] != between) continue;
    std::int64_t drawn = 0;
    for (int e = graph_.start[v]; e < graph_.start[v + 1]; ++e)
      if (split.side[graph_.neighbour[e]] == other_) drawn += graph_.weight[graph_.neighbour[e]];
    heap_.insert(v, graph_.weight[v] - drawn);
  }
}

/// Whether it found something better.
bool SeparatorRefinement::run_pass(Separation& split, Side to) {
  open(split, to);
  const double before = cost(split);
  double best = before;
  std::size_t kept = 0;
  for (int idle = 0; idle < most_idle_moves && !heap_.empty(); ++idle) {
    move_top();
    const double now = cost(split);
    if (now >= best) continue;
    best = now;
    kept = changes_.size();
    idle = -1;
  }
  while (changes_.size() > kept) {
    const Change change = changes_.back();
    set(change.node, change.from);
    changes_.resize(changes_.size() - 2);
  }
  return best < before;
}

void SeparatorRefinement::improve(Separation& split, int passes) {
  Side to = split.weight[left] < split.weight[right] ? left : right;
  for (int pass = 0, idle = 0; pass < passes && idle < 2; ++pass) {
    idle = run_pass(split, to) ? 0 : idle + 1;
    to = opposite(to);
  }
}

Separation SeparatorRefinement::grow(int from) {
  Separation split;
  split.side.assign(graph_.size(), right);
  split.weight[right] = std::accumulate(graph_.weight.begin(), graph_.weight.end(), std::int64_t{0});
  open(split, left);
  draw(from);
  while (split.weight[left] < split.weight[right] && !heap_.empty()) move_top();
  return split;
}

}  // namespace flexura
