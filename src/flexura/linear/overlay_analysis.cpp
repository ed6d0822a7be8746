#include <algorithm>
#include <iterator>
#include <numeric>
#include <ranges>

#include "flexura/linear/overlay_factor.hpp"

namespace flexura::detail {
namespace {

int root_of(std::vector<int>& parent, int x) {
  while (parent[x] != x) x = parent[x] = parent[parent[x]];
  return x;
}

/// The larger root becomes a child of the smaller.
void unite(std::vector<int>& parent, int a, int b) {
  a = root_of(parent, a), b = root_of(parent, b);
  parent[std::max(a, b)] = std::min(a, b);
}

/// As has_much_fill() of a whole matrix (value_layout.cpp).
bool wants_fronts(std::size_t blocks, std::size_t edges, std::int64_t updates) {
  return 2 * edges >= 3 * blocks && updates >= 32 * static_cast<std::int64_t>(blocks);
}

}  // namespace

OverlayAnalysis::OverlayAnalysis(const ValueLayout& base) : base_(base), base_structure_(base.graph()) {
  const int n = base.rows();
  block_at_.resize(n);
  for (int block = 0; block < n; ++block) block_at_[base.position[block]] = block;
  component_.resize(n);
  std::iota(component_.begin(), component_.end(), 0);
  for (int k = 0; k < n; ++k)
    for (int b = base.start[k]; b < base.start[k + 1]; ++b) {
      const int i = block_at_[k], j = block_at_[base.column[b]];
      base_pairs_.emplace_back(std::max(i, j), std::min(i, j));
      unite(component_, i, j);
    }
  std::sort(base_pairs_.begin(), base_pairs_.end());
  for (int i = 0; i < n; ++i) component_[i] = root_of(component_, i);
  for (auto* x : {&parent_, &next_, &previous_, &waits_for_}) x->assign(n, -1);
  is_joined_.assign(n, 0);
  neighbours_.resize(n);
  head_.assign(n + 1, -1);
  joined_.reserve(n);
  order_.reserve(n);
  start_.reserve(n + 1);
}

bool OverlayAnalysis::analyse(const BlockPairs& pairs, ValueLayout& layout, FactorStructure& structure) {
  join(pairs);
  if (base_.fronts || !eliminate()) return false;
  number(layout);
  // Later neighbours by position: those of parts that nothing joins as they were, the others from the elimination.
  const int n = base_.rows(), kept = n - analysed();
  structure.start.assign(1, 0);
  structure.column.clear();
  for (int k = 0; k < n; ++k) {
    if (k < kept) {
      const int old = base_.position[order_[k]];
      for (auto e = base_structure_.start[old]; e < base_structure_.start[old + 1]; ++e)
        structure.column.push_back(layout.position[block_at_[base_structure_.column[e]]]);
    } else {
      const auto first = static_cast<std::ptrdiff_t>(structure.column.size());
      for (int e = start_[k - kept]; e < start_[k - kept + 1]; ++e)
        structure.column.push_back(layout.position[fill_[e]]);
      std::sort(structure.column.begin() + first, structure.column.end());
    }
    structure.start.push_back(static_cast<std::int64_t>(structure.column.size()));
  }
  return true;
}

/// Components that pairs join, their blocks and what couples those.
void OverlayAnalysis::join(const BlockPairs& pairs) {
  const int n = base_.rows();
  std::fill(is_joined_.begin(), is_joined_.end(), 0);
  for (const auto& [i, j] : pairs) is_joined_[component_[i]] = is_joined_[component_[j]] = 1;
  joined_.clear();
  for (int block = 0; block < n; ++block)
    if (is_joined_[component_[block]]) joined_.push_back(block);
  edges_.clear();
  for (const auto& pair : base_pairs_)
    if (is_joined_[component_[pair.first]]) edges_.push_back(pair);
  edges_.insert(edges_.end(), pairs.begin(), pairs.end());
  std::sort(edges_.begin(), edges_.end());

  for (const int block : joined_) neighbours_[block] = {};
  for (const auto& [i, j] : edges_) ++neighbours_[i].capacity, ++neighbours_[j].capacity;
  int end = 0;
  for (const int block : joined_) {
    neighbours_[block].first = end;
    end += neighbours_[block].capacity;
  }
  pool_.resize(end);
  // Edges are sorted by (i, j), i > j: first the smaller neighbours of each block, then the larger ones, both ascending.
  const auto add = [&](int to, int x) { pool_[neighbours_[to].first + neighbours_[to].size++] = x; };
  for (const auto& [i, j] : edges_) add(i, j);
  for (const auto& [i, j] : edges_) add(j, i);
}

void OverlayAnalysis::insert(int node) {
  const int degree = neighbours_[node].size;
  previous_[node] = -1;
  next_[node] = head_[degree];
  if (next_[node] >= 0) previous_[next_[node]] = node;
  head_[degree] = node;
  lowest_ = std::min(lowest_, degree);
}

void OverlayAnalysis::remove(int node) {
  const int degree = neighbours_[node].size;
  (previous_[node] >= 0 ? next_[previous_[node]] : head_[degree]) = next_[node];
  if (next_[node] >= 0) previous_[next_[node]] = previous_[node];
}

void OverlayAnalysis::reserve(List& list, int size) {
  if (size <= list.capacity) return;
  list.capacity = 2 * size;
  list.first = static_cast<int>(pool_.size());
  pool_.resize(pool_.size() + list.capacity);
}

/// What the pivot was coupled with is coupled with one another.
void OverlayAnalysis::absorb(int node, int pivot) {
  List& own = neighbours_[node];
  merged_.clear();
  const std::span<const int> a = items(own), b = items(neighbours_[pivot]);
  std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(merged_));
  std::erase_if(merged_, [&](int x) { return x == node || x == pivot; });
  const int size = static_cast<int>(merged_.size());
  reserve(own, size);
  std::copy(merged_.begin(), merged_.end(), pool_.begin() + own.first);
  own.size = size;
}

/// Minimum degree; blocks of multipliers wait for all others that they touch. False where there is much fill.
bool OverlayAnalysis::eliminate() {
  constexpr int never = 1 << 30;
  lowest_ = base_.rows();
  const auto is_multiplier = [&](int block) { return base_.constraint[base_.position[block]] != 0; };
  for (const int node : std::views::reverse(joined_)) {
    waits_for_[node] = 0;
    if (is_multiplier(node)) {
      for (const int other : items(neighbours_[node])) waits_for_[node] += !is_multiplier(other);
      if (waits_for_[node] == 0) waits_for_[node] = never;  // touches multipliers only: last of all
    } else {
      insert(node);
    }
  }
  order_.clear();
  start_.assign(1, 0);
  fill_.clear();
  std::int64_t updates = 0;
  const int count = analysed();
  while (static_cast<int>(order_.size()) < count) {
    while (lowest_ < base_.rows() && head_[lowest_] < 0) ++lowest_;
    if (lowest_ >= base_.rows()) {
      const auto left = std::find_if(joined_.begin(), joined_.end(), [&](int x) { return waits_for_[x] == never; });
      waits_for_[*left] = 0;
      insert(*left);
    }
    const int pivot = head_[lowest_];
    remove(pivot);
    const List later = neighbours_[pivot];
    order_.push_back(pivot);
    updates += std::int64_t{later.size} * (later.size + 1) / 2;
    fill_.insert(fill_.end(), pool_.begin() + later.first, pool_.begin() + later.first + later.size);
    start_.push_back(static_cast<int>(fill_.size()));
    for (int e = start_[order_.size() - 1]; e < start_[order_.size()]; ++e) {
      const int node = fill_[e];
      const bool waited = waits_for_[node] > 0;
      if (!waited) remove(node);
      absorb(node, pivot);
      if (waited && waits_for_[node] != never && !is_multiplier(pivot) &&
          std::binary_search(edges_.begin(), edges_.end(), std::pair(std::max(node, pivot), std::min(node, pivot))))
        --waits_for_[node];
      if (waits_for_[node] == 0) insert(node);
    }
    if (wants_fronts(joined_.size(), edges_.size(), updates)) {
      std::fill(head_.begin(), head_.end(), -1);
      return false;
    }
  }
  return true;
}

/// Parts that nothing joins in their old order, then the others in that of their elimination.
void OverlayAnalysis::number(ValueLayout& layout) {
  const int n = base_.rows(), kept = n - analysed();
  order_.insert(order_.begin(), kept, 0);
  for (int k = 0, next = 0; k < n; ++k)
    if (!is_joined_[component_[block_at_[k]]]) order_[next++] = block_at_[k];

  layout.symmetry = base_.symmetry;
  layout.unknowns = base_.unknowns;
  layout.block_size = base_.block_size;
  layout.stride = base_.stride;
  layout.fronts = false;
  for (auto* x : {&layout.sizes, &layout.first, &layout.position}) x->resize(n);
  for (auto* x : {&layout.constraint, &layout.skew}) x->resize(n);
  for (int k = 0; k < n; ++k) {
    const int old = base_.position[order_[k]];
    layout.position[order_[k]] = k;
    layout.sizes[k] = base_.sizes[old];
    layout.first[k] = base_.first[old];
    layout.constraint[k] = base_.constraint[old];
    layout.skew[k] = base_.skew[old];
  }
  const auto row_of = [&](const std::pair<int, int>& pair) {
    return std::min(layout.position[pair.first], layout.position[pair.second]);
  };
  layout.start.assign(n + 1, 0);
  for (int k = 0; k < kept; ++k) {
    const int old = base_.position[order_[k]];
    layout.start[k + 1] = base_.start[old + 1] - base_.start[old];
  }
  for (const auto& pair : edges_) ++layout.start[row_of(pair) + 1];
  std::partial_sum(layout.start.begin(), layout.start.end(), layout.start.begin());
  layout.column.resize(layout.start[n]);
  for (int k = 0; k < kept; ++k) {
    const int old = base_.position[order_[k]];
    for (int b = base_.start[old]; b < base_.start[old + 1]; ++b)
      layout.column[layout.start[k] + b - base_.start[old]] = layout.position[block_at_[base_.column[b]]];
  }
  merged_.assign(layout.start.begin(), layout.start.end());
  for (const auto& pair : edges_)
    layout.column[merged_[row_of(pair)]++] = std::max(layout.position[pair.first], layout.position[pair.second]);
  for (int k = kept; k < n; ++k)
    std::sort(layout.column.begin() + layout.start[k], layout.column.begin() + layout.start[k + 1]);
}

}  // namespace flexura::detail
