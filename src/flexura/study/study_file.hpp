#pragma once
// Study files: TOML that says what is repeated with a scene, and with which of its numbers varied. Whatever a command repeats
// runs for, its file has these in common; the rest of it is the command's own, as a StudyForm:
//
//     scene = "actuator.toml"                 # beside the study file
//     set   = { "analysis.move.end" = 2 }     # changed in all runs, as --set changes it
//
//     [parameter.stiffness]
//     path = "section.wall.EI"                # what --set understands; left out: parameters.stiffness
//     ...                                     # keys of the command: StudyForm::of_parameters

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "flexura/scene/raw_toml.hpp"
#include "flexura/scene/reader.hpp"
#include "flexura/study/varied_scene.hpp"

namespace flexura {

/// What the study files of a command may contain besides.
struct StudyForm {
  std::string command;                        ///< "sweep"
  std::vector<FieldSpec> head = {};           ///< keys at the top, beside `title`, `scene` and `set`
  std::vector<FieldSpec> of_parameters = {};  ///< keys of [parameter.NAME], beside `path`
  std::vector<TableSpec> tables = {};
  bool has_parameters = true;  ///< false: it varies inputs, and no numbers of the scene
};
/// All of it: for reading, schema and documentation.
std::shared_ptr<const Grammar> study_grammar(const StudyForm& form);

/// A number of the scene that runs differ in.
struct StudyParameter {
  std::string name;               ///< of [parameter.NAME], and the heading of its column
  std::string path;               ///< "section.wall.EI"
  std::string unit;               ///< as the scene's key has it; "1" where it has none
  bool has_unit = false;          ///< it is known: quantities in units of another dimension are refused
  std::optional<double> present;  ///< its value in the scene, where it is written there as a number [SI]
  std::size_t record = 0;         ///< index in StudyFile::words.tables
  Source source;                  ///< of the path
};

struct StudyOptions {
  SceneOptions scene = {};  ///< files and functions; `set` acts before the study's own
  std::optional<std::string>
      scene_text{};  ///< in place of the file that `scene` names; that is then its name in messages
};

struct StudyFile {
  SceneDocument words;           ///< the study itself: its records by the grammar above
  SceneDocument scene;           ///< with `set`, before a parameter is varied
  std::vector<std::string> set;  ///< the same for all runs: "analysis.move.end=2"
  StudyOptions options;
  std::vector<StudyParameter> parameters;
  std::shared_ptr<const VariedScene> varied;  ///< the scene with `set`

  const Record& record(const StudyParameter& parameter) const { return words.tables[parameter.record]; }
  /// Both texts: problems may lie in either.
  SourceTexts texts() const;

  /// KEY=VALUE for each parameter, the number in its shortest form that reads back as the same: with it and `set`,
  /// `flexura run --set` does the same run by itself.
  std::vector<std::string> settings(std::span<const double> values) const;
  /// One more setting for all runs.
  void change(std::string setting);
  /// The scene with the parameters at these values [SI], in their order. Throws InputError.
  SceneDocument vary(std::span<const double> values) const;
};

/// A value that a study means to give a parameter, and where it says so.
struct StudySetting {
  std::size_t parameter;
  double value;  ///< [SI]
  Source source;
};

/// Reads a study and its scene. Every problem found is in `problems`; what is returned is then incomplete. A study that cannot be
/// looked at further (a syntax error, no scene) throws SceneError or UnreadableFiles.
StudyFile read_study(const std::string& path, const StudyForm& form, std::vector<Problem>& problems,
                     const StudyOptions& options = {});
StudyFile read_study_text(const std::string& text, const std::string& file, const StudyForm& form,
                          std::vector<Problem>& problems, const StudyOptions& options = {});

/// The texts KEY=VALUE of a table of settings: { "a.b" = 1 } and { a = { b = 1 } } alike.
std::vector<std::string> settings_in(const RawNode& table);

/// What a table of settings says of numbers that are varied, as problems: nothing would come of it. `path`: of the table; `acts`: whether
/// the parameter gives the number its value there.
void refuse_settings(const StudyFile& study, const RawNode& set, const std::string& path,
                     const std::function<bool(const StudyParameter&)>& acts, std::vector<Problem>& problems);

/// What the scene says against each value by itself, as problems of the place where the study asks for it.
void check_settings(const StudyFile& study, std::span<const StudySetting> settings, std::vector<Problem>& problems);

/// Throws SceneError with every problem, ordered, their lines underlined.
void throw_study_problems(const StudyFile& study, std::vector<Problem> problems);

}  // namespace flexura
