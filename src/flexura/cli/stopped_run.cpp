#include "flexura/cli/stopped_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "flexura/base/file.hpp"
#include "flexura/base/json.hpp"
#include "flexura/cli/command.hpp"
#include "flexura/output/journal_reader.hpp"
#include "flexura/scene/stored_files.hpp"

namespace flexura::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view files_prefix = "/scene/files/";

/// 1-based number of the first line that differs.
int first_difference(const std::string& a, const std::string& b) {
  const auto [x, y] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
  return 1 + static_cast<int>(std::count(a.begin(), x, '\n'));
}

[[noreturn]] void differs(const StoppedRun& run, const std::string& what) {
  throw UsageError(fmt::format(
      "{}: --resume goes on with the scene as it was\ntry: undo the change, or --force to begin anew (stopped run: {})",
      what, run.journal));
}

}  // namespace

StoppedRun read_stopped_run(const std::string& folder) {
  const std::string path = (fs::path(folder) / "run.journal").string();
  if (!fs::exists(path))
    throw UsageError(fmt::format("there is no stopped run in {}: {} does not exist; leave out --resume", folder, path));
  const auto journal = JournalReader::open(path);
  if (!journal) throw IoError(journal.error());
  StoppedRun run;
  run.journal = path;
  run.status = journal->status();
  for (const Blob& blob : journal->blobs()) {
    if (blob.path == "/scene/text") run.text = blob.content;
    if (blob.path == "/scene/effective") run.effective = blob.content;
    if (blob.path.starts_with(files_prefix)) run.files.emplace_back(blob.doc, blob.content);
  }
  for (const Attribute& attribute : journal->attributes())
    if (attribute.path == "/scene" && attribute.name == "set")
      if (const auto set = parse_json(attribute.text, "/scene@set")) run.set = set->get<std::vector<std::string>>();
  run.has_checkpoint = journal->checkpoint().has_value();
  if (run.has_checkpoint)
    if (const auto* numbers = journal->checkpoint()->reals("numbers"); numbers != nullptr && !numbers->empty())
      run.t = numbers->front();
  return run;
}

SceneDocument scene_of(const StoppedRun& run, const std::string& path, const std::vector<std::string>& set) {
  return scene_of(run, path, read_text(path), set, {});
}

SceneDocument scene_of(const StoppedRun& run, const std::string& path, const std::string& text,
                       const std::vector<std::string>& set, const ExternalFunctions& functions) {
  if (text != *run.text)
    differs(run, fmt::format("{}:{}: the scene differs from that of the stopped run", path,
                             first_difference(text, *run.text)));
  const fs::path beside = fs::path(path).parent_path();
  for (const auto& [name, content] : run.files) {
    const std::string place = (beside / name).string();
    const Outcome<std::string> now = read_file(place);
    if (now && *now != content)
      differs(run, fmt::format("{}:{}: the file differs from that of the stopped run", place,
                               first_difference(*now, content)));
  }
  SceneOptions options = with_stored_files(path, run.files);
  options.functions = functions;
  if (!set.empty()) {
    SceneOptions with = options;
    with.set = set;
    if (read_scene_text(text, path, scene_terms(), with).effective_text != *run.effective)
      differs(run, "--set differs from that of the stopped run");
  }
  SceneDocument document = read_scene_text(*run.effective, path, scene_terms(), options);
  document.text = *run.text;
  document.set = run.set;
  return document;
}

}  // namespace flexura::cli
