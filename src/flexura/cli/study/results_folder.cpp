#include "flexura/cli/study/results_folder.hpp"

#include <fmt/format.h>

#include "flexura/cli/command.hpp"

namespace flexura::cli {

std::filesystem::path results_folder(const std::string& study, const std::string& output) {
  std::filesystem::path folder = output.empty() ? std::filesystem::path(study).stem() : std::filesystem::path(output);
  if (std::filesystem::exists(folder) && !std::filesystem::is_directory(folder))
    throw UsageError(fmt::format("{} is a file, and results go to a folder; give --output DIR", folder.string()));
  return folder;
}

}  // namespace flexura::cli
