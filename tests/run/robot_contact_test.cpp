// Robots whose collision geometry contacts know by its corners.

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cmath>
#include <numbers>

#include "tests/support/scenes.hpp"

namespace flexura::test {
namespace {

/// A link of 2 kg with a collision geometry, dropped by 5 cm on to a floor, 0.6 s later; it lands flat. `mesh`: the file "mesh.obj".
Sensors dropped(const std::string& geometry, double height, const std::string& mesh = "",
                std::vector<std::string>* warnings = nullptr) {
  const std::string robot = fmt::format(
      R"(<robot name="r"><link name="a"><inertial><mass value="2"/><inertia ixx="0.01" iyy="0.012" izz="0.014"/></inertial>)"
      R"(<collision><origin rpy="0.3 0 0"/><geometry>{}</geometry></collision></link></robot>)",
      geometry);
  SceneOptions options;
  options.load = [&](const std::string& path) {
    return path == "a.urdf"                      ? std::optional(robot)
           : path == "mesh.obj" && !mesh.empty() ? std::optional(mesh)
                                                 : std::nullopt;
  };
  const std::string text = fmt::format(R"(
space = "spatial"
gravity = [0, 0, -10]
[use.r]
urdf = "a.urdf"
base = "free"
collision = "all"
position = [0, 0, {}]
quat_xyzw = [-0.14943813247359922, 0, 0, 0.98877107793604228]
[plane.floor]
point = [0, 0, 0]
normal = [0, 0, 1]
[contact.c]
between = ["r.*", "floor"]
[sensor.z]
type = "frame"
at = "r.a"
[sensor.floor]
type = "contact_force"
of = "floor"
[[analysis]]
name = "d"
type = "dynamic"
end = 0.6
step = 0.002
)",
                                       height + 0.05);
  RunOptions run;
  run.record = false;
  const RunSummary summary = run_scene(read_scene_text(text, "scene.toml", scene_terms(), options), run);
  EXPECT_EQ(summary.status, RunStatus::finished) << summary.message;
  if (warnings != nullptr) *warnings = summary.warnings;
  Sensors out;
  for (const auto& [name, sensor] : summary.sensors) out[name] = sensor.last;
  return out;
}

// The collision geometry is turned by 0.3 rad in the link, and the link by as much against it. It rests on its face: gaps of 1e-11 of the size
// are what contacts leave, and velocities at rest 1e-9.
TEST(RobotContact, ABoxACylinderAndACapsuleComeToRest) {
  const Sensors box = dropped(R"(<box size="0.2 0.3 0.1"/>)", 0.05);
  EXPECT_NEAR(box.at("z")[2], 0.05, 1e-9);
  EXPECT_NEAR(box.at("floor")[2], -20, 1e-6);
  EXPECT_NEAR(dropped(R"(<cylinder radius="0.1" length="0.16"/>)", 0.08).at("z")[2], 0.08, 1e-9);
  EXPECT_NEAR(dropped(R"(<capsule radius="0.1" length="0.16"/>)", 0.18).at("z")[2], 0.18, 1e-9);
}

/// A block of 200 × 300 × 100 mm on a grid, and a dent: what is within its faces, edges and hull is no corner.
std::string block_in_mm() {
  std::string out;
  const auto v = [&](double x, double y, double z) { out += fmt::format("v {} {} {}\n", x, y, z); };
  for (const int z : {-50, 50})
    for (const int y : {-150, 0, 150})
      for (const int x : {-100, 0, 100}) v(x, y, x == 0 && y == 0 && z == 50 ? 30 : z);
  const auto quad = [&](int a, int b, int c, int d) { out += fmt::format("f {} {} {} {}\n", a, b, c, d); };
  for (const int j : {0, 1})
    for (const int i : {0, 1}) {
      const int a = 1 + i + 3 * j;
      quad(a, a + 3, a + 4, a + 1), quad(a + 9, a + 10, a + 13, a + 12);
    }
  for (const int i : {0, 1}) quad(1 + i, 2 + i, 11 + i, 10 + i), quad(8 + i, 7 + i, 16 + i, 17 + i);
  for (const int j : {0, 3}) quad(4 + j, 1 + j, 10 + j, 13 + j), quad(3 + j, 6 + j, 15 + j, 12 + j);
  return out;
}

// Its eight corners, in metres, as those of the box.
TEST(RobotContact, AMeshRestsOnItsCorners) {
  const std::string mesh = R"(<mesh filename="mesh.obj" scale="0.001 0.001 0.001"/>)";
  std::vector<std::string> warnings;
  const Sensors block = dropped(mesh, 0.05, block_in_mm(), &warnings);
  EXPECT_NEAR(block.at("z")[2], 0.05, 1e-9);
  EXPECT_NEAR(block.at("floor")[2], -20, 1e-6);
  EXPECT_THAT(warnings, testing::Each(testing::Not(testing::HasSubstr("contacts"))));
}

// A ball of many corners keeps 64, and how far it reaches beyond them is said: its polar cap rests by less than that too low.
TEST(RobotContact, AMeshOfManyCornersKeepsSome) {
  std::string ball;
  constexpr int rings = 24, around = 48;
  for (int i = 0; i <= rings; ++i)
    for (int k = 0; k < around; ++k) {
      const double up = std::numbers::pi * i / rings, angle = 2 * std::numbers::pi * k / around;
      ball += fmt::format("v {} {} {}\n", 0.1 * std::sin(up) * std::cos(angle), 0.1 * std::sin(up) * std::sin(angle),
                          0.1 * std::cos(up));
    }
  for (int i = 0; i < rings; ++i)
    for (int k = 0; k < around; ++k)
      ball += fmt::format("f {} {} {}\n", i * around + k + 1, (i + 1) * around + k + 1,
                          (i + 1) * around + (k + 1) % around + 1);
  std::vector<std::string> warnings;
  const Sensors end = dropped(R"(<mesh filename="mesh.obj"/>)", 0.1, ball, &warnings);
  EXPECT_THAT(
      warnings,
      testing::Contains(testing::ContainsRegex(
          "has more corners than contacts take of a mesh: [0-9]+ of them, beyond which it reaches by 0.00[0-9]+ m")));
  EXPECT_LE(end.at("z")[2], 0.1 + 1e-9);
  EXPECT_GT(end.at("z")[2], 0.09);
}

TEST(RobotContact, AMeshThatCannotBeReadIsTold) {
  std::vector<std::string> warnings;
  dropped(R"(<sphere radius="0.1"/></geometry></collision><collision><geometry><mesh filename="mesh.obj"/>)", 0.1, "",
          &warnings);
  EXPECT_THAT(warnings,
              testing::Contains(testing::HasSubstr("\"mesh.obj\" cannot be read, so that contacts do not know it")));
  dropped(R"(<sphere radius="0.1"/></geometry></collision><collision><geometry><mesh filename="mesh.obj"/>)", 0.1,
          "v 1 2\n", &warnings);
  EXPECT_THAT(warnings, testing::Contains(testing::HasSubstr("so that contacts do not know it")));
}

}  // namespace
}  // namespace flexura::test
