#pragma once
// Pieces of work that several threads share, one set of them after the other.

#include <immintrin.h>

#include <atomic>
#include <cstdint>

namespace flexura::detail {

/// What is taken and what is done of a phase; each on a cache line of its own.
class PhaseCount {
 public:
  void reset() {
    next_.store(0, std::memory_order_relaxed);
    done_.store(0, std::memory_order_relaxed);
  }
  /// f(piece) of pieces that nobody has taken yet, and then waits for those of others. Each thread calls it once.
  template <class F>
  void run(int pieces, F f) {
    const auto all = static_cast<std::uint32_t>(pieces);
    for (std::uint32_t piece = 0; (piece = next_.fetch_add(1, std::memory_order_relaxed)) < all;) {
      f(static_cast<int>(piece));
      if (done_.fetch_add(1, std::memory_order_acq_rel) + 1 == all) done_.notify_all();
    }
    for (int looks = 0; looks < 2000; ++looks) {  // some 50 µs, then the processor may be another's
      if (done_.load(std::memory_order_acquire) == all) return;
      _mm_pause();
    }
    for (std::uint32_t done = 0; (done = done_.load(std::memory_order_acquire)) != all;) done_.wait(done);
  }

 private:
  alignas(64) std::atomic<std::uint32_t> next_{0};
  alignas(64) std::atomic<std::uint32_t> done_{0};
};

}  // namespace flexura::detail
