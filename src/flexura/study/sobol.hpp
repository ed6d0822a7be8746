#pragma once
// Sobol's sequence: points that fill the unit cube evenly, whatever their number.
//
//     x_n = n₁ v₁ ⊕ n₂ v₂ ⊕ …           n_k: binary digits of n, in Gray's order
//     m_k = 2 a₁ m_{k−1} ⊕ … ⊕ 2^{s−1} a_{s−1} m_{k−s+1} ⊕ 2^s m_{k−s} ⊕ m_{k−s},   v_k = m_k / 2^k
//
// Primitive polynomials and initial m of Joe and Kuo (new-joe-kuo-6) [joe2008], for which any 2^d points that follow each other from a
// multiple of 2^d on have one in each half of every direction (property A). Scrambled by a random lower triangular matrix of bits and a digital
// shift of each direction [matousek1998]: the same evenness, and every point uniform in the cube.

#include <cstdint>
#include <span>
#include <vector>

#include "flexura/study/random_numbers.hpp"

namespace flexura {

class Sobol {
 public:
  static constexpr int most_dimensions = 21;
  static constexpr int bits = 32;  ///< of a coordinate, and of the number of points

  explicit Sobol(int dimensions);
  Sobol(int dimensions, RandomNumbers& random);  ///< scrambled

  /// Point n, in [0, 1)^d.
  void point(std::uint32_t n, std::span<double> x) const;
  std::uint32_t direction(int dimension, int k) const { return directions_[static_cast<std::size_t>(dimension)][k]; }

 private:
  struct Directions {
    std::uint32_t v[bits];
    std::uint32_t operator[](int k) const { return v[k]; }
  };
  std::vector<Directions> directions_;
  std::vector<std::uint32_t> shift_;
};

}  // namespace flexura
