// Links of robots whose place a part takes, against the same machine written by hand.

#include <gmock/gmock.h>

#include <cmath>

#include "tests/support/scenes.hpp"

namespace flexura::test {
namespace {

using ::testing::HasSubstr;

/// A column that is fixed, a link of 0.5 m fixed to it, and a tool that turns at its end.
constexpr const char* robot = R"(<robot name="a">
 <link name="base"/>
 <link name="l1"/>
 <link name="l2"><inertial><mass value="1"/><inertia ixx="0.001" iyy="0.02" izz="0.02"/></inertial></link>
 <link name="tool"><inertial><origin xyz="0.05 0 0"/><mass value="0.3"/>
   <inertia ixx="0.001" iyy="0.002" izz="0.002"/></inertial></link>
 <joint name="j1" type="fixed"><parent link="base"/><child link="l1"/></joint>
 <joint name="j2" type="fixed"><parent link="l1"/><child link="l2"/><origin xyz="0.5 0 0"/></joint>
 <joint name="j3" type="revolute"><parent link="l2"/><child link="tool"/><origin xyz="0.5 0 0"/><axis xyz="0 1 0"/>
   <limit lower="-3" upper="3" effort="50" velocity="2"/></joint>
</robot>)";

const std::string beam = R"(
[beam.part]
path = [[0.5, 0, 0], [1, 0, 0]]
up = [0, 0, 1]
elements = 4
section = "s"
[section.s]
shape = { type = "rectangle", height = 0.01, width = 0.02 }
material = "steel"
)";
const std::string plate = R"(
[plate.part]
shape = { type = "flat", size = [0.5, 0.1] }
position = [0.5, -0.05, 0]
elements = [4, 2]
material = "steel"
thickness = 0.004
)";
const std::string steel = R"(
[material.steel]
E = "200 GPa"
nu = 0.3
rho = 7850
)";

std::string scene_of(const std::string& machine, const std::string& part, const std::string& prefix) {
  return "space = \"spatial\"\ngravity = [0, 0, -9.81]\n" + machine + part + steel +
         sensor_text("tip", "position", "at", prefix + "tool") + sensor_text("angle", "angle", "of", prefix + "j3") +
         "[[analysis]]\nname = \"d\"\ntype = \"dynamic\"\nend = 0.1\nstep = 1e-3\n";
}

std::string replaced(const std::string& part) {
  return scene_of(
      "[use.r]\nurdf = \"a.urdf\"\nlimits = \"none\"\nreplace.l2 = { j2 = \"part.start\", j3 = \"part.end\" }\n", part,
      "r.");
}

/// The tool on a place, by a hinge at the end of the link.
std::string by_hand(const std::string& place, const std::string& more) {
  return "[body.tool]\nposition = [1, 0, 0]\nm = 0.3\ncenter = [0.05, 0, 0]\ninertia = [0.001, 0.002, 0.002]\n"
         "[joint.j2]\ntype = \"weld\"\nof = [\"ground\", \"part.start\"]\n[joint.j3]\ntype = \"revolute\"\nof = [\"" +
         place + "\", \"tool\"]\naxis = [0, 1, 0]\n" + more;
}

SceneOptions with_robot() {
  SceneOptions options;
  options.load = [](const std::string& path) {
    return path == "a.urdf" ? std::optional<std::string>(robot) : std::nullopt;
  };
  return options;
}

Sensors end_of_robot(const std::string& text) {
  RunOptions options;
  options.record = false;
  const RunSummary summary = run_scene(read_scene_text(text, "scene.toml", scene_terms(), with_robot()), options);
  EXPECT_EQ(summary.status, RunStatus::finished) << summary.message;
  Sensors out;
  for (const auto& [name, sensor] : summary.sensors) out[name.substr(name.rfind('.') + 1)] = sensor.last;
  return out;
}

std::string refusal(const std::string& text) {
  try {
    interpret_scene(read_scene_text(text, "scene.toml", scene_terms(), with_robot()));
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

void expect_same(const Sensors& a, const Sensors& b, double tolerance) {
  for (const auto& [name, values] : b)
    for (size_t i = 0; i < values.size(); ++i) EXPECT_NEAR(a.at(name)[i], values[i], tolerance) << name << " " << i;
}

TEST(ReplacedLink, ABeamMovesAsByHand) {
  const Sensors robot = end_of_robot(replaced(beam)), hand = end_of(scene_of(by_hand("part.end", ""), beam, ""));
  expect_same(robot, hand, 1e-9);
  EXPECT_GT(hand.at("angle")[0], 0.05);
}

// Plates take welds only: the hinge is on a frame without mass. By hand on a body of a milligram, which moves it by less than 1e-7.
TEST(ReplacedLink, APlateMovesAsByHand) {
  const Sensors robot = end_of_robot(replaced(plate)), hand = end_of(scene_of(by_hand("mount", R"(
[body.mount]
position = [1, 0, 0]
m = 1e-6
inertia = [1e-9, 1e-9, 1e-9]
[joint.mounted]
type = "weld"
of = ["part.end", "mount"]
)"),
                                                                              plate, ""));
  expect_same(robot, hand, 1e-6);
  EXPECT_GT(hand.at("angle")[0], 0.05);
}

TEST(ReplacedLink, APartThatLiesElsewhereIsRefused) {
  std::string off = beam;
  off.replace(off.find("[0.5, 0, 0]"), 11, "[0.5, 0, 0.4]");
  EXPECT_THAT(refusal(replaced(off)), HasSubstr("\"r.l1.j2\" and \"part.start\" are 0.4 m apart in the reference "
                                                "configuration, where the part is to take the link's place"));
}

TEST(ReplacedLink, ACableHasNoTorsion) {
  std::string cable = beam;
  cable.replace(cable.find("beam"), 4, "cable");
  cable.erase(cable.find("up ="), 15);
  const size_t shape = cable.find("shape =");
  cable.replace(shape, cable.find('\n', shape) - shape, "shape = { type = \"circle\", radius = 0.01 }");
  EXPECT_THAT(refusal(replaced(cable)), HasSubstr("the cable \"part\" has no torsion"));
}

// A part that starts turned gives the angle of its joint.
TEST(ReplacedLink, AnglesStartWhereABeamDoes) {
  const Sensors end = end_of(R"(
space = "spatial"
[beam.blade]
path = [[0, 0, 0], [0.5, 0, 0]]
up = [0, 0, 1]
elements = 4
section = "s"
initial = [[0, 0, 0], [0.4776682445628030, 0, -0.1477601033306698]]
[section.s]
shape = { type = "rectangle", height = 0.01, width = 0.02 }
material = "steel"
[joint.j1]
type = "revolute"
of = ["ground", "blade.start"]
axis = [0, 1, 0]
[sensor.angle]
type = "angle"
of = "j1"
[[analysis]]
name = "d"
type = "dynamic"
end = 0.01
step = 1e-3
)" + steel);
  EXPECT_NEAR(end.at("angle")[0], 0.3, 1e-9);
}

}  // namespace
}  // namespace flexura::test
