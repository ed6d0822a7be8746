#pragma once

#include <optional>
#include <string>
#include <vector>

#include "flexura/scene/stored_files.hpp"

namespace flexura::cli {

/// What the journal of a stopped run says about its scene.
struct StoppedRun {
  std::string journal;                         ///< path
  std::string status;                          ///< empty: it was killed
  std::optional<std::string> text, effective;  ///< nothing: it was killed before they were written
  std::vector<std::string> set;                ///< --set, as it was given
  StoredFiles files;
  bool has_checkpoint = false;
  double t = 0;  ///< of the checkpoint [s]
};

/// Throws UsageError if there is no run in the folder, IoError if its journal cannot be read.
StoppedRun read_stopped_run(const std::string& folder);

/// The scene of the stopped run, from its journal. `path` and `set` are what the command line gives now: a scene that
/// differs is a UsageError that says where.
SceneDocument scene_of(const StoppedRun& run, const std::string& path, const std::vector<std::string>& set);
/// The same where the text is at hand, and with functions for it.
SceneDocument scene_of(const StoppedRun& run, const std::string& path, const std::string& text,
                       const std::vector<std::string>& set, const ExternalFunctions& functions);

}  // namespace flexura::cli
