#include "flexura/scene/scene_number.hpp"

#include <gmock/gmock.h>

#include "flexura/scene/reader.hpp"

namespace flexura {
namespace {

using testing::HasSubstr;

SceneDocument actuator() { return read_scene("examples/soft_actuator.toml", scene_terms(), {}); }

TEST(SceneNumber, NumbersUnitsAndPlacesInLists) {
  const std::vector<SceneNumber> found = find_scene_numbers(
      actuator(), {"section.wall.EI", "gravity[1]", "parameters.L", "cable.actuator.path[0][1]", "analysis.move.step"});
  EXPECT_EQ(found[0].value, 0.0186);
  EXPECT_EQ(found[1].value, -9.81);
  EXPECT_EQ(found[1].setting(-5), "gravity=[0, -5.0]");
  EXPECT_EQ(found[2].value, 0.175);
  EXPECT_EQ(found[3].value, 0);
  EXPECT_EQ(found[4].value, 0.5e-3);
  EXPECT_EQ(found[0].unit, "N m^2");
  EXPECT_EQ(found[2].unit, "");
  EXPECT_EQ(found[4].unit, "s");
}

TEST(SceneNumber, SettingsOfOneListAreOne) {
  const auto found = find_scene_numbers(actuator(), {"gravity[0]", "mass.payload.m", "gravity[1]"});
  const std::vector<std::string> settings = SceneNumber::settings(found, {1, 0.5, -3});
  EXPECT_THAT(settings, testing::ElementsAre("gravity=[1.0, -3.0]", "mass.payload.m=0.5"));
}

TEST(SceneNumber, AllProblemsAtOnce) {
  try {
    find_scene_numbers(actuator(), {"section.wal.EI", "gravity", "gravity[2]", "cable.actuator.path[1][0]", "title",
                                    "joint.clamp.type[0]"});
    FAIL();
  } catch (const InputError& error) {
    ASSERT_EQ(error.problems().size(), 6u);
    EXPECT_EQ(error.problems()[0].nearest, "wall");
    EXPECT_THAT(error.problems()[1].message, HasSubstr("name one of its 2 numbers, as gravity[0]"));
    EXPECT_THAT(error.problems()[2].message, HasSubstr("its last is [1]"));
    EXPECT_THAT(error.problems()[3].message, HasSubstr("it is the expression \"= L\""));
    EXPECT_THAT(error.problems()[4].message, HasSubstr("no number"));
    EXPECT_THAT(error.problems()[5].message, HasSubstr("no list"));
  }
}

}  // namespace
}  // namespace flexura
