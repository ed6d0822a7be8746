#pragma once

#include <cstdint>
#include <random>
#include <vector>

namespace flexura {

/// The same numbers from the same seed with any compiler and library: those of the standard's generator, turned into
/// what is wanted here and not by its distributions.
class RandomNumbers {
 public:
  explicit RandomNumbers(std::uint64_t seed) : generator_(seed) {}

  std::uint32_t word() { return static_cast<std::uint32_t>(generator_() >> 32); }
  /// In [0, 1), 53 bits.
  double uniform() { return static_cast<double>(generator_() >> 11) * 0x1p-53; }
  /// From 0 to n − 1, each as likely.
  std::uint64_t below(std::uint64_t n) {
    const std::uint64_t usable = UINT64_MAX - UINT64_MAX % n;
    for (;;)
      if (const std::uint64_t x = generator_(); x < usable) return x % n;
  }
  /// 0 … n − 1 in random order.
  std::vector<std::uint32_t> permutation(std::uint32_t n) {
    std::vector<std::uint32_t> order(n);
    for (std::uint32_t i = 0; i < n; ++i) {
      const auto j = static_cast<std::uint32_t>(below(i + 1));
      order[i] = order[j];
      order[j] = i;
    }
    return order;
  }

 private:
  std::mt19937_64 generator_;
};

}  // namespace flexura
