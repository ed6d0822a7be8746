#pragma once
// x^(−1/3) without branches and without the scalar library, which lanes would have to call one by one.

#include <bit>
#include <cstdint>

#include "flexura/math/dual.hpp"

namespace flexura {

namespace detail {

/// Within 4 %: a third of the exponent, negative, and as much of the fraction.
inline double rough_inverse_cube_root(double x) {
  return std::bit_cast<double>(std::int64_t{0x553ef0ff289dd796} - std::bit_cast<std::int64_t>(x) / 3);
}
template <int W>
Pack<W> rough_inverse_cube_root(Pack<W> x) {
  return each_lane(x, [](double lane) { return rough_inverse_cube_root(lane); });
}

}  // namespace detail

/// Within 3 rounding errors, of x > 0 that is normal. Newton's iteration y ← y + y (1 − x y³)/3, error → 2 error².
template <class T>
T inverse_cube_root(const T& x) {
  T y = detail::rough_inverse_cube_root(x);
  for (int k = 0; k < 4; ++k) {
    const T square = y * y;
    y = fma(T(1.0 / 3) * y, fma(-(x * y), square, T(1.0)), y);
  }
  return y;
}
template <class V>
Dual<V> inverse_cube_root(const Dual<V>& x) {
  const V y = inverse_cube_root(x.v);
  return {y, V(-1.0 / 3) * y / x.v * x.d};
}

}  // namespace flexura
