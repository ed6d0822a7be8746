#include "flexura/scene/schema.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "flexura/material/prony.hpp"
#include "flexura/scene/coordinate_units.hpp"
#include "flexura/scene/descriptor.hpp"

namespace flexura {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* name_pattern = "^[A-Za-z][A-Za-z0-9_-]*$";
constexpr const char* dotted_name_pattern = "^[A-Za-z][A-Za-z0-9_-]*(\\.[A-Za-z][A-Za-z0-9_-]*)*$";
/// A share from 0 to 1, a length with its unit, two shares; or no place on the part.
constexpr const char* place_pattern =
    "^ *[A-Za-z][A-Za-z0-9_.-]* *(@ *(0?\\.[0-9]+|0\\.?|1(\\.0*)?|[0-9.]+[eE]-[0-9]+|[0-9.]+([eE][-+]?[0-9]+)? "
    "*[A-Za-z].*|"
    "\\(.*,.*\\)|\\[.*,.*,.*\\]) *)?$";

/// "30 g", "= 2 * m"; without a sign where nothing negative is allowed.
std::string quantity_pattern(const FieldSpec& field) {
  const bool positive = field.min >= 0 || field.above >= 0;
  return fmt::format("^ *(=|{}(\\.[0-9]+|[0-9]+\\.?[0-9]*)([eE][-+]?[0-9]+)?( *[A-Za-z%(\u00b0\u00b5\u03bc]| +1/))",
                     positive ? "\\+?" : "[-+]?");
}

std::string title_of(const FieldSpec& field) { return field.name + unit_in_brackets(field.unit); }

void add_bounds(const FieldSpec& field, Json& json) {
  if (!std::isnan(field.min)) json["minimum"] = field.min;
  if (!std::isnan(field.max)) json["maximum"] = field.max;
  if (!std::isnan(field.above)) json["exclusiveMinimum"] = field.above;
  if (!std::isnan(field.below)) json["exclusiveMaximum"] = field.below;
}

Json number_schema(const FieldSpec& field, const char* type = "number") {
  Json number{{"type", type}};
  add_bounds(field, number);
  return {{"anyOf", {number, {{"type", "string"}, {"pattern", quantity_pattern(field)}}}}};
}

Json list_schema(Json items, int count) {
  return {{"type", "array"}, {"items", std::move(items)}, {"minItems", count}, {"maxItems", count}};
}

Json table_schema(const TableSpec& spec, int dim);

Json place_schema(int dim) {
  FieldSpec coordinate;
  return {{"anyOf",
           {{{"type", "string"},
             {"pattern", place_pattern},
             {"examples", {"ground", "NAME.start", "NAME.end", "NAME@0.5"}}},
            list_schema(number_schema(coordinate), dim)}}};
}

Json value_schema(const FieldSpec& field, int dim) {
  switch (field.kind) {
    case FieldKind::number:
      if (field.size == 2) return {{"anyOf", {number_schema(field), list_schema(number_schema(field), 2)}}};
      return number_schema(field);
    case FieldKind::integer:
      return number_schema(field, "integer");
    case FieldKind::boolean:
      return {{"type", "boolean"}};
    case FieldKind::text:
    case FieldKind::file:
      return {{"type", "string"}};
    case FieldKind::choice: {
      Json names = Json::array();
      for (const Choice& choice : field.choices) names.push_back(choice.name);
      return {{"enum", names}};
    }
    case FieldKind::vector:
      if (field.size <= 0)
        return {{"type", "array"}, {"items", number_schema(field)}, {"minItems", std::max(1, -field.size)}};
      return list_schema(number_schema(field), field.size);
    case FieldKind::points:
      if (field.size == 0)
        return {{"type", "array"},
                {"items", {{"type", "array"}, {"items", number_schema(field)}, {"minItems", 1}}},
                {"minItems", 2}};
      return {{"type", "array"}, {"items", list_schema(number_schema(field), field.size)}, {"minItems", 2}};
    case FieldKind::series:
      return {{"type", "array"},
              {"items", list_schema(number_schema(field), 2)},
              {"minItems", 1},
              {"maxItems", most_branches}};
    case FieldKind::place:
      return place_schema(dim);
    case FieldKind::places:
      if (field.size == 0) return {{"type", "array"}, {"items", place_schema(dim)}, {"minItems", 1}};
      return list_schema(place_schema(dim), field.size);
    case FieldKind::signal:
      return {{"anyOf", {number_schema(field), {{"type", "string"}, {"minLength", 1}}, {{"$ref", "#/$defs/signal"}}}}};
    case FieldKind::reference:
      if (field.surfaces) return {{"type", "string"}, {"minLength", 1}};
      return {{"type", "string"}, {"pattern", dotted_name_pattern}};
    case FieldKind::names:
      return {{"type", "array"}, {"items", {{"type", "string"}}}, {"minItems", 1}};
    case FieldKind::time: {
      Json number{{"type", "number"}};
      add_bounds(field, number);
      return {{"anyOf", {number, {{"type", "string"}, {"minLength", 1}}}}};
    }
    case FieldKind::column:
      return {{"anyOf", {{{"type", "string"}}, {{"type", "integer"}, {"minimum", 1}}}}};
    case FieldKind::color:
      return {{"type", "string"}, {"pattern", "^#[0-9a-fA-F]{6}$"}};
    case FieldKind::table: {
      Json forms = Json::array({table_schema(*field.table, dim)});
      if (!field.table->variants.empty()) forms.push_back({{"enum", field.table->types()}});
      if (field.switchable) forms.push_back({{"type", "boolean"}});
      if (forms.size() == 1) return forms[0];
      return {{"anyOf", forms}};
    }
    case FieldKind::named: {
      const Json value = field.size == 1 ? number_schema(field) : list_schema(number_schema(field), field.size);
      return {{"type", "object"}, {"patternProperties", {{name_pattern, value}}}, {"additionalProperties", false}};
    }
    case FieldKind::settings:
      return {{"type", "object"}};
  }
  return {};
}

Json field_schema(const FieldSpec& field, int dim) {
  Json json{{"title", title_of(field)}, {"description", field.doc}};
  if (field.kind == FieldKind::number && field.size == 2)
    json["description"] = field.doc + ", or [at the start, at the end]";
  Json value = value_schema(field, dim);
  if (field.kind != FieldKind::table && field.table != nullptr)
    value = {{"anyOf", {std::move(value), table_schema(*field.table, dim)}}};
  json.update(value);
  if (field.value && field.kind == FieldKind::integer)
    json["default"] = static_cast<long>(*field.value);
  else if (field.value)
    json["default"] = *field.value;
  else if (field.kind == FieldKind::choice && !field.default_text.empty())
    json["default"] = field.default_text;
  else if (!field.default_text.empty() && field.kind != FieldKind::boolean)
    json["description"] = fmt::format("{}; default: {}", json["description"].get<std::string>(), field.default_text);
  return json;
}

/// What holds between keys of one table.
void add_rules(const std::string& kind, const VariantSpec* variant, Json& json) {
  const auto required = [](std::vector<std::string> keys) { return Json{{"required", std::move(keys)}}; };
  const auto is = [&](const char* key, Json value) {
    Json condition = required({key});
    condition["properties"] = {{key, {{"const", std::move(value)}}}};
    return condition;
  };
  if (variant != nullptr && !variant->at_least_one.empty()) {
    json["anyOf"] = Json::array();
    for (const std::string& key : variant->at_least_one) json["anyOf"].push_back(required({key}));
  }
  if (kind == "section") {
    json["anyOf"] = {required({"EA", "EI", "rhoA"}), required({"shape", "material"})};
    json["dependentRequired"] = {{"shape", {"material"}}, {"material", {"shape"}}};
    json["if"] = is("axial", "chord");
    json["then"] = is("curvature", "simplified");
  } else if (kind == "point") {
    json["if"] = is("fixed", true);
    json["then"] = {{"properties", {{"velocity", false}}}};
  }
}

/// Of the keys without a default.
void add_exactly_one(const TableSpec& spec, Json& json) {
  if (std::ranges::none_of(spec.fields, [](const FieldSpec& field) { return field.value.has_value(); })) {
    json["minProperties"] = json["maxProperties"] = 1;
    return;
  }
  json["oneOf"] = Json::array();
  for (const FieldSpec& field : spec.fields)
    if (!field.value) json["oneOf"].push_back({{"required", {field.name}}});
}

/// All keys of one type of a table.
Json object_schema(const TableSpec& spec, const VariantSpec* variant, int dim) {
  Json properties = Json::object(), required = Json::array();
  if (variant != nullptr) properties["type"] = {{"const", variant->type}, {"description", variant->doc}};
  const bool is_default = variant != nullptr && spec.type_optional && variant == &spec.variants.front();
  if (variant != nullptr && !is_default) required.push_back("type");
  const auto add = [&](const FieldSpec& field) {
    properties[field.name] = field_schema(field, dim);
    if (field.is_required) required.push_back(field.name);
  };
  if (variant != nullptr)
    for (const FieldSpec& field : variant->fields) add(field);
  for (const FieldSpec& field : spec.fields) add(field);
  if (spec.form == TableSpec::Form::list) properties["name"]["pattern"] = name_pattern;
  Json json{{"type", "object"}, {"properties", properties}, {"additionalProperties", false}};
  if (!required.empty()) json["required"] = required;
  add_rules(spec.kind, variant, json);
  if (spec.exactly_one) add_exactly_one(spec, json);
  return json;
}

Json table_schema(const TableSpec& spec, int dim) {
  if (spec.variants.empty()) return object_schema(spec, nullptr, dim);
  if (spec.variants.size() == 1) return object_schema(spec, &spec.variants[0], dim);
  Json json{{"type", "object"}, {"properties", {{"type", {{"enum", spec.types()}}}}}};
  if (!spec.type_optional) json["required"] = {"type"};
  Json cases = Json::array();
  for (size_t i = 0; i < spec.variants.size(); ++i) {
    Json condition{{"properties", {{"type", {{"const", spec.variants[i].type}}}}}};
    if (i > 0 || !spec.type_optional) condition["required"] = {"type"};
    cases.push_back({{"if", condition}, {"then", object_schema(spec, &spec.variants[i], dim)}});
  }
  json["allOf"] = cases;
  return json;
}

/// All that a grammar knows.
Json properties_of(const Grammar& grammar) {
  Json properties = Json::object();
  for (const FieldSpec& field : grammar.head) properties[field.name] = field_schema(field, grammar.dim);
  for (const TableSpec& spec : grammar.tables) {
    Json table = spec.kind == "signal" ? Json{{"$ref", "#/$defs/signal"}} : table_schema(spec, grammar.dim);
    if (spec.form == TableSpec::Form::named)
      table = {{"type", "object"}, {"patternProperties", {{name_pattern, table}}}, {"additionalProperties", false}};
    else if (spec.form == TableSpec::Form::list)
      table = {{"type", "array"}, {"items", table}, {"minItems", 1}};
    if (spec.is_part) table["propertyNames"] = {{"not", {{"const", "ground"}}}};
    Json documented{{"description", spec.doc}};
    documented.update(table);
    properties[spec.kind] = documented;
  }
  return properties;
}

Json scene_of(const Grammar& grammar) {
  FieldSpec any;
  Json properties{{"parameters",
                   {{"type", "object"},
                    {"description", "numbers that expressions may use"},
                    {"patternProperties", {{"^[A-Za-z][A-Za-z0-9_]*$", number_schema(any)}}},
                    {"additionalProperties", false}}}};
  properties.update(properties_of(grammar));
  return {{"type", "object"}, {"properties", properties}, {"additionalProperties", false}, {"required", {"analysis"}}};
}

}  // namespace

std::string scene_schema(std::span<const TermInfo> terms) {
  const auto planar = scene_grammar(2, terms), spatial = scene_grammar(3, terms);
  const Json is_spatial{{"properties", {{"space", {{"const", "spatial"}}}}}, {"required", {"space"}}};
  const Json schema{{"$schema", "https://json-schema.org/draft/2020-12/schema"},
                    {"title", "Flexura scene"},
                    {"type", "object"},
                    {"if", is_spatial},
                    {"then", {{"$ref", "#/$defs/spatial"}}},
                    {"else", {{"$ref", "#/$defs/planar"}}},
                    {"$defs",
                     {{"signal", table_schema(*planar->find_table("signal"), 2)},
                      {"planar", scene_of(*planar)},
                      {"spatial", scene_of(*spatial)}}}};
  return schema.dump(2) + "\n";
}

std::string file_schema(const Grammar& grammar, const std::string& title) {
  Json required = Json::array();
  for (const FieldSpec& field : grammar.head)
    if (field.is_required) required.push_back(field.name);
  const Json schema{{"$schema", "https://json-schema.org/draft/2020-12/schema"},
                    {"title", title},
                    {"type", "object"},
                    {"properties", properties_of(grammar)},
                    {"additionalProperties", false},
                    {"required", required}};
  return schema.dump(2) + "\n";
}

}  // namespace flexura
