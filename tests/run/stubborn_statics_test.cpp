// How many iterations equilibria take that are far from where they begin.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <numbers>
#include <vector>

#include "flexura/run/simulation.hpp"
#include "flexura/scene/reader.hpp"

namespace flexura {
namespace {

RunSummary try_to_run(const std::string& text) {
  RunOptions options;
  options.record = false;
  return run_scene(read_scene_text(text, "stubborn.toml", scene_terms()), options);
}
RunSummary run(const std::string& text) {
  const RunSummary summary = try_to_run(text);
  EXPECT_EQ(summary.status, RunStatus::finished) << summary.message;
  return summary;
}

/// A beam of one metre in space that an end moment rolls up by `turns`.
std::string roll_up_scene(int elements, double turns, bool arc_length = false) {
  return fmt::format(R"(
space = "spatial"
[section.s]
EA = 1e4
GA1 = 5e3
GA2 = 5e3
EI1 = 1.0
EI2 = 1.0
GJ = 1.0
rhoA = 1.0
rhoI1 = 1e-4
rhoI2 = 1e-4
[beam.b]
section = "s"
path = [[0, 0, 0], [1, 0, 0]]
elements = {}
[joint.clamp]
type = "weld"
of = ["ground", "b.start"]
[load.roll]
type = "moment"
at = "b.end"
moment = [0, 0, {:.17g}]
[sensor.tip]
type = "position"
at = "b.end"
[[analysis]]
name = "roll"
type = "static"
arc_length = {}
)",
                     elements, 2 * std::numbers::pi * turns, arc_length);
}
RunSummary roll_up(int elements, double turns) { return run(roll_up_scene(elements, turns)); }

// Measured: 53 and 170 iterations. They were 360 and 2083 with tangents of the stresses at hand, and where two negative pivots
// of the unsymmetric tangent of a moment passed for instability.
TEST(StubbornStatics, ABeamRollsUp) {
  EXPECT_LE(roll_up(5, 1).iterations, 80);
  const RunSummary twice = roll_up(20, 2);
  EXPECT_LE(twice.iterations, 255);
  for (const double x : twice.sensors.at(0).second.last) EXPECT_NEAR(x, 0, 3e-3);  // the discretisation: 1.9e-3
}

// Two turns on five elements are 144 degrees each, which they bear: 0.018 of the length is what the discretisation leaves. An element bears up
// to 260 degrees, so two do not bear two turns; the run ends with an error by name, also where the path of equilibria goes on beyond.
TEST(StubbornStatics, ABeamOfTooFewElementsSaysSo) {
  const RunSummary five = roll_up(5, 2);
  for (const double x : five.sensors.at(0).second.last) EXPECT_NEAR(x, 0, 0.02);
  ASSERT_EQ(five.warnings.size(), 1u);
  EXPECT_NE(five.warnings[0].find("analysis 'roll': beam 'b', element "), std::string::npos) << five.warnings[0];
  for (const bool arc_length : {false, true}) {
    const RunSummary two = try_to_run(roll_up_scene(2, 2, arc_length));
    EXPECT_EQ(two.status, RunStatus::failed) << arc_length;
    EXPECT_NE(two.message.find("beam 'b'"), std::string::npos) << two.message;
    EXPECT_NE(two.message.find("try: more elements"), std::string::npos) << two.message;
  }
}

/// A slack cable under its weight, from straight and without stress: let go at one end, or its end led back by 0.2 m.
RunSummary slack(int elements, bool led) {
  return run(fmt::format(R"(
space = "planar"
gravity = [0, -9.81]
[section.s]
EA = 1e5
EI = {}
rhoA = 1.0
[cable.c]
section = "s"
path = [[0, 0], [{}, 0]]
elements = {}
[joint.a]
type = "pin"
of = ["ground", "c.start"]
{}
[sensor.end]
type = "position"
at = "c.end"
[[analysis]]
name = "hang"
type = "static"
)",
                         led ? 0.01 : 0.001, led ? 1.2 : 1.0, elements,
                         led ? "[joint.b]\ntype = \"prescribed\"\nof = [\"ground\", \"c.end\"]\nx = -0.2\ny = 0" : ""));
}

// Measured: 33 and 404 iterations, 180 and 3094 before. Of 1000 elements 96 in 10 load steps and 5404 in 320, where a step took 602.
TEST(StubbornStatics, ASlackCableFindsHowItHangs) {
  const RunSummary free = slack(100, false);
  EXPECT_LE(free.iterations, 60);
  EXPECT_NEAR(free.sensors.at(0).second.last[1], -1 - 9.81 / 2e5, 1e-6);
  EXPECT_LE(slack(50, true).iterations, 700);
}

// A body on a ball, drawn aside, above and where it hangs, hangs below the ball at the end: no stiffness holds the turn about the vertical,
// and the matrix is singular. It had ended at 0, 0.1 or 0.65 of the weight.
TEST(StubbornStatics, ABodyHangsOnABall) {
  const double centers[][3] = {{0, 0, -0.1}, {0.1, 0, 0.03}, {0.1, 0, -0.03}, {0.1, 0.02, -0.2}};
  for (const auto& c : centers)
    for (const char* how : {"", "as = \"trusses\"\n"}) {
      const RunSummary hung = run(fmt::format(R"(
space = "spatial"
gravity = [0, 0, -9.81]
[body.b]
{}m = 1
center = [{}, {}, {}]
inertia = [0.005, 0.01, 0.01]
[joint.k]
type = "spherical"
of = ["ground", "b"]
at = [0, 0, 0]
[sensor.c]
type = "position"
at = "b.center"
[[analysis]]
name = "s"
type = "static"
)",
                                              how, c[0], c[1], c[2]));
      const std::vector<double>& end = hung.sensors.at(0).second.last;
      EXPECT_NEAR(std::hypot(end[0], end[1]), 0, 1e-9) << how << c[0];
      EXPECT_NEAR(end[2], -std::hypot(c[0], c[1], c[2]), 1e-9) << how << c[0];
      EXPECT_LE(hung.iterations, 120);
    }
}

}  // namespace
}  // namespace flexura
