#pragma once
// Direct solver for the block-sparse systems of the integrators and of statics: LDLᵀ, or LU on the same structure.

#include <memory>
#include <span>

#include "flexura/linear/block_factor_base.hpp"
#include "flexura/linear/block_pattern.hpp"
#include "flexura/linear/factor_report.hpp"
#include "flexura/linear/value_layout.hpp"
#include "flexura/math/dual.hpp"

namespace flexura {

/// Solves A y = b, where V is double or a pack of whole simulations that share the pattern. Right-hand sides may be
/// duals: the solution's derivative at a fixed matrix.
///
/// Use: analyse a pattern once; fill the value array through entry(); factor; solve. Nothing but analyse() takes memory
/// from the heap. A lane's bits are those of the same system solved alone. Not to be used from two threads at once.
///
/// There is no pivoting: constraint blocks are eliminated after the blocks they touch, which suffices where the rest is
/// positive definite on the constraints met so far. Look at FactorReport::weakest_pivot, and use SparseFallback
/// otherwise.
template <class V>
class LinearSolver {
 public:
  void analyse(const BlockPattern& pattern, Symmetry symmetry);

  /// Values that the caller provides, zero where it writes nothing.
  std::ptrdiff_t value_count() const { return layout().value_count(); }
  /// Where A(block i, block j) lives. Symmetric: entry(i, j) and entry(j, i) name the same memory, write it once; of a
  /// diagonal block the elements row ≥ column are read. Unsymmetric: all blocks are separate.
  Entry entry(int i, int j) const { return layout().entry(i, j); }
  const ValueLayout& layout() const { return *layout_; }

  FactorReport<V> factor(std::span<const V> values) { return factor_->factor(values); }

  /// out = |pivot| of every multiplier, what its constraint was eliminated to; 0 if set aside. Other entries: untouched.
  void multiplier_pivots(std::span<V> out) const { factor_->multiplier_pivots(out.data()); }

  /// In place, in the order of y.
  void solve(std::span<V> y) const { factor_->solve(y.data(), 1, false); }
  void solve(std::span<Dual<V>> y) const { solve_dual(y, false); }
  void solve_transposed(std::span<V> y) const { factor_->solve(y.data(), 1, true); }
  void solve_transposed(std::span<Dual<V>> y) const { solve_dual(y, true); }

  /// Several right-hand sides, one behind the other; the bits of each are those of solve().
  void solve_several(std::span<V> y, int count) const {
    factor_->solve_several(y.data(), 1, count, layout().unknowns, false);
  }

  /// out = A x from the value array; X is V or Dual<V>.
  template <class X>
  void multiply(std::span<const V> values, std::span<const X> x, std::span<X> out) const {
    layout().multiply(values, x, out);
  }
  /// out = |A_ii|.
  void diagonal(std::span<const V> values, std::span<V> out) const { layout().diagonal(values, out); }

 private:
  void solve_dual(std::span<Dual<V>> y, bool transposed) const {
    static_assert(sizeof(Dual<V>) == 2 * sizeof(V));
    if (y.empty()) return;
    factor_->solve_several(&y[0].v, 2, 2, 1, transposed);
  }

  std::unique_ptr<ValueLayout> layout_;
  std::unique_ptr<detail::AnyBlockFactor<V>> factor_;
};

extern template class LinearSolver<double>;
extern template class LinearSolver<Lanes>;

}  // namespace flexura
