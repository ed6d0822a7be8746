// What relaxes and creeps, in whole runs: cables, beams, plates and springs against the closed forms of their Prony series.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "flexura/run/session.hpp"
#include "flexura/scene/reader.hpp"
#include "flexura/solve/modes.hpp"

namespace flexura {
namespace {

struct Series {
  std::string text;  ///< as a scene has it
  PronySeries pairs;

  Series(PronySeries branches) : pairs(std::move(branches)) {
    for (const PronyBranch& b : pairs)
      text += fmt::format("{}[{}, {}]", text.empty() ? "relaxation = [" : ", ", b.share, b.time);
    text += "]\n";
  }
  /// Share of the stiffness that is left, t after a strain that came at once.
  double left(double t) const {
    double sum = 1;
    for (const PronyBranch& b : pairs) sum += b.share * std::expm1(-t / b.time);
    return sum;
  }
  /// The same at t after a strain that rose evenly within T.
  double left_after_ramp(double t, double T) const {
    double sum = 1;
    for (const PronyBranch& b : pairs)
      sum += b.share * ((std::exp(-(t - T) / b.time) - std::exp(-t / b.time)) * b.time / T - 1);
    return sum;
  }
  /// Strain over the sudden one, t after a load that rose evenly within T; of one branch: the standard linear solid.
  double crept_after_ramp(double t, double T) const {
    const double stays = 1 - pairs.at(0).share, time = pairs[0].time / stays;
    return 1 / stays - (1 / stays - 1) * (std::exp(-(t - T) / time) - std::exp(-t / time)) * time / T;
  }
};

SceneDocument document(std::string text, const std::string& relaxation) {
  for (size_t at = text.find("RELAXATION"); at != std::string::npos; at = text.find("RELAXATION"))
    text.replace(at, 10, relaxation);
  return read_scene_text(text, "relaxation.toml", scene_terms());
}
RunOptions unrecorded() {
  RunOptions options;
  options.record = false;
  return options;
}

constexpr double ramp = 0.5;  ///< [s]
/// Almost without mass, and what swings all the same dies within a few steps: a sequence of equilibria.
std::string motion(double end, double step = 0.01, const char* integrator = "") {
  return fmt::format(
      "[[analysis]]\nname = \"move\"\ntype = \"dynamic\"\nend = {}\nstep = {}\ntolerance = 1e-11\nintegrator = {}\n",
      end, step, *integrator ? integrator : "{ type = \"generalized-alpha\", rho_inf = 0 }");
}

/// The sensor "answer" at the end.
double answer(const std::string& text, const std::string& relaxation, int component) {
  Session session(document(text, relaxation), unrecorded());
  const int sensor = session.find_sensor("answer");
  const double before = session.sensor(sensor)[component];
  while (session.advance()) {
  }
  EXPECT_EQ(session.status(), RunStatus::finished) << session.message();
  return session.sensor(sensor)[component] - before;
}

struct Part {
  const char* name;
  std::string scene;    ///< RELAXATION: where its stiffness is written
  std::string hold;     ///< moves its end by a signal RAMP, and reads "answer", a force
  int force_component;  ///< of it
  std::string load;     ///< pulls at its end by RAMP, and reads "answer", a displacement
  int displacement_component;
  double elastic = 0;  ///< share of what does not relax where the shape changes: of the order of μ/k
};

const std::string cable = R"(
[section.s]
EA = 1000
EI = 1
rhoA = 1e-6
RELAXATION
[cable.c]
section = "s"
path = [[0, 0], [1, 0]]
elements = 2
[joint.clamp]
type = "weld"
of = ["ground", "c.start"]
)";
const std::string beam = R"(
space = "spatial"
[material.m]
E = 1e6
nu = 0.3
rho = 1e-4
RELAXATION
[section.s]
shape = { type = "circle", radius = 0.05 }
material = "m"
[beam.c]
section = "s"
path = [[0, 0, 0], [1, 0, 0]]
elements = 2
[joint.clamp]
type = "weld"
of = ["ground", "c.start"]
)";
const std::string plate = R"(
space = "spatial"
[material.m]
E = 1e6
nu = 0.3
rho = 1e-4
RELAXATION
[plate.c]
shape = { type = "flat", size = [1, 0.5] }
elements = [2, 1]
material = "m"
thickness = 0.02
[joint.clamp]
type = "weld"
of = ["ground", "c.start"]
)";
const std::string solid = R"(
space = "spatial"
[material.m]
type = "neo-hooke"
mu = 1e5
bulk = 1e9
rho = 1e-4
RELAXATION
[solid.c]
shape = { type = "block", size = [0.1, 0.1, 0.1] }
elements = [1, 1, 2]
material = "m"
[joint.clamp]
type = "weld"
of = ["ground", "c.bottom"]
)";
const std::string full_plate = R"(
space = "spatial"
[material.m]
type = "yeoh"
c10 = 1e5
bulk = 2e9
rho = 1e-4
RELAXATION
[plate.c]
element = "full"
shape = { type = "flat", size = [1, 0.5] }
elements = [2, 1]
material = "m"
thickness = 0.02
[joint.clamp]
type = "weld"
of = ["ground", "c.start"]
)";
const std::string spring = R"(
[point.p]
position = [1, 0]
[mass.m]
at = "p"
m = 1e-6
[spring.s]
type = "linear"
between = [[0, 0], "p"]
stiffness = 100
RELAXATION
[joint.line]
type = "prescribed"
of = ["ground", "p"]
y = 0
)";
const std::string slide = R"(
[body.b]
m = 1e-6
inertia = 1e-6
[joint.j]
type = "prismatic"
of = ["ground", "b"]
axis = [1, 0]
DRIVE
[spring.s]
type = "joint"
at = "j"
stiffness = 100
RELAXATION
)";
const std::string hinge = R"(
[body.b]
m = 1e-6
inertia = 1e-6
points = { tip = [1, 0] }
[joint.j]
type = "revolute"
of = ["ground", "b"]
DRIVE
[spring.s]
type = "torsional"
between = ["ground", "b"]
stiffness = 100
RELAXATION
)";

std::string held(const std::string& place, const char* key, double by, const std::string& sensor) {
  return fmt::format(
      "[joint.hand]\ntype = \"prescribed\"\nof = [\"ground\", \"{}\"]\n{} = {{ type = \"ramp\", to = {}, duration = {} "
      "}}\n[sensor.answer]\n{}",
      place, key, by, ramp, sensor);
}
std::string pulled(const std::string& place, const char* type, const std::string& force, const std::string& sensor) {
  return fmt::format(
      "[load.pull]\ntype = \"{}\"\nat = \"{}\"\nforce = {}\nsignal = {{ type = \"ramp\", to = 1, duration = {} }}\n"
      "[sensor.answer]\n{}",
      type, place, force, ramp, sensor);
}
std::string replaced(std::string text, const std::string& word, const std::string& by) {
  return text.replace(text.find(word), word.size(), by);
}
const std::string reaction = "type = \"reaction\"\nof = \"hand\"\n", tip = "type = \"position\"\nat = \"c.end\"\n";

// Strains of 1e-5: what is not linear in them stays below 1e-5 of the answer.
std::vector<Part> parts() {
  const std::string drive = fmt::format("{{ type = \"ramp\", to = 1e-5, duration = {} }}\n", ramp);
  return {
      {"cable_stretched", cable, held("c.end", "x", 1e-5, reaction), 0, pulled("c.end", "force", "[1e-2, 0]", tip), 0},
      {"cable_bent", cable, held("c.end", "y", 1e-4, reaction), 1, pulled("c.end", "force", "[0, 3e-4]", tip), 1},
      {"beam_stretched", beam, held("c.end", "x", 1e-5, reaction), 0, pulled("c.end", "force", "[7.9e-2, 0, 0]", tip),
       0},
      {"beam_bent", beam, held("c.end", "z", 1e-4, reaction), 2, pulled("c.end", "force", "[0, 0, 1e-3]", tip), 2},
      {"plate_stretched", plate, held("c.end", "x", 1e-5, "type = \"membrane_force\"\nat = \"c@(0.5, 0.5)\"\n"), 0,
       pulled("c.end", "edge_force", "[0.2, 0, 0]", "type = \"position\"\nat = \"c@(1, 0.5)\"\n"), 0},
      {"plate_bent", plate, held("c.end", "z", 1e-4, "type = \"bending_moment\"\nat = \"c@(0.25, 0.5)\"\n"), 0,
       pulled("c.end", "edge_force", "[0, 0, 2e-4]", "type = \"position\"\nat = \"c@(1, 0.5)\"\n"), 2},
      {"spring", spring, held("p", "x", 1e-5, "type = \"force\"\nof = \"s\"\n"), 0,
       pulled("p", "force", "[1e-3, 0]", "type = \"position\"\nat = \"p\"\n"), 0},
      {"slide", slide, "DRIVE" + drive + "[sensor.answer]\ntype = \"force\"\nof = \"s\"\n", 0,
       pulled("b", "force", "[1e-3, 0]", "type = \"displacement\"\nof = \"j\"\n"), 0},
      {"hinge", hinge, "DRIVE" + drive + "[sensor.answer]\ntype = \"torque\"\nof = \"s\"\n", 0,
       pulled("b.tip", "force", "[0, 1e-3]", "type = \"angle\"\nof = \"j\"\n"), 0},
      {"solid_sheared", solid, held("c.top", "y = 0\nz = 0\nx", 1e-6, reaction), 0,
       pulled("c.top", "force", "[1e-2, 0, 0]", "type = \"position\"\nat = \"c.top\"\n"), 0, 1e-4},
      {"full_plate_bent", full_plate, held("c.end", "z", 1e-4, "type = \"bending_moment\"\nat = \"c@(0.25, 0.5)\"\n"),
       0, pulled("c.end", "edge_force", "[0, 0, 2e-4]", "type = \"position\"\nat = \"c@(1, 0.5)\"\n"), 2, 1e-4}};
}
/// Of slides and hinges the drive stands in the joint.
std::string scene_of(const Part& part, const std::string& what) {
  if (part.scene.find("DRIVE") == std::string::npos) return part.scene + what;
  if (!what.starts_with("DRIVE")) return replaced(part.scene, "DRIVE", "") + what;
  const size_t end = what.find('\n') + 1;
  const char* key = part.name == std::string("hinge") ? "angle = " : "displacement = ";
  return replaced(part.scene, "DRIVE", key + what.substr(5, end - 5)) + what.substr(end);
}

class WholePart : public ::testing::TestWithParam<Part> {};

// Exact where the strain is even over each step, at any ratio of step and time.
TEST_P(WholePart, RelaxesAsItsSeriesSays) {
  const Part& part = GetParam();
  const std::string scene = scene_of(part, part.hold) + motion(2);
  const double elastic = answer(scene, "", part.force_component);
  ASSERT_GT(std::fabs(elastic), 1e-6);
  const Series all[] = {PronySeries{{0.5, 1}}, PronySeries{{0.3, 0.1}, {0.2, 3}}, PronySeries{{0.4, 1e-5}},
                        PronySeries{{0.4, 1e5}}, PronySeries{{0.3, 1}, {0.3, 1}}};
  for (const Series& series : all)
    EXPECT_NEAR(answer(scene, series.text, part.force_component) / elastic, series.left_after_ramp(2, ramp),
                2e-6 + part.elastic)
        << series.text;
}

// Creep is not even over a step: (h/τ)²/12 = 8e-6 of what creeps.
TEST_P(WholePart, CreepsAsAStandardLinearSolid) {
  const Part& part = GetParam();
  const std::string scene = scene_of(part, part.load) + motion(2);
  const double elastic = answer(scene, "", part.displacement_component);
  ASSERT_GT(std::fabs(elastic), 1e-6);
  for (const Series& series : {Series({{0.5, 1}}), Series({{0.4, 1e-5}}), Series({{0.4, 1e5}})})
    EXPECT_NEAR(answer(scene, series.text, part.displacement_component) / elastic, series.crept_after_ramp(2, ramp),
                3e-5 + part.elastic)
        << series.text;
}

INSTANTIATE_TEST_SUITE_P(Parts, WholePart, ::testing::ValuesIn(parts()),
                         [](const auto& info) { return std::string(info.param.name); });

// ── What is remembered from one analysis or model to the next ───────────────────────────────────────────────────────

/// A weight on a rubber band: sinks to m g/(0.5 k) = 98.1 mm in the end, by half of it at once.
const std::string weight = R"(gravity = [0, -9.81]
[point.bob]
position = [0, -0.2]
[mass.weight]
at = "bob"
m = 1
[spring.band]
type = "linear"
between = [[0, 0], "bob"]
stiffness = 200
damping = 5
RELAXATION
[sensor.answer]
type = "position"
at = "bob"
[sensor.force]
type = "force"
of = "band"
)";
const Series half({{0.5, 1}});

TEST(RelaxationOfRuns, StaticsAfterDynamicsRelaxesWhatIsLeft) {
  Session session(document(weight + motion(0.3) + "[[analysis]]\nname = \"hang\"\ntype = \"static\"\n" +
                               "[[analysis]]\nname = \"stay\"\ntype = \"dynamic\"\nend = 1\nstep = 0.01\n",
                           half.text),
                  unrecorded());
  const int sensor = session.find_sensor("answer"), force = session.find_sensor("force");
  session.advance_to(0.3 - 1e-9);
  EXPECT_GT(session.sensor(sensor)[1], -0.2 - 0.09) << "it has not sunk so far yet";
  while (session.analysis() != "stay") session.advance();
  EXPECT_NEAR(session.sensor(sensor)[1], -0.2 - 9.81 / 100, 1e-10);
  while (session.advance()) {
  }
  EXPECT_EQ(session.status(), RunStatus::finished) << session.message();
  EXPECT_NEAR(session.sensor(sensor)[1], -0.2 - 9.81 / 100, 1e-10);
  EXPECT_NEAR(session.sensor(force)[0], 9.81, 1e-8);
}

// Held at a length from 0.5 s on; at 0.8 s something else is let go, which makes another model.
TEST(RelaxationOfRuns, GoesOnWhereTheModelChanges) {
  const std::string other =
      "[point.q]\nposition = [3, 0]\n[mass.own]\nat = \"q\"\nm = 1\n[mass.more]\nat = \"q\"\nm = "
      "1\nuntil = 0.8\n[spring.q]\ntype = \"linear\"\nbetween = [[4, 0], \"q\"]\nstiffness = 10\n";
  const Part part = parts()[6];
  const std::string scene = scene_of(part, part.hold) + other + motion(2);
  const double elastic = answer(scene, "", 0);
  EXPECT_NEAR(answer(scene, half.text, 0) / elastic, half.left_after_ramp(2, ramp), 2e-6);
}

// Vibrations are sudden: up and down with the whole k, sideways with the pull of what is relaxed, m g.
TEST(RelaxationOfRuns, ModesAboutARelaxedStateAreThoseOfTheSuddenStiffness) {
  Session session(document(weight + "[[analysis]]\nname = \"hang\"\ntype = \"static\"\n", half.text), unrecorded());
  while (session.advance()) {
  }
  const Values* values = &session.model().model.values;
  System<double> system(session.model().model.topology, {&values, 1});
  State<double> state = session.state();
  system.look_back(state);
  system.assembler.set_signals(system.drives.at(state.t, state.lags));
  const Modes modes = solve_modes(system, state, {.count = 2});
  ASSERT_TRUE(modes.converged);
  const double length = 0.2 + 9.81 / 100;
  EXPECT_NEAR(modes.eigenvalue[0], 9.81 / length, 1e-9 * 200);
  EXPECT_NEAR(modes.eigenvalue[1], 200, 1e-9 * 200);
}

TEST(RelaxationOfRuns, EqualTimesAreOneBranch) {
  const std::string scene = weight + motion(1);
  EXPECT_NEAR(answer(scene, Series({{0.2, 0.4}, {0.3, 0.4}}).text, 1), answer(scene, Series({{0.5, 0.4}}).text, 1),
              1e-12);
}

TEST(RelaxationOfRuns, ASeriesThatLeavesNothingOrRunsBackwardsIsRefused) {
  const std::pair<const char*, const char*> wrong[] = {
      {"relaxation = [[0.5, 1], [0.5, 2]]\n", "the shares sum to 1; allowed: less than 1"},
      {"relaxation = [[0.5, 1], [0.6, 2]]\n", "the shares sum to 1.1; allowed: less than 1"},
      {"relaxation = [[0.5, -1]]\n", "-1 is out of range; allowed: > 0 [s]"},
      {"relaxation = [[-0.5, 1]]\n", "-0.5 is out of range; allowed: > 0 and < 1"}};
  for (const auto& [series, message] : wrong) try {
      document(weight, series);
      ADD_FAILURE() << series;
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), ::testing::HasSubstr(message));
    }
}

// ── Energy ───────────────────────────────────────────────────────────────────────────────────────────────────────────

/// Of a cycle of the strain u sin ωt, once all has settled: π k g ωτ/(1 + (ωτ)²) u².
constexpr double cycle_loss(double k, double g, double w_tau, double u) {
  return std::numbers::pi * k * g * w_tau / (1 + w_tau * w_tau) * u * u;
}

struct Cycles {
  double lost = 0, worked = 0, numerical = 0;  ///< in the last of them [J]
};
Cycles run_cycles(const char* integrator, double step, double tau) {
  const std::string drive =
      "x = \"= 1e-2 * sin(2 * pi * t)\"\n[sensor.energy]\ntype = \"energy\"\nof = \"dissipated\"\n";
  const std::string scene = spring + drive + motion(12, step, integrator);
  Session session(document(scene, Series({{0.4, tau}}).text), unrecorded());
  session.advance_to(11 - 1e-9);
  const EnergyAccount<double> before = session.state().energy;
  while (session.advance()) {
  }
  EXPECT_EQ(session.status(), RunStatus::finished) << session.message();
  const EnergyAccount<double>& after = session.state().energy;
  const RunSummary summary = session.finish();
  return {after.dissipated - before.dissipated, after.prescribed - before.prescribed, summary.numerical};
}

// The area of the hysteresis loop. Second order in the step; what drives it does as much work.
TEST(RelaxationOfRuns, ACycleLosesTheAreaOfItsLoop) {
  for (const char* integrator :
       {"{ type = \"generalized-alpha\", rho_inf = 0.8 }", "{ type = \"hht\" }", "{ type = \"energy-momentum\" }"})
    for (double w_tau : {0.2, 1.0, 5.0}) {
      const double tau = w_tau / (2 * std::numbers::pi), exact = cycle_loss(100, 0.4, w_tau, 1e-2);
      const Cycles coarse = run_cycles(integrator, 0.02, tau), fine = run_cycles(integrator, 0.01, tau);
      std::printf("%-50s wt %.1f: lost %.3e %.3e, worked %.3e %.3e of %.4e, order %.3f\n", integrator, w_tau,
                  coarse.lost / exact - 1, fine.lost / exact - 1, coarse.worked / exact - 1, fine.worked / exact - 1,
                  exact, std::log2((coarse.lost - exact) / (fine.lost - exact)));
      EXPECT_NEAR(fine.lost, exact, 2e-3 * exact) << integrator << w_tau;
      EXPECT_NEAR(fine.worked, exact, 2e-3 * exact) << integrator << w_tau;
      EXPECT_NEAR(std::log2((coarse.lost - exact) / (fine.lost - exact)), 2, 0.1) << integrator << w_tau;
    }
}

}  // namespace
}  // namespace flexura
