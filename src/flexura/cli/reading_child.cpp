#include "flexura/cli/reading_child.hpp"

#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <string_view>

#include "flexura/base/memory_limit.hpp"
#include "flexura/cli/command.hpp"
#include "flexura/cli/console.hpp"

namespace flexura::cli {
namespace {

volatile pid_t child = 0;

/// The terminal signals the whole group; who signals the parent alone means both.
void forward(int signal, siginfo_t* info, void*) {
  if (info->si_code <= 0 && child > 0) ::kill(child, signal);
}

/// Reading and drawing a sound file takes a few times of it. A damaged one may ask for all there is, page by page.
std::uint64_t enough_memory(int argc, char** argv) {
  namespace fs = std::filesystem;
  constexpr std::uint64_t least = std::uint64_t{2} << 30, times = 64;
  std::uint64_t bytes = 0;
  std::error_code error;
  for (int i = 2; i < argc; ++i) {
    if (fs::is_regular_file(argv[i], error)) bytes += fs::file_size(argv[i], error);
    for (fs::directory_iterator entry(argv[i], error), end; !error && entry != end; entry.increment(error))
      if (std::error_code none; entry->is_regular_file(none)) bytes += entry->file_size(none);
  }
  return least + times * bytes;
}

}  // namespace

bool only_reads(int argc, char** argv) {
  constexpr std::array<std::string_view, 4> commands{"info", "view", "compare", "render"};
  return argc > 2 && std::find(commands.begin(), commands.end(), argv[1]) != commands.end();
}

std::optional<int> wait_for_child(int argc, char** argv) {
  const pid_t parent = ::getpid();
  struct sigaction action{}, before[3];
  action.sa_sigaction = forward;
  action.sa_flags = SA_SIGINFO;
  sigemptyset(&action.sa_mask);
  constexpr std::array signals{SIGINT, SIGTERM, SIGHUP};
  for (std::size_t i = 0; i < signals.size(); ++i) ::sigaction(signals[i], &action, &before[i]);
  child = ::fork();
  if (child <= 0) {  // the child, or there can be none
    for (std::size_t i = 0; i < signals.size(); ++i) ::sigaction(signals[i], &before[i], nullptr);
    if (child < 0) return std::nullopt;
    ::prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (::getppid() != parent) ::raise(SIGTERM);
    const rlimit no_core{0, 0};
    ::setrlimit(RLIMIT_CORE, &no_core);
    limit_memory(enough_memory(argc, argv));
    return std::nullopt;
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return unsuccessful;
  if (!WIFSIGNALED(status)) return WEXITSTATUS(status);
  const int signal = WTERMSIG(status);
  if (std::find(signals.begin(), signals.end(), signal) != signals.end()) return interrupted;
  note("error: the file is damaged: reading it ended with signal {} ({})\n", signal, ::strsignal(signal));
  return io_failure;
}

}  // namespace flexura::cli
