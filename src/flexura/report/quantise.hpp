#pragma once
// Numbers as 16-bit steps above a lowest value.

#include <cstdint>
#include <span>
#include <vector>

#include "flexura/report/block.hpp"

namespace flexura {

constexpr std::uint16_t no_value = 65535;

/// value ≈ low + step · number; what is not finite is no_value.
struct Quantised {
  std::vector<double> low, step;       ///< per column, or one of each for all
  std::vector<std::uint16_t> numbers;  ///< [rows][columns]

  /// Half of the largest step of the columns: the largest error, but for the rounding of doubles.
  double error() const;
};

/// Each column by itself. `group[c]`: columns of one kind of quantity; where a column moves less than 1/256 of the most
/// moved one of its group, its steps are 1/256 of that one's, so that noise does not fill the file.
Quantised quantise_columns(std::span<const double> values, std::size_t columns, std::span<const int> group = {});
/// All with one low and one step.
Quantised quantise_all(std::span<const double> values);

Json quantised_json(const Quantised& quantised, std::size_t columns, BlockStore& blocks);

}  // namespace flexura
