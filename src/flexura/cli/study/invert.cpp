#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "flexura/cli/command.hpp"
#include "flexura/cli/console.hpp"
#include "flexura/cli/interrupt.hpp"
#include "flexura/cli/study.hpp"
#include "flexura/study/identify_file.hpp"
#include "flexura/study/identify_output.hpp"

namespace flexura::cli {

int invert_command(const InvertArguments& o, char**) {
  StudyOptions reading;
  reading.scene.set = o.set;
  const Inversion what = read_inversion(o.study, reading);
  IdentifyOptions options;
  options.threads = o.threads;
  options.log = o.log;
  options.stop = &stop_on_signals();
  InvertReport report;
  try {
    report = invert(what, options);
  } catch (const StudyStopped&) {
    if (o.log.empty())
      note("interrupted; with --log FILE a search keeps its runs\n");
    else
      note("interrupted: what was computed is kept\ngo on with: flexura invert {} --log {}\n", o.study, o.log);
    return interrupted;
  }
  for (const std::string& warning : report.fit.warnings) note("warning: {}\n", warning);
  const std::string json = json_text(invert_json(report));
  if (!o.output.empty()) write_text(o.output, json + "\n");
  if (o.json)
    say("{}\n", json);
  else if (!o.quiet)
    say("{}", invert_text(report));
  return report.reached ? success : unsuccessful;
}

}  // namespace flexura::cli
