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
#include "flexura/study/study_log.hpp"
#include "flexura/study/workspace_file.hpp"
#include "flexura/study/workspace_output.hpp"
#include "flexura/version.hpp"

namespace flexura::cli {
namespace {

template <class Plan>
StudyLog log_of(const ResultsFolder& folder, const Plan& plan, const std::string& kind) {
  return StudyLog(folder.log, fmt::format("{} {} {:08x}", kind, version, fingerprint_of(plan)));
}

}  // namespace

int inverse_statics_command(const SteeredArguments& o, char**) {
  StudyOptions reading;
  reading.scene.set = o.set;
  const InversePlan plan = read_inverse_statics(o.study, reading);
  const ResultsFolder folder = results_folder(o.study, o.output, "inverse_statics.json", o.force, o.resume);
  StudyLog log = log_of(folder, plan, "inverse-statics");
  InverseListOptions options;
  options.log = &log;
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
  write_text(folder.path / "inverse_statics.json", json);
  write_text(folder.path / "table.csv", inverse_csv(plan, report));
  write_text(folder.path / "report.html", inverse_page(plan, report));
  if (report.interrupted)
    tell_how_to_go_on(fmt::format("{} of {} points are kept", report.points.size(), plan.points.size()),
                      "inverse-statics", o.study, o.output);
  if (o.json)
    say("{}", json);
  else if (!o.quiet)
    say("{}wrote {}\n", inverse_text(plan, report), (folder.path / "report.html").string());
  if (report.interrupted) return interrupted;
  return report.reached() == plan.points.size() ? success : unsuccessful;
}

int inverse_dynamics_command(const SteeredArguments& o, char**) {
  StudyOptions reading;
  reading.scene.set = o.set;
  const DynamicPlan plan = read_inverse_dynamics(o.study, reading);
  const ResultsFolder folder = results_folder(o.study, o.output, "inverse_dynamics.json", o.force, o.resume);
  StudyLog log = log_of(folder, plan, "inverse-dynamics");
  DynamicOptions options;
  options.log = &log;
  options.stop = &stop_on_signals();
  if (!o.quiet) options.progress = [](const std::string& line) { note("{}\n", line); };
  DynamicReport report;
  try {
    report = inverse_dynamics(plan, options);
  } catch (const GradientError& error) {
    if (*options.stop) {
      tell_how_to_go_on("no inputs are found yet", "inverse-dynamics", o.study, o.output);
      return interrupted;
    }
    note("error: {}: {}\n", o.study, error.what());
    return unsuccessful;
  }
  const std::string json = json_text(dynamic_json(plan, report)) + "\n";
  const std::string inputs = (folder.path / "inputs.csv").string();
  write_text(folder.path / "inverse_dynamics.json", json);
  write_text(inputs, dynamic_inputs_csv(plan, report));
  write_text(folder.path / "path.csv", dynamic_path_csv(plan, report));
  write_text(folder.path / "report.html",
             dynamic_page(plan, report, plan.scene_file, std::filesystem::absolute(inputs).string()));
  if (*options.stop) tell_how_to_go_on("the best inputs so far are kept", "inverse-dynamics", o.study, o.output);
  if (o.json)
    say("{}", json);
  else if (!o.quiet)
    say("{}wrote {}\n", dynamic_text(plan, report), (folder.path / "report.html").string());
  if (*options.stop) return interrupted;
  return report.followed ? success : unsuccessful;
}

int workspace_command(const WorkspaceArguments& o, char**) {
  StudyOptions reading;
  reading.scene.set = o.set;
  const WorkspacePlan plan = read_workspace(o.study, reading);
  const ResultsFolder folder = results_folder(o.study, o.output, "workspace.json", o.force, o.resume);
  StudyLog log = log_of(folder, plan, "workspace");
  WorkspaceOptions options;
  options.log = &log;
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
  write_text(folder.path / "workspace.json", json);
  write_text(folder.path / "table.csv", workspace_csv(plan, report.samples));
  write_text(folder.path / "boundary.csv", workspace_csv(plan, report.boundary));
  if (!plan.targets.empty()) write_text(folder.path / "targets.csv", targets_csv(plan, report));
  write_text(folder.path / "index.html", workspace_page(plan, report));
  if (report.interrupted) tell_how_to_go_on("what was found is kept", "workspace", o.study, o.output);
  if (o.json)
    say("{}", json);
  else if (!o.quiet)
    say("{}wrote {}\n", workspace_text(plan, report), (folder.path / "index.html").string());
  if (report.interrupted) return interrupted;
  return report.found() > 0 ? success : unsuccessful;
}

}  // namespace flexura::cli
