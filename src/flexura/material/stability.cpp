#include "flexura/material/stability.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace flexura {

// τᵢ = λᵢ² Sᵢ,  ∂τᵢ/∂ln λⱼ = 2 δᵢⱼ τᵢ + λᵢ² Dᵢⱼ λⱼ²
double drucker_margin(LawChoice choice, const ElasticConstants<double>& constants, const Stretches<double>& stretches) {
  double C[6] = {}, S[6], D[21], slope[3][3];
  for (int i = 0; i < 3; ++i) C[i] = stretches.of[i] * stretches.of[i];
  elastic_stiffness(choice, constants, C, S, D);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) slope[i][j] = C[i] * D[triangle(i, j)] * C[j] + (i == j ? 2 * C[i] * S[i] : 0);
  double M[2][2];
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j) M[i][j] = slope[i][j] - slope[2][j] - slope[i][2] + slope[2][2];
  const double mean = 0.5 * (M[0][0] + M[1][1]), half = 0.5 * (M[0][0] - M[1][1]);
  return mean - std::hypot(half, 0.5 * (M[0][1] + M[1][0]));
}

namespace {

constexpr int steps_per_decade = 400;

/// Goes from 1 by small factors until the law is unstable or the bound is reached; then halves. Nothing: stable up to the bound.
std::optional<double> stability_limit(TensionTest test, LawChoice choice, const ElasticConstants<double>& constants,
                                      double bound) {
  const auto is_stable = [&](double stretch) {
    return drucker_margin(choice, constants, incompressible_stretches(test, stretch)) > 0;  // false where it is NaN
  };
  const int steps = std::max(1, static_cast<int>(std::ceil(steps_per_decade * std::abs(std::log10(bound)))));
  const double factor = std::pow(bound, 1.0 / steps);
  double good = 1;
  for (int k = 0; k < steps; ++k) {
    double bad = k + 1 == steps ? bound : good * factor;
    if (is_stable(bad)) {
      good = bad;
      continue;
    }
    for (int halving = 0; halving < 50; ++halving) {
      const double middle = 0.5 * (good + bad);
      (is_stable(middle) ? good : bad) = middle;
    }
    return good;
  }
  return {};
}

}  // namespace

StableRange stable_range(TensionTest test, LawChoice choice, const ElasticConstants<double>& constants,
                         const StretchRange& searched) {
  if (!(drucker_margin(choice, constants, {{1, 1, 1}}) > 0)) return {1, 1};
  return {stability_limit(test, choice, constants, searched.low).value_or(0),
          stability_limit(test, choice, constants, searched.high).value_or(std::numeric_limits<double>::infinity())};
}

}  // namespace flexura
