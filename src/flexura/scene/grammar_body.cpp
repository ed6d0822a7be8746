// The tables of rigid bodies and joints.

#include "flexura/scene/body_shape.hpp"
#include "flexura/scene/grammar_tables.hpp"
#include "flexura/scene/placement.hpp"

namespace flexura::detail {
namespace {

FieldSpec direction(const char* name, int dim, const char* doc) {
  return vector_field(name, "1", dim, doc).turning(Turns::direction);
}

}  // namespace

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
      number_field("m", "kg", "mass").more_than(0).defaults_to(std::string("from shape and density")),
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
  spec.fields.push_back(body_shape_field(dim));
  spec.fields.push_back(number_field("density", dim == 2 ? "*" : "kg/m^3",
                                     dim == 2 ? "of the shape [kg/m^2; of a rod kg/m]" : "of the shape")
                            .more_than(0)
                            .defaults_to(std::string("from m or the material")));
  spec.fields.push_back(reference_field("material", {"material"}, "of the shape, in place of `density`"));
  spec.fields.push_back(named_field("points", "m", dim, "named places, in the body's frame").turning(Turns::stays));
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

TableSpec joint_table(int dim) {
  TableSpec spec;
  spec.kind = "joint";
  spec.doc = "a relation between two places";
  const FieldSpec of = places_field("of", 2, "the two places").required();
  const FieldSpec at = vector_field("at", "m", dim, "reference position of the joint, where `of` names whole bodies")
                           .turning(Turns::position)
                           .defaults_to(std::string("the places"));
  const FieldSpec method = choice_field("method", "how its equations are kept",
                                        {{"eliminated", "linear ones by elimination, exactly; the rest by multipliers"},
                                         {"multipliers", "all by multipliers"}});
  const FieldSpec angle = signal_field("angle", "rad", "prescribes the angle from the reference; free if left out");
  const FieldSpec displacement =
      signal_field("displacement", "m", "prescribes the displacement along the axis; free if left out");
  const auto axis = [&](const char* doc) { return direction("axis", dim, doc).required(); };
  std::vector<FieldSpec> motion{of};
  const char* axes[] = {"x", "y", "z"};
  for (int i = 0; i < dim; ++i)
    motion.push_back(signal_field(axes[i], "m",
                                  "displacement of the second place from its reference position, "
                                  "seen from the first; free if left out")
                         .turning(Turns::component));
  std::vector<FieldSpec> weld{of, at, method};
  if (dim == 3) {
    weld[2] =
        choice_field("method", "how its equations are kept",
                     {{"eliminated", "linear ones by elimination, exactly; the rest by multipliers"},
                      {"multipliers", "all by multipliers; not of plates"},
                      {"relations", "plate and body: distances, angles and orthogonalities of each node, five of nine"},
                      {"compliant", "plate and body: springs in place of equations"}});
    weld.push_back(number_field("stiffness", "N/m", "compliant: of all nodes together").more_than(0));
    weld.push_back(number_field("damping", "N s/m", "compliant: of all nodes together").defaults_to(0.0).at_least(0));
    weld.push_back(
        number_field("direction_length", "m", "compliant: the gradients' springs have stiffness times its square")
            .more_than(0)
            .defaults_to(std::string("the plate's thickness")));
  }
  spec.variants = {{"weld", "position and direction as in the reference configuration, offset kept", std::move(weld)},
                   {"clamp_direction", "as weld, but the material may stretch at the clamp", {of}},
                   {"pin", "the places coincide and may turn", {of, at, method}},
                   {"prescribed", "coordinates follow signals", std::move(motion)}};
  const FieldSpec line = axis("direction of the axis in the reference configuration; moves with the first place");
  if (dim == 2) {
    spec.variants.push_back({"revolute", "a pin with an angle", {of, at, method, angle}});
    spec.variants.push_back({"prismatic",
                             "slides along an axis of the first place, without turning",
                             {of, at, line, method, displacement}});
    spec.variants.push_back(
        {"point_on_line", "the second place stays on a line of the first", {of, at, line, method, displacement}});
  } else {
    spec.variants.push_back({"spherical", "the same as pin", {of, at, method}});
    spec.variants.push_back({"revolute", "turns about an axis", {of, at, line, method, angle}});
    spec.variants.push_back(
        {"prismatic", "slides along an axis, without turning", {of, at, line, method, displacement}});
    spec.variants.push_back(
        {"cylindrical", "turns about an axis and slides along it", {of, at, line, method, angle, displacement}});
    spec.variants.push_back({"universal",
                             "the places coincide; an axis of each, perpendicular to each other",
                             {of, at,
                              points_field("axes", "1", dim, "one of the first place, one of the second")
                                  .turning(Turns::direction)
                                  .required(),
                              method}});
    spec.variants.push_back({"planar",
                             "the second place slides and turns in a plane of the first",
                             {of, at, direction("normal", dim, "of the plane").required(), method}});
    spec.variants.push_back(
        {"point_on_line", "the second place stays on a line of the first", {of, at, line, method, displacement}});
    spec.variants.push_back({"point_on_plane",
                             "the second place stays in a plane of the first",
                             {of, at, direction("normal", dim, "of the plane").required(), method, displacement}});
  }
  spec.variants.push_back(
      {"gear",
       "ties the angles or displacements of two joints: second = ratio first + what they are in the reference",
       {reference_field("first", {"joint"}, "the first joint").required(),
        reference_field("second", {"joint"}, "the second joint").required(),
        number_field("ratio", "*", "turns of the second for one of the first; of a rack m/rad").required()}});
  add_activation(spec.fields);
  return spec;
}

}  // namespace flexura::detail
