// `flexura schema --study` of the program that knows studies.

#include "flexura/scene/schema.hpp"

#include <string>

#include "flexura/cli/study.hpp"
#include "flexura/study/identify_file.hpp"
#include "flexura/study/sweep_plan.hpp"

namespace flexura::cli {

std::string study_schema(const std::string& command, char**) {
  const StudyForm form = command == "sweep" ? sweep_form() : command == "identify" ? identify_form() : invert_form();
  return file_schema(*study_grammar(form), "Flexura study, flexura " + command);
}

}  // namespace flexura::cli
