#include <fmt/format.h>

#include <algorithm>

#include "flexura/base/file.hpp"
#include "flexura/cli/command.hpp"
#include "flexura/cli/console.hpp"

namespace flexura::cli {

std::string read_text(const std::string& path) {
  Outcome<std::string> text = read_file(path);
  if (!text) throw IoError(text.error());
  return *text;
}

void write_text(const std::string& path, const std::string& text) {
  if (const std::string error = write_file(path, text); !error.empty()) throw IoError(error);
}

void rethrow_with_lines(const InputError& error, const SourceTexts& texts) {
  if (dynamic_cast<const SceneError*>(&error) != nullptr) throw;
  std::vector<Problem> problems = error.problems();
  sort_problems(problems);
  throw SceneError(std::move(problems), texts);
}

void print_problems(const InputError& error) {
  const auto errors = static_cast<std::size_t>(
      std::count_if(error.problems().begin(), error.problems().end(), [](const Problem& p) { return !p.warning; }));
  note("{}\n", error.what());
  if (errors > 1) note("{}\n", counted(errors, "error"));
}

std::string counted(std::size_t n, const std::string& noun) {
  if (n == 1) return "1 " + noun;
  return noun.ends_with("is")
             ? fmt::format("{} {}es", n, noun.substr(0, noun.size() - 2))
             : fmt::format("{} {}s", n, noun.ends_with("y") ? noun.substr(0, noun.size() - 1) + "ie" : noun);
}

}  // namespace flexura::cli
