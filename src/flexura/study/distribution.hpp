#pragma once
// How likely the values of a parameter are.

#include <limits>
#include <string>
#include <vector>

namespace flexura {

struct Distribution {
  enum class Kind { uniform, log, normal, values };
  Kind kind = Kind::uniform;
  double low = -std::numeric_limits<double>::infinity(),
         high = std::numeric_limits<double>::infinity();  ///< a normal one has both, one or none
  double mean = 0, deviation = 1;                         ///< normal
  std::vector<double> values = {};                        ///< each as likely

  /// The value below which a share u of them lies, 0 ≤ u < 1.
  double quantile(double u) const;
};

/// Φ⁻¹: the x below which a share u of a standard normal distribution lies, 0 < u < 1.
double normal_quantile(double u);
/// Φ.
double normal_share(double x);

}  // namespace flexura
