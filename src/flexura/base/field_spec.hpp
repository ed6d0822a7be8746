#pragma once
// What a key of a scene's table may hold, as data: the reader, the JSON Schema, the Python classes and the documentation all
// come from it. Whoever owns a row of some table (an integrator, an analysis, a joint) describes its keys with it.

#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "flexura/base/nearest_name.hpp"

namespace flexura {

struct TermInfo;

enum class FieldKind {
  number,  ///< with unit; "= expression" allowed
  integer,
  boolean,
  text,
  choice,
  vector,     ///< `size` numbers of one unit
  points,     ///< list of vectors
  series,     ///< list of pairs [share, time in s] (Prony)
  place,      ///< Place
  places,     ///< list of `size` places
  signal,     ///< number, text or table → index of a signal
  reference,  ///< name of a table of the kinds in `refers`; of a solid's surface where `surfaces`
  names,      ///< list of such names, or of "KIND.NAME", in which * stands for any letters
  time,       ///< seconds, or the name of an analysis
  file,       ///< file of numbers, relative to the scene
  column,     ///< name or number of a column
  color,      ///< "#rrggbb"
  named,      ///< table of names, each `size` numbers; of size 1 a number
  settings,   ///< table of dotted keys and values of any kind
  table,      ///< an inline table; a text chooses its type
};

struct Choice {
  std::string name, doc;
};

/// What becomes of a value where a scene is used moved and turned.
enum class Turns {
  unsaid,       ///< left alone
  stays,        ///< left alone: of a part's own frame, or no vector of space
  position,     ///< turned about the origin, then moved
  direction,    ///< turned: directions, forces, velocities
  orientation,  ///< a planar angle from +X, quat_xyzw or axes
  component,    ///< along an axis of space: cannot be turned
};

struct TableSpec;

/// A key of a table. Units: "*" anything (a signal's own unit), "" or "1" none.
struct FieldSpec {
  static constexpr double any = std::numeric_limits<double>::quiet_NaN();  ///< no bound

  std::string name;
  FieldKind kind = FieldKind::number;
  std::string unit, doc;
  bool is_required = false;
  std::optional<double> value;  ///< default of a number
  std::string default_text;     ///< default of anything else, in words
  double min = any, max = any, above = any, below = any;
  int size =
      0;  ///< numbers of a vector or point, 0: one or more, −n: n or more; of a number 2: [at the start, at the end] in its place
  std::vector<Choice> choices;
  std::vector<std::string> refers;
  std::shared_ptr<const TableSpec> table;  ///< the form as a table: FieldKind::table, or beside another kind
  bool surfaces = false;                   ///< reference: "NAME.SET" of a solid too
  bool switchable = false;                 ///< table: true stands for all defaults
  Turns turns = Turns::unsaid;
  bool is_placement = false;  ///< left out, it is the origin or the axes of space, which are moved and turned too

  FieldSpec required() &&;
  FieldSpec defaults_to(double x) &&;
  FieldSpec defaults_to(std::string words) &&;
  FieldSpec at_least(double x) &&;
  FieldSpec at_most(double x) &&;
  FieldSpec more_than(double x) &&;
  FieldSpec less_than(double x) &&;
  FieldSpec or_table(TableSpec spec) &&;
  FieldSpec or_surface() &&;  ///< of a solid, "NAME.SET"
  FieldSpec turning(Turns how) &&;
  FieldSpec placing(Turns how) &&;  ///< the same, with is_placement

  bool allows(double x) const;
};

/// One `type` of a table.
struct VariantSpec {
  std::string type, doc;
  std::vector<FieldSpec> fields;
  const TermInfo* term = nullptr;              ///< the registered term behind it
  std::vector<std::string> at_least_one = {};  ///< keys of which one is needed; empty: none
};

/// A kind of table.
struct TableSpec {
  enum class Form { single, named, list };
  std::string kind, doc;
  Form form = Form::named;
  std::vector<FieldSpec> fields;      ///< of every type
  std::vector<VariantSpec> variants;  ///< chosen by `type`, the first where it is left out if `type_optional`
  bool type_optional = false;
  bool exactly_one = false;  ///< one key only, whichever
  bool is_part = false;      ///< its names are places

  const VariantSpec* find_variant(const std::string& type) const;
  const FieldSpec* find_field(const std::string& name, const VariantSpec* variant) const;
  std::vector<std::string> types() const;
};

/// "> 0", "from 0 to 1", "" if anything goes.
std::string bounds_text(const FieldSpec& field);

// Constructors of fields.
FieldSpec number_field(std::string name, std::string unit, std::string doc);
FieldSpec integer_field(std::string name, std::string doc);
FieldSpec boolean_field(std::string name, std::string doc);
FieldSpec text_field(std::string name, std::string doc);
FieldSpec choice_field(std::string name, std::string doc, std::vector<Choice> choices);  ///< the first is the default
FieldSpec vector_field(std::string name, std::string unit, int size, std::string doc);
FieldSpec points_field(std::string name, std::string unit, int size, std::string doc);
FieldSpec series_field(std::string name, std::string doc);
FieldSpec place_field(std::string name, std::string doc);
FieldSpec places_field(std::string name, int count, std::string doc);
FieldSpec signal_field(std::string name, std::string unit, std::string doc);
FieldSpec reference_field(std::string name, std::vector<std::string> kinds, std::string doc);
FieldSpec names_field(std::string name, std::vector<std::string> kinds, std::string doc);
FieldSpec time_field(std::string name, std::string doc);
FieldSpec file_field(std::string name, std::string doc);
FieldSpec column_field(std::string name, std::string doc);
FieldSpec color_field();  ///< `color` of a part
FieldSpec named_field(std::string name, std::string unit, int size, std::string doc);
FieldSpec settings_field(std::string name, std::string doc);
FieldSpec table_field(std::string name, std::string doc, TableSpec spec);

}  // namespace flexura
