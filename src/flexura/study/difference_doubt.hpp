#pragma once
// Differences across a switch: where what is differenced jumps or bends between the points, as where something goes slack or
// saturates, differences of rising order do not close in on each other. Part of flexura_ensemble.

#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "flexura/study/gradient.hpp"

namespace flexura {

/// The largest error of the differences of one gradient, relative to the derivative.
struct DifferenceDoubt {
  double size = 0;
  std::string text;  ///< of which parameter, sensor and time

  /// What is no number is the largest doubt.
  void note(double relative, auto&& describe) {
    if (relative <= size) return;
    size = std::isnan(relative) ? std::numeric_limits<double>::infinity() : relative;
    text = describe();
  }
};

/// `differentiate(question, doubt)` with shorter and shorter differences until there is no doubt; the best of them. Throws
/// GradientError where a doubt is left.
auto with_shorter_steps(const GradientQuestion& question, auto&& differentiate) {
  constexpr double shorter = 1.0 / 16, negligible = 1e-8, tolerable = 1e-4;
  constexpr int attempts = 4;
  GradientQuestion here = question;
  DifferenceDoubt least;
  std::optional<decltype(differentiate(question, least))> best;
  for (int k = 0; k < attempts; ++k, here.relative_step *= shorter) {
    DifferenceDoubt doubt;
    auto out = differentiate(here, doubt);
    if (!best || doubt.size < least.size) best = std::move(out), least = std::move(doubt);
    if (least.size <= negligible) break;
  }
  if (least.size > tolerable) throw GradientError(least.text);
  return std::move(*best);
}

}  // namespace flexura
