// The five flagship scenes, those that run in examples/, the others in docs/scenes: the format carries all of them.

#include <gmock/gmock.h>

#include "flexura/scene/scene_model.hpp"
#include "scene_testing.hpp"

namespace flexura {
namespace {

TEST(Flagship, ActuatorAndBeamAreReadWhole) {
  const SceneDocument actuator = read_scene("examples/soft_actuator.toml", scene_terms());
  EXPECT_EQ(actuator.find("mass", "payload")->number("m"), 0.03);
  EXPECT_EQ(actuator.find("mass", "payload")->get<TimePoint>("until")->seconds, 6.0);
  EXPECT_EQ(actuator.files.size(), 1u);
  EXPECT_EQ(actuator.signals->size(), 2);
  EXPECT_EQ(actuator.of_kind("sensor").size(), 15u);
  const SceneDocument beam = read_scene("examples/beam.toml", scene_terms());
  EXPECT_EQ(beam.find("section", "strip")->text("axial"), "chord");
  EXPECT_EQ(beam.find("analysis", "bend-hold-release")->number("step"), 0.00005);
}

TEST(Flagship, ElephantIsReadWhole) {
  const SceneModels elephant = interpret_scene(read_scene("docs/scenes/elephant_trunk.toml", scene_terms()));
  EXPECT_EQ(elephant.models.size(), 2u);  // `shake` acts from the second analysis on
  EXPECT_EQ(elephant.models[0].element_count(), 192);
  EXPECT_EQ(elephant.models[0].sensors.size(), 5u);
  EXPECT_TRUE(elephant.warnings.empty());
}

// What a later version brings is refused as such; nothing else in the three scenes is.
TEST(Flagship, OtherScenesOnlyWantWhatComesLater) {
  for (const char* name : {"silicone_finger", "delta_robot", "delta_arm"}) {
    try {
      read_scene(fmt::format("docs/scenes/{}.toml", name), scene_terms());
      ADD_FAILURE() << name << " can be read: move it to the test above";
    } catch (const InputError& error) {
      for (const Problem& problem : error.problems())
        EXPECT_THAT(problem.message, ::testing::EndsWith("not in this version yet")) << describe(problem);
    }
  }
}

}  // namespace
}  // namespace flexura
