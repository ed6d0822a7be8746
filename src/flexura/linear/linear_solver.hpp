#pragma once
// Direct solver for the block-sparse systems of the integrators and of statics: LDLᵀ, or LU on the same structure.

#include <memory>
#include <span>

#include "flexura/assembly/thread_pool.hpp"
#include "flexura/linear/block_factor_base.hpp"
#include "flexura/linear/block_pattern.hpp"
#include "flexura/linear/factor_report.hpp"
#include "flexura/linear/overlay_factor.hpp"
#include "flexura/linear/value_layout.hpp"
#include "flexura/math/dual.hpp"

namespace flexura {

/// Solves A y = b, where V is double or a pack of whole simulations that share the pattern. Right-hand sides may be
/// duals: the solution's derivative at a fixed matrix.
///
/// Use: analyse a pattern once; fill the value array through entry(); factor; solve. Nothing but analyse() takes memory
/// from the heap. A lane's bits are those of the same system solved alone. Not to be used from two threads at once.
///
/// Pairs of blocks beside the pattern may come and go: see set_overlay() and overlay_factor.hpp.
///
/// There is no pivoting: constraint blocks are eliminated after the blocks they touch, which suffices where the rest is
/// positive definite on the constraints met so far. Look at FactorReport::weakest_pivot, and use SparseFallback
/// otherwise.
template <class V>
class LinearSolver {
 public:
  /// `threads`: on which dense fronts are factored; the results do not depend on it.
  void analyse(const BlockPattern& pattern, Symmetry symmetry, int threads = 1);

  /// Values that the caller provides, zero where it writes nothing: of the pattern, and of the overlay behind them.
  std::ptrdiff_t value_count() const { return layout().value_count() + overlay_value_count(); }
  /// Where A(block i, block j) lives. Symmetric: entry(i, j) and entry(j, i) name the same memory, write it once; of a
  /// diagonal block the elements row ≥ column are read. Unsymmetric: all blocks are separate.
  Entry entry(int i, int j) const;
  const ValueLayout& layout() const { return *layout_; }  ///< of the pattern, without the overlay

  /// Couples further pairs of blocks (in any order, repeated, or of the pattern as well) until it is called again. Entries of
  /// the pattern stay where they are, those of the overlay are to be asked for anew and all to be written: some may be of
  /// pairs that were not asked for. Takes no memory from the heap once it has seen as many pairs, but where fill asks for
  /// dense fronts.
  void set_overlay(std::span<const std::pair<int, int>> pairs);
  /// Forgets kept overlays: what is found next does not depend on what was before.
  void reset_overlays();
  /// Since analyse(): sets of pairs that were analysed, and blocks that were ordered anew in doing so.
  long overlays_analysed() const { return overlays_analysed_; }
  long blocks_analysed() const { return blocks_analysed_; }

  FactorReport<V> factor(std::span<const V> values) {
    return overlay_ == nullptr ? factor_->factor(values) : overlay_->run(*layout_, values);
  }

  /// out = |pivot| of every multiplier, what its constraint was eliminated to; 0 of a redundant row. Other entries: untouched.
  void multiplier_pivots(std::span<V> out) const { current().multiplier_pivots(out.data()); }

  /// In place, in the order of y.
  void solve(std::span<V> y) const { current().solve(y.data(), 1, false); }
  void solve(std::span<Dual<V>> y) const { solve_dual(y, false); }
  void solve_transposed(std::span<V> y) const { current().solve(y.data(), 1, true); }
  void solve_transposed(std::span<Dual<V>> y) const { solve_dual(y, true); }

  /// Several right-hand sides, one behind the other; the bits of each are those of solve().
  void solve_several(std::span<V> y, int count) const {
    current().solve_several(y.data(), 1, count, layout().unknowns, false);
  }

  /// out = A x from the value array, the overlay left out; X is V or Dual<V>.
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
    current().solve_several(&y[0].v, 2, 2, 1, transposed);
  }

  detail::AnyBlockFactor<V>& current() const { return overlay_ == nullptr ? *factor_ : *overlay_->factor; }
  std::ptrdiff_t overlay_value_count() const {
    if (overlay_ == nullptr) return 0;
    return static_cast<std::ptrdiff_t>(overlay_->pairs.size()) * overlay_block_values();
  }
  std::ptrdiff_t overlay_block_values() const {
    return layout_->block_values() * (layout_->symmetry == Symmetry::symmetric ? 1 : 2);
  }
  detail::OverlayFactor<V>* kept_overlay() const;

  std::unique_ptr<ThreadPool> pool_;  ///< null: one thread
  std::unique_ptr<ValueLayout> layout_;
  std::unique_ptr<detail::AnyBlockFactor<V>> factor_;
  std::unique_ptr<detail::OverlayAnalysis> analysis_;  ///< made when first needed
  std::vector<std::unique_ptr<detail::OverlayFactor<V>>> overlays_;
  detail::OverlayFactor<V>* overlay_ = nullptr;  ///< the one in use; null: none
  detail::BlockPairs wanted_;
  long asked_ = 0, overlays_analysed_ = 0, blocks_analysed_ = 0;
};

extern template class LinearSolver<double>;
extern template class LinearSolver<Lanes>;

}  // namespace flexura
