#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "flexura/base/json.hpp"
#include "flexura/output/drawn_run.hpp"

namespace flexura {

/// What a results file tells of its run.
struct RecordedRun {
  ResultsFile results;
  std::optional<DrawnRun> drawn;
  std::string problem;  ///< why there is nothing to draw
  Json summary;         ///< /model/summary, or null

  std::string scene_text, scene_effective, scene_file;
  std::vector<std::string> files;  ///< that the scene read

  /// /model/summary of the first model, or null.
  const Json& first_model() const;
};

Outcome<RecordedRun> read_recorded_run(const std::string& results_path);

}  // namespace flexura
