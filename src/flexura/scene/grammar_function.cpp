// The tables of what happens and what is seen: signals, sensors, analyses, output; and what comes later.

#include "flexura/integrate/analyses.hpp"
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
    case where::beam:
      return "place on a beam";
    case where::shaped:
      return "place on a cable or beam whose section has a shape";
    case where::node:
      return "a node of a cable";
    case where::wall:
      return "place on a plate: a node, or shares of u and v";
    case where::solid:
      return "place on a solid: a node, shares of u, v and w, or coordinates";
    case where::fibred:
      return "place on a solid with fibres";
    case where::edge:
      return "place within an edge of a membrane's triangles, or of tetrahedra of 4 nodes";
    case where::wall | where::solid:
      return "place on a plate or solid";
    case where::thick | where::solid:
      return "place on a solid: a node, shares of u, v and w, or coordinates; or on a plate of full elements";
    case where::body:
      return "the body";
    case where::body | where::beam_node:
      return "the body, or a node of a beam";
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
  const unsigned there = where_in(quantity, dim), places = there & where::any_place, joints = there & where::any_joint,
                 items = there & where::any_item;
  const bool fixed = (there & where::fixed_point) != 0;
  // Of a place or of a thing: either.
  const auto add = [&](FieldSpec field) {
    const bool either = (places != 0 || fixed) && (joints != 0 || items != 0);
    variant.fields.push_back(either ? std::move(field) : std::move(field).required());
  };
  if (places != 0) add(place_field("at", place_doc(places)));
  if (fixed) add(place_field("at", "in place of `of`: a point that is `fixed`"));
  if (joints == where::joint_offset)
    add(reference_field("of", {"joint", "truss"}, "the joint: prismatic or cylindrical; or the truss"));
  else if (joints != 0)
    add(reference_field("of", {"joint"},
                        quantity.where & where::joint_angle ? "the joint: revolute or cylindrical"
                        : quantity.where & where::driven    ? "the joint, whose coordinate a signal prescribes"
                                                            : "the joint"));
  if (quantity.where & where::two_places) add(places_field("between", 2, "the two places"));
  if (items == where::chamber) {
    add(reference_field("of", {"load", "chamber"},
                        "the chamber, or a load: pneumatic, or a pressure on a plate or solid"));
  } else if (quantity.where & where::any_chamber) {
    add(reference_field("of", {"chamber"}, "the chamber"));
  } else if (quantity.where & where::any_kept) {
    add(reference_field("of", {"constraint"}, "the constraint"));
  } else if (items != 0) {
    add(reference_field("of", {"spring", "truss", "load"}, "the spring, truss or load"));
  }
  if (quantity.where & where::touching) add(reference_field("of", {"sphere", "plane"}, "the sphere or plane"));
  if (quantity.where & where::contact) add(reference_field("of", {"contact"}, "the contact"));
  if (quantity.where & where::two_touching) {
    add(reference_field("first", {"sphere"}, "a sphere"));
    add(reference_field("second", {"sphere", "plane"}, "another sphere, or a plane"));
  }
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
    if (exists_in(quantity, dim)) spec.variants.push_back(sensor_variant(quantity, dim));
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
  return {{"muscle", "", "muscles"},
          {"start", "", "a start from another run's results"},
          {"joint", "drive", "drives"},
          {"contact", "friction", "friction"},
          {"integrator", "bdf", "the BDF integrator"}};
}

}  // namespace flexura::detail
