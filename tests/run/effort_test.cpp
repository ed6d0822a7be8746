// The largest effort and rate of a joint: limits of its motors, and what a prescribed motion is held against.

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "tests/support/scenes.hpp"

namespace flexura::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// A disc of 0.5 kg m² on an axle, and a shaft of 0.1 kg m² that a gear turns twice as far.
std::string disc(const std::string& joint, const std::string& more, const std::string& integrator = "\"rk4\"") {
  return fmt::format(R"(
space = "planar"
[body.disc]
m = 1
inertia = 0.5
[joint.axle]
type = "revolute"
of = ["ground", "disc"]
{}
[body.shaft]
m = 1
inertia = 0.1
position = [1, 0]
[joint.shaft]
type = "revolute"
of = ["ground", "shaft"]
[joint.mesh]
type = "gear"
first = "axle"
second = "shaft"
ratio = 2
[sensor.rate]
type = "angle_rate"
of = "axle"
{}
[[analysis]]
name = "turn"
type = "dynamic"
end = 1
step = 0.005
integrator = {}
)",
                     joint, more, integrator);
}
constexpr double inertia = 0.5 + 4 * 0.1;

RunSummary run(const std::string& text) {
  RunOptions options;
  options.record = false;
  return run_scene(read_scene_text(text, "scene.toml", scene_terms()), options);
}

TEST(Effort, OfAJointLimitsItsMotors) {
  const std::string motor = "[load.m]\ntype = \"motor\"\nat = \"axle\"\neffort = 10\n";
  // 3e-11 left by 1e-12 a step.
  const std::string exact = "{ type = \"rk853\", rtol = 1e-12, atol = 1e-14 }";
  EXPECT_NEAR(end_of(disc("max_effort = 3", motor, exact)).at("rate")[0], 3 / inertia, 1e-10);
  EXPECT_NEAR(end_of(disc("max_effort = 3", motor + "limit = 5\n", exact)).at("rate")[0], 5 / inertia, 1e-10)
      << "what the motor states itself counts";
  EXPECT_NEAR(end_of(disc("", motor, exact)).at("rate")[0], 10 / inertia, 1e-10);
  const double fast = end_of(disc("max_rate = 2", motor)).at("rate")[0];
  EXPECT_LT(fast, 2);
  EXPECT_GT(fast, 1.95);
}

// M = J φ̈: 0.9 · 6 t of φ = t³, beyond 3 N m from t = 0.5556 s on: told once, at the first step behind.
TEST(Effort, OfAJointIsHeldAgainstAPrescribedMotion) {
  const RunSummary summary = run(disc("angle = \"= t^3\"\nmax_effort = 3", ""));
  ASSERT_EQ(summary.status, RunStatus::finished) << summary.message;
  EXPECT_THAT(
      summary.warnings,
      ElementsAre("joint.axle: its prescribed motion needs 3.024 N m at t = 0.56 s, more than its max_effort of "
                  "3 N m"));
  EXPECT_THAT(run(disc("angle = \"= t^3\"\nmax_effort = 5.41", "")).warnings, IsEmpty());
  std::string text = disc("angle = \"= t^3\"\nmax_effort = 3", "");
  text.replace(text.find("type = \"dynamic\""), 16, "type = \"inverse_dynamics\"");
  text.erase(text.find("integrator"));
  EXPECT_THAT(run(text).warnings, ElementsAre(HasSubstr("needs 3.024 N m at t = 0.56 s")));
}

}  // namespace
}  // namespace flexura::test
