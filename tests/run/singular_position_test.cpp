// Motions that pass positions at which the constraints' rank drops: told with their time, and nothing else is.

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cmath>
#include <numbers>
#include <regex>

#include "tests/support/scenes.hpp"

namespace flexura::test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

std::vector<std::string> warnings_of(const std::string& text) {
  RunOptions options;
  options.record = false;
  const RunSummary s = run_scene(read_scene_text(text, "scene.toml", scene_terms()), options);
  EXPECT_EQ(s.status, RunStatus::finished) << s.message;
  return s.warnings;
}

double time_of(const std::string& warning) {
  std::smatch found;
  return std::regex_search(warning, found, std::regex("at t = ([0-9.e+-]+) s")) ? std::stod(found[1]) : -1;
}

/// A four-bar of equal cranks of 0.1 m whose coupler is `ratio` of its ground link of 0.3 m.
std::string four_bar(double ratio, const std::string& crank, const std::string& analysis) {
  const double angle = 0.3;
  return fmt::format(R"(
space = "planar"
assemble = true
[body.crank]
angle = {0}
m = 0.1
inertia = 1e-4
points = {{ end = [0.1, 0] }}
[body.coupler]
position = [{1}, {2}]
m = 0.3
inertia = 2e-3
points = {{ end = [{3}, 0] }}
[body.rocker]
position = [0.3, 0]
angle = {0}
m = 0.1
inertia = 1e-4
points = {{ end = [0.1, 0] }}
[joint.motor]
type = "revolute"
of = ["ground", "crank"]
at = [0, 0]
{4}
[joint.first]
type = "revolute"
of = ["crank.end", "coupler"]
[joint.second]
type = "revolute"
of = ["coupler.end", "rocker.end"]
[joint.pivot]
type = "revolute"
of = [[0.3, 0], "rocker"]
[[analysis]]
name = "turn"
end = 2.0
step = 0.01
{5}
)",
                     angle, 0.1 * std::cos(angle), 0.1 * std::sin(angle), 0.3 * ratio, crank, analysis);
}

// Cranks and coupler are on one line at angles of π and 2π: at t = (π − 0.3)/5 s and every π/5 s after it.
TEST(SingularPosition, ADrivenParallelogramPassesItsChangePoints) {
  const std::vector<std::string> found = warnings_of(four_bar(1, "angle = \"= 5 * t\"", "type = \"kinematic\""));
  ASSERT_EQ(found.size(), 3u);
  for (size_t k = 0; k < found.size(); ++k) {
    // Written with six digits.
    EXPECT_NEAR(time_of(found[k]), (std::numbers::pi * static_cast<double>(k + 1) - 0.3) / 5, 6e-6) << found[k];
    EXPECT_THAT(found[k], HasSubstr("body.crank"));
    EXPECT_THAT(found[k], HasSubstr("body.coupler"));
    EXPECT_THAT(found[k], HasSubstr("body.rocker"));
  }
}

// A coupler longer by a thousandth swings by: the linkage comes near the position, not into it.
TEST(SingularPosition, ANearMissIsNotTold) {
  EXPECT_THAT(warnings_of(four_bar(1.001, "angle = \"= 1.2 * t\"", "type = \"kinematic\"")), IsEmpty());
}

// Set going instead of driven; it is asked for there. Of a parallelogram without forces all points keep their speed.
TEST(SingularPosition, AFreeParallelogramIsWatchedWhereAsked) {
  const std::string spin = "angular_velocity = 5\n", of_crank = "m = 0.1\ninertia = 1e-4\n";
  std::string text = four_bar(1, "", "type = \"dynamic\"\nsingular_positions = true");
  for (size_t at = text.find(of_crank); at != std::string::npos; at = text.find(of_crank, at + 1))
    text.insert(at, spin), at += spin.size();
  text.insert(text.find("m = 0.3\n"), fmt::format("velocity = [{}, {}]\n", -0.5 * std::sin(0.3), 0.5 * std::cos(0.3)));
  const std::vector<std::string> found = warnings_of(text);
  ASSERT_EQ(found.size(), 3u);
  // Generalised-alpha at 10 ms: bodies of a parallelogram turn evenly.
  for (size_t k = 0; k < found.size(); ++k)
    EXPECT_NEAR(time_of(found[k]), (std::numbers::pi * static_cast<double>(k + 1) - 0.3) / 5, 1e-4) << found[k];
}

std::string slider_crank(const std::string& motor, const std::string& slide, const std::string& analysis) {
  return fmt::format(R"(
space = "planar"
[body.crank]
angle = 0.5
m = 0.1
inertia = 1e-4
points = {{ end = [0.1, 0] }}
[body.rod]
position = [{0}, {1}]
angle = {2}
m = 0.3
inertia = 2e-3
points = {{ end = [0.3, 0] }}
[body.slider]
position = [{3}, 0]
m = 0.2
inertia = 1e-4
[joint.motor]
type = "revolute"
of = ["ground", "crank"]
at = [0, 0]
{4}
[joint.pin]
type = "revolute"
of = ["crank.end", "rod"]
[joint.wrist]
type = "revolute"
of = ["rod.end", "slider"]
[joint.slide]
type = "prismatic"
of = ["ground", "slider"]
at = [{3}, 0]
axis = [1, 0]
{5}
[[analysis]]
name = "turn"
step = 0.01
{6}
)",
                     0.1 * std::cos(0.5), 0.1 * std::sin(0.5), -std::asin(0.1 * std::sin(0.5) / 0.3),
                     0.1 * std::cos(0.5) + std::sqrt(0.09 - std::pow(0.1 * std::sin(0.5), 2)), motor, slide, analysis);
}

// A crank that drives goes through dead centres, which are none of its constraints'.
TEST(SingularPosition, ACrankDrivesThroughDeadCentres) {
  EXPECT_THAT(warnings_of(slider_crank("angle = \"= 6 * t\"", "", "type = \"kinematic\"\nend = 3.0")), IsEmpty());
}

}  // namespace
}  // namespace flexura::test
