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

using Against = Held::Against;
using Rule = Held::Rule;

/// How many numbers there are and how many miss.
struct Count {
  int numbers = 0, off = 0;
};

bool meets(double value, double figure, const Held& held) {
  const double tolerance = held.tolerance + held.share * std::fabs(figure);
  return (held.rule == Rule::at_least || value <= figure + tolerance) &&
         (held.rule == Rule::at_most || value >= figure - tolerance);
}

/// Number by number; lists of other lengths, and what is no number, miss.
void compare(const Json& value, const Json& figure, const Held& held, Count& count) {
  if (figure.is_array()) {
    for (size_t i = 0; i < figure.size(); ++i)
      compare(value.is_array() && value.size() == figure.size() ? value[i] : Json(nullptr), figure[i], held, count);
    return;
  }
  ++count.numbers;
  if (!value.is_number() || !meets(value.get<double>(), figure.get<double>(), held)) ++count.off;
}

Json verdict(const Json& value, const Held& held) {
  Json out = {{"figure", held.figure}};
  if (held.against == Against::fit || held.rule == Rule::not_judged) {
    out["status"] = held.against == Against::fit ? "fitted" : "not judged";
  } else {
    Count count;
    compare(value, held.figure, held, count);
    const char* const rules[] = {"within", "at most", "at least"};
    out["rule"] = rules[static_cast<int>(held.rule)];
    out["tolerance"] = held.tolerance;
    out["share"] = held.share;
    out["numbers"] = count.numbers;
    out["off"] = count.off;
    out["status"] = count.off == 0 ? "met" : "missed";
    if (count.off == 0) return out;
  }
  if (!held.note.empty()) out["note"] = held.note;
  return out;
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
    series.name = sample.sensor.quantity->name;
    series.unit = sample.sensor.quantity->unit;
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

Held Held::because(std::string why) && {
  note = std::move(why);
  return std::move(*this);
}

Held paper(const Json& figure, double share, double rounding) { return {Against::paper, figure, rounding, share}; }
Held paper_at_most(const Json& figure) { return {Against::paper, figure, 0, 0, Rule::at_most}; }
Held paper_at_least(const Json& figure) { return {Against::paper, figure, 0, 0, Rule::at_least}; }
Held paper_not_judged(const Json& figure, std::string why) {
  return {Against::paper, figure, 0, 0, Rule::not_judged, std::move(why)};
}
Held independent(const Json& figure, double tolerance) { return {Against::independent, figure, tolerance}; }
Held closed_form(const Json& figure, double tolerance, double share) {
  return {Against::closed_form, figure, tolerance, share};
}
Held finer_mesh(const Json& figure, double tolerance) { return {Against::finer_mesh, figure, tolerance}; }
Held chosen_to_fit(const Json& figure) { return {Against::fit, figure}; }

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
    result_["quantities"][q.name] = {
        {"value", nullptr}, {"unit", q.unit}, {"doc", q.doc}, {"verdicts", Json::object()}};
}

SceneDocument Case::document(const std::string& scene, const std::vector<std::string>& set) const {
  const auto files = validation_files();
  std::string text, path;
  for (size_t from = 0; from <= scene.size(); from = std::min(scene.find('+', from), scene.size()) + 1) {
    const std::string part = scene.substr(from, std::min(scene.find('+', from), scene.size()) - from);
    const std::string file = fmt::format("validation/{}/{}.toml", info_.paper, part);
    const auto found = std::find_if(files.begin(), files.end(), [&](const EmbeddedFile& f) { return f.path == file; });
    if (found == files.end()) throw CaseFailure("this build does not hold " + file);
    text += found->text;
    if (path.empty()) path = file;
  }
  SceneOptions scene_options;
  scene_options.set = options_.set;
  scene_options.set.insert(scene_options.set.end(), set.begin(), set.end());
  return read_scene_text(text, path, scene_terms(), scene_options);
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

void Case::quantity(const std::string& name, const Json& value, const std::vector<Held>& held) {
  if (!result_["quantities"].contains(name)) throw std::logic_error("case declares no quantity " + name);
  Json& q = result_["quantities"][name];
  q["value"] = finite(value);
  for (const Held& one : held)
    q["verdicts"][kinds_of_figures()[static_cast<int>(one.against)]] = verdict(q["value"], one);
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
