#include "flexura/cli/progress_line.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "flexura/cli/console.hpp"

namespace flexura::cli {
namespace {

constexpr double frame = 0.1, pause = 2, longest_silence = 10;  // s
constexpr int bar_width = 20;

double share_of(const Progress& p) { return p.end > 0 ? std::clamp(p.done / p.end, 0.0, 1.0) : 0; }

std::string duration(double seconds) {
  const double s = std::max(0.0, seconds);
  if (s < 60) return fmt::format("{:.{}f} s", s, s < 10 ? 1 : 0);
  if (s < 3600) return fmt::format("{:.0f} min {:02.0f} s", std::floor(s / 60), std::floor(std::fmod(s, 60)));
  return fmt::format("{:.0f} h {:02.0f} min", std::floor(s / 3600), std::floor(std::fmod(s, 3600) / 60));
}

std::string rest_text(const Progress& p) {
  std::string text = fmt::format("{:.4g} of {:.4g} s", p.done, p.end);
  if (p.real_time_factor > 0)
    text += fmt::format(", {:.3g} x real time, {} left", p.real_time_factor, duration(p.remaining));
  return text;
}

std::string line_text(const std::string& what, double share, const std::string& rest, bool bar) {
  std::string text = what + "  ";
  if (bar) {
    const auto full = static_cast<std::size_t>(share * bar_width);
    text += "[" + std::string(full, '#') + std::string(bar_width - full, '.') + "]  ";
  }
  return text + fmt::format("{:3.0f} %  {}", 100 * share, rest);
}

}  // namespace

std::string progress_text(const Progress& p, bool bar) { return line_text(p.analysis, share_of(p), rest_text(p), bar); }

void ProgressLine::show(const Progress& p) { show(p.analysis, share_of(p), rest_text(p)); }

void ProgressLine::show(const std::string& what, double share, const std::string& rest) {
  const Clock::time_point now = Clock::now();
  const double waited = std::chrono::duration<double>(now - last_).count();
  if (analysis_ != what) {
    analysis_ = what;
    last_share_ = 0;
  }
  if (terminal_) {
    if (waited < frame) return;
    write_terminal(fmt::format("\r{}\x1b[K", line_text(what, share, rest, true)));
    drawn_ = true;
  } else {
    if (waited < pause || (share < last_share_ + 0.1 && waited < longest_silence)) return;
    note("{}\n", line_text(what, share, rest, false));
    last_share_ = share;
  }
  last_ = now;
}

void ProgressLine::clear() {
  if (!drawn_) return;
  write_terminal("\r\x1b[K");
  drawn_ = false;
}

}  // namespace flexura::cli
