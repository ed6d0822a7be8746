#include "flexura/study/sweep_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "flexura/base/nearest_name.hpp"
#include "flexura/scene/column_unit.hpp"
#include "flexura/study/random_numbers.hpp"
#include "flexura/study/sobol.hpp"

namespace flexura {
namespace {

constexpr std::pair<const char*, Take> takes[] = {{"end", Take::end},   {"min", Take::min}, {"max", Take::max},
                                                  {"mean", Take::mean}, {"rms", Take::rms}, {"series", Take::series}};

class Reading {
 public:
  Reading(StudyFile study, std::vector<Problem> problems) : problems_(std::move(problems)) {
    plan_.study = std::move(study);
  }

  SweepPlan read() {
    const StudyFile& study = plan_.study;
    design_ = find("design");
    if (design_ == nullptr) {
      wrong({study.words.file, 1, 1, 1}, "design", "[design] is missing: how values are chosen");
      type_ = "";
    } else {
      type_ = design_->type;
    }
    if (study.parameters.empty())
      wrong({study.words.file, 1, 1, 1}, "parameter", "a parameter is missing: [parameter.NAME] says what is varied");
    if (type_ != "list")
      for (const StudyParameter& parameter : study.parameters) read_distribution(parameter);
    if (problems_.empty() || type_ == "list") choose();
    check_settings(study, tried_, problems_);
    read_outputs();
    const Value* reports = study.words.head.find("reports");
    plan_.keeps_reports = reports != nullptr && *reports->get<bool>();
    throw_study_problems(study, std::move(problems_));
    return std::move(plan_);
  }

 private:
  void wrong(const Source& source, const std::string& path, std::string message, std::string nearest = {}) {
    problems_.push_back({source, path, std::move(message), std::move(nearest)});
  }
  const Record* find(std::string_view kind) const {
    for (const Record& record : plan_.study.words.tables)
      if (record.kind == kind) return &record;
    return nullptr;
  }

  void read_distribution(const StudyParameter& parameter) {
    const Record& record = plan_.study.record(parameter);
    const std::size_t index = plan_.distributions.size();
    Distribution& d = plan_.distributions.emplace_back();
    const auto* values = record.get<Numbers>("values");
    const std::string kind = record.text("distribution");
    const auto tries = [&](double x, const std::string& key) { tried_.push_back({index, x, record.source_of(key)}); };
    if (values != nullptr) {
      d.kind = Distribution::Kind::values;
      d.values = *values;
      for (const double x : *values) tries(x, "values");
      for (const char* key : {"low", "high", "distribution", "mean", "deviation", "count"})
        if (record.has(key))
          wrong(record.source_of(key), record.path + "." + key, "does not go with values, which say all");
      return;
    }
    d.low = record.number("low", d.low);
    d.high = record.number("high", d.high);
    if (!(d.low < d.high))
      wrong(record.source_of("low"), record.path + ".low",
            fmt::format("the bounds are the wrong way: {} is not less than {}", d.low, d.high));
    for (const char* key : {"low", "high"})
      if (record.has(key)) tries(record.number(key), key);
    if (kind == "normal") return read_normal(record, d, index);
    for (const char* key : {"mean", "deviation"})
      if (record.has(key)) wrong(record.source_of(key), record.path + "." + key, "is of normal distributions only");
    if (!has_problem_at(record))
      for (const char* key : {"low", "high"})
        if (!record.has(key))
          wrong(record.source, record.path,
                fmt::format("\"{}\" is missing: between which bounds the parameter is; or \"values\"", key));
    if (kind != "log") return;
    d.kind = Distribution::Kind::log;
    if (record.has("low") && !(d.low > 0))
      wrong(record.source_of("low"), record.path + ".low",
            fmt::format("a log distribution needs numbers > 0; this is {}", d.low));
  }

  /// Cut off at the bounds that there are.
  void read_normal(const Record& record, Distribution& d, std::size_t index) {
    d.kind = Distribution::Kind::normal;
    for (const char* key : {"mean", "deviation"})
      if (!record.has(key))
        wrong(record.source, record.path, fmt::format("\"{}\" is missing: a normal distribution has it", key));
    d.mean = record.number("mean", 0);
    d.deviation = record.number("deviation", 1);
    if (record.has("mean")) tried_.push_back({index, d.mean, record.source_of("mean")});
    if (d.low < d.high &&
        !(normal_share((d.high - d.mean) / d.deviation) - normal_share((d.low - d.mean) / d.deviation) > 1e-12))
      wrong(record.source_of(record.has("low") ? "low" : "high"), record.path,
            "next to nothing of the distribution lies within the bounds");
  }

  /// A key of the record has been refused: then it is not missing.
  bool has_problem_at(const Record& record) const {
    return std::any_of(problems_.begin(), problems_.end(),
                       [&](const Problem& p) { return p.path.starts_with(record.path + "."); });
  }

  void choose() {
    if (design_ == nullptr) return;
    if (type_ == "grid") return choose_grid();
    if (type_ == "list") return choose_list();
    const long runs = design_->integer("runs", 0);
    const auto seed = static_cast<std::uint64_t>(design_->integer("seed", 0));
    if (runs < 1 || runs > most_runs) return;
    const std::size_t n = plan_.distributions.size();
    RandomNumbers random(seed);
    std::vector<double> u(n);
    plan_.runs.reserve(static_cast<std::size_t>(runs));
    if (type_ == "latin-hypercube") {
      // One value in each of as many equally likely cells, in random order [mckay1979].
      std::vector<std::vector<std::uint32_t>> cells;
      for (std::size_t k = 0; k < n; ++k) cells.push_back(random.permutation(static_cast<std::uint32_t>(runs)));
      for (long i = 0; i < runs; ++i) {
        for (std::size_t k = 0; k < n; ++k)
          u[k] = (cells[k][static_cast<std::size_t>(i)] + random.uniform()) / static_cast<double>(runs);
        add(u);
      }
      plan_.design = fmt::format("Latin hypercube, {} runs, seed {}", runs, seed);
      return;
    }
    if (n > Sobol::most_dimensions)
      return wrong(
          design_->source_of("type"), "design.type",
          fmt::format("Sobol' sequences are for {} parameters at most; these are {}", Sobol::most_dimensions, n));
    const bool scrambled = !design_->has("scramble") || design_->boolean("scramble");
    const Sobol sobol = scrambled ? Sobol(static_cast<int>(n), random) : Sobol(static_cast<int>(n));
    for (long i = 0; i < runs; ++i) {
      sobol.point(static_cast<std::uint32_t>(i), u);
      add(u);
    }
    plan_.design =
        fmt::format("Sobol', {} runs, {}", runs, scrambled ? fmt::format("scrambled, seed {}", seed) : "plain");
  }

  void add(const std::vector<double>& u) {
    std::vector<double>& run = plan_.runs.emplace_back();
    for (std::size_t k = 0; k < u.size(); ++k) run.push_back(plan_.distributions[k].quantile(u[k]));
  }

  /// All combinations, the last parameter fastest.
  void choose_grid() {
    std::vector<std::vector<double>> axes;
    double runs = 1;
    for (std::size_t k = 0; k < plan_.distributions.size(); ++k) {
      const Distribution& d = plan_.distributions[k];
      const Record& record = plan_.study.record(plan_.study.parameters[k]);
      std::vector<double>& axis = axes.emplace_back();
      if (d.kind == Distribution::Kind::values) {
        axis = d.values;
      } else if (!record.has("count")) {
        wrong(record.source, record.path,
              "\"count\" is missing: how many values a grid has between the bounds; or values");
      } else {
        const long count = record.integer("count", 2);
        const bool cells = d.kind == Distribution::Kind::normal;  // equally likely ones: no end is far
        for (long i = 0; i < count; ++i)
          axis.push_back(i + 1 == count && !cells
                             ? d.high
                             : d.quantile(cells ? (static_cast<double>(i) + 0.5) / static_cast<double>(count)
                                                : static_cast<double>(i) / static_cast<double>(count - 1)));
      }
      runs *= static_cast<double>(axis.size());
    }
    if (runs > static_cast<double>(most_runs))
      return wrong(design_->source, "design", fmt::format("a grid of {:.6g} runs; at most {}", runs, most_runs));
    if (!problems_.empty()) return;
    std::vector<std::size_t> at(axes.size(), 0);
    for (long i = 0; i < static_cast<long>(runs); ++i) {
      std::vector<double>& run = plan_.runs.emplace_back();
      for (std::size_t k = 0; k < axes.size(); ++k) run.push_back(axes[k][at[k]]);
      for (std::size_t k = axes.size(); k-- > 0;) {
        ++at[k];
        if (at[k] < axes[k].size()) break;
        at[k] = 0;
      }
    }
    plan_.design = fmt::format("grid, {} runs", plan_.runs.size());
  }

  /// Rows of a table whose header names the parameters: "EI" or "EI [N mm^2]".
  void choose_list() {
    const auto* file = design_->get<FileIndex>("file");
    if (file == nullptr) return;
    const StudyFile& study = plan_.study;
    const ExternalFile& table = study.words.files[static_cast<std::size_t>(file->index)];
    const CsvTable csv = parse_csv(table.text);
    for (const CsvError& error : csv.errors)
      wrong({table.path, error.line, error.column, 1}, "design.file", error.message);
    if (!csv.ok()) return;
    if (csv.names.empty())
      return wrong(design_->source_of("file"), "design.file",
                   fmt::format("\"{}\" has no header; its first row names the parameters", table.name));
    std::vector<int> column_of(study.parameters.size(), -1);
    std::vector<Unit> units(study.parameters.size());
    std::vector<std::string> names;
    for (const StudyParameter& parameter : study.parameters) names.push_back(parameter.name);
    for (std::size_t c = 0; c < csv.names.size(); ++c) {
      const auto& [name, unit] = CsvHeading(csv.names[c]);
      const auto found = std::find(names.begin(), names.end(), name);
      const Source header{table.path, std::max(1, csv.lines.empty() ? 1 : csv.lines[0] - 1), 1, 1};
      if (found == names.end()) {
        wrong(header, "design.file", fmt::format("the column \"{}\" is no parameter of the study", name),
              nearest_name(name, names));
        continue;
      }
      const std::size_t k = static_cast<std::size_t>(found - names.begin());
      column_of[k] = static_cast<int>(c);
      const ColumnUnit written = column_unit(unit, study.parameters[k].has_unit ? study.parameters[k].unit : "*");
      if (!written.problem.empty())
        wrong(header, "design.file", fmt::format("the column \"{}\": {}", name, written.problem), written.nearest);
      units[k] = written.unit;
    }
    for (std::size_t k = 0; k < names.size(); ++k)
      if (column_of[k] < 0)
        wrong(design_->source_of("file"), "design.file",
              fmt::format("\"{}\" has no column \"{}\", a parameter of the study", table.name, names[k]));
    for (std::size_t k = 0; k < names.size(); ++k)
      if (const Record& record = study.record(study.parameters[k]);
          record.values.size() > (record.has("path") ? 1U : 0U))
        wrong(record.source, record.path, "a list says the values; keys other than path mean nothing here");
    if (!problems_.empty()) return;
    const std::size_t rows = csv.columns.empty() ? 0 : csv.columns[0].size();
    for (std::size_t i = 0; i < rows; ++i) {
      std::vector<double>& run = plan_.runs.emplace_back();
      for (std::size_t k = 0; k < names.size(); ++k)
        run.push_back(units[k].to_si(csv.columns[static_cast<std::size_t>(column_of[k])][i]));
    }
    for (std::size_t k = 0; k < names.size() && rows > 0; ++k)
      for (const bool largest : {false, true}) {
        const auto less = [&](const auto& a, const auto& b) { return a[k] < b[k]; };
        const auto row = largest ? std::max_element(plan_.runs.begin(), plan_.runs.end(), less)
                                 : std::min_element(plan_.runs.begin(), plan_.runs.end(), less);
        const std::size_t i = static_cast<std::size_t>(row - plan_.runs.begin());
        tried_.push_back(
            {k, (*row)[k], {table.path, csv.lines[i], csv.places[static_cast<std::size_t>(column_of[k])][i], 1}});
      }
    plan_.design = fmt::format("list \"{}\", {} runs", table.name, rows);
  }

  void read_outputs() {
    SceneModels scene;
    try {
      scene = interpret_scene(plan_.study.scene);
    } catch (const InputError& error) {
      problems_.insert(problems_.end(), error.problems().begin(), error.problems().end());
      return;
    }
    const std::vector<SensorSpec>& sensors = scene.models.front().sensors;
    const int dim = scene.models.front().model.topology->dim;
    const std::vector<AnalysisSpec>& analyses = scene.timeline.analyses;
    std::map<std::string, double> intervals;
    bool any = false;
    for (const Record& record : plan_.study.words.tables) {
      if (record.kind != "output") continue;
      any = true;
      read_output(record, sensors, analyses, dim, intervals);
    }
    for (const auto& [sensor, interval] : intervals)
      plan_.study.change(fmt::format("sensor.{}.interval={}", sensor, interval));
    if (any) return check_columns();
    for (const SensorSpec& sensor : sensors) {  // all there is, at the end
      SweepOutput output{.name = sensor.name,
                         .sensor = sensor.name,

                         .count = 0,
                         .analysis = last_with_samples(analyses),
                         .columns = {},
                         .units = {}};
      describe(output, sensor, dim);
      plan_.outputs.push_back(std::move(output));
    }
    if (sensors.empty())
      wrong({plan_.study.scene.file, 1, 1, 1}, "sensor", "the scene has no sensor: nothing could be kept of a run");
    check_columns();
  }

  static int last_with_samples(const std::vector<AnalysisSpec>& analyses) {
    int last = 0;
    for (std::size_t i = 0; i < analyses.size(); ++i)
      if (!analyses[i].finds_modes()) last = static_cast<int>(i);
    return last;
  }

  static void describe(SweepOutput& output, const SensorSpec& sensor, int dim) {
    const std::vector<std::string> names = number_names(sensor, dim);
    if (output.count == 0) output.count = static_cast<int>(names.size());
    std::vector<std::string> units;
    for (const ChannelColumn& column : columns_of(sensor, dim)) units.insert(units.end(), column.size(), column.unit);
    for (int i = output.first; i < output.first + output.count; ++i) {
      const std::string& part = names[static_cast<std::size_t>(i)];
      output.columns.push_back(output.count == 1 || part.empty() ? output.name : output.name + "_" + part);
      output.units.push_back(units[static_cast<std::size_t>(i)]);
    }
  }

  void read_output(const Record& record, const std::vector<SensorSpec>& sensors,
                   const std::vector<AnalysisSpec>& analyses, int dim, std::map<std::string, double>& intervals) {
    SweepOutput output{
        .name = record.name, .count = 0, .analysis = last_with_samples(analyses), .columns = {}, .units = {}};
    std::vector<std::string> names;
    for (const SensorSpec& sensor : sensors) names.push_back(sensor.name);
    const std::string name = record.has("sensor") ? record.text("sensor") : record.name;
    const auto found = std::find(names.begin(), names.end(), name);
    const std::string take = record.text("take");
    for (const auto& [word, value] : takes)
      if (take == word) output.take = value;
    if (found == names.end()) {
      wrong(record.source_of("sensor"), record.path + ".sensor", fmt::format("the scene has no sensor \"{}\"", name),
            nearest_name(name, names));
      return;
    }
    output.sensor = name;
    const SensorSpec& sensor = sensors[static_cast<std::size_t>(found - names.begin())];
    const std::vector<std::string> parts = number_names(sensor, dim);
    if (record.has("component")) {
      const std::string wanted = record.text("component");
      const auto part = std::find(parts.begin(), parts.end(), wanted);
      if (part == parts.end())
        return wrong(record.source_of("component"), record.path + ".component",
                     parts.size() == 1 ? fmt::format("sensor \"{}\" is one number, without components", name)
                                       : fmt::format("sensor \"{}\" has no component \"{}\"; allowed: {}", name, wanted,
                                                     list_of(parts, "and")));
      output.first = static_cast<int>(part - parts.begin());
      output.count = 1;
    }
    if (record.has("analysis")) {
      std::vector<std::string> known;
      for (const AnalysisSpec& analysis : analyses) known.push_back(analysis.name);
      const std::string wanted = record.text("analysis");
      const auto which = std::find(known.begin(), known.end(), wanted);
      if (which == known.end())
        return wrong(record.source_of("analysis"), record.path + ".analysis",
                     fmt::format("the scene has no analysis \"{}\"", wanted), nearest_name(wanted, known));
      output.analysis = static_cast<int>(which - known.begin());
    }
    const AnalysisSpec& analysis = analyses[static_cast<std::size_t>(output.analysis)];
    output.from = record.number("from", -1e300);
    output.to = record.number("to", 1e300);
    for (const char* key : {"from", "to"})
      if (record.has(key) && (output.take == Take::end || !analysis.over_time()))
        wrong(record.source_of(key), record.path + "." + key,
              output.take == Take::end ? std::string("the end has no window; take = \"mean\" and others have")
                                       : fmt::format("analysis \"{}\" takes no time", analysis.name));
    if (analysis.over_time() && (output.from > analysis.end || output.to < analysis.begin || output.from > output.to))
      wrong(record.source_of(record.has("from") ? "from" : "to"), record.path,
            fmt::format("no sample lies in the window; analysis \"{}\" goes from {:g} to {:g} s", analysis.name,
                        analysis.begin, analysis.end));
    if (record.has("interval")) {
      const double interval = record.number("interval", 0);
      const auto [known, fresh] = intervals.emplace(sensor.name, interval);
      if (!fresh && known->second != interval)
        wrong(record.source_of("interval"), record.path + ".interval",
              fmt::format("another output of sensor \"{}\" has {:g} s; a sensor has one", sensor.name, known->second));
    }
    output.over_time = analysis.over_time();
    describe(output, sensor, dim);
    plan_.outputs.push_back(std::move(output));
  }

  /// Columns of the table have names of their own.
  void check_columns() {
    std::set<std::string> taken{"run", "status", "message"};
    for (const StudyParameter& parameter : plan_.study.parameters)
      if (!taken.insert(parameter.name).second)
        wrong(plan_.study.record(parameter).source, "parameter." + parameter.name,
              "is a column of the table by itself; choose another name");
    for (const SweepOutput& output : plan_.outputs)
      for (const std::string& column : output.columns)
        if (!taken.insert(column).second)
          wrong(plan_.study.words.find("output", output.name) == nullptr
                    ? Source{plan_.study.words.file, 1, 1, 1}
                    : plan_.study.words.find("output", output.name)->source,
                "output." + output.name, fmt::format("\"{}\" is a column of the table already", column));
  }

  SweepPlan plan_;
  std::vector<Problem> problems_;
  std::vector<StudySetting> tried_;
  const Record* design_ = nullptr;
  std::string type_;
};

TableSpec design_table() {
  TableSpec spec;
  spec.kind = "design";
  spec.doc = "how the values of the parameters are chosen";
  spec.form = TableSpec::Form::single;
  const auto runs = [] { return integer_field("runs", "how many").required().at_least(1).at_most(most_runs); };
  const auto seed = [] {
    return integer_field("seed", "of the random numbers: the same gives the same values").defaults_to(0).at_least(0);
  };
  spec.variants = {
      {"grid", "all combinations of the parameters' values, or of `count` between their bounds", {}},
      {"latin-hypercube", "one value of each parameter in each of `runs` equally likely cells", {runs(), seed()}},
      {"sobol",
       fmt::format("Sobol's sequence, for up to {} parameters: most even where the runs are a power of 2",
                   Sobol::most_dimensions),
       {runs(), seed(),
        boolean_field("scramble",
                      "with random digits; false: the sequence itself, which begins in the corner of the least "
                      "values")
            .defaults_to(std::string("true"))}},
      {"list",
       "the rows of a table, whose header names the parameters",
       {file_field("file", "CSV, beside the study").required()}},
  };
  return spec;
}

TableSpec output_table() {
  TableSpec spec;
  spec.kind = "output";
  spec.doc = "what is kept of each run: a column of the table, or one for each component; none: all sensors at the end";
  spec.fields = {
      text_field("sensor", "of the scene, by name").defaults_to("NAME"),
      text_field("component", "\"x\" of a position, for example").defaults_to("all"),
      choice_field("take", "what of its samples",
                   {{"end", "the last one"},
                    {"min", "the least"},
                    {"max", "the greatest"},
                    {"mean", "the mean over time"},
                    {"rms", "the root of the mean square over time"},
                    {"series", "all of them, in a file of their own"}}),
      text_field("analysis", "whose samples, by name").defaults_to("the last"),
      number_field("from", "s", "samples from there on").defaults_to("all"),
      number_field("to", "s", "samples up to there").defaults_to("all"),
      number_field("interval", "s", "between samples of the sensor").more_than(0).defaults_to("the scene's"),
  };
  return spec;
}

}  // namespace

StudyForm sweep_form() {
  StudyForm form{.command = "sweep"};
  form.head = {boolean_field("reports", "each run is written whole, with its report, into runs/NUMBER")};
  form.of_parameters = {
      number_field("low", "*", "least").defaults_to("none"),
      number_field("high", "*", "largest").defaults_to("none"),
      vector_field("values", "*", 0, "each as likely, in place of bounds").defaults_to("none"),
      choice_field("distribution", "how likely values are",
                   {{"uniform", "all between the bounds alike"},
                    {"log", "all powers alike: the logarithm is uniform"},
                    {"normal", "about `mean` with `deviation`, cut off at the bounds that there are"}}),
      number_field("mean", "*", "of a normal distribution").defaults_to("none"),
      number_field("deviation", "*", "standard deviation of a normal distribution").more_than(0).defaults_to("none"),
      integer_field("count", "of a grid: how many values").at_least(2).at_most(most_runs).defaults_to("none"),
  };
  form.tables = {design_table(), output_table()};
  return form;
}

std::vector<std::string> SweepPlan::columns() const {
  std::vector<std::string> all;
  for (const SweepOutput& output : outputs)
    if (output.take != Take::series) all.insert(all.end(), output.columns.begin(), output.columns.end());
  return all;
}

SweepPlan read_sweep_text(const std::string& text, const std::string& file, const StudyOptions& options) {
  std::vector<Problem> problems;
  StudyFile study = read_study_text(text, file, sweep_form(), problems, options);
  return Reading(std::move(study), std::move(problems)).read();
}

SweepPlan read_sweep(const std::string& path, const StudyOptions& options) {
  std::vector<Problem> problems;
  StudyFile study = read_study(path, sweep_form(), problems, options);
  return Reading(std::move(study), std::move(problems)).read();
}

}  // namespace flexura
