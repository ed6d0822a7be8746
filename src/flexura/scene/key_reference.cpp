#include "flexura/scene/key_reference.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "flexura/observe/quantity.hpp"
#include "flexura/scene/coordinate_units.hpp"
#include "flexura/scene/descriptor.hpp"

namespace flexura {
namespace {

/// What the page says of one key in one space, or in both.
struct KeyRow {
  std::string key, value, standard, doc;
  bool operator==(const KeyRow&) const = default;
};
struct Chapter {
  std::string heading, doc;
  std::vector<KeyRow> rows;
};

std::string joined(const std::vector<std::string>& words, const char* last = " or ") {
  std::string out;
  for (size_t i = 0; i < words.size(); ++i) out += (i == 0 ? "" : i + 1 < words.size() ? ", " : last) + words[i];
  return out;
}

/// "number [m] > 0", "`top` or `bottom`", "[x, y, z] [m]".
std::string value_text(const FieldSpec& field) {
  constexpr std::array<const char*, 4> vectors{"[x]", "[x, y]", "[x, y, z]", "[x, y, z, w]"};
  const std::string vector = field.size >= 1 && field.size <= 4 ? vectors[field.size - 1]
                             : field.size > 4                   ? fmt::format("{} numbers", field.size)
                                              : fmt::format("{} or more numbers", std::max(1, -field.size));
  std::string bounds = bounds_text(field);
  if (!bounds.empty()) bounds = " " + bounds;
  switch (field.kind) {
    case FieldKind::number:
      return "number" + unit_in_brackets(field.unit) + bounds +
             (field.size == 2 ? ", or [at the start, at the end]" : "");
    case FieldKind::integer:
      return "whole number" + bounds;
    case FieldKind::boolean:
      return "`true` or `false`";
    case FieldKind::text:
      return "text";
    case FieldKind::choice: {
      std::vector<std::string> names;
      for (const Choice& choice : field.choices)
        names.push_back(choice.doc.empty() ? fmt::format("`{}`", choice.name)
                                           : fmt::format("`{}` ({})", choice.name, choice.doc));
      return joined(names);
    }
    case FieldKind::vector:
      return vector + unit_in_brackets(field.unit);
    case FieldKind::points:
      return fmt::format("list of {}{}", vector, unit_in_brackets(field.unit));
    case FieldKind::series:
      return "list of [share, time in s]";
    case FieldKind::place:
      return "place";
    case FieldKind::places:
      return field.size == 0 ? std::string("list of places") : fmt::format("{} places", field.size);
    case FieldKind::signal:
      return "signal" + unit_in_brackets(field.unit) + bounds;
    case FieldKind::reference:
      return "name of a " + joined(field.refers) + (field.surfaces ? ", or of a solid's surface" : "");
    case FieldKind::names:
      return "names of " + joined(field.refers);
    case FieldKind::time:
      return "number [s], or the name of an analysis";
    case FieldKind::file:
      return "file";
    case FieldKind::column:
      return "name or number of a column";
    case FieldKind::color:
      return "`\"#rrggbb\"`";
    case FieldKind::named:
      return field.size == 1 ? "table of names, each a number" + unit_in_brackets(field.unit)
                             : fmt::format("table of names, each {}{}", vector, unit_in_brackets(field.unit));
    case FieldKind::settings:
      return "table of keys of the scene and their values";
    case FieldKind::table:
      return field.switchable ? "table, see below, or `true`" : "table, see below";
  }
  return {};
}

std::string default_text(const FieldSpec& field) {
  if (field.is_required) return "required";
  if (field.value) return fmt::format("{:g}", *field.value);
  if (field.kind == FieldKind::choice && !field.default_text.empty()) return fmt::format("`{}`", field.default_text);
  return field.kind == FieldKind::boolean && field.default_text.empty() ? "`false`" : field.default_text;
}

/// Chapters of one space, each table before those that stand in place of its values.
class KeyPages {
 public:
  std::vector<Chapter> chapters;

  void add(const std::string& heading, const TableSpec& spec) {
    const bool has_types = spec.variants.size() > 1;
    const size_t first = begin(heading, spec.doc);
    if (has_types) {
      KeyRow type{"type", "", spec.type_optional ? fmt::format("`{}`", spec.variants.front().type) : "required", ""};
      for (const VariantSpec& v : spec.variants)
        type.value += fmt::format("{}`{}`", type.value.empty() ? "" : ", ", v.type);
      chapters[first].rows.push_back(std::move(type));
    }
    if (spec.exactly_one) {
      const bool others =
          std::ranges::any_of(spec.fields, [](const FieldSpec& field) { return field.value.has_value(); });
      chapters[first].doc += others ? "; exactly one of those without a default" : "; exactly one of";
    }
    add_fields(first, heading, spec.fields);
    for (const VariantSpec& v : spec.variants) {
      const std::string name = has_types ? fmt::format("{}, type `{}`", heading, v.type) : heading;
      const size_t at = has_types ? begin(name, v.doc) : first;
      if (!v.at_least_one.empty()) {
        std::vector<std::string> keys;
        for (const std::string& key : v.at_least_one) keys.push_back(fmt::format("`{}`", key));
        chapters[at].doc += "; at least one of " + joined(keys, " and ");
      }
      add_fields(at, name, v.fields);
    }
  }
  void add_fields(size_t chapter, const std::string& heading, const std::vector<FieldSpec>& fields) {
    for (const FieldSpec& field : fields) {
      KeyRow row{field.name, value_text(field), default_text(field), field.doc};
      if (field.table != nullptr && field.kind != FieldKind::table) row.value += ", or a table, see below";
      chapters[chapter].rows.push_back(std::move(row));
    }
    for (const FieldSpec& field : fields) {
      if (field.table == nullptr || field.table->kind == "signal") continue;
      const std::string inner = fmt::format("{}, `{}`", heading, field.name);
      const bool is_known =
          std::any_of(chapters.begin(), chapters.end(), [&](const Chapter& c) { return c.heading == inner; });
      if (!is_known) add(inner, *field.table);
    }
  }
  size_t begin(const std::string& heading, const std::string& doc) {
    chapters.push_back({heading, doc, {}});
    return chapters.size() - 1;
  }
};

std::string heading_of(const TableSpec& spec) {
  switch (spec.form) {
    case TableSpec::Form::single:
      return fmt::format("`[{}]`", spec.kind);
    case TableSpec::Form::named:
      return fmt::format("`[{}.NAME]`", spec.kind);
    case TableSpec::Form::list:
      return fmt::format("`[[{}]]`", spec.kind);
  }
  return {};
}

std::vector<Chapter> chapters_of(const Grammar& grammar) {
  KeyPages pages;
  pages.add_fields(pages.begin("At the top", "keys before the first table"), "At the top", grammar.head);
  for (const TableSpec& spec : grammar.tables) pages.add(heading_of(spec), spec);
  return pages.chapters;
}

/// The order of `longer`, with what only `other` has behind what stands before it there.
template <class Row, class Same>
std::vector<std::pair<const Row*, const Row*>> side_by_side(const std::vector<Row>& longer,
                                                            const std::vector<Row>& other, Same&& same) {
  std::vector<std::pair<const Row*, const Row*>> out;
  for (const Row& row : longer) {
    const auto found = std::find_if(other.begin(), other.end(), [&](const Row& o) { return same(row, o); });
    out.emplace_back(&row, found == other.end() ? nullptr : &*found);
  }
  for (size_t i = 0; i < other.size(); ++i) {
    const auto is = [&](const Row& row) {
      return [&](const auto& pair) { return pair.second == &row || (pair.first != nullptr && same(*pair.first, row)); };
    };
    if (std::any_of(out.begin(), out.end(), is(other[i]))) continue;
    auto at = out.begin();
    if (i > 0) at = std::next(std::find_if(out.begin(), out.end(), is(other[i - 1])));
    out.insert(at, {nullptr, &other[i]});
  }
  return out;
}

std::string cell(const std::string& text) {
  std::string out;
  for (const char c : text) out += c == '|' ? std::string("\\|") : std::string(1, c);
  return out;
}

/// One text for both spaces where they agree.
std::string merged(const std::string& spatial, const std::string& planar) {
  return spatial == planar ? spatial : fmt::format("{}; planar: {}", spatial, planar.empty() ? "–" : planar);
}

std::string page_of(const std::vector<Chapter>& spatial, const std::vector<Chapter>& planar) {
  std::string out;
  const auto same_heading = [](const Chapter& a, const Chapter& b) { return a.heading == b.heading; };
  for (const auto& [s, p] : side_by_side(spatial, planar, same_heading)) {
    const Chapter& chapter = s != nullptr ? *s : *p;
    const char* only = s == nullptr ? " (planar only)" : p == nullptr ? " (spatial only)" : "";
    const bool is_inner = chapter.heading.find(", ") != std::string::npos;
    out += fmt::format("\n{} {}{}\n", is_inner ? "###" : "##", chapter.heading, only);
    if (!chapter.doc.empty()) out += fmt::format("\n{}\n", chapter.doc);
    if (chapter.rows.empty()) continue;
    out += "\n| key | value | default | |\n|---|---|---|---|\n";
    const std::vector<KeyRow> none;
    const auto same_key = [](const KeyRow& a, const KeyRow& b) { return a.key == b.key; };
    const bool both = s != nullptr && p != nullptr;
    for (const auto& [a, b] : side_by_side(s != nullptr ? s->rows : none, p != nullptr ? p->rows : none, same_key)) {
      const KeyRow& x = a != nullptr ? *a : *b;
      const KeyRow& y = a != nullptr && b != nullptr ? *b : x;
      const char* where = !both || (a != nullptr && b != nullptr) ? "" : a != nullptr ? " (spatial)" : " (planar)";
      out += fmt::format("| `{}`{} | {} | {} | {} |\n", x.key, where, cell(merged(x.value, y.value)),
                         cell(merged(x.standard, y.standard)), cell(merged(x.doc, y.doc)));
    }
  }
  return out;
}

/// What sensors can be asked of.
struct Column {
  const char* name;
  unsigned where;
};
constexpr Column columns[] = {
    {"point", where::point | where::fixed_point},
    {"cable", where::line | where::node},
    {"beam", where::line | where::beam | where::shaped},
    {"plate", where::plate | where::wall | where::thick},
    {"solid", where::solid | where::fibred | where::edge},
    {"membrane", where::solid | where::edge},
    {"body", where::body},
    {"two places", where::two_places},
    {"joint", where::any_joint},
    {"spring, truss, load", where::any_item},
    {"sphere, plane", where::touching | where::two_touching},
    {"contact", where::contact},
    {"chamber", where::any_chamber},
    {"constraint", where::any_kept},
    {"signal", where::signal},
};

std::string sensor_table() {
  std::string out = "\n## What sensors can be asked of\n\n| sensor | unit |", rule = "|---|---|";
  for (const Column& column : columns) out += fmt::format(" {} |", column.name), rule += "---|";
  out += " whole model |\n" + rule + "---|\n";
  for (const Quantity& q : quantities()) {
    out += fmt::format("| `{}` | {} |", q.name, q.unit);
    for (const Column& column : columns) {
      // A place anywhere on a line is one on a cable as on a beam; what asks for a shape of the section, on either.
      const unsigned shared = column.where & where::line ? column.where | where::shaped : column.where;
      const unsigned here = q.where & shared;
      const char* note = here == where::node     ? "nodes"
                         : here == where::shaped ? "section with a shape"
                         : here == where::thick  ? "full elements"
                                                 : "yes";
      out += fmt::format(" {} |", here == 0 ? "" : note);
    }
    out += fmt::format(" {} |\n", q.where == 0 ? "yes" : "");
  }
  return out;
}

}  // namespace

std::string scene_keys(std::span<const TermInfo> terms) {
  const auto planar = scene_grammar(2, terms), spatial = scene_grammar(3, terms);
  return "# Keys of scenes\n\nWhat [scene-format.md](scene-format.md) explains, key by key. This page is printed by "
         "`flexura schema "
         "--keys` from the\ndescriptors that the reader uses; a test holds it against them. Numbers may have units "
         "(`\"30 g\"`) and be "
         "expressions (`\"= L / 2\"`).\nA *signal* is a number, an expression of t, the name of a signal or a table "
         "like `[signal.NAME]`; a "
         "*place* is `\"ground\"`,\n`\"NAME.start\"`, `\"NAME@0.5\"`, a body's point or coordinates.\n" +
         page_of(chapters_of(*spatial), chapters_of(*planar)) + sensor_table();
}

}  // namespace flexura
