#pragma once

#include <memory>
#include <optional>
#include <string>

#include "flexura/output/hdf5_reader.hpp"
#include "flexura/scene/scene_model.hpp"

namespace flexura {

/// A results file and the scene that it holds, read and interpreted again.
struct StoredRun {
  ResultsFile results;
  std::unique_ptr<const SceneDocument> document;  ///< null if this program cannot read the scene any more
  std::optional<SceneModels> scene;
  std::string problem;  ///< why not

  std::string scene_text, scene_effective, scene_file;
  std::vector<std::string> files;  ///< that the scene read
};

Outcome<StoredRun> read_stored_run(const std::string& results_path);

}  // namespace flexura
