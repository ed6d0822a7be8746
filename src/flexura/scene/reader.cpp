#include "flexura/scene/reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "flexura/scene/scene_reader.hpp"

namespace flexura {
namespace {

int dimension_of(const RawNode& root) {
  const RawNode* space = root.find("space");
  return space != nullptr && space->kind == RawNode::Kind::text && space->text == "spatial" ? 3 : 2;
}

void throw_problems(std::vector<Problem> problems, const SourceTexts& texts) {
  if (problems.empty()) return;
  sort_problems(problems);
  throw SceneError(std::move(problems), texts);
}

}  // namespace

SceneDocument read_scene_text(const std::string& text, const std::string& file, std::span<const TermInfo> terms,
                              const SceneOptions& options) {
  SceneDocument scene;
  scene.file = file;
  scene.text = text;
  scene.texts.add(file, text);
  RawResult raw = parse_toml(text, file);
  throw_problems(std::move(raw.problems), scene.texts);

  // `space` decides the grammar and may itself be set.
  std::vector<Problem> problems;
  RawNode probe = raw.root;
  std::vector<Problem> ignored;
  const auto planar = scene_grammar(2, terms);
  detail::apply_overrides(probe, text, *planar, options.set, ignored);
  scene.dim = dimension_of(probe);
  scene.grammar = scene.dim == 2 ? planar : scene_grammar(3, terms);
  scene.effective_text = detail::apply_overrides(raw.root, text, *scene.grammar, options.set, problems);

  detail::SceneReader reader(scene, options);
  reader.problems = std::move(problems);
  reader.read(raw.root);
  throw_problems(std::move(reader.problems), scene.texts);
  return scene;
}

SceneDocument read_scene(const std::string& path, std::span<const TermInfo> terms, const SceneOptions& options) {
  std::optional<std::string> text;
  if (options.load) {
    text = options.load(path);
  } else {
    std::error_code error;
    if (std::filesystem::is_regular_file(path, error))
      if (std::ifstream file(path, std::ios::binary); file)
        text = std::string(std::istreambuf_iterator<char>(file), {});
  }
  if (!text) throw InputError({{{path, 0, 0, 1}, {}, "the file cannot be read", {}}});
  return read_scene_text(*text, path, terms, options);
}

}  // namespace flexura
