#include "flexura/study/identify_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "flexura/run/simulation.hpp"
#include "flexura/scene/raw_toml.hpp"
#include "flexura/scene/scene_reader.hpp"
#include "flexura/scene/units.hpp"
#include "flexura/study/record_file.hpp"

namespace flexura {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

enum Scale { linear, logarithmic };

TableSpec shift_table() {
  TableSpec spec;
  spec.kind = "shift";
  spec.doc = "time of the scene less time of the record, sought";
  spec.form = TableSpec::Form::single;
  spec.fields = {number_field("start", "s", "where the search begins").defaults_to(0),
                 number_field("low", "s", "least").required(), number_field("high", "s", "largest").required()};
  return spec;
}

TableSpec experiment_table() {
  TableSpec spec;
  spec.kind = "experiment";
  spec.doc = "what was measured in one go, and how the scene repeats it";
  spec.fields = {file_field("record", "table of what was measured, CSV beside the study"),
                 column_field("time", "column of time; default: the one with the heading t or time, else the first"),
                 text_field("time_unit", "where the heading does not say it"),
                 file_field("scene", "another scene than that of the study"),
                 settings_field("set", "values of the scene that are changed in this experiment"),
                 table_field("shift", "shift between the clocks, sought too", shift_table()),
                 number_field("from", "s", "the record counts from this time of its clock on"),
                 number_field("until", "s", "and up to this one"),
                 boolean_field("left_out", "compared with the fit and not fitted")};
  return spec;
}

/// What is read off sensors: as it was measured, or as it is wanted.
TableSpec series_table(bool wanted) {
  TableSpec spec;
  spec.kind = wanted ? "target" : "measured";
  spec.doc = wanted ? "a number of a sensor that is wanted" : "a number of a sensor that was measured";
  const std::string was = wanted ? "wanted" : "measured";
  spec.fields = {text_field("sensor", "of the scene").defaults_to("NAME"),
                 text_field("component", "of the sensor, where it has several: \"x\""),
                 column_field("column", "of the records, by heading or number from 1").defaults_to("NAME"),
                 text_field("unit", "of the column, where the heading does not say it"),
                 number_field("value", "*", "what is " + was + " at rest, in place of a column"),
                 text_field("analysis", "static analysis that finds that rest").defaults_to("the last one"),
                 names_field("experiments", {"experiment"}, "in which it is " + was).defaults_to("all")};
  if (wanted) {
    spec.fields.push_back(number_field("tolerance", "*", "how far off it may be").required());
  } else {
    spec.fields.push_back(
        number_field("noise", "*", "standard deviation of the measurement").defaults_to("that of the residuals"));
    spec.fields.push_back(number_field("weight", "1", "factor of its residuals").defaults_to(1).more_than(0));
  }
  return spec;
}

/// An experiment with the scene that repeats it.
struct ReadExperiment {
  Experiment what;
  const Record* record = nullptr;  ///< null: the study has none, one stands for its only measurement
  std::optional<SceneModels> scene;
  SceneDocument document;
  std::optional<RecordFile> file;
  std::vector<double> t;      ///< of its record [s]
  double begin = 0, end = 0;  ///< what is simulated over time [s]
  double shift_low = 0, shift_high = 0;
};

class IdentificationReader {
 public:
  IdentificationReader(StudyFile study, std::vector<Problem> problems, bool wanted)
      : study_(std::move(study)),
        problems_(std::move(problems)),
        raw_(parse_toml(study_.words.text, study_.words.file)),
        kind_(wanted ? "target" : "measured"),
        noise_(wanted ? "tolerance" : "noise") {}

  /// Of the numbers, in the order of `sought`; after read().
  std::vector<std::optional<Effort>> efforts() { return std::move(efforts_); }

  Identification read() {
    texts_ = study_.texts();
    take_head();
    for (const Record* record : study_.words.of_kind("experiment")) add_experiment(record);
    if (experiments_.empty()) add_experiment(nullptr);
    for (const StudyParameter& parameter : study_.parameters) add_parameter(parameter);
    for (size_t e = 0; e < experiments_.size(); ++e) add_shift(static_cast<int>(e));
    for (size_t e = 0; e < experiments_.size(); ++e) check_set(static_cast<int>(e));
    if (out_.sought.empty() && problems_.empty())
      wrong({study_.words.file, 1, 1, 1}, "parameter", "nothing is sought: a study has a [parameter.NAME] at least");
    const std::vector<const Record*> measured = study_.words.of_kind(kind_);
    if (measured.empty())
      wrong(
          {study_.words.file, 1, 1, 1}, kind_,
          fmt::format("nothing is {}: a study has a [{}.NAME] at least", kind_ == "target" ? "wanted" : kind_, kind_));
    for (const Record* record : measured) add_measured(*record);
    check_values();
    if (!problems_.empty()) {
      sort_problems(problems_);
      throw SceneError(std::move(problems_), texts_);
    }
    for (ReadExperiment& experiment : experiments_) out_.experiments.push_back(std::move(experiment.what));
    std::erase_if(out_.warnings, [](const Problem& p) { return p.message.empty(); });
    return std::move(out_);
  }

 private:
  void wrong(const Source& source, const std::string& path, std::string message, std::string nearest = {}) {
    problems_.push_back({source, path, std::move(message), std::move(nearest)});
  }
  void warn(const Source& source, const std::string& path, std::string message) {
    out_.warnings.push_back({source, path, std::move(message), {}, true});
  }

  void take_head() {
    const Record& head = study_.words.head;
    out_.title = head.text("title");
    const std::string loss = head.text("loss");
    for (size_t k = 0; k < loss_names.size(); ++k)
      if (loss == loss_names[k]) out_.loss = static_cast<Loss>(k);
    out_.loss_scale = head.number("loss_scale");
    out_.max_iterations = static_cast<int>(head.integer("max_iterations", out_.max_iterations));
    out_.profile = head.boolean("profile");
    out_.cross_validate = head.boolean("cross_validation");
    out_.exact_slopes = head.text("slopes") != "differences";
  }

  /// As the study's text has it, for what the reader of scenes does not keep.
  const RawNode* raw(const Record& record, const std::string& key) const {
    const RawNode* kind = raw_.root.find(record.kind);
    const RawNode* table = kind == nullptr ? nullptr : kind->find(record.name);
    return table == nullptr ? nullptr : table->find(key);
  }

  const ExternalFile* file_of(const Record& record, const std::string& key) const {
    const FileIndex* index = record.get<FileIndex>(key);
    return index == nullptr ? nullptr : &study_.words.files[static_cast<size_t>(index->index)];
  }

  void add_experiment(const Record* record) {
    ReadExperiment one;
    one.record = record;
    one.what.name = record == nullptr ? "scene" : record->name;
    one.what.scene_text = study_.scene.text;
    one.what.scene_file = study_.scene.file;
    one.what.reading = study_.options.scene;
    one.what.reading.set = study_.set;
    if (record != nullptr) {
      one.what.left_out = record->boolean("left_out");
      if (const RawNode* set = raw(*record, "set"))
        for (std::string& setting : settings_in(*set)) one.what.reading.set.push_back(std::move(setting));
      if (const ExternalFile* scene = file_of(*record, "scene"))
        one.what.scene_text = scene->text, one.what.scene_file = scene->path;
    }
    read_scene_of(one);
    if (record != nullptr) read_record(one);
    experiments_.push_back(std::move(one));
  }

  void read_scene_of(ReadExperiment& one) {
    texts_.add(one.what.scene_file, one.what.scene_text);
    try {
      one.document = read_scene_text(one.what.scene_text, one.what.scene_file, scene_terms(), one.what.reading);
      one.scene = interpret_scene(one.document);
    } catch (const InputError& error) {
      // What the settings of the experiment are to blame for is found there.
      for (Problem problem : error.problems()) {
        if (problem.source.file.starts_with("--set") && one.record != nullptr)
          problem.source = one.record->source_of("set").line > 0 ? one.record->source_of("set") : one.record->source;
        problems_.push_back(std::move(problem));
      }
      return;
    }
    bool moves = false;
    for (const AnalysisSpec& analysis : one.scene->timeline.analyses) {
      if (!analysis.over_time()) continue;
      if (!moves) one.begin = analysis.begin;
      one.end = analysis.end;
      moves = true;
      if (analysis.motion()->adaptive)
        warn(analysis.source, "analysis." + analysis.name,
             "its steps adapt, and differ from run to run: derivatives by differences feel it; fixed steps are better");
    }
  }

  void read_record(ReadExperiment& one) {
    const Record& record = *one.record;
    const ExternalFile* csv = file_of(record, "record");
    if (csv == nullptr) {
      for (const char* key : {"time", "time_unit", "shift", "from", "until"})
        if (record.has(key) && raw(record, "record") == nullptr)
          wrong(record.source_of(key), record.path + "." + key,
                "is of a record, and the experiment has none: `record`");
      return;
    }
    texts_.add(csv->path, csv->text);
    one.file.emplace(csv->path, csv->text, problems_);
    if (!one.file->usable()) {
      one.file.reset();
      return;
    }
    const Asked asked{record.source_of(record.has("time_unit") ? "time_unit" : "record"), record.path + ".time_unit"};
    int column = 0;
    if (const std::string* heading = record.get<std::string>("time"))
      column = one.file->find(*heading, {record.source_of("time"), record.path + ".time"}, problems_);
    else if (const long* number = record.get<long>("time"))
      column = one.file->find(*number, {record.source_of("time"), record.path + ".time"}, problems_);
    else
      column = std::max(0, one.file->find_any({"t", "time", "Time", "T"}));
    if (column >= 0)
      one.t = one.file->times(column, record.text("time_unit"), {asked.source, record.path + ".time"}, problems_);
    if (const Record* shift = nested(record, "shift"))
      one.shift_low = shift->number("low"), one.shift_high = shift->number("high");
  }

  void add_shift(int e) {
    const ReadExperiment& one = experiments_[static_cast<size_t>(e)];
    if (one.record == nullptr) return;
    const Record* shift = nested(*one.record, "shift");
    if (shift == nullptr) return;
    SoughtNumber n{.name = one.what.name + ".shift",
                   .path = {},
                   .unit = "s",
                   .start = shift->number("start"),
                   .low = shift->number("low"),
                   .high = shift->number("high"),
                   .experiments = {e}};
    check_bounds(n, *shift, one.record->path + ".shift");
    out_.sought.push_back(std::move(n));
    efforts_.emplace_back();
  }

  void check_set(int e) {
    const Record* record = experiments_[static_cast<size_t>(e)].record;
    const RawNode* set = record == nullptr ? nullptr : raw(*record, "set");
    if (set == nullptr) return;
    const auto acts = [&](const StudyParameter& parameter) {
      const std::vector<int> where = named_experiments(study_.record(parameter), false);
      return where.empty() || std::ranges::find(where, e) != where.end();
    };
    refuse_settings(study_, *set, record->path + ".set", acts, problems_);
  }

  void check_bounds(const SoughtNumber& n, const Record& record, const std::string& path) {
    if (!(n.low < n.high))
      wrong(record.source_of("low"), path + ".low",
            fmt::format("the bounds are the wrong way: {} is not less than {}", n.low, n.high));
    else if (n.start < n.low || n.start > n.high)
      wrong(record.source_of("start"), path + ".start",
            fmt::format("the start, {}, is not between the bounds {} and {}", n.start, n.low, n.high));
  }

  /// Indices of the experiments that a record names; empty: it names none.
  std::vector<int> named_experiments(const Record& record, bool tells = true) {
    std::vector<int> out;
    const auto* patterns = record.get<std::vector<NamePattern>>("experiments");
    if (patterns == nullptr) return out;
    std::vector<std::string> names;
    for (const ReadExperiment& one : experiments_)
      if (one.record != nullptr) names.push_back(one.what.name);
    for (const NamePattern& pattern : *patterns) {
      bool any = false;
      for (size_t e = 0; e < names.size(); ++e)
        if (pattern.matches("experiment", names[e])) {
          any = true;
          if (std::ranges::find(out, static_cast<int>(e)) == out.end()) out.push_back(static_cast<int>(e));
        }
      if (!any && tells)
        wrong(pattern.source, record.path + ".experiments", fmt::format("there is no experiment \"{}\"", pattern.text),
              nearest_name(pattern.text, names));
    }
    return out;
  }

  void add_parameter(const StudyParameter& parameter) {
    const Record& record = study_.record(parameter);
    SoughtNumber n{.name = parameter.name, .path = parameter.path, .unit = parameter.unit};
    n.is_log = record.text("scale") == "log";
    n.low = record.number("low", -infinity);
    n.high = record.number("high", infinity);
    n.experiments = named_experiments(record);
    if (record.has("start")) {
      n.start = record.number("start");
    } else if (parameter.present) {
      n.start = *parameter.present;
    } else {
      wrong(record.source, record.path,
            fmt::format("\"start\" is missing: {} is not written as a number in the scene", parameter.path));
      // Whether there is such a number at all is told by trying one.
      const auto index = static_cast<size_t>(&parameter - study_.parameters.data());
      for (const char* bound : {"low", "high"})
        if (record.has(bound)) return tried_.push_back({index, record.number(bound), record.source_of(bound)});
      return;
    }
    const size_t before = problems_.size();
    check_bounds(n, record, record.path);
    if (n.is_log && !(n.start > 0))
      wrong(record.source_of("scale"), record.path + ".scale", "of a log scale start and bounds are above zero");
    if (const Numbers* prior = record.get<Numbers>("prior"); prior != nullptr && prior->size() == 2) {
      const double mean = (*prior)[0], deviation = (*prior)[1];
      if (!(deviation > 0) || (n.is_log && !(mean > 0)))
        wrong(record.source_of("prior"), record.path + ".prior",
              "is [mean, standard deviation]: the deviation is above zero, and of a log scale the mean too");
      else
        n.prior = n.is_log ? NormalPrior{std::log(mean), deviation / mean} : NormalPrior{mean, deviation};
    }
    if (problems_.size() == before) {
      const auto index = static_cast<size_t>(&parameter - study_.parameters.data());
      tried_.push_back({index, n.start, record.has("start") ? record.source_of("start") : parameter.source});
      if (std::isfinite(n.low) && !(n.is_log && n.low <= 0)) tried_.push_back({index, n.low, record.source_of("low")});
      if (std::isfinite(n.high)) tried_.push_back({index, n.high, record.source_of("high")});
    }
    const std::optional<Effort> effort = effort_of(n, record);
    if (!record.boolean("each")) {
      out_.sought.push_back(std::move(n));
      efforts_.push_back(effort);
      return;
    }
    std::vector<int> where = n.experiments;
    if (where.empty())
      for (size_t e = 0; e < experiments_.size(); ++e) where.push_back(static_cast<int>(e));
    for (const int e : where) {
      SoughtNumber own = n;
      own.name = fmt::format("{}.{}", experiments_[static_cast<size_t>(e)].what.name, n.name);
      own.experiments = {e};
      out_.sought.push_back(std::move(own));
      efforts_.push_back(effort);
    }
  }

  std::optional<Effort> effort_of(const SoughtNumber& n, const Record& record) {
    if (!record.has("effort")) {
      if (record.has("rest"))
        wrong(record.source_of("rest"), record.path + ".rest", "is where a number makes no effort: give `effort` too");
      return {};
    }
    const double scale = record.number("effort"), rest = record.number("rest", n.is_log ? n.start : 0);
    if (!(scale > 0) || (n.is_log && !(rest > 0)))
      wrong(record.source_of("effort"), record.path + ".effort",
            "is a change that counts as one: above zero, and of a log scale so is `rest`");
    return n.is_log ? Effort{std::log(rest), scale / rest} : Effort{rest, scale};
  }

  /// Starts and bounds against each scene that they act in.
  void check_values() {
    std::vector<std::string> seen;
    for (const ReadExperiment& one : experiments_) {
      const std::string key = fmt::format("{}\n{}", one.what.scene_file, fmt::join(one.what.reading.set, "\n"));
      const auto e = static_cast<int>(&one - experiments_.data());
      if (std::ranges::find(seen, key) != seen.end() || !one.scene) continue;
      seen.push_back(key);
      StudyFile study = study_;
      study.scene = one.document;
      study.set = one.what.reading.set;
      std::vector<StudySetting> settings;
      for (const StudySetting& setting : tried_) {
        const std::vector<int> where = named_experiments(study_.record(study_.parameters[setting.parameter]), false);
        if (where.empty() || std::ranges::find(where, e) != where.end()) settings.push_back(setting);
      }
      check_settings(study, settings, problems_);
    }
  }

  /// A quantity that the study writes, against the unit of a sensor.
  void check_unit(const Record& record, const std::string& key, const std::string& wanted) {
    const RawNode* node = raw(record, key);
    if (node == nullptr || node->kind != RawNode::Kind::text) return;
    const std::optional<WrittenNumber> written = split_quantity(node->text);
    if (!written || written->unit.empty()) return;
    if (const std::optional<Unit> unit = parse_unit(written->unit); unit && !fits(unit->dimension, wanted))
      wrong(node->source, record.path + "." + key,
            fmt::format("\"{}\" has the wrong dimension; the sensor reads [{}]", node->text, wanted));
  }

  void add_measured(const Record& record) {
    std::vector<int> where = named_experiments(record);
    if (record.has("experiments") && where.empty()) return;
    if (where.empty())
      for (size_t e = 0; e < experiments_.size(); ++e) where.push_back(static_cast<int>(e));
    if (record.has("value") && record.has("column"))
      wrong(record.source_of("value"), record.path + ".value", "is in place of a column: give one of them");
    const size_t before = problems_.size();
    for (const int e : where) {
      add_measured(record, experiments_[static_cast<size_t>(e)]);
      if (problems_.size() > before + 3) break;  // the same in each
    }
  }

  void add_measured(const Record& record, ReadExperiment& one) {
    if (!one.scene) return;
    MeasuredSeries out{.name = record.name,
                       .sensor = record.has("sensor") ? record.text("sensor") : record.name,
                       .component = {},
                       .unit = {},
                       .t = {},
                       .y = {},
                       .analysis = {}};
    const bool found = find_component(record, *one.scene, out);
    const bool has_unit = found || !out.unit.empty();  // of all components of a sensor alike
    if (has_unit) check_unit(record, noise_, out.unit);
    if (has_unit) check_unit(record, "value", out.unit);
    out.weight = record.number("weight", 1);
    out.noise = record.number(noise_);
    if (record.has(noise_) && !(out.noise > 0))
      wrong(record.source_of(noise_), record.path + "." + noise_, fmt::format("a {} is above zero", noise_));
    if (!has_unit) return;
    if ((record.has("value") ? take_value(record, one, out) : take_column(record, one, out)) && found)
      one.what.measured.push_back(std::move(out));
  }

  bool find_component(const Record& record, const SceneModels& scene, MeasuredSeries& out) {
    const std::vector<SensorSpec>& sensors = scene.models.front().sensors;
    std::vector<std::string> names;
    for (const SensorSpec& sensor : sensors) names.push_back(sensor.name);
    const auto found = std::ranges::find(names, out.sensor);
    const std::string key = record.has("sensor") ? ".sensor" : "";
    if (found == names.end()) {
      wrong(record.source_of("sensor"), record.path + key, fmt::format("the scene has no sensor \"{}\"", out.sensor),
            nearest_name(out.sensor, names));
      return false;
    }
    const SensorSpec& sensor = sensors[static_cast<size_t>(found - names.begin())];
    std::vector<std::string> components, units;
    const std::vector<ChannelColumn> columns = columns_of(sensor, scene.models.front().model.topology->dim);
    for (const ChannelColumn& column : columns)
      for (std::uint64_t k = 0; k < column.size(); ++k) {
        const std::string part = k < column.components.size() ? column.components[k] : fmt::format("{}", k);
        components.push_back(column.size() == 1 ? column.name : columns.size() == 1 ? part : column.name + "." + part);
        units.push_back(column.unit);
      }
    if (std::ranges::all_of(units, [&](const std::string& unit) { return unit == units[0]; })) out.unit = units[0];
    size_t number = 0;
    if (record.has("component")) {
      const std::string wanted = record.text("component");
      number = static_cast<size_t>(std::ranges::find(components, wanted) - components.begin());
      if (number == components.size()) {
        wrong(record.source_of("component"), record.path + ".component",
              fmt::format("sensor \"{}\" has no component \"{}\", but {}", sensor.name, wanted,
                          list_of(components, "and")),
              nearest_name(wanted, components));
        return false;
      }
    } else if (components.size() != 1) {
      wrong(record.source, record.path,
            fmt::format("\"component\" is missing: sensor \"{}\" has {}", sensor.name, list_of(components, "and")));
      return false;
    }
    out.number = static_cast<int>(number);
    out.component = components.size() == 1 ? "" : components[number];
    out.unit = units[number];
    return true;
  }

  bool take_value(const Record& record, const ReadExperiment& one, MeasuredSeries& out) {
    std::vector<std::string> rests;
    for (const AnalysisSpec& analysis : one.scene->timeline.analyses)
      if (analysis.finds_equilibria()) rests.push_back(analysis.name);
    const Source source = record.source_of(record.has("analysis") ? "analysis" : "value");
    if (rests.empty()) {
      wrong(source, record.path + ".value", "is measured at rest, and the scene has no static analysis");
      return false;
    }
    out.analysis = record.has("analysis") ? record.text("analysis") : rests.back();
    if (std::ranges::find(rests, out.analysis) == rests.end()) {
      wrong(source, record.path + ".analysis", fmt::format("the scene has no static analysis \"{}\"", out.analysis),
            nearest_name(out.analysis, rests));
      return false;
    }
    out.y = {record.number("value")};
    return true;
  }

  bool take_column(const Record& record, ReadExperiment& one, MeasuredSeries& out) {
    if (record.has("analysis"))
      wrong(record.source_of("analysis"), record.path + ".analysis", "is of a `value`; a column is one over time");
    if (!one.file) {
      const bool is_missing = one.record == nullptr || raw(*one.record, "record") == nullptr;
      if (is_missing)
        wrong(record.source, record.path,
              one.record == nullptr
                  ? std::string("\"value\" is missing, or an [experiment.NAME] with a record")
                  : fmt::format("\"value\" is missing, for experiment \"{}\" has no record", one.what.name));
      return false;
    }
    int column = -1;
    const Asked asked{record.source_of("column"), record.path + (record.has("column") ? ".column" : "")};
    if (const std::string* heading = record.get<std::string>("column"))
      column = one.file->find(*heading, asked, problems_);
    else if (const long* number = record.get<long>("column"))
      column = one.file->find(*number, asked, problems_);
    else if (column = one.file->find_any({record.name, out.sensor + "." + out.component}); column < 0)
      one.file->find(record.name, asked, problems_);
    if (column < 0) return false;
    const std::vector<double> y =
        one.file->in_si(column, record.text("unit"), out.unit,
                        {record.source_of(record.has("unit") ? "unit" : "column"), record.path}, problems_);
    if (y.empty() || one.t.empty()) return false;
    // Of every shift between its bounds the model has a value, so that the residuals stay the same.
    const double from = one.record->number("from", -infinity), until = one.record->number("until", infinity);
    const double slack = 1e-9 * (1 + std::abs(one.end));
    for (size_t i = 0; i < y.size(); ++i) {
      const double t = one.t[i];
      if (std::isnan(y[i])) {
        ++out.missing;
      } else if (t < from || t > until || t + one.shift_low < one.begin - slack ||
                 t + one.shift_high > one.end + slack) {
        ++out.outside;
      } else {
        out.t.push_back(t);
        out.y.push_back(y[i]);
      }
    }
    if (!out.t.empty()) return true;
    wrong(
        one.record->source_of("record"), record.path,
        out.outside == 0
            ? fmt::format("{} has no number in this column", one.file->name())
            : fmt::format("no data in the window: {} goes from {:.6g} to {:.6g} s, and the scene simulates {:.6g} to "
                          "{:.6g} s{}{}",
                          one.file->name(), one.t.front(), one.t.back(), one.begin, one.end,
                          one.shift_low < one.shift_high ? ", within the shifts" : "",
                          std::isfinite(from) || std::isfinite(until) ? ", of which from and until leave a part" : ""));
    return false;
  }

  StudyFile study_;
  std::vector<Problem> problems_;
  RawResult raw_;
  SourceTexts texts_;
  std::vector<ReadExperiment> experiments_;
  std::vector<StudySetting> tried_;
  std::string kind_, noise_;
  std::vector<std::optional<Effort>> efforts_;
  Identification out_;
};

/// Of parameters, in both kinds of studies.
std::vector<FieldSpec> search_fields() {
  return {
      number_field("start", "*", "where the search begins").defaults_to("that of the scene"),
      number_field("low", "*", "least").defaults_to("none"),
      number_field("high", "*", "largest").defaults_to("none"),
      choice_field("scale", "how it is sought",
                   {{"linear", "by its value"}, {"log", "by its logarithm: what is above zero and not known well"}}),
      names_field("experiments", {"experiment"}, "in which it acts").defaults_to("all"),
      boolean_field("each", "every experiment has a value of its own")};
}

FieldSpec slopes_field() {
  return choice_field("slopes", "how the search knows where to go",
                      {{"exact", "by derivatives of the runs, where they have them; by differences elsewhere"},
                       {"differences", "two runs for each parameter"}});
}

FieldSpec iterations_field() { return integer_field("max_iterations", "of a search").defaults_to(50).at_least(1); }

}  // namespace

StudyForm identify_form() {
  StudyForm form{.command = "identify"};
  std::vector<Choice> losses{{"squares", "least squares"},
                             {"huber", "far residuals count by their size"},
                             {"soft_l1", "the same without a kink"},
                             {"cauchy", "far residuals hardly count"}};
  form.head = {choice_field("loss", "what residuals count for", std::move(losses)),
               number_field("loss_scale", "1", "in noise: where they begin to count for less")
                   .defaults_to("the usual")
                   .more_than(0),
               iterations_field(),
               slopes_field(),
               boolean_field("profile", "finds the likelihood along each parameter"),
               boolean_field("cross_validation", "fits again without each experiment in turn")};
  form.of_parameters = search_fields();
  form.of_parameters.push_back(vector_field("prior", "*", 2, "what is known beforehand: mean and standard deviation"));
  form.tables = {experiment_table(), series_table(false)};
  return form;
}

StudyForm invert_form() {
  StudyForm form{.command = "invert"};
  form.head = {iterations_field(), slopes_field()};
  form.of_parameters = search_fields();
  form.of_parameters.push_back(
      number_field("effort", "*", "a change from `rest` that counts as one").defaults_to("none"));
  form.of_parameters.push_back(
      number_field("rest", "*", "where it makes no effort").defaults_to("0; of a log scale the start"));
  form.tables = {experiment_table(), series_table(true)};
  return form;
}

Identification read_identification(const std::string& path, const StudyOptions& options) {
  std::vector<Problem> problems;
  StudyFile study = read_study(path, identify_form(), problems, options);
  return IdentificationReader(std::move(study), std::move(problems), false).read();
}

Identification read_identification_text(const std::string& text, const std::string& file, const StudyOptions& options) {
  std::vector<Problem> problems;
  StudyFile study = read_study_text(text, file, identify_form(), problems, options);
  return IdentificationReader(std::move(study), std::move(problems), false).read();
}

namespace {

Inversion inversion_of(StudyFile study, std::vector<Problem> problems) {
  IdentificationReader reader(std::move(study), std::move(problems), true);
  Inversion out;
  out.what = reader.read();
  out.effort = reader.efforts();
  return out;
}

}  // namespace

Inversion read_inversion(const std::string& path, const StudyOptions& options) {
  std::vector<Problem> problems;
  StudyFile study = read_study(path, invert_form(), problems, options);
  return inversion_of(std::move(study), std::move(problems));
}

Inversion read_inversion_text(const std::string& text, const std::string& file, const StudyOptions& options) {
  std::vector<Problem> problems;
  StudyFile study = read_study_text(text, file, invert_form(), problems, options);
  return inversion_of(std::move(study), std::move(problems));
}

}  // namespace flexura
