// Scenes with [beam.NAME] and spatial [cable.NAME]: sections, places, clamps, and the figures that come out.

#include "flexura/scene/scene_model.hpp"
#include "flexura/solve/statics.hpp"
#include "tests/scene/scene_testing.hpp"

namespace flexura::testing {
namespace {

const std::string bend = R"(
space = "spatial"
[material.m]
E = 1e7
rho = 1.0
nu = 0.0
[section.square]
shape = { type = "rectangle", width = 1, height = 1 }
material = "m"
[beam.bend]
section = "square"
path = { arc = { through = [[0, 0, 0], [38.26834323650898, 7.612046748871322, 0], [70.71067811865474, 29.289321881345254, 0]] } }
elements = 16
up = [0, 0, 1]
[joint.clamp]
type = "weld"
of = ["ground", "bend.start"]
[load.F]
type = "force"
at = "bend.end"
force = [0, 0, 600]
[sensor.tip]
type = "position"
at = "bend.end"
[sensor.between]
type = "position"
at = "bend@0.51"
[[analysis]]
type = "static"
name = "s"
)";

// The bend of 45 degrees with St. Venant's torsion constant 0.1406.
TEST(BeamScene, BendOf45DegreesFromATextMeetsTheTable) {
  const SceneModels models = interpret_scene(read(bend));
  const SceneModel& scene = models.models[0];
  ASSERT_EQ(scene.cables.size(), 1u);
  EXPECT_EQ(scene.cables[0].points.size(), 33u) << "two nodes per element and one more";
  EXPECT_EQ(scene.cables[0].frames.size(), 33u);
  EXPECT_NEAR(scene.cables[0].elements[0].parameters[5], 5e6 * .1406, 5e6 * 5e-5) << "GJ";
  const Values* values = &scene.model.values;
  System<double> system(scene.model.topology, {&values, 1});
  State<double> state = system.initial_state(0);
  ASSERT_TRUE(StaticSolver(system, {}).solve(state).converged);
  const int tip = scene.model.topology->slots[scene.model.topology->find_slot("bend.32.r")].offset;
  const double table[] = {70.7107 - 23.8188, 29.2893 - 13.7315, 53.6079};
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(state.q[tip + i], table[i], 5e-3) << i;
}

TEST(BeamScene, SaysWhatASectionLacks) {
  std::string text = bend;
  text.replace(text.find("shape ="),
               std::string("shape = { type = \"rectangle\", width = 1, height = 1 }\nmaterial = \"m\"").size(),
               "EA = 1\nEI = 1\nrhoA = 1\nGJ = 1\nGA1 = 1");
  try {
    interpret_scene(read(text));
    FAIL();
  } catch (const InputError& error) {
    std::vector<std::string> lines;
    for (const Problem& problem : error.problems()) lines.push_back(line_of(problem));
    ASSERT_EQ(lines.size(), 3u) << lines[0];
    EXPECT_EQ(lines[0],
              "7:10: section.square: \"GA2\" is missing, which the beam \"bend\" needs: give it, or a shape and a "
              "material");
  }
}

// A hanging chain of one cable in space, thrown sideways: the scene's slots hold the turned velocities.
TEST(BeamScene, SpatialCablesTurnAboutAPoint) {
  const SceneModels models = interpret_scene(read(R"(
space = "spatial"
gravity = [0, 0, -9.81]
[section.s]
EA = 2000
EI = 0.02
rhoA = 0.12
[cable.c]
section = "s"
path = [[0, 0, 0], [0.3, 0.4, 0]]
elements = 2
angular_velocity = [0, 0, 2]
[joint.pin]
type = "pin"
of = ["ground", "c.start"]
[[analysis]]
type = "dynamic"
name = "d"
end = 0.1
step = 1e-3
)"));
  const SceneModel& scene = models.models[0];
  EXPECT_EQ(find_term("ancf_cable_3d"), scene.model.topology->batches[0].type);
  const int tip = scene.model.topology->slots[scene.cables[0].points[2]].offset;
  EXPECT_NEAR(scene.model.values.v0[tip], -0.8, 1e-15);
  EXPECT_NEAR(scene.model.values.v0[tip + 1], 0.6, 1e-15);
  EXPECT_EQ(scene.model.values.v0[tip + 2], 0);
}

}  // namespace
}  // namespace flexura::testing
