#pragma once
// The reader's insides: one pass over the raw tree, guided by the grammar.

#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <set>

#include "flexura/base/nearest_name.hpp"
#include "flexura/part/specs.hpp"
#include "flexura/scene/raw_toml.hpp"
#include "flexura/scene/reader.hpp"
#include "flexura/scene/units.hpp"
#include "flexura/scene/urdf_scene.hpp"
#include "flexura/signal/csv.hpp"

namespace flexura::detail {

/// KEY=VALUE, and where it is written.
struct Setting {
  std::string option;
  Source source;
};

/// What one reading leaves for the next of the same scene with other values: files and the tables in them. Several threads may share it.
struct KeptFiles {
  std::mutex mutex;
  std::map<std::string, std::shared_ptr<const std::string>> texts;  ///< by path
  std::map<std::string, std::shared_ptr<const CsvTable>> tables;    ///< by path
  std::map<std::string, std::shared_ptr<const Signal>> signals;     ///< by path and all that makes a table of it
};

class SceneReader;

/// How a scene is read: by itself, or for another that uses it.
struct SceneRequest {
  const SceneOptions* options = nullptr;
  std::vector<std::string> chain;  ///< files that are being read, each used by the one before
  int* uses = nullptr;             ///< scenes used so far
  int* unreadable = nullptr;       ///< files that could not be read, a problem each
  KeptFiles* kept = nullptr;       ///< null: none
  SceneReader* outer = nullptr;    ///< of the scene that uses this one; null: none
};

class SceneReader {
 public:
  SceneReader(SceneDocument& scene, SceneRequest request) : scene_(scene), request_(std::move(request)) {}

  void read(const RawNode& root);
  std::vector<Problem> problems;

 private:
  // scene_reader.cpp: tables
  void collect_names(const RawNode& root);
  void read_parameters(const RawNode& node);
  void read_head(const RawEntry& entry, const FieldSpec& field);
  void read_kind(const TableSpec& spec, const RawEntry& entry);
  void read_list(const TableSpec& spec, const RawEntry& entry);
  void unknown_at_top(const RawEntry& entry);
  Record read_table(const TableSpec& spec, const RawNode& node, const std::string& path, const Source& source);
  const VariantSpec* read_type(const TableSpec& spec, const RawNode& node, const std::string& path,
                               const Source& source);
  void read_fields(Record& record, const RawNode& node);
  void check_missing(const Record& record, const RawNode& node);
  /// The field with its unit, where that depends on the joint or the sensor that the table names.
  const FieldSpec* with_unit(const FieldSpec& field, const RawNode& table);

  // read_value.cpp: values by kind; nothing is returned after a problem
  Value read_value(const FieldSpec& field, const RawNode& node, const std::string& path);
  std::optional<double> read_number(const FieldSpec& field, const std::string& unit, const RawNode& node,
                                    const std::string& path);
  std::optional<double> read_quantity(const std::string& unit, const RawNode& node, const std::string& path);
  std::optional<double> evaluate(const RawNode& node, const std::string& path);
  std::optional<Numbers> read_vector(const FieldSpec& field, const RawNode& node, const std::string& path);
  std::optional<Points> read_series(const RawNode& node, const std::string& path);
  std::optional<Points> read_points(const FieldSpec& field, const RawNode& node, const std::string& path);
  std::optional<std::string> read_choice(const FieldSpec& field, const RawNode& node, const std::string& path);
  std::optional<std::string> read_reference(const FieldSpec& field, const RawNode& node, const std::string& path);
  std::optional<Place> read_place(const RawNode& node, const std::string& path);
  bool check_place(const Place& place, const std::string& path);
  std::optional<std::vector<NamePattern>> read_names(const FieldSpec& field, const RawNode& node,
                                                     const std::string& path);
  std::optional<TimePoint> read_time(const FieldSpec& field, const RawNode& node, const std::string& path);
  std::optional<NamedNumbers> read_named(const FieldSpec& field, const RawNode& node, const std::string& path);
  std::optional<FileIndex> read_file(const RawNode& node, const std::string& path);
  std::optional<std::string> load(const std::string& path) const;
  /// Adds the file unless it is known.
  int file_index(ExternalFile file);
  Value read_inline_table(const FieldSpec& field, const RawNode& node, const std::string& path);

  // read_robot.cpp
  /// Places of this scene by joint of the robot and side, in place of its links.
  struct RobotLinks {
    std::set<std::string> replaced;
    std::map<std::pair<std::string, int>, Place> places;
  };
  std::optional<RawNode> raw_robot(const Record& use, const ExternalFile& file, const RawNode& node, RobotLinks& links);
  void read_replaced(const std::string& path, const RawNode& replace,
                     const std::map<std::string, std::vector<UrdfScene::OnReplaced>>& joints, RobotLinks& links);
  bool is_on_plate(const RawNode& place) const;
  /// False: the record goes with a link that is replaced.
  static bool replace_link(const std::string& prefix, Record& record, const RobotLinks& links);

  // read_use.cpp
  void read_uses(const RawEntry& entry);
  void take_in(const Record& use, int file, const Placement& placement, const RawNode& node);
  /// The tables of another scene under the name of `use`. Files that they name lie beside `from`.
  void take_in(const Record& use, const RawNode& root, const ExternalFile& from, const Placement& placement,
               const RobotLinks& links);
  void change(RawNode& root, const RawNode& use, const std::string& text);
  void read_linkages(const RawEntry& entry);
  bool check_source(const Record& use, const RawNode& node);
  std::optional<RawNode> raw_scene(const Record& use, const ExternalFile& file);
  void give_parameters(const NamedNumbers& given, const std::string& path, const std::string& scene, RawNode& root);
  void take_names(const SceneReader& used, const std::string& prefix);
  void take_signals(SceneReader& used, const std::string& prefix);
  /// Whether the text stands in a scene that uses this one, in its `set`.
  bool is_of_user(const Source& source) const;
  /// Parameters that a formula there may name: this scene's, then those of the scene that writes it.
  Parameters parameters_at(const Source& source) const;
  /// This scene's, and those of the scenes that use it where they have other names: of formulas that have been read.
  Parameters all_parameters() const;
  /// A signal of the scene that uses this one, under the same name here. False: there is none, or the text may not name it.
  bool take_outer_signal(const std::string& name, const Source& source);

  // read_signal.cpp
  void declare_signals(const RawNode& signals);
  void read_named_signals(const TableSpec& spec, const RawEntry& entry);
  std::optional<SignalIndex> read_signal(const FieldSpec& field, const RawNode& node, const std::string& path);
  std::optional<SignalIndex> read_any_signal(const FieldSpec& field, const RawNode& node, const std::string& path);
  AnySignal make_signal(const Record& record);
  Signal make_table(const Record& record);
  std::shared_ptr<const CsvTable> read_table_file(const ExternalFile& file) const;
  // read_function.cpp: what the program gives
  void find_functions();
  void find_signal_function(NamedSignal& signal);
  void find_law(const Record& record);
  std::optional<Expression> parse_expression(const RawNode& node, const std::string& path, ExpressionScope scope);
  std::optional<Expression> parse_expression(const std::string& text, const Source& source, const std::string& path,
                                             ExpressionScope scope);
  void finish_signals();
  /// Remembers the unit that a value of a named signal is written in.
  void note_unit(const std::string& path, const Source& source, const std::string& text, const Dimension& dimension,
                 bool is_heading = false);
  void find_signal_units();
  void check_signal_units();
  void check_signal_bounds();

  void wrong(const Source& source, const std::string& path, std::string message, std::string nearest = {});
  /// "must be X; this is Y"
  void wrong_type(const RawNode& node, const std::string& path, const std::string& expected);
  std::vector<std::string> names_of(const std::vector<std::string>& kinds) const;
  /// Whether a table of one of the kinds has the name.
  bool knows(const std::vector<std::string>& kinds, const std::string& name);

  SceneDocument& scene_;
  SceneRequest request_;
  std::map<std::string, std::vector<std::string>> body_places_;  ///< body → names of its places
  std::map<std::string, std::vector<std::string>> names_;        ///< kind → names
  std::map<std::string, std::pair<size_t, std::set<std::string>>>
      sorted_names_;                                    ///< the same: how many of them, sorted
  std::map<std::string, std::string> parts_;            ///< name → kind
  std::map<std::string, JointCoordinate> coordinates_;  ///< of joints and trusses, by name
  std::map<std::string, std::string> sensor_types_;     ///< by name
  std::deque<FieldSpec> fields_at_joints_;              ///< in the units of their joints or sensors
  Parameters parameters_;
  std::set<std::string> outer_signals_;                 ///< of the scene that uses this one
  std::string any_unit_ = "*";                          ///< what "*" stands for
  std::map<int, std::shared_ptr<const CsvTable>> csv_;  ///< by file
  struct WrittenUnit {
    std::string path, text;
    Dimension dimension;
    bool is_heading = false;  ///< of a column: a factor may have it, as that of what it multiplies
  };
  std::map<std::string, WrittenUnit> signal_units_;  ///< by signal
  struct SignalUse {
    std::string signal, unit, path;
    Source source;
  };
  std::vector<SignalUse> signal_uses_;
  struct BoundedSignal {
    int signal;
    const FieldSpec* field;
    std::string path;
    Source source;
  };
  std::vector<BoundedSignal> bounded_signals_;  ///< where not every value will do
};

/// Applies the settings to the tree. Returns the text with them applied.
std::string apply_overrides(RawNode& root, const std::string& text, const Grammar& grammar,
                            const std::vector<Setting>& settings, std::vector<Problem>& problems);

/// As --set has them.
std::vector<Setting> settings_of(std::span<const std::string> options);

/// 2 or 3, as the scene's `space` says.
int dimension_of(const RawNode& root);

/// Contents of a file, as the options say.
std::optional<std::string> load_file(const SceneOptions& options, const std::string& path);

/// Reads the tree with the settings into a scene of which file, texts and a grammar are known: `space`, which decides the grammar, may
/// itself be set. `text`: of the tree's bytes, or empty. Throws SceneError; UnreadableFiles where nothing else is wrong.
void read_tree(SceneDocument& scene, const RawNode& tree, const std::string& text,
               std::span<const std::string> settings, std::span<const TermInfo> terms, const SceneOptions& options,
               KeptFiles* kept = nullptr);

}  // namespace flexura::detail
