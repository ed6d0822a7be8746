#include "flexura/study/distribution.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace flexura {

double normal_share(double x) { return 0.5 * std::erfc(-x / std::numbers::sqrt2); }

double normal_quantile(double u) {
  if (u > 0.5) return -normal_quantile(1 - u);
  // Φ(x) ≈ φ(x)/|x| in the tail; Halley's method on ln Φ from there needs seven steps at most down to u = 2^-53.
  double x = u > 0.02 ? (u - 0.5) * std::sqrt(2 * std::numbers::pi) : -std::sqrt(-2 * std::log(u));
  for (int k = 0; k < 30; ++k) {
    const double share = normal_share(x), density = std::exp(-0.5 * x * x) / std::sqrt(2 * std::numbers::pi);
    const double newton = share * std::log(share / u) / density;
    const double step = newton / (1 + 0.5 * newton * (x + density / share));
    x -= step;
    if (std::fabs(step) <= 1e-15 * std::max(1.0, std::fabs(x))) break;
  }
  return x;
}

double Distribution::quantile(double u) const {
  constexpr double least = 0x1p-54;  // the ends of a normal distribution are nowhere
  switch (kind) {
    case Kind::uniform:
      return low + (high - low) * u;
    case Kind::log:
      return std::clamp(low * std::pow(high / low, u), std::min(low, high), std::max(low, high));
    case Kind::values:
      return values[std::min(values.size() - 1, static_cast<std::size_t>(u * static_cast<double>(values.size())))];
    case Kind::normal:
      break;
  }
  const double from = normal_share((low - mean) / deviation), to = normal_share((high - mean) / deviation);
  return std::clamp(mean + deviation * normal_quantile(std::clamp(from + (to - from) * u, least, 1 - 0x1p-53)), low,
                    high);
}

}  // namespace flexura
