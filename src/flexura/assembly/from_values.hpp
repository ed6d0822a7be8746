#pragma once
// A number of a simulation's scalar from the numbers of one or several Values.

#include <span>

#include "flexura/math/dual.hpp"
#include "flexura/model/model.hpp"

namespace flexura {

/// S from the numbers of each lane, or from value and derivative.
inline double from_values(std::span<const Values* const> values, auto&& number, double) { return number(*values[0]); }
template <int W>
Pack<W> from_values(std::span<const Values* const> values, auto&& number, Pack<W>) {
  Pack<W> out(0.0);
  for (int i = 0; i < W; ++i) out.set(i, number(*values[i]));
  return out;
}
inline Dual<double> from_values(std::span<const Values* const> values, auto&& number, Dual<double>) {
  return {number(*values[0]), values.size() > 1 ? number(*values[1]) : 0.0};
}

}  // namespace flexura
