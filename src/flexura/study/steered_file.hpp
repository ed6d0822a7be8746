#pragma once
// What the study files of `flexura inverse-statics` and `flexura workspace` have in common: inputs with their bounds, and what
// is read, sensors of the scene or places that have none:
//
//     [input.left]                    # a signal of type "input"
//     low  = "0 kPa"
//     high = "60 kPa"
//
//     [target.tip]
//     at        = "arm.end"           # or sensor = "tip"
//     tolerance = "0.1 mm"

#include <optional>

#include "flexura/scene/scene_model.hpp"
#include "flexura/study/inverse_statics.hpp"
#include "flexura/study/record_file.hpp"
#include "flexura/study/study_file.hpp"

namespace flexura {

/// [input.NAME]. `more`: keys of the command.
TableSpec input_table(std::vector<FieldSpec> more = {});
/// `sensor`, or `at` with `quantity`; and `component`.
std::vector<FieldSpec> reading_fields();

class SteeredStudy {
 public:
  /// Reads the scene again with a sensor for each place that records of this kind name.
  SteeredStudy(StudyFile study, std::vector<Problem> problems, std::string_view kind);

  const StudyFile& study() const { return study_; }
  const SceneDocument& scene() const { return scene_; }
  const SceneModels& models() const { return *models_; }
  bool has_scene() const { return models_.has_value(); }
  int dim() const { return models_->models.front().model.topology->dim; }

  void wrong(const Source& source, const std::string& path, std::string message, std::string nearest = {});
  std::vector<Problem>& problems() { return problems_; }
  std::vector<SoughtInput> read_inputs();
  /// Numbers of a sensor that the record names, of one unit each; `name` and `tolerance` are its own. Nothing and problems where
  /// there are none.
  std::optional<WantedReading> read_reading(const Record& record);
  /// What each row of a table wants of a reading, [rows][numbers]: the record's `column`, or columns NAME.COMPONENT or COMPONENT; of
  /// one number NAME too. Empty and problems where there is none.
  std::vector<std::vector<double>> read_columns(const Record& record, const WantedReading& reading,
                                                const RecordFile& table);
  /// Quantities that are written under a key, against a unit.
  void check_unit(const Record& record, const std::string& key, const std::string& unit);
  const ExternalFile* file_of(const Record& record, const std::string& key) const;
  /// A file that problems may lie in.
  void add_text(const ExternalFile& file) { texts_.add(file.path, file.text); }
  /// Throws SceneError with every problem, where there is one.
  void finish();

 private:
  void read_scene(std::string_view kind);
  const RawNode* raw(const Record& record, const std::string& key) const;
  void check_unit(const RawNode& node, const std::string& path, const std::string& unit);

  StudyFile study_;
  std::vector<Problem> problems_;
  RawResult raw_;
  SourceTexts texts_;
  SceneDocument scene_;
  std::optional<SceneModels> models_;
};

}  // namespace flexura
