#include "flexura/scene/reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>

#include "flexura/base/file.hpp"
#include "flexura/scene/scene_reader.hpp"
#include "flexura/scene/specify.hpp"

namespace flexura {
namespace {

void throw_problems(std::vector<Problem> problems, const SourceTexts& texts) {
  if (problems.empty()) return;
  sort_problems(problems);
  throw SceneError(std::move(problems), texts);
}

}  // namespace

namespace detail {

std::vector<Setting> settings_of(std::span<const std::string> options) {
  std::vector<Setting> settings;
  for (const std::string& option : options) settings.push_back({option, {"--set " + option, 0, 0, 1}});
  return settings;
}

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

void read_tree(SceneDocument& scene, const RawNode& tree, const std::string& text,
               std::span<const std::string> settings, std::span<const TermInfo> terms, const SceneOptions& options,
               KeptFiles* kept) {
  const std::vector<Setting> changes = settings_of(settings);
  std::vector<Problem> problems;
  RawNode root = tree;
  scene.effective_text = apply_overrides(root, text, *scene.grammar, changes, problems);
  if (const int dim = dimension_of(root); dim != scene.dim) {
    scene.dim = dim;
    scene.grammar = scene_grammar(dim, terms);
    problems.clear();
    root = tree;
    scene.effective_text = apply_overrides(root, text, *scene.grammar, changes, problems);
  }
  int uses = 0, unreadable = 0;
  SceneReader reader(scene, {&options, {scene.file}, &uses, &unreadable, kept});
  reader.problems = std::move(problems);
  reader.read(root);
  if (!reader.problems.empty() && reader.problems.size() == static_cast<std::size_t>(unreadable)) {
    sort_problems(reader.problems);
    throw UnreadableFiles(std::move(reader.problems), scene.texts);
  }
  if (!reader.problems.empty()) {
    const auto is_sound = [&](const Record& record) {
      return std::ranges::none_of(reader.problems, [&](const Problem& problem) {
        return problem.path.starts_with("parameters") || problem.path == record.path ||
               problem.path.starts_with(record.path + ".");
      });
    };
    std::vector<Problem> more = soft_problems(scene, is_sound);
    std::ranges::move(more, std::back_inserter(reader.problems));
  }
  throw_problems(std::move(reader.problems), scene.texts);
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

  scene.grammar = scene_grammar(scene.dim, terms);
  detail::read_tree(scene, raw.root, text, options.set, terms, options);
  return scene;
}

SceneDocument read_scene(const std::string& path, std::span<const TermInfo> terms, const SceneOptions& options) {
  const std::optional<std::string> text = detail::load_file(options, path);
  if (!text) throw UnreadableFiles({{{path, 0, 0, 1}, {}, "the file cannot be read", {}}}, {});
  return read_scene_text(*text, path, terms, options);
}

}  // namespace flexura
