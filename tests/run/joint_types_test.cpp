#include "flexura/part/joint_types.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "flexura/run/consistent_start.hpp"
#include "flexura/scene/reader.hpp"

namespace flexura {
namespace {

// Reports and drives ask the row of every joint, those of registered terms among them.
TEST(JointTypes, OfTheGrammarAllHaveARow) {
  for (const int dim : {2, 3}) {
    const auto grammar = scene_grammar(dim, scene_terms());
    const TableSpec* table = grammar->find_table("joint");
    for (const std::string& type : table->types())
      EXPECT_NE(find_joint(type, dim), nullptr) << type << " in " << dim << " dimensions";
    for (const JointRow& row : joint_rows())
      EXPECT_EQ(table->find_variant(std::string(row.name)) != nullptr, find_joint(row.name, dim) != nullptr)
          << row.name << " in " << dim << " dimensions";
  }
}

std::string direction_of(const JointRow& row, int dim) {
  switch (row.direction) {
    case JointRow::Direction::axis:
      return dim == 2 ? "axis = [1, 0]" : "axis = [1, 0, 0]";
    case JointRow::Direction::axes:
      return "axes = [[1, 0, 0], [0, 1, 0]]";
    case JointRow::Direction::normal:
      return "normal = [0, 0, 1]";
    default:
      return "";
  }
}

// What a row says is kept is what the model keeps of a body that is joined to the ground: 3 or 6 degrees of freedom.
TEST(JointTypes, TakeTheDegreesOfFreedomThatTheySay) {
  for (const int dim : {2, 3})
    for (const JointRow& row : joint_rows()) {
      if (!row.is_in(dim) || !row.takes_method()) continue;
      for (const char* method : {"eliminated", "multipliers"}) {
        const std::string text = fmt::format(
            "space = \"{}\"\n[body.box]\nm = 1\ninertia = {}\n[joint.j]\ntype = \"{}\"\nof = [\"ground\", \"box\"]\n"
            "method = \"{}\"\n{}\n[[analysis]]\nname = \"move\"\ntype = \"dynamic\"\nend = 1\nstep = 0.1\n",
            dim == 2 ? "planar" : "spatial", dim == 2 ? "1" : "[1, 1, 1]", row.name, method, direction_of(row, dim));
        const SceneDocument document = read_scene_text(text, "joint.toml", scene_terms());
        const StartReport start = check_start(interpret_scene(document), document);
        EXPECT_EQ(start.freedom.dof, (dim == 2 ? 3 : 6) - row.removes(dim)) << row.name << ", " << method;
      }
    }
}

TEST(JointTypes, SayWhatSlides) {
  for (const char* name : {"prismatic", "cylindrical", "planar", "point_on_line", "point_on_plane", "prescribed"})
    EXPECT_TRUE(find_joint(name, 3)->slides()) << name;
  for (const char* name : {"weld", "pin", "spherical", "revolute", "universal", "gear"})
    EXPECT_FALSE(find_joint(name, 3)->slides()) << name;
  EXPECT_EQ(find_joint("universal", 2), nullptr);
}

}  // namespace
}  // namespace flexura
