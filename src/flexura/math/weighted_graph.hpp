#pragma once
// A graph whose nodes stand for several nodes of a finer one.

#include <cstdint>
#include <vector>

namespace flexura {

/// Undirected, in compressed rows, without loops and duplicates.
struct WeightedGraph {
  std::vector<int> start{0}, neighbour;
  std::vector<int> weight;  ///< of each node
  std::vector<int> edge;    ///< weight of each entry of `neighbour`: finer edges that it stands for

  int size() const { return static_cast<int>(weight.size()); }
};

/// A graph in three parts; no edge joins left and right.
struct Separation {
  enum Side : unsigned char { left, right, between };

  std::vector<Side> side;              ///< of each node
  std::int64_t weight[3] = {0, 0, 0};  ///< of each side, and of the separator between them
};

}  // namespace flexura
