#pragma once
// TOML → SceneDocument. Every problem of a scene is found in one reading.

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "flexura/scene/document.hpp"

namespace flexura {

struct SceneOptions {
  std::vector<std::string> set;  ///< "section.wall.EI=0.02"
  /// Contents of a file by path, nothing if there is none; default: the file system.
  std::function<std::optional<std::string>(const std::string& path)> load = {};
  ExternalFunctions functions = {};  ///< that the scene may name; the document keeps those that it does
  /// To look at a scene and not to run it: functions that are missing are no problem, and 0.
  bool stand_ins = false;
};

/// Reads and validates; throws InputError with every problem. `terms` must outlive the document.
SceneDocument read_scene(const std::string& path, std::span<const TermInfo> terms, const SceneOptions& options = {});
/// The same from a text; `file` is its name in messages, and files are looked for beside it.
SceneDocument read_scene_text(const std::string& text, const std::string& file, std::span<const TermInfo> terms,
                              const SceneOptions& options = {});

/// The registered terms, as the functions above want them.
std::span<const TermInfo> scene_terms();

}  // namespace flexura
