#pragma once
// Runs that differ in numbers alone, several at a time: each is a Run of its own, which samples, watches and warns as ever; the steps of
// their motions are made together, a run in each lane of System<Lanes>, to the same bits as by themselves.

#include <optional>
#include <span>
#include <vector>

#include "flexura/study/sweep_outcome.hpp"

namespace flexura {

/// How many go together.
int lane_count();
/// Whether the runs of the plan may go together at all: equal steps of the Newmark family throughout, one model, nothing that
/// touches, no functions of the program, no parameter of an analysis.
bool fits_lanes(const SweepPlan& plan);

/// What becomes of the runs, in their order; nothing of those that did not fit their neighbours, did not converge or were stopped:
/// run_alone() is for them.
std::vector<std::optional<SweepOutcome>> run_in_lanes(const SweepPlan& plan, std::span<const long> runs,
                                                      const std::atomic<bool>* stop);

}  // namespace flexura
