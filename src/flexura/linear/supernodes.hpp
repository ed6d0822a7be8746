#pragma once
// The structure of a multifrontal factorisation: which unknowns are eliminated together in which dense front.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "flexura/linear/value_layout.hpp"

namespace flexura::detail {

/// Fronts in postorder. The rows of a front are its pivots, padded to a multiple of four, and then the unknowns that
/// are coupled with them and eliminated later, padded as well.
///
///        pivots  later
///      ┌────────┐
///      │ panel  │            panel: what stays as columns of L (and of Uᵀ)
///      │        │
///      ├────────┼────────┐
///      │        │ update │   update: what the elimination leaves to the parent
///      └────────┴────────┘
///
/// An update lives until the parent has added it. Updates of odd and of even depth lie on a stack each, so that a
/// front's update and those of its children are never on the same one. Those of subtrees that one thread works on lie on
/// stacks of the thread's own; that of a subtree's root, and of fronts above, on common ones.
struct Supernodes {
  /// `length` rows from row `from` of one numbering to row `to` of another.
  struct Run {
    int from, to, length;
  };
  /// A block of A whose values are read by rows and become columns of a panel.
  struct Source {
    std::ptrdiff_t upper, lower;  ///< in the value array; lower −1 for a diagonal block
    int row, column;              ///< in the front
    int rows, columns;
  };
  /// A multiplier among the later rows of a front.
  struct Multiplier {
    int row, scale;  ///< row of the front; which multiplier it is
  };
  /// Some fronts in a row, which one thread eliminates.
  struct Range {
    int first, end;
  };
  enum class Work { ranges, assembly, pivots, rows, update };
  /// What can be done at the same time, in so many pieces.
  struct Phase {
    Work work;
    int front;   ///< of which the rest of the numbers speak; of ranges the first of them
    int column;  ///< first of a block of pivots
    int pieces;
  };
  struct Front {
    int parent;               ///< −1: none
    int first;                ///< number of the first pivot in the order of elimination
    int pivots, rows;         ///< rows: later unknowns
    int children, first_run;  ///< in `child`; of its rows in the parent's, in `to_parent`
    int first_row;            ///< runs of its later rows in the order of elimination, in `to_order`
    int first_source, first_multiplier;
    int halves;   ///< 1: what it holds is symmetric, and so are its children; 2: L and Uᵀ differ
    bool shared;  ///< several threads work on it; its update and those of its children are on the common stacks
    bool common;  ///< its update is
    std::ptrdiff_t panel, upper_panel, update;  ///< places in the factor: L, Uᵀ (L again, if symmetric); in the stacks

    int pivot_rows() const { return (pivots + 3) / 4 * 4; }
    int later_rows() const { return (rows + 3) / 4 * 4; }
    std::ptrdiff_t height() const { return pivot_rows() + later_rows(); }
    double flops() const {
      const double s = pivots, r = rows;
      return halves * s * (s * s / 3 + s * r + r * r);
    }
  };
  /// Pieces of rows or columns, those of pivots and later ones apart.
  struct Strips {
    int first, middle, last, width;
    struct Strip {
      int begin, end;
    };
    int count() const { return count(middle - first) + count(last - middle); }
    Strip at(int i) const {
      const int before = count(middle - first);
      const int begin = i < before ? first + i * width : middle + (i - before) * width;
      return {begin, std::min(begin + width, i < before ? middle : last)};
    }

   private:
    int count(int rows) const { return (rows + width - 1) / width; }
  };
  static constexpr int block = 128;  ///< pivots that are eliminated before the rest of a large front is updated
  static int block_end(const Front& front, int column) {
    return column + block < front.pivots ? column + block : front.pivot_rows();
  }
  static Strips columns_of(const Front& front) { return {0, front.pivot_rows(), static_cast<int>(front.height()), 48}; }
  /// Rows and columns behind a block of pivots: as many as stay in a cache while rows pass by.
  static Strips strips_behind(const Front& front, int column) {
    return {block_end(front, column), front.pivot_rows(), static_cast<int>(front.height()), 96};
  }
  /// Whether rows are updated as soon as they are solved for: what they are updated with stays in a cache.
  static bool is_small(const Front& front) { return front.pivots <= block && front.height() * front.pivots <= 131072; }

  std::vector<Front> fronts;  ///< and one behind the last, for the ends of its lists
  std::vector<int> child;
  std::vector<Run> to_parent, to_order;
  std::vector<Source> sources;
  std::vector<Multiplier> multipliers;
  std::vector<int> first_cell, cell;  ///< by multiplier: where it is in `multipliers`, ascending
  std::vector<Range> ranges;
  std::vector<Phase> phases;
  std::vector<int> first_of_block;       ///< number in the order of elimination, by position in the layout
  std::vector<std::ptrdiff_t> diagonal;  ///< in the value array, by number in the order of elimination
  std::vector<int> scale;                ///< by number in the order of elimination: which multiplier, −1 if none
  int multiplier_count = 0;
  std::ptrdiff_t panel_values = 0;
  /// Of what threads share and of what each has: updates; the largest panel, and rows of its blocks of pivots.
  struct Sizes {
    std::ptrdiff_t updates = 0, panel = 0, rows = 0;
  } common, own;
  int most_pivots = 0, most_rows = 0;

  int size() const { return static_cast<int>(fronts.size()) - 1; }
  explicit Supernodes(const ValueLayout& layout);
};

}  // namespace flexura::detail
