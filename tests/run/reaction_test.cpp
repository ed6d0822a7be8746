// Reactions of eliminated joints against those of the same joints with multipliers.

#include <gtest/gtest.h>

#include <cmath>

#include "flexura/run/simulation.hpp"
#include "flexura/scene/reader.hpp"

namespace flexura {
namespace {

/// METHOD in the text → the choice of how joints are kept.
RunSummary run(std::string text, const std::string& method) {
  for (size_t at = text.find("METHOD"); at != std::string::npos; at = text.find("METHOD"))
    text.replace(at, 6, "method = \"" + method + "\"");
  RunOptions options;
  options.record = false;
  return run_scene(read_scene_text(text, "reaction.toml", scene_terms()), options);
}

/// All sensors, between the two; Newton stops at 1e-8 of the forces and 200 steps let the motions part by less.
void expect_alike(const std::string& text) {
  const RunSummary eliminated = run(text, "eliminated"), multiplied = run(text, "multipliers");
  ASSERT_EQ(eliminated.status, RunStatus::finished) << eliminated.message;
  ASSERT_EQ(multiplied.status, RunStatus::finished) << multiplied.message;
  for (size_t s = 0; s < eliminated.sensors.size(); ++s) {
    const auto &a = eliminated.sensors[s].second.last, &b = multiplied.sensors[s].second.last;
    double size = 1;
    for (double x : b) size = std::max(size, std::fabs(x));
    for (size_t i = 0; i < a.size(); ++i)
      EXPECT_NEAR(a[i], b[i], 1e-6 * size) << eliminated.sensors[s].first << " " << i;
  }
}

// Loads at places that the bodies' coordinates do not hold reach the joints through them.
TEST(Reaction, OfAChainWithLoadsAtNamedPlaces) {
  expect_alike(R"(
gravity = [0, -9.81]
[body.arm]
m = 1
center = [0.5, 0]
inertia = 0.1
points = { mid = [0.5, 0], tip = [1, 0] }
[body.hand]
m = 2
position = [1, 0]
center = [0.3, 0.1]
inertia = 0.2
points = { mid = [0.2, 0.3] }
[joint.hinge]
type = "revolute"
of = ["ground", "arm"]
METHOD
[joint.wrist]
type = "revolute"
of = ["arm.tip", "hand"]
METHOD
[load.f]
type = "force"
at = "arm.mid"
force = [10, 100]
[load.g]
type = "force"
at = "hand.mid"
force = [-20, 30]
[sensor.hinge]
type = "reaction"
of = "hinge"
[sensor.wrist]
type = "reaction"
of = "wrist"
[[analysis]]
name = "move"
type = "dynamic"
integrator = "rk853"
end = 0.2
step = 1e-3
)");
}

// Nothing hangs on other slots here: force and moment were 0. A stiff beam: lever arms change by 1e-6.
TEST(Reaction, OfABeamWeldedToTheGroundInStatics) {
  const RunSummary summary = run(R"(
space = "spatial"
[material.m]
E = 2e11
rho = 7800
[section.round]
shape = { type = "circle", radius = 0.05 }
material = "m"
[beam.arm]
section = "round"
path = [[0, 0, 0], [1, 0, 0]]
elements = 4
[joint.clamp]
type = "weld"
of = ["ground", "arm.start"]
[load.tip]
type = "force"
at = "arm.end"
force = [0, 0, 2]
[sensor.force]
type = "reaction"
of = "clamp"
[sensor.moment]
type = "reaction_moment"
of = "clamp"
[[analysis]]
name = "hold"
type = "static"
)",
                                 "");
  ASSERT_EQ(summary.status, RunStatus::finished) << summary.message;
  const double force[] = {0, 0, -2}, moment[] = {0, 2, 0};
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(summary.sensors[0].second.last[i], force[i], 1e-5) << i;
    EXPECT_NEAR(summary.sensors[1].second.last[i], moment[i], 1e-5) << i;
  }
}

TEST(Reaction, OfAWeldAndAHingeInSpace) {
  expect_alike(R"(
space = "spatial"
gravity = [0, 0, -9.81]
[body.arm]
m = 1
center = [0.5, 0, 0]
inertia = [0.01, 0.1, 0.1]
points = { side = [0.3, 0.2, 0.1] }
[body.tool]
position = [1, 0, 0.1]
m = 0.2
inertia = [0.002, 0.002, 0.003]
points = { nose = [0.1, 0.05, 0] }
[joint.hinge]
type = "revolute"
of = ["ground", "arm"]
at = [0, 0, 0]
axis = [0, 1, 0.2]
METHOD
[joint.fix]
type = "weld"
of = ["arm", "tool"]
METHOD
[load.f]
type = "force"
at = "arm.side"
force = [5, 3, 8]
[load.g]
type = "force"
at = "tool.nose"
force = [1, -2, 3]
[sensor.hinge]
type = "reaction"
of = "hinge"
[sensor.hinge_moment]
type = "reaction_moment"
of = "hinge"
[sensor.fix]
type = "reaction"
of = "fix"
[sensor.fix_moment]
type = "reaction_moment"
of = "fix"
[[analysis]]
name = "move"
type = "dynamic"
end = 0.2
step = 1e-3
)");
}

// At rest: the weld holds the weight and the load.
TEST(Reaction, OfAWeldHoldsWhatHangsOnIt) {
  const RunSummary summary = run(R"(
gravity = [0, -9.81]
[body.sign]
m = 1
inertia = 0.1
points = { hook = [0.5, 0.2] }
[joint.wall]
type = "weld"
of = ["ground", "sign"]
METHOD
[load.f]
type = "force"
at = "sign.hook"
force = [0, 100]
[sensor.force]
type = "reaction"
of = "wall"
[sensor.moment]
type = "reaction_moment"
of = "wall"
[body.free]
position = [3, 0]
m = 1
inertia = 0.1
[[analysis]]
name = "hold"
type = "dynamic"
end = 0.01
step = 1e-3
)",
                                 "eliminated");
  ASSERT_EQ(summary.status, RunStatus::finished) << summary.message;
  EXPECT_NEAR(summary.sensors[0].second.last[1], 9.81 - 100, 1e-12 * 100);
  EXPECT_NEAR(summary.sensors[1].second.last[0], -0.5 * 100, 1e-12 * 100);
}

}  // namespace
}  // namespace flexura
