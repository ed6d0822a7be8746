#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "flexura/cli/command.hpp"
#include "flexura/cli/console.hpp"
#include "flexura/cli/interrupt.hpp"
#include "flexura/cli/study.hpp"
#include "flexura/cli/study/results_folder.hpp"
#include "flexura/study/identify_file.hpp"
#include "flexura/study/identify_output.hpp"

namespace flexura::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* log_name = "evaluations.jsonl";

/// Where the study's results go; a log that is there is only taken where that is asked for.
fs::path folder_of(const IdentifyArguments& o) {
  fs::path folder = results_folder(o.study, o.output);
  const bool holds_study = fs::exists(folder / log_name);
  if (holds_study && !o.force && !o.resume)
    throw UsageError(
        fmt::format("{} holds a study already\ntry: --force to begin again, --resume to go on with it, or --output DIR "
                    "for another folder",
                    folder.string()));
  if (holds_study && o.force) fs::remove(folder / log_name);
  return folder;
}

}  // namespace

int identify_command(const IdentifyArguments& o, char**) {
  StudyOptions reading;
  reading.scene.set = o.set;
  Identification what = read_identification(o.study, reading);
  what.profile = what.profile || o.profile;
  const fs::path folder = folder_of(o);
  IdentifyOptions options;
  options.threads = o.threads;
  options.log = (folder / log_name).string();
  options.stop = &stop_on_signals();
  if (!o.quiet) options.progress = [](const std::string& line) { note("{}\n", line); };
  IdentifyReport report;
  try {
    report = identify(what, options);
  } catch (const StudyStopped&) {
    note("interrupted: what was computed is kept\ngo on with: flexura identify {} --resume{}\n", o.study,
         o.output.empty() ? "" : " --output " + o.output);
    return interrupted;
  }
  for (const std::string& warning : report.warnings) note("warning: {}\n", warning);
  const Json json = identify_json(report);
  write_text(folder / "identify.json", json_text(json) + "\n");
  write_text(folder / "report.html", identify_page(report));
  for (const FittedSeries& series : report.series)
    write_text(folder / fmt::format("{}.{}.csv", series.experiment, series.measured.name), identify_csv(series));
  if (o.json)
    say("{}\n", json_text(json));
  else if (!o.quiet)
    say("{}wrote {}\n", identify_text(report), (folder / "report.html").string());
  return report.converged ? success : unsuccessful;
}

}  // namespace flexura::cli
