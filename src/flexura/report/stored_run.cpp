#include "flexura/report/stored_run.hpp"

#include "flexura/scene/stored_files.hpp"

namespace flexura {
namespace {

std::string text_of(const ResultsFile& results, const std::string& path) {
  if (results.find(path) == nullptr) return {};
  const auto dataset = results.read(path);
  return dataset ? dataset->text : std::string();
}

}  // namespace

Outcome<StoredRun> read_stored_run(const std::string& results_path) {
  auto results = ResultsFile::open(results_path);
  if (!results) return Outcome<StoredRun>::failure(results.error());
  StoredRun run{std::move(*results), nullptr, {}, {}, {}, {}, {}, {}};
  run.scene_text = text_of(run.results, "/scene/text");
  run.scene_effective = text_of(run.results, "/scene/effective");
  if (run.scene_effective.empty()) run.scene_effective = run.scene_text;
  run.scene_file = run.results.text("/scene", "file");
  StoredFiles files;
  for (const DatasetInfo& info : run.results.datasets())
    if (info.path.starts_with("/scene/files/")) files.emplace_back(info.doc, text_of(run.results, info.path));
  for (const auto& [name, content] : files) run.files.push_back(name);
  const std::string name = run.scene_file.empty() ? "scene.toml" : run.scene_file;
  SceneOptions options = with_stored_files(name, std::move(files));
  options.stand_ins = true;  // functions are not stored
  try {
    run.document =
        std::make_unique<const SceneDocument>(read_scene_text(run.scene_effective, name, scene_terms(), options));
    run.scene = interpret_scene(*run.document);
  } catch (const InputError& error) {
    run.scene.reset();
    run.document.reset();
    run.problem = error.what();
  }
  return run;
}

}  // namespace flexura
