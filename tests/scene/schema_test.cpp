#include "flexura/scene/schema.hpp"

#include <fmt/format.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "flexura/observe/quantity.hpp"
#include "flexura/scene/coordinate_units.hpp"
#include "flexura/scene/key_reference.hpp"
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

// flexura schema --keys -o docs/scene-keys.md
TEST(Schema, ThePageOfKeysIsThatOfTheDescriptors) {
  std::ifstream file("docs/scene-keys.md");
  std::stringstream text;
  text << file.rdbuf();
  const std::string page = scene_keys(scene_terms());
  EXPECT_TRUE(text.str() == page) << "write it again: flexura schema --keys -o docs/scene-keys.md";
  for (const TermInfo& term : scene_terms()) {
    if (term.scene.type.empty()) continue;
    const bool is_only =
        scene_grammar(term.dim, scene_terms())->find_table(std::string(term.scene.table))->variants.size() == 1;
    std::string heading = fmt::format("`[{}.NAME]`", term.scene.table);
    if (!is_only) heading += fmt::format(", type `{}`", term.scene.type);
    EXPECT_NE(page.find(heading), std::string::npos) << term.name;
    for (const Field& field : term.fields)
      EXPECT_NE(page.find(fmt::format("| `{}`", field.name)), std::string::npos) << field.name;
  }
  for (const Quantity& quantity : quantities())
    EXPECT_NE(page.find(fmt::format("| `{}` | {} |", quantity.name, quantity.unit)), std::string::npos)
        << quantity.name;
}

// Units of descriptors that cannot be read would switch the dimension check off.
TEST(Schema, EveryUnitOfADescriptorIsAUnit) {
  const std::function<void(const TableSpec&)> check_table = [&](const TableSpec& table) {
    const auto check = [&](const FieldSpec& field) {
      for (const JointCoordinate at : {JointCoordinate::any, JointCoordinate::angle, JointCoordinate::displacement}) {
        const std::string unit = unit_at_joint(field.unit, [&](std::string_view) { return at; });
        for (size_t from = 0, end = 0; unit != "*" && !unit.empty() && end != unit.npos; from = end + 4) {
          end = unit.find(" or ", from);
          EXPECT_TRUE(parse_unit(unit.substr(from, end - from))) << table.kind << "." << field.name << ": " << unit;
        }
      }
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
