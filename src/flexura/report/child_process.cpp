#include "flexura/report/child_process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <thread>

#include "flexura/base/memory_limit.hpp"

namespace flexura {
namespace {

namespace fs = std::filesystem;

constexpr int first_free_descriptor = 10;  // above every number that a child is given
constexpr auto pause = std::chrono::milliseconds(5);

[[noreturn]] void fail(const std::string& what, int error) {
  throw std::runtime_error(fmt::format("{}: {}", what, std::strerror(error)));
}

bool executable(const std::string& path) {
  std::error_code error;
  return fs::is_regular_file(path, error) && access(path.c_str(), X_OK) == 0;
}

/// The same file under a number that no redirection overwrites, closed in children.
FileDescriptor moved_up(FileDescriptor low) {
  const int number = fcntl(low.number(), F_DUPFD_CLOEXEC, first_free_descriptor);
  if (number < 0) fail("cannot duplicate a file descriptor", errno);
  return FileDescriptor(number);
}

int exit_status(int status) { return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status); }

std::vector<char*> pointers(const std::vector<std::string>& words) {
  std::vector<char*> result;
  result.reserve(words.size());
  for (const std::string& word : words) result.push_back(const_cast<char*>(word.c_str()));
  return result;
}

/// posix_spawn's two descriptions, freed with their owner.
struct SpawnPlan {
  posix_spawn_file_actions_t files;
  posix_spawnattr_t attributes;

  SpawnPlan() {
    posix_spawn_file_actions_init(&files);
    posix_spawnattr_init(&attributes);
    sigset_t none, defaults;
    sigemptyset(&none);
    sigemptyset(&defaults);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) sigaddset(&defaults, signal);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &defaults);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  }
  SpawnPlan(const SpawnPlan&) = delete;
  SpawnPlan& operator=(const SpawnPlan&) = delete;
  ~SpawnPlan() {
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&attributes);
  }
};

}  // namespace

std::string find_program(const std::string& name) {
  if (name.find('/') != std::string::npos) return executable(name) ? name : "";
  const char* variable = std::getenv("PATH");
  const std::string path = variable == nullptr ? "/usr/local/bin:/usr/bin:/bin" : variable;
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t end = std::min(path.find(':', begin), path.size());
    const std::string candidate = path.substr(begin, end - begin) + "/" + name;
    if (end > begin && executable(candidate)) return candidate;
    begin = end + 1;
  }
  return {};
}

FileDescriptor& FileDescriptor::operator=(FileDescriptor&& other) noexcept {
  std::swap(number_, other.number_);
  return *this;
}

void FileDescriptor::close() {
  if (number_ >= 0) ::close(number_);
  number_ = -1;
}

DuplexChannel make_channel() {
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) fail("cannot make a channel", errno);
  return {moved_up(FileDescriptor(ends[0])), moved_up(FileDescriptor(ends[1]))};
}

void ChildProcess::start(const std::vector<std::string>& argv, const std::vector<Redirection>& redirections,
                         const std::string& log, const std::vector<std::string>& settings) {
  kill();
  lift_memory_limit();
  SpawnPlan plan;
  posix_spawn_file_actions_addopen(&plan.files, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&plan.files, 1, log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
  posix_spawn_file_actions_adddup2(&plan.files, 1, 2);
  for (const Redirection& r : redirections) posix_spawn_file_actions_adddup2(&plan.files, r.from, r.to);
  std::vector<char*> arguments = pointers(argv), environment = pointers(settings);
  for (char** variable = environ; *variable != nullptr; ++variable)
    if (std::none_of(settings.begin(), settings.end(), [&](const std::string& setting) {
          return std::string_view(*variable).starts_with(setting.substr(0, setting.find('=') + 1));
        }))
      environment.push_back(*variable);
  arguments.push_back(nullptr);
  environment.push_back(nullptr);
  const int error =
      posix_spawn(&process_, argv.front().c_str(), &plan.files, &plan.attributes, arguments.data(), environment.data());
  if (error != 0) {
    process_ = -1;
    fail(fmt::format("cannot start {}", argv.front()), error);
  }
}

int ChildProcess::wait(double seconds) {
  const auto until = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  while (process_ > 0) {
    siginfo_t info{};
    const int failed = waitid(P_PID, static_cast<id_t>(process_), &info, WEXITED | WNOHANG | WNOWAIT);
    if (failed == 0 && info.si_pid == process_) {
      ::kill(-process_, SIGKILL);  // what it has left behind, while its number is still its own
      int status = 0;
      waitpid(process_, &status, 0);
      status_ = exit_status(status);
      process_ = -1;
    } else if (failed != 0 && errno != EINTR) {
      process_ = -1;
    } else if (std::chrono::steady_clock::now() >= until) {
      return -1;
    } else {
      std::this_thread::sleep_for(pause);
    }
  }
  return status_;
}

void ChildProcess::kill() {
  if (process_ <= 0) return;
  ::kill(-process_, SIGKILL);
  wait(10);
}

}  // namespace flexura
