#include "flexura/run/interpolated_extremes.hpp"

#include <algorithm>
#include <cmath>

namespace flexura {
namespace {

constexpr double evenness = 3;  ///< largest ratio of neighbouring second differences of what is smooth

}  // namespace

void InterpolatedExtremes::add(int number, double t, double x) {
  Number& n = numbers_[number];
  n.least = std::min(n.least, x);
  n.greatest = std::max(n.greatest, x);
  if (n.count > 0 && t == n.t[4]) {
    n.x[4] = x;
    return;
  }
  if (n.count > 0 && t < n.t[4]) n.count = 0;
  std::rotate(n.t.begin(), n.t.begin() + 1, n.t.end());
  std::rotate(n.x.begin(), n.x.begin() + 1, n.x.end());
  n.t[4] = t;
  n.x[4] = x;
  if (++n.count < 5) return;

  const auto rate = [&](int i) { return (n.x[i + 1] - n.x[i]) / (n.t[i + 1] - n.t[i]); };
  const auto bending = [&](int i) { return (rate(i) - rate(i - 1)) / (n.t[i + 1] - n.t[i - 1]); };
  if (!((n.x[2] - n.x[1]) * (n.x[2] - n.x[3]) >= 0)) return;  // no extreme
  const double s = bending(2);
  const auto is_even = [&](double other) { return other * s > 0 && evenness * std::fabs(other) >= std::fabs(s); };
  if (!is_even(bending(1)) || !is_even(bending(3))) return;
  const double derivative = rate(1) + s * (n.t[2] - n.t[1]);
  const double vertex = n.x[2] - derivative * derivative / (4 * s);
  n.least = std::min(n.least, vertex);
  n.greatest = std::max(n.greatest, vertex);
}

}  // namespace flexura
