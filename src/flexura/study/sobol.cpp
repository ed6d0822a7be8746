#include "flexura/study/sobol.hpp"

#include <bit>

namespace flexura {
namespace {

/// x^s + a₁ x^{s−1} + … + a_{s−1} x + 1, the a as bits of one number, and m₁ … m_s.
struct Primitive {
  int degree;
  std::uint32_t a;
  std::uint32_t m[7];
};
/// Of directions 2, 3, …; the first is van der Corput's.
constexpr Primitive primitives[Sobol::most_dimensions - 1] = {
    {1, 0, {1}},
    {2, 1, {1, 3}},
    {3, 1, {1, 3, 1}},
    {3, 2, {1, 1, 1}},
    {4, 1, {1, 1, 3, 3}},
    {4, 4, {1, 3, 5, 13}},
    {5, 2, {1, 1, 5, 5, 17}},
    {5, 4, {1, 1, 5, 5, 5}},
    {5, 7, {1, 1, 7, 11, 19}},
    {5, 11, {1, 1, 5, 1, 1}},
    {5, 13, {1, 1, 1, 3, 11}},
    {5, 14, {1, 3, 5, 5, 31}},
    {6, 1, {1, 3, 3, 9, 7, 49}},
    {6, 13, {1, 1, 1, 15, 21, 21}},
    {6, 16, {1, 3, 1, 13, 27, 49}},
    {6, 19, {1, 1, 1, 15, 7, 5}},
    {6, 22, {1, 3, 1, 15, 13, 25}},
    {6, 25, {1, 1, 5, 5, 19, 61}},
    {7, 1, {1, 3, 7, 11, 23, 15, 103}},
    {7, 4, {1, 3, 7, 13, 13, 15, 69}},
};

}  // namespace

Sobol::Sobol(int dimensions)
    : directions_(static_cast<std::size_t>(dimensions)), shift_(static_cast<std::size_t>(dimensions), 0) {
  for (int k = 0; k < bits; ++k) directions_[0].v[k] = 1u << (bits - 1 - k);
  for (std::size_t d = 1; d < directions_.size(); ++d) {
    const Primitive& p = primitives[d - 1];
    std::uint32_t* v = directions_[d].v;
    for (int k = 0; k < bits; ++k) {
      if (k < p.degree) {
        v[k] = p.m[k] << (bits - 1 - k);
        continue;
      }
      v[k] = v[k - p.degree] ^ (v[k - p.degree] >> p.degree);
      for (int j = 1; j < p.degree; ++j)
        if (((p.a >> (p.degree - 1 - j)) & 1u) != 0) v[k] ^= v[k - j];
    }
  }
}

Sobol::Sobol(int dimensions, RandomNumbers& random) : Sobol(dimensions) {
  for (std::size_t d = 0; d < directions_.size(); ++d) {
    std::uint32_t
        rows[bits];  // row i: bit i of the result, from the highest, is that of the number and what is random above it
    for (int i = 0; i < bits; ++i) {
      const std::uint32_t own = 1u << (bits - 1 - i);
      rows[i] = own | (i == 0 ? 0u : random.word() & ~((own << 1) - 1u));
    }
    for (std::uint32_t& v : directions_[d].v) {
      std::uint32_t scrambled = 0;
      for (int i = 0; i < bits; ++i)
        scrambled |= static_cast<std::uint32_t>(std::popcount(rows[i] & v) & 1) << (bits - 1 - i);
      v = scrambled;
    }
    shift_[d] = random.word();
  }
}

void Sobol::point(std::uint32_t n, std::span<double> x) const {
  const std::uint32_t gray = n ^ (n >> 1);
  for (std::size_t d = 0; d < directions_.size(); ++d) {
    std::uint32_t digits = shift_[d];
    for (int k = 0; k < bits; ++k)
      if (((gray >> k) & 1u) != 0) digits ^= directions_[d].v[k];
    x[d] = static_cast<double>(digits) * 0x1p-32;
  }
}

}  // namespace flexura
