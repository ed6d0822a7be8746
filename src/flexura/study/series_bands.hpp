#pragma once
// Series of many runs laid over each other: what all of them keep within, and where most of them are.

#include <span>
#include <vector>

#include "flexura/study/sweep_outcome.hpp"

namespace flexura {

/// Series of an output by run; null where a run has none.
using RunSeries = std::span<const SweepSeries* const>;

/// Places at which series of all runs are read.
struct CommonAxis {
  std::vector<double> at;  ///< ascending: times [s] or load factors, from the first sample of any run to the last one
  bool counts_samples = false;  ///< samples of some run go forward and back: `at` are numbers of samples, from 0
};

/// The samples' own places where all runs have the same ones, `most` or fewer; else `most` that are evenly spaced, two or more.
CommonAxis common_axis(RunSeries runs, std::size_t most);

/// A column of each run's series on the axis, linearly between samples, NaN beyond the run's first and last one. `columns`: numbers of a
/// sample. Returns [place × run].
std::vector<double> on_axis(RunSeries runs, const CommonAxis& axis, std::size_t columns, std::size_t column);

/// Of all runs that reach a place, at each place; NaN where none does.
struct SeriesBands {
  std::vector<double> least, lower, median, upper, greatest;  ///< lower, upper: quartiles
};

/// Of `values` [place × run]. Quartiles lie linearly between order statistics, at 1 + (n − 1)/4 and 1 + 3 (n − 1)/4 of n values
/// [hyndman1996, type 7].
SeriesBands bands_of(std::span<const double> values, std::size_t runs);

}  // namespace flexura
