#pragma once
// Range, ticks and labels of one axis of a plot.

#include <string>
#include <vector>

namespace flexura::detail {

struct PlotAxis {
  double low = 0, high = 1;  ///< in the curves' unit
  std::vector<double> ticks;
  std::vector<std::string> labels;  ///< of the ticks, divided by the factor
  std::string factor;               ///< "×10⁻³", or empty

  /// Place of a value: 0 at the lower end, 1 at the upper.
  double share(double value) const { return (value - low) / (high - low); }
};

/// Axis over [low, high], widened where that is no range, by `margin` (a share) on both sides, with about `count` ticks.
PlotAxis make_axis(double low, double high, double margin, int count);

/// Ticks and labels for the range as it is.
void set_ticks(PlotAxis& axis, int count);

}  // namespace flexura::detail
