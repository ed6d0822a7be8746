// What signals ask of gas that cannot be, said before a run where it is known, else where it is met; chambers that are emptied.

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cmath>

#include "flexura/run/session.hpp"
#include "tests/support/scenes.hpp"

namespace flexura::test {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;

/// An eighth of a stiff sphere of 20 mm with gas in it.
std::string ball(const std::string& contents, const std::string& more) {
  std::string out = R"(space = "spatial"
[material.m]
type = "neo-hooke"
E = 1e9
bulk = 1e10
rho = 1000
[solid.s]
shape = { type = "sphere", inner = 0.01, outer = 0.012, part = "octant" }
elements = [1, 2, 2]
element = "hexahedra-20"
material = "m"
[sensor.p]
type = "pressure"
of = "c"
[sensor.V]
type = "volume"
of = "c"
)";
  for (const auto& [name, side, normal] : {std::tuple{"x", "left", "[1, 0, 0]"}, std::tuple{"y", "front", "[0, 1, 0]"},
                                           std::tuple{"z", "bottom", "[0, 0, 1]"}})
    out += fmt::format(
        "[joint.{0}]\ntype = \"point_on_plane\"\nof = [\"ground\", \"s.{1}\"]\nnormal = {2}\n[plane.{0}]\n"
        "point = [0, 0, 0]\nnormal = {2}\n",
        name, side, normal);
  return out + "[chamber.c]\nsurfaces = [\"s.inner\"]\nplanes = [\"x\", \"y\", \"z\"]\n" + contents + "\n" + more;
}
std::string line(const std::string& type, const std::string& keys) {
  return "[line.v]\ntype = \"" + type + "\"\nof = \"c\"\n" + keys + "\n";
}
const std::string mass = "[sensor.m]\ntype = \"gas_mass\"\nof = \"c\"\n";
const std::string statics = "[[analysis]]\nname = \"rest\"\ntype = \"static\"\n";
const std::string motion = "[[analysis]]\nname = \"move\"\ntype = \"dynamic\"\nend = 0.1\nstep = 2e-3\n";

SceneDocument scene_of(const std::string& text) { return read_scene_text(text, "scene.toml", scene_terms()); }

std::vector<Problem> problems_of(const std::string& text) {
  try {
    interpret_scene(scene_of(text));
  } catch (const InputError& error) {
    return error.problems();
  }
  return {};
}

RunSummary run_of(const std::string& text) {
  RunOptions options;
  options.record = false;
  return run_scene(scene_of(text), options);
}

double last_of(const RunSummary& run, const std::string& sensor) {
  for (const auto& [name, read] : run.sensors)
    if (name == sensor) return read.last.at(0);
  return std::nan("");
}

TEST(AskedGas, IsRefusedBeforeARunWhereItIsKnown) {
  for (const auto& [more, path, says] : {
           std::tuple{
               line("supply", "pressure = -2e5") + statics, "line.v.pressure",
               "asks for an overpressure of -200000 Pa at t = 0 s: with 101325 Pa outside -101325 Pa is a vacuum"},
           std::tuple{line("supply", "pressure = \"= -3e6 * t\"") + motion, "line.v.pressure", "a vacuum"},
           std::tuple{line("vent", "opening = -1") + motion, "line.v.opening", "-1 is out of range; allowed: >= 0"},
           std::tuple{line("vent", "opening = \"= 1 - 20 * t\"") + motion, "line.v.opening",
                      "asks for an opening of -"},
       }) {
    const std::vector<Problem> problems = problems_of(ball("", more));
    ASSERT_EQ(problems.size(), 1u) << more;
    EXPECT_EQ(problems[0].path, path);
    EXPECT_GT(problems[0].source.line, 30);
    EXPECT_THAT(problems[0].message, HasSubstr(says));
  }
  for (const char* contents : {"type = \"gas\"", "type = \"liquid\""}) {
    const std::vector<Problem> problems = problems_of(ball(std::string(contents) + "\nadded = \"= -20 * t\"", motion));
    ASSERT_EQ(problems.size(), 1u) << contents;
    EXPECT_THAT(problems[0].message, HasSubstr("of the filling to be added at t = 0.05 s: -1 is all that is in it"));
  }
  EXPECT_TRUE(problems_of(ball("", line("supply", "pressure = -9e4") + statics)).empty());
}

TEST(AskedGas, OfAPressureThatIsGivenIsWarnedAbout) {
  const SceneModels scene = interpret_scene(scene_of(ball("type = \"pressure\"\npressure = -2e5", statics)));
  ASSERT_EQ(scene.warnings.size(), 1u);
  EXPECT_EQ(scene.warnings[0].path, "chamber.c.pressure");
  EXPECT_EQ(run_of(ball("type = \"pressure\"\npressure = -2e5", statics)).status, RunStatus::finished);
}

// What lags and inputs ask for is known as the run goes.
TEST(AskedGas, EndsTheRunWhereItIsMet) {
  const auto input = [](double value) { return fmt::format("[signal.go]\ntype = \"input\"\nvalue = {}\n", value); };
  const auto lag = [](double value) {
    return fmt::format(
        "[signal.go]\ntype = \"lag\"\nof = \"there\"\ntime_constant = 0.05\ninitial = 0\n[signal.there]\ntype = "
        "\"constant\"\nvalue = {}\n",
        value);
  };
  for (const auto& [text, says] : {
           std::tuple{ball("", line("supply", "pressure = \"go\"") + input(-2e5) + statics),
                      "statics: line.v asks for an overpressure of -200000 Pa at t = 0 s"},
           std::tuple{ball("", line("supply", "pressure = \"go\"") + lag(-2e5) + motion),
                      "dynamics: line.v asks for an overpressure of -[0-9]* Pa at t = 0.0[0-9]* s"},
           std::tuple{ball("", line("vent", "opening = \"go\"") + input(-1) + motion),
                      "dynamics: line.v asks for an opening of -1 at t = 0"},
           std::tuple{ball("added = \"go\"", lag(-2) + motion),
                      "at t = 0.03.*; chamber.c is asked to keep 0.0[0-9]* of its filling there"},
       }) {
    const RunSummary run = run_of(text);
    EXPECT_EQ(run.status, RunStatus::failed);
    EXPECT_THAT(run.message, ContainsRegex(says));
  }
}

// 6.3e-7 kg are in an eighth of the ball at the beginning: at 1e-5 kg/s they are out after 63 ms. In implicit steps of all kinds.
TEST(Chambers, ThatAreEmptiedEndTheRun) {
  for (const char* how : {"", "integrator = \"hht\"", "adaptive = { tolerance = 1e-4, min_step = 1e-6 }"}) {
    const RunSummary run = run_of(ball("", line("inflow", "rate = -1e-5") + mass + motion + how));
    EXPECT_EQ(run.status, RunStatus::failed) << how;
    EXPECT_THAT(run.message, HasSubstr("dynamics: chamber.c has no gas left at t = 0.06")) << how;
    EXPECT_GT(last_of(run, "m"), 0) << how << ": the last state on record had some";
  }
}

// Isothermal gas of 200 bar goes down to that of the atmosphere, far below a hundredth of its own: P V = m R T.
TEST(Chambers, OfHighPressureAreVentedByTheLaw) {
  const RunSummary run = run_of(ball("overpressure = 2e7", line("vent", "resistance = 1e7") + mass + statics));
  ASSERT_EQ(run.status, RunStatus::finished) << run.message;
  const double left = 101325 * last_of(run, "V") / (287.05 * 293.15);
  EXPECT_NEAR(last_of(run, "p"), 0, 0.1);
  EXPECT_NEAR(last_of(run, "m"), left, 1e-6 * left);
}

}  // namespace
}  // namespace flexura::test
