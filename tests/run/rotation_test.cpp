// Bodies and blades that turn fast: 0.3 rad a step and more, with the integrators that damp.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "flexura/run/simulation.hpp"
#include "flexura/scene/reader.hpp"

namespace flexura {
namespace {

RunSummary run(const std::string& text) {
  RunOptions options;
  options.record = false;
  return run_scene(read_scene_text(text, "rotation.toml", scene_terms()), options);
}

double last(const RunSummary& summary, const std::string& sensor, int component = 0) {
  for (const auto& [name, s] : summary.sensors)
    if (name == sensor) return s.last[component];
  throw std::out_of_range(sensor);
}

class Rotation : public ::testing::TestWithParam<const char*> {
 protected:
  static std::string analysis(double end) {
    return fmt::format("[[analysis]]\nname = \"spin\"\ntype = \"dynamic\"\nend = {}\nstep = 1e-3\nintegrator = {}\n",
                       end, GetParam());
  }
};

// 300 rad in a second, 0.3 a step: 1e-7 of that for what Newton's method leaves in each.
TEST_P(Rotation, OfAFlywheelIsKept) {
  for (const double offset : {0.0, 0.1}) {
    const RunSummary s = run(fmt::format(R"(
space = "spatial"
[body.wheel]
m = 2
center = [{0}, 0, 0]
inertia = [0.01, 0.01, 0.02]
angular_velocity = [0, 0, 300]
[joint.axle]
type = "revolute"
of = ["ground", "wheel"]
at = [0, 0, 0]
axis = [0, 0, 1]
[sensor.w]
type = "angular_velocity"
at = "wheel"
[sensor.angle]
type = "angle"
of = "axle"
)",
                                         offset) +
                             analysis(1));
    ASSERT_EQ(s.status, RunStatus::finished) << s.message;
    EXPECT_NEAR(last(s, "w", 2), 300, 3e-5) << "offset " << offset;
    EXPECT_NEAR(last(s, "angle"), 300, 3e-5) << "offset " << offset;
  }
}

// The centre falls by g t²/2, whatever the spin.
TEST_P(Rotation, OfAThrownBodyLeavesItsFallAlone) {
  const RunSummary s = run(R"(
space = "spatial"
gravity = [0, 0, -9.81]
[body.ball]
m = 2
inertia = [0.01, 0.01, 0.01]
angular_velocity = [200, 100, 300]
velocity = [3, 4, 5]
[sensor.w]
type = "angular_velocity"
at = "ball"
[sensor.r]
type = "position"
at = "ball"
)" + analysis(1) + "tolerance = 1e-12\n");
  ASSERT_EQ(s.status, RunStatus::finished) << s.message;
  EXPECT_NEAR(last(s, "w", 0), 200, 3e-5);
  EXPECT_NEAR(last(s, "w", 1), 100, 3e-5);
  EXPECT_NEAR(last(s, "w", 2), 300, 3e-5);
  EXPECT_NEAR(last(s, "r", 0), 3, 1e-9);
  EXPECT_NEAR(last(s, "r", 1), 4, 1e-9);
  EXPECT_NEAR(last(s, "r", 2), 5 - 0.5 * 9.81, 1e-9);
}

// ω = T/c (1 − exp(−c t/J)), 0.19 rad a step at the end. 1e-4: second order in a step of a thousandth of J/c, after the whole rise.
TEST_P(Rotation, OfAMotorAgainstFrictionIsThatOfTheClosedForm) {
  const RunSummary s = run(R"(
[body.rotor]
m = 2
inertia = 0.01
[joint.axle]
type = "revolute"
of = ["ground", "rotor"]
at = [0, 0]
[load.motor]
type = "motor"
at = "axle"
effort = 2
[load.friction]
type = "friction"
at = "axle"
coulomb = 0
viscous = 0.0105
[sensor.w]
type = "angular_velocity"
at = "rotor"
)" + analysis(10));
  ASSERT_EQ(s.status, RunStatus::finished) << s.message;
  EXPECT_NEAR(last(s, "w"), 2 / 0.0105 * (1 - std::exp(-0.0105 * 10 / 0.01)), 0.02);
}

// Free of forces: the kinetic energy stays. It took 0.1 rad a step to explode with rho_inf = 0.8, 0.02 with 0.9.
TEST_P(Rotation, OfATumblingBodyKeepsItsEnergy) {
  const RunSummary s = run(R"(
space = "spatial"
[body.stone]
m = 2
inertia = [0.01, 0.015, 0.02]
angular_velocity = [60, 10, 80]
[sensor.w]
type = "angular_velocity"
at = "stone"
)" + analysis(0.6));
  ASSERT_EQ(s.status, RunStatus::finished) << s.message;
  const double energy = 0.5 * (0.01 * 3600 + 0.015 * 100 + 0.02 * 6400);
  EXPECT_NEAR(s.kinetic, energy, 0.01 * energy);
  EXPECT_TRUE(s.warnings.empty()) << s.warnings[0];
}

INSTANTIATE_TEST_SUITE_P(Of, Rotation,
                         ::testing::Values(R"("generalized-alpha")", R"({ type = "generalized-alpha", rho_inf = 0 })",
                                           R"({ type = "hht", alpha = -0.2 })"));

}  // namespace
}  // namespace flexura
