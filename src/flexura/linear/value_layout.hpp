#pragma once
// The value array of a block-sparse matrix: what the assembler writes and the factorisation reads.

#include <cstdint>
#include <span>
#include <vector>

#include "flexura/linear/block_pattern.hpp"
#include "flexura/math/block_graph.hpp"

namespace flexura {

/// Blocks in elimination order, row by row: diagonal block, then the coupled blocks to its right, each padded to
/// block_size rows of `stride` values. An unsymmetric matrix has its lower blocks behind all of these, transposed.
struct ValueLayout {
  Symmetry symmetry = Symmetry::symmetric;
  int unknowns = 0;              ///< length of y
  int block_size = 1;            ///< rows of a padded block
  bool fronts = false;           ///< much fill, as of a mesh: factored by dense fronts instead of block by block
  int stride = 1;                ///< values from one row of a padded block to the next
  std::vector<int> sizes;        ///< unknowns, by position in elimination order
  std::vector<int> first;        ///< index in y of the first unknown, by position
  std::vector<char> constraint;  ///< by position
  std::vector<char> skew;        ///< by position: see BlockPattern
  std::vector<int> position;     ///< of each block in the elimination order
  std::vector<int> start;        ///< row k holds the blocks start[k] .. start[k+1] right of its diagonal block
  std::vector<int> column;       ///< positions, ascending in each row

  int rows() const { return static_cast<int>(sizes.size()); }
  std::ptrdiff_t block_values() const { return static_cast<std::ptrdiff_t>(block_size) * stride; }
  std::ptrdiff_t value_count() const;
  std::ptrdiff_t diagonal_offset(int k) const { return (k + static_cast<std::ptrdiff_t>(start[k])) * block_values(); }
  std::ptrdiff_t upper_offset(int k, int b) const { return (k + 1 + static_cast<std::ptrdiff_t>(b)) * block_values(); }
  std::ptrdiff_t lower_offset(int b) const {
    return (rows() + static_cast<std::ptrdiff_t>(column.size()) + b) * block_values();
  }
  /// A(block i, block j), blocks numbered as in the pattern; the pair must be in the pattern.
  Entry entry(int i, int j) const;
  /// Whether the pair is in the pattern.
  bool couples(int i, int j) const { return i == j || place_of(i, j) >= 0; }
  /// The blocks' graph in elimination order.
  BlockGraph graph() const;

  /// out = A x, y order.
  template <class V, class X>
  void multiply(std::span<const V> values, std::span<const X> x, std::span<X> out) const;
  /// out = |A_ii|, y order.
  template <class V>
  void diagonal(std::span<const V> values, std::span<V> out) const;
  /// max |A_ij − A_ji| / √(d_i d_j), which no choice of units changes; d_i = |A_ii|, or max_j |A_ij A_ji| / |A_jj| where that is 0.
  double asymmetry(std::span<const double> values) const;
  /// Calls f(row, column, index) for every entry of A: indices in y, index in the value array.
  template <class F>
  void for_each_entry(F f) const;

 private:
  int place_of(int i, int j) const;  ///< in `column`, of two different blocks; −1: not coupled
};

/// Smallest supported block size that holds `size` unknowns.
int padded_block_size(int size);

/// Chooses the elimination order and lays out the values; `row_multiple`: rows of blocks of 3 and more are padded to
/// it.
ValueLayout make_value_layout(const BlockPattern& pattern, Symmetry symmetry, int row_multiple);

template <class F>
void ValueLayout::for_each_entry(F f) const {
  for (int k = 0; k < rows(); ++k) {
    const std::ptrdiff_t diagonal = diagonal_offset(k);
    for (int r = 0; r < sizes[k]; ++r) {
      for (int c = 0; c < sizes[k]; ++c) {
        const bool mirrored = symmetry == Symmetry::symmetric && c < r;
        f(first[k] + r, first[k] + c, diagonal + (mirrored ? c * stride + r : r * stride + c));
      }
    }
    for (int b = start[k]; b < start[k + 1]; ++b) {
      const int j = column[b];
      const std::ptrdiff_t upper = upper_offset(k, b);
      const std::ptrdiff_t lower = symmetry == Symmetry::symmetric ? upper : lower_offset(b);
      for (int r = 0; r < sizes[k]; ++r) {
        for (int c = 0; c < sizes[j]; ++c) {
          f(first[k] + r, first[j] + c, upper + r * stride + c);
          f(first[j] + c, first[k] + r, lower + r * stride + c);
        }
      }
    }
  }
}

}  // namespace flexura
