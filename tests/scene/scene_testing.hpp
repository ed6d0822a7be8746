#pragma once
// Scenes for tests: read from a text with the planar terms, and every problem as "line:column: path: message".

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "flexura/scene/reader.hpp"

namespace flexura::testing {

struct Files {
  std::map<std::string, std::string> contents;
  std::function<std::optional<std::string>(const std::string&)> loader() const {
    return [*this](const std::string& path) -> std::optional<std::string> {
      const auto found = contents.find(path);
      if (found == contents.end()) return {};
      return found->second;
    };
  }
};

inline SceneDocument read(const std::string& text, std::vector<std::string> set = {}, const Files& files = {}) {
  SceneOptions options{std::move(set), files.loader()};
  return read_scene_text(text, "scene.toml", scene_terms(), options);
}

inline std::string line_of(const Problem& problem) {
  std::string line =
      fmt::format("{}:{}: {}: {}", problem.source.line, problem.source.column, problem.path, problem.message);
  if (problem.source.file != "scene.toml") line = problem.source.file + ":" + line;
  if (!problem.nearest.empty()) line += fmt::format(" ({}?)", problem.nearest);
  return line;
}

/// The problems of a scene, in order; empty if it can be read.
inline std::vector<std::string> problems_of(const std::string& text, std::vector<std::string> set = {},
                                            const Files& files = {}) {
  std::vector<std::string> lines;
  try {
    read(text, std::move(set), files);
  } catch (const InputError& error) {
    for (const Problem& problem : error.problems()) lines.push_back(line_of(problem));
  }
  return lines;
}

using Lines = std::vector<std::string>;

}  // namespace flexura::testing
