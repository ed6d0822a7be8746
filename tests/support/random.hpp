#pragma once
// Reproducible random numbers for tests: the same on every machine (std::uniform_real_distribution is not).

#include <cmath>
#include <cstdint>

namespace flexura::test {

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed * 0x9E3779B97F4A7C15ull + 1) {}

  /// Uniform in [low, high).
  double uniform(double low, double high) { return low + (high - low) * unit(); }
  /// Uniform in the logarithm, 0 < low < high.
  double spread(double low, double high) { return low * std::exp(unit() * std::log(high / low)); }

 private:
  double unit() {  // splitmix64
    std::uint64_t z = state_ += 0x9E3779B97F4A7C15ull;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1p-53;
  }
  std::uint64_t state_;
};

}  // namespace flexura::test
