// The tables of rigid bodies and joints.

#include "flexura/part/joint_types.hpp"
#include "flexura/scene/body_shape.hpp"
#include "flexura/scene/grammar_tables.hpp"
#include "flexura/scene/placement.hpp"

namespace flexura::detail {

TableSpec inline_table(std::string kind, std::vector<FieldSpec> fields) {
  TableSpec spec;
  spec.kind = std::move(kind);
  spec.form = TableSpec::Form::single;
  spec.fields = std::move(fields);
  return spec;
}

TableSpec body_table(int dim) {
  TableSpec spec;
  spec.kind = "body";
  spec.doc = "a rigid body";
  spec.is_part = true;
  spec.fields = placement_fields(dim);
  const std::vector<FieldSpec> rest{
      number_field("m", "kg", "mass; 0: a frame, which a weld keeps on another part")
          .at_least(0)
          .defaults_to(std::string("from shape and density")),
      vector_field("center", "m", dim, "centre of mass, in the body's frame")
          .turning(Turns::stays)
          .defaults_to(std::string("the shape's, or the origin")),
      dim == 2 ? number_field("inertia", "kg m^2", "moment of inertia about the centre of mass").more_than(0)
               : vector_field("inertia", "kg m^2", 3,
                              "moments of inertia Jxx, Jyy, Jzz about the centre of mass, in "
                              "the body's axes")
                     .turning(Turns::stays),
  };
  spec.fields.insert(spec.fields.end(), rest.begin(), rest.end());
  if (dim == 3)
    spec.fields.push_back(
        vector_field("products_of_inertia", "kg m^2", 3,
                     "Jxy, Jyz, Jxz about the centre of mass, entries of the tensor: Jxy = -int x y dm")
            .turning(Turns::stays)
            .defaults_to(std::string("none")));
  spec.fields.push_back(body_shape_field(dim, "from which mass, centre and inertia follow, with the density"));
  spec.fields.push_back(number_field("density", dim == 2 ? "kg/m^2 or kg/m" : "kg/m^3",
                                     dim == 2 ? "of the shape; of a rod kg/m" : "of the shape")
                            .more_than(0)
                            .defaults_to(std::string("from m or the material")));
  spec.fields.push_back(reference_field("material", {"material"}, "of the shape, in place of `density`"));
  spec.fields.push_back(named_field("points", "m", dim, "named places, in the body's frame").turning(Turns::stays));
  spec.fields.push_back(choice_field("as", "what carries it",
                                     {{"points_and_vectors", "natural coordinates"},
                                      {"trusses", dim == 2 ? "two points a fixed distance apart"
                                                           : "four points and the six distances between them"}}));
  spec.fields.push_back(
      places_field("nodes", dim == 2 ? 2 : 4,
                   "of trusses: points of their own, [point.NAME], that carry it; of mass 0: a frame on them")
          .defaults_to(std::string("its own, where joints are")));
  spec.fields.push_back(
      table_field("initial", "another pose to start from", inline_table("initial", placement_fields(dim))));
  spec.fields.push_back(color_field());
  spec.fields.push_back(vector_field("velocity", "m/s", dim, "initial velocity of the frame's origin")
                            .turning(Turns::direction)
                            .defaults_to(std::string("at rest")));
  spec.fields.push_back(dim == 2
                            ? number_field("angular_velocity", "rad/s", "initial angular velocity").defaults_to(0.0)
                            : vector_field("angular_velocity", "rad/s", 3, "initial angular velocity, in space")
                                  .turning(Turns::direction)
                                  .defaults_to(std::string("none")));
  return spec;
}

TableSpec visual_table(int dim) {
  TableSpec spec;
  spec.kind = "visual";
  spec.doc = "what a body shows of itself in pictures, without mass, in place of a shape that is drawn for it";
  spec.fields = {reference_field("on", {"body"}, "the body").required(),
                 body_shape_field(dim, "what is drawn, in the frame of the visual").required()};
  for (FieldSpec& field : placement_fields(dim)) {
    field.turns = Turns::stays;
    field.is_placement = false;
    field.doc += ", in the body's frame";
    spec.fields.push_back(std::move(field));
  }
  spec.fields.push_back(color_field());
  return spec;
}

TableSpec joint_table(int dim) {
  TableSpec spec;
  spec.kind = "joint";
  spec.doc = "a relation between two places";
  spec.variants = joint_variants(dim);
  add_activation(spec.fields);
  return spec;
}

}  // namespace flexura::detail
