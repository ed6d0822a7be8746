#pragma once
// Where the results of a study go.

#include <filesystem>
#include <string>

namespace flexura::cli {

/// `output`, or, where it is empty, named after the study, here. Throws UsageError where that is a file.
std::filesystem::path results_folder(const std::string& study, const std::string& output);

}  // namespace flexura::cli
