#pragma once

#include "flexura/output/journal_reader.hpp"

namespace flexura {

/// Version of the layout (docs/results-format.md), attribute `format_version` of the file's root.
constexpr int results_format_version = 1;

/// Makes the results file of a journal: finished, interrupted, killed or still growing. Written beside `path`, then
/// renamed. The content depends on the journal's records only. Returns what went wrong, or "".
std::string write_results(const JournalReader& journal, const std::string& path);

}  // namespace flexura
