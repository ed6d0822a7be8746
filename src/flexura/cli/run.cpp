#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "flexura/assembly/thread_pool.hpp"
#include "flexura/base/quote.hpp"
#include "flexura/cli/command.hpp"
#include "flexura/cli/console.hpp"
#include "flexura/cli/interrupt.hpp"
#include "flexura/cli/progress_line.hpp"
#include "flexura/cli/stopped_run.hpp"
#include "flexura/run/simulation.hpp"
#include "flexura/scene/reader.hpp"

namespace flexura::cli {
namespace {

namespace fs = std::filesystem;

struct RunArguments {
  std::string scene;
  SceneOptions reading;
  std::string output;
  bool force = false, resume = false, json = false, vtk = false, plots = false, no_csv = false, no_report = false,
       quiet = false, verify = false;
  int threads = 1;
};

std::string folder_of(const RunArguments& o) {
  if (!o.output.empty()) return o.output;
  const std::string stem = fs::path(o.scene).stem().string();
  if (fs::exists(stem) && !fs::is_directory(stem))
    throw UsageError(
        fmt::format("{} is a file, and results go to a folder named after the scene; give --output DIR", stem));
  return stem;
}

bool holds_run(const std::string& folder) {
  return fs::exists(fs::path(folder) / "run.journal") || fs::exists(fs::path(folder) / "results.h5");
}

void make_folder(const std::string& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error || !fs::is_directory(folder)) {
    throw IoError(
        fmt::format("cannot make the folder {}: {}", folder, error ? error.message() : "a file is in the way"));
  }
  if (access(folder.c_str(), W_OK | X_OK) != 0) throw IoError(fmt::format("cannot write into the folder {}", folder));
}

/// The scene to run, and whether it goes on from a checkpoint.
SceneDocument choose_scene(const RunArguments& o, const std::string& folder, bool& resume) {
  resume = false;
  if (o.resume) {
    const StoppedRun stopped = read_stopped_run(folder);
    if (stopped.text && stopped.effective) {
      SceneDocument document = scene_of(stopped, o.scene, o.reading.set);
      resume = stopped.has_checkpoint;
      if (!o.quiet) {
        if (resume)
          note("going on from t = {:.6g} s\n", stopped.t);
        else
          note("the stopped run has no checkpoint yet: beginning again\n");
      }
      return document;
    }
    if (!o.quiet) note("the stopped run has written nothing yet: beginning with the scene as given\n");
  } else if (!o.force && holds_run(folder)) {
    throw UsageError(
        fmt::format("{} holds a run already\ntry: --force to overwrite it, --resume to go on with it, or "
                    "--output DIR for another folder",
                    folder));
  }
  read_text(o.scene);
  return read_scene(o.scene, scene_terms(), o.reading);
}

std::string resume_hint(const RunArguments& o, const std::string& folder) {
  std::string hint = fmt::format("go on with: flexura run {} --resume", shell_word(o.scene));
  if (!o.output.empty()) hint += " --output " + shell_word(folder);
  return hint;
}

int run(const RunArguments& o) {
  const std::string folder = folder_of(o);
  bool resume = false;
  const SceneDocument document = choose_scene(o, folder, resume);
  try {
    interpret_scene(document);
  } catch (const InputError& error) {
    rethrow_with_lines(error, document.texts);
  }
  make_folder(folder);

  RunOptions options;
  options.folder = folder;
  options.resume = resume;
  options.csv = !o.no_csv;
  options.vtk = o.vtk;
  options.plots = o.plots;
  options.report = !o.no_report;
  options.threads = o.threads;
  options.stop = &stop_on_signals();
  if (const int processors = available_processors(); o.threads > processors && !o.quiet)
    note("note: {} threads were asked for, {} used: this process may use no more processors\n", o.threads, processors);
  ProgressLine line(isatty(STDERR_FILENO) != 0);
  if (!o.quiet) options.progress = [&line](const Progress& p) { line.show(p); };

  if (o.verify)
    options.verify = [&](const RunSummary& run) {
      line.clear();
      if (!o.quiet) note("estimating errors: the run is repeated with other steps and meshes\n");
      return estimate_errors(document, o.reading, run, options);
    };

  RunSummary summary;
  try {
    summary = run_scene(document, options);
  } catch (const ResultsError& error) {
    throw IoError(fmt::format("{}: {}", error.problems().front().source.file, error.problems().front().message));
  } catch (const InputError& error) {
    rethrow_with_lines(error, document.texts);
  }
  line.clear();

  for (const std::string& warning : summary.warnings) note("warning: {}\n", warning);
  for (const std::string& problem : summary.unwritten) note("error: {}\n", problem);
  if (summary.status == RunStatus::failed) note("error: {}\n", summary.message);
  if (summary.status == RunStatus::interrupted)
    note("{}: what was computed is kept\n{}\n", summary.message, resume_hint(o, folder));
  if (o.json)
    say("{}\n", json_text(summary_json(summary)));
  else if (!o.quiet)
    say("{}", summary_text(summary));
  if (!summary.unwritten.empty()) return io_failure;
  return summary.status == RunStatus::finished ? success
         : summary.status == RunStatus::failed ? unsuccessful
                                               : interrupted;
}

}  // namespace

void add_run(CLI::App& app, int& status) {
  CLI::App* command = app.add_subcommand("run", "Run a scene and write its results into a folder");
  auto o = std::make_shared<RunArguments>();
  command->add_option("SCENE", o->scene, "Scene file (TOML)")->required();
  command->add_option("--set", o->reading.set, "Change a value, e.g. section.wall.EI=0.02; may be given several times")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  command->add_option("--output,-o", o->output, "Folder of the results; default: named after the scene, here")
      ->type_name("DIR");
  auto* force = command->add_flag("--force", o->force, "Overwrite the run that is in the folder");
  command->add_flag("--resume", o->resume, "Go on with the stopped run that is in the folder, bit for bit")
      ->excludes(force);
  command->add_flag("--verify", o->verify, "Estimate the error of every sensor, by runs with other steps and meshes");
  command->add_option("--threads", o->threads, "Threads; the results do not depend on it")
      ->check(CLI::Range(1, 256))
      ->type_name("N");
  command->add_flag("--json", o->json, "Print the summary as JSON on stdout, all else on stderr");
  command->add_flag("--vtk", o->vtk, "Write frames for ParaView (PVD and VTU)");
  command->add_flag("--plots", o->plots, "Write a plot per sensor (SVG)");
  command->add_flag("--no-csv", o->no_csv, "Write no tables of the sensors");
  command->add_flag("--no-report", o->no_report, "Write no report.html");
  command->add_flag("--quiet,-q", o->quiet, "Print only problems (and the JSON, if asked for)");
  command->callback([o, &status] { status = run(*o); });
}

}  // namespace flexura::cli
