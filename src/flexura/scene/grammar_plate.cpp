// [plate.NAME]: thin plates and shells, their walls and meshes.

#include <fmt/format.h>

#include <numbers>

#include "flexura/scene/grammar_tables.hpp"
#include "flexura/scene/placement.hpp"

namespace flexura::detail {
namespace {

using std::numbers::pi;

FieldSpec length(const char* name, const char* doc) { return number_field(name, "m", doc).required().more_than(0); }
FieldSpec angle(const char* name, const char* doc, double otherwise) {
  return number_field(name, "rad", doc).defaults_to(otherwise).turning(Turns::stays);
}
FieldSpec pair(const char* name, const char* unit, const char* doc) {
  return vector_field(name, unit, 2, doc).turning(Turns::stays);
}

TableSpec axis_table() {
  TableSpec axis = inline_table(
      "axis",
      {points_field("spline", "m", 3, "natural cubic spline through the points").turning(Turns::stays),
       table_field("arc", "circular arc",
                   inline_table("arc", {points_field("through", "m", 3, "first, some inner and last point of the arc")
                                            .required()
                                            .turning(Turns::stays)}))});
  axis.exactly_one = true;
  return axis;
}

}  // namespace

TableSpec surface_table(std::string_view of_files) {
  const auto formula = [](const char* name) { return text_field(name, "formula in u and v [m]").required(); };
  TableSpec shape = inline_table("shape", {});
  shape.variants = {
      {"flat",
       "rectangle in the XY plane from the origin, u along X, v along Y, normal Z",
       {pair("size", "m", "lengths along X and Y").required()}},
      {"panel",
       "plate rolled along u: from the origin along X, bending towards Z; v along Y, normal to the axis",
       {length("radius", "radius"), number_field("angle", "rad", "of the arc").required().more_than(0),
        length("width", "length along Y")}},
      {"tube",
       "cone, cylinder or tube along a path, rings from `up` on; u along the path, normal outwards",
       {points_field("axis", "m", 3, "from start to end").required().turning(Turns::stays).or_table(axis_table()),
        pair("radius", "m", "at the start and at the end, linear between"),
        text_field("radius_law", "in place of `radius`: a formula in the arc length s [m]"),
        vector_field("up", "1", 3, "where the rings begin").turning(Turns::stays).defaults_to(std::string("Z")),
        angle("first_angle", "of the first node of each ring from `up`", 0),
        angle("angle", "less than a full turn: a shell with edges \"bottom\" and \"top\"", 2 * pi)}},
      {"hemisphere",
       "sphere about the origin from the XY plane up to a hole about Z; u is the azimuth, normal outwards",
       {length("radius", "radius"),
        number_field("hole", "rad", "angle from Z to its rim").defaults_to(pi / 10).more_than(0),
        angle("from", "azimuth of the start, from X", 0), angle("to", "azimuth of the end", pi / 2)}},
      {"annulus",
       "flat ring about the origin, u along the radius, v the angle from X; normal Z",
       {pair("radius", "m", "inner and outer").required(),
        angle("angle", "a full turn that is not closed is slit along X", 2 * pi),
        boolean_field("closed", "a full turn is joined")}},
      {"formula",
       "x, y and z as formulas in u and v",
       {formula("x"), formula("y"), formula("z"), pair("u", "1", "range of u").defaults_to(std::string("[0, 1]")),
        pair("v", "1", "range of v").defaults_to(std::string("[0, 1]")),
        boolean_field("closed_u", "the last line of u is the first"),
        boolean_field("closed_v", "the last line of v is the first")}},
      {"gmsh",
       fmt::format("{} of a Gmsh file of any format", of_files),
       {file_field("file", "the file").required(),
        number_field("scale", "1", "of the file's coordinates to metres").defaults_to(1.0).more_than(0)}}};
  return shape;
}

namespace {

TableSpec wall_growth_table(bool bends) {
  const auto along = [](const char* name, const char* doc) {
    return signal_field(name, "1", fmt::format("stretch less 1 {}", doc))
        .more_than(-1)
        .at_most(most_growth)
        .defaults_to(0.0);
  };
  const auto bend = [](const char* name, const char* doc) {  // by 2 the bottom would be of no length
    return signal_field(name, "1", fmt::format("stretch at the top less that at the bottom, {}", doc))
        .at_least(-1.9)
        .at_most(1.9)
        .defaults_to(0.0);
  };
  std::vector<FieldSpec> fields{along("u", "along u"), along("v", "across it in the surface"),
                                along("normal", "of the thickness")};
  if (bends) fields.insert(fields.end(), {bend("bend_u", "along u"), bend("bend_v", "across u")});
  return inline_table("growth", std::move(fields));
}

FieldSpec material_field() { return reference_field("material", {"material"}, "material of the wall"); }

}  // namespace

FieldSpec wall_growth_field(std::string doc, bool bends) {
  return signal_field("growth", "1", std::move(doc))
      .more_than(-1)
      .at_most(most_growth)
      .or_table(wall_growth_table(bends))
      .defaults_to(std::string("none"));
}

void add_grid_fields(TableSpec& spec, std::string elements) {
  const std::vector<FieldSpec> grid{
      vector_field("elements", "1", 2, std::move(elements)).turning(Turns::stays),
      vector_field("grading", "1", 2, "size of the last element over that of the first, along u and along v")
          .turning(Turns::stays)
          .defaults_to(std::string("[1, 1]"))
          .more_than(0),
      choice_field("bias", "of the grading",
                   {{"single", "sizes grow from the start to the end"},
                    {"double", "from both ends to the middle; of closed directions too"}}),
      vector_field("lines_u", "1", -2, "shares of u from 0 to 1 where its lines lie, in place of a grading")
          .turning(Turns::stays),
      vector_field("lines_v", "1", -2, "the same of v").turning(Turns::stays)};
  spec.fields.insert(spec.fields.end(), grid.begin(), grid.end());
}

TableSpec plate_table() {
  TableSpec spec;
  spec.kind = "plate";
  spec.doc = "a plate or shell, flat or curved, free of stress as it is meshed";
  spec.is_part = true;
  spec.variants = {{"thin", "without shear across the wall [ghoneimy2025]", {}}};
  spec.fields = placement_fields(3);
  spec.fields.push_back(
      table_field("shape", "its surface, free of stress", surface_table("quadrilaterals")).required());
  add_grid_fields(spec, "number of elements along u and along v; not for gmsh");
  const std::vector<FieldSpec> rest{
      material_field(),
      number_field("thickness", "m", "of a wall of one material").more_than(0),
      text_field("thickness_factor", "formula in u and v (lengths along them; the angle on tubes) that multiplies it"),
      number_field("material_angle", "rad", "of the material's first axis, from the direction of u").defaults_to(0.0),
      choice_field("element", "of the wall",
                   {{"thin", "without shear across the wall [ghoneimy2025]"},
                    {"full", "the wall as a solid, thick or thin, of any law of rubber too"},
                    {"xing2022", "the full plate of that paper: bends too softly, or locks"}}),
      choice_field("volume", "its change in full elements",
                   {{"reduced", "by few modes; of \"xing2022\" on the mid-surface"},
                    {"full", "at all points: holds bending stiff, for comparison"}}),
      choice_field("integration", "points of an element", {{"full", "4 x 4"}, {"reduced", "3 x 3"}}),
      choice_field("curvature", "measure of bending",
                   {{"koiter", "with the unit normal"}, {"cubed_normal", "n/|n|^3, for comparison"}}),
      number_field("damping", "s", "Kelvin-Voigt retardation time").defaults_to(0.0).at_least(0),
      wall_growth_field(
          "of full elements: stretch less 1 at which the wall is free of stress, the same along all directions", true),
      number_field("mass_damping", "1/s", "c of the force -c M v, in place of the scene's").at_least(0),
  };
  spec.fields.insert(spec.fields.end(), rest.begin(), rest.end());
  for (FieldSpec& field : motion_fields(3, "plate", "the plate's position")) spec.fields.push_back(std::move(field));
  spec.fields.push_back(color_field());
  return spec;
}

TableSpec layer_table() {
  TableSpec spec;
  spec.kind = "layer";
  spec.doc = "a layer of a plate's wall; they lie in the order of the text from the bottom face up";
  spec.fields = {
      reference_field("of", {"plate"}, "the plate").required(), material_field().required(),
      length("thickness", "thickness"),
      number_field("angle", "rad", "of the material's first axis, from the direction of u").defaults_to(0.0)};
  return spec;
}

}  // namespace flexura::detail
