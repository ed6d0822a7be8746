#pragma once
// Fiduccia–Mattheyses on vertex separators (Fiduccia, Mattheyses 1982; of nodes: Hendrickson, Rothberg 1998).

#include "flexura/math/weighted_graph.hpp"

namespace flexura {

/// Nodes by priority, the largest on top; of equal ones the first.
class NodeHeap {
 public:
  explicit NodeHeap(int nodes) : place_(nodes, -1), priority_(nodes) {}
  void clear();
  bool empty() const { return nodes_.empty(); }
  int top() const { return nodes_[0]; }
  bool contains(int node) const { return place_[node] >= 0; }
  void insert(int node, std::int64_t priority);
  void raise(int node, std::int64_t by);
  int pop();

 private:
  bool before(int a, int b) const { return priority_[a] != priority_[b] ? priority_[a] > priority_[b] : a < b; }
  void put(int place, int node) {
    nodes_[place] = node;
    place_[node] = place;
  }
  void rise(int place);
  void sink(int place);

  std::vector<int> nodes_, place_;
  std::vector<std::int64_t> priority_;
};

/// Moves nodes from the separator to one side, which draws their neighbours on the other side into the separator: it travels
/// through the graph, and stays where it was best.
class SeparatorRefinement {
 public:
  /// `imbalance`: difference of the sides, relative to their sum, that costs nothing.
  SeparatorRefinement(const WeightedGraph& graph, double imbalance)
      : graph_(graph), imbalance_(imbalance), heap_(graph.size()), moved_(graph.size()) {}

  /// Weight of the separator, and of what one side has too much.
  double cost(const Separation& split) const;
  /// Grows the left side from a node until the sides are even, always by what adds least to the separator.
  Separation grow(int from);
  /// To the one side and to the other in turn, until neither gains anything.
  void improve(Separation& split, int passes);

 private:
  using Side = Separation::Side;
  struct Change {
    int node;
    Side from;
  };

  void open(Separation& split, Side to);
  bool run_pass(Separation& split, Side to);
  void move_top();
  void set(int node, Side to);
  void draw(int node);

  const WeightedGraph& graph_;
  const double imbalance_;
  Separation* split_ = nullptr;
  Side to_ = Side::left, other_ = Side::right;
  NodeHeap heap_;  ///< nodes of the separator by what moving them gains
  std::vector<char> moved_;
  std::vector<Change> changes_;
};

}  // namespace flexura
