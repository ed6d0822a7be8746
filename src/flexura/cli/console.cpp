#include "flexura/cli/console.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <string>

namespace flexura::cli {
namespace {

int lost_out = 0, lost_note = 0;  ///< errno of the first write that failed

void write(std::FILE* stream, std::string_view text, int& lost) {
  errno = 0;
  const bool all = std::fwrite(text.data(), 1, text.size(), stream) == text.size() && std::ferror(stream) == 0;
  if (!all && lost == 0) lost = errno != 0 ? errno : EIO;
}

void ignore(int) {}

/// Lines and tabs stay; of UTF-8 U+0080 to U+009F are controls, too.
std::string without_controls(std::string_view text) {
  std::string out(text);
  for (std::size_t i = 0; i < out.size(); ++i) {
    const auto c = static_cast<unsigned char>(out[i]);
    if ((c < 0x20 && c != '\n' && c != '\t') || c == 0x7f) out[i] = ' ';
    if (c == 0xc2 && i + 1 < out.size() && static_cast<unsigned char>(out[i + 1]) < 0xa0) out[i] = out[i + 1] = ' ';
  }
  return out;
}

}  // namespace

void prepare_console() {
  for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; ++stream)
    if (::fcntl(stream, F_GETFD) < 0 && errno == EBADF) ::open("/dev/null", O_RDWR);
  // A handler, not SIG_IGN: programs that are started find the signals as usual.
  struct sigaction action{};
  action.sa_handler = ignore;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  for (const int signal : {SIGPIPE, SIGXFSZ}) ::sigaction(signal, &action, nullptr);
}

void write_out(std::string_view text) { write(stdout, without_controls(text), lost_out); }
void write_note(std::string_view text) { write(stderr, without_controls(text), lost_note); }
void write_terminal(std::string_view text) { write(stderr, text, lost_note); }

bool all_was_said() {
  // The library for arguments writes its help by streams, just before this.
  if ((!std::cout.flush() || std::fflush(stdout) != 0 || std::ferror(stdout) != 0) && lost_out == 0)
    lost_out = errno != 0 ? errno : EIO;
  if (lost_note == 0 && (std::ferror(stderr) != 0 || !std::cerr)) lost_note = EIO;
  // Who closed the pipe knows: `flexura info | head`.
  if (lost_out != 0 && lost_out != EPIPE) note("error: what was to be printed is lost: {}\n", std::strerror(lost_out));
  return lost_out == 0 && lost_note == 0;
}

}  // namespace flexura::cli
