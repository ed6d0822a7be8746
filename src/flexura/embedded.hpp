#pragma once

#include <span>
#include <string_view>

namespace flexura {

/// A scene or table that the library carries, so that examples and reproductions need no files beside the program.
struct EmbeddedFile {
  std::string_view path;  ///< from the root of the source tree: "examples/soft_actuator.toml"
  std::string_view text;  ///< followed by a zero byte
};

/// Every *.toml and *.csv below examples/ and validation/, sorted by path.
std::span<const EmbeddedFile> embedded_files();

}  // namespace flexura
