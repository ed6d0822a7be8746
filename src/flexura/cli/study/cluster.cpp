#include "flexura/cli/study/cluster.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <vector>

#include "flexura/cli/command.hpp"
#include "flexura/report/child_process.hpp"

namespace flexura::cli {
namespace {

/// Packages that are missing are told as what to do, not as a traceback.
constexpr const char* start = R"(import sys
try:
    from flexura.cluster import main
except ImportError as error:
    sys.exit(f"--scheduler: {error}; the runs are spread by the Python package\n"
             f"try: {sys.executable} -m pip install 'flexura[cluster]', or FLEXURA_PYTHON=PROGRAM for a Python that has it")
sys.exit(main(sys.argv[1:]))
)";

std::string python() {
  const char* chosen = std::getenv("FLEXURA_PYTHON");
  const std::string name = chosen != nullptr && *chosen != '\0' ? chosen : "python3";
  const std::string path = find_program(name);
  if (path.empty())
    throw UsageError(
        fmt::format("--scheduler: there is no program '{}', and the runs are spread by the Python package\ntry: pip "
                    "install 'flexura[cluster]', or FLEXURA_PYTHON=PROGRAM for a Python that has it",
                    name));
  return path;
}

}  // namespace

void spread_runs(const SweepArguments& o, const std::string& folder, const std::atomic<bool>& stop) {
  std::vector<std::string> words{python(), "-c", start, o.scheduler, folder};
  if (o.force) words.push_back("--force");
  if (o.resume) words.push_back("--resume");
  if (o.quiet) words.push_back("--quiet");
  words.insert(words.end(), {"--", std::filesystem::read_symlink("/proc/self/exe"), "sweep", o.study});
  for (const std::string& setting : o.set) words.insert(words.end(), {"--set", setting});
  if (o.no_lanes) words.push_back("--no-lanes");

  const FileDescriptor errors(::fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3));
  ChildProcess spreading;
  spreading.start(words, {{errors.number(), STDERR_FILENO}}, "/dev/null");
  int status = -1;
  while ((status = spreading.wait(0.1)) < 0)
    if (stop) return spreading.kill();
  if (status != 0) throw IoError("--scheduler: the runs could not be spread; what is known of the sweep is kept");
}

}  // namespace flexura::cli
