// scene_grammar: the fixed tables, and those that registered terms bring.

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>

#include "flexura/scene/coordinate_units.hpp"
#include "flexura/scene/grammar_tables.hpp"

namespace flexura {
namespace detail {
namespace {

/// Unit of a signal slot, by the key it is written under.
std::string signal_unit(std::string_view key) {
  return key == "signal"      ? "1"
         : key == "pressure"  ? "Pa"
         : key == "extension" ? "m"
         : key == "thrust"    ? "N"
                              : std::string(coordinate_key_unit(key));
}

/// `turns_with_part`: components along and across a direction of the part.
FieldSpec term_field(const Field& field, bool turns_with_part) {
  if (field.is_law)
    return text_field(std::string(field.name), std::string(field.doc)).defaults_to(std::string("the load's name"));
  std::string unit(field.unit == "*" ? coordinate_key_unit(field.name) : field.unit);
  FieldSpec spec = field.size == 1
                       ? number_field(std::string(field.name), std::move(unit), std::string(field.doc))
                       : vector_field(std::string(field.name), std::move(unit), field.size, std::string(field.doc));
  spec.is_required = field.required();
  // What has no unit is a direction of space.
  if (field.size > 1) spec.turns = turns_with_part && field.unit != "1" ? Turns::stays : Turns::direction;
  if (!field.required() && field.size == 1) spec.value = field.value;
  spec.min = field.min;
  spec.max = field.max;
  spec.above = field.above;
  spec.below = field.below;
  return spec;
}

/// Vectors along and across a direction that the term reads are not of space.
bool turns_with_part(const TermInfo& term) {
  return std::any_of(term.scene.sources.begin(), term.scene.sources.end(),
                     [](const SlotSource& source) { return source.only_read; });
}

/// It acts on each element of a part, or on each side along an edge: two points come from one place.
bool is_spread(const TermInfo& term) {
  const std::span<const SlotSource> sources = term.scene.sources;
  for (size_t a = 0; a < sources.size(); ++a) {
    if (sources[a].key == "on") return true;
    for (size_t b = 0; b < a; ++b)
      if (term.slots[a] == SlotKind::point && term.slots[b] == SlotKind::point && sources[a].key == sources[b].key &&
          sources[a].index == sources[b].index)
        return true;
  }
  return false;
}

/// Along a line, which has two nodes of place and gradient; else over a surface.
bool is_along_line(const TermInfo& term) {
  return std::count_if(term.scene.sources.begin(), term.scene.sources.end(),
                       [](const SlotSource& source) { return source.key == "on"; }) == 4;
}

std::vector<FieldSpec> source_fields(const TermInfo& term) {
  std::vector<FieldSpec> fields;
  for (size_t slot = 0; slot < term.scene.sources.size(); ++slot) {
    const SlotSource& source = term.scene.sources[slot];
    const auto same_key = [&](const FieldSpec& f) { return f.name == source.key; };
    if (source.key.empty() || std::any_of(fields.begin(), fields.end(), same_key)) continue;
    const std::string key(source.key);
    int count = 1;
    for (const SlotSource& other : term.scene.sources)
      if (other.key == source.key) count = std::max(count, other.index + 1);
    if (term.slots[slot] == SlotKind::scalar) {
      fields.push_back(reference_field(key, {"joint", "truss"},
                                       "the joint whose angle or displacement it is, or the truss whose length")
                           .required());
    } else if (term.slots[slot] == SlotKind::signal) {
      FieldSpec signal =
          signal_field(key, signal_unit(source.key), key == "signal" ? "multiplies it" : key + " over time");
      signal.is_required = key != "signal";
      if (!signal.is_required) signal.value = 1.0;
      fields.push_back(std::move(signal));
    } else if (key == "on") {
      fields.push_back(
          term.dim == 2 ? reference_field(key, {"cable"}, "the cable, over its whole length").required()
          : is_along_line(term)
              ? reference_field(key, {"cable", "beam"}, "cable or beam, over its length").required()
              : reference_field(key, {"plate", "membrane"},
                                "the plate or membrane, over its whole surface, or a surface of a solid, as "
                                "\"leg.inner\"")
                    .or_surface()
                    .required());
    } else if (count == 1) {
      fields.push_back(place_field(key, "the place").required());
    } else {
      fields.push_back(places_field(key, count, fmt::format("the {} places", count)).required());
    }
  }
  return fields;
}

}  // namespace

FieldSpec relaxation_field() {
  return series_field("relaxation",
                      "Prony series of what relaxes: pairs [share of the stiffness, time in s]; the stiffness given is "
                      "that against what is sudden");
}

void add_term(Grammar& grammar, const TermInfo& term) {
  VariantSpec variant{std::string(term.scene.type), std::string(term.scene.doc), source_fields(term), &term};
  const auto points = std::count(term.slots.begin(), term.slots.end(), SlotKind::point);
  for (const Field& field : term.fields) {
    // Of each element, known from the part.
    if (is_spread(term) && (field.name == "length" || field.name == "width")) continue;
    FieldSpec spec = term_field(field, turns_with_part(term));
    if (points == 2 && spec.is_required && (field.name == "length" || field.name == "free_length")) {
      spec.is_required = false;
      spec.default_text = "the distance in the reference configuration";
    }
    variant.fields.push_back(std::move(spec));
  }
  if (term.scene.table == "spring") variant.fields.push_back(relaxation_field());
  for (const Option& option : term.options) {
    std::vector<Choice> choices;
    for (std::string_view name : option.choices) choices.push_back({std::string(name), {}});
    variant.fields.push_back(choice_field(std::string(option.name), std::string(option.doc), std::move(choices)));
  }
  const auto table = std::find_if(grammar.tables.begin(), grammar.tables.end(),
                                  [&](const TableSpec& t) { return t.kind == term.scene.table; });
  if (table != grammar.tables.end()) {
    std::erase_if(table->variants, [&](const VariantSpec& v) { return v.type == variant.type; });
    table->variants.push_back(std::move(variant));
    return;
  }
  TableSpec spec;
  spec.kind = std::string(term.scene.table);
  spec.doc = spec.kind;
  spec.variants.push_back(std::move(variant));
  add_activation(spec.fields);
  grammar.tables.push_back(std::move(spec));
}

}  // namespace detail

namespace detail {
namespace {

/// "beam" of tables, "joint.universal" of their types, "shape.box" of those of tables within.
void collect_features(const std::vector<TableSpec>& tables, std::set<std::string>& features) {
  for (const TableSpec& table : tables) {
    features.insert(table.kind);
    for (const VariantSpec& variant : table.variants) features.insert(table.kind + "." + variant.type);
    for (const FieldSpec& field : table.fields)
      if (field.table != nullptr && field.table->kind != table.kind) collect_features({*field.table}, features);
  }
}

std::shared_ptr<Grammar> grammar_of(int dim, std::span<const TermInfo> terms) {
  auto grammar = std::make_shared<Grammar>();
  grammar->dim = dim;
  grammar->head = detail::head_fields(dim);
  grammar->tables = {detail::material_table(dim), detail::section_table(dim), detail::cable_table(dim),
                     detail::point_table(dim),    detail::body_table(dim),    detail::visual_table(dim),
                     detail::joint_table(dim),    detail::use_table(dim),     detail::linkage_table(dim),
                     detail::sphere_table(dim),   detail::plane_table(dim),   detail::contact_table(),
                     detail::chamber_table(dim),  detail::line_table(),       detail::constraint_table(dim)};
  if (dim == 3)
    grammar->tables.insert(
        grammar->tables.begin() + 3,
        {detail::beam_table(), detail::plate_table(), detail::layer_table(), detail::membrane_table(),
         detail::solid_table(), detail::inlaid_volume_table(), detail::fibre_table()});
  for (const TermInfo& term : terms)
    if (term.dim == dim && !term.scene.table.empty()) detail::add_term(*grammar, term);
  for (TableSpec table :
       {detail::signal_table(), detail::sensor_table(dim), detail::analysis_table(), detail::output_table()})
    grammar->tables.push_back(std::move(table));
  for (TableSpec& table : grammar->tables) {
    const bool names_itself = table.kind == "analysis" || table.kind == "linkage";
    table.type_optional = table.type_optional || (table.variants.size() == 1 && !names_itself);
    if (table.kind == "mass") {
      table.doc = "masses";
      table.is_part = true;
    } else if (table.kind == "load") {
      table.doc = "forces and moments from outside";
    } else if (table.kind == "spring") {
      table.doc = "springs and dampers";
    } else if (table.kind == "truss") {
      table.doc = "straight members between two points, with or without mass";
      table.type_optional = true;
    }
  }
  grammar->later = detail::later_features();
  grammar->later_parts = {"mass"};
  return grammar;
}

}  // namespace
}  // namespace detail

std::string Grammar::elsewhere_text(const std::string& feature) const {
  if (std::find(elsewhere.begin(), elsewhere.end(), feature) == elsewhere.end()) return {};
  const char* other = dim == 2 ? "spatial" : "planar";
  return fmt::format("is for {0} scenes, space = \"{0}\"", other);
}

std::shared_ptr<const Grammar> scene_grammar(int dim, std::span<const TermInfo> terms) {
  const std::shared_ptr<Grammar> grammar = detail::grammar_of(dim, terms), other = detail::grammar_of(5 - dim, terms);
  std::set<std::string> here, there;
  detail::collect_features(grammar->tables, here);
  detail::collect_features(other->tables, there);
  std::set_difference(there.begin(), there.end(), here.begin(), here.end(), std::back_inserter(grammar->elsewhere));
  return grammar;
}

}  // namespace flexura
