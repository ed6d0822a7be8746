// Points that rods and distances turn, and bodies that multipliers pin, keep their turning; where they cannot, the run says so.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <regex>

#include "flexura/run/recorder.hpp"
#include "tests/support/scenes.hpp"

namespace flexura {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr double h = 1e-3;  // [s]

const SensorSummary& sensor(const RunSummary& s, const std::string& name) {
  for (const auto& [key, value] : s.sensors)
    if (key == name) return value;
  throw std::runtime_error("no sensor " + name);
}

std::string mass(const std::string& name, double x, double speed) {
  return fmt::format("[point.{0}]\nposition = [{1}, 0]\nvelocity = [0, {2}]\n[mass.of_{0}]\nat = \"{0}\"\nm = 1\n",
                     name, x, speed);
}

const std::string generalized_alpha = "\"generalized-alpha\"", hht = "\"hht\"";

/// Rounding; where steps need an iteration, the stop rule: 1e-8 of the forces.
void expect_kept(const RunSummary& s, double speed, double tolerance = 1e-9) {
  EXPECT_EQ(s.status, RunStatus::finished) << s.message;
  EXPECT_THAT(s.warnings, IsEmpty());
  EXPECT_NEAR(sensor(s, "v").least[0], speed, tolerance * speed);
  EXPECT_NEAR(sensor(s, "v").greatest[0], speed, tolerance * speed);
}

// Rounding of 10 000 steps. Before, the mass flew off at 27 times its speed and stood still, silently.
TEST(TurningRods, KeepAMassThatTheyTurn) {
  for (const char* rod : {"[truss.rod]\ntype = \"rigid\"\nbetween = [[0, 0], \"p\"]\n",
                          "[joint.rod]\ntype = \"distance\"\nof = [[0, 0], \"p\"]\n",
                          "[joint.rod]\ntype = \"distance\"\nof = [\"p\", [0, 0]]\n"})
    for (const std::string& method : {generalized_alpha, hht})
      for (const double turn : {0.2, 0.3, 1.0}) {
        const double speed = 0.1 * turn / h;
        const std::string scene = mass("p", 0.1, speed) + rod + "[sensor.v]\ntype = \"speed\"\nat = \"p\"\n";
        expect_kept(test::run_motion(scene, 10, method), speed);
      }
}

TEST(TurningRods, KeepASlingOfTwoAndOneInSpace) {
  const std::string of_p = "[joint.d]\ntype = \"distance\"\nof = [[0, 0], \"p\"]\n",
                    of_q = "[joint.e]\ntype = \"distance\"\nof = [\"p\", \"q\"]\n";
  for (const std::string& rods : {of_p + of_q, of_q + of_p})  // in whatever order they are written
    expect_kept(
        test::run_motion(mass("p", 0.5, 100) + mass("q", 1, 200) + rods + "[sensor.v]\ntype = \"speed\"\nat = \"q\"\n",
                         10, generalized_alpha),
        200);
  expect_kept(test::run_motion(R"(
space = "spatial"
[point.p]
position = [0.08, 0, 0.06]
velocity = [0, 30, 0]
[mass.m]
at = "p"
m = 1
[truss.rod]
type = "rigid"
between = [[0, 0, 0], "p"]
[sensor.v]
type = "speed"
at = "p"
)",
                               10, generalized_alpha),
              30, 1e-7);
}

// A stone on the rim of a wheel, in line with the spoke.
TEST(TurningRods, KeepWhatTurnsWithABody) {
  expect_kept(test::run_motion(R"(
[body.wheel]
m = 2
center = [0.1, 0]
inertia = 0.02
angular_velocity = 200
points = { rim = [0.3, 0.1] }
[joint.axle]
type = "revolute"
of = ["ground", "wheel"]
at = [0, 0]
[point.p]
position = [0.6, 0.2]
velocity = [-40, 120]
[mass.stone]
at = "p"
m = 0.5
[joint.cord]
type = "distance"
of = ["wheel.rim", "p"]
[sensor.v]
type = "speed"
at = "p"
)",
                               10, generalized_alpha),
              std::hypot(40, 120), 1e-7);
}

// The item asks for 1 % after 10 s at 0.3 rad a step. Before, it read -8 rad/s.
TEST(TurningRods, ARotorPinnedByMultipliersIsKeptToo) {
  const RunSummary s = test::run_motion(R"(
[body.r]
position = [0.1, 0]
m = 2
inertia = 0.01
angular_velocity = 300
velocity = [0, 30]
[joint.axle]
type = "revolute"
method = "multipliers"
of = ["ground", "r"]
at = [0, 0]
[sensor.w]
type = "angular_velocity"
at = "r"
)",
                                        10, generalized_alpha);
  EXPECT_EQ(s.status, RunStatus::finished) << s.message;
  EXPECT_THAT(s.warnings, IsEmpty());
  // The stop rule, 1e-8 of the forces.
  EXPECT_NEAR(sensor(s, "w").least[0], 300, 300 * 1e-7);
  EXPECT_NEAR(sensor(s, "w").greatest[0], 300, 300 * 1e-7);
}

std::string dumbbell(double turn) {
  const double speed = 0.1 * turn / h;
  return mass("p", 0.1, speed) + mass("q", -0.1, -speed) +
         "[truss.bar]\ntype = \"rigid\"\nbetween = [\"p\", \"q\"]\n[sensor.v]\ntype = \"speed\"\nat = \"p\"\n";
}

// Where no end is held one of them circles in fixed directions, and its speed is off by 0.7 % at 0.2 rad a step.
TEST(TurningRods, OfWhichNoEndIsHeldAreToldOrEnd) {
  for (const std::string& method : {generalized_alpha, hht}) {
    EXPECT_THAT(test::run_motion(dumbbell(0.05), 1, method).warnings, IsEmpty());
    const RunSummary told = test::run_motion(dumbbell(0.15), 1, method);
    EXPECT_EQ(told.status, RunStatus::finished) << told.message;
    EXPECT_THAT(told.warnings, Contains(HasSubstr("truss 'bar' turns by 0.15 rad a step")));
    EXPECT_NEAR(sensor(told, "v").last[0], 15, 0.01 * 15);
    const RunSummary ended = test::run_motion(dumbbell(0.3), 1, method);
    EXPECT_EQ(ended.status, RunStatus::failed);
    EXPECT_THAT(ended.message, HasSubstr("truss 'bar' turns by 0.3 rad a step"));
    std::smatch step;
    ASSERT_TRUE(std::regex_search(ended.message, step, std::regex("try: analysis.spin.step <= ([0-9.e-]+) s")));
    const RunSummary better = test::run_motion(dumbbell(0.3), 1, method, std::stod(step[1]));
    EXPECT_EQ(better.status, RunStatus::finished) << better.message;
    EXPECT_NEAR(sensor(better, "v").last[0], 30, 0.01 * 30);
  }
}

TEST(TurningRods, AreWatchedByOtherMethodsAsBodiesAre) {
  const std::string rod = "[truss.rod]\ntype = \"rigid\"\nbetween = [[0, 0], \"p\"]\n";
  for (const std::string& method : {std::string("\"energy-momentum\""), std::string("\"rk4\"")}) {
    const RunSummary told = test::run_motion(mass("p", 0.1, 50) + rod, 0.1, method);
    EXPECT_EQ(told.status, RunStatus::finished) << told.message;
    EXPECT_THAT(told.warnings, Contains(HasSubstr("truss 'rod' turns by 0.5 rad a step")));
    const RunSummary ended = test::run_motion(mass("p", 0.1, 150) + rod, 0.1, method);
    EXPECT_EQ(ended.status, RunStatus::failed);
    EXPECT_THAT(ended.message, HasSubstr("truss 'rod' turns by "));
  }
}

// The order of the method: a double pendulum of rods, its tip after half a second, in steps of 4, 2 and 1 ms.
TEST(TurningRods, SwingToSecondOrder) {
  const auto tip = [](double step) {
    const RunSummary s = test::run_motion("gravity = [0, -9.81]\n" + mass("p", 0.5, 0) + mass("q", 1, 0) +
                                              "[truss.a]\ntype = \"rigid\"\nbetween = [[0, 0], \"p\"]\n"
                                              "[truss.b]\ntype = \"rigid\"\nbetween = [\"p\", \"q\"]\n"
                                              "[sensor.tip]\ntype = \"position\"\nat = \"q\"\n",
                                          0.5, generalized_alpha, step);
    EXPECT_EQ(s.status, RunStatus::finished) << s.message;
    return sensor(s, "tip").last;
  };
  const std::vector<double> a = tip(4e-3), b = tip(2e-3), c = tip(1e-3);
  const double coarse = std::hypot(a[0] - b[0], a[1] - b[1]), fine = std::hypot(b[0] - c[0], b[1] - c[1]);
  EXPECT_NEAR(std::log2(coarse / fine), 2, 0.1);
}

// 354 J of a tumbling stone become 0.7 J, after an explosion to many times as much, which is no scale for what was lost.
TEST(EnergyWarning, DoesNotMeasureAnExplosionByItself) {
  const RunSummary s = test::run_motion(R"(
space = "spatial"
[body.stone]
m = 1
inertia = [0.02, 0.03, 0.04]
angular_velocity = [30, 150, 20]
)",
                                        1, "{ type = \"hht\", alpha = -0.01 }", 2.5e-3);
  ASSERT_EQ(s.status, RunStatus::finished);
  ASSERT_LT(s.kinetic, 0.1 * 354.5);
  EXPECT_THAT(s.warnings, Contains(HasSubstr("do not trust the motion")));
}

TEST(EnergyWarning, CountsWhatWasInPlayWithoutWhatTheIntegrationPutIn) {
  EnergyRange range;
  range.include({.kinetic = 200});
  range.include({.kinetic = 153000, .strain = 500, .numerical = -153300});
  range.include({.kinetic = 1, .numerical = 199});
  EXPECT_DOUBLE_EQ(range.in_play(0), 200);
  EXPECT_DOUBLE_EQ(range.in_play(153300), 200);  // dampers took it
}

// 3e-7 J of 3e-4 J at most; but of the 2e-6 J that are left at the end they are 13 %.
TEST(EnergyWarning, IsQuietAtTheEndOfASlowPush) {
  const RunSummary s = test::run_motion(R"(
[section.s]
EA = 100
EI = 0.01
rhoA = 0.05
[cable.c]
section = "s"
path = [[0, 0], [0.2, 0]]
elements = 4
[joint.clamp]
type = "weld"
of = ["ground", "c.start"]
[load.push]
type = "force"
at = "c.end"
force = [0, 0.05]
signal = "= sin(pi*t/0.4)^2"
)",
                                        0.4, generalized_alpha, 0.04);
  ASSERT_EQ(s.status, RunStatus::finished);
  EXPECT_GT(s.numerical, 0.1 * std::max(s.kinetic + s.strain, std::fabs(s.work)));
  EXPECT_THAT(s.warnings, IsEmpty());
}

}  // namespace
}  // namespace flexura
