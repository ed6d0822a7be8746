#pragma once

#include <string>
#include <string_view>

#include "flexura/base/outcome.hpp"

namespace flexura {

/// Content of a file.
Outcome<std::string> read_file(const std::string& path);

/// Writes `content` beside `path` and renames it, so that `path` is the old file or the whole new one at any moment.
/// Makes missing folders. Returns what went wrong, or "".
std::string write_file(const std::string& path, std::string_view content);

/// Makes the folder that `path` lies in. Returns what went wrong, or "".
std::string make_parent_folder(const std::string& path);

/// "cannot <verb> '<path>': <meaning of errno>".
std::string file_error(std::string_view verb, const std::string& path, int error_number);

}  // namespace flexura
