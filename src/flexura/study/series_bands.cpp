#include "flexura/study/series_bands.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "flexura/math/between_samples.hpp"

namespace flexura {
namespace {

constexpr double no_sample = std::numeric_limits<double>::quiet_NaN();

bool has_samples(const SweepSeries* series) { return series != nullptr && !series->at.empty(); }

std::vector<double> numbers_of_samples(std::size_t count) {
  std::vector<double> numbers(count);
  for (std::size_t i = 0; i < count; ++i) numbers[i] = static_cast<double>(i);
  return numbers;
}

std::vector<double> evenly_spaced(double from, double to, std::size_t count) {
  std::vector<double> at(count);
  for (std::size_t i = 0; i < count; ++i)
    at[i] = from + (to - from) * static_cast<double>(i) / static_cast<double>(count - 1);
  return at;
}

/// x sorted, 0 ≤ share ≤ 1.
double quantile_of(std::span<const double> x, double share) {
  const double place = share * static_cast<double>(x.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  if (below + 1 == x.size()) return x[below];
  return x[below] + (place - static_cast<double>(below)) * (x[below + 1] - x[below]);
}

}  // namespace

CommonAxis common_axis(RunSeries runs, std::size_t most) {
  CommonAxis axis;
  const std::vector<double>* first = nullptr;
  bool are_same = true;
  std::size_t longest = 0;
  double from = std::numeric_limits<double>::infinity(), to = -from;
  for (const SweepSeries* series : runs) {
    if (!has_samples(series)) continue;
    if (first == nullptr) first = &series->at;
    are_same = are_same && series->at == *first;
    axis.counts_samples = axis.counts_samples || !std::is_sorted(series->at.begin(), series->at.end());
    longest = std::max(longest, series->at.size());
    from = std::min(from, series->at.front());
    to = std::max(to, series->at.back());
  }
  if (first == nullptr) return axis;
  most = std::max<std::size_t>(most, 2);
  if (axis.counts_samples)
    axis.at = longest <= most ? numbers_of_samples(longest) : evenly_spaced(0, static_cast<double>(longest - 1), most);
  else if (from == to)
    axis.at = {from};
  else
    axis.at = are_same && longest <= most ? *first : evenly_spaced(from, to, most);
  return axis;
}

std::vector<double> on_axis(RunSeries runs, const CommonAxis& axis, std::size_t columns, std::size_t column) {
  std::vector<double> values(axis.at.size() * runs.size(), no_sample);
  std::vector<double> counted;
  for (std::size_t k = 0; k < runs.size(); ++k) {
    if (!has_samples(runs[k])) continue;
    const SweepSeries& series = *runs[k];
    if (!axis.counts_samples && series.at == axis.at) {  // jumps included, where two samples have one place
      for (std::size_t i = 0; i < axis.at.size(); ++i)
        values[i * runs.size() + k] = series.values[i * columns + column];
      continue;
    }
    if (axis.counts_samples && counted.size() < series.at.size()) counted = numbers_of_samples(series.at.size());
    const std::span<const double> at =
        axis.counts_samples ? std::span<const double>(counted).first(series.at.size()) : series.at;
    std::size_t hint = 0;
    for (std::size_t i = 0; i < axis.at.size(); ++i) {
      const double x = axis.at[i];
      if (x >= at.front() && x <= at.back())
        values[i * runs.size() + k] =
            between_samples(at, x, hint, [&](std::size_t sample) { return series.values[sample * columns + column]; });
    }
  }
  return values;
}

SeriesBands bands_of(std::span<const double> values, std::size_t runs) {
  SeriesBands bands;
  std::vector<double> here;
  for (std::size_t begin = 0; begin < values.size(); begin += runs) {
    here.clear();
    for (const double x : values.subspan(begin, runs))
      if (std::isfinite(x)) here.push_back(x);
    std::sort(here.begin(), here.end());
    const auto quantile = [&](double share) { return here.empty() ? no_sample : quantile_of(here, share); };
    bands.least.push_back(quantile(0));
    bands.lower.push_back(quantile(0.25));
    bands.median.push_back(quantile(0.5));
    bands.upper.push_back(quantile(0.75));
    bands.greatest.push_back(quantile(1));
  }
  return bands;
}

}  // namespace flexura
