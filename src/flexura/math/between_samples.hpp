#pragma once

#include <cstddef>
#include <span>

namespace flexura {

/// A quantity at x, linearly between samples of it at ascending `at`; before the first and behind the last it is theirs.
///
/// `value(i)`: of sample i. `hint`: 0 before the first call; x may then only grow from call to call.
template <class Value>
double between_samples(std::span<const double> at, double x, std::size_t& hint, Value&& value) {
  while (hint + 2 < at.size() && at[hint + 1] < x) ++hint;
  const double a = value(hint);
  if (hint + 1 == at.size() || at[hint] >= x) return a;
  const double b = value(hint + 1);
  const double share = (x - at[hint]) / (at[hint + 1] - at[hint]);
  return share >= 1 ? b : a + share * (b - a);
}

}  // namespace flexura
