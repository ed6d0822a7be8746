#pragma once
// What a block-sparse matrix looks like before it has values.

#include <cstddef>
#include <utility>
#include <vector>

namespace flexura {

/// Blocks of unknowns and the pairs of blocks that are coupled. y is the concatenation of the blocks in their order.
struct BlockPattern {
  std::vector<int> sizes;        ///< unknowns of each block, 1..12
  std::vector<char> constraint;  ///< 1: a block of multipliers; eliminated after the blocks it touches. May be empty
  std::vector<std::pair<int, int>> pairs;  ///< coupled blocks, any order, duplicates and (i, i) allowed
  /// 1: A may be unsymmetric in this block, and between two of these; empty: everywhere. Read of unsymmetric matrices: what
  /// is eliminated before it meets such blocks is factored as a symmetric matrix is, by dense fronts.
  std::vector<char> skew = {};
};

enum class Symmetry { symmetric, unsymmetric };

/// Where A(rows of block i, columns of block j) lives in the value array:
/// element (r, c) is values[offset + r row_stride + c col_stride].
struct Entry {
  std::ptrdiff_t offset;
  int row_stride, col_stride;
};

/// Largest block; sizes are rounded up to the next of 1, 2, 3, 4, 6, 9, 12.
inline constexpr int max_block_size = 12;

}  // namespace flexura
