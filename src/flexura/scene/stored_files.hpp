#pragma once

#include <string>
#include <utility>
#include <vector>

#include "flexura/scene/reader.hpp"

namespace flexura {

/// Files that a scene read when it was run: name as in the scene, content.
using StoredFiles = std::vector<std::pair<std::string, std::string>>;

/// Options that read a scene called `scene_path` with these files in place of those on disk.
SceneOptions with_stored_files(std::string scene_path, StoredFiles files);

}  // namespace flexura
