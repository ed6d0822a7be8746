#include "flexura/term/problem.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace flexura {
namespace {

int edit_distance(const std::string& a, const std::string& b) {
  std::vector<int> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) row[j] = static_cast<int>(j);
  for (size_t i = 1; i <= a.size(); ++i) {
    int diagonal = row[0];
    row[0] = static_cast<int>(i);
    for (size_t j = 1; j <= b.size(); ++j) {
      const int above = row[j];
      row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (a[i - 1] == b[j - 1] ? 0 : 1)});
      diagonal = above;
    }
  }
  return row[b.size()];
}

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

std::string nearest_name(const std::string& name, const std::vector<std::string>& candidates) {
  std::string best;
  int least = std::max(2, static_cast<int>(name.size()) / 3) + 1;
  for (const std::string& candidate : candidates) {
    const int distance = edit_distance(name, candidate);
    if (distance < least) {
      least = distance;
      best = candidate;
    }
  }
  return best;
}

}  // namespace flexura
