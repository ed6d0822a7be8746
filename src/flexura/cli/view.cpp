// The report of a run in the browser.

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <memory>

#include "flexura/base/memory_limit.hpp"
#include "flexura/base/quote.hpp"
#include "flexura/cli/command.hpp"
#include "flexura/cli/console.hpp"
#include "flexura/cli/stored_results.hpp"
#include "flexura/report/child_process.hpp"
#include "flexura/report/report.hpp"

namespace flexura::cli {
namespace {

namespace fs = std::filesystem;

struct ViewArguments {
  std::string path, output;
  bool no_open = false;
};

bool has_screen() {
  const auto is_set = [](const char* name) {
    const char* value = std::getenv(name);
    return value != nullptr && *value != '\0';
  };
  return is_set("DISPLAY") || is_set("WAYLAND_DISPLAY");
}

/// Starts the desktop's program for the file, in a session of its own, and does not wait for it.
bool open_on_screen(const std::string& path) {
  std::string program = find_program("xdg-open");
  if (program.empty()) return false;
  lift_memory_limit();
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID);
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_RDWR, 0);
  std::string file = fs::absolute(path).string();
  std::array<char*, 3> arguments{program.data(), file.data(), nullptr};
  pid_t child = 0;
  const int error = posix_spawn(&child, program.c_str(), &actions, &attributes, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  return error == 0;
}

/// Beside the results: report.html, or of results that were given another name, that name.
std::string default_report(const StoredResults& results) {
  const fs::path source(results.source());
  const bool is_own = source.filename() == "results.h5" || source.filename() == "run.journal";
  return (fs::path(results.folder()) / (is_own ? "report.html" : source.stem().string() + ".html")).string();
}

int view(const ViewArguments& o) {
  const StoredResults results(o.path);
  const std::string report = o.output.empty() ? default_report(results) : o.output;
  const ReportOutcome made = write_report({results.file()}, report);
  if (!made.error.empty()) throw IoError(made.error);
  for (const std::string& warning : made.warnings) note("warning: {}\n", warning);
  const bool opened = !o.no_open && has_screen() && open_on_screen(report);
  say("{}{}\n", opened ? "opening " : "", file_url(report));
  return success;
}

}  // namespace

void add_view(CLI::App& app, int& status) {
  CLI::App* command = app.add_subcommand("view", "Make the report of a run again and open it in the browser");
  auto o = std::make_shared<ViewArguments>();
  command->add_option("PATH", o->path, "results.h5, run.journal or the folder of a run")->required();
  command->add_option("--output,-o", o->output, "Report to write; default: report.html beside the results")
      ->type_name("FILE");
  command->add_flag("--no-open", o->no_open, "Only write the report and print its address");
  command->callback([o, &status] { status = view(*o); });
}

}  // namespace flexura::cli
