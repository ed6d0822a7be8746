#pragma once

#include "flexura/base/json.hpp"
#include "flexura/report/recorded_run.hpp"

namespace flexura {

/// Rows { group, label, value, unit? } about the model, the solver, the energies and the run.
Json run_facts(const RecordedRun& run);

}  // namespace flexura
