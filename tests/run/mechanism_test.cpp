// Bodies and joints from a scene to results.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "flexura/run/simulation.hpp"
#include "flexura/scene/reader.hpp"

namespace flexura {
namespace {

using ::testing::HasSubstr;

RunSummary run(const std::string& text) {
  RunOptions options;
  options.record = false;
  return run_scene(read_scene_text(text, "mechanism.toml", scene_terms()), options);
}

double last(const RunSummary& summary, const std::string& sensor, size_t index = 0) {
  for (const auto& [name, values] : summary.sensors)
    if (name == sensor) return values.last.at(index);
  ADD_FAILURE() << "no sensor " << sensor;
  return NAN;
}

std::string pendulum(const std::string& analysis) {
  return R"(
gravity = [0, -9.81]
[body.rod]
m = 1
center = [0.5, 0]
inertia = 0.0833333333333333
points = { tip = [1, 0] }
[joint.hinge]
type = "revolute"
of = ["ground", "rod"]
at = [0, 0]
[sensor.tip]
type = "position"
at = "rod.tip"
[sensor.energy]
type = "energy"
of = "total"
[sensor.open]
type = "constraint_violation"
[[analysis]]
name = "swing"
type = "dynamic"
end = 1.0
)" + analysis;
}

// A rod of length 1 m on a hinge, from the horizontal: theta'' = -(3 g / 2 l) cos theta. 8(5,3) at 1e-12 is the reference;
// the others are second order: measured 1.4e-5 m and less at 1 ms, so 1e-4 m.
TEST(Mechanism, EveryIntegratorSwingsThePendulumAlike) {
  const RunSummary exact = run(pendulum("step = 0.01\nintegrator = { type = \"rk853\", rtol = 1e-12, atol = 1e-12 }"));
  ASSERT_EQ(exact.status, RunStatus::finished) << exact.message;
  EXPECT_NEAR(last(exact, "energy"), 0, 1e-9);
  for (const std::string integrator :
       {"\"generalized-alpha\"", "{ type = \"generalized-alpha\", project_velocities = true }", "\"hht\"",
        "\"energy-momentum\"", "{ type = \"rk45\", rtol = 1e-9 }"}) {
    const RunSummary summary = run(pendulum("step = 0.001\nintegrator = " + integrator));
    ASSERT_EQ(summary.status, RunStatus::finished) << integrator << ": " << summary.message;
    for (size_t i : {0, 1}) EXPECT_NEAR(last(summary, "tip", i), last(exact, "tip", i), 1e-4) << integrator;
    EXPECT_LT(last(summary, "open", 0), 1e-10) << integrator;
  }
}

// Energy-momentum keeps the energy to Newton's tolerance, whatever the step is.
TEST(Mechanism, EnergyMomentumKeepsTheEnergyOfThePendulum) {
  const RunSummary summary = run(pendulum("step = 0.02\nintegrator = \"energy-momentum\""));
  ASSERT_EQ(summary.status, RunStatus::finished) << summary.message;
  EXPECT_NEAR(last(summary, "energy"), 0, 1e-10);
}

std::string four_bar(const std::string& head, const std::string& crank, const std::string& analysis) {
  return head + R"(
gravity = [0, -9.81]
[body.crank]
m = 1
center = [0.25, 0]
inertia = 0.02
points = { end = [0.5, 0] }
[body.coupler]
position = [0.5, 0]
angle = "30 deg"
m = 2
center = [1, 0]
inertia = 0.6
points = { end = [2, 0] }
[body.rocker]
position = [2.5, 0]
angle = "90 deg"
m = 1
center = [0.75, 0]
inertia = 0.2
points = { end = [1.5, 0] }
[joint.a]
type = "revolute"
of = ["ground", "crank"]
at = [0, 0]
)" + crank +
         R"(
[joint.b]
type = "pin"
of = ["crank.end", "coupler"]
[joint.c]
type = "pin"
of = ["coupler.end", "rocker.end"]
[joint.d]
type = "pin"
of = ["ground", "rocker"]
at = [2.5, 0]
[sensor.c]
type = "position"
at = "rocker.end"
[sensor.b]
type = "position"
at = "crank.end"
)" + analysis;
}

const std::string turn = "[[analysis]]\nname = \"turn\"\ntype = \"kinematic\"\nend = 0.25\nstep = 0.01\n";

// Coupler (2 m) and rocker (1.5 m) are drawn apart; assembled they close with all lengths kept.
TEST(Mechanism, AssemblesFromARoughGuessAndFollowsItsDrive) {
  const RunSummary summary = run(four_bar("assemble = true", "angle = \"= 2 * pi * t\"", turn));
  ASSERT_EQ(summary.status, RunStatus::finished) << summary.message;
  EXPECT_EQ(summary.degrees_of_freedom, 0);
  EXPECT_THAT(summary.start, HasSubstr("moved by"));
  const double bx = last(summary, "b", 0), by = last(summary, "b", 1), cx = last(summary, "c", 0),
               cy = last(summary, "c", 1);
  EXPECT_NEAR(bx, 0.0, 1e-12);  // a quarter turn
  EXPECT_NEAR(by, 0.5, 1e-12);
  EXPECT_NEAR(std::hypot(cx - bx, cy - by), 2.0, 1e-12);
  EXPECT_NEAR(std::hypot(cx - 2.5, cy), 1.5, 1e-12);
}

TEST(Mechanism, KinematicsSayWhatIsFree) {
  try {
    run(four_bar("assemble = true", "", turn));
    FAIL() << "ran";
  } catch (const InputError& error) {
    EXPECT_EQ(error.problems().front().path, "analysis.turn");
    EXPECT_GT(error.problems().front().source.line, 0);
    EXPECT_THAT(error.problems().front().message, HasSubstr("= 1 degree of freedom"));
  }
}

TEST(Mechanism, OpenJointsAreAnErrorThatNamesTheRemedy) {
  try {
    run(four_bar("", "", turn));
    FAIL() << "ran";
  } catch (const InputError& error) {
    EXPECT_THAT(error.problems().front().message, HasSubstr("assemble = true"));
  }
}

}  // namespace
}  // namespace flexura
