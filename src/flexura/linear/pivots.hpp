#pragma once
// What the factorisations without pivoting ask of their pivots.

#include <limits>

#include "flexura/linear/block_kernels.hpp"

namespace flexura::detail {

/// A multiplier's pivot this much smaller than what it was eliminated from belongs to a redundant constraint.
inline constexpr double redundant_ratio = 1e-11;
/// Below this ratio a pivot holds nothing but rounding errors.
inline constexpr double worthless_ratio = 16 * std::numeric_limits<double>::epsilon();

/// What the pivots so far were like.
template <class V>
struct Pivots {
  V growth{1.0};    ///< largest ratio of what a pivot was eliminated from to the pivot
  V poison{0.0};    ///< NaN once a pivot was zero or not finite
  V negative{0.0};  ///< number of negative pivots

  /// 1 / pivot, zero for a redundant constraint. `size`: of what the pivot was eliminated from.
  template <bool constraint>
  [[gnu::always_inline]] V invert(V pivot, V size, MaskOf<V>& redundant) {
    V inverse = V(1.0) / pivot;
    if constexpr (constraint) {
      redundant = abs(pivot) <= V(redundant_ratio) * size;
      inverse = select(redundant, V(0.0), inverse);
    }
    growth = larger(abs(inverse) * size, growth);
    keep_apart(growth);
    poison = fma(pivot * inverse, V(0.0), poison);
    keep_apart(poison);
    negative += select(inverse < V(0.0), V(1.0), V(0.0));
    return inverse;
  }
  /// Those of another part of the matrix.
  void add(const Pivots& other) {
    growth = larger(other.growth, growth);
    poison += other.poison;
    negative += other.negative;
  }
  /// All pivots are finite and larger than the rounding errors of their elimination.
  MaskOf<V> ok() const {
    const MaskOf<V> finite = poison == V(0.0), strong = growth < V(1.0 / worthless_ratio);
    return MaskOf<V>(finite & strong);
  }
};

}  // namespace flexura::detail
