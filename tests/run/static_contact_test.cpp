// Contacts in statics: what lies, hangs and is pressed on planes, by single balls and by the nodes of solids.

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <fstream>
#include <sstream>

#include "flexura/material/homogeneous.hpp"
#include "tests/support/scenes.hpp"

namespace flexura::test {
namespace {

using testing::HasSubstr;

const std::string statics = "[[analysis]]\nname = \"s\"\ntype = \"static\"\ntolerance = 1e-12\n";
const std::string table = R"(
[plane.table]
point = [0, 0, 0]
normal = [0, 0, 1]
[sensor.force]
type = "contact_force"
of = "table"
)";
/// A block of rubber on the table, between two planes of symmetry, held by the table alone.
const std::string block = R"(
space = "spatial"
[material.m]
type = "neo-hooke"
mu = 1e5
bulk = 1e7
rho = 1000
[solid.block]
shape = { type = "block", size = [0.1, 0.2, 0.3] }
elements = [2, 2, 3]
element = "hexahedra-8"
material = "m"
[joint.x]
type = "point_on_plane"
of = ["ground", "block.left"]
normal = [1, 0, 0]
[joint.y]
type = "point_on_plane"
of = ["ground", "block.front"]
normal = [0, 1, 0]
[sphere.sole]
nodes = "block.bottom"
radius = 0
[contact.standing]
between = ["sole", "table"]
[sensor.count]
type = "contact_count"
of = "standing"
)" + table;

// A weight of 9.81 N on a spring of 100 N/m sinks by 98.1 mm, or to the table 50 mm below: that carries the rest.
TEST(StaticContact, ATableCarriesWhatASpringDoesNot) {
  const Sensors s = end_of("space = \"spatial\"\ngravity = [0, 0, -9.81]\n" + table + R"(
[sphere.ball]
position = [0, 0, 0.15]
radius = 0.1
m = 1
[spring.hold]
type = "linear"
between = [[0, 0, 1.15], "ball"]
stiffness = 100
[joint.guide]
type = "point_on_line"
of = ["ground", "ball"]
axis = [0, 0, 1]
[contact.all]
between = ["sphere.*", "table"]
)" + statics);
  EXPECT_NEAR(s.at("force")[2], -(9.81 - 100 * 0.05), 1e-9);
}

TEST(StaticContact, ABlockThatStandsOnItsNodesHasItsWeight) {
  const Sensors s = end_of("gravity = [0, 0, -10]\n" + block + statics);
  EXPECT_NEAR(s.at("force")[2], -60, 1e-7);
  EXPECT_EQ(s.at("count")[0], 9);
}

// Pressed to 0.7 of its height between smooth plates it stays a block: the closed form.
TEST(StaticContact, ABlockPressedBetweenSmoothPlatesIsHomogeneous) {
  const CompressibleTension exact =
      compressible_tension(TensionTest::uniaxial, {}, ElasticConstants<double>{{1e5}, 1e7}, 0.7);
  const double force = exact.stress * 0.1 * 0.2;
  const Sensors s = end_of(
      block + fmt::format("[load.press]\ntype = \"force\"\nat = \"block.top\"\nforce = [0, 0, {:.17g}]\n", force) +
      sensor_text("top", "position", "at", "block.top") + statics);
  EXPECT_NEAR(s.at("force")[2], force, 1e-8 * std::fabs(force));
  EXPECT_NEAR(s.at("top")[2], 0.3 * 0.7, 1e-8);
}

// The seal of the example, to its full stroke: on 16 × 48 cells 1.786 N, on 8 × 24 4.5 % more, of order 2.
TEST(StaticContact, ASealIsPressedToItsFullStroke) {
  std::ifstream file("examples/seal.toml");
  std::stringstream text;
  text << file.rdbuf();
  const Sensors s = end_of(text.str());
  EXPECT_NEAR(s.at("force")[1], 1.786, 0.05 * 1.786);
  EXPECT_GT(s.at("touching")[0], 20);
}

TEST(StaticContact, OnlyFacesOfSolidsHaveNodesToTouchWith) {
  const std::string held = "[joint.held]\ntype = \"weld\"\nof = [\"ground\", \"b\"]\n";
  const std::string planes = "[contact.all]\nbetween = [\"sphere.*\", \"table\"]\n" + table + statics;
  EXPECT_THAT(message_of("space = \"spatial\"\n[body.b]\nm = 1\ninertia = [1, 1, 1]\n" + held +
                         "[sphere.skin]\nnodes = \"b\"\nradius = 0\n" + planes),
              HasSubstr("is no set of nodes of a solid"));
  EXPECT_THAT(message_of("space = \"spatial\"\n[body.b]\nm = 1\ninertia = [1, 1, 1]\n" + held +
                         "[sphere.skin]\nnodes = \"b\"\nat = "
                         "\"b\"\nm = 1\nradius = 0\n" +
                         planes),
              HasSubstr("`at` says where it is already"));
}

}  // namespace
}  // namespace flexura::test
