#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace flexura {

/// Path of a program: `name` itself if it holds a '/', otherwise where $PATH has it; "" if there is none to execute.
std::string find_program(const std::string& name);

/// A file descriptor that is closed with its owner.
class FileDescriptor {
 public:
  FileDescriptor() = default;
  explicit FileDescriptor(int number) : number_(number) {}
  FileDescriptor(FileDescriptor&& other) noexcept : number_(other.number_) { other.number_ = -1; }
  FileDescriptor& operator=(FileDescriptor&& other) noexcept;
  ~FileDescriptor() { close(); }
  int number() const { return number_; }
  void close();

 private:
  int number_ = -1;
};

/// Two ends of a channel within this machine, both read and write; a write to an end whose other is closed is an error
/// (EPIPE), no signal. Throws std::runtime_error.
struct DuplexChannel {
  FileDescriptor ours, theirs;
};
DuplexChannel make_channel();

/// A program that runs beside this one, in a process group of its own, so that Ctrl-C reaches only this program, and all
/// that the program has started ends with it.
class ChildProcess {
 public:
  struct Redirection {
    int from;  ///< a descriptor of this program
    int to;    ///< its number in the child
  };
  ChildProcess() = default;
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;
  ~ChildProcess() { kill(); }

  /// Starts argv[0] with `settings` ("NAME=value") added to the environment. Stdin is empty unless redirected; stdout and
  /// stderr are added to the file `log`. Throws std::runtime_error.
  void start(const std::vector<std::string>& argv, const std::vector<Redirection>& redirections, const std::string& log,
             const std::vector<std::string>& settings = {});
  /// True once the program has ended.
  bool ended() { return wait(0) >= 0; }
  /// Waits until it ends, `seconds` at most; its exit status, 128 + signal, or -1 if it still runs.
  int wait(double seconds);
  /// Ends it and all that it has started, at once.
  void kill();

 private:
  pid_t process_ = -1;
  int status_ = -1;
};

}  // namespace flexura
