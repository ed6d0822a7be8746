// Scenes with faults, each beside what a user reads: tests/scene/corpus/NAME.toml and NAME.expected, word for word and
// place for place. `scripts/corpus_differences` prints what differs.
//
// A line "# set: KEY=VALUE" in a scene stands for --set KEY=VALUE.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <set>
#include <sstream>

#include "flexura/run/consistent_start.hpp"
#include "flexura/scene/reader.hpp"

namespace flexura {
namespace {

const std::filesystem::path folder = "tests/scene/corpus";

std::optional<std::string> contents(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file || std::filesystem::is_directory(path)) return {};
  return std::string(std::istreambuf_iterator<char>(file), {});
}

std::vector<std::string> scenes() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ".toml") names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

SceneOptions options_for(const std::string& text) {
  SceneOptions options;
  options.load = [](const std::string& path) { return contents(folder / path); };
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    if (const std::string key = "# set: "; line.starts_with(key)) options.set.push_back(line.substr(key.size()));
  return options;
}

/// What is wrong with the scene, also where its parts do not fit at the start, and each message of it by itself.
std::pair<std::string, std::vector<std::string>> check(const std::string& name) {
  const std::string file = name + ".toml";
  const std::string text = contents(folder / file).value();
  SceneDocument document;
  try {
    document = read_scene_text(text, file, scene_terms(), options_for(text));
    const SceneModels scene = interpret_scene(document);
    try {
      check_start(scene, document);
    } catch (const InputError& error) {
      throw SceneError(error.problems(), document.texts);
    }
  } catch (const InputError& error) {
    std::vector<std::string> messages;
    for (const Problem& problem : error.problems()) messages.push_back(problem.message);
    return {error.what() + std::string("\n"), messages};
  }
  return {"nothing is wrong\n", {}};
}

TEST(Corpus, EveryBadSceneSaysWhatIsWrongWordForWord) {
  const char* actual_folder = std::getenv("FLEXURA_CORPUS_ACTUAL");
  size_t count = 0, with_many = 0;
  std::set<std::string> distinct;
  for (const std::string& name : scenes()) {
    const std::clock_t start = std::clock();  // of this process
    const auto [said, messages] = check(name);
    const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    EXPECT_EQ(said, contents(folder / (name + ".expected")).value_or("")) << name;
    EXPECT_LT(seconds, 5) << name << " takes too long to be refused";
    if (actual_folder != nullptr) std::ofstream(std::filesystem::path(actual_folder) / (name + ".actual")) << said;
    ++count;
    with_many += messages.size() >= 3;
    distinct.insert(messages.begin(), messages.end());
  }
  EXPECT_GE(count, 150u);
  EXPECT_GE(with_many, 20u);
  EXPECT_GE(distinct.size(), 60u);
  RecordProperty("scenes", static_cast<int>(count));
  RecordProperty("scenes_with_three_or_more", static_cast<int>(with_many));
  RecordProperty("distinct_messages", static_cast<int>(distinct.size()));
}

}  // namespace
}  // namespace flexura
