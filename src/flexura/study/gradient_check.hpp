#pragma once
// Slopes against differences of whole runs: what says whether they are right. Part of flexura_ensemble.

#include "flexura/study/gradient.hpp"

namespace flexura {

/// A slope, or the largest of some, beside its differences.
struct SlopeComparison {
  double slope = 0;  ///< amount
  double off = 0;    ///< the largest distance from the differences
  double resolution =
      0;  ///< twice what differences of other steps are apart, with the rounding of the runs: what can be told
  /// Within `tolerance` of the slope, beyond what can be told.
  bool agrees(double tolerance) const { return off <= tolerance * slope + resolution; }
};

/// One column by one number, over all times.
struct GradientComparison : SlopeComparison {
  size_t column = 0, number = 0;
};

/// Of the frequency of a mode that shares it with no other.
struct ModeComparison : SlopeComparison {
  std::string analysis;
  size_t mode = 0, number = 0;
};

struct GradientCheck {
  std::vector<double> differences;  ///< as Derivatives::jacobian, of the step between the others
  std::vector<GradientComparison> comparisons;
  std::vector<ModeComparison> modes;
  long runs = 0;
};

/// Central differences of fourth order, with steps of 5e-5, 2e-4 and 8e-4 of each number: twelve runs. What Newton's method stops at goes
/// into the smallest, waves of high frequency into the largest. Runs of numbers beside that cannot be made are an InputError or
/// GradientError.
GradientCheck check_gradient(const SceneDocument& document, const ReadScene& read, const GradientQuestion& question,
                             const Derivatives& slopes);

}  // namespace flexura
