#include "flexura/scene/stored_files.hpp"

#include <filesystem>

namespace flexura {

SceneOptions with_stored_files(std::string scene_path, StoredFiles files) {
  SceneOptions options;
  options.load = [beside = std::filesystem::path(scene_path).parent_path(),
                  stored = std::move(files)](const std::string& wanted) -> std::optional<std::string> {
    for (const auto& [name, content] : stored)
      if ((beside / name).lexically_normal() == std::filesystem::path(wanted).lexically_normal()) return content;
    return std::nullopt;
  };
  return options;
}

}  // namespace flexura
