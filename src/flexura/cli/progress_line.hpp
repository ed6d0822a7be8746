#pragma once

#include <chrono>
#include <string>

#include "flexura/run/simulation.hpp"

namespace flexura::cli {

/// Shows on stderr how far a run is: one line that is overwritten on a terminal; elsewhere a line at most every two
/// seconds, and only after a tenth more or ten seconds.
///
///     move  [########............]  40 %  4.01 of 10 s, 210 x real time, 0.03 s left
class ProgressLine {
 public:
  explicit ProgressLine(bool terminal) : terminal_(terminal) {}
  ~ProgressLine() { clear(); }
  void show(const Progress& progress);
  /// The same of anything: `rest` stands behind the share of it that is done.
  void show(const std::string& what, double share, const std::string& rest);
  /// Removes the line, so that a message can be printed.
  void clear();

 private:
  using Clock = std::chrono::steady_clock;
  bool terminal_, drawn_ = false;
  Clock::time_point last_ = Clock::now();
  double last_share_ = 0;
  std::string analysis_;
};

/// The line's text; `bar` as on a terminal.
std::string progress_text(const Progress& progress, bool bar);

}  // namespace flexura::cli
