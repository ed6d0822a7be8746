// The table of lengths and areas that are kept.

#include "flexura/scene/grammar_tables.hpp"

namespace flexura::detail {

TableSpec constraint_table(int dim) {
  const auto change = [](const char* what) {
    return signal_field("change", "1", what).defaults_to(std::string("none"));
  };
  const FieldSpec each = boolean_field("each", "each element by itself, and not only their sum");
  TableSpec spec;
  spec.kind = "constraint";
  spec.doc = dim == 3 ? "a length or an area that is kept" : "a length that is kept";
  VariantSpec length{
      "length",
      "lines that stay as long as they are in the reference",
      {names_field("on", dim == 3 ? std::vector<std::string>{"cable", "beam"} : std::vector<std::string>{"cable"},
                   "whole parts; * stands for any letters"),
       places_field("between", 2, "two nodes of a part: along the shortest way of edges from one to the other"),
       choice_field("measure", "what is kept",
                    {{"arc", "the length"}, {"quadratic", "the integral of its square, which bounds the length"}}),
       each, change("of the length over time, as a share of the reference: -0.1 is a tenth shorter")}};
  length.at_least_one = {"on", "between"};
  if (dim == 3) {
    length.fields.insert(length.fields.begin() + 1,
                         places_field("at", 0, "edges of plates, rings of nodes, curves of solids"));
    length.at_least_one.emplace_back("at");
  }
  spec.variants.push_back(std::move(length));
  if (dim == 3) {
    VariantSpec area{
        "area",
        "surfaces that stay as large as they are in the reference",
        {names_field("on", {"plate"}, "whole plates; * stands for any letters"),
         places_field("at", 0, "sets of elements of plates, of faces of solids"), each,
         change("of lengths over time, as a share of the reference: with 0.1 the area becomes 1.21 of it")}};
    area.at_least_one = {"on", "at"};
    spec.variants.push_back(std::move(area));
  }
  return spec;
}

}  // namespace flexura::detail
