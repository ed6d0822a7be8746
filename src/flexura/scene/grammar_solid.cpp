// [solid.NAME]: bodies of hexahedra or tetrahedra; and the laws of rubber among the materials.

#include <fmt/format.h>

#include <algorithm>
#include <numbers>

#include "flexura/material/elastic_laws.hpp"
#include "flexura/mesh/solid_cell.hpp"
#include "flexura/scene/grammar_tables.hpp"
#include "flexura/scene/placement.hpp"

namespace flexura::detail {
namespace {

FieldSpec length_of(const char* name, const char* doc) { return number_field(name, "m", doc).required().more_than(0); }

TableSpec volume_table() {
  TableSpec shape = inline_table("shape", {});
  shape.variants = {
      {"block",
       "from the origin along X, Y, Z, which are u, v, w; places left, right, front, back, bottom, top",
       {vector_field("size", "m", 3, "lengths along X, Y and Z").required().turning(Turns::stays).more_than(0)}},
      {"cylinder",
       "about Z from the XY plane up; u along the radius, v around from X, w along Z; places side, bottom, top",
       {length_of("radius", "radius"), length_of("height", "length along Z")}},
      {"tube",
       "hollow, about Z from the XY plane up; u across the wall from inside, v around from X, w along Z; places inner, "
       "outer, "
       "bottom, top, of less than a full turn start and end",
       {length_of("inner", "radius inside"), length_of("outer", "radius outside"),
        length_of("height", "length along Z"),
        number_field("angle", "rad", "less than a full turn: a part of it")
            .turning(Turns::stays)
            .defaults_to(2 * std::numbers::pi)}},
      {"gmsh",
       "hexahedra and tetrahedra of a Gmsh file, format 2.2 or 4.1; places are its physical groups",
       {file_field("file", "the file").required(),
        number_field("scale", "1", "of the file's coordinates to metres: 0.001 for millimetres")
            .defaults_to(1.0)
            .more_than(0)}}};
  return shape;
}

std::vector<Choice> element_choices() {
  std::vector<Choice> out;
  for (const SolidKind first : {SolidKind::hexahedron_20})
    out.push_back({std::string(cell_info(first).name), fmt::format("each a {}", cell_info(first).singly)});
  for (const SolidKind kind : solid_kinds())
    if (kind != SolidKind::hexahedron_20)
      out.push_back({std::string(cell_info(kind).name), kind == SolidKind::tetrahedron_4
                                                            ? "only for what changes its volume easily: they lock"
                                                            : fmt::format("each a {}", cell_info(kind).singly)});
  return out;
}

/// E, nu, mu, bulk, form, rho: what may be known of any of the laws.
void add_common(std::vector<FieldSpec>& fields, const ElasticLawRow& row) {
  const auto has = [&](const char* name) {
    return std::any_of(row.fields.begin(), row.fields.end(), [&](const ElasticField& f) { return f.name == name; });
  };
  fields.push_back(number_field("E", "Pa", "Young's modulus at rest, in place of the first constant")
                       .defaults_to(std::string("from the constants")));
  if (!has("mu"))
    fields.push_back(number_field("mu", "Pa", "shear modulus at rest, in place of the first constant")
                         .defaults_to(std::string("from the constants")));
  fields.push_back(number_field("nu", "1", "Poisson's ratio at rest, below 0.5").defaults_to(std::string("from bulk")));
  fields.push_back(
      number_field("bulk", "Pa", "bulk modulus k")
          .defaults_to(row.has_volume ? std::string("1000 times the shear modulus") : std::string("from lambda")));
  if (row.has_forms)
    fields.push_back(choice_field("form", "of the law",
                                  {{"isochoric", "without stress of its own against a change of volume"},
                                   {"coupled", "of C itself, less n ln J so that rest is free of stress"}}));
}

}  // namespace

std::vector<VariantSpec> rubber_variants() {
  std::vector<VariantSpec> out;
  for (const ElasticLawRow& row : elastic_laws()) {
    VariantSpec variant{std::string(row.name), fmt::format("of solids: {}", row.doc), {}};
    for (const ElasticField& field : row.fields) {
      FieldSpec spec = number_field(std::string(field.name), std::string(field.unit), std::string(field.doc));
      if (!field.required())
        spec.value = field.value;
      else
        spec.default_text = "needed, or what stands in its place";
      variant.fields.push_back(std::move(spec));
    }
    add_common(variant.fields, row);
    variant.fields.push_back(number_field("rho", "kg/m^3", "density").required().more_than(0));
    out.push_back(std::move(variant));
  }
  for (const ElasticPreset& preset : elastic_presets())
    out.push_back({std::string(preset.name),
                   fmt::format("of solids: {} [{}]; {}", preset.doc, preset.source, preset.range),
                   {number_field("bulk", "Pa", "bulk modulus k").defaults_to(preset.constants.bulk).more_than(0),
                    number_field("rho", "kg/m^3", "density").defaults_to(preset.rho).more_than(0)}});
  return out;
}

TableSpec solid_table() {
  TableSpec spec;
  spec.kind = "solid";
  spec.doc = "a body of hexahedra or tetrahedra, free of stress as it is meshed";
  spec.is_part = true;
  spec.fields = placement_fields(3);
  const std::vector<FieldSpec> rest{
      table_field("shape", "its volume, free of stress", volume_table()).required(),
      vector_field("elements", "1", 3, "number of elements along u, v and w; not for gmsh").turning(Turns::stays),
      vector_field("grading", "1", 3, "size of the last element over that of the first, along u, v and w")
          .turning(Turns::stays)
          .defaults_to(std::string("[1, 1, 1]"))
          .more_than(0),
      choice_field("bias", "of the grading",
                   {{"single", "sizes grow from the start to the end"}, {"double", "from both ends to the middle"}}),
      choice_field("element", "kind of elements; not for gmsh", element_choices()),
      reference_field("material", {"material"}, "what it is made of").required(),
      choice_field(
          "formulation", "change of volume within an element",
          {{"mixed", "by few modes of its own: nearly incompressible bodies do not lock"}, {"full", "point by point"}}),
      number_field("damping", "s", "Kelvin-Voigt retardation time").defaults_to(0.0).at_least(0),
      number_field("mass_damping", "1/s", "c of the force -c M v, in place of the scene's").at_least(0),
  };
  spec.fields.insert(spec.fields.end(), rest.begin(), rest.end());
  for (FieldSpec& field : motion_fields(3, "solid", "the solid's position")) spec.fields.push_back(std::move(field));
  spec.fields.push_back(color_field());
  return spec;
}

}  // namespace flexura::detail
