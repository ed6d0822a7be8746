// [solid.NAME]: bodies of hexahedra or tetrahedra; and the laws of rubber among the materials.

#include <fmt/format.h>

#include <algorithm>
#include <numbers>

#include "flexura/material/elastic_laws.hpp"
#include "flexura/mesh/solid_cell.hpp"
#include "flexura/mesh/solid_shapes.hpp"
#include "flexura/scene/grammar_tables.hpp"
#include "flexura/scene/placement.hpp"

namespace flexura::detail {
namespace {

FieldSpec length_of(const char* name, const char* doc) { return number_field(name, "m", doc).required().more_than(0); }

std::vector<FieldSpec> finger_fields() {
  const PneumaticFinger usual;
  const auto length = [](const char* name, double value, const char* doc) {
    return number_field(name, "m", doc).defaults_to(value).more_than(0);
  };
  return {integer_field("pockets", "how many").defaults_to(usual.pockets).at_least(1).at_most(100),
          length("pocket", usual.pocket, "length of the room in a pocket, along X"),
          length("gap", usual.gap, "between the walls of two pockets"),
          length("wall", usual.wall, "thickness of the walls between pockets and gaps"),
          length("width", usual.width, "along Y, outside"),
          length("height", usual.height, "along Z, outside"),
          length("side", usual.side, "thickness of the side walls"),
          length("roof", usual.roof, "thickness above the pockets"),
          length("bottom", usual.bottom, "thickness below the pockets"),
          number_field("layer", "m", "thickness of the lowest part of the bottom, the place `layer`; 0: none")
              .defaults_to(usual.layer)
              .at_least(0),
          length("base", usual.base, "length of the end that is held"),
          length("tip", usual.tip, "length of the other end"),
          vector_field("channel", "m", 2, "width and height of the channel; [0, 0]: none, pockets are apart")
              .turning(Turns::stays)
              .at_least(0)
              .defaults_to(std::string("4 mm wide, 2 mm high")),
          choice_field("part", "of the finger",
                       {{"full", "all of it"}, {"half", "Y above 0; the cut is the place `middle`"}})};
}

std::vector<FieldSpec> formula_fields() {
  std::vector<FieldSpec> out;
  for (const char* name : {"x", "y", "z"}) out.push_back(text_field(name, "formula in u, v and w [m]").required());
  for (const char* name : {"u", "v", "w"})
    out.push_back(vector_field(name, "1", 2, fmt::format("range of {}", name))
                      .turning(Turns::stays)
                      .defaults_to(std::string("[0, 1]")));
  out.push_back(boolean_field("closed_v", "the last line of v is the first"));
  out.push_back(
      text_field("layer", "formula in u, v and w: elements in whose middle it is above 0 are the place `layer`"));
  return out;
}

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
      {"sphere",
       "hollow, about the origin; u across the wall from inside, v around Z from X, w from the XY plane, of a whole "
       "one "
       "from the pole, up; elements: of the wall, and twice the same even number along a quarter of the girth; places "
       "inner, outer, cut ones left, front, bottom",
       {length_of("inner", "radius inside"), length_of("outer", "radius outside"),
        choice_field("part", "of the sphere",
                     {{"full", "all of it"}, {"half", "Z above 0"}, {"octant", "X, Y and Z above 0"}})}},
      {"finger",
       "soft finger along X: pockets in a row over a bottom, joined by a channel; it bends towards -Z; elements along "
       "a "
       "pocket, across it and up it; places base, tip, bottom, top, front, back, cavity, of pockets apart pocket_1 and "
       "so on, layer",
       finger_fields()},
      {"formula",
       "x, y and z as formulas in u, v and w, right-handed: a wall along u and v, across it w; places left, right, "
       "front, back, bottom, top, the ends of u, of v (not of a closed one) and of w; layer",
       formula_fields()},
      {"gmsh",
       "hexahedra and tetrahedra of a Gmsh file of any format; places are its physical groups",
       {file_field("file", "the file").required(),
        number_field("scale", "1", "of the file's coordinates to metres: 0.001 for millimetres")
            .defaults_to(1.0)
            .more_than(0),
        integer_field("order", "2: cells of 4 and 8 nodes get middles of their sides, 10 and 20 nodes; 1: as they are")
            .defaults_to(1)
            .at_least(1)
            .at_most(2)}}};
  return shape;
}

TableSpec growth_table() {
  const auto along = [](const char* name, const char* doc) {
    return signal_field(name, "1", fmt::format("stretch less 1 {}", doc))
        .more_than(-1)
        .at_most(most_growth)
        .defaults_to(0.0);
  };
  return inline_table("growth", {along("x", "along the solid's own X"), along("y", "along its Y"),
                                 along("z", "along its Z"), along("radial", "away from the axis"),
                                 along("around", "around the axis"), along("along", "along the axis")});
}

std::vector<FieldSpec> inlay_fields() {
  return {text_field("at", "place of the solid that is a volume: of a finger `layer`").required(),
          reference_field("material", {"material"}, "what it is made of").required()};
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
    variant.fields.push_back(relaxation_field());
    out.push_back(std::move(variant));
  }
  for (const ElasticPreset& preset : elastic_presets())
    out.push_back(
        {std::string(preset.name),
         fmt::format("of solids: {} [{}]; {}", preset.doc, preset.source, preset.range),
         {number_field("bulk", "Pa", "bulk modulus k").defaults_to(preset.constants.bulk).more_than(0),
          number_field("rho", "kg/m^3", "density").defaults_to(preset.rho).more_than(0), relaxation_field()}});
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
      table_field("inlay", "elements of another material; [volume.NAME] are more of them",
                  [] {
                    TableSpec inlay = inline_table("inlay", {});
                    inlay.fields = inlay_fields();
                    return inlay;
                  }()),
      choice_field(
          "formulation", "of the elements' energy",
          {{"mixed", "change of volume by few modes of each: nearly incompressible bodies do not lock"},
           {"full", "change of volume point by point"},
           {"reduced",
            "of hexahedra of 8 nodes: the law at one point, hourglass modes held by moduli at rest; thin walls "
            "do not lock, and it is the fastest"}}),
      number_field("damping", "s", "Kelvin-Voigt retardation time").defaults_to(0.0).at_least(0),
      signal_field("growth", "1", "stretch less 1 at which it is free of stress, the same along all directions")
          .more_than(-1)
          .at_most(most_growth)
          .or_table(growth_table())
          .defaults_to(std::string("none")),
      vector_field("center", "m", 3, "a point of the axis of fibres and growth, in the solid's own frame")
          .turning(Turns::stays)
          .defaults_to(std::string("[0, 0, 0]")),
      vector_field("axis", "1", 3, "third direction of fibres and growth, in the solid's own frame")
          .turning(Turns::stays)
          .defaults_to(std::string("[0, 0, 1]")),
      number_field("mass_damping", "1/s", "c of the force -c M v, in place of the scene's").at_least(0),
  };
  spec.fields.insert(spec.fields.end(), rest.begin(), rest.end());
  for (FieldSpec& field : motion_fields(3, "solid", "the solid's position")) spec.fields.push_back(std::move(field));
  spec.fields.push_back(color_field());
  return spec;
}

TableSpec inlaid_volume_table() {
  TableSpec spec;
  spec.kind = "volume";
  spec.doc = "a volume of a solid that is of another material; where several share elements the last counts";
  spec.fields = {reference_field("of", {"solid"}, "the part").required()};
  for (FieldSpec& field : inlay_fields()) spec.fields.push_back(std::move(field));
  return spec;
}

TableSpec fibre_table() {
  TableSpec spec;
  spec.kind = "fibre";
  spec.doc =
      "fibres of one direction at each place of a solid, a membrane or a full plate, which resist their stretch or "
      "pull "
      "by themselves";
  spec.fields = {
      reference_field("of", {"solid", "plate", "membrane"}, "the part").required(),
      vector_field("direction", "1", 3,
                   "at rest, by the three directions of `frame`, of any length; in plates and membranes along u, "
                   "across it in the surface, along the normal")
          .turning(Turns::stays),
      choice_field("frame", "of `direction`",
                   {{"axes", "X, Y and Z of the solid's own frame"},
                    {"about-axis", "away from the solid's axis, around it and along it"}}),
      number_field(
          "angle", "rad",
          "in place of `direction`: of a helix, from the solid's axis; in the surface of plates and membranes, "
          "from u"),
      number_field("stiffness", "Pa", "k1, a quarter of the modulus along the fibres at rest")
          .defaults_to(0.0)
          .at_least(0),
      number_field("exponent", "1", "k2: how fast they stiffen").defaults_to(0.0).at_least(0),
      boolean_field("compression", "whether they bear compression too"),
      signal_field("tension", "Pa", "that they pull with whatever their stretch, per area of the reference")
          .defaults_to(std::string("none"))};
  return spec;
}

}  // namespace flexura::detail
