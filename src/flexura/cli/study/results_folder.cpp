#include "flexura/cli/study/results_folder.hpp"

#include <fmt/format.h>

#include "flexura/cli/command.hpp"
#include "flexura/cli/console.hpp"

namespace flexura::cli {

namespace fs = std::filesystem;

ResultsFolder results_folder(const std::string& study, const std::string& output, const std::string& results,
                             bool force, bool resume) {
  const fs::path folder = output.empty() ? fs::path(study).stem() : fs::path(output);
  if (fs::exists(folder) && !fs::is_directory(folder))
    throw UsageError(fmt::format("{} is a file, and results go to a folder; give --output DIR", folder.string()));
  const fs::path log = folder / "evaluations.jsonl";
  if ((fs::exists(log) || fs::exists(folder / results)) && !force && !resume)
    throw UsageError(
        fmt::format("{} holds a study already\ntry: --force to begin again, --resume to go on with it, or --output DIR "
                    "for another folder",
                    folder.string()));
  if (force) fs::remove(log);
  return {folder, log.string()};
}

void tell_how_to_go_on(const std::string& kept, const std::string& command, const std::string& study,
                       const std::string& output) {
  note("interrupted: {}\ngo on with: flexura {} {} --resume{}\n", kept, command, study,
       output.empty() ? "" : " --output " + output);
}

}  // namespace flexura::cli
