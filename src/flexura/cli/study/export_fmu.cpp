#include "flexura/fmi/export_fmu.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "flexura/cli/command.hpp"
#include "flexura/cli/console.hpp"
#include "flexura/cli/study.hpp"
#include "flexura/scene/reader.hpp"

namespace flexura::cli {
namespace {

namespace fs = std::filesystem;

/// Beside the program: who wants no FMUs does not compile it.
std::string library_beside() { return fs::read_symlink("/proc/self/exe").parent_path() / fmu_library_file; }

}  // namespace

int export_fmu_command(const ExportFmuArguments& o, char**) {
  read_text(o.scene);
  const std::string output = o.output.empty() ? fs::path(o.scene).stem().string() + ".fmu" : o.output;
  const SceneDocument document = read_scene(o.scene, scene_terms(), o.reading);
  FmuContent content;
  try {
    content = export_fmu(document, o.fmu, library_beside(), output);
  } catch (const InputError& error) {
    rethrow_with_lines(error, document.texts);
  }
  const auto count = [&](FmuVariable::Causality causality) {
    return static_cast<std::size_t>(std::count_if(content.variables.begin(), content.variables.end(),
                                                  [&](const FmuVariable& v) { return v.causality == causality; }));
  };
  say("{}: FMI {}.0, {}, {}, {}, step {} s\n", output, o.fmu.version,
      counted(count(FmuVariable::Causality::parameter), "parameter"),
      counted(count(FmuVariable::Causality::input), "input"), counted(count(FmuVariable::Causality::output), "output"),
      content.step);
  return success;
}

}  // namespace flexura::cli
