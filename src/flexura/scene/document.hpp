#pragma once
// A scene that has been read: every key known, every number in SI and within its bounds, every name found.

#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "flexura/part/name_pattern.hpp"
#include "flexura/scene/descriptor.hpp"
#include "flexura/scene/external_functions.hpp"
#include "flexura/scene/place.hpp"
#include "flexura/scene/placement.hpp"
#include "flexura/scene/source_texts.hpp"
#include "flexura/signal/signal_set.hpp"

namespace flexura {

/// Seconds, or an analysis by name.
struct TimePoint {
  double seconds = 0;
  std::string analysis;
};

struct SignalIndex {
  int index = 0;
};

/// Index into SceneDocument::files, and where what the file describes is put.
struct FileIndex {
  int index = 0;
  Placement placement = {};
};

/// FieldKind::named, in the order of the text.
struct NamedNumbers {
  struct Entry {
    std::string name;
    std::vector<double> x;
    Source source;
  };
  std::vector<Entry> entries;
};

struct Record;
using Numbers = std::vector<double>;
using Points = std::vector<std::vector<double>>;

/// FieldKind::settings has no value here: the reader acts on it.
struct Value {
  Source source;
  std::variant<std::monostate, bool, long, double, std::string, Numbers, Points, Place, std::vector<Place>, SignalIndex,
               TimePoint, FileIndex, NamedNumbers, std::vector<NamePattern>, std::shared_ptr<const Record>>
      data;

  template <class T>
  const T* get() const {
    return std::get_if<T>(&data);
  }
  bool empty() const { return std::holds_alternative<std::monostate>(data); }
};

/// A table of the scene; `kind` and `type` as in the grammar.
struct Record {
  std::string kind, name, type;
  std::string path;  ///< "joint.clamp"
  Source source;
  const TableSpec* spec = nullptr;
  const VariantSpec* variant = nullptr;
  std::vector<std::pair<std::string, Value>> values;

  const Value* find(std::string_view key) const;
  bool has(std::string_view key) const { return find(key) != nullptr; }
  template <class T>
  const T* get(std::string_view key) const {
    const Value* value = find(key);
    return value == nullptr ? nullptr : value->get<T>();
  }
  /// The number, or its default, or `otherwise`.
  double number(std::string_view key, double otherwise = 0) const;
  long integer(std::string_view key, long otherwise = 0) const;
  bool boolean(std::string_view key) const;
  /// The text or choice, or the default choice.
  std::string text(std::string_view key) const;
  /// Place of the key's value, or of the table.
  Source source_of(std::string_view key) const;
};

/// The table within the record under the key; null if there is none.
const Record* nested(const Record& record, std::string_view key);

struct NamedSignal {
  std::string name;  ///< of [signal.NAME], or the path of the key where it is written
  AnySignal what;
  Source source;
  std::string unit = {};  ///< SI, of the key that takes it; empty where none does, or one of many units
};

/// A file that the scene reads.
struct ExternalFile {
  std::string name;  ///< as the scene writes it
  std::string path;  ///< where it was found
  std::string text;
};

struct SceneDocument {
  std::string file, text;
  std::vector<std::string> set;  ///< "section.wall.EI=0.02": the changes of --set, as given
  std::string effective_text;    ///< the text with them applied; itself a scene
  int dim = 2;
  std::shared_ptr<const Grammar> grammar;
  std::vector<std::pair<std::string, double>> parameters;
  Record head;
  std::vector<Record> tables;  ///< in the order of the text
  std::vector<NamedSignal> named_signals;
  std::shared_ptr<const SignalSet> signals;  ///< the same, in the same order, ready to evaluate
  std::vector<std::pair<std::string, std::shared_ptr<const RegisteredLaw>>> laws;  ///< by the path of their record
  std::vector<ExternalFile> files;
  SourceTexts texts;
  std::vector<Problem> warnings;  ///< found in reading

  const Record* find(std::string_view kind, std::string_view name) const;
  std::vector<const Record*> of_kind(std::string_view kind) const;
  std::shared_ptr<const RegisteredLaw> law_of(const Record& record) const;  ///< null if it has none
};

}  // namespace flexura
