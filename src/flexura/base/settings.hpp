#pragma once
// What a scene chooses by name and sets by keys: an analysis, an integrator, what keeps constraints from drifting.
//
//     a row       its name, as in `type = "hht"`, what it is, and what makes one with all defaults
//     settings    its keys, each declared once, beside the member that it fills
//
// fields() shows both to whoever visits: the grammar describes, the reader fills.

#include <concepts>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "flexura/base/field_spec.hpp"

namespace flexura {

class SettingsVisitor;

/// What values that are allowed one by one have against each other.
struct SettingsProblem {
  std::string key;  ///< "": the table as a whole
  std::string message;
  std::string at = key;  ///< the key in whose place the message points
};

class Settings {
 public:
  virtual ~Settings() = default;
  /// Shows every key with its member.
  virtual void fields(SettingsVisitor&) {}
  virtual std::vector<SettingsProblem> problems() const { return {}; }
};

struct SettingsRow {
  std::string_view name, doc;
  std::shared_ptr<Settings> (*make)();  ///< one with all defaults

  template <class T>
  static constexpr SettingsRow of(std::string_view name, std::string_view doc) {
    return {name, doc, [] { return std::static_pointer_cast<Settings>(std::make_shared<T>()); }};
  }
};
using SettingsRows = std::span<const SettingsRow>;

/// Members keep their value where nothing is written.
class SettingsVisitor {
 public:
  virtual ~SettingsVisitor() = default;

  void operator()(double& x, FieldSpec spec) { number(x, std::move(spec)); }
  /// Empty unless it is written, even where the key has a default in words.
  void operator()(std::optional<double>& x, FieldSpec spec) { written_number(x, std::move(spec)); }
  void operator()(int& x, FieldSpec spec) { integer(x, std::move(spec)); }
  void operator()(bool& x, FieldSpec spec) { boolean(x, std::move(spec)); }
  /// A text_field or a reference_field.
  void operator()(std::string& x, FieldSpec spec) { text(x, std::move(spec)); }
  /// A vector_field, of size 0 for a list of any length.
  void operator()(std::vector<double>& x, FieldSpec spec) { numbers(x, std::move(spec)); }
  /// The choices are the enumerators, in their order.
  template <class E>
    requires std::is_enum_v<E>
  void operator()(E& x, FieldSpec spec) {
    int index = static_cast<int>(x);
    choice(index, std::move(spec));
    x = static_cast<E>(index);
  }
  /// A table of its own.
  template <std::derived_from<Settings> T>
  void operator()(std::optional<T>& x, FieldSpec spec) {
    T values;
    if (group(values, std::move(spec))) x = std::move(values);
  }
  /// A table whose `type` is a row.
  template <std::derived_from<Settings> T>
  void operator()(std::shared_ptr<const T>& x, FieldSpec spec, SettingsRows rows) {
    if (const auto chosen = row(rows, std::move(spec))) x = std::static_pointer_cast<const T>(chosen);
  }

 protected:
  virtual void number(double& x, FieldSpec spec) = 0;
  virtual void written_number(std::optional<double>& x, FieldSpec spec) = 0;
  virtual void integer(int& x, FieldSpec spec) = 0;
  virtual void boolean(bool& x, FieldSpec spec) = 0;
  virtual void text(std::string& x, FieldSpec spec) = 0;
  virtual void numbers(std::vector<double>& x, FieldSpec spec) = 0;
  virtual void choice(int& index, FieldSpec spec) = 0;
  /// Whether the table is written.
  virtual bool group(Settings& values, FieldSpec spec) = 0;
  /// Null where nothing is chosen.
  virtual std::shared_ptr<Settings> row(SettingsRows rows, FieldSpec spec) = 0;
};

/// The key of a table of its own or of rows: what is in it is for the visitor to find.
FieldSpec settings_table_field(std::string name, std::string doc);

/// Null if there is none of that name.
const SettingsRow* find_row(SettingsRows rows, std::string_view name);
/// The `type`s of a table, with their keys.
std::vector<VariantSpec> variants_of(SettingsRows rows);

}  // namespace flexura
