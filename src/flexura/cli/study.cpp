#include "flexura/cli/study.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <string>

#include "flexura/base/nearest_name.hpp"
#include "flexura/cli/command.hpp"

namespace flexura::cli {

namespace {

/// What the studies of steered scenes have in common.
void add_steered_study(CLI::App& command, SteeredArguments& o, const char* content) {
  command.add_option("STUDY", o.study, fmt::format("Study file (TOML): {}", content))->required();
  command.add_option("--set", o.set, "Change a value of the scene, e.g. section.wall.EI=0.02")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  command.add_option("--output,-o", o.output, "Folder of the results; default: named after the study, here")
      ->type_name("DIR");
  auto* force = command.add_flag("--force", o.force, "Begin again, whatever is in the folder");
  command.add_flag("--resume", o.resume, "Go on with the stopped study that is in the folder")->excludes(force);
  command.add_flag("--json", o.json, "Print the results as JSON on stdout, all else on stderr");
  command.add_flag("--quiet,-q", o.quiet, "Print only problems (and the JSON, if asked for)");
}

}  // namespace

void add_sweep(CLI::App& app, int& status, char** command_line) {
  CLI::App* command = app.add_subcommand("sweep", "Run a scene many times with other values, into one table");
  auto o = std::make_shared<SweepArguments>();
  command->add_option("STUDY", o->study, "Study file (TOML): scene, parameters, design, outputs")->required();
  command->add_option("--set", o->set, "Change a value of the scene in all runs, e.g. section.wall.EI=0.02")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  command->add_option("--output,-o", o->output, "Folder of the table; default: named after the study, here")
      ->type_name("DIR");
  auto* force = command->add_flag("--force", o->force, "Overwrite the sweep that is in the folder");
  command->add_flag("--resume", o->resume, "Go on with the stopped sweep that is in the folder")->excludes(force);
  command->add_option("--threads", o->threads, "Threads; the results do not depend on it")
      ->check(CLI::Range(1, 256))
      ->type_name("N");
  command->add_flag("--no-lanes", o->no_lanes, "Each run by itself; the results do not depend on it");
  auto* scheduler =
      command
          ->add_option(
              "--scheduler", o->scheduler,
              "Run it on the workers of a Dask cluster, e.g. tcp://HOST:8786; they see the files under the same paths")
          ->type_name("ADDRESS");
  auto* lines = command->add_flag("--lines", o->lines,
                                  "Print what sweep.journal would hold and write nothing: for who spreads the runs");
  lines->excludes(scheduler);
  command->add_option("--only", o->only, "With --lines: only these runs, as in --only 0,5,9")
      ->delimiter(',')
      ->needs(lines)
      ->type_name("RUNS");
  command->add_flag("--json", o->json, "Print a summary as JSON on stdout, all else on stderr");
  command->add_flag("--quiet,-q", o->quiet, "Print only problems (and the JSON, if asked for)");
  command->callback([o, &status, command_line] { status = sweep(*o, command_line); });
}

void add_identify(CLI::App& app, int& status, char** command_line) {
  CLI::App* command = app.add_subcommand("identify", "Find numbers of a scene from measured records");
  auto o = std::make_shared<IdentifyArguments>();
  command->add_option("STUDY", o->study, "Study file (TOML): scene, parameters, experiments, what was measured")
      ->required();
  command->add_option("--set", o->set, "Change a value of the scene in all runs, e.g. section.wall.EI=0.02")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  command->add_option("--output,-o", o->output, "Folder of the results; default: named after the study, here")
      ->type_name("DIR");
  auto* force = command->add_flag("--force", o->force, "Begin again, whatever is in the folder");
  command->add_flag("--resume", o->resume, "Go on with the stopped study that is in the folder")->excludes(force);
  command->add_option("--threads", o->threads, "Runs at a time; the results do not depend on it")
      ->check(CLI::Range(1, 256))
      ->type_name("N");
  command->add_flag("--profile", o->profile, "Find the likelihood along each parameter too");
  command->add_flag("--json", o->json, "Print the results as JSON on stdout, all else on stderr");
  command->add_flag("--quiet,-q", o->quiet, "Print only problems (and the JSON, if asked for)");
  command->callback([o, &status, command_line] { status = identify_command(*o, command_line); });
}

void add_invert(CLI::App& app, int& status, char** command_line) {
  CLI::App* command = app.add_subcommand("invert", "Find numbers of a scene for a wanted behaviour");
  auto o = std::make_shared<InvertArguments>();
  command->add_option("STUDY", o->study, "Study file (TOML): scene, parameters, targets")->required();
  command->add_option("--set", o->set, "Change a value of the scene in all runs, e.g. section.wall.EI=0.02")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  command->add_option("--output,-o", o->output, "File for the results as JSON")->type_name("FILE");
  command
      ->add_option("--log", o->log,
                   "File that keeps each run as it ends, and is read first: a search that was stopped goes on")
      ->type_name("FILE");
  command->add_option("--threads", o->threads, "Runs at a time; the results do not depend on it")
      ->check(CLI::Range(1, 256))
      ->type_name("N");
  command->add_flag("--json", o->json, "Print the results as JSON on stdout, all else on stderr");
  command->add_flag("--quiet,-q", o->quiet, "Print only problems (and the JSON, if asked for)");
  command->callback([o, &status, command_line] { status = invert_command(*o, command_line); });
}

void add_linearise(CLI::App& app, int& status, char** command_line) {
  CLI::App* command = app.add_subcommand(
      "linearise", "Give a scene as a linear system about a state: A, B, C, D, eigenvalues, frequency responses");
  auto o = std::make_shared<LineariseArguments>();
  command->add_option("SCENE", o->scene, "Scene file (TOML)")->required();
  command->add_option("--set", o->set, "Change a value of the scene, e.g. section.wall.EI=0.02")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  command
      ->add_option(
          "--at", o->at,
          "start, a time (\"0.3 s\"), or behind an analysis by name; default: behind the analyses without time "
          "that come first, at the equilibrium of a static one")
      ->type_name("WHERE");
  command
      ->add_option(
          "--input", o->inputs,
          "Signals by name; default: those of type \"input\", and where there are none all that something feels")
      ->delimiter(',')
      ->type_name("NAME");
  command->add_option("--sensor", o->outputs, "Sensors and numbers of them, as tip or tip.y; default: all")
      ->delimiter(',')
      ->type_name("NAME");
  auto* responses = command
                        ->add_option("--frequency-response", o->frequencies,
                                     "Responses at COUNT frequencies [Hz], evenly spaced by their logarithms")
                        ->type_name("LOW:HIGH:COUNT");
  command->add_flag("--no-matrices", o->no_matrices, "Frequency responses alone: of models of any size")
      ->needs(responses);
  command
      ->add_option("--output,-o", o->output,
                   "Write it to FILE.json, FILE.npz (NumPy), FILE.m (MATLAB, Octave) or a folder of CSV tables; may be "
                   "repeated")
      ->type_name("FILE")
      ->allow_extra_args(false);
  command->add_flag("--json", o->json, "Print all of it as JSON on stdout, all else on stderr");
  command->add_flag("--quiet,-q", o->quiet, "Print only problems (and the JSON, if asked for)");
  command->callback([o, &status, command_line] { status = linearise_command(*o, command_line); });
}

void add_inverse_statics(CLI::App& app, int& status, char** command_line) {
  CLI::App* command =
      app.add_subcommand("inverse-statics", "Find inputs of a scene for wanted places and poses at rest");
  auto o = std::make_shared<SteeredArguments>();
  add_steered_study(*command, *o, "scene, inputs, targets");
  command->callback([o, &status, command_line] { status = inverse_statics_command(*o, command_line); });
}

void add_inverse_dynamics(CLI::App& app, int& status, char** command_line) {
  CLI::App* command =
      app.add_subcommand("inverse-dynamics", "Find inputs of a scene over time for wanted trajectories");
  auto o = std::make_shared<SteeredArguments>();
  add_steered_study(*command, *o, "scene, inputs, targets over time");
  command->callback([o, &status, command_line] { status = inverse_dynamics_command(*o, command_line); });
}

void add_workspace(CLI::App& app, int& status, char** command_line) {
  CLI::App* command = app.add_subcommand("workspace", "Map what inputs of a scene can reach at rest, and how well");
  auto o = std::make_shared<WorkspaceArguments>();
  add_steered_study(*command, *o, "scene, inputs, the place, how it is sampled");
  command->add_option("--threads", o->threads, "Threads; the results do not depend on it")
      ->check(CLI::Range(1, 256))
      ->type_name("N");
  command->callback([o, &status, command_line] { status = workspace_command(*o, command_line); });
}

void add_fit_material(CLI::App& app, int& status, char** command_line) {
  CLI::App* command = app.add_subcommand("fit-material", "Find the constants of rubber from measured tension");
  auto o = std::make_shared<FitMaterialArguments>();
  command->add_option("FILE", o->files,
                      "Tables of stretch or strain and stress; \"# test: uniaxial\" in each says which test it is");
  for (int test = 0; test < 3; ++test) {
    const std::string name(tension_test_names[test]);
    command->add_option("--" + name, o->of_test[test], fmt::format("Tables of {} tension, whatever they say", name))
        ->type_name("FILE");
  }
  command
      ->add_option("--law", o->options.laws,
                   fmt::format("Laws to fit: {}; default: all", list_of(fittable_laws(), "and")))
      ->type_name("NAME");
  command->add_option("--fix", o->fixed, "Constants that are known, as in alpha1=2 or \"mu=0.3 MPa\"")
      ->type_name("NAME=VALUE");
  command->add_option("--unit", o->format.unit, "Unit of stress where a header has none, as in MPa")->type_name("UNIT");
  command
      ->add_option(
          "--column", o->columns,
          "Column of a measure by heading or by number from 1, as in true_strain=4; measures: stretch, strain, "
          "true_strain, stress, true_stress")
      ->type_name("MEASURE=COLUMN");
  command
      ->add_option_function<std::string>(
          "--decimal",
          [o](const std::string& name) {
            o->format.decimal =
                static_cast<DecimalMark>(std::ranges::find(decimal_mark_names, name) - decimal_mark_names.begin());
          },
          "Decimal mark of the tables: automatic, point or comma")
      ->check(CLI::IsMember(std::vector<std::string>(decimal_mark_names.begin(), decimal_mark_names.end())))
      ->type_name("MARK");
  command
      ->add_option_function<std::string>(
          "--branch",
          [o](const std::string& name) {
            o->format.branch = static_cast<TensionBranch>(std::ranges::find(tension_branch_names, name) -
                                                          tension_branch_names.begin());
          },
          "Rows to fit where a test goes up and down: loading (the default), unloading or all")
      ->check(CLI::IsMember(std::vector<std::string>(tension_branch_names.begin(), tension_branch_names.end())))
      ->type_name("BRANCH");
  command->add_flag("--relative", o->options.relative,
                    "Make relative residuals least: small stresses count as much as large ones");
  command->add_option("--name", o->name, "Name of the material in the TOML; default: rubber")->type_name("NAME");
  command->add_option("--output,-o", o->output, "Page to write; default: fit-material.html; \"\" for none")
      ->type_name("FILE");
  command->add_option("--toml", o->toml, "Write [material.NAME] of the best law to this file")->type_name("FILE");
  command->add_flag("--json", o->json, "Print everything as JSON");
  command->callback([o, &status, command_line] { status = fit_material_command(*o, command_line); });
}

void add_export_fmu(CLI::App& app, int& status, char** command_line) {
  CLI::App* command = app.add_subcommand(
      "export-fmu", "Write a scene as a Functional Mock-up Unit, for co-simulation in other programs");
  auto o = std::make_shared<ExportFmuArguments>();
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
  command->callback([o, &status, command_line] { status = export_fmu_command(*o, command_line); });
}

void add_gradient(CLI::App& app, int& status, char** command_line) {
  CLI::App* command = app.add_subcommand("gradient", "What sensors and modes feel of numbers of a scene");
  auto o = std::make_shared<GradientArguments>();
  command->add_option("SCENE", o->scene, "Scene file (TOML)")->required();
  command->add_option("--of", o->of, "Sensors, \"tip\", or numbers of them, \"tip.y\"; default: all")
      ->type_name("SENSOR");
  command
      ->add_option("--with", o->with,
                   "Numbers of the scene by their paths, e.g. section.wall.EI signal.pump.points[3][1]")
      ->type_name("PATH");
  command
      ->add_option("--times", o->times, "Ends of steps at which sensors are read [s], as in 0.1,0.2; default: the end")
      ->delimiter(',')
      ->type_name("TIMES");
  command->add_option("--after", o->after, "Analyses at whose ends sensors are read")->type_name("ANALYSIS");
  command->add_option("--set", o->set, "Change a value of the scene, e.g. section.wall.EI=0.02")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  command->add_option("--way", o->way, "forwards costs by numbers, backwards by results; default: what costs less")
      ->check(CLI::IsMember({"automatic", "forwards", "backwards"}))
      ->type_name("WAY");
  auto* check =
      command->add_flag("--check", o->check, "Compare with differences of whole runs, twelve for each number");
  command->add_option("--tolerance", o->tolerance, "Of the comparison, to the largest slope; default: 1e-6")
      ->check(CLI::Range(0.0, 1.0))
      ->needs(check)
      ->type_name("SHARE");
  command
      ->add_option("--relative-step", o->relative_step,
                   "Of the differences that the building of the model is differentiated by; default: 1e-3")
      ->check(CLI::Range(1e-8, 0.1))
      ->type_name("SHARE");
  command->add_flag("--numbers", o->numbers, "List the numbers of the scene, and do no more");
  command->add_option("--output,-o", o->output, "File for the results as JSON")->type_name("FILE");
  command->add_flag("--json", o->json, "Print the results as JSON on stdout, all else on stderr");
  command->add_flag("--quiet,-q", o->quiet, "Print only problems (and the JSON, if asked for)");
  command->callback([o, &status, command_line] { status = gradient_command(*o, command_line); });
}

}  // namespace flexura::cli
