// [membrane.NAME]: triangles without bending.

#include "flexura/scene/grammar_tables.hpp"
#include "flexura/scene/placement.hpp"

namespace flexura::detail {

TableSpec membrane_table() {
  TableSpec spec;
  spec.kind = "membrane";
  spec.doc = "a sheet that stretches and does not resist bending, of triangles [meijaard-truss]";
  spec.is_part = true;
  spec.fields = placement_fields(3);
  spec.fields.push_back(table_field("shape", "its surface as it is meshed; the place `surface` is all of it",
                                    surface_table("triangles and quadrilaterals"))
                            .required());
  add_grid_fields(spec, "number of quadrilaterals along u and along v, two triangles each; not for gmsh");
  const std::vector<FieldSpec> rest{
      reference_field("material", {"material"}, "what it is made of").required(),
      number_field("thickness", "m", "free of stress").required().more_than(0),
      vector_field(
          "along", "1", 3,
          "first direction of an orthotropic material, fibres and growth, in the sheet's own frame; made tangent")
          .turning(Turns::stays)
          .defaults_to(std::string("u of the shape, X of Gmsh files")),
      number_field("material_angle", "rad", "by which the first direction is turned about the normal").defaults_to(0.0),
      number_field("damping", "s", "Kelvin-Voigt retardation time").defaults_to(0.0).at_least(0),
      wall_growth_field("stretch less 1 at which it is free of stress, the same along all directions", false),
      number_field("prestress", "N/m", "tension per length, the same along all directions, as it is meshed")
          .defaults_to(0.0)
          .at_least(0),
      choice_field("carries", "what it resists",
                   {{"both", "tension and compression"}, {"tension", "tension: it wrinkles, and goes slack"}}),
      number_field("mass_damping", "1/s", "c of the force -c M v, in place of the scene's").at_least(0),
  };
  spec.fields.insert(spec.fields.end(), rest.begin(), rest.end());
  for (FieldSpec& field : motion_fields(3, "membrane", "the membrane's position"))
    spec.fields.push_back(std::move(field));
  spec.fields.push_back(color_field());
  return spec;
}

}  // namespace flexura::detail
