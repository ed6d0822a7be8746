#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <sstream>

#include "flexura/scene/scene_number.hpp"
#include "tests/study/gradients.hpp"

namespace flexura {
namespace {

/// ∂(values)/∂p by a central difference of whole runs, fourth order in `relative` of the number.
std::vector<double> by_runs(const SceneDocument& scene, const GradientQuestion& question, const std::string& path,
                            double relative) {
  const ReadScene read = read_again(scene);
  const SceneNumber number = find_scene_numbers(scene, {path})[0];
  const double step = relative * (number.value != 0 ? std::fabs(number.value) : number.scale > 0 ? number.scale : 1);
  GradientQuestion plain = question;
  plain.wrt.clear();
  const auto at = [&](double offset) {
    const SceneDocument there = read({number.setting(number.value + offset * step)});
    return differentiate(there, read_again(there), plain).values;
  };
  const std::vector<double> a = at(-2), b = at(-1), c = at(1), d = at(2);
  std::vector<double> out;
  for (size_t i = 0; i < a.size(); ++i) out.push_back((8 * (c[i] - b[i]) - (d[i] - a[i])) / (12 * step));
  return out;
}

/// Derivatives against whole runs: within 1e-6 of the largest of each column, or of what two differences are apart, whose steps
/// leave waves of high frequency (the larger) or what Newton's tolerance of 1e-12 leaves (the smaller).
void expect_slopes(const SceneDocument& scene, const GradientQuestion& question, double tolerance = 1e-6) {
  const Derivatives exact = differentiate(scene, read_again(scene), question);
  for (size_t p = 0; p < question.wrt.size(); ++p) {
    const std::vector<double> fine = by_runs(scene, question, question.wrt[p], 5e-5),
                              coarse = by_runs(scene, question, question.wrt[p], 2e-4);
    for (size_t c = 0; c < exact.columns.size(); ++c) {
      double size = 0, apart = 0, worst = 0;
      for (size_t t = 0; t < exact.times.size(); ++t) {
        const size_t i = t * exact.columns.size() + c;
        const double slope = exact.slope(t, c, p);
        size = std::max(size, std::fabs(slope));
        apart = std::max(apart, std::fabs(fine[i] - coarse[i]));
        worst = std::max(worst, std::min(std::fabs(slope - fine[i]), std::fabs(slope - coarse[i])));
      }
      EXPECT_LE(worst, tolerance * size + apart + 1e-9 * std::max(1.0, 1 / std::fabs(exact.numbers[p])))
          << exact.columns[c] << " by " << question.wrt[p];
      EXPECT_LE(apart, 1e-4 * size + 1e-6 * std::fabs(exact.values[c])) << "the differences are none";
    }
  }
}

// A slender cantilever: y = F L³/3EI, dy/dEI = −y/EI, dy/dF = y/F, and L³ makes 3 y/L. Small: the load bends by 1.7e-4 L, which
// changes y by the square of that, and EA 1e7 lets it stretch by nothing.
TEST(Gradient, Cantilever) {
  const SceneDocument scene = scene_of(bent_cantilever);
  const Derivatives d =
      differentiate(scene, read_again(scene),
                    {.wrt = {"section.wall.EI", "load.tip.force[1]", "cable.beam.path[1][0]"}, .of = {"tip.y"}});
  const double y = 0.001 / 6;
  EXPECT_NEAR(d.values[0], y, 1e-6 * y);
  EXPECT_NEAR(d.slope(0, 0, 0), -y / 2, 1e-6 * y);
  EXPECT_NEAR(d.slope(0, 0, 1), y / 0.001, 1e-6 * y / 0.001);
  EXPECT_NEAR(d.slope(0, 0, 2), 3 * y, 3e-6 * y);
}

// EA L²/EI = 5e3: of the 5e6 of the closed form rounding leaves 1e-9.
TEST(Gradient, BothWaysAtRest) {
  expect_both_ways(scene_of(bent_cantilever, {"load.tip.force=[0.4, 3]", "section.wall.EA=1e4"}),
                   {.wrt = {"section.wall.EI", "section.wall.EA", "load.tip.force[0]", "cable.beam.path[1][0]"}});
}

TEST(Gradient, BothWaysInMotion) {
  expect_both_ways(example("soft_actuator", {"analysis.move.end=0.1"}),
                   {.wrt = {"section.wall.EI", "mass.payload.m", "parameters.R2", "gravity[1]", "mass_damping"},
                    .of = {"tip", "tip_velocity", "bend"},
                    .times = {0, 0.05, 0.1}});
}

// Forces feel accelerations, of which rounding leaves ε q/(β h²), here 1e-9 of them.
TEST(Gradient, BothWaysOfForces) {
  expect_both_ways(example("soft_actuator", {"analysis.move.end=0.1"}),
                   {.wrt = {"section.wall.EI", "mass.payload.m", "parameters.R2"},
                    .of = {"wall_tension", "root_moment", "clamp_force"},
                    .times = {0, 0.05, 0.1}},
                   1e-7);
}

// Samples of a signal, each by itself a difference of copies forwards, are all found at once backwards.
TEST(Gradient, SamplesOfASignal) {
  std::string points;
  for (int k = 0; k <= 20; ++k)
    points += fmt::format("{}[{}, {}]", k > 0 ? ", " : "", 0.01 * k, 2e4 * std::sin(0.4 * k));
  const SceneDocument scene = example(
      "soft_actuator",
      {"analysis.move.end=0.2", "load.upper_chamber.pressure={ type = \"piecewise\", points = [" + points + "] }"});
  GradientQuestion question{.wrt = {}, .of = {"tip", "tip_velocity"}, .times = {0.1, 0.2}};
  for (int k = 0; k <= 20; k += 4) question.wrt.push_back(fmt::format("load.upper_chamber.pressure.points[{}][1]", k));
  expect_both_ways(scene, question);
}

// Forwards the memory of rubber goes along in duals.
TEST(Gradient, WhatRemembers) {
  const SceneDocument scene = example("relaxation", {"analysis.hold.end=0.4", "analysis.hold.tolerance=1e-12"});
  const GradientQuestion question{
      .wrt = {"material.rubber.E", "material.rubber.rho"}, .of = {"moment", "reaction.y"}, .times = {0.2, 0.4}};
  expect_slopes(scene, question);
}

// Backwards too; sensors of what relaxes read the memory. A stretched band and a strip that is bent, from rest and from an equilibrium; the
// signal that moves the strip's end is a number's as well.
TEST(Gradient, BothWaysThroughWhatRelaxes) {
  const std::vector<std::string> set{"analysis.hold.end=0.2", "analysis.hold.tolerance=1e-12"};
  GradientQuestion question{.wrt = {"material.rubber.E", "material.rubber.relaxation[0][1]", "spring.band.stiffness",
                                    "spring.band.relaxation[0][0]", "signal.press.to", "mass.load.m"},
                            .of = {"load", "pull", "moment"},
                            .times = {0.1, 0.2}};
  expect_both_ways(example("relaxation", set), question, 1e-9);
  question.most_bytes = 0;
  expect_both_ways(example("relaxation", set), question, 1e-9);
}

// A motion, an equilibrium that forgets, and two motions by other methods: where each begins, memory is carried on.
TEST(Gradient, BothWaysThroughMotionsOfWhatRelaxes) {
  const std::ifstream file("examples/relaxation.toml");
  std::stringstream text;
  text << file.rdbuf();
  std::string scene = text.str();
  scene.erase(scene.find("[[analysis]]"));
  const auto motion = [](const char* name, double end, double step, const char* method) {
    return fmt::format(
        "[[analysis]]\nname = \"{}\"\ntype = \"dynamic\"\nend = {}\nstep = {}\nintegrator = \"{}\"\n"
        "tolerance = 1e-12\n",
        name, end, step, method);
  };
  const std::string rest = "[[analysis]]\nname = \"still\"\ntype = \"static\"\ntolerance = 1e-12\n";
  const std::string last = motion("two", 0.1, 1e-3, "generalized-alpha") + motion("three", 0.15, 2e-3, "hht");
  for (const std::string& between : {rest, std::string()})
    expect_both_ways(scene_of(scene + motion("one", 0.05, 2e-3, "generalized-alpha") + between + last),
                     {.wrt = {"material.rubber.E", "spring.band.stiffness", "signal.press.to", "mass.load.m",
                              "material.rubber.relaxation[0][1]"},
                      .of = {"load", "moment", "pull"},
                      .times = {0.04, 0.08, 0.15},
                      .after = {"one"}},
                     1e-9);
}

// A block that is carried along by friction, stuck and sliding; of forces, which have a bend where it slides, it would be read over that.
TEST(Gradient, BothWaysThroughWhatRubs) {
  const SceneDocument scene = example("stick_slip", {"analysis.ride.end=1.2", "analysis.ride.tolerance=1e-12"});
  expect_both_ways(scene,
                   {.wrt = {"load.contact.coulomb", "spring.hold.stiffness", "body.block.m"},
                    .of = {"block.x", "slip"},
                    .times = {0.01, 0.3, 0.7, 1.2}},
                   1e-9);
}

TEST(Gradient, BackwardsByForcesOfWhatRubsIsRefused) {
  const SceneDocument scene = example("stick_slip");
  try {
    differentiate_backwards(scene, read_again(scene), {.wrt = {"spring.hold.stiffness"}, .of = {"friction"}}, {});
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(error.problems()[0].message.find("differentiate forwards"), std::string::npos);
  }
}

// A sheet that carries tension alone: over a step of the size of the sheet it would be read across its wrinkles.
TEST(Gradient, BothWaysOfASheetThatWrinkles) {
  const SceneDocument scene = scene_of(R"(
space = "spatial"
gravity = [0, 0, -9.81]
[material.fabric]
type = "linear"
E = "400 MPa"
nu = 0.3
rho = 1200
[membrane.awning]
shape = { type = "flat", size = ["2 m", "1.2 m"] }
elements = [4, 3]
material = "fabric"
thickness = "0.6 mm"
prestress = "600 N/m"
carries = "tension"
[joint.rail_1]
type = "weld"
of = ["ground", "awning.start"]
[joint.rail_2]
type = "weld"
of = ["ground", "awning.end"]
[sensor.rail]
type = "reaction"
of = "rail_1"
)" + std::string(at_rest));
  const GradientQuestion question{.wrt = {"material.fabric.E", "gravity[2]", "membrane.awning.thickness"},
                                  .of = {"rail.x", "rail.z"}};
  expect_check(scene, question);
  expect_both_ways(scene, question,
                   1e-9);  // the rail feels E where the prestress holds it by a hundredth of what it is made of
}

// What is let go: a latch, a payload, a link of a chain whose place in the link before goes on by itself, and a body that was clamped where
// the number says.
TEST(Gradient, BothWaysThroughChangesOfTheModel) {
  expect_both_ways(example("trapdoor", {"analysis.fall.end=0.5", "analysis.fall.tolerance=1e-12",
                                        "analysis.fall.integrator=\"generalized-alpha\""}),
                   {.wrt = {"body.door.shape.size[0]", "gravity[1]"}, .of = {"edge"}, .times = {0.1, 0.3, 0.5}});
  expect_both_ways(example("soft_actuator",
                           {"analysis.move.end=0.4", "analysis.move.tolerance=1e-12", "mass.payload.until=\"0.1 s\""}),
                   {.wrt = {"section.wall.EI", "mass.payload.m", "parameters.L", "gravity[1]"},
                    .of = {"tip"},
                    .times = {0.05, 0.2, 0.4}},
                   1e-9);
  constexpr const char* chain = R"(
space = "planar"
gravity = [0, -9.81]
[parameters]
L = 0.5
x = 0.1
[body.one]
m = 2
inertia = 0.1
position = ["= x", "= -L"]
points = { top = [0, "= L"], low = [0.1, "= -L"] }
[body.two]
m = 1
inertia = 0.05
position = ["= x + 0.1 + L", "= -2*L"]
points = { left = ["= -L", 0], right = ["= L", 0] }
[joint.pin]
type = "revolute"
of = ["ground", "one.top"]
[joint.link]
type = "revolute"
of = ["one.low", "two.left"]
until = 0.1
[body.held]
m = 1
inertia = 0.05
position = ["= 2 + x", "= L"]
[joint.hold]
type = "weld"
of = ["ground", "held"]
until = 0.15
[sensor.one]
type = "position"
at = "one.low"
[sensor.two]
type = "position"
at = "two.right"
[sensor.held]
type = "position"
at = "held"
[[analysis]]
name = "fall"
type = "dynamic"
integrator = "generalized-alpha"
end = 0.3
step = 1e-3
tolerance = 1e-12
)";
  expect_both_ways(scene_of(chain), {.wrt = {"parameters.L", "parameters.x", "body.one.m", "gravity[1]"},
                                     .of = {"one", "two", "held"},
                                     .times = {0.05, 0.12, 0.3}});
}

// At rest neither way goes through gas: no message sends to the other one.
TEST(Gradient, NoMessageAdvisesAWayThatIsRefusedToo) {
  const SceneDocument scene = example("bellows_finger");
  for (const GradientWay way : {GradientWay::backwards, GradientWay::forwards}) try {
      differentiate(scene, read_again(scene), {.wrt = {"gravity[2]"}}, way);
      ADD_FAILURE();
    } catch (const InputError& error) {
      EXPECT_NE(error.problems()[0].message.find("no derivative of an equilibrium"), std::string::npos) << error.what();
      EXPECT_EQ(error.problems()[0].message.find("forwards"), std::string::npos) << error.what();
    }
}

// Gas between two strips: its pressure and mass have no inertia, and follow at once where motion begins, by whose steps the gas is carried
// on. Sealed, and pumped into; the pressure counts in the first accelerations, and is read there.
constexpr const char* strips_with_gas = R"(
space = "planar"
gravity = [0, -9.81]
mass_damping = "0.7 1/s"
[parameters]
gap = 0.1
[section.strip]
EA = 1e3
EI = 0.05
rhoA = 0.2
[cable.lower]
section = "strip"
path = [[0, 0], [0.5, 0]]
elements = 3
angular_velocity = 0.3
[cable.upper]
section = "strip"
path = [[0.5, "= gap"], [0, "= gap"]]
elements = 3
[joint.lower_clamp]
type = "weld"
of = ["ground", "lower.start"]
[joint.upper_clamp]
type = "weld"
of = ["ground", "upper.end"]
[chamber.air]
surfaces = ["lower", "upper"]
depth = "20 mm"
lids = true
)";
constexpr const char* strips_read = R"(
[sensor.tip]
type = "position"
at = "upper.start"
[sensor.speed]
type = "velocity"
at = "lower.end"
[sensor.pressure]
type = "pressure"
of = "air"
)";

std::string motion_by(const std::string& integrator, double end, double step) {
  return fmt::format(
      "[[analysis]]\nname = \"move\"\ntype = \"dynamic\"\nend = {}\nstep = {}\ntolerance = 1e-12\nintegrator = {}\n",
      end, step, integrator);
}

TEST(Gradient, BothWaysWherePressureHasNoInertia) {
  const std::string motion = motion_by("\"generalized-alpha\"", 0.1, 1e-3);
  const std::string pump = R"(
[line.pump]
type = "inflow"
of = "air"
rate = { type = "piecewise", points = [[0, 1e-6], [0.05, 1e-5], [0.1, 0]] }
)";
  GradientQuestion question{.wrt = {"section.strip.EI", "section.strip.rhoA", "parameters.gap", "gravity[1]",
                                    "chamber.air.depth", "cable.lower.angular_velocity"},
                            .of = {"tip", "speed", "pressure"},
                            .times = {0, 0.001, 0.04, 0.1}};
  expect_both_ways(scene_of(std::string(strips_with_gas) + strips_read + motion), question);
  expect_check(scene_of(std::string(strips_with_gas) + strips_read + motion), question);
  question.wrt.push_back("line.pump.rate.points[1][1]");
  expect_both_ways(scene_of(std::string(strips_with_gas) + pump + strips_read + motion), question, 1e-9);
}

// Explicit methods ask for the pressure at each stage.
TEST(Gradient, PressureWithoutInertiaByExplicitMethods) {
  for (const char* method : {"\"rk4\"", "{ type = \"adams\", rtol = 1e-10, atol = 1e-12 }"})
    expect_check(scene_of(std::string(strips_with_gas) + strips_read + motion_by(method, 0.02, 2e-4)),
                 {.wrt = {"section.strip.EI", "parameters.gap", "chamber.air.depth"},
                  .of = {"tip", "speed", "pressure"},
                  .times = {0.01, 0.02}});
}

// What lags behind an input: a number of the input, of the lag, and of what moves.
TEST(Gradient, BothWaysThroughLags) {
  const SceneDocument scene = scene_of(std::string(cantilever) + R"(
[signal.wish]
type = "piecewise"
points = [[0, 0], [0.03, 2], [0.06, 1], [0.1, 3]]
[signal.valve]
type = "lag"
of = "wish"
time_constant = 0.02
[load.push]
type = "force"
at = "beam.end"
force = [0, 1]
signal = "valve"
[[analysis]]
name = "go"
type = "dynamic"
end = 0.1
step = 2e-3
tolerance = 1e-12
)",
                                       {"section.wall.EA=1e4"});
  const GradientQuestion question{.wrt = {"signal.wish.points[1][1]", "signal.valve.time_constant", "section.wall.EI"},
                                  .of = {"tip"},
                                  .times = {0.05, 0.1}};
  expect_check(scene, question);
  expect_both_ways(scene, question, 1e-9);
}

// Numbers of a lag and of what is driven through Adams' steps, which end where they like: states in between are polynomials.
TEST(Gradient, StatesBetweenStepsOfAdams) {
  const SceneDocument scene =
      example("double_pendulum", {"analysis.swing.end=0.2", "analysis.swing.step=0.002",
                                  "analysis.swing.integrator={ type = \"adams\", rtol = 1e-10, atol = 1e-12 }"});
  expect_check(scene, {.wrt = {"body.lower.density", "gravity[1]"}, .of = {"tip"}, .times = {0.002, 0.05, 0.198, 0.2}});
}

struct Case {
  const char* name;
  std::vector<std::string> set, wrt, of;
  std::vector<double> times;
  double tolerance =
      1e-10;  ///< of both ways; slender parts, EA L²/EI of 1e5 and 5e6, leave that much rounding of their solves
};

class GradientOfExamples : public testing::TestWithParam<Case> {};

constexpr const char* usual = "analysis.swing.integrator=\"generalized-alpha\"";
const Case cases[] = {
    {"pendulum", {"analysis.swing.end=0.4"}, {"parameters.L", "gravity[0]", "gravity[1]"}, {"bob"}, {0, 0.1, 0.4}},
    {"double_pendulum",
     {"analysis.swing.end=0.5", usual},
     {"body.lower.density", "body.upper.density", "gravity[0]", "gravity[1]"},
     {},
     {0.25, 0.5}},
    {"swinging_mass",
     {"analysis.swing.end=0.5", usual},
     {"mass.bob_mass.m", "point.bob.position[0]", "gravity[0]"},
     {},
     {0.5}},
    {"follower_force",
     {"section.strip.EA=1e4"},
     {"section.strip.EI", "section.strip.EA", "load.jet.force[1]", "cable.beam.path[1][0]"},
     {},
     {}},
    {"springs",
     {"analysis.swing.end=0.5"},
     {"spring.coil.stiffness", "spring.coil.damping", "spring.clock.stiffness", "mass.weight.m",
      "point.mass.initial[1]", "cable.bar.angular_velocity"},
     {},
     {0.5}},
    {"free_body",
     {"analysis.fly.end=0.2", "analysis.fly.integrator=\"generalized-alpha\""},
     {"body.racket.m", "body.racket.angular_velocity[0]", "body.racket.angular_velocity[1]", "body.racket.velocity[0]"},
     {},
     {0.2}},
    {"prescribed_motion",
     {"analysis.shake.end=0.3", "joint.hand.x={ type = \"sine\", amplitude = 0.02, frequency = 1.2 }"},
     {"joint.hand.x.amplitude", "joint.hand.x.frequency", "section.cord.EI", "section.cord.rhoA"},
     {"tip", "hand"},
     {0.1, 0.3},
     2e-9},
    {"princeton_beam",
     {},
     {"parameters.load", "material.aluminium.E", "section.strip.shape.height"},
     {"tip"},
     {},
     2e-9},
    {"top",
     {"analysis.spin.end=0.1", "analysis.spin.step=0.001", "analysis.spin.integrator=\"generalized-alpha\""},
     {"body.top.m", "body.top.inertia[2]", "body.top.center[2]", "gravity[2]"},
     {},
     {0.1}},
};

TEST_P(GradientOfExamples, BothWays) {
  const Case& c = GetParam();
  expect_both_ways(example(c.name, c.set), {.wrt = c.wrt, .of = c.of, .times = c.times}, c.tolerance);
}

TEST_P(GradientOfExamples, WholeRuns) {
  const Case& c = GetParam();
  std::vector<std::string> set = c.set;
  const SceneDocument plain = example(c.name, set);
  for (const Record* analysis : plain.of_kind("analysis"))
    set.push_back("analysis." + analysis->name + ".tolerance=1e-12");
  expect_slopes(example(c.name, set), {.wrt = c.wrt, .of = c.of, .times = c.times});
}

INSTANTIATE_TEST_SUITE_P(Scenes, GradientOfExamples, testing::ValuesIn(cases),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(Gradient, StaticExamples) {
  expect_slopes(scene_of(bent_cantilever, {"load.tip.force=[0.4, 3]"}),
                {.wrt = {"section.wall.EI", "section.wall.EA", "load.tip.force[0]", "cable.beam.path[1][0]"}});
}

TEST(Gradient, ActuatorInMotion) {
  const SceneDocument scene =
      example("soft_actuator", {"analysis.move.end=0.2", "analysis.move.tolerance=1e-12",
                                "analysis.hang.tolerance=1e-12", "mass.payload.until=\"0.1 s\""});
  expect_slopes(scene, {.wrt = {"section.wall.EI", "mass.payload.m", "parameters.L", "parameters.R2", "gravity[1]",
                                "mass_damping"},
                        .of = {"tip", "tip_velocity", "bend", "wall_tension", "root_moment", "clamp_force"},
                        .times = {0, 0.05, 0.1, 0.2}});
}

class GradientOfMethods : public testing::TestWithParam<const char*> {};

// Multipliers of an unstretched rod, two bodies, a spring with its damper and a bar of a cable: all that steps are made of.
TEST_P(GradientOfMethods, WholeRuns) {
  const std::string method = fmt::format("analysis.swing.integrator={}", GetParam());
  std::vector<std::string> set{"analysis.swing.end=0.1", method};
  if (method.find("rk") == std::string::npos) set.emplace_back("analysis.swing.tolerance=1e-12");
  expect_check(example("double_pendulum", set), {.wrt = {"body.lower.density", "gravity[1]"}, .of = {"tip", "elbow"}});
  expect_check(example("pendulum", set), {.wrt = {"parameters.L"}, .of = {"bob", "tension"}, .times = {0.05, 0.1}});
  if (method.find("hht") == std::string::npos && method.find("energy") == std::string::npos)
    return;  // explicit methods are not for the stiff bar
  expect_check(
      example("springs", set),
      {.wrt = {"spring.coil.stiffness", "spring.coil.damping", "spring.clock.stiffness"}, .of = {"mass.y", "bar"}});
}

INSTANTIATE_TEST_SUITE_P(Steps, GradientOfMethods,
                         testing::Values("\"hht\"", "\"energy-momentum\"", "\"rk4\"",
                                         "{ type = \"rk45\", rtol = 1e-12, atol = 1e-14 }",
                                         "{ type = \"rk853\", rtol = 1e-12, atol = 1e-14 }",
                                         "{ type = \"adams\", rtol = 1e-12, atol = 1e-14 }"));

TEST(Gradient, AllThatIsWrongIsToldAtOnce) {
  const SceneDocument scene = scene_of(bent_cantilever);
  for (const GradientWay way : {GradientWay::automatic, GradientWay::forwards, GradientWay::backwards}) try {
      const GradientQuestion question{
          .wrt = {"section.wal.EI", "cable.beam.section"}, .of = {"tup"}, .times = {NAN}, .after = {"bent"}};
      differentiate(scene, read_again(scene), question, way);
      FAIL();
    } catch (const InputError& error) {
      std::vector<std::string> paths;
      for (const Problem& problem : error.problems()) paths.push_back(problem.path);
      EXPECT_EQ(paths, (std::vector<std::string>{"section.wal.EI", "cable.beam.section", "tup", "times", "bent"}));
    }
}

// What has no derivative by its kind is found where copies of the scene are made, and told with all else.
TEST(Gradient, WhatCopiesTellIsToldWithAllElse) {
  const SceneDocument scene = scene_of(bent_cantilever);
  for (const GradientWay way : {GradientWay::forwards, GradientWay::backwards}) try {
      const GradientQuestion question{.wrt = {"section.wall.EJ", "analysis.bend.tolerance", "section.wall.EI"},
                                      .of = {"tup"}};
      differentiate(scene, read_again(scene), question, way);
      FAIL();
    } catch (const InputError& error) {
      std::vector<std::string> paths;
      for (const Problem& problem : error.problems()) paths.push_back(problem.path);
      EXPECT_EQ(paths, (std::vector<std::string>{"section.wall.EJ", "tup", "analysis.bend.tolerance"}));
    }
}

TEST(Gradient, TimesThatAreGivenTwice) {
  const SceneDocument scene = example("soft_actuator", {"analysis.move.end=0.02"});
  GradientQuestion question{.wrt = {"section.wall.EI"}, .of = {"tip"}, .times = {0.01, 0.02}};
  for (const GradientWay way : {GradientWay::forwards, GradientWay::backwards}) {
    question.times = {0.01, 0.02};
    const Derivatives once = differentiate(scene, read_again(scene), question, way);
    question.times = {0.02, 0.01, 0.01 * (1 + 1e-12), 0.02};
    const Derivatives again = differentiate(scene, read_again(scene), question, way);
    EXPECT_EQ(again.times, once.times);
    EXPECT_EQ(again.jacobian, once.jacobian);
  }
  question.times = {0.01, 0.01, 0.0123456, 7};
  try {
    differentiate(scene, read_again(scene), question);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(error.problems()[0].message, "no step ends at 0.0123456 s, 7 s");
  }
}

// Where the clamp is moves the whole: x by 1 − ∂(L f)/∂L, and L f does not depend on L at a moment that is EI/L.
TEST(Gradient, PlacesThatNeverMove) {
  const SceneDocument scene = scene_of(bent_cantilever, {"load.tip.force=[0.4, 3]"});
  const GradientQuestion question{.wrt = {"cable.beam.path[0][0]"}, .of = {"tip"}};
  expect_check(scene, question);
  expect_both_ways(scene, question, 2e-9);  // EA L²/EI = 5e6
}

// Given-up stretches come out the same to the bit when the run is done again.
TEST(Gradient, PiecesOfARunAreComputedAgain) {
  const SceneDocument scene = example("soft_actuator", {"analysis.move.end=0.1", "analysis.move.checkpoint=0.01"});
  GradientQuestion question{.wrt = {"section.wall.EI", "mass.payload.m"}, .of = {"tip"}, .times = {0.05, 0.1}};
  const auto weights = [](const Derivatives& d) { return std::vector<double>(d.values.size(), 1.0); };
  const WeightedGradient all = differentiate_backwards(scene, read_again(scene), question, weights);
  question.most_bytes = 0;
  const WeightedGradient least = differentiate_backwards(scene, read_again(scene), question, weights);
  EXPECT_EQ(least.gradient, all.gradient);
  EXPECT_EQ(all.steps_again, 0);
  EXPECT_GE(least.steps_again, 150);  // of 200
  EXPECT_LT(least.state_bytes, all.state_bytes / 3);
}

TEST(Gradient, BackwardsFromEachResult) {
  const SceneDocument scene = example("soft_actuator", {"analysis.move.end=0.05"});
  const GradientQuestion question{
      .wrt = {"section.wall.EI", "mass.payload.m", "gravity[1]"}, .of = {"tip"}, .times = {0.05}, .after = {"hang"}};
  const Derivatives forwards = differentiate(scene, read_again(scene), question, GradientWay::forwards);
  const Derivatives backwards = differentiate(scene, read_again(scene), question, GradientWay::backwards);
  EXPECT_EQ(backwards.values, forwards.values);
  EXPECT_EQ(forwards.analyses, (std::vector<std::string>{"hang", "move"}));
  EXPECT_EQ(forwards.timed, (std::vector<char>{0, 1}));
  ASSERT_EQ(backwards.jacobian.size(), forwards.jacobian.size());
  for (size_t i = 0; i < forwards.jacobian.size(); ++i)
    EXPECT_NEAR(backwards.jacobian[i], forwards.jacobian[i], 1e-9 * std::fabs(forwards.jacobian[i])) << i;
}

// Two motions with methods of their own: the way back has the weights of each.
TEST(Gradient, EachMotionByItsMethod) {
  const std::string text = cantilever;
  const std::string motions = R"([[analysis]]
name = "first"
type = "dynamic"
end = 0.02
step = 1e-3
integrator = { type = "generalized-alpha", rho_inf = 0.2 }
[[analysis]]
name = "second"
type = "dynamic"
end = 0.04
step = 5e-4
integrator = { type = "hht", alpha = -0.1 }
)";
  const std::string scene = text.substr(0, text.find("[[analysis]]")) + motions;
  expect_both_ways(scene_of(scene, {"load.tip.force=[0.1, 3]", "section.wall.EA=1e4"}),
                   {.wrt = {"section.wall.EI", "section.wall.rhoA"}, .of = {"tip"}, .times = {0.02, 0.04}});
}

}  // namespace
}  // namespace flexura
