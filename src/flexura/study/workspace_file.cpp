#include "flexura/study/workspace_file.hpp"

#include <fmt/format.h>

#include <cmath>

#include "flexura/study/record_file.hpp"
#include "flexura/study/sobol.hpp"
#include "flexura/study/steered_file.hpp"

namespace flexura {
namespace {

constexpr long most_samples = 1'000'000;

TableSpec place_table() {
  TableSpec spec;
  spec.kind = "place";
  spec.doc = "what is brought about: up to three numbers of a sensor";
  spec.form = TableSpec::Form::single;
  spec.fields = reading_fields();
  spec.fields[0] = text_field("sensor", "of the scene").defaults_to("none");
  spec.fields.push_back(number_field("tolerance", "*", "how far from a target counts as reached")
                            .more_than(0)
                            .defaults_to("a thousandth of the longest side of what is reached"));
  return spec;
}

TableSpec sampling_table() {
  TableSpec spec;
  spec.kind = "design";
  spec.doc = "which inputs are tried";
  spec.form = TableSpec::Form::single;
  spec.variants = {{"grid", "all combinations of `count` values of each input between its bounds", {}},
                   {"sobol",
                    fmt::format("Sobol's sequence, scrambled, for up to {} inputs", Sobol::most_dimensions),
                    {integer_field("runs", "how many").required().at_least(1).at_most(most_samples),
                     integer_field("seed", "of the random numbers").defaults_to(0).at_least(0)}}};
  return spec;
}

TableSpec reachable_table() {
  TableSpec spec;
  spec.kind = "target";
  spec.doc = "a point that may be in reach";
  spec.fields = {vector_field("point", "*", 0, "numbers of the place").required()};
  return spec;
}

class WorkspaceStudy {
 public:
  WorkspaceStudy(StudyFile study, std::vector<Problem> problems)
      : study_(std::move(study), std::move(problems), "place") {}

  WorkspacePlan read() {
    const SceneDocument& words = study_.study().words;
    plan_.title = words.head.text("title");
    plan_.cells = static_cast<int>(words.head.integer("cells", plan_.cells));
    plan_.inputs = study_.read_inputs();
    read_place(words);
    read_design(words);
    read_targets(words);
    study_.finish();
    plan_.scene = study_.scene();
    return std::move(plan_);
  }

 private:
  Source top() const { return {study_.study().words.file, 1, 1, 1}; }

  void read_place(const SceneDocument& words) {
    const std::vector<const Record*> places = words.of_kind("place");
    if (places.empty())
      return study_.wrong(top(), "place", "[place] is missing: a sensor, or a place `at`, that is brought about");
    const Record& record = *places.front();
    if (!record.has("sensor") && !record.has("at"))
      return study_.wrong(record.source, "place", "give `sensor`, of the scene, or `at`, a place of it");
    const std::optional<WantedReading> reading = study_.read_reading(record);
    if (!reading) return;
    plan_.place = *reading;
    plan_.place.tolerance = record.number("tolerance", 0);
    for (std::string& column : plan_.place.columns)
      if (const size_t dot = column.rfind('.'); dot != std::string::npos) column = column.substr(dot + 1);
    if (plan_.place.columns.size() == 1) plan_.place.columns[0] = "value";
    if (plan_.place.columns.size() > 3)
      study_.wrong(
          record.source_of("sensor"), "place",
          fmt::format("{} numbers, and at most three are mapped: choose a component", plan_.place.columns.size()));
    study_.check_unit(record, "tolerance", plan_.place.units.front());
  }

  void read_design(const SceneDocument& words) {
    const std::vector<const Record*> designs = words.of_kind("design");
    const std::vector<const Record*> inputs = words.of_kind("input");
    if (designs.empty()) return study_.wrong(top(), "design", "[design] is missing: which inputs are tried");
    const Record& design = *designs.front();
    const bool grid = design.type == "grid";
    for (const Record* record : inputs) {
      if (grid && !record->has("count"))
        study_.wrong(record->source, record->path,
                     "\"count\" is missing: how many values a grid has between the bounds");
      if (!grid && record->has("count"))
        study_.wrong(record->source_of("count"), record->path + ".count", "is of a grid");
    }
    if (!grid) {
      plan_.runs = design.integer("runs", 1);
      plan_.seed = static_cast<std::uint64_t>(design.integer("seed", 0));
      if (inputs.size() > static_cast<size_t>(Sobol::most_dimensions))
        study_.wrong(design.source_of("type"), "design.type",
                     fmt::format("Sobol' sequences are for {} inputs at most; these are {}", Sobol::most_dimensions,
                                 inputs.size()));
      return;
    }
    double samples = 1;
    for (const Record* record : inputs) {
      plan_.counts.push_back(static_cast<int>(record->integer("count", 2)));
      samples *= plan_.counts.back();
    }
    if (samples > static_cast<double>(most_samples))
      study_.wrong(design.source, "design", fmt::format("a grid of {:.6g} samples; at most {}", samples, most_samples));
  }

  void read_targets(const SceneDocument& words) {
    const size_t size = plan_.place.columns.size();
    if (size == 0) return;
    const std::string& unit = plan_.place.units.front();
    for (const Record* record : words.of_kind("target")) {
      study_.check_unit(*record, "point", unit);
      const Numbers* point = record->get<Numbers>("point");
      if (point == nullptr) continue;
      if (point->size() != size)
        study_.wrong(record->source_of("point"), record->path + ".point",
                     fmt::format("the place has {} numbers, {}", size, list_of(plan_.place.columns, "and")));
      plan_.targets.emplace_back(record->name, *point);
    }
    const ExternalFile* file = study_.file_of(words.head, "targets");
    if (file == nullptr) return;
    study_.add_text(*file);
    const RecordFile table(file->path, file->text, study_.problems());
    if (!table.usable()) return;
    std::vector<std::vector<double>> columns;
    for (size_t c = 0; c < size; ++c) {
      const Asked asked{words.head.source_of("targets"), "targets"};
      const int column = table.find(plan_.place.columns[c], asked, study_.problems());
      if (column >= 0) columns.push_back(table.in_si(column, "", plan_.place.units[c], asked, study_.problems()));
    }
    if (columns.size() != size) return;
    for (size_t i = 0; i < columns[0].size(); ++i) {
      std::vector<double> point;
      for (const std::vector<double>& column : columns) point.push_back(column[i]);
      if (std::ranges::all_of(point, [](double x) { return std::isfinite(x); }))
        plan_.targets.emplace_back(fmt::format("{}", i), std::move(point));
      else
        study_.wrong(words.head.source_of("targets"), "targets", fmt::format("row {} of the table has gaps", i + 1));
    }
  }

  SteeredStudy study_;
  WorkspacePlan plan_;
};

}  // namespace

StudyForm workspace_form() {
  StudyForm form{.command = "workspace"};
  form.has_parameters = false;
  form.head = {integer_field("cells", "of the map along the longest side of what is reached; 0: no map and no boundary")
                   .defaults_to(40)
                   .at_least(0)
                   .at_most(1000),
               file_field("targets", "CSV table of points that may be in reach, beside the study")};
  form.tables = {
      input_table(
          {integer_field("count", "of a grid: how many values").at_least(2).at_most(most_samples).defaults_to("none")}),
      place_table(), sampling_table(), reachable_table()};
  return form;
}

WorkspacePlan read_workspace_text(const std::string& text, const std::string& file, const StudyOptions& options) {
  std::vector<Problem> problems;
  StudyFile study = read_study_text(text, file, workspace_form(), problems, options);
  return WorkspaceStudy(std::move(study), std::move(problems)).read();
}

WorkspacePlan read_workspace(const std::string& path, const StudyOptions& options) {
  std::vector<Problem> problems;
  StudyFile study = read_study(path, workspace_form(), problems, options);
  return WorkspaceStudy(std::move(study), std::move(problems)).read();
}

}  // namespace flexura
