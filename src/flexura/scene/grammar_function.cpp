// The tables of what happens and what is seen: signals, sensors, analyses, output; and what comes later.

#include "flexura/integrate/analyses.hpp"
#include "flexura/scene/grammar_tables.hpp"

namespace flexura::detail {

TableSpec signal_table() {
  const auto u = [](std::string name, std::string doc) { return number_field(std::move(name), "*", std::move(doc)); };
  const auto start = [] { return number_field("start", "s", "time at which it begins").defaults_to(0.0); };
  const auto phase = [] { return number_field("phase", "rad", "phase at start").defaults_to(0.0); };
  const auto step = [&] {
    return std::vector<FieldSpec>{u("from", "value before").defaults_to(0.0), u("to", "value after").required(),
                                  start(), number_field("duration", "s", "0 is a jump").required().at_least(0)};
  };
  TableSpec spec;
  spec.kind = "signal";
  spec.doc = "a function of time";
  spec.variants = {
      {"constant", "a number", {u("value", "the number").required()}},
      {"ramp", "linear from one value to another, held before and after", step()},
      {"smooth_step", "as the ramp, twice continuously differentiable", step()},
      {"sine",
       "offset + amplitude sin(2 pi frequency (t - start) + phase)",
       {u("amplitude", "amplitude").required(), number_field("frequency", "Hz", "frequency").required().at_least(0),
        phase(), u("offset", "mean value").defaults_to(0.0), start()}},
      {"chirp",
       "a sine whose frequency grows linearly from f0 to f1",
       {u("amplitude", "amplitude").required(), number_field("f0", "Hz", "first frequency").required().at_least(0),
        number_field("f1", "Hz", "last frequency").required().at_least(0),
        number_field("duration", "s", "duration of the sweep").required().more_than(0),
        u("offset", "mean value").defaults_to(0.0), phase(), start()}},
      {"piecewise",
       "straight lines between points [t, u]; two points of the same time are a jump",
       {points_field("points", "*", 2, "pairs [t, u], t in s").required().turning(Turns::stays),
        number_field("period", "s", "repeats").more_than(0).defaults_to(std::string("none"))}},
      {"table",
       "columns of a file",
       {file_field("file", "numbers in columns").required(),
        column_field("time", "column of t [s]").defaults_to(std::string("the first")),
        column_field("value", "column of the values").defaults_to(std::string("the second")),
        text_field("unit", "unit of the values").defaults_to(std::string("SI")),
        choice_field("interpolation", "between rows",
                     {{"linear", "straight lines"},
                      {"hold", "the last row's value"},
                      {"cubic", "monotone, once continuously differentiable"},
                      {"spline", "twice continuously differentiable"}}),
        number_field("period", "s", "repeats").more_than(0).defaults_to(std::string("none"))}},
      {"expression", "a formula in t and signal(name)", {text_field("formula", "the formula").required()}},
      {"lag",
       "first-order lag of another signal",
       {reference_field("of", {"signal"}, "the signal").required(),
        number_field("time_constant", "s", "time constant").required().more_than(0),
        u("initial", "value at the start").defaults_to(std::string("at rest"))}},
      {"input",
       "a number that the program around the simulation sets between steps",
       {u("value", "until it is set").defaults_to(0.0)}},
      {"external",
       "computed by the program around the simulation",
       {text_field("function", "name of the function").defaults_to(std::string("the signal's name"))}}};
  return spec;
}

namespace {

/// What is measured in the wall of a plate.
std::vector<VariantSpec> wall_sensors() {
  const auto at = [] { return place_field("at", "place on a plate: a node, or shares of u and v").required(); };
  const auto face = [] {
    return choice_field("face", "of the wall",
                        {{"top", "on the normal's side"},
                         {"bottom", "the other one"},
                         {"middle", "halfway; stress: mean of the wall"}});
  };
  return {{"membrane_force", "N11, N22, N12 per length of the reference [N/m]", {at()}},
          {"bending_moment", "M11, M22, M12 per length; positive ones stretch the top face [N]", {at()}},
          {"membrane_strain", "Green's strain of the middle surface, 11, 22, 12", {at()}},
          {"curvature_change", "11, 22, 12; positive ones stretch the top face [1/m]", {at()}},
          {"strain", "Green's strain of a face, 11, 22, 12", {at(), face()}},
          {"stress", "11, 22, 12 at a face [Pa]", {at(), face()}},
          {"von_mises", "von Mises' stress at a face [Pa]", {at(), face()}}};
}

}  // namespace

TableSpec sensor_table(int dim) {
  const auto at = [](std::string doc) { return std::vector<FieldSpec>{place_field("at", std::move(doc)).required()}; };
  const auto of_joint = [] { return std::vector<FieldSpec>{reference_field("of", {"joint"}, "the joint").required()}; };
  TableSpec spec;
  spec.kind = "sensor";
  spec.doc = "a recorded time series";
  spec.fields = {
      number_field("interval", "s", "between samples").more_than(0).defaults_to(std::string("output.sensor_interval"))};
  spec.variants = {
      {"position", "coordinates [m]", at("the place")},
      {"velocity", "velocity [m/s]", at("the place")},
      {"acceleration", "acceleration [m/s^2]", at("the place")},
      {"direction", "unit tangent", at("the place")},
      {"angle",
       "counting whole turns [rad]: of the tangent from +X at a place, or between the parts of a joint",
       {place_field("at", "the place"), reference_field("of", {"joint"}, "the joint: revolute or cylindrical")}},
      {"displacement", "of a prismatic or cylindrical joint along its axis [m]", of_joint()},
      {"frame", "position [m] and orientation of a body: an angle [rad], or quat_xyzw", at("the body")},
      {"angular_velocity", "of a body [rad/s]", at("the body")},
      {"angular_acceleration", "of a body [rad/s^2]", at("the body")},
      {"axial_force", "axial force [N]", at("place on a cable")},
      {"curvature", "curvature [1/m]", at("place on a cable")},
      {"moment", "bending moment of the section [N m]", at("place on a cable")},
      {"node_elastic_moment", "r_x x Q, Q the elastic force conjugate to r_x [N m]", at("a node of a cable")},
      {"node_elastic_force_norm", "|Q|, Q the elastic force conjugate to r_x [N]", at("a node of a cable")},
      {"reaction", "force of the first place on the second [N]", of_joint()},
      {"reaction_moment", "moment of the first place on the second, about it [N m]", of_joint()},
      {"multiplier", "all multipliers of a joint; those of least size where equations are redundant", of_joint()},
      {"distance", "between two places [m]", {places_field("between", 2, "the two places").required()}},
      {"constraint_violation",
       "largest |Phi| and largest |dPhi/dt|",
       {choice_field("of", "family of constraints",
                     {{"all", "all that carry multipliers"},
                      {"rigidity", "lengths and angles that keep bodies and nodes of beams rigid"},
                      {"distance", "distance joints; of nodes of a plate from the centre of method = \"relations\""},
                      {"angle", "of those nodes about the centre"},
                      {"orthogonality", "of those nodes and their gradients"},
                      {"offset", "points on planes and lines, also those of the families above"},
                      {"offset_coordinate", "displacements of joints"},
                      {"joint_angle", "angles of joints"},
                      {"vector_length", "all lengths of vectors, also those of the families above"},
                      {"inner_product", "all angles between vectors, also those of the families above"}}),
        reference_field("part", {"joint", "body"}, "only those of this joint or body")}},
      {"energy",
       "an energy of the whole model [J]",
       {choice_field("of", "which",
                     {{"total", "kinetic, strain and gravity"},
                      {"kinetic", "kinetic energy"},
                      {"strain", "energy stored in parts and springs"},
                      {"gravity", "potential energy of weight"},
                      {"dissipated", "dissipated since the start"},
                      {"work", "done by loads since the start"}})}},
      {"momentum", "linear momentum of the whole model [kg m/s]", {}},
      {"angular_momentum", "angular momentum of the whole model about the origin of space [kg m^2/s]", {}},
      {"signal", "a signal", {reference_field("of", {"signal"}, "the signal").required()}}};
  if (dim == 3) {
    for (VariantSpec& variant : wall_sensors()) spec.variants.push_back(std::move(variant));
    for (VariantSpec& variant : spec.variants)
      if (variant.type == "direction")
        variant.fields.push_back(choice_field(
            "axis", "on a plate, which", {{"u", "tangent along u"}, {"v", "along v"}, {"normal", "of the top face"}}));
  }
  return spec;
}

TableSpec analysis_table() {
  TableSpec spec;
  spec.kind = "analysis";
  spec.doc = "a step of the computation; each starts from the end of the one before";
  spec.form = TableSpec::Form::list;
  spec.fields = {text_field("name", "its name, unique").required()};
  spec.variants = variants_of(analyses());
  return spec;
}

TableSpec output_table() {
  TableSpec spec;
  spec.kind = "output";
  spec.doc = "what is recorded how often";
  spec.form = TableSpec::Form::single;
  spec.fields = {
      number_field("interval", "s", "between recorded states").more_than(0).defaults_to(std::string("chosen")),
      number_field("sensor_interval", "s", "between samples of sensors")
          .more_than(0)
          .defaults_to(std::string("interval")),
      boolean_field("every_step", "records states and sensors at every step")};
  return spec;
}

std::vector<LaterFeature> later_features() {
  return {{"plate", "full", "plates with shear across the wall"},
          {"solid", "", "solids"},
          {"truss", "", "trusses"},
          {"chamber", "", "chambers"},
          {"contact", "", "contact"},
          {"muscle", "", "muscles"},
          {"start", "", "a start from another run's results"},
          {"material", "yeoh", "hyperelastic materials"},
          {"joint", "length", "length constraints"},
          {"joint", "drive", "drives"},
          {"sensor", "contact_force", "contact sensors"},
          {"integrator", "bdf", "the BDF integrator"}};
}

}  // namespace flexura::detail
