#include "flexura/report/recorded_run.hpp"

namespace flexura {
namespace {

std::string text_of(const ResultsFile& results, const std::string& path) {
  if (results.find(path) == nullptr) return {};
  const auto dataset = results.read(path);
  return dataset ? dataset->text : std::string();
}

}  // namespace

const Json& RecordedRun::first_model() const {
  static const Json none;
  const auto models = summary.is_object() ? summary.find("models") : summary.end();
  return models == summary.end() || models->empty() ? none : models->front();
}

Outcome<RecordedRun> read_recorded_run(const std::string& results_path) {
  auto results = ResultsFile::open(results_path);
  if (!results) return Outcome<RecordedRun>::failure(results.error());
  RecordedRun run{std::move(*results), {}, {}, {}, {}, {}, {}, {}};
  run.scene_text = text_of(run.results, "/scene/text");
  run.scene_effective = text_of(run.results, "/scene/effective");
  if (run.scene_effective.empty()) run.scene_effective = run.scene_text;
  run.scene_file = run.results.text("/scene", "file");
  for (const DatasetInfo& info : run.results.datasets())
    if (info.path.starts_with("/scene/files/")) run.files.push_back(info.doc);
  if (auto summary = parse_json(text_of(run.results, "/model/summary"), "/model/summary"))
    run.summary = std::move(*summary);
  auto drawn = read_drawn_run(run.results);
  if (drawn)
    run.drawn = std::move(*drawn);
  else
    run.problem = drawn.error();
  return run;
}

}  // namespace flexura
