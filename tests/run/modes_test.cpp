// Modes within a run: what they leave alone, and what the summary says of damping.

#include "tests/support/scenes.hpp"

namespace flexura::test {
namespace {

/// Two links that fall, joined by pins; MODES between its two motions.
std::string falling(const std::string& modes) {
  return R"(
space = "planar"
gravity = [0, -9.81]
[body.first]
position = [0, 0]
shape = { type = "rectangle", size = [1, 0.1] }
m = 1
points = { a = [-0.5, 0], b = [0.5, 0] }
[body.second]
position = [1, 0]
shape = { type = "rectangle", size = [1, 0.1] }
m = 1
points = { a = [-0.5, 0], b = [0.5, 0] }
[joint.hinge]
type = "revolute"
of = ["ground", "first.a"]
[joint.elbow]
type = "revolute"
of = ["first.b", "second.a"]
[sensor.force]
type = "reaction"
of = "elbow"
[sensor.tip]
type = "position"
at = "second.b"
[[analysis]]
name = "before"
type = "dynamic"
end = "0.2 s"
step = 0.001
)" + modes +
         R"(
[[analysis]]
name = "after"
type = "dynamic"
end = "0.4 s"
step = 0.001
)";
}

// Forces in the joints of a state that moves are found for its modes; the motion after them begins as if there were none.
TEST(RunModes, LeaveTheMotionAfterThemAsItIs) {
  const Sensors with = end_of(falling("[[analysis]]\nname = \"m\"\ntype = \"modes\"\ncount = 2\n")),
                without = end_of(falling(""));
  EXPECT_EQ(with, without);
}

TEST(RunModes, AStateThatDivergesHasNoDamping) {
  RunOptions options;
  options.record = false;
  const std::string inverted = R"(
space = "planar"
gravity = [0, -9.81]
[body.rod]
shape = { type = "rectangle", size = [0.1, 1] }
m = 1
points = { foot = [0, -0.5] }
[joint.hinge]
type = "revolute"
of = ["ground", "rod.foot"]
[[analysis]]
name = "stand"
type = "static"
[[analysis]]
name = "m"
type = "modes"
count = 1
)";
  const RunSummary summary = run_scene(read_scene_text(inverted, "scene.toml", scene_terms()), options);
  ASSERT_EQ(summary.at_rest.modes.size(), 1u) << summary.message;
  EXPECT_LT(summary.at_rest.modes[0].frequency[0], 0);
  EXPECT_TRUE(summary.at_rest.modes[0].damping.empty());
}

}  // namespace
}  // namespace flexura::test
