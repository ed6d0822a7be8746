#pragma once

#include <span>
#include <string_view>

namespace flexura {

/// A file that the library carries, so that examples and reports need no files beside the program.
struct EmbeddedFile {
  std::string_view path;  ///< from the root of the source tree: "examples/soft_actuator.toml"
  std::string_view text;  ///< followed by a zero byte
};

/// Scenes, tables and meshes below examples/, and the viewer; sorted by path.
std::span<const EmbeddedFile> embedded_files();

/// The one at a path; null: there is none.
inline const EmbeddedFile* find_embedded(std::string_view path) {
  for (const EmbeddedFile& file : embedded_files())
    if (file.path == path) return &file;
  return nullptr;
}

}  // namespace flexura
