// What turns too far in a step ends the run or is told, by name and with the step that would do; what is followed well is not.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>

#include "tests/support/scenes.hpp"

namespace flexura {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr double h = 1e-3;  // [s]

RunSummary run(const std::string& parts, double end, const std::string& method, double step = h) {
  return test::run_motion(parts, end, fmt::format("\"{}\"", method), step);
}

/// Its centre 0.1 m off the axle.
std::string rotor(double turn) {
  return fmt::format(R"(
[body.rotor]
m = 2
center = [0.1, 0]
inertia = 0.02
angular_velocity = {0}
[joint.axle]
type = "revolute"
of = ["ground", "rotor"]
at = [0, 0]
)",
                     turn / h);
}

/// Two links in a line, the second at one and a half times the rate of the first.
std::string links(double turn) {
  const double w = turn / h;
  return fmt::format(R"(
[body.upper]
m = 1
center = [0.5, 0]
inertia = 0.0833
angular_velocity = {0}
points = {{ end = [1, 0] }}
[body.lower]
position = [1, 0]
m = 1
center = [0.5, 0]
inertia = 0.0833
angular_velocity = {1}
velocity = [0, {0}]
[joint.shoulder]
type = "revolute"
of = ["ground", "upper"]
at = [0, 0]
[joint.elbow]
type = "revolute"
of = ["upper.end", "lower"]
)",
                     w, 1.5 * w);
}

/// An aluminium blade of 0.5 m on a hub.
std::string blade(double turn) {
  return fmt::format(R"(
space = "spatial"
[material.al]
E = "70 GPa"
nu = 0.3
rho = 2700
[section.s]
material = "al"
shape = {{ type = "rectangle", width = 0.01, height = 0.04 }}
[beam.blade]
section = "s"
path = [[0.05, 0, 0], [0.55, 0, 0]]
elements = 4
angular_velocity = [0, 0, {0}]
about = [0, 0, 0]
[body.hub]
m = 1
inertia = [0.01, 0.01, 0.01]
angular_velocity = [0, 0, {0}]
[joint.axle]
type = "revolute"
of = ["ground", "hub"]
at = [0, 0, 0]
axis = [0, 0, 1]
[joint.root]
type = "weld"
of = ["hub", "blade.start"]
)",
                     turn / h);
}

void expect_followed(const RunSummary& s) {
  EXPECT_EQ(s.status, RunStatus::finished) << s.message;
  EXPECT_THAT(s.warnings, IsEmpty());
}

void expect_told(const RunSummary& s, const std::string& part) {
  EXPECT_EQ(s.status, RunStatus::finished) << s.message;
  ASSERT_FALSE(s.warnings.empty());
  EXPECT_THAT(s.warnings[0], HasSubstr(part + " turns by "));
  EXPECT_THAT(s.warnings[0], HasSubstr("better: analysis.spin.step <= "));
}

void expect_refused(const RunSummary& s, const std::string& part) {
  EXPECT_EQ(s.status, RunStatus::failed);
  EXPECT_THAT(s.message, HasSubstr(part + " turns by "));
  EXPECT_THAT(s.message, HasSubstr("try: analysis.spin.step <= "));
}

/// The step that the text asks for [s].
double advised(const std::string& text) {
  std::smatch match;
  return std::regex_search(text, match, std::regex("step <= ([0-9.e-]+) s")) ? std::stod(match[1]) : 0.0;
}

// The methods that turn bodies as a whole lose track beyond nearly half a turn a step.
TEST(TurnWatch, LetsARotorGoOnWhereItsTurningIsKept) {
  for (const char* method : {"generalized-alpha", "hht"}) {
    for (const double turn : {0.3, 1.0, 2.5}) expect_followed(run(rotor(turn), 0.1, method));
    expect_refused(run(rotor(3.3), 0.1, method), "body 'rotor'");
  }
}

TEST(TurnWatch, KnowsWhatEachMethodFollows) {
  expect_followed(run(rotor(0.3), 0.1, "energy-momentum"));
  expect_told(run(rotor(0.5), 0.1, "energy-momentum"), "body 'rotor'");
  expect_refused(run(rotor(1.5), 0.1, "energy-momentum"), "body 'rotor'");
  expect_followed(run(rotor(0.3), 0.1, "rk4"));
  expect_told(run(rotor(0.5), 0.1, "rk4"), "body 'rotor'");
  expect_refused(run(rotor(1.0), 0.1, "rk4"), "body 'rotor'");
  for (const char* method : {"rk45", "rk853", "adams"}) expect_followed(run(rotor(3.3), 0.1, method));
}

TEST(TurnWatch, RefusesLinksThatTurnAtARateThatChangesTooFast) {
  expect_followed(run(links(0.02), 0.5, "generalized-alpha"));
  const RunSummary s = run(links(0.6), 0.1, "generalized-alpha");
  EXPECT_EQ(s.status, RunStatus::failed);
  EXPECT_THAT(s.message, HasSubstr("more or less in the next"));
  EXPECT_THAT(s.message, HasSubstr("body '"));
}

TEST(TurnWatch, RefusesABladeThatTurnsTooFar) {
  expect_followed(run(blade(0.05), 0.3, "generalized-alpha"));
  expect_told(run(blade(0.15), 0.1, "generalized-alpha"), "beam 'blade'");
  expect_refused(run(blade(0.4), 0.1, "generalized-alpha"), "beam 'blade'");
}

TEST(TurnWatch, AsksForAStepThatDoes) {
  for (const char* method : {"generalized-alpha", "energy-momentum", "rk4"}) {
    const double step = advised(run(rotor(3.3), 0.05, method).message);
    ASSERT_GT(step, 0) << method;
    expect_followed(run(rotor(3.3), 0.05, method, step));
  }
  const double step = advised(run(blade(0.4), 0.05, "generalized-alpha").message);
  ASSERT_GT(step, 0);
  expect_followed(run(blade(0.4), 0.05, "generalized-alpha", step));
}

// It turns by 0.08 rad a step, and back: what swings faster than the step is there to be damped.
TEST(TurnWatch, DoesNotTakeASwingForATurn) {
  const RunSummary s = run(R"(
[body.wheel]
m = 2
inertia = 0.02
angular_velocity = 80
[joint.axle]
type = "revolute"
of = ["ground", "wheel"]
at = [0, 0]
[spring.torsion]
type = "joint"
at = "axle"
stiffness = 12800
)",
                           0.05, "generalized-alpha");
  EXPECT_EQ(s.status, RunStatus::finished) << s.message;
  for (const std::string& warning : s.warnings) EXPECT_THAT(warning, Not(HasSubstr("turns by")));
}

// Where Newton gives up the part is named too.
TEST(TurnWatch, NamesWhatTurnedWhereAStepFails) {
  const RunSummary s = run(blade(100.0), 0.05, "energy-momentum");
  EXPECT_EQ(s.status, RunStatus::failed);
  EXPECT_THAT(s.message, HasSubstr("beam 'blade' turns by 1e+02 rad a step"));
}

}  // namespace
}  // namespace flexura
