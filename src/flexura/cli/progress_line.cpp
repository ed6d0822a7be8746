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

}  // namespace

std::string progress_text(const Progress& p, bool bar) {
  const double share = share_of(p);
  std::string text = p.analysis + "  ";
  if (bar) {
    const auto full = static_cast<std::size_t>(share * bar_width);
    text += "[" + std::string(full, '#') + std::string(bar_width - full, '.') + "]  ";
  }
  text += fmt::format("{:3.0f} %  {:.4g} of {:.4g} s", 100 * share, p.done, p.end);
  if (p.real_time_factor > 0)
    text += fmt::format(", {:.3g} x real time, {} left", p.real_time_factor, duration(p.remaining));
  return text;
}

void ProgressLine::show(const Progress& p) {
  const Clock::time_point now = Clock::now();
  const double waited = std::chrono::duration<double>(now - last_).count();
  if (analysis_ != p.analysis) {
    analysis_ = p.analysis;
    last_share_ = 0;
  }
  if (terminal_) {
    if (waited < frame) return;
    write_terminal(fmt::format("\r{}\x1b[K", progress_text(p, true)));
    drawn_ = true;
  } else {
    const double share = share_of(p);
    if (waited < pause || (share < last_share_ + 0.1 && waited < longest_silence)) return;
    note("{}\n", progress_text(p, false));
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
