// Robots whose collision geometry contacts know by its corners.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/support/scenes.hpp"

namespace flexura::test {
namespace {

/// A link of 2 kg with a collision geometry, dropped by 5 cm on to a floor, 0.6 s later; it lands flat.
Sensors dropped(const std::string& geometry, double height) {
  const std::string robot = fmt::format(
      R"(<robot name="r"><link name="a"><inertial><mass value="2"/><inertia ixx="0.01" iyy="0.012" izz="0.014"/></inertial>)"
      R"(<collision><origin rpy="0.3 0 0"/><geometry>{}</geometry></collision></link></robot>)",
      geometry);
  SceneOptions options;
  options.load = [&](const std::string& path) { return path == "a.urdf" ? std::optional(robot) : std::nullopt; };
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

}  // namespace
}  // namespace flexura::test
