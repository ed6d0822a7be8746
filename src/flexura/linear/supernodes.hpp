#pragma once
// The structure of a multifrontal factorisation: which unknowns are eliminated together in which dense front.

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
/// front's update and those of its children are never on the same one.
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
  /// A multiplier among the rows of a front.
  struct Multiplier {
    int row, scale;  ///< row of the front; which multiplier it is
  };
  struct Front {
    int parent;               ///< −1: none
    int first;                ///< number of the first pivot in the order of elimination
    int pivots, rows;         ///< rows: later unknowns
    int children, first_run;  ///< in `child`; of its rows in the parent's, in `to_parent`
    int first_row;            ///< runs of its later rows in the order of elimination, in `to_order`
    int first_source, first_multiplier;
    int halves;  ///< 1: what it holds is symmetric, and so are its children; 2: L and Uᵀ differ
    std::ptrdiff_t panel, upper_panel, update;  ///< places in the factor: L, Uᵀ (L again, if symmetric); in the stacks

    int pivot_rows() const { return (pivots + 3) / 4 * 4; }
    int later_rows() const { return (rows + 3) / 4 * 4; }
    std::ptrdiff_t height() const { return pivot_rows() + later_rows(); }
  };

  std::vector<Front> fronts;  ///< and one behind the last, for the ends of its lists
  std::vector<int> child;
  std::vector<Run> to_parent, to_order;
  std::vector<Source> sources;
  std::vector<Multiplier> multipliers;
  std::vector<int> first_of_block;       ///< number in the order of elimination, by position in the layout
  std::vector<std::ptrdiff_t> diagonal;  ///< in the value array, by number in the order of elimination
  std::vector<int> scale;                ///< by number in the order of elimination: which multiplier, −1 if none
  int multiplier_count = 0;
  std::ptrdiff_t panel_values = 0, update_values = 0, largest_panel = 0;
  int most_pivots = 0, most_rows = 0;

  int size() const { return static_cast<int>(fronts.size()) - 1; }
  explicit Supernodes(const ValueLayout& layout);
};

}  // namespace flexura::detail
