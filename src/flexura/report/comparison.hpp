#pragma once
// What differs between the sensors of two runs.

#include <string>
#include <vector>

#include "flexura/base/json.hpp"
#include "flexura/base/outcome.hpp"

namespace flexura {

/// One column of a sensor that both runs have. Where they were sampled at different places of the axis, the second is
/// read between its samples by linear interpolation, at the samples of the first that both cover.
struct ColumnDifference {
  std::string sensor, column, unit, analysis;
  std::string axis, axis_unit;
  double max_difference = 0, at = 0;  ///< largest |b − a|, and where on the axis
  double rms = 0;                     ///< of b − a over the samples
  double range = 0;                   ///< greatest minus least value of the first run, there
  double from = 0, to = 0;            ///< what was compared of the axis
};

struct Comparison {
  std::vector<ColumnDifference> columns;
  std::vector<std::string> only_first, only_second;  ///< sensors that the other has not
  std::vector<std::string> skipped;                  ///< why a shared sensor could not be compared
};

/// Of two results files.
Outcome<Comparison> compare_sensors(const std::string& first, const std::string& second);

/// The list of the report.
Json comparison_json(const Comparison& comparison);

}  // namespace flexura
