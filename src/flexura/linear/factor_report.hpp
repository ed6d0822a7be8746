#pragma once

#include <span>

#include "flexura/math/scalar.hpp"

namespace flexura {

/// A redundant constraint: its multiplier is held at zero in the named lanes.
template <class V>
struct RedundantRow {
  int unknown;  ///< index in y
  MaskOf<V> lanes;
};

/// A pivot this much below what it was eliminated from leaves too few digits.
inline constexpr double weak_pivot = 1e-8;

/// What a factorisation found, lane by lane. Only lanes with `ok` may be solved.
template <class V>
struct FactorReport {
  MaskOf<V> ok;       ///< every pivot is finite and larger than the rounding error of its elimination
  V weakest_pivot;    ///< least |pivot| relative to what it was eliminated from; 1 is best, below 16 ε is not ok
  V negative_pivots;  ///< for a symmetric matrix its number of negative eigenvalues
  std::span<const RedundantRow<V>> redundant_rows;  ///< valid until the next factorisation
};

}  // namespace flexura
