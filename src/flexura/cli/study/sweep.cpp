// `flexura sweep` of the program that computes.

#include "flexura/study/sweep.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "flexura/assembly/thread_pool.hpp"
#include "flexura/base/quote.hpp"
#include "flexura/cli/command.hpp"
#include "flexura/cli/console.hpp"
#include "flexura/cli/interrupt.hpp"
#include "flexura/cli/progress_line.hpp"
#include "flexura/cli/study.hpp"
#include "flexura/cli/study/cluster.hpp"
#include "flexura/study/lane_runs.hpp"

namespace flexura::cli {
namespace {

namespace fs = std::filesystem;

std::string folder_of(const SweepArguments& o) {
  if (!o.output.empty()) return o.output;
  const std::string stem = fs::path(o.study).stem().string();
  if (fs::exists(stem) && !fs::is_directory(stem))
    throw UsageError(
        fmt::format("{} is a file, and results go to a folder named after the study; give --output DIR", stem));
  return stem;
}

/// Of the runs asked for, or of all.
int print_lines(const SweepArguments& o, const SweepPlan& plan) {
  std::vector<long> runs = o.only;
  for (const long run : runs)
    if (run < 0 || run >= static_cast<long>(plan.runs.size()))
      throw UsageError(fmt::format("--only: there is no run {}; they go from 0 to {}", run, plan.runs.size() - 1));
  for (std::size_t i = 0; o.only.empty() && i < plan.runs.size(); ++i) runs.push_back(static_cast<long>(i));
  if (plan.keeps_reports) throw UsageError("--lines: the study asks for reports, which it does not write");
  say("{}\n", journal_header(plan));
  const bool done = compute_runs(plan, runs, !o.no_lanes && fits_lanes(plan), &stop_on_signals(), {},
                                 [](const SweepOutcome& outcome) { say("{}\n", outcome_line(outcome)); });
  return done ? success : interrupted;
}

}  // namespace

int sweep(const SweepArguments& o, char**) {
  StudyOptions reading;
  reading.scene.set = o.set;
  if (o.lines) return print_lines(o, read_sweep(o.study, reading));
  const std::string folder = folder_of(o);
  if (!o.force && !o.resume && holds_sweep(folder))
    throw UsageError(fmt::format(
        "{} holds a sweep already\ntry: --force to overwrite it, --resume to go on with it, or --output DIR "
        "for another folder",
        folder));
  const SweepPlan plan = read_sweep(o.study, reading);
  const int processors = available_processors();
  SweepOptions options{
      .folder = folder, .resume = o.resume, .threads = std::min(o.threads, processors), .lanes = !o.no_lanes};
  if (o.threads > processors && !o.quiet)
    note("note: {} threads were asked for, {} used: this process may use no more processors\n", o.threads, processors);
  if (plan.keeps_reports) options.threads = 1;
  if (plan.keeps_reports && o.threads > 1 && !o.quiet) note("note: runs that write reports go one by one\n");
  options.stop = &stop_on_signals();
  ProgressLine line(isatty(STDERR_FILENO) != 0);
  if (!o.quiet) {
    note("{}\n", plan.design);
    options.progress = [&line](const SweepProgress& p) {
      line.show("sweep", static_cast<double>(p.done) / static_cast<double>(p.runs), sweep_progress_text(p));
    };
  }
  if (!o.scheduler.empty()) {
    if (plan.keeps_reports) throw UsageError("--scheduler: the study asks for reports, which workers do not write");
    spread_runs(o, folder, *options.stop);
    options.resume = true;  // nothing is left but the tables
  }
  const SweepSummary summary = run_sweep(plan, options);
  line.clear();
  if (summary.interrupted)
    note("interrupted: {} of {} runs are kept\ngo on with: flexura sweep {} --resume{}\n",
         summary.finished + summary.failed, summary.runs, shell_word(o.study),
         o.output.empty() ? "" : " --output " + shell_word(folder));
  if (o.json)
    say("{}\n", json_text(sweep_json(summary)));
  else if (!o.quiet)
    say("{}", sweep_text(summary));
  return summary.interrupted ? interrupted : success;
}

}  // namespace flexura::cli
