#include "flexura/study/inverse_file.hpp"

#include <fmt/format.h>

#include <cmath>

#include "flexura/study/steered_file.hpp"

namespace flexura {
namespace {

TableSpec static_target_table() {
  TableSpec spec;
  spec.kind = "target";
  spec.doc = "numbers of a sensor that are wanted, at every point";
  spec.fields = reading_fields();
  for (FieldSpec& field : std::vector<FieldSpec>{
           number_field("value", "*", "wanted of one number, at all points"),
           vector_field("values", "*", 0, "wanted of one number, one after the other"),
           vector_field("point", "*", 0, "wanted of several numbers, at all points"),
           points_field("points", "*", 0, "wanted of several numbers, one after the other"),
           column_field("column", "of the table of points, by heading or number from 1; of one number")
               .defaults_to("NAME.COMPONENT, COMPONENT or NAME"),
           text_field("unit", "of the column, where the heading does not say it"),
           number_field("tolerance", "*", "how long the miss may be; of quat_xyzw an angle").required().more_than(0)})
    spec.fields.push_back(std::move(field));
  return spec;
}

class InverseStudy {
 public:
  InverseStudy(StudyFile study, std::vector<Problem> problems)
      : study_(std::move(study), std::move(problems), "target") {}

  InversePlan read() {
    const Record& head = study_.study().words.head;
    plan_.title = head.text("title");
    plan_.max_iterations = static_cast<int>(head.integer("max_iterations", plan_.max_iterations));
    plan_.restarts = static_cast<int>(head.integer("restarts", plan_.restarts));
    plan_.inputs = study_.read_inputs();
    if (const ExternalFile* file = study_.file_of(head, "points")) {
      study_.add_text(*file);
      table_.emplace(file->path, file->text, study_.problems());
      if (!table_->usable()) table_.reset();
    }
    const std::vector<const Record*> targets = study_.study().words.of_kind("target");
    if (targets.empty())
      study_.wrong({study_.study().words.file, 1, 1, 1}, "target",
                   "nothing is wanted: a study has a [target.NAME] at least");
    for (const Record* record : targets) add_target(*record);
    study_.finish();
    size_t count = 1;
    for (const Wanted& wanted : wanted_)
      if (wanted.is_list) count = wanted.points.size();
    for (size_t i = 0; i < count; ++i) {
      std::vector<double>& point = plan_.points.emplace_back();
      for (const Wanted& wanted : wanted_) {
        const std::vector<double>& own = wanted.points[wanted.is_list ? i : 0];
        point.insert(point.end(), own.begin(), own.end());
      }
    }
    plan_.scene = study_.scene();
    return std::move(plan_);
  }

 private:
  struct Wanted {
    std::vector<std::vector<double>> points;
    bool is_list = false;
  };

  void add_target(const Record& record) {
    const std::optional<WantedReading> reading = study_.read_reading(record);
    static constexpr const char* ways[] = {"value", "values", "point", "points"};
    const char* way = nullptr;
    for (const char* key : ways) {
      if (!record.has(key)) continue;
      if (way != nullptr)
        study_.wrong(record.source_of(key), record.path + "." + key,
                     fmt::format("is in place of `{}`: give one of them", way));
      way = key;
    }
    if (!reading) return;
    WantedReading target = *reading;
    target.tolerance = record.number("tolerance", 1);
    study_.check_unit(record, "tolerance", target.unit);
    const std::string& unit = target.units.front();
    for (const char* key : ways) study_.check_unit(record, key, unit);
    Wanted wanted;
    if (way == nullptr) {
      if (!take_columns(record, target, wanted)) return;
    } else {
      for (const char* key : {"column", "unit"})
        if (record.has(key))
          study_.wrong(record.source_of(key), record.path + "." + key,
                       fmt::format("is of the table of points, and `{}` says what is wanted", way));
      wanted.is_list = std::string_view(way).ends_with('s');
      if (const double* one = record.get<double>(way)) wanted.points = {{*one}};
      if (const Points* many = record.get<Points>(way)) wanted.points = *many;
      if (const Numbers* numbers = record.get<Numbers>(way)) {
        if (wanted.is_list)
          for (const double x : *numbers) wanted.points.push_back({x});
        else
          wanted.points = {*numbers};
      }
    }
    const size_t size = target.columns.size();
    for (std::vector<double>& point : wanted.points) {
      if (point.size() != size) {
        study_.wrong(record.source_of(way == nullptr ? "column" : way),
                     record.path + (way ? fmt::format(".{}", way) : ""),
                     size == 1 ? fmt::format("{} is one number: give `value` or `values`", target.columns[0])
                               : fmt::format("{} numbers are wanted: {}", size, list_of(target.columns, "and")));
        return;
      }
      if (target.is_quaternion) normalise(point, record, way);
    }
    if (wanted.points.empty()) return;
    if (wanted.is_list) {
      if (count_ && *count_ != wanted.points.size())
        study_.wrong(
            record.source_of(way == nullptr ? "column" : way), record.path,
            fmt::format("{} points, and {} of another target: lists are equally long", wanted.points.size(), *count_));
      count_ = wanted.points.size();
    }
    plan_.targets.push_back(std::move(target));
    wanted_.push_back(std::move(wanted));
  }

  void normalise(std::vector<double>& point, const Record& record, const char* way) {
    double size = 0;
    for (const double x : point) size += x * x;
    if (!(size > 0))
      return study_.wrong(record.source_of(way ? way : "column"), record.path, "a quaternion is not zero");
    for (double& x : point) x /= std::sqrt(size);
  }

  bool take_columns(const Record& record, const WantedReading& target, Wanted& wanted) {
    if (!table_) {
      if (study_.file_of(study_.study().words.head, "points") == nullptr)
        study_.wrong(record.source, record.path,
                     target.columns.size() == 1
                         ? "nothing is wanted: `value`, `values`, or a table at the top, points = \"FILE\""
                         : "nothing is wanted: `point`, `points`, or a table at the top, points = \"FILE\"");
      return false;
    }
    wanted.is_list = true;
    wanted.points = study_.read_columns(record, target, *table_);
    return !wanted.points.empty();
  }

  SteeredStudy study_;
  InversePlan plan_;
  std::vector<Wanted> wanted_;
  std::optional<size_t> count_;
  std::optional<RecordFile> table_;
};

}  // namespace

StudyForm inverse_statics_form() {
  StudyForm form{.command = "inverse-statics"};
  form.has_parameters = false;
  form.head = {file_field("points", "CSV table of what is wanted, a row for each point, beside the study"),
               integer_field("max_iterations", "of a search").defaults_to(60).at_least(1),
               integer_field("restarts", "searches from elsewhere within the bounds where a point is not reached")
                   .defaults_to(4)
                   .at_least(0)};
  form.tables = {input_table(), static_target_table()};
  return form;
}

InversePlan read_inverse_statics_text(const std::string& text, const std::string& file, const StudyOptions& options) {
  std::vector<Problem> problems;
  StudyFile study = read_study_text(text, file, inverse_statics_form(), problems, options);
  return InverseStudy(std::move(study), std::move(problems)).read();
}

InversePlan read_inverse_statics(const std::string& path, const StudyOptions& options) {
  std::vector<Problem> problems;
  StudyFile study = read_study(path, inverse_statics_form(), problems, options);
  return InverseStudy(std::move(study), std::move(problems)).read();
}

}  // namespace flexura
