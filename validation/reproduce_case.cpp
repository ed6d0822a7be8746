#include "validation/reproduce_case.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <filesystem>

#include "flexura/base/file.hpp"
#include "flexura/output/csv_file.hpp"
#include "flexura/scene/reader.hpp"

namespace flexura::detail {
namespace {

/// All numbers within the tolerance of those of the reference, and as many.
bool agrees(const Json& value, const Json& reference, double tolerance) {
  if (value.is_array() || reference.is_array()) {
    if (!value.is_array() || !reference.is_array() || value.size() != reference.size()) return false;
    for (size_t i = 0; i < value.size(); ++i)
      if (!agrees(value[i], reference[i], tolerance)) return false;
    return true;
  }
  return value.is_number() && reference.is_number() &&
         std::fabs(value.get<double>() - reference.get<double>()) <= tolerance;
}

/// JSON has no NaN: such a value is null.
Json finite(const Json& value) {
  if (value.is_array()) {
    Json out = Json::array();
    for (const Json& item : value) out.push_back(finite(item));
    return out;
  }
  return value.is_number() && !std::isfinite(value.get<double>()) ? Json(nullptr) : value;
}

void append(Series& series, const SensorSample& sample) {
  if (series.x.empty()) {
    series.name = sample.sensor.type;
    series.unit = sample.sensor.unit;
    series.x.resize(sample.values.size());
  }
  // An analysis begins with the sample that ended the one before.
  if (!series.t.empty() && sample.analysis.is_dynamic() && sample.at <= series.t.back()) return;
  series.t.push_back(sample.at);
  for (size_t i = 0; i < sample.values.size(); ++i) series.x[i].push_back(sample.values[i]);
}

NumberTable table_of(const Series& series, const std::string& axis, const std::string& axis_unit) {
  NumberTable table;
  table.headings.push_back({axis, axis_unit});
  const char* const axes[] = {".x", ".y", ".z"};
  for (size_t i = 0; i < series.x.size(); ++i)
    table.headings.push_back({series.name + (series.x.size() > 1 ? axes[i] : ""), series.unit});
  for (size_t k = 0; k < series.t.size(); ++k) {
    table.values.push_back(series.t[k]);
    for (const std::vector<double>& component : series.x) table.values.push_back(component[k]);
  }
  return table;
}

}  // namespace

const Series& SceneRun::of(const std::string& sensor) const {
  const auto found = moving.find(sensor);
  if (found == moving.end()) throw CaseFailure("the scene has no dynamic samples of sensor '" + sensor + "'");
  return found->second;
}

const Series& SceneRun::of(const std::string& analysis, const std::string& sensor) const {
  const auto found = equilibria.find({analysis, sensor});
  if (found == equilibria.end())
    throw CaseFailure(fmt::format("the scene has no samples of sensor '{}' in static analysis '{}'", sensor, analysis));
  return found->second;
}

Case::Case(const CaseInfo& info, const ReproduceOptions& options) : info_(info), options_(options) {
  result_["paper"] = info.paper;
  result_["case"] = info.id;
  result_["chosen"] = Json::array();
  result_["files"] = Json::array();
  result_["wall_time_s"] = 0.0;
  result_["quantities"] = Json::object();
  for (const QuantityInfo& q : info.quantities)
    result_["quantities"][q.name] = {{"value", nullptr},  {"unit", q.unit},       {"doc", q.doc},
                                     {"paper", nullptr},  {"reference", nullptr}, {"tolerance", nullptr},
                                     {"status", "missed"}};
}

SceneDocument Case::document(const std::string& scene, const std::vector<std::string>& set) const {
  const std::string path = fmt::format("validation/{}/{}.toml", info_.paper, scene);
  const auto files = validation_files();
  const auto found = std::find_if(files.begin(), files.end(), [&](const EmbeddedFile& f) { return f.path == path; });
  if (found == files.end()) throw CaseFailure("this build does not hold " + path);
  SceneOptions scene_options;
  scene_options.set = options_.set;
  scene_options.set.insert(scene_options.set.end(), set.begin(), set.end());
  return read_scene_text(std::string(found->text), path, scene_terms(), scene_options);
}

SceneRun Case::run(const std::string& scene, const std::vector<std::string>& set, const std::string& keep,
                   const std::function<bool(const SensorSample&)>& until) {
  const SceneDocument document = this->document(scene, set);
  const bool kept = keep != "-";
  const std::string name = keep.empty() || !kept ? info_.id : info_.id + "-" + keep;
  RunOptions run_options;
  run_options.threads = options_.threads;
  run_options.csv = false;
  run_options.report = false;
  run_options.record = kept && !options_.output_dir.empty();
  run_options.folder = options_.output_dir + "/" + name;
  SceneRun run;
  std::atomic<bool> enough{false};
  run_options.stop = &enough;
  run_options.sample = [&](const SensorSample& s) {
    if (until && until(s)) enough = true;
    append(s.analysis.finds_equilibria() ? run.equilibria[{s.analysis.name, s.sensor.name}] : run.moving[s.sensor.name],
           s);
  };
  run.summary = run_scene(document, run_options);
  for (const std::string& file : run.summary.files) take_file(file);
  const bool fine =
      run.summary.status == RunStatus::finished || (enough && run.summary.status == RunStatus::interrupted);
  if (run_options.record && fine) {
    std::error_code ignored;  // the results file holds the same
    std::filesystem::remove(run_options.folder + "/run.journal", ignored);
  }
  if (kept && !options_.csv_dir.empty()) write_csv(run, name);
  if (!fine) throw CaseFailure(fmt::format("validation/{}/{}.toml: {}", info_.paper, scene, run.summary.message));
  return run;
}

void Case::write_csv(const SceneRun& run, const std::string& name) {
  const auto write = [&](const std::string& sensor, const NumberTable& table) {
    const std::string path = fmt::format("{}/{}-{}.csv", options_.csv_dir, name, sensor);
    if (const std::string error = write_file(path, csv_text(table)); !error.empty()) throw CaseFailure(error);
    take_file(path);
  };
  for (const auto& [sensor, series] : run.moving) write(sensor, table_of(series, "t", "s"));
  if (!run.moving.empty()) return;
  for (const auto& [key, series] : run.equilibria) write(key.second, table_of(series, "load_factor", "1"));
}

void Case::varies(const std::string& key) const {
  for (const std::string& option : options_.set)
    if (option.starts_with(key) &&
        (option.size() == key.size() || std::string("= .").find(option[key.size()]) != std::string::npos))
      throw InputError(
          {{{"--set " + option, 0, 0, 1}, key, fmt::format("{} {} varies it by itself", info_.paper, info_.id), {}}});
}

void Case::finding(const std::string& sentence) {
  const std::string before = result_.contains("finding") ? result_["finding"].get<std::string>() + " " : std::string();
  result_["finding"] = before + sentence;
}

void Case::quantity(const std::string& name, const Json& value, const Held& held) {
  if (!result_["quantities"].contains(name)) throw std::logic_error("case declares no quantity " + name);
  Json& q = result_["quantities"][name];
  q["value"] = finite(value);
  q["paper"] = held.paper;
  q["reference"] = held.reference;
  q["tolerance"] = held.reference.is_null() ? Json(nullptr) : Json(held.tolerance);
  q["status"] = held.reference.is_null()                             ? "no reference"
                : agrees(q["value"], held.reference, held.tolerance) ? "met"
                                                                     : "missed";
}

void Case::plot(const std::string& name, const Plot& plot) { picture(name, svg_text(plot)); }

void Case::picture(const std::string& name, const std::string& svg) {
  if (!has_output()) return;
  const std::string path = fmt::format("{}/{}-{}.svg", options_.output_dir, info_.id, name);
  if (const std::string error = write_file(path, svg); !error.empty()) throw CaseFailure(error);
  take_file(path);
}

void Case::failed(const std::string& why) { result_["failed"] = why; }

}  // namespace flexura::detail
