// The tables of what is enclosed: chambers, lines of gas.

#include "flexura/scene/grammar_tables.hpp"

namespace flexura::detail {
namespace {

FieldSpec ambient_field() { return number_field("ambient", "Pa", "pressure outside").defaults_to(101325).more_than(0); }

FieldSpec added_field(const char* what) {
  return signal_field("added", "1", std::string(what) + " added over time, as a share of the filling")
      .more_than(-1)
      .defaults_to(std::string("none"));
}

std::vector<FieldSpec> law_fields() {
  return {
      choice_field("law", "how the flow depends on the pressures",
                   {{"laminar", "pressure difference over `resistance`"},
                    {"orifice", "of compressible gas by ISO 6358: `conductance`, `critical_ratio`"}}),
      number_field("resistance", "Pa s/kg", "laminar: pressure difference over mass flow")
          .defaults_to(1e9)
          .more_than(0),
      number_field("conductance", "m^3/(s Pa)", "orifice: sonic conductance C").defaults_to(1e-8).more_than(0),
      number_field("critical_ratio", "1", "orifice: b, ratio of pressures below which the flow is sonic")
          .defaults_to(0.4)
          .at_least(0)
          .less_than(0.9),
      signal_field("opening", "1", "0 is shut, 1 is open").at_least(0).defaults_to(std::string("open")),
  };
}

VariantSpec line_variant(const char* type, const char* doc, std::vector<FieldSpec> fields, bool has_law = true) {
  if (has_law)
    for (FieldSpec& field : law_fields()) fields.push_back(std::move(field));
  return {type, doc, std::move(fields)};
}

}  // namespace

TableSpec chamber_table(int dim) {
  TableSpec spec;
  spec.kind = "chamber";
  spec.doc =
      dim == 3 ? "what plates and solids are around, and what is in it" : "what cables are around, and what is in it";
  spec.fields = {
      (dim == 3
           ? names_field(
                 "surfaces", {"plate", "membrane", "solid"},
                 "what is around it: plates, membranes, and surfaces of solids, as \"leg.inner\"; * stands for any "
                 "letters")
           : names_field("surfaces", {"cable"}, "what is around it; * stands for any letters"))
          .required(),
      boolean_field("lids", dim == 3 ? "openings are closed by lids without stiffness, from the middle of their rim"
                                     : "ends that are apart are joined by straight walls"),
      number_field("tolerance", "m", "of what lies side by side")
          .more_than(0)
          .defaults_to(std::string("a thousandth of its size")),
  };
  if (dim == 3) {
    spec.fields.push_back(names_field("planes", {"plane"},
                                      "that close it, of the ground or of symmetry; at most three, through one point"));
  } else {
    spec.fields.push_back(number_field("depth", "m", "across the plane").required().more_than(0));
  }
  spec.type_optional = true;
  spec.variants = {
      {"gas",
       "a filling of gas, P V^n constant",
       {number_field("overpressure", "Pa", "of the filling in the reference").defaults_to(0).at_least(0),
        number_field("exponent", "1", "n: 1 isothermal, 1.4 adiabatic air").defaults_to(1).more_than(0),
        ambient_field(), number_field("dead_volume", "m^3", "of hoses and fittings").defaults_to(0).at_least(0),
        number_field("temperature", "K", "of the filling").defaults_to(293.15).more_than(0),
        number_field("gas_constant", "J/(kg K)", "of the gas; dry air by default").defaults_to(287.05).more_than(0),
        added_field("gas")}},
      {"liquid",
       "filled with a liquid",
       {number_field("compressibility", "1/Pa", "of the liquid; water 4.6e-10, 0: none").defaults_to(0).at_least(0),
        number_field("dead_volume", "m^3", "of hoses and fittings").defaults_to(0).at_least(0), added_field("liquid")}},
      {"pressure",
       "at a pressure that is given",
       {signal_field("pressure", "Pa", "overpressure over time").required()}},
  };
  return spec;
}

TableSpec line_table() {
  TableSpec spec;
  spec.kind = "line";
  spec.doc = "a way for gas into chambers, out of them and between them";
  const auto of = [] { return reference_field("of", {"chamber"}, "the chamber").required(); };
  spec.variants = {
      line_variant(
          "supply", "from a supply at a pressure that is given",
          {of(),
           signal_field("pressure", "Pa", "overpressure of the supply over time, no less than a vacuum's").required()}),
      line_variant("vent", "to the atmosphere", {of()}),
      line_variant("inflow", "gas that flows in whatever the pressure",
                   {of(), signal_field("rate", "kg/s", "mass flow over time; negative: out").required()}, false),
      line_variant("between", "from one chamber to another",
                   {of(), reference_field("to", {"chamber"}, "the other chamber").required()}),
  };
  return spec;
}

}  // namespace flexura::detail
