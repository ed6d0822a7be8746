#pragma once
// The page of a sweep, index.html beside its tables: docs/report-format.md, "The page of a sweep", says what it holds.

#include <optional>
#include <span>
#include <string>

#include "flexura/report/block.hpp"
#include "flexura/study/sweep_outcome.hpp"

namespace flexura {

struct SweepPageLimits {
  std::size_t runs = 20'000;        ///< of more, as many evenly chosen ones stand in the page; bands are of all
  std::size_t numbers = 4'000'000;  ///< of all runs' series together: their common axes are as fine as that allows
  std::size_t fewest_places = 50, most_places = 1000;  ///< of a common axis
};

/// What is known of the runs (SweepJournal::outcomes()); `folder`: of the sweep, which runs/NUMBER/report.html may lie in.
Json sweep_page_json(const SweepPlan& plan, std::span<const std::optional<SweepOutcome>> outcomes,
                     const std::string& folder, BlockStore& blocks, const SweepPageLimits& limits = {});

/// All of the page.
std::string sweep_page(const SweepPlan& plan, std::span<const std::optional<SweepOutcome>> outcomes,
                       const std::string& folder, const SweepPageLimits& limits = {});

}  // namespace flexura
