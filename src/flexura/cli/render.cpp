// Frames of a run without a screen.

#include "flexura/report/render.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>
#include <optional>

#include "flexura/cli/command.hpp"
#include "flexura/cli/console.hpp"
#include "flexura/cli/interrupt.hpp"
#include "flexura/cli/stored_results.hpp"
#include "flexura/report/report.hpp"

namespace flexura::cli {
namespace {

namespace fs = std::filesystem;

struct RenderArguments {
  std::string path, size = "1280x720", at = "end", theme = "light";
  bool no_legend = false, quiet = false;
  RenderOptions render;
};

constexpr int smallest = 16, largest = 8192;  // pixels; more is beyond what a canvas holds everywhere

void read_size(const RenderArguments& o, RenderOptions& render) {
  char rest = 0;
  if (std::sscanf(o.size.c_str(), "%dx%d%c", &render.width, &render.height, &rest) != 2)
    throw UsageError(fmt::format("--size {}: write WIDTHxHEIGHT in pixels, as 1280x720", o.size));
  for (const int pixels : {render.width, render.height})
    if (pixels < smallest || pixels > largest)
      throw UsageError(fmt::format("--size {}: {} to {} pixels each way", o.size, smallest, largest));
  if (!o.render.mp4.empty() && (render.width % 2 != 0 || render.height % 2 != 0))
    throw UsageError(fmt::format("--size {}: a video needs an even width and height; nearest: {}x{}", o.size,
                                 render.width + render.width % 2, render.height + render.height % 2));
}

double read_share(const std::string& text) {
  if (text == "start") return 0;
  if (text == "end") return 1;
  double share = -1;
  char rest = 0;
  if (std::sscanf(text.c_str(), "%lf%c", &share, &rest) != 1 || !(share >= 0 && share <= 1))
    throw UsageError(fmt::format("--at {}: start, end, or a share of the analysis from 0 to 1", text));
  return share;
}

/// The report that a run has left in its folder, if it is not older than what it shows; otherwise "".
std::string left_report(const std::string& path) {
  const bool is_folder = fs::is_directory(path);
  const fs::path folder = is_folder ? fs::path(path) : fs::path(path).parent_path(), report = folder / "report.html";
  const std::array<fs::path, 2> sources{"results.h5", "run.journal"};
  const bool is_run =
      is_folder || std::find(sources.begin(), sources.end(), fs::path(path).filename()) != sources.end();
  if (!is_run || !fs::exists(report)) return {};
  const auto is_newer = [&](const fs::path& source) {
    return fs::exists(folder / source) && fs::last_write_time(folder / source) > fs::last_write_time(report);
  };
  return std::none_of(sources.begin(), sources.end(), is_newer) ? report.string() : "";
}

/// The report of a run: itself, the one that lies in its folder, or one made for as long as this lives.
class RunReport {
 public:
  explicit RunReport(const std::string& path) : file_(path) {
    if (fs::path(path).extension() == ".html") {
      read_text(path);
      return;
    }
    file_ = left_report(path);
    if (!file_.empty()) return;
    const StoredResults results(path);
    temporary_.emplace();
    file_ = *temporary_ / "report.html";
    const ReportOutcome made = write_report({results.file()}, file_);
    if (!made.error.empty()) throw IoError(made.error);
    for (const std::string& warning : made.warnings) note("warning: {}\n", warning);
  }
  const std::string& file() const { return file_; }

 private:
  std::optional<TemporaryFolder> temporary_;
  std::string file_;
};

/// "frame 12 of 300" on a terminal.
void show_progress(int done, int of) {
  write_terminal(fmt::format("\rframe {} of {}\x1b[K{}", done, of, done == of ? "\r\x1b[K" : ""));
}

int render(const RenderArguments& o) {
  RenderOptions options = o.render;
  if (options.png.empty() && options.mp4.empty())
    throw UsageError("say what to draw: --png FILE for pictures, --mp4 FILE for a video");
  if (options.transparent && !options.mp4.empty())
    throw UsageError("--transparent: a video has a background; pictures (--png) can do without");
  read_size(o, options);
  options.share = read_share(o.at);
  options.dark = o.theme == "dark";
  options.legend = !o.no_legend;
  options.stop = &stop_on_signals();
  if (!o.quiet && isatty(STDERR_FILENO) != 0) options.progress = show_progress;
  const RunReport report(o.path);
  try {
    for (const std::string& file : render_report(report.file(), options))
      if (!o.quiet) say("wrote {}\n", file);
  } catch (const RenderRequestError& error) {
    throw UsageError(error.what());
  } catch (const DrawingStopped&) {
    note("\ninterrupted: pictures that were written are kept\n");
    return interrupted;
  }
  return success;
}

}  // namespace

void add_render(CLI::App& app, int& status) {
  CLI::App* command = app.add_subcommand("render", "Draw frames of a run as pictures or a video, without a screen");
  auto o = std::make_shared<RenderArguments>();
  command->footer(
      "Frames are those of the report, drawn by Chromium without a window: --browser FILE, else $FLEXURA_BROWSER, "
      "else\n"
      "chromium, chromium-browser or google-chrome (apt install chromium). Videos are written by ffmpeg (apt install "
      "ffmpeg).");
  command->add_option("PATH", o->path, "results.h5, run.journal, the folder of a run, or a report (.html)")->required();
  command->add_option("--png", o->render.png, "Write a picture; of several times FILE-001.png, ...")->type_name("FILE");
  command->add_option("--mp4", o->render.mp4, "Write a video of an analysis (H.264)")->type_name("FILE");
  command->add_option("--analysis", o->render.analysis, "Analysis to draw; default: the last one")->type_name("NAME");
  auto* time =
      command->add_option("--t", o->render.times, "Time of the picture [s]; a load factor, the number of a mode")
          ->expected(1)
          ->type_name("TIME");
  auto* times = command->add_option("--times", o->render.times, "Times of several pictures, as 0,0.1,0.2")
                    ->delimiter(',')
                    ->type_name("LIST")
                    ->excludes(time);
  command->add_option("--at", o->at, "start, end or a share of the analysis from 0 to 1; default: end")
      ->type_name("WHERE")
      ->excludes(time)
      ->excludes(times);
  command->add_option("--size", o->size, "Pixels; default: 1280x720")->type_name("WxH");
  command->add_option("--view", o->render.view, "Camera: iso, front, ...; default: as the report opens")
      ->type_name("NAME");
  command->add_option("--field", o->render.field, "What colours show, none: no colours; default: as the report opens")
      ->type_name("NAME");
  command->add_option("--theme", o->theme, "light or dark; default: light")
      ->check(CLI::IsMember(std::vector<std::string>{"light", "dark"}))
      ->type_name("NAME");
  command->add_option("--follow", o->render.follow, "Part that the camera goes along with, as body.crank")
      ->type_name("NAME");
  const auto layers = [&](const char* name, std::vector<std::string>& list, const char* doc) {
    command->add_option(name, list, doc)->delimiter(',')->type_name("LIST");
  };
  layers("--show", o->render.show, "Also draw: reference, frames");
  layers("--hide", o->render.hide, "Leave out: trails, loads, joints, sensors, grid, axes");
  command->add_flag("--transparent", o->render.transparent, "Pictures without a background");
  command->add_flag("--no-legend", o->no_legend, "Leave out the legend of the colours");
  command->add_option("--fps", o->render.fps, "Frames per second of the video; default: 30")
      ->check(CLI::Range(1.0, 240.0))
      ->type_name("N");
  command->add_option("--speed", o->render.speed, "Seconds of motion per second of video; default: 1")
      ->check(CLI::PositiveNumber)
      ->type_name("N");
  command->add_option("--browser", o->render.browser, "Program that draws: Chromium or Chrome")->type_name("FILE");
  command->add_flag("--quiet,-q", o->quiet, "Print only problems");
  command->callback([o, &status] { status = render(*o); });
}

}  // namespace flexura::cli
