// Lengths that signals ask for: above 0, said before a run where they are known, else where they are met.

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "flexura/run/session.hpp"
#include "tests/support/scenes.hpp"

namespace flexura::test {
namespace {

using testing::HasSubstr;

/// A point on a slanted actuator of 0.5 m and an elastic truss.
std::string actuated(const std::string& extension, const std::string& analyses, const std::string& more = "") {
  return fmt::format(R"(space = "planar"
[point.p]
position = [0.3, 0.4]
[mass.m]
at = "p"
m = 1
[truss.boom]
type = "actuator"
between = [[0, 0], "p"]
extension = {}
[truss.stay]
type = "elastic"
between = [[1, 1], "p"]
EA = 100
{}{})",
                     extension, more, analyses);
}
std::string motion(double end, const std::string& more = "") {
  return fmt::format("[[analysis]]\nname = \"move\"\ntype = \"dynamic\"\nend = {}\nstep = 1e-2\n{}\n", end, more);
}
const std::string statics = "[[analysis]]\nname = \"rest\"\ntype = \"static\"\n";

std::vector<Problem> problems_of(const std::string& text) {
  try {
    interpret_scene(read_scene_text(text, "scene.toml", scene_terms()));
  } catch (const InputError& error) {
    return error.problems();
  }
  return {};
}

TEST(AskedLength, IsRefusedBeforeARunWhereItIsKnown) {
  const std::string ramp = "{ type = \"ramp\", to = -0.6, duration = 1 }";
  for (const auto& [extension, analyses, says] :
       {std::tuple{std::string("-0.5"), statics, "asks for a length of 0 m at t = 0 s: near 0 its ends meet"},
        std::tuple{std::string("-0.7"), motion(1), "asks for a length of -0.2 m at t = 0 s"},
        std::tuple{ramp, motion(1), "asks for a length of "},
        std::tuple{std::string("{ type = \"sine\", amplitude = 0.6, frequency = 1 }"), motion(1), "at t = 0.6"},
        std::tuple{std::string("\"= -0.6 * t\""), motion(1), "asks for a length of "}}) {
    const std::vector<Problem> problems = problems_of(actuated(extension, analyses));
    ASSERT_EQ(problems.size(), 1u) << extension;
    EXPECT_EQ(problems[0].path, "truss.boom.extension");
    EXPECT_EQ(problems[0].source.line, 10);
    EXPECT_THAT(problems[0].message, HasSubstr(says)) << extension;
  }
  // What comes after the end of the run is no matter, nor what is not acting.
  EXPECT_TRUE(problems_of(actuated(ramp, motion(0.5))).empty());
  EXPECT_TRUE(problems_of(actuated(ramp + "\nuntil = 0.5", motion(1))).empty());
}

TEST(AskedLength, IsRefusedInDrivesToo) {
  std::string text = actuated("-0.6", motion(1));
  text.replace(text.find("actuator"), 8, "drive");
  text.insert(text.find("extension"), "stiffness = 1e4\nmax_rate = 0.1\n");
  const std::vector<Problem> problems = problems_of(text);
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_THAT(problems[0].message, HasSubstr("asks for a length of -0.1 m"));
}

// Lags and inputs are known as the run goes: it ends where they are met, in steps of any kind and at rest.
TEST(AskedLength, EndsTheRunWhereItIsMet) {
  const std::string lag =
      "[signal.go]\ntype = \"lag\"\nof = \"there\"\ntime_constant = 0.5\ninitial = 0\n[signal.there]\ntype = "
      "\"constant\"\nvalue "
      "= -0.8\n";
  RunOptions options;
  options.record = false;
  for (const char* how : {"", "adaptive = { tolerance = 1e-4, min_step = 1e-4 }", "integrator = \"rk45\"",
                          "integrator = \"energy-momentum\""}) {
    const std::string text = actuated("\"go\"", motion(2, how), lag);
    const RunSummary run = run_scene(read_scene_text(text, "scene.toml", scene_terms()), options);
    EXPECT_EQ(run.status, RunStatus::failed) << how;
    // −0.8 (1 − exp(−t/0.5)) = −0.5 at 0.49 s.
    EXPECT_THAT(run.message, testing::ContainsRegex(
                                 "truss.boom (asks for a length of |is asked to be [0-9.e-]* m long there, of 0.5 m)"))
        << how;
    EXPECT_THAT(run.message, HasSubstr("at t = 0.")) << how;
  }
  const std::string input = "[signal.go]\ntype = \"input\"\nvalue = -0.8\n";
  const RunSummary rest =
      run_scene(read_scene_text(actuated("\"go\"", statics, input), "scene.toml", scene_terms()), options);
  EXPECT_EQ(rest.status, RunStatus::failed);
  EXPECT_THAT(rest.message, HasSubstr("statics: truss.boom asks for a length of -0.3 m"));
}

/// A hinge without load that turns at 1 rad/s, with what `more` says.
std::string hinge(const std::string& more) {
  return R"(space = "planar"
[body.arm]
m = 1
inertia = 2
angular_velocity = 1
[joint.hinge]
type = "revolute"
of = ["ground", "arm"]
[sensor.angle]
type = "angle"
of = "hinge"
)" + more +
         "[[analysis]]\nname = \"d\"\ntype = \"dynamic\"\nend = 1\nstep = 1e-3\nintegrator = \"energy-momentum\"\n";
}

// What follows a target lets go where it ends, and does not follow 0; before it begins it holds nothing.
TEST(ActingTimes, OfWhatFollowsATarget) {
  const std::string servo = "[load.turn]\ntype = \"servo\"\nat = \"hinge\"\ntarget = \"= t\"\nkp = 1e4\nkd = 100\n";
  EXPECT_NEAR(end_of(hinge(servo + "until = 0.5\n")).at("angle")[0], 1, 1e-9);
  EXPECT_NEAR(end_of(hinge(servo + "from = 0.5\n")).at("angle")[0], 1, 1e-9);
  const std::string drive =
      "[load.turn]\ntype = \"drive\"\nat = \"hinge\"\ntarget = 0.5\nstiffness = 1e4\nmax_rate = 1\n";
  EXPECT_NEAR(end_of(hinge(drive + "from = 0.99999\n")).at("angle")[0], 1, 1e-4);
}

}  // namespace
}  // namespace flexura::test
