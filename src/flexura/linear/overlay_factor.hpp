#pragma once
// The factor of a matrix with blocks beside those of its pattern: pairs that come and go, as contacts do.
//
// The base keeps its analysis for good. Of a set of further pairs only what they join is analysed again: parts (connected
// components of the base) that no pair touches keep their order and structure; those that pairs join are ordered anew by
// minimum degree, of which the structure of the factor is a by-product. Values of the base are where they always were, the
// blocks of the further pairs lie behind them; both are moved to their places in the new order before a factorisation.
//
// Several sets are kept, so that two that alternate are analysed once; a set serves all that are not much smaller.

#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "flexura/linear/aligned_vector.hpp"
#include "flexura/linear/block_factor_base.hpp"

namespace flexura::detail {

using BlockPairs = std::vector<std::pair<int, int>>;  ///< i > j, ascending, each once

/// Order of elimination and structure of base and pairs; its memory grows to a high-water mark.
class OverlayAnalysis {
 public:
  /// `base`: the layout of the base.
  explicit OverlayAnalysis(const ValueLayout& base);

  /// Makes the layout and the factor's structure. False where the fill asks for dense fronts: both are then unfinished.
  bool analyse(const BlockPairs& pairs, ValueLayout& layout, FactorStructure& structure);
  /// Blocks whose order and structure the last analysis found anew.
  int analysed() const { return static_cast<int>(joined_.size()); }

 private:
  void join(const BlockPairs& pairs);
  bool eliminate();
  void absorb(int node, int pivot);
  void insert(int node);
  void remove(int node);
  void number(ValueLayout& layout);

  struct List {  ///< ascending nodes at pool_[first …)
    int first = 0, size = 0, capacity = 0;
  };
  void reserve(List& list, int size);
  std::span<const int> items(const List& list) const {
    return {pool_.data() + list.first, pool_.data() + list.first + list.size};
  }

  const ValueLayout& base_;
  FactorStructure base_structure_;
  BlockPairs base_pairs_;        ///< blocks of the base, i > j, ascending
  std::vector<int> block_at_;    ///< by position in the base
  std::vector<int> component_;   ///< of the base, by block
  std::vector<int> parent_;      ///< of components that pairs join
  std::vector<char> is_joined_;  ///< by component
  std::vector<int> joined_;      ///< blocks, ascending
  std::vector<int> order_;       ///< of elimination: blocks
  // The graph of the joined blocks while they are eliminated, by block.
  std::vector<List> neighbours_;
  std::vector<int> pool_, merged_, waits_for_;
  std::vector<int> head_, next_, previous_;  ///< nodes by degree
  std::vector<std::pair<int, int>> edges_;
  std::vector<int> start_, fill_;  ///< of each joined block its later neighbours, in the order of elimination
  int lowest_ = 0;
};

/// One set of pairs with its factor.
template <class V>
class OverlayFactor {
 public:
  BlockPairs pairs;
  std::unique_ptr<AnyBlockFactor<V>> factor;

  /// `pool`: of a base with dense fronts, or null.
  void rebuild(const ValueLayout& base, int row_multiple, OverlayAnalysis& analysis, ThreadPool* pool);
  /// `values`: of the base, and the blocks of `pairs` behind them.
  FactorReport<V> run(const ValueLayout& base, std::span<const V> values);
  const ValueLayout& layout() const { return layout_; }
  long used = 0;  ///< when it was last asked for

 private:
  struct Move {
    std::ptrdiff_t from, to;
    bool transposed;
  };
  void plan_moves(const ValueLayout& base);

  ValueLayout layout_;
  FactorStructure structure_;
  std::vector<Move> moves_;
  std::vector<int> now_at_;  ///< in the layout, by position in the base
  AlignedVector<V> values_;
};

extern template class OverlayFactor<double>;
extern template class OverlayFactor<Lanes>;

}  // namespace flexura::detail
