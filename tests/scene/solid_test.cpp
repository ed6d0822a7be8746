// Scenes with [solid.NAME]: what is warned about, and materials of which more than their constants is known.

#include <gmock/gmock.h>

#include <cmath>

#include "flexura/material/elastic_laws.hpp"
#include "flexura/scene/scene_model.hpp"
#include "tests/scene/scene_testing.hpp"

namespace flexura::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

SceneModels scene_of(const std::string& material, const std::string& more = "") {
  return interpret_scene(read(R"(
space = "spatial"
[material.m]
)" + material + R"(
[solid.b]
shape = { type = "block", size = [0.1, 0.1, 0.1] }
elements = [1, 1, 1]
material = "m"
)" + more + R"(
[[analysis]]
name = "move"
type = "dynamic"
end = 1
step = 0.1
)"));
}

std::vector<std::string> warnings_of(const std::string& material, const std::string& more = "") {
  std::vector<std::string> out;
  for (const Problem& warning : scene_of(material, more).warnings) out.push_back(warning.path + ": " + warning.message);
  return out;
}

TEST(SolidScene, WhatMakesNoSenseIsWarnedAbout) {
  EXPECT_THAT(warnings_of("type = \"neo-hooke\"\nmu = 1e5\nrho = 1100"), IsEmpty());
  EXPECT_THAT(warnings_of("type = \"neo-hooke\"\nmu = 1e5\nrho = 1.1"),
              ElementsAre(HasSubstr("material.m.rho: 1.1 kg/m^3 is lighter than any solid: 1 g/cm^3 is 1000 kg/m^3")));
  EXPECT_THAT(warnings_of("type = \"neo-hooke\"\nE = 0.3\nrho = 1100"),
              ElementsAre(HasSubstr("material.m.E: the shear modulus is 0.1 Pa: rubber has 1e4 to 1e7")));
  EXPECT_THAT(warnings_of("type = \"yeoh-paper\"\nc10 = 1e5\nrho = 1100"),
              ElementsAre(HasSubstr("has stress at rest")));
  // Gives way in tension soon after rest: C₂₀ < 0.
  EXPECT_THAT(warnings_of("type = \"yeoh\"\nc10 = 1e5\nc20 = -1e5\nrho = 1100"),
              ElementsAre(HasSubstr("is stable from a stretch of")));
  EXPECT_THAT(warnings_of("type = \"neo-hooke\"\nmu = 1e5\nrho = 1100", "element = \"tetrahedra-4\""),
              ElementsAre(HasSubstr("solid.b.element: tetrahedra of 4 nodes are far too stiff")));
  EXPECT_THAT(warnings_of("type = \"neo-hooke\"\nmu = 1e5\nnu = 0.3\nrho = 1100", "element = \"tetrahedra-4\""),
              IsEmpty());
}

/// Parameters of the first element.
std::vector<double> numbers(const SceneModels& scene) {
  const std::vector<double>& all = scene.models[0].model.values.parameters[0];
  return {all.begin(), all.begin() + 8};  // rho, six constants, bulk
}

// Parameters, ranges, places of the ends and the layer of a wall by formulas.
TEST(SolidScene, AFormulaIsAVolume) {
  const SceneModels scene = interpret_scene(read(R"(
space = "spatial"
[parameters]
r = 0.1
[material.m]
type = "neo-hooke"
E = 1e6
rho = 1000
[material.stiff]
type = "neo-hooke"
E = 5e7
rho = 1000
[solid.b]
shape = { type = "formula", x = "u", y = '(r + w) * sin(v)', z = '(r + w) * cos(v)', u = [0, 0.2], v = [0, 6.283185307179586], w = [-0.01, 0.01], closed_v = true, layer = "w" }
elements = [4, 16, 2]
element = "hexahedra-8"
material = "m"
inlay = { at = "layer", material = "stiff" }
[joint.end]
type = "weld"
of = ["ground", "b.left"]
[chamber.air]
type = "pressure"
surfaces = ["b.bottom"]
lids = true
pressure = "1 kPa"
[[analysis]]
name = "blow"
type = "static"
)"));
  EXPECT_THAT(scene.warnings, IsEmpty());
}

TEST(SolidScene, MaterialsAreCompletedFromWhatIsKnown) {
  const std::vector<double> mu = numbers(scene_of("type = \"neo-hooke\"\nmu = 1e5\nbulk = 1e8\nrho = 1100"));
  EXPECT_THAT(mu, ElementsAre(1100, 1e5, 0, 0, 0, 0, 0, 1e8));
  const std::vector<double> from_E = numbers(scene_of("type = \"neo-hooke\"\nE = 3e5\nnu = 0.4\nrho = 1100"));
  EXPECT_NEAR(from_E[1], 3e5 / 2.8, 1e-9 * 3e5);
  EXPECT_NEAR(from_E[7], 3e5 / (3 * 0.2), 1e-9 * 3e5);
  // Young's modulus of a linear material: St. Venant–Kirchhoff's λ and μ.
  const std::vector<double> linear = numbers(scene_of("E = 1e6\nnu = 0.25\nrho = 1000"));
  EXPECT_NEAR(linear[1], 4e5, 1e-3);
  EXPECT_NEAR(linear[2], 4e5, 1e-3);
  const ElasticPreset& preset = *find_elastic_preset("elastosil-m4601");
  const std::vector<double> measured = numbers(scene_of("type = \"elastosil-m4601\""));
  EXPECT_EQ(measured[0], preset.rho);
  EXPECT_EQ(measured[1], preset.constants.c[0]);
  EXPECT_EQ(measured[7], preset.constants.bulk);
}

}  // namespace
}  // namespace flexura::testing
