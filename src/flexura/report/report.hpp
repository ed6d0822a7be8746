#pragma once
// report.html of a run, or of two that are compared (docs/report-format.md).

#include <string>
#include <vector>

#include "flexura/report/comparison.hpp"

namespace flexura {

struct ReportOptions {
  std::size_t budget = 30'000'000;  ///< bytes of the whole file
  std::size_t frames = 1500;        ///< of a stretch of playback, at most
  std::size_t rows = 20'000;        ///< of a table, at most
  std::vector<std::string> names;   ///< of the runs; default: their titles
  const Comparison* comparison = nullptr;
};

struct ReportOutcome {
  std::string error;                  ///< why there is no report, or ""
  std::vector<std::string> warnings;  ///< what it lacks
};

/// Reads `results` (one or two results files) and writes one page to `path`. Equal files make equal reports.
ReportOutcome write_report(const std::vector<std::string>& results, const std::string& path,
                           const ReportOptions& options = {});

}  // namespace flexura
