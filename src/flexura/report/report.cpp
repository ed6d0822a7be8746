#include "flexura/report/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <nlohmann/json.hpp>

#include "flexura/base/file.hpp"
#include "flexura/base/quote.hpp"
#include "flexura/report/drawing_json.hpp"
#include "flexura/report/envelope.hpp"
#include "flexura/report/page.hpp"
#include "flexura/report/playback.hpp"
#include "flexura/report/run_facts.hpp"
#include "flexura/report/table.hpp"

namespace flexura {
namespace {

constexpr std::size_t fewest = 8;  ///< rows and frames

/// How much of the runs goes into the report.
struct Extent {
  std::size_t frames, rows, frame_bytes;
};

struct OpenRun {
  RecordedRun stored;
  std::vector<TableSource> tables;
  std::vector<std::string> warnings;
};

Outcome<OpenRun> open_run(const std::string& path) {
  auto stored = read_recorded_run(path);
  if (!stored) return Outcome<OpenRun>::failure(stored.error());
  OpenRun run{std::move(*stored), {}, {}};
  std::string warnings = run.stored.results.text("/meta", "warnings");
  for (std::size_t end = 0; !warnings.empty(); warnings.erase(0, end + 1)) {
    end = std::min(warnings.find('\n'), warnings.size());
    run.warnings.push_back(warnings.substr(0, end));
  }
  std::vector<std::string> sensors;
  if (!run.stored.drawn) run.warnings.push_back("nothing can be drawn: " + run.stored.problem);
  if (const Json& model = run.stored.first_model(); model.contains("sensors"))
    for (const Json& sensor : model["sensors"]) sensors.push_back(sensor);
  run.tables = list_tables(run.stored.results, sensors);
  return run;
}

std::string accuracy_text(const Playback& playback) {
  std::string text = fmt::format("Drawn positions are rounded by at most {:.2g} m", playback.position_error);
  text += playback.kept < playback.of ? fmt::format("; {} of {} recorded states are shown.", playback.kept, playback.of)
                                      : fmt::format("; all {} recorded states are shown.", playback.of);
  if (playback.not_finite > 0)
    text += fmt::format(" {} states hold no finite numbers and are left out.", playback.not_finite);
  return text + " results.h5 holds everything in full.";
}

/// What to type beside the scene file to repeat the run.
std::string command_of(const RecordedRun& run) {
  std::string command = "flexura run " + shell_word(run.scene_file.substr(run.scene_file.rfind('/') + 1));
  if (const auto set = parse_json(run.results.text("/scene", "set"), "/scene@set"))
    for (const Json& change : *set) command += " --set " + shell_word(change);
  return command;
}

Json scene_json(const RecordedRun& run) {
  return {{"file", run.scene_file},
          {"text", run.scene_text},
          {"effective", run.scene_effective},
          {"files", run.files},
          {"command", command_of(run)}};
}

Outcome<Json> run_json(const OpenRun& run, const std::string& name, const Extent& extent, BlockStore& blocks) {
  const RecordedRun& stored = run.stored;
  const std::string status = stored.results.text("/", "status"), title = stored.results.text("/meta", "title");
  const std::size_t colon = std::min(status.find(": "), status.size());
  Json json;
  json["name"] = !name.empty() ? name : !title.empty() ? title : stored.scene_file;
  json["title"] = title;
  json["program"] = stored.results.text("/meta", "program");
  json["status"] = status.substr(0, colon);
  json["message"] = colon < status.size() ? status.substr(colon + 2) : "";
  const Json& model = stored.first_model();
  const bool planar = model.contains("space") && model["space"] == "planar";
  json["space"] = planar ? "planar" : "spatial";
  json["gravity"] = model.contains("gravity") ? model["gravity"] : Json{0.0, 0.0, 0.0};
  json["warnings"] = run.warnings;
  json["summary"] = run_facts(stored);
  json["scene"] = scene_json(stored);
  json["models"] = Json::array();
  Playback playback{Json::array()};
  if (stored.drawn) {
    for (const Drawing& drawing : stored.drawn->drawings) json["models"].push_back(drawing_json(drawing, blocks));
    auto made = make_playback(stored.results, *stored.drawn, {extent.frames, extent.frame_bytes}, blocks);
    if (!made) return Outcome<Json>::failure(made.error());
    playback = std::move(*made);
  }
  json["accuracy"] = {{"position", playback.position_error},
                      {"thinned", {{"kept", playback.kept}, {"of", playback.of}}},
                      {"text", accuracy_text(playback)}};
  json["playback"] = std::move(playback.stretches);
  json["tables"] = Json::array();
  for (const TableSource& table : run.tables) {
    const std::size_t most = std::max(fewest, extent.rows / std::max<std::size_t>(1, table.columns.size() / 8));
    const auto data = read_table(stored.results, table, most);
    if (!data) return Outcome<Json>::failure(data.error());
    json["tables"].push_back(table_json(table, *data, blocks));
    const auto envelope = read_envelope(stored.results, table, most);
    if (!envelope) return Outcome<Json>::failure(envelope.error());
    if (!envelope->from.empty()) json["tables"].back()["envelope"] = envelope_json(table, *envelope, blocks);
  }
  return json;
}

Outcome<std::string> make_page(const std::vector<OpenRun>& runs, const Extent& extent, const ReportOptions& options) {
  BlockStore blocks;
  Json report{{"format", "flexura-report"}, {"version", 1}, {"runs", Json::array()}};
  for (std::size_t k = 0; k < runs.size(); ++k) {
    auto json = run_json(runs[k], k < options.names.size() ? options.names[k] : "", extent, blocks);
    if (!json) return Outcome<std::string>::failure(json.error());
    report["runs"].push_back(std::move(*json));
  }
  if (options.comparison != nullptr) report["comparison"] = comparison_json(*options.comparison);
  std::string title = report["runs"][0]["title"];
  if (title.empty()) title = report["runs"][0]["name"];
  return report_page(viewer_page(), title + " - Flexura", report, blocks.bytes());
}

/// As much of the runs as the budget holds. What cannot shrink, the viewer and the models, stays whatever it takes.
Outcome<std::string> fitting_page(const std::vector<OpenRun>& runs, const ReportOptions& options) {
  // base64 makes 4 bytes of 3; frames get two thirds of the room at first.
  Extent extent{std::max(options.frames, fewest), std::max(options.rows, fewest), options.budget / runs.size() / 2};
  auto page = make_page(runs, extent, options);
  if (!page || page->size() <= options.budget) return page;
  auto least = make_page(runs, {fewest, fewest, 0}, options);
  if (!least || least->size() >= options.budget) return least;
  const double room = static_cast<double>(options.budget - least->size());
  while (page && page->size() > options.budget) {
    if (extent.frames == fewest && extent.rows == fewest && extent.frame_bytes == 0) return least;
    const double share = 0.9 * room / static_cast<double>(page->size() - least->size());
    const auto less = [&](std::size_t n) { return static_cast<std::size_t>(share * static_cast<double>(n)); };
    extent = {std::max(fewest, less(extent.frames)), std::max(fewest, less(extent.rows)), less(extent.frame_bytes)};
    page = make_page(runs, extent, options);
  }
  return page;
}

ReportOutcome try_write(const std::vector<std::string>& results, const std::string& path,
                        const ReportOptions& options) {
  std::vector<OpenRun> runs;
  ReportOutcome outcome;
  for (const std::string& file : results) {
    auto run = open_run(file);
    if (!run) return {run.error(), {}};
    if (!run->stored.problem.empty()) outcome.warnings.push_back(run->warnings.back());
    runs.push_back(std::move(*run));
  }
  const auto page = fitting_page(runs, options);
  if (!page) return {page.error(), {}};
  if (page->size() > options.budget)
    outcome.warnings.push_back(
        fmt::format("the report has {} bytes, more than the {} it should have", page->size(), options.budget));
  outcome.error = write_file(path, *page);
  return outcome;
}

}  // namespace

ReportOutcome write_report(const std::vector<std::string>& results, const std::string& path,
                           const ReportOptions& options) {
  try {
    return try_write(results, path, options);
  } catch (const std::exception& error) {  // a report is never worth a run
    return {error.what(), {}};
  }
}

}  // namespace flexura
