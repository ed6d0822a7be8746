#include "flexura/math/box_tree.hpp"

#include <algorithm>

namespace flexura {

namespace {

constexpr int leaf_size = 4;

}  // namespace

void Box::include(const double* x, int dim, double margin) {
  for (int i = 0; i < 3; ++i) {
    const double at = i < dim ? x[i] : 0.0;
    low[i] = std::min(low[i], at - margin);
    high[i] = std::max(high[i], at + margin);
  }
}

void Box::include(const Box& other) {
  for (int i = 0; i < 3; ++i) {
    low[i] = std::min(low[i], other.low[i]);
    high[i] = std::max(high[i], other.high[i]);
  }
}

const std::vector<std::pair<int, int>>& BoxTree::overlaps(std::span<const Box> boxes) {
  boxes_ = boxes;
  comparisons_ = 0;
  pairs_.clear();
  nodes_.clear();
  order_.clear();
  for (int i = 0; i < static_cast<int>(boxes.size()); ++i)
    if (boxes[i].low[0] <= boxes[i].high[0]) order_.push_back(i);
  if (order_.empty()) return pairs_;
  within(build(0, static_cast<int>(order_.size())));
  std::sort(pairs_.begin(), pairs_.end());
  return pairs_;
}

int BoxTree::build(int first, int last) {
  Box box = Box::nothing();
  for (int k = first; k < last; ++k) box.include(boxes_[order_[k]]);
  const int node = static_cast<int>(nodes_.size());
  nodes_.push_back({box, first, last, -1, -1});
  if (last - first <= leaf_size) return node;
  const auto center = [&](int i, int axis) { return boxes_[i].low[axis] + boxes_[i].high[axis]; };
  int axis = 0;
  double widest = -1;
  for (int a = 0; a < 3; ++a) {
    const auto [least, most] = std::minmax_element(order_.begin() + first, order_.begin() + last,
                                                   [&](int i, int j) { return center(i, a) < center(j, a); });
    const double width = center(*most, a) - center(*least, a);
    if (width > widest) widest = width, axis = a;
  }
  const int middle = first + (last - first) / 2;
  std::nth_element(order_.begin() + first, order_.begin() + middle, order_.begin() + last, [&](int i, int j) {
    return center(i, axis) != center(j, axis) ? center(i, axis) < center(j, axis) : i < j;
  });
  const int left = build(first, middle), right = build(middle, last);
  nodes_[node].left = left;
  nodes_[node].right = right;
  return node;
}

void BoxTree::within(int node) {
  const Node& n = nodes_[node];
  if (n.left >= 0) {
    within(n.left);
    within(n.right);
    return between(n.left, n.right);
  }
  for (int k = n.first; k < n.last; ++k)
    for (int l = k + 1; l < n.last; ++l) compare(order_[k], order_[l]);
}

void BoxTree::between(int a, int b) {
  ++comparisons_;
  if (!nodes_[a].box.overlaps(nodes_[b].box)) return;
  if (nodes_[a].left < 0 && nodes_[b].left < 0) {
    for (int k = nodes_[a].first; k < nodes_[a].last; ++k)
      for (int l = nodes_[b].first; l < nodes_[b].last; ++l) compare(order_[k], order_[l]);
    return;
  }
  const auto count = [&](int node) { return nodes_[node].last - nodes_[node].first; };
  if (nodes_[b].left < 0 || (nodes_[a].left >= 0 && count(a) >= count(b))) std::swap(a, b);
  const int left = nodes_[b].left, right = nodes_[b].right;
  between(left, a);
  between(right, a);
}

void BoxTree::compare(int i, int j) {
  ++comparisons_;
  if (boxes_[i].overlaps(boxes_[j])) pairs_.emplace_back(std::min(i, j), std::max(i, j));
}

}  // namespace flexura
