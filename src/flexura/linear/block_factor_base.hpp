#pragma once
// What LinearSolver sees of a factorisation: its block size is hidden behind one virtual call per factor or solve.

#include <memory>
#include <span>

#include "flexura/linear/factor_report.hpp"
#include "flexura/linear/value_layout.hpp"

namespace flexura {
class ThreadPool;  // assembly/thread_pool.hpp
}  // namespace flexura

namespace flexura::detail {

template <class V>
class AnyBlockFactor {
 public:
  virtual ~AnyBlockFactor() = default;
  virtual FactorReport<V> factor(std::span<const V> values) = 0;
  /// Right-hand side and solution are y[0], y[step], y[2 step], …
  virtual void solve(V* y, int step, bool transposed) = 0;
  /// The same for `count` right-hand sides, of which each begins `apart` values behind the last; the bits of each are
  /// those of solve().
  virtual void solve_several(V* y, int step, int count, std::ptrdiff_t apart, bool transposed) {
    for (int i = 0; i < count; ++i) solve(y + i * apart, step, transposed);
  }
  /// out = |pivot| of every multiplier of the last factorisation, y order; other entries are left alone.
  virtual void multiplier_pivots(V* out) const = 0;
  /// Takes over a change of its layout, whose block size stayed. False: it cannot.
  virtual bool rebind(const FactorStructure&) { return false; }
};

/// Picks the block size at run time; the layout and the pool must outlive the factor. Defined for double and Lanes.
template <class V, bool symmetric>
std::unique_ptr<AnyBlockFactor<V>> make_block_factor(const ValueLayout& layout, ThreadPool* pool = nullptr);
/// The same by dense fronts, on the threads of a pool if there is one.
template <class V, bool symmetric>
std::unique_ptr<AnyBlockFactor<V>> make_supernodal_factor(const ValueLayout& layout, ThreadPool* pool);

}  // namespace flexura::detail
