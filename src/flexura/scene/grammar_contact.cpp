// The tables of what touches: spheres, planes, contacts.

#include "flexura/scene/grammar_tables.hpp"

namespace flexura::detail {

TableSpec sphere_table(int dim) {
  TableSpec spec;
  spec.kind = "sphere";
  spec.doc = dim == 3 ? "a ball that contacts know: a mass of its own without rotation, or on a place of a part"
                      : "a disc that contacts know: a mass of its own without rotation, or on a place of a part";
  spec.is_part = true;
  spec.fields = {
      number_field("radius", "m", "radius; 0 is the point itself").required().at_least(0),
      vector_field("position", "m", dim, "of its centre, in the reference").turning(Turns::position),
      place_field("at", "in place of `position`: its centre is this place of a part"),
      number_field("m", "kg", "mass; with `at` it is added to the part")
          .more_than(0)
          .defaults_to(std::string(dim == 3 ? "from `density`; with `at` none" : "with `at` none")),
  };
  if (dim == 3) spec.fields.push_back(number_field("density", "kg/m^3", "in place of `m`").more_than(0));
  if (dim == 3)
    spec.fields.push_back(place_field(
        "nodes", "in place of `at`: one on each node of this face of a solid; they never touch each other"));
  spec.fields.push_back(vector_field("velocity", "m/s", dim, "initial velocity")
                            .turning(Turns::direction)
                            .defaults_to(std::string("at rest")));
  spec.fields.push_back(color_field());
  return spec;
}

TableSpec plane_table(int dim) {
  TableSpec spec;
  spec.kind = "plane";
  spec.doc = dim == 3 ? "a plane of the ground; what is behind it is solid"
                      : "a line of the ground; what is behind it is solid";
  spec.fields = {
      vector_field("point", "m", dim, "on it").required().turning(Turns::position),
      vector_field("normal", "1", dim, "out of the solid, of any length").required().turning(Turns::direction),
      color_field()};
  return spec;
}

TableSpec contact_table() {
  TableSpec spec;
  spec.kind = "contact";
  spec.doc = "what may touch, without friction";
  spec.fields = {
      names_field("between", {"sphere", "plane"}, "any two of these may touch; * stands for any letters").required(),
      number_field("restitution", "1", "normal velocity after an impact over that before")
          .defaults_to(0.0)
          .at_least(0)
          .at_most(1),
  };
  add_activation(spec.fields);
  return spec;
}

}  // namespace flexura::detail
