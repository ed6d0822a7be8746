#include "flexura/base/problem.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace flexura {
namespace {

std::string joined(const std::vector<Problem>& problems) {
  std::string text;
  for (const Problem& problem : problems) text += (text.empty() ? "" : "\n") + describe(problem);
  return text;
}

}  // namespace

std::string describe(const Problem& problem, const std::string& line_text) {
  std::string text = problem.source.file;
  if (problem.source.line > 0) text += fmt::format(":{}:{}", problem.source.line, problem.source.column);
  if (!text.empty()) text += ": ";
  text += problem.warning ? "warning: " : "error: ";
  if (!problem.path.empty()) text += problem.path + ": ";
  text += problem.message;
  if (!line_text.empty()) {
    text += fmt::format("\n    {}\n    {:>{}}", line_text, "^", problem.source.column);
    text += std::string(static_cast<size_t>(std::max(0, problem.source.length - 1)), '~');
    if (!problem.nearest.empty()) text += fmt::format("  nearest: \"{}\"", problem.nearest);
  } else if (!problem.nearest.empty()) {
    text += fmt::format(" (nearest: \"{}\")", problem.nearest);
  }
  return text;
}

InputError::InputError(std::vector<Problem> problems)
    : std::runtime_error(joined(problems)), problems_(std::move(problems)) {}

}  // namespace flexura
