// The table of scenes that are used in a scene.

#include "flexura/scene/grammar_tables.hpp"
#include "flexura/scene/placement.hpp"

namespace flexura::detail {

TableSpec use_table(int dim) {
  TableSpec spec;
  spec.kind = "use";
  spec.doc = "another scene as a part of this one: its things enter with names that begin with \"NAME.\"";
  spec.is_part = true;
  spec.fields = {file_field("scene", "the file of the other scene").required()};
  for (FieldSpec& field : placement_fields(dim)) spec.fields.push_back(std::move(field));
  spec.fields.push_back(
      named_field("parameters", "*", 1, "in place of those of the used scene").defaults_to(std::string("its own")));
  spec.fields.push_back(settings_field("set", "changes of its values, as --set makes them: section.wall.EA = 3000"));
  return spec;
}

}  // namespace flexura::detail
