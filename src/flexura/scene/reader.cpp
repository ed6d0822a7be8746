#include "flexura/scene/reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "flexura/base/file.hpp"
#include "flexura/scene/scene_reader.hpp"

namespace flexura {
namespace {

void throw_problems(std::vector<Problem> problems, const SourceTexts& texts) {
  if (problems.empty()) return;
  sort_problems(problems);
  throw SceneError(std::move(problems), texts);
}

std::vector<detail::Setting> settings_of(const SceneOptions& options) {
  std::vector<detail::Setting> settings;
  for (const std::string& option : options.set) settings.push_back({option, {"--set " + option, 0, 0, 1}});
  return settings;
}

}  // namespace

namespace detail {

int dimension_of(const RawNode& root) {
  const RawNode* space = root.find("space");
  return space != nullptr && space->kind == RawNode::Kind::text && space->text == "spatial" ? 3 : 2;
}

std::optional<std::string> load_file(const SceneOptions& options, const std::string& path) {
  if (options.load) return options.load(path);
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return {};
  Outcome<std::string> text = flexura::read_file(path);
  if (!text) return {};
  return std::move(*text);
}

}  // namespace detail

SceneDocument read_scene_text(const std::string& text, const std::string& file, std::span<const TermInfo> terms,
                              const SceneOptions& options) {
  SceneDocument scene;
  scene.file = file;
  scene.text = text;
  scene.set = options.set;
  scene.texts.add(file, text);
  RawResult raw = parse_toml(text, file);
  throw_problems(std::move(raw.problems), scene.texts);

  // `space` decides the grammar and may itself be set.
  std::vector<Problem> problems;
  RawNode probe = raw.root;
  std::vector<Problem> ignored;
  const auto planar = scene_grammar(2, terms);
  const std::vector<detail::Setting> settings = settings_of(options);
  detail::apply_overrides(probe, text, *planar, settings, ignored);
  scene.dim = detail::dimension_of(probe);
  scene.grammar = scene.dim == 2 ? planar : scene_grammar(3, terms);
  scene.effective_text = detail::apply_overrides(raw.root, text, *scene.grammar, settings, problems);

  int uses = 0, unreadable = 0;
  detail::SceneReader reader(scene, {&options, {file}, &uses, &unreadable});
  reader.problems = std::move(problems);
  reader.read(raw.root);
  if (!reader.problems.empty() && reader.problems.size() == static_cast<std::size_t>(unreadable)) {
    sort_problems(reader.problems);
    throw UnreadableFiles(std::move(reader.problems), scene.texts);
  }
  throw_problems(std::move(reader.problems), scene.texts);
  return scene;
}

SceneDocument read_scene(const std::string& path, std::span<const TermInfo> terms, const SceneOptions& options) {
  const std::optional<std::string> text = detail::load_file(options, path);
  if (!text) throw UnreadableFiles({{{path, 0, 0, 1}, {}, "the file cannot be read", {}}}, {});
  return read_scene_text(*text, path, terms, options);
}

}  // namespace flexura
