#pragma once

#include <atomic>
#include <nlohmann/json_fwd.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "flexura/base/json.hpp"
#include "flexura/base/temporary_folder.hpp"
#include "flexura/report/child_process.hpp"

namespace flexura {

/// A page that could not be drawn: no browser, or what it said.
struct DrawingError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// `stop` was set while something was waited for.
struct DrawingStopped : std::runtime_error {
  DrawingStopped() : std::runtime_error("interrupted") {}
};

constexpr int look_at_stop_every = 50;  ///< ms, by whoever waits for another program

/// The browser to use: `program` if it is given, else $FLEXURA_BROWSER, else the first of chromium, chromium-browser,
/// google-chrome, ... that is installed. Throws DrawingError, which says what to install.
std::string find_browser(const std::string& program);

/// Chromium without a window, on a page of this machine. It is spoken to over two file descriptors (JSON messages that end
/// in a zero byte, --remote-debugging-pipe), draws WebGL in software, so alike everywhere, and has no network. Its profile
/// is a temporary folder. It ends with this object.
class Browser {
 public:
  /// Starts `program`. All waiting ends with DrawingStopped once *stop is true.
  Browser(const std::string& program, const std::atomic<bool>* stop);
  Browser(const Browser&) = delete;
  Browser& operator=(const Browser&) = delete;
  ~Browser();

  /// Loads a file and waits until it is loaded. Width and height of the page in pixels. `dark`: the colours that the page
  /// is told its reader prefers.
  void open(const std::string& file, int width, int height, bool dark);
  /// Value of an expression in the page; a promise is waited for. What it throws becomes a DrawingError.
  Json evaluate(const std::string& expression);
  /// What the page reported as errors so far.
  const std::vector<std::string>& page_errors() const { return page_errors_; }

 private:
  void start(const std::string& program, bool sandbox);
  Json call(const std::string& method, Json parameters, bool of_page = true);
  void send(const std::string& message);
  Json receive();
  void take_event(const Json& event);
  [[noreturn]] void fail(const std::string& what);
  std::string log_text() const;

  /// Chromium puts a socket named /org.chromium.Chromium.XXXXXX/SingletonSocket there; the system allows 107 characters.
  static constexpr std::size_t longest_folder = 60;

  const std::atomic<bool>* stop_;
  TemporaryFolder folder_{longest_folder};
  FileDescriptor channel_;
  ChildProcess process_;
  std::string received_;
  std::size_t searched_ = 0;
  std::string session_;
  std::vector<std::string> page_errors_;
  bool loaded_ = false;
  int last_id_ = 0;
};

}  // namespace flexura
