// `flexura schema --study` of the program that knows studies.

#include "flexura/scene/schema.hpp"

#include <string>

#include "flexura/cli/command.hpp"
#include "flexura/cli/study.hpp"
#include "flexura/study/identify_file.hpp"
#include "flexura/study/inverse_file.hpp"
#include "flexura/study/sweep_plan.hpp"
#include "flexura/study/workspace_file.hpp"

namespace flexura::cli {

std::string study_schema(const std::string& command, char**) {
  for (const StudyForm& form : {sweep_form(), identify_form(), invert_form(), inverse_statics_form(),
                                inverse_dynamics_form(), workspace_form()})
    if (form.command == command) return file_schema(*study_grammar(form), "Flexura study, flexura " + command);
  throw UsageError("--study: no command with studies: " + command);
}

}  // namespace flexura::cli
