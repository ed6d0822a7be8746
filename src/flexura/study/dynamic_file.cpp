// The study file of `flexura inverse-dynamics`.

#include <fmt/format.h>

#include <algorithm>

#include "flexura/run/simulation.hpp"
#include "flexura/study/inverse_file.hpp"
#include "flexura/study/steered_file.hpp"

namespace flexura {
namespace {

TableSpec trajectory_table() {
  TableSpec spec;
  spec.kind = "target";
  spec.doc = "numbers of a sensor that follow columns of the table";
  spec.fields = reading_fields();
  spec.fields.push_back(column_field("column", "of the table, by heading or number from 1; of one number")
                            .defaults_to("NAME.COMPONENT, COMPONENT or NAME"));
  spec.fields.push_back(text_field("unit", "of the columns, where their headings do not say it"));
  spec.fields.push_back(
      number_field("tolerance", "*", "how long the miss may be, at the end of any step").required().more_than(0));
  return spec;
}

class TrajectoryStudy {
 public:
  TrajectoryStudy(StudyFile study, std::vector<Problem> problems)
      : study_(std::move(study), std::move(problems), "target") {}

  DynamicPlan read() {
    const SceneDocument& words = study_.study().words;
    plan_.title = words.head.text("title");
    plan_.max_iterations = static_cast<int>(words.head.integer("max_iterations", plan_.max_iterations));
    plan_.starts_at_rest = words.head.text("start") != "inputs";
    const std::vector<SoughtInput> inputs = study_.read_inputs();
    const std::vector<const Record*> records = words.of_kind("input");
    for (size_t k = 0; k < inputs.size(); ++k)
      plan_.inputs.push_back({inputs[k], static_cast<int>(records[k]->integer("samples", 21))});
    read_times(words);
    const std::vector<const Record*> targets = words.of_kind("target");
    if (targets.empty())
      study_.wrong({words.file, 1, 1, 1}, "target", "nothing is wanted: a study has a [target.NAME] at least");
    for (const Record* record : targets) read_target(*record);
    study_.finish();
    plan_.scene_text = study_.scene().text;
    plan_.scene_file = study_.scene().file;
    plan_.reading = study_.study().options.scene;
    plan_.reading.set = study_.study().set;
    return std::move(plan_);
  }

 private:
  void read_times(const SceneDocument& words) {
    const ExternalFile* file = study_.file_of(words.head, "points");
    if (file == nullptr) {
      if (!words.head.has("points"))
        study_.wrong({words.file, 1, 1, 1}, "points", "\"points\" is missing: a CSV table of what is wanted over time");
      return;
    }
    study_.add_text(*file);
    table_.emplace(file->path, file->text, study_.problems());
    if (!table_->usable()) return table_.reset();
    const Source source = words.head.source_of(words.head.has("time") ? "time" : "points");
    const Asked asked{source, "time"};
    int column = 0;
    if (const std::string* heading = words.head.get<std::string>("time"))
      column = table_->find(*heading, asked, study_.problems());
    else if (const long* number = words.head.get<long>("time"))
      column = table_->find(*number, asked, study_.problems());
    else
      column = std::max(0, table_->find_any({"t", "time"}));
    if (column < 0) return;
    plan_.t = table_->times(column, words.head.text("time_unit"), asked, study_.problems());
    if (!plan_.t.empty() && plan_.t.size() < 4)
      study_.wrong(source, "points", fmt::format("{} rows; a trajectory has four at least", plan_.t.size()));
    check_motion(source);
  }

  void check_motion(const Source& source) {
    if (!study_.has_scene() || plan_.t.empty()) return;
    const std::vector<AnalysisSpec>& analyses = study_.models().timeline.analyses;
    const auto motion = std::ranges::find_if(analyses, &AnalysisSpec::over_time);
    if (motion == analyses.end())
      study_.wrong(source, "scene",
                   "the scene has no motion: an analysis of type \"dynamic\" is what follows a trajectory");
    else if (plan_.t.front() >= motion->end || plan_.t.back() <= motion->begin)
      study_.wrong(
          source, "points",
          fmt::format("the table goes from {:.6g} to {:.6g} s, and the scene's first motion {:.6g} to {:.6g} s",
                      plan_.t.front(), plan_.t.back(), motion->begin, motion->end));
  }

  void read_target(const Record& record) {
    const std::optional<WantedReading> reading = study_.read_reading(record);
    if (!reading || !table_) return;
    Trajectory out{.what = *reading, .points = {}};
    out.what.tolerance = record.number("tolerance", 1);
    study_.check_unit(record, "tolerance", out.what.unit);
    if (out.what.is_quaternion || out.what.columns[0].find('.') != out.what.columns[0].rfind('.'))
      return study_.wrong(
          record.source_of("sensor"), record.path,
          "of a frame no trajectory is followed: take its `position` and `angle` as quantities of the place");
    out.points = study_.read_columns(record, out.what, *table_);
    if (out.points.empty() || out.points.size() != plan_.t.size()) return;
    plan_.targets.push_back(std::move(out));
  }

  SteeredStudy study_;
  DynamicPlan plan_;
  std::optional<RecordFile> table_;
};

}  // namespace

StudyForm inverse_dynamics_form() {
  StudyForm form{.command = "inverse-dynamics"};
  form.has_parameters = false;
  form.head = {
      file_field("points", "CSV table of what is wanted over time, beside the study"),
      column_field("time", "its column of time").defaults_to("the one with the heading t or time, else the first"),
      text_field("time_unit", "where the heading does not say it"),
      integer_field("max_iterations", "of the search").defaults_to(20).at_least(1),
      choice_field("start", "where the search begins",
                   {{"rest", "with the inputs that hold the wanted places at rest"},
                    {"inputs", "with `start` of the inputs, at all times"}})};
  form.tables = {input_table({integer_field("samples", "over the trajectory, straight lines in between")
                                  .defaults_to(21)
                                  .at_least(2)
                                  .at_most(2000)}),
                 trajectory_table()};
  return form;
}

DynamicPlan read_inverse_dynamics_text(const std::string& text, const std::string& file, const StudyOptions& options) {
  std::vector<Problem> problems;
  StudyFile study = read_study_text(text, file, inverse_dynamics_form(), problems, options);
  return TrajectoryStudy(std::move(study), std::move(problems)).read();
}

DynamicPlan read_inverse_dynamics(const std::string& path, const StudyOptions& options) {
  std::vector<Problem> problems;
  StudyFile study = read_study(path, inverse_dynamics_form(), problems, options);
  return TrajectoryStudy(std::move(study), std::move(problems)).read();
}

}  // namespace flexura
