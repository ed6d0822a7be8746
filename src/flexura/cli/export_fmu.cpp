#include "flexura/fmi/export_fmu.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <memory>

#include "flexura/cli/command.hpp"
#include "flexura/cli/console.hpp"
#include "flexura/scene/reader.hpp"

namespace flexura::cli {
namespace {

namespace fs = std::filesystem;

struct ExportArguments {
  std::string scene, output;
  SceneOptions reading;
  FmuOptions fmu;
};

/// Beside the program: who wants no FMUs does not compile it.
std::string library_beside() { return fs::read_symlink("/proc/self/exe").parent_path() / fmu_library_file; }

void export_scene(const ExportArguments& o) {
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
}

}  // namespace

void add_export_fmu(CLI::App& app, int& status) {
  CLI::App* command = app.add_subcommand(
      "export-fmu", "Write a scene as a Functional Mock-up Unit, for co-simulation in other programs");
  auto o = std::make_shared<ExportArguments>();
  command->add_option("SCENE", o->scene, "Scene file (TOML)")->required();
  command->add_option("--fmi", o->fmu.version, "Version of the interface, 2 or 3; default 2")
      ->check(CLI::IsMember({2, 3}))
      ->type_name("VERSION");
  command->add_option("-o,--file", o->output, "File; default: named after the scene, here")->type_name("FILE");
  command->add_option("--input", o->fmu.inputs, "Signals that become inputs; default: those of type \"input\"")
      ->type_name("NAME");
  command
      ->add_option("--output", o->fmu.outputs,
                   "Sensors that become outputs, or numbers of them, as tip.x; default: all")
      ->type_name("NAME");
  command
      ->add_option("--parameter", o->fmu.parameters, "Numbers of the scene that become parameters, as section.wall.EI")
      ->type_name("PATH");
  command->add_option("--set", o->reading.set, "Change a value, e.g. section.wall.EI=0.02; may be given several times")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  command->callback([o, &status] {
    export_scene(*o);
    status = success;
  });
}

}  // namespace flexura::cli
