// Motions that drives decide.

#include <gtest/gtest.h>

#include "tests/study/gradients.hpp"

namespace flexura {
namespace {

// A crank r that turns by φ = ω t and a rod L to a slider: x = r cos φ + √(L² − r² sin² φ).
constexpr const char* slider_crank = R"toml(
space = "planar"
[parameters]
r = 0.1
L = 0.3
[body.crank]
m = 1
inertia = 1e-2
points = { end = ["= r", 0] }
[body.rod]
position = ["= r", 0]
m = 1
inertia = 1e-2
points = { end = ["= L", 0] }
[body.slider]
position = ["= r + L", 0]
m = 2
inertia = 1
[joint.motor]
type = "revolute"
of = ["ground", "crank"]
angle = "= 3 * t"
[joint.pin]
type = "revolute"
of = ["crank.end", "rod"]
[joint.wrist]
type = "revolute"
of = ["rod.end", "slider"]
[joint.guide]
type = "prismatic"
of = ["ground", "slider"]
axis = [1, 0]
[sensor.x]
type = "position"
at = "slider"
[sensor.v]
type = "velocity"
at = "slider"
[[analysis]]
name = "turn"
type = "kinematic"
end = 0.5
step = 0.05
)toml";

TEST(KinematicGradient, SliderCrank) {
  const SceneDocument scene = scene_of(slider_crank);
  const Derivatives d =
      differentiate(scene, read_again(scene),
                    {.wrt = {"parameters.r", "parameters.L"}, .of = {"x.x", "v.x"}, .times = {0, 0.25, 0.5}});
  const double r = 0.1, L = 0.3, w = 3;
  for (size_t t = 0; t < 3; ++t) {
    const double phi = w * d.times[t], s = std::sin(phi), c = std::cos(phi), root = std::sqrt(L * L - r * r * s * s);
    EXPECT_NEAR(d.slope(t, 0, 0), c - r * s * s / root, 1e-9);
    EXPECT_NEAR(d.slope(t, 0, 1), L / root, 1e-9);
    // v = −ω (r s + r² s c/root)
    EXPECT_NEAR(d.slope(t, 1, 0), -w * (s + 2 * r * s * c / root + r * r * r * s * s * s * c / (root * root * root)),
                1e-8);
    EXPECT_NEAR(d.slope(t, 1, 1), w * r * r * s * c * L / (root * root * root), 1e-8);
  }
  expect_both_ways(scene, {.wrt = {"parameters.r", "parameters.L"}, .of = {"x.x", "v.x"}, .times = {0, 0.25, 0.5}});
}

TEST(KinematicGradient, OfExamples) {
  expect_check(
      example("four_bar", {"analysis.turn.end=0.3"}),
      {.wrt = {"parameters.crank", "parameters.rocker"}, .of = {"mark", "rocker", "rocker_rate"}, .times = {0.1, 0.3}});
  expect_check(example("delta_robot", {"analysis.pick.end=0.1", "analysis.place.end=0.2"}),
               {.wrt = {"body.platform.m", "parameters.rod", "gravity[2]"}, .of = {}, .times = {0.1, 0.2}});
}

TEST(KinematicGradient, OfExamplesBothWays) {
  expect_both_ways(
      example("four_bar", {"analysis.turn.end=0.3"}),
      {.wrt = {"parameters.crank", "parameters.rocker"}, .of = {"mark", "rocker", "rocker_rate"}, .times = {0.1, 0.3}});
  expect_both_ways(example("delta_robot", {"analysis.pick.end=0.1", "analysis.place.end=0.2"}),
                   {.wrt = {"body.platform.m", "parameters.rod", "gravity[2]"}, .of = {}, .times = {0.1, 0.2}}, 1e-9);
}

// A spring that relaxes between the crank and the ground loads the motor; then the motor lets go, and the crank flies on.
TEST(KinematicGradient, BothWaysThroughMemoryAndIntoAMotion) {
  const std::string driven = R"toml(
space = "planar"
gravity = [0, -10]
[body.crank]
m = 1
inertia = 1e-2
center = [0.1, 0]
points = { end = [0.2, 0] }
[parameters]
A = 0.3
[signal.push]
type = "piecewise"
points = [[0, 0], [0.15, 2], [0.3, 1], [0.5, 0]]
[load.push]
type = "force"
at = "crank.end"
force = [1, 0.5]
signal = "push"
[spring.band]
type = "linear"
between = [[0.3, 0.2], "crank.end"]
stiffness = 200
damping = 2
relaxation = [[0.3, "50 ms"]]
[joint.motor]
type = "revolute"
of = ["ground", "crank"]
angle = "= A * sin(4 * t) + 0.5 * t"
until = "turn"
[sensor.torque]
type = "reaction_moment"
of = "motor"
[sensor.end]
type = "position"
at = "crank.end"
[[analysis]]
name = "turn"
type = "inverse_dynamics"
end = 0.3
step = 0.02
)toml";
  GradientQuestion question{
      .wrt = {"parameters.A", "signal.push.points[2][1]", "spring.band.stiffness", "body.crank.m"},
      .of = {"torque", "end"},
      .times = {0.1, 0.2, 0.3}};
  expect_check(scene_of(driven), question);
  expect_both_ways(scene_of(driven), question);
  const SceneDocument let_go = scene_of(driven + R"toml(
[[analysis]]
name = "swing"
type = "dynamic"
end = 0.5
step = 1e-3
tolerance = 1e-12
)toml");
  question.of = {"end"};
  question.times = {0.2, 0.4, 0.5};
  expect_check(let_go, question);
  expect_both_ways(let_go, question);
}

// m g c cos φ + J φ̈.
TEST(KinematicGradient, OfTheTorqueOfAMotor) {
  const SceneDocument scene = scene_of(R"toml(
space = "planar"
gravity = [0, -10]
[parameters]
A = 0.4
[body.arm]
m = 2
inertia = 0.3
center = [0.5, 0]
[joint.motor]
type = "revolute"
of = ["ground", "arm"]
angle = "= A * sin(5 * t)"
[sensor.torque]
type = "reaction_moment"
of = "motor"
[[analysis]]
name = "swing"
type = "inverse_dynamics"
end = 0.2
step = 0.05
)toml");
  const Derivatives d = differentiate(scene, read_again(scene),
                                      {.wrt = {"parameters.A", "body.arm.m", "body.arm.inertia"}, .times = {0.2}});
  const double A = 0.4, m = 2, J = 0.3 + 0.25 * m, s = std::sin(1.0), phi = A * s;
  const double torque = 5 * m * std::cos(phi) - 25 * J * A * s, sign = d.values[0] * torque > 0 ? 1 : -1;
  EXPECT_NEAR(sign * d.values[0], torque, 1e-12 * std::fabs(torque));
  EXPECT_NEAR(sign * d.slope(0, 0, 0), -5 * m * std::sin(phi) * s - 25 * J * s, 1e-7);
  EXPECT_NEAR(sign * d.slope(0, 0, 1), 5 * std::cos(phi) - 25 * 0.25 * A * s, 1e-7);
  EXPECT_NEAR(sign * d.slope(0, 0, 2), -25 * A * s, 1e-7);
}

// Two equal rods hold the arm's end: how they share is no derivative's to tell, places are.
TEST(KinematicGradient, ForcesOfJointsThatHoldMoreThanOnce) {
  const auto scene = [](const char* type) {
    return scene_of(std::string(R"toml(
space = "planar"
[body.arm]
m = 2
inertia = 0.3
points = { tip = [1, 0] }
[body.rod]
position = [1, 0]
m = 1
inertia = 0.1
points = { end = [1, 0] }
[joint.motor]
type = "revolute"
of = ["ground", "arm"]
angle = "= 0.4 * sin(5 * t)"
[joint.pin]
type = "revolute"
of = ["arm.tip", "rod"]
[joint.first]
type = "distance"
of = [[2, 1], "rod.end"]
[joint.second]
type = "distance"
of = [[2, 1], "rod.end"]
[sensor.end]
type = "position"
at = "rod.end"
[[analysis]]
name = "swing"
end = 0.2
step = 0.05
type = ")toml") + type +
                    "\"\n");
  };
  const GradientQuestion question{.wrt = {"body.rod.points.end[0]"}, .times = {0.2}};
  expect_check(scene("kinematic"), question);
  const SceneDocument with_forces = scene("inverse_dynamics");
  try {
    differentiate(with_forces, read_again(with_forces), question);
    FAIL() << "forces that are not unique had slopes";
  } catch (const GradientError& error) {
    EXPECT_STREQ(error.what(), "forces have no derivative where joints hold more than once ('joint.second')");
  }
}

}  // namespace
}  // namespace flexura
