#include <fmt/format.h>

#include "flexura/cli/command.hpp"
#include "flexura/cli/console.hpp"
#include "flexura/cli/study.hpp"
#include "flexura/study/study_file.hpp"

namespace flexura::cli {

int sweep(const SweepArguments& o, char**) {
  std::vector<Problem> problems;
  StudyOptions options;
  options.scene.set = o.set;
  const StudyFile study = read_study(o.study, {.command = "sweep"}, problems, options);
  throw_study_problems(study, problems);
  say("{} parameters\n", study.parameters.size());
  return success;
}

}  // namespace flexura::cli
