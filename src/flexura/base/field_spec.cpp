#include "flexura/base/field_spec.hpp"

#include <fmt/format.h>

#include <cmath>

namespace flexura {

FieldSpec FieldSpec::required() && {
  is_required = true;
  return std::move(*this);
}
FieldSpec FieldSpec::defaults_to(double x) && {
  value = x;
  return std::move(*this);
}
FieldSpec FieldSpec::defaults_to(std::string words) && {
  default_text = std::move(words);
  return std::move(*this);
}
FieldSpec FieldSpec::at_least(double x) && {
  min = x;
  return std::move(*this);
}
FieldSpec FieldSpec::at_most(double x) && {
  max = x;
  return std::move(*this);
}
FieldSpec FieldSpec::more_than(double x) && {
  above = x;
  return std::move(*this);
}
FieldSpec FieldSpec::less_than(double x) && {
  below = x;
  return std::move(*this);
}
FieldSpec FieldSpec::or_table(TableSpec spec) && {
  table = std::make_shared<const TableSpec>(std::move(spec));
  return std::move(*this);
}

FieldSpec FieldSpec::or_surface() && {
  surfaces = true;
  return std::move(*this);
}

FieldSpec FieldSpec::turning(Turns how) && {
  turns = how;
  return std::move(*this);
}
FieldSpec FieldSpec::placing(Turns how) && {
  turns = how;
  is_placement = true;
  return std::move(*this);
}

bool FieldSpec::allows(double x) const {
  return std::isfinite(x) && !(x < min) && !(x > max) && !(x <= above) && !(x >= below);
}

const VariantSpec* TableSpec::find_variant(const std::string& type) const {
  for (const VariantSpec& variant : variants)
    if (variant.type == type) return &variant;
  return nullptr;
}

const FieldSpec* TableSpec::find_field(const std::string& name, const VariantSpec* variant) const {
  for (const FieldSpec& field : fields)
    if (field.name == name) return &field;
  if (variant != nullptr)
    for (const FieldSpec& field : variant->fields)
      if (field.name == name) return &field;
  return nullptr;
}

std::vector<std::string> TableSpec::types() const {
  std::vector<std::string> names;
  for (const VariantSpec& variant : variants) names.push_back(variant.type);
  return names;
}

std::string bounds_text(const FieldSpec& f) {
  std::string low, high;
  if (!std::isnan(f.min)) low = fmt::format(">= {}", f.min);
  if (!std::isnan(f.above)) low = fmt::format("> {}", f.above);
  if (!std::isnan(f.max)) high = fmt::format("<= {}", f.max);
  if (!std::isnan(f.below)) high = fmt::format("< {}", f.below);
  return low + (low.empty() || high.empty() ? "" : " and ") + high;
}

namespace {
FieldSpec field(FieldKind kind, std::string name, std::string doc) {
  FieldSpec spec;
  spec.name = std::move(name);
  spec.kind = kind;
  spec.doc = std::move(doc);
  return spec;
}
}  // namespace

FieldSpec number_field(std::string name, std::string unit, std::string doc) {
  FieldSpec spec = field(FieldKind::number, std::move(name), std::move(doc));
  spec.unit = std::move(unit);
  return spec;
}
FieldSpec integer_field(std::string name, std::string doc) {
  return field(FieldKind::integer, std::move(name), std::move(doc));
}
FieldSpec boolean_field(std::string name, std::string doc) {
  return field(FieldKind::boolean, std::move(name), std::move(doc)).defaults_to(std::string("false"));
}
FieldSpec text_field(std::string name, std::string doc) {
  return field(FieldKind::text, std::move(name), std::move(doc));
}
FieldSpec choice_field(std::string name, std::string doc, std::vector<Choice> choices) {
  FieldSpec spec = field(FieldKind::choice, std::move(name), std::move(doc));
  spec.default_text = choices.front().name;
  spec.choices = std::move(choices);
  return spec;
}
FieldSpec vector_field(std::string name, std::string unit, int size, std::string doc) {
  FieldSpec spec = number_field(std::move(name), std::move(unit), std::move(doc));
  spec.kind = FieldKind::vector;
  spec.size = size;
  return spec;
}
FieldSpec points_field(std::string name, std::string unit, int size, std::string doc) {
  FieldSpec spec = vector_field(std::move(name), std::move(unit), size, std::move(doc));
  spec.kind = FieldKind::points;
  return spec;
}
FieldSpec series_field(std::string name, std::string doc) {
  FieldSpec spec = field(FieldKind::series, std::move(name), std::move(doc));
  spec.size = 2;
  spec.above = 0;
  return std::move(spec).defaults_to(std::string("none"));
}
FieldSpec place_field(std::string name, std::string doc) {
  return field(FieldKind::place, std::move(name), std::move(doc));
}
FieldSpec places_field(std::string name, int count, std::string doc) {
  FieldSpec spec = field(FieldKind::places, std::move(name), std::move(doc));
  spec.size = count;
  return spec;
}
FieldSpec signal_field(std::string name, std::string unit, std::string doc) {
  FieldSpec spec = number_field(std::move(name), std::move(unit), std::move(doc));
  spec.kind = FieldKind::signal;
  return spec;
}
FieldSpec reference_field(std::string name, std::vector<std::string> kinds, std::string doc) {
  FieldSpec spec = field(FieldKind::reference, std::move(name), std::move(doc));
  spec.refers = std::move(kinds);
  return spec;
}
FieldSpec names_field(std::string name, std::vector<std::string> kinds, std::string doc) {
  FieldSpec spec = field(FieldKind::names, std::move(name), std::move(doc));
  spec.refers = std::move(kinds);
  return spec;
}
FieldSpec time_field(std::string name, std::string doc) {
  FieldSpec spec = number_field(std::move(name), "s", std::move(doc));
  spec.kind = FieldKind::time;
  return spec;
}
FieldSpec file_field(std::string name, std::string doc) {
  return field(FieldKind::file, std::move(name), std::move(doc));
}
FieldSpec column_field(std::string name, std::string doc) {
  return field(FieldKind::column, std::move(name), std::move(doc));
}
FieldSpec color_field() {
  return field(FieldKind::color, "color", "in reports, as \"#8c8f96\"").defaults_to(std::string("of a palette"));
}
FieldSpec named_field(std::string name, std::string unit, int size, std::string doc) {
  FieldSpec spec = vector_field(std::move(name), std::move(unit), size, std::move(doc));
  spec.kind = FieldKind::named;
  return spec;
}
FieldSpec settings_field(std::string name, std::string doc) {
  return field(FieldKind::settings, std::move(name), std::move(doc));
}
FieldSpec table_field(std::string name, std::string doc, TableSpec spec) {
  return field(FieldKind::table, std::move(name), std::move(doc)).or_table(std::move(spec));
}

}  // namespace flexura
