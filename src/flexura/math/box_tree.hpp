#pragma once
// Boxes along the axes, and which of them overlap.

#include <limits>
#include <span>
#include <utility>
#include <vector>

namespace flexura {

struct Box {
  double low[3], high[3];

  static Box nothing() {
    constexpr double most = std::numeric_limits<double>::infinity();
    return {{most, most, most}, {-most, -most, -most}};
  }
  /// Grows around the point, with `margin` on all sides.
  void include(const double* x, int dim, double margin);
  void include(const Box& other);
  bool overlaps(const Box& other) const {
    for (int i = 0; i < 3; ++i)
      if (low[i] > other.high[i] || other.low[i] > high[i]) return false;
    return true;
  }
  bool contains(const double* x, int dim) const {
    for (int i = 0; i < dim; ++i)
      if (x[i] < low[i] || x[i] > high[i]) return false;
    return true;
  }
};

/// Halves the boxes by their centres again and again, so that of many boxes only neighbours are compared, and one that is
/// large or far away costs no more than the others. Takes no memory from the heap once it has seen as many boxes and pairs.
class BoxTree {
 public:
  /// All pairs (i, j), i < j, of boxes that overlap, ascending. Boxes without a point overlap none.
  const std::vector<std::pair<int, int>>& overlaps(std::span<const Box> boxes);
  /// Comparisons of two boxes in the last search.
  long comparisons() const { return comparisons_; }

 private:
  struct Node {
    Box box;
    int first, last;  ///< in order_
    int left, right;  ///< −1: a leaf
  };
  int build(int first, int last);
  void within(int node);
  void between(int a, int b);
  void compare(int i, int j);

  std::span<const Box> boxes_;
  std::vector<int> order_;
  std::vector<Node> nodes_;
  std::vector<std::pair<int, int>> pairs_;
  long comparisons_ = 0;
};

}  // namespace flexura
