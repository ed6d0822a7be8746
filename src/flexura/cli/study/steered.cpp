// `flexura inverse-statics`, `flexura inverse-dynamics` and `flexura workspace` of the program that computes.

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "flexura/assembly/thread_pool.hpp"
#include "flexura/cli/command.hpp"
#include "flexura/cli/console.hpp"
#include "flexura/cli/interrupt.hpp"
#include "flexura/cli/progress_line.hpp"
#include "flexura/cli/study.hpp"
#include "flexura/cli/study/results_folder.hpp"
#include "flexura/study/dynamic_output.hpp"
#include "flexura/study/gradient.hpp"
#include "flexura/study/inverse_file.hpp"
#include "flexura/study/inverse_output.hpp"
#include "flexura/study/workspace_file.hpp"
#include "flexura/study/workspace_output.hpp"

namespace flexura::cli {
namespace {

namespace fs = std::filesystem;

/// Where results go; what is there is kept unless told otherwise.
fs::path folder_of(const SteeredArguments& o, const std::string& mark) {
  fs::path folder = results_folder(o.study, o.output);
  if (fs::exists(folder / mark) && !o.force)
    throw UsageError(
        fmt::format("{} holds a study already\ntry: --force to overwrite it, or --output DIR for another "
                    "folder",
                    folder.string()));
  return folder;
}

}  // namespace

int inverse_statics_command(const SteeredArguments& o, char**) {
  StudyOptions reading;
  reading.scene.set = o.set;
  const InversePlan plan = read_inverse_statics(o.study, reading);
  const fs::path folder = folder_of(o, "inverse_statics.json");
  InverseListOptions options;
  options.stop = &stop_on_signals();
  ProgressLine line(isatty(STDERR_FILENO) != 0);
  if (!o.quiet)
    options.progress = [&](size_t done, size_t all) {
      line.show("points", static_cast<double>(done) / static_cast<double>(all), fmt::format("{} of {}", done, all));
    };
  const InverseListReport report = inverse_statics(plan, options);
  line.clear();
  for (const std::string& warning : report.warnings) note("warning: {}\n", warning);
  const std::string json = json_text(inverse_json(plan, report)) + "\n";
  write_text(folder / "inverse_statics.json", json);
  write_text(folder / "table.csv", inverse_csv(plan, report));
  write_text(folder / "report.html", inverse_page(plan, report));
  if (report.interrupted) note("interrupted: {} of {} points are kept\n", report.points.size(), plan.points.size());
  if (o.json)
    say("{}", json);
  else if (!o.quiet)
    say("{}wrote {}\n", inverse_text(plan, report), (folder / "report.html").string());
  if (report.interrupted) return interrupted;
  return report.reached() == plan.points.size() ? success : unsuccessful;
}

int inverse_dynamics_command(const SteeredArguments& o, char**) {
  StudyOptions reading;
  reading.scene.set = o.set;
  const DynamicPlan plan = read_inverse_dynamics(o.study, reading);
  const fs::path folder = folder_of(o, "inverse_dynamics.json");
  DynamicOptions options;
  options.stop = &stop_on_signals();
  if (!o.quiet) options.progress = [](const std::string& line) { note("{}\n", line); };
  DynamicReport report;
  try {
    report = inverse_dynamics(plan, options);
  } catch (const GradientError& error) {
    if (*options.stop) {
      note("interrupted in the first run: there is nothing to keep\n");
      return interrupted;
    }
    note("error: {}: {}\n", o.study, error.what());
    return unsuccessful;
  }
  const std::string json = json_text(dynamic_json(plan, report)) + "\n";
  const std::string inputs = (folder / "inputs.csv").string();
  write_text(folder / "inverse_dynamics.json", json);
  write_text(inputs, dynamic_inputs_csv(plan, report));
  write_text(folder / "path.csv", dynamic_path_csv(plan, report));
  write_text(folder / "report.html", dynamic_page(plan, report, plan.scene_file, fs::absolute(inputs).string()));
  if (*options.stop) note("interrupted: the best inputs so far are kept\n");
  if (o.json)
    say("{}", json);
  else if (!o.quiet)
    say("{}wrote {}\n", dynamic_text(plan, report), (folder / "report.html").string());
  if (*options.stop) return interrupted;
  return report.followed ? success : unsuccessful;
}

int workspace_command(const WorkspaceArguments& o, char**) {
  StudyOptions reading;
  reading.scene.set = o.set;
  const WorkspacePlan plan = read_workspace(o.study, reading);
  const fs::path folder = folder_of(o, "workspace.json");
  WorkspaceOptions options;
  options.threads = std::min(o.threads, available_processors());
  options.stop = &stop_on_signals();
  ProgressLine line(isatty(STDERR_FILENO) != 0);
  if (!o.quiet)
    options.progress = [&](const std::string& what, size_t done, size_t all) {
      line.show("workspace", static_cast<double>(done) / static_cast<double>(std::max<size_t>(1, all)),
                fmt::format("{} of {} {}", done, all, what));
    };
  const WorkspaceReport report = map_workspace(plan, options);
  line.clear();
  for (const std::string& warning : report.warnings) note("warning: {}\n", warning);
  const std::string json = json_text(workspace_json(plan, report)) + "\n";
  write_text(folder / "workspace.json", json);
  write_text(folder / "table.csv", workspace_csv(plan, report.samples));
  write_text(folder / "boundary.csv", workspace_csv(plan, report.boundary));
  if (!plan.targets.empty()) write_text(folder / "targets.csv", targets_csv(plan, report));
  write_text(folder / "index.html", workspace_page(plan, report));
  if (report.interrupted) note("interrupted: what was found is kept\n");
  if (o.json)
    say("{}", json);
  else if (!o.quiet)
    say("{}wrote {}\n", workspace_text(plan, report), (folder / "index.html").string());
  if (report.interrupted) return interrupted;
  return report.found() > 0 ? success : unsuccessful;
}

}  // namespace flexura::cli
