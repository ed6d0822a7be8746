#pragma once
// Runs of a sweep on the workers of a Dask cluster. What speaks to the scheduler is the Python package, flexura.cluster: it has the
// workers run `flexura sweep --lines` and writes what they print into the journal of the sweep.

#include <atomic>
#include <string>

#include "flexura/cli/study.hpp"

namespace flexura::cli {

/// Fills the journal in the folder. Returns early when `stop` is set; what is known by then stays. Throws UsageError where Python or the
/// package is missing, and IoError where the runs could not be spread; why has been said on stderr.
void spread_runs(const SweepArguments& arguments, const std::string& folder, const std::atomic<bool>& stop);

}  // namespace flexura::cli
