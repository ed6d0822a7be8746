#include "flexura/scene/schema.hpp"

#include <nlohmann/json.hpp>

#include "flexura/scene/units.hpp"
#include "scene_testing.hpp"

namespace flexura {
namespace {

using Json = nlohmann::json;

TEST(Schema, HoldsEveryRegisteredTermWithItsUnitsAndBounds) {
  const Json planar = Json::parse(scene_schema(scene_terms()))["$defs"]["planar"]["properties"];
  const Json mass = planar["mass"]["patternProperties"].begin().value();
  EXPECT_EQ(mass["properties"]["m"]["title"], "m [kg]");
  EXPECT_EQ(mass["properties"]["m"]["anyOf"][0]["minimum"], 0.0);
  EXPECT_EQ(mass["additionalProperties"], false);
  for (const TermInfo& term : scene_terms()) {
    if (term.scene.table.empty() || term.dim != 2) continue;
    EXPECT_TRUE(planar.contains(term.scene.table)) << term.name;
  }
}

// Units of descriptors that cannot be read would switch the dimension check off.
TEST(Schema, EveryUnitOfADescriptorIsAUnit) {
  const std::function<void(const TableSpec&)> check_table = [&](const TableSpec& table) {
    const auto check = [&](const FieldSpec& field) {
      EXPECT_TRUE(field.unit.empty() || field.unit == "*" || parse_unit(field.unit))
          << table.kind << "." << field.name << ": " << field.unit;
      EXPECT_FALSE(field.doc.empty()) << table.kind << "." << field.name;
      if (field.table != nullptr) check_table(*field.table);
    };
    for (const FieldSpec& field : table.fields) check(field);
    for (const VariantSpec& variant : table.variants)
      for (const FieldSpec& field : variant.fields) check(field);
  };
  for (int dim : {2, 3}) {
    const auto grammar = scene_grammar(dim, scene_terms());
    for (const TableSpec& table : grammar->tables) check_table(table);
  }
}

}  // namespace
}  // namespace flexura
