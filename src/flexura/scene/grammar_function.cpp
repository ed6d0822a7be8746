// The tables of what happens and what is seen: signals, sensors, analyses, output; and what comes later.

#include "flexura/observe/quantity.hpp"
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

/// What a scene calls the place of a quantity.
const char* place_doc(unsigned places) {
  switch (places) {
    case where::line:
      return "place on a cable";
    case where::node:
      return "a node of a cable";
    case where::wall:
      return "place on a plate: a node, or shares of u and v";
    case where::body:
      return "the body";
    default:
      return "the place";
  }
}

FieldSpec selection_field(const Selection& selection) {
  std::vector<Choice> choices;
  for (const NamedChoice& choice : selection.choices)
    choices.push_back({std::string(choice.name), std::string(choice.doc)});
  return choice_field(std::string(selection.key), std::string(selection.doc), std::move(choices));
}

VariantSpec sensor_variant(const Quantity& quantity, int dim) {
  VariantSpec variant{std::string(quantity.name), std::string(quantity.doc), {}};
  const unsigned places = quantity.where & where::any_place, joints = quantity.where & where::any_joint;
  // Of a place or of a joint: either.
  const auto add = [&](FieldSpec field) {
    variant.fields.push_back(places != 0 && joints != 0 ? std::move(field) : std::move(field).required());
  };
  if (places != 0) add(place_field("at", place_doc(places)));
  if (joints != 0)
    add(reference_field("of", {"joint"},
                        quantity.where & where::joint_angle ? "the joint: revolute or cylindrical" : "the joint"));
  if (quantity.where & where::two_places) add(places_field("between", 2, "the two places"));
  if (quantity.where & where::signal) add(reference_field("of", {"signal"}, "the signal"));
  const Selection& selection = quantity.selection;
  if (!selection.choices.empty() && (dim == 3 || selection.only_on != where::wall))
    variant.fields.push_back(selection_field(selection));
  if (!quantity.part_doc.empty())
    variant.fields.push_back(reference_field("part", {"joint", "body"}, std::string(quantity.part_doc)));
  return variant;
}

}  // namespace

TableSpec sensor_table(int dim) {
  TableSpec spec;
  spec.kind = "sensor";
  spec.doc = "a recorded time series";
  spec.fields = {
      number_field("interval", "s", "between samples").more_than(0).defaults_to(std::string("output.sensor_interval"))};
  for (const Quantity& quantity : quantities())
    if (dim == 3 || quantity.where != where::wall) spec.variants.push_back(sensor_variant(quantity, dim));
  return spec;
}

TableSpec analysis_table() {
  TableSpec adaptive;
  adaptive.kind = "adaptive";
  adaptive.form = TableSpec::Form::single;
  adaptive.fields = {number_field("tolerance", "1", "relative error per step").defaults_to(1e-4).more_than(0),
                     number_field("min_step", "s", "smallest step").defaults_to(1e-9).more_than(0),
                     number_field("max_step", "s", "largest step").more_than(0).defaults_to(std::string("no limit"))};
  TableSpec integrator;
  integrator.kind = "integrator";
  integrator.form = TableSpec::Form::single;
  const auto project_velocities = [] {
    return boolean_field("project_velocities", "velocities are projected on the constraints after each step");
  };
  TableSpec stabilisation;
  stabilisation.kind = "stabilisation";
  stabilisation.form = TableSpec::Form::single;
  stabilisation.variants = {
      {"projection", "positions and velocities are brought back after each step, the shortest way in mass", {}},
      {"none", "constraints drift", {}},
      {"baumgarte",
       "d2Phi/dt2 = -2 alpha dPhi/dt - beta^2 Phi",
       {number_field("alpha", "1/s", "of the rate").more_than(0).defaults_to(std::string("5")),
        number_field("beta", "1/s", "of the violation").more_than(0).defaults_to(std::string("12")),
        number_field("omega", "1/s", "in place of alpha and beta: the frequency, beta")
            .more_than(0)
            .defaults_to(std::string("12")),
        number_field("zeta", "1", "with omega: the damping ratio, alpha/omega")
            .more_than(0)
            .defaults_to(std::string("0.7071"))}},
      {"fuzzy",
       "fuzzy control of the drift: near zero baumgarte with omega and zeta, limited far away",
       {integer_field("sets", "fuzzy sets of each input, odd").defaults_to(7.0).at_least(3).at_most(31),
        choice_field("membership", "form of the sets",
                     {{"gaussian", "bells of width sigma"},
                      {"triangular", "triangles"},
                      {"trapezoidal", "trapezoids; small violations are left alone"}}),
        choice_field("inference", "what the rules give",
                     {{"sugeno", "mean of the rules' outputs"}, {"mamdani", "centre of the area under their sets"}}),
        number_field("sigma", "1", "width of Gaussian sets")
            .more_than(0)
            .defaults_to(std::string("0.7 of their spacing")),
        number_field("phi_max", "1", "violation from which the control does not grow, in units of the constraint")
            .defaults_to(1e-3)
            .more_than(0),
        number_field("omega", "1/s", "frequency near zero").defaults_to(12).more_than(0),
        number_field("zeta", "1", "damping ratio near zero").defaults_to(0.7).more_than(0)}}};
  const auto stabilised = [&](std::vector<FieldSpec> fields) {
    fields.push_back(
        table_field("stabilisation", "what keeps the constraints of explicit methods from drifting", stabilisation)
            .defaults_to(std::string("projection")));
    return fields;
  };
  const auto embedded = [] {
    return std::vector<FieldSpec>{
        number_field("rtol", "1", "relative error of a step").defaults_to(1e-8).more_than(0).less_than(1),
        number_field("atol", "m", "error of a step where values are small, of positions")
            .defaults_to(1e-10)
            .more_than(0),
        number_field("atol_vector", "1", "the same of vectors and angles")
            .more_than(0)
            .defaults_to(std::string("atol")),
        number_field("atol_velocity", "m/s", "the same of velocities")
            .more_than(0)
            .defaults_to(std::string("100 atol"))};
  };
  const auto adams = [&] {
    std::vector<FieldSpec> fields = embedded();
    fields.push_back(integer_field("max_order", "highest order").defaults_to(12.0).at_least(1).at_most(12));
    return fields;
  };
  integrator.variants = {
      {"generalized-alpha",
       "second order, damps high frequencies",
       {number_field("rho_inf", "1", "spectral radius at infinite frequency").defaults_to(0.8).at_least(0).at_most(1),
        project_velocities()}},
      {"hht",
       "Hilber, Hughes and Taylor",
       {number_field("alpha", "1", "damping").defaults_to(-0.05).at_least(-1.0 / 3).at_most(0), project_velocities()}},
      {"newmark", "beta 1/4, gamma 1/2; not with constraints that have multipliers", {}},
      {"energy-momentum", "second order, keeps energy and momentum where nothing dissipates or drives", {}},
      {"rk4", "the classical method of order 4, explicit, constant steps", stabilised({})},
      {"rk45", "Dormand and Prince 5(4), explicit, steps of its own: rigid mechanisms", stabilised(embedded())},
      {"rk853", "Dormand and Prince 8(5,3), explicit, steps of its own: the same to many digits",
       stabilised(embedded())},
      {"adams",
       "Adams, Bashforth and Moulton, explicit, steps and orders of its own: where forces are costly and smooth",
       stabilised(adams())}};
  FieldSpec adapt =
      table_field("adaptive", "step from an estimate of the error", adaptive).defaults_to(std::string("fixed step"));
  adapt.switchable = true;

  const auto tolerance = [](double x) {
    return number_field("tolerance", "1", "of Newton's residual, relative to the forces").defaults_to(x).more_than(0);
  };
  const auto iterations = [](double n) {
    return integer_field("max_iterations", "of Newton per step").defaults_to(n).at_least(1).at_most(1e6);
  };
  const auto over_time = [] {
    return std::vector<FieldSpec>{
        number_field("end", "s", "time at which it ends").required().more_than(0),
        number_field("step", "s", "between the times at which it is computed").required().more_than(0)};
  };
  TableSpec spec;
  spec.kind = "analysis";
  spec.doc = "a step of the computation; each starts from the end of the one before";
  spec.form = TableSpec::Form::list;
  spec.fields = {text_field("name", "its name, unique").required()};
  spec.variants = {
      {"static",
       "equilibrium at fixed time; loads grow by a load factor",
       {tolerance(1e-9), iterations(20),
        number_field("load_step", "1", "first step of the load factor, adapted from then on")
            .defaults_to(0.1)
            .more_than(0)
            .at_most(1),
        boolean_field("arc_length", "follows the equilibria through limit points, where loads go down")}},
      {"dynamic",
       "motion up to a time",
       {number_field("end", "s", "time at which it ends").required().more_than(0),
        number_field("step", "s", "time step; the first one if adaptive").required().more_than(0),
        table_field("integrator", "method", integrator).defaults_to(std::string("generalized-alpha")), adapt,
        tolerance(1e-8), iterations(25),
        choice_field("tangent", "how often it is evaluated",
                     {{"modified", "when contraction is poor"},
                      {"once_per_step", "at the beginning of each step"},
                      {"full", "in every iteration"}}),
        number_field("checkpoint", "s", "interval at which the run can be resumed")
            .more_than(0)
            .defaults_to(std::string("chosen"))}},
      {"kinematic", "positions, velocities and accelerations that prescribed motions decide, without forces",
       over_time()},
      {"inverse_dynamics", "kinematic, and the forces that the motion takes", over_time()},
      {"modes",
       "eigenfrequencies and modes about the state reached",
       {integer_field("count", "number of modes").defaults_to(10.0).at_least(1).at_most(1e5)}}};
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
