#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "flexura/cli/command.hpp"
#include "flexura/cli/console.hpp"
#include "flexura/cli/interrupt.hpp"
#include "flexura/cli/study.hpp"
#include "flexura/cli/study/results_folder.hpp"
#include "flexura/study/identify_file.hpp"
#include "flexura/study/identify_output.hpp"

namespace flexura::cli {

int identify_command(const IdentifyArguments& o, char**) {
  StudyOptions reading;
  reading.scene.set = o.set;
  Identification what = read_identification(o.study, reading);
  what.profile = what.profile || o.profile;
  const ResultsFolder folder = results_folder(o.study, o.output, "identify.json", o.force, o.resume);
  IdentifyOptions options;
  options.threads = o.threads;
  options.log = folder.log;
  options.stop = &stop_on_signals();
  if (!o.quiet) options.progress = [](const std::string& line) { note("{}\n", line); };
  IdentifyReport report;
  try {
    report = identify(what, options);
  } catch (const StudyStopped&) {
    tell_how_to_go_on("what was computed is kept", "identify", o.study, o.output);
    return interrupted;
  }
  for (const std::string& warning : report.warnings) note("warning: {}\n", warning);
  const Json json = identify_json(report);
  write_text(folder.path / "identify.json", json_text(json) + "\n");
  write_text(folder.path / "report.html", identify_page(report));
  for (const FittedSeries& series : report.series)
    write_text(folder.path / fmt::format("{}.{}.csv", series.experiment, series.measured.name), identify_csv(series));
  if (o.json)
    say("{}\n", json_text(json));
  else if (!o.quiet)
    say("{}wrote {}\n", identify_text(report), (folder.path / "report.html").string());
  return report.converged ? success : unsuccessful;
}

}  // namespace flexura::cli
