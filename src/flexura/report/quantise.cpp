#include "flexura/report/quantise.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

namespace flexura {
namespace {

constexpr double levels = 65534;      ///< highest number of a value
constexpr double finest = 1.0 / 256;  ///< step of a column that hardly moves, over that of the most moved one

struct Range {
  double low = std::numeric_limits<double>::infinity(), high = -std::numeric_limits<double>::infinity();

  void add(double x) {
    if (!std::isfinite(x)) return;
    low = std::min(low, x);
    high = std::max(high, x);
  }
  bool empty() const { return low > high; }
  /// Halves first: the range of finite numbers may be infinite.
  double step() const { return empty() ? 0 : 2 * (high / levels / 2 - low / levels / 2); }
};

std::uint16_t number_of(double x, double low, double step) {
  if (!std::isfinite(x)) return no_value;
  return step > 0 ? static_cast<std::uint16_t>(std::clamp(std::round((x - low) / step), 0.0, levels)) : 0;
}

}  // namespace

double Quantised::error() const { return step.empty() ? 0 : *std::max_element(step.begin(), step.end()) / 2; }

Quantised quantise_columns(std::span<const double> values, std::size_t columns, std::span<const int> group) {
  std::vector<Range> ranges(columns);
  for (std::size_t i = 0; i < values.size(); ++i) ranges[i % columns].add(values[i]);
  std::vector<double> largest;
  const auto group_of = [&](std::size_t c) { return c < group.size() ? static_cast<std::size_t>(group[c]) : 0; };
  for (std::size_t c = 0; c < columns; ++c) {
    largest.resize(std::max(largest.size(), group_of(c) + 1));
    largest[group_of(c)] = std::max(largest[group_of(c)], ranges[c].step());
  }
  Quantised result;
  for (std::size_t c = 0; c < columns; ++c) {
    result.low.push_back(ranges[c].empty() ? 0 : ranges[c].low);
    result.step.push_back(std::max(ranges[c].step(), finest * largest[group_of(c)]));
  }
  result.numbers.reserve(values.size());
  for (std::size_t i = 0; i < values.size(); ++i)
    result.numbers.push_back(number_of(values[i], result.low[i % columns], result.step[i % columns]));
  return result;
}

Quantised quantise_all(std::span<const double> values) {
  Range range;
  for (const double x : values) range.add(x);
  Quantised result{{range.empty() ? 0 : range.low}, {range.step()}, {}};
  result.numbers.reserve(values.size());
  for (const double x : values) result.numbers.push_back(number_of(x, result.low[0], result.step[0]));
  return result;
}

Json quantised_json(const Quantised& quantised, std::size_t columns, BlockStore& blocks) {
  const std::size_t rows = columns == 0 ? 0 : quantised.numbers.size() / columns;
  return {{"low", quantised.low},
          {"step", quantised.step},
          {"values", blocks.add(quantised.numbers, {rows, columns}, true)}};
}

}  // namespace flexura
