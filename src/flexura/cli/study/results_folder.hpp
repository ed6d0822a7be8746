#pragma once
// Where the results of a study go.

#include <filesystem>
#include <string>

namespace flexura::cli {

struct ResultsFolder {
  std::filesystem::path path;
  std::string log;  ///< file of what was computed, from which a study that was stopped goes on
};

/// `output`, or, where it is empty, named after the study, here. What is there is gone on with where `resume` is set, given up where
/// `force` is. Throws UsageError where neither is and it holds a study, its log or `results`, and where it is a file.
ResultsFolder results_folder(const std::string& study, const std::string& output, const std::string& results,
                             bool force, bool resume);

/// "interrupted: …", and with which command the study goes on.
void tell_how_to_go_on(const std::string& kept, const std::string& command, const std::string& study,
                       const std::string& output);

}  // namespace flexura::cli
