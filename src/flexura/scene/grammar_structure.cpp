// The head, and the tables of which machines are made: materials, sections, cables, points, joints.

#include <fmt/format.h>

#include "flexura/scene/grammar_tables.hpp"
#include "flexura/scene/placement.hpp"

namespace flexura::detail {
namespace {

/// A number that may change along the part, linearly.
FieldSpec tapering(FieldSpec field) {
  field.size = 2;
  return field;
}

FieldSpec shape_field() {
  TableSpec shape = inline_table("shape", {});
  const auto length = [](const char* name, const char* doc) {
    return tapering(number_field(name, "m", doc).required().more_than(0));
  };
  shape.variants = {
      {"circle", "solid round", {length("radius", "radius")}},
      {"rectangle",
       "solid rectangle",
       {length("width", "across the plane of bending"), length("height", "in the plane of bending")}},
      {"tube", "round tube", {length("radius", "outer radius"), length("wall", "thickness of the wall")}}};
  return table_field("shape", "shape of the cross-section; EA, EI and rhoA follow from it and the material", shape);
}

TableSpec path_table(int dim) {
  TableSpec arc = inline_table("arc", {});
  if (dim == 2) {
    arc.fields = {vector_field("center", "m", dim, "centre").required().turning(Turns::position),
                  number_field("radius", "m", "radius").required().more_than(0),
                  number_field("from", "rad", "angle of the first point from +X, counter-clockwise")
                      .required()
                      .turning(Turns::orientation),
                  number_field("to", "rad", "angle of the last point; less than `from`: clockwise")
                      .required()
                      .turning(Turns::orientation)};
  } else {
    arc.fields = {points_field("through", "m", dim, "first, some inner and last point of the arc")
                      .required()
                      .turning(Turns::position)};
  }
  TableSpec path = inline_table(
      "path", {table_field("arc", "circular arc", arc),
               points_field("spline", "m", dim, "natural cubic spline through the points").turning(Turns::position),
               file_field("file",
                          "file of points, a column per coordinate, joined by a "
                          "natural cubic spline")
                   .turning(Turns::position)});
  path.exactly_one = true;
  return path;
}

/// What cables and beams have in common.
TableSpec slender_table(int dim, std::string_view whole) {
  TableSpec spec;
  spec.kind = whole;
  spec.is_part = true;
  spec.fields = {
      reference_field("section", {"section"}, "its cross-section").required(),
      points_field("path", "m", dim, "stress-free shape, from start to end")
          .or_table(path_table(dim))
          .required()
          .turning(Turns::position),
      integer_field("elements", "number of elements, of equal length").required().at_least(1).at_most(1e6),
      points_field("initial", "m", dim, "another shape to start from, with the same elements")
          .or_table(path_table(dim))
          .turning(Turns::position)
          .defaults_to(std::string("the path")),
  };
  for (FieldSpec& field : motion_fields(dim, whole, fmt::format("the {}'s start", whole)))
    spec.fields.push_back(std::move(field));
  spec.fields.push_back(color_field());
  return spec;
}

}  // namespace

void add_activation(std::vector<FieldSpec>& fields) {
  fields.push_back(time_field("from", "acts from this time, or from the beginning of this analysis"));
  fields.push_back(time_field("until", "acts until this time, or until the end of this analysis"));
}

std::vector<FieldSpec> head_fields(int dim) {
  return {
      text_field("title", "one line for reports"),
      choice_field("space", "dimension of the machine", {{"planar", "X-Y plane"}, {"spatial", "X, Y and Z, Z up"}}),
      vector_field("gravity", "m/s^2", dim, "acceleration of gravity")
          .turning(Turns::stays)
          .or_table(inline_table("gravity",
                                 {vector_field("vector", "m/s^2", dim, "acceleration").required().turning(Turns::stays),
                                  signal_field("signal", "1", "multiplies it").defaults_to(1.0)}))
          .defaults_to(std::string("none")),
      number_field("mass_damping", "1/s", "c of the force -c M v on all that has mass").defaults_to(0.0).at_least(0),
      boolean_field("assemble", "initial positions are a guess: brought together before the first analysis"),
  };
}

TableSpec material_table(int dim) {
  TableSpec spec;
  spec.kind = "material";
  spec.doc = "a material";
  spec.type_optional = true;
  spec.variants = {
      {"linear",
       "linear elastic",
       {number_field("E", "Pa", "Young's modulus").required().more_than(0),
        number_field("rho", "kg/m^3", "density").required().more_than(0),
        number_field("nu", "1", "Poisson's ratio").defaults_to(0.3).more_than(-1).at_most(0.5), relaxation_field()}}};
  if (dim == 3)
    spec.variants.push_back({"orthotropic",
                             "linear elastic, of thin plates and membranes: fibres along its first axis",
                             {number_field("E1", "Pa", "modulus along the first axis").required().more_than(0),
                              number_field("E2", "Pa", "modulus across it").required().more_than(0),
                              number_field("nu12", "1", "-strain across / strain along under stress along").required(),
                              number_field("G12", "Pa", "shear modulus").required().more_than(0),
                              number_field("rho", "kg/m^3", "density").required().more_than(0), relaxation_field()}});
  if (dim == 3)
    for (VariantSpec& rubber : rubber_variants()) spec.variants.push_back(std::move(rubber));
  return spec;
}

TableSpec section_table(int dim) {
  const std::string from_shape = "from shape and material";
  TableSpec spec;
  spec.kind = "section";
  spec.doc = dim == 3 ? "cross-section of cables and beams: stiffnesses, or a shape and a material"
                      : "cross-section of cables: stiffnesses, or a shape and a material";
  const auto add = [&](std::vector<FieldSpec> fields) {
    spec.fields.insert(spec.fields.end(), fields.begin(), fields.end());
  };
  add({tapering(number_field("EA", "N", "axial stiffness").more_than(0).defaults_to(from_shape)),
       tapering(number_field("EI", "N m^2", "bending stiffness").at_least(0).defaults_to(from_shape)),
       tapering(number_field("rhoA", "kg/m", "mass per length").more_than(0).defaults_to(from_shape))});
  if (dim == 3)
    add({tapering(number_field("GA1", "N", "beam: shear stiffness along d1").more_than(0).defaults_to(from_shape)),
         tapering(number_field("GA2", "N", "beam: shear stiffness along d2").more_than(0).defaults_to(from_shape)),
         tapering(number_field("EI1", "N m^2", "beam: bending stiffness about d1")
                      .more_than(0)
                      .defaults_to(std::string("EI"))),
         tapering(number_field("EI2", "N m^2", "beam: bending stiffness about d2")
                      .more_than(0)
                      .defaults_to(std::string("EI"))),
         tapering(number_field("GJ", "N m^2", "beam: torsional stiffness").more_than(0).defaults_to(from_shape)),
         tapering(number_field("rhoI1", "kg m", "beam: moment of inertia about d1, per length")
                      .more_than(0)
                      .defaults_to(from_shape)),
         tapering(number_field("rhoI2", "kg m", "beam: moment of inertia about d2, per length")
                      .more_than(0)
                      .defaults_to(from_shape))});
  add({shape_field(), reference_field("material", {"material"}, "material of the shape"),
       text_field("size_factor", "formula in the arc length s [m] that multiplies the lengths of the section"),
       choice_field("axial", "measure of stretch",
                    {{"green", "(r_x.r_x - 1)/2"},
                     {"engineering", "|r_x| - 1"},
                     {"chord", "(|chord| - l)/l, only with curvature = \"simplified\""}}),
       choice_field(
           "integration", "points of stretch of a cable",
           {{"reduced", "three of Lobatto: they do not lock where cables are thin"}, {"full", "five of Gauss"}}),
       choice_field(
           "curvature", "measure of bending",
           {{"material", "r_x x r_xx / |r_x|^2"}, {"geometric", "r_x x r_xx / |r_x|^3"}, {"simplified", "|r_xx|"}}),
       number_field("damping_stretch", "s", "Kelvin-Voigt retardation time of stretch").defaults_to(0.0).at_least(0),
       number_field("damping_bend", "s", "Kelvin-Voigt retardation time of bending").defaults_to(0.0).at_least(0)});
  if (dim == 2)
    add({number_field("bend_stiffening", "m^2", "b of EI (1 + b k^2), k the change of a cable's curvature")
             .defaults_to(0.0)
             .at_least(0),
         number_field("stiffness_damping", "s",
                      "c2 of the force -c2 K v of straight cables, axial = \"green\", curvature = \"simplified\"")
             .defaults_to(0.0)
             .at_least(0)});
  if (dim == 3)
    add({number_field("damping_twist", "s", "beam: Kelvin-Voigt retardation time of torsion")
             .at_least(0)
             .defaults_to(std::string("damping_bend"))});
  add({relaxation_field().defaults_to(std::string("that of the material"))});
  add({number_field("mass_damping", "1/s", "c of the force -c M v, in place of the scene's").at_least(0)});
  return spec;
}

TableSpec cable_table(int dim) {
  TableSpec spec = slender_table(dim, "cable");
  spec.doc = "a slender part that stretches and bends";
  return spec;
}

TableSpec beam_table() {
  TableSpec spec = slender_table(3, "beam");
  TableSpec initial = path_table(3);
  initial.fields.push_back(number_field("twist", "rad",
                                        "initial shape of a beam: angle by which its sections turn about it from start "
                                        "to end, beyond those of the path carried along without twist")
                               .defaults_to(0.0));
  const auto shape = std::make_shared<const TableSpec>(std::move(initial));
  for (FieldSpec& field : spec.fields)
    if (field.name == "initial") field.table = shape;
  spec.doc = "a slender part that stretches, shears, bends and twists, with directions d1, d2 of its section";
  spec.fields.push_back(
      vector_field("up", "1", 3, "d1 is this direction made perpendicular to the path (a rectangle's height)")
          .turning(Turns::direction)
          .defaults_to(std::string("z, or y or x where the path runs along it")));
  spec.fields.push_back(number_field("twist", "rad",
                                     "angle by which the section turns about the path from start to end, "
                                     "without stress")
                            .defaults_to(0.0));
  spec.fields.push_back(choice_field(
      "element", "what a section is",
      {{"director", "rigid, of the section's stiffnesses: thin or thick, of linear elastic material"},
       {"full", "deformable, integrated over its shape: r, r_x, r_y, r_z [yakoub2001], of any law of rubber too"}}));
  spec.fields.push_back(choice_field(
      "strains", "of full elements",
      {{"enhanced", "those that a section has which bends, shears and twists freely"},
       {"selective", "as the fields have them, change of volume on the axis only: bends too softly [xing2022 eq 25]"},
       {"full", "as the fields have them: holds bending stiff, for comparison [yakoub2001]"}}));
  spec.fields.push_back(choice_field("width", "of a full element's section where it bends",
                                     {{"free", "gets narrower where it is stretched: a bar"},
                                      {"held", "keeps its extent along d2: a wide strip, E/(1 - nu^2)"}}));
  spec.fields.push_back(
      choice_field("section_points", "of a full element, over its section",
                   {{"fine", "9, of round sections 12: exact to degree 5"}, {"coarse", "4: exact to degree 3"}}));
  return spec;
}

TableSpec point_table(int dim) {
  TableSpec spec;
  spec.kind = "point";
  spec.doc = "a point to which masses, springs and joints attach";
  spec.is_part = true;
  spec.fields = {vector_field("position", "m", dim, "reference position").required().turning(Turns::position),
                 vector_field("initial", "m", dim, "another position to start from")
                     .turning(Turns::position)
                     .defaults_to(std::string("position")),
                 vector_field("velocity", "m/s", dim, "initial velocity")
                     .turning(Turns::direction)
                     .defaults_to(std::string("at rest")),
                 boolean_field("fixed", "does not move")};
  return spec;
}

}  // namespace flexura::detail
