#pragma once
// The reader's insides: one pass over the raw tree, guided by the grammar.

#include <map>
#include <set>

#include "flexura/scene/nearest.hpp"
#include "flexura/scene/raw_toml.hpp"
#include "flexura/scene/reader.hpp"
#include "flexura/scene/units.hpp"
#include "flexura/signal/csv.hpp"

namespace flexura::detail {

class SceneReader {
 public:
  SceneReader(SceneDocument& scene, const SceneOptions& options) : scene_(scene), options_(options) {}

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

  // read_value.cpp: values by kind; nothing is returned after a problem
  Value read_value(const FieldSpec& field, const RawNode& node, const std::string& path);
  std::optional<double> read_number(const FieldSpec& field, const std::string& unit, const RawNode& node,
                                    const std::string& path);
  std::optional<double> read_quantity(const std::string& unit, const RawNode& node, const std::string& path);
  std::optional<double> evaluate(const RawNode& node, const std::string& path);
  std::optional<Numbers> read_vector(const FieldSpec& field, const RawNode& node, const std::string& path);
  std::optional<Points> read_points(const FieldSpec& field, const RawNode& node, const std::string& path);
  std::optional<std::string> read_choice(const FieldSpec& field, const RawNode& node, const std::string& path);
  std::optional<std::string> read_reference(const FieldSpec& field, const RawNode& node, const std::string& path);
  std::optional<Place> read_place(const RawNode& node, const std::string& path);
  bool check_place(const Place& place, const std::string& path);
  bool is_in_used_scene(const std::string& name) const;
  std::optional<TimePoint> read_time(const FieldSpec& field, const RawNode& node, const std::string& path);
  std::optional<NamedNumbers> read_named(const FieldSpec& field, const RawNode& node, const std::string& path);
  std::optional<FileIndex> read_file(const RawNode& node, const std::string& path);
  Value read_inline_table(const FieldSpec& field, const RawNode& node, const std::string& path);

  // read_signal.cpp
  void declare_signals(const RawNode& signals);
  void read_named_signals(const TableSpec& spec, const RawEntry& entry);
  std::optional<SignalIndex> read_signal(const FieldSpec& field, const RawNode& node, const std::string& path);
  std::variant<Signal, LagSignal> make_signal(const Record& record);
  Signal make_table(const Record& record);
  std::optional<Expression> parse_expression(const RawNode& node, const std::string& path, ExpressionScope scope);
  std::optional<Expression> parse_expression(const std::string& text, const Source& source, const std::string& path,
                                             ExpressionScope scope);
  void finish_signals();
  /// Remembers the unit that a value of a named signal is written in.
  void note_unit(const std::string& path, const Source& source, const std::string& text, const Dimension& dimension);
  void check_signal_units();

  void wrong(const Source& source, const std::string& path, std::string message, std::string nearest = {});
  /// "must be X; this is Y"
  void wrong_type(const RawNode& node, const std::string& path, const std::string& expected);
  std::vector<std::string> names_of(const std::vector<std::string>& kinds) const;

  SceneDocument& scene_;
  const SceneOptions& options_;
  std::map<std::string, std::vector<std::string>> body_places_;  ///< body → names of its places
  std::map<std::string, std::vector<std::string>> names_;  ///< kind → names
  std::map<std::string, std::string> parts_;               ///< name → kind
  Parameters parameters_;
  std::string any_unit_ = "*";   ///< what "*" stands for
  std::map<int, CsvTable> csv_;  ///< by file
  struct WrittenUnit {
    std::string path, text;
    Dimension dimension;
  };
  std::map<std::string, WrittenUnit> signal_units_;  ///< by signal
  struct SignalUse {
    std::string signal, unit, path;
    Source source;
  };
  std::vector<SignalUse> signal_uses_;
};

/// Applies the --set options to the tree. Returns the text with them applied.
std::string apply_overrides(RawNode& root, const std::string& text, const Grammar& grammar,
                            const std::vector<std::string>& set, std::vector<Problem>& problems);

}  // namespace flexura::detail
