// What random machines found, each by itself.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "flexura/base/file.hpp"
#include "flexura/run/session.hpp"
#include "flexura/scene/reader.hpp"
#include "flexura/study/ensemble.hpp"
#include "tests/metamorphic/scene_tree.hpp"
#include "tests/support/scenes.hpp"

namespace flexura {
namespace {

// A free truss is a mass that pulls nothing; its sensor had read what the sensor before it had evaluated, here the
// spring's 5 N.
TEST(FoundCases, AMassAloneReadsNoForceOfAnotherItem) {
  const test::Sensors end = test::end_of(R"(
[point.p]
position = [1, 0]
[mass.m]
at = "p"
m = 2
[spring.pulls]
type = "linear"
between = [[0, 0], "p"]
stiffness = 100
free_length = 0.95
[truss.free]
type = "free"
between = [[0, 1], "p"]
[sensor.spring]
type = "force"
of = "pulls"
[sensor.truss]
type = "force"
of = "free"
[[analysis]]
name = "move"
type = "dynamic"
end = 1e-6
step = 1e-6
)");
  EXPECT_NEAR(end.at("spring")[0], 5, 1e-6);
  EXPECT_EQ(end.at("truss")[0], 0);
}

// Rows of the matrix are padded to four in a run by itself and not at all in a lane. Newton's method took the stored
// values for the work of a factor, and renewed the tangent of this block, whose rows are near the limit, later alone
// than in a lane.
TEST(FoundCases, ARunInALaneRenewsItsTangentAsItDoesAlone) {
  const std::string scene = R"(
space = "spatial"
gravity = [0, 0, -9.81]
[material.rubber]
type = "neo-hooke"
mu = 773800
nu = 0.42
rho = 1191
[solid.block]
shape = { type = "block", size = [0.183, 0.08698, 0.07615] }
elements = [2, 1, 1]
material = "rubber"
damping = 1e-3
element = "hexahedra-8"
[joint.wall]
type = "weld"
of = ["ground", "block.left"]
[[analysis]]
name = "move"
type = "dynamic"
end = 0.02
step = 0.002
)";
  const auto document = [&] { return read_scene_text(scene, "block.toml", scene_terms()); };
  Ensemble ensemble(document(), 2, {});
  const std::vector<size_t> members{0, 1};
  for (const std::string& problem : ensemble.begin(members)) ASSERT_EQ(problem, "");
  RunOptions options;
  options.record = false;
  Session alone(document(), options);
  for (int step = 1; step <= 10; ++step) {
    ensemble.advance_to(std::vector<double>(2, 0.002 * step));
    alone.advance_to(0.002 * step);
    EXPECT_EQ(ensemble.session(0).state().q, alone.state().q) << "step " << step;
  }
  EXPECT_EQ(ensemble.in_lanes(), 20);
}

// A disc on a pin whose x is prescribed and on a line that the ground keeps: the place on the line follows the signal
// and the disc's rotation both. Reactions did work along all of its motion, and not only along what is prescribed.
const std::string pushed_disc = R"(
space = "planar"
[point.p]
position = [-0.459, -0.157]
[mass.weight]
at = "p"
m = 0.7
[joint.drive]
type = "prescribed"
of = ["ground", "p"]
x = { type = "smooth_step", to = 0.05, duration = 0.1 }
[body.disc]
position = [-0.413, -0.293]
angle = 1.365
shape = { type = "disc", radius = 0.1692 }
m = 0.39
points = { rim = [0.12373025486722411, 0.072820491830883433] }
[joint.pin]
type = "pin"
of = ["p", "disc.rim"]
[joint.line]
type = "point_on_line"
of = ["ground", "disc"]
at = [-0.156, -0.309]
axis = [1, 0.5]
[spring.holds]
type = "linear"
between = [[-0.28, 0], "p"]
stiffness = 700
[spring.turns]
type = "torsional"
between = ["ground", "disc"]
stiffness = 19
)";

// Generalized-alpha dissipates 3e-4 of the energy at 1 ms; before, its balance was open by 7 %.
TEST(FoundCases, ReactionsDoWorkAlongWhatIsPrescribedAlone) {
  for (const char* integrator : {"\"generalized-alpha\"", "\"energy-momentum\"", "\"rk45\""}) {
    const RunSummary run = test::run_motion(pushed_disc, 0.06, integrator);
    EXPECT_EQ(run.status, RunStatus::finished) << run.message;
    EXPECT_GT(run.kinetic + run.strain, 0.01) << integrator;
    EXPECT_NEAR(run.work, run.kinetic + run.strain, 1e-3 * (run.kinetic + run.strain)) << integrator;
  }
}

TEST(FoundCases, PrescribedDisplacementsDoWorkInStatics) {
  std::string scene = pushed_disc;
  const std::string signal = "{ type = \"smooth_step\", to = 0.05, duration = 0.1 }";
  scene.replace(scene.find(signal), signal.size(), "0.05");
  const RunSummary run = test::run_text(scene + "[[analysis]]\nname = \"rest\"\ntype = \"static\"\n");
  EXPECT_EQ(run.status, RunStatus::finished) << run.message;
  EXPECT_GT(run.strain, 0.01);
  // The integral over cubics through ten load steps; before, 0.27 J of 0.43 J were missing.
  ASSERT_EQ(run.at_rest.paths.size(), 1u);
  EXPECT_NEAR(run.at_rest.paths[0].open(), 0, 1e-4 * run.strain);
}

// Angles of joints had a penalty of 1 N m whatever the machine: in tonnes and kilometres, 10^9 times that of its weight, no load
// step ended. The angles are those of the bodies without `as = "trusses"`. Factors that are powers of ten round the scene's
// numbers, so that an iteration more or less is to be expected there.
TEST(FoundCases, StaticsOfBodiesMadeOfTrussesTakesTheSameLoadStepsInAllUnits) {
  const std::string scene = *read_file("tests/cases/studies/static_bodies_of_trusses.toml");
  const auto in_units = [&](const test::UnitFactors& factors) {
    test::SceneTree tree(scene);
    std::map<std::string, double> signals;
    test::rescale(tree, factors, signals);
    return test::run_text(tree.text());
  };
  std::vector<test::UnitFactors> systems;
  for (const double base : {10.0, 2.0})
    for (const int length : {-3, 0, 3})
      for (const int mass : {-3, 0, 3})
        for (const int time : {0, 3})
          systems.push_back({std::pow(base, length), std::pow(base, mass), std::pow(base, time)});
  const long load_steps = in_units({}).load_steps;
  for (const test::UnitFactors& factors : systems) {
    SCOPED_TRACE(
        fmt::format("1 m = {} lengths, 1 kg = {} masses, 1 s = {} times", factors.length, factors.mass, factors.time));
    const RunSummary summary = in_units(factors);
    ASSERT_EQ(summary.status, RunStatus::finished) << summary.message;
    EXPECT_EQ(summary.load_steps, load_steps);
    const std::map<std::string, double> angles{{"qj0", -0.404804}, {"qj1", 0.113415}};
    for (const auto& [name, sensor] : summary.sensors)
      if (angles.contains(name)) {
        EXPECT_NEAR(sensor.last[0], angles.at(name), 1e-6) << name;  // the digits of the reference
      }
  }
}

// The sign of a joint's axis was taken for that of its place: 42 of 432 orders of these tables read the weight of two bodies
// downwards. Joints carry the bodies behind them, 1, 2 and 4 kg, which stand still.
TEST(FoundCases, ReactionsHaveTheSameSignInAnyOrderOfTables) {
  const std::map<char, std::string> bodies{
      {'a', "[body.a]\nposition = [0, 0, 0]\nm = 1\ninertia = [0.01, 0.01, 0.01]\npoints = { p = [0, 0.3, 0] }\n"},
      {'b',
       "[body.b]\nposition = [0.1, 0.5, 0.2]\nm = 2\ninertia = [0.02, 0.02, 0.02]\npoints = { q = [0.2, 0.3, 0.1] }\n"},
      {'c',
       "[body.c]\nposition = [0.5, 0.9, 0.4]\nm = 4\ninertia = [0.03, 0.03, 0.03]\npoints = { r = [-0.2, -0.1, -0.1] "
       "}\n"}};
  const std::map<char, double> weight{{'g', 70}, {'h', 60}, {'i', 40}};
  const auto joint = [](char name, bool slides) -> std::string {
    if (name == 'h')
      return "[joint.h]\ntype = \"revolute\"\nof = [\"a\", \"b\"]\nat = [0, 0.3, 0]\naxis = [0, 1, 0]\nangle = 0\n";
    if (name == 'i') return "[joint.i]\ntype = \"revolute\"\nof = [\"b.q\", \"c.r\"]\naxis = [0, 1, 0]\nangle = 0\n";
    return fmt::format(
        "[joint.g]\ntype = \"{}\"\nof = [\"ground\", \"a\"]\nat = [0, 0.1, 0]\naxis = [0, 1, 0]\n{} = 0\n",
        slides ? "prismatic" : "revolute", slides ? "displacement" : "angle");
  };
  for (const bool slides : {false, true})
    for (std::string joints = "ghi";;) {
      for (std::string order = "abc";;) {
        std::string scene = "space = \"spatial\"\ngravity = [0, 0, -10]\n";
        for (const char name : joints) scene += joint(name, slides);
        for (const char name : order) scene += bodies.at(name);
        for (const auto& [name, newtons] : weight)
          scene += test::sensor_text(std::string(1, name), "reaction", "of", std::string(1, name));
        const test::Sensors end = test::end_of(
            scene + "[[analysis]]\nname = \"hold\"\ntype = \"inverse_dynamics\"\nend = 0.01\nstep = 0.01\n");
        for (const auto& [name, newtons] : weight)
          EXPECT_NEAR(end.at(std::string(1, name))[2], newtons, 1e-9) << joints << order << name << slides;
        if (!std::next_permutation(order.begin(), order.end())) break;
      }
      if (!std::next_permutation(joints.begin(), joints.end())) break;
    }
}

// Rows of the joints were taken for redundant ones in the equations of the nearest velocities, where all three joints have
// multipliers: the slider turned with 0.417 rad/s, and nothing was reported. The value is that of least squares by hand: 0.6704836299.
TEST(FoundCases, NearestVelocitiesDoNotDependOnOtherParts) {
  const std::string scene = R"(
space = "planar"
[body.b1]
position = [-0.292, -0.07]
angle = -0.6723
shape = { type = "rod", length = 0.1058 }
m = 0.1244
[body.b4]
position = [-0.397, -0.311]
angle = -1.642
m = 0.4197
inertia = 0.006131
center = [-0.078, -0.05]
velocity = [-0.916, -0.35]
angular_velocity = -0.6361
[body.b6]
position = [0.067, 0.006]
angle = -0.8562
shape = { type = "rectangle", size = [0.3042, 0.3068] }
m = 0.2247
velocity = [-0.31, -0.506]
angular_velocity = -1.88
[joint.j2]
type = "revolute"
of = ["b1", "ground"]
at = [-0.372, 0.022]
method = "M"
[joint.j5]
type = "prismatic"
of = ["b1", "b4"]
at = [-0.597, -0.311]
axis = [1, 0]
method = "M"
[joint.j7]
type = "revolute"
of = ["b6", "ground"]
at = [0.188, 0.097]
method = "M"
[sensor.slider]
type = "angular_velocity"
at = "b4"
[[analysis]]
name = "move"
type = "dynamic"
end = 1e-9
step = 1e-9
)";
  for (const std::string method : {"eliminated", "multipliers"}) {
    std::string text = scene;
    for (size_t at = 0; (at = text.find("\"M\"", at)) != std::string::npos;) text.replace(at + 1, 1, method);
    EXPECT_NEAR(test::end_of(text).at("slider")[0], 0.6704836299, 1e-7) << method;
  }
}

// The mass matrix was called singular where only the shares of redundant rows, by rounding, went on changing. No unit of mass may matter.
TEST(FoundCases, ABeamOfSmallMassesIsHeldByItsWeld) {
  EXPECT_EQ(test::run_text(R"(
space = "spatial"
gravity = [0.0, 0.0, 0.0]
mass_damping = 0.001849

[material.abeam1]
E = 4.192
rho = 0.0010520000000000002
relaxation = [[0.3, 50.0]]

[section.sbeam1]
shape = { type = "rectangle", width = 30.22, height = 22.665000000000003 }
material = "abeam1"
damping_stretch = 1.0
damping_bend = 10.0

[beam.beam1]
section = "sbeam1"
path = { spline = [[-400.0, 0.0, 0.0], [-269.720649, -60.107172, -156.887216], [-85.0, -103.0, -253.0]] }
elements = 4
up = [-0.358014475, 0.61999879, -0.698159822]

[joint.j2]
type = "weld"
of = ["ground", "beam1.start"]

[load.f3]
type = "pneumatic"
between = ["beam1.start", "beam1.end"]
radius = 5.0
arm = 8.0
pressure = { type = "sine", amplitude = -0.01392, frequency = 0.004528, phase = -0.2993 }
until = 10.0

[[analysis]]
name = "rest"
type = "static"
tolerance = 1e-12

[[analysis]]
name = "move"
type = "dynamic"
end = 100.0
step = 2.0
integrator = { type = "energy-momentum" }
tolerance = 1e-12

[output]
sensor_interval = 20.0
)")
                .status,
            RunStatus::finished);
}

// A ball that slides on a plane: its velocity along the normal is known to the rounding of the whole velocity only, and the rest
// was expected to vanish to 1e-12 of the rounding itself.
TEST(FoundCases, ABallSlidesOnAPlaneInMillimetresAndMilliseconds) {
  EXPECT_EQ(test::run_text(R"(
space = "spatial"
gravity = [0.0, 0.0, 0.0]

[body.b1]
position = [200.0, 0.0, 280.0]
axes = [[-0.288, -0.864, 0.69], [0.3441796686817203, -0.6532802394692222, -0.6743628729290906]]
shape = { type = "box", size = [315.5, 92.41000000000001, 242.2] }
m = 104.5

[sphere.ball8]
radius = 98.74
position = [2960.0, 3078.0, 3202.0]
m = 1186.0
velocity = [-0.356, 0.103, -0.902]

[plane.floor9]
point = [2960.0, 3078.0, 3089.46]
normal = [0.024, -0.042, 0.956]

[contact.touch]
between = ["ball8", "floor9"]
restitution = 0

[[analysis]]
name = "move"
type = "dynamic"
end = 60.0
step = 2.0
integrator = { type = "generalized-alpha", rho_inf = 0.6339 }
tolerance = 1e-12

[output]
sensor_interval = 20.0
)")
                .status,
            RunStatus::finished);
}

// Gaps were allowed to be 1e-9 of a metre and a place's distance from the origin: in millimetres those of nine digits were refused.
TEST(FoundCases, PlacesOfNineDigitsMeetInMillimetresToo) {
  EXPECT_EQ(test::run_text(R"(
space = "spatial"
gravity = [-0.006261, 0.005946, -0.007396]

[body.b3]
position = [-23.0, -105.0, -199.0]
axes = [[0.373, 0.063, 0.776], [-0.22846450570592072, -0.9553501666915976, 0.1873767024869576]]
shape = { type = "box", size = [189.70000000000002, 195.1, 256.79999999999995] }
m = 3557.0
points = { q5 = [77.59246990864266, -122.04705699589269, 60.282041207292444] }

[joint.j4]
type = "point_on_line"
of = ["b3.q5", [158.809954, 69.4088019, -200.170816]]
axis = [0.721, 0.738, -0.257]

[[analysis]]
name = "move"
type = "dynamic"
end = 50.0
step = 1.0
integrator = { type = "hht" }
tolerance = 1e-12

[output]
sensor_interval = 10.0
)")
                .status,
            RunStatus::finished);
}

// A body on a spherical joint and a prismatic one, which are more than it needs: places of nine digits leave a gap of
// 3.65e-10 m, which no motion closes. Joints by multipliers had to close to 2e-11 of a metre; eliminated ones to 1e-8 of
// the machine.
TEST(FoundCases, RedundantJointsOfNineDigitsCloseByMultipliersToo) {
  for (const char* method : {"eliminated", "multipliers"}) {
    std::string scene = R"(
space = "spatial"
gravity = [-7.015, -2.109, -2.606]
[body.b3]
position = [-0.17, 0.326, -0.359]
axes = [[-0.553, 0.891, -0.129], [0.82960011105468079, 0.4716170677212988, -0.29889964398109464]]
m = 0.391
inertia = [0.008182, 0.008007, 0.006535]
center = [-0.09, 0.011, -0.001]
points = { q8 = [-0.6464557991892218, -0.21526665478774479, -0.40227374638561558] }
[joint.j4]
type = "spherical"
of = ["ground", "b3"]
at = [-0.17, 0.126, -0.359]
method = "METHOD"
[joint.j7]
type = "prismatic"
of = ["b3.q8", [0.0198969561, -0.22999558, 0.251701857]]
axis = [-0.496, -0.134, 0.894]
method = "METHOD"
[[analysis]]
name = "move"
type = "dynamic"
end = 0.03
step = 0.001
)";
    for (size_t at; (at = scene.find("METHOD")) != std::string::npos;) scene.replace(at, 6, method);
    EXPECT_EQ(test::run_text(scene).status, RunStatus::finished) << method;
  }
}

/// Warnings that name a singular position at the start.
int singular_starts(const std::string& scene) {
  const RunSummary summary = test::run_text(scene);
  return static_cast<int>(std::count_if(summary.warnings.begin(), summary.warnings.end(), [](const std::string& text) {
    return text.starts_with("where the motion starts the constraints of ");
  }));
}

// A slider on a vertical line and a rod of constant length: where the rod is horizontal, its length has no rate. That was reported
// as a redundant constraint, as if the slider had been free to move. A second rod of the same kind beside the first is redundant
// wherever the slider is.
TEST(FoundCases, ADeadPointAtTheStartIsNamed) {
  const auto slider = [](double z, bool twice) {
    std::string scene = R"(
space = "spatial"
[body.b]
m = 1
inertia = [0.1, 0.1, 0.1]
points = { p = [1, 0, 0], q = [1, 0.1, 0] }
[joint.line]
type = "prismatic"
of = ["ground", "b"]
at = [0, 0, 0]
axis = [0, 0, 1]
)" + fmt::format("[joint.rod]\ntype = \"distance\"\nof = [\"b.p\", [2, 0, {}]]\n", z);
    if (twice) scene += fmt::format("[joint.other]\ntype = \"distance\"\nof = [\"b.q\", [2, 0.1, {}]]\n", z);
    return scene + "[[analysis]]\nname = \"move\"\ntype = \"dynamic\"\nend = 1e-4\nstep = 1e-4\n";
  };
  EXPECT_EQ(singular_starts(slider(0, false)), 1);
  EXPECT_EQ(singular_starts(slider(0.3, false)), 0);
  EXPECT_EQ(singular_starts(slider(0.3, true)), 0);
}

// One body on two welds and one on two guides, by multipliers: redundant wherever the bodies are, and no dead point, though what
// rounding leaves of velocities and second derivatives is all of them.
TEST(FoundCases, PermanentRedundancyIsNoDeadPoint) {
  for (const std::string joint : {"weld", "prismatic"})
    EXPECT_EQ(singular_starts(fmt::format(R"(
space = "spatial"
gravity = [0, 0, -9.81]
[body.d]
m = 2
inertia = [1, 1, 1]
center = [0, 0.5, 0]
[joint.h1]
type = "{0}"
of = ["ground", "d"]
at = [0, 0, 0]
{1}method = "multipliers"
[joint.h2]
type = "{0}"
of = ["ground", "d"]
at = [0, 1, 0]
{1}method = "multipliers"
[[analysis]]
name = "move"
type = "dynamic"
end = 1e-4
step = 1e-4
)",
                                          joint, joint == "weld" ? "" : "axis = [1, 0, 0]\n")),
              0)
        << joint;
}

// Two welds hold one body: which one had no reaction to read depended on which came first, and the other read the whole force.
TEST(FoundCases, NeitherOfTwoWeldsOfTheSamePartsHasAReaction) {
  const std::string body = R"(
space = "spatial"
gravity = [0, 0, -9.81]
[body.plate]
position = [0.5, 0, 1]
shape = { type = "box", size = [1, 0.05, 2] }
m = 20
)";
  const auto weld = [](const std::string& name, double z) {
    return fmt::format("[joint.{}]\ntype = \"weld\"\nof = [\"ground\", \"plate\"]\nat = [0, 0, {}]\n", name, z);
  };
  const std::string move = "[[analysis]]\nname = \"m\"\ntype = \"dynamic\"\nend = 0.01\nstep = 0.001\n";
  for (const bool swapped : {false, true})
    for (const std::string name : {"low", "high"}) {
      const std::string scene =
          body + (swapped ? weld("high", 1.8) + weld("low", 0.2) : weld("low", 0.2) + weld("high", 1.8)) +
          test::sensor_text("r", "reaction", "of", name) + move;
      try {
        test::run_text(scene);
        ADD_FAILURE() << name << " has a reaction, swapped: " << swapped;
      } catch (const InputError& error) {
        EXPECT_NE(std::string(error.what()).find("the reaction of joint." + name), std::string::npos) << error.what();
      }
    }
}

// Generalized-alpha took places of a body made of trusses for places of its neighbour, which turns, and left out their accelerations: a
// body on a hinge there lost 0.58 J in 20 ms, however small the steps. The kinetic energy is that of rk4 and energy-momentum, 26.7627605 J;
// steps of 1 ms change it by 5e-7 J.
TEST(FoundCases, PlacesOfANeighbourDoNotTurnWithABody) {
  EXPECT_NEAR(test::end_of(R"(
space = "spatial"
gravity = [0, 0, -9.81]

[body.b1]
position = [-0.128, -0.191, 0.175]
axes = [[-0.887, -0.914, -0.187], [-0.70570088774807227, 0.61171611426320294, 0.3574767860747195]]
shape = { type = "box", size = [0.1758, 0.2242, 0.3986] }
m = 0.108
velocity = [0.326, 0.287, 0.534]
angular_velocity = [3.762, 0.788, 3.279]
points = { q24 = [-0.0728448739695923, 0.26794044181747156, -0.30852964845377873] }

[body.b2]
position = [0, -0.28, -0.2]
shape = { type = "box", size = [0.1092, 0.1521, 0.1434] }
m = 4.016
as = "trusses"
points = { q16 = [0.074999999999999997, 0.088000000000000023, -0.081999999999999962], q7 = [-0.18099999999999999, -0.28100000000000003, -0.22399999999999998], q4 = [0, 0, 0.20000000000000001] }

[joint.j3]
type = "prismatic"
of = ["b2.q4", [0.0235492719, -0.37127006, -0.0333947303]]
axis = [0.177, -0.686, -0.251]

[body.b5]
position = [-0.181, -0.561, -0.224]
axes = [[0.185, -0.663, 0.244], [-0.92243140939314106, -0.33074471640938202, -0.19931941082659488]]
shape = { type = "cylinder", radius = 0.3995, length = 0.2013 }
density = 108.1
velocity = [-0.233, -0.468, -0.747]
angular_velocity = [-1.098, 1.003, 3.845]
points = { q21 = [-0.036036148977800248, -0.19671267312954221, -0.21040798510769426], q8 = [-0.066822360835834149, 0.03986388216531897, 0.18424343405135266] }

[joint.j6]
type = "planar"
of = ["b2.q7", "b5.q8"]
normal = [0, 0, 1]

[body.b13]
position = [0.078, -0.057, -0.253]
shape = { type = "box", size = [0.2938, 0.1974, 0.1896] }
m = 1.235
points = { q15 = [-0.0030000000000000027, -0.13500000000000001, -0.02899999999999997] }

[joint.j14]
type = "revolute"
of = ["b13.q15", "b2.q16"]
axis = [0.181, -0.022, 0.953]

[joint.j19]
type = "planar"
of = ["b1", "b2"]
at = [-0.295, -0.224, 0.143]
normal = [1, 0, 0]

[sensor.kinetic]
type = "energy"
of = "kinetic"

[sensor.x51]
type = "reaction"
of = "j14"

[[analysis]]
name = "move"
type = "dynamic"
end = 0.02
step = 0.001
integrator = { type = "generalized-alpha", rho_inf = 0.958 }
tolerance = 1e-12
[output]
sensor_interval = 0.01
)")
                  .at("kinetic")[0],
              26.7627605, 1e-5);
}

// A moment of fixed direction at an end that turns has a tangent that is not symmetric, as it has no potential. Whether it counted
// depended on the unit of length: beside stiffnesses of displacements it is small where lengths are. In centimetres the frequencies of
// the symmetric part came out, 3e-4 off.
TEST(FoundCases, FrequenciesUnderAMomentOfFixedDirectionAreTheSameInAllUnits) {
  const auto frequencies = [](double length, double time) {
    const std::string scene = R"(
space = "spatial"
gravity = [-3.3, -2.5, 8.7]
[material.rubber]
E = 2.2e7
rho = 1556
[section.round]
shape = { type = "circle", radius = 0.0148 }
material = "rubber"
[beam.finger]
section = "round"
path = { spline = [[-0.245, -0.113, -0.056], [-0.332, -0.222, -0.0621], [-0.431, -0.31, -0.019]] }
elements = 2
[joint.root]
type = "weld"
of = ["ground", "finger.start"]
[load.twist]
type = "moment"
at = "finger.end"
moment = [0.054, -0.008, 0.022]
[[analysis]]
name = "rest"
type = "static"
tolerance = 1e-12
[[analysis]]
name = "modes"
type = "modes"
count = 2
)";
    test::SceneTree tree(scene);
    std::map<std::string, double> signals;
    test::rescale(tree, {length, 1.0, time}, signals);
    std::vector<double> out = test::run_text(tree.text()).at_rest.modes.at(0).frequency;
    for (double& f : out) f *= time;
    return out;
  };
  const std::vector<double> expected = frequencies(1, 1);
  for (const auto& [length, time] : {std::pair{0.01, 0.2}, {1e-3, 1.0}, {100.0, 1.0}}) {
    const std::vector<double> found = frequencies(length, time);
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t i = 0; i < found.size(); ++i)
      EXPECT_NEAR(found[i], expected[i], 1e-8 * expected[i]);  // eigenvalues to 1e-9
  }
}

// A ball that bounces beside a driven arm changes nothing of the arm. Multipliers of an impact stood for the joints' impulses though the
// matrix that they come from has penalties beside masses: the drive seemed to do 3.3 J more, and the impact to take them. What is left is the error of steps of 2 ms: joints' velocities are set right at an
// impact.
TEST(FoundCases, AnImpactElsewhereTakesNoWorkOfADrive) {
  const auto sensors = [](bool ball, bool arm, std::string_view integrator, std::string_view method) {
    std::string scene = "space = \"planar\"\ngravity = [-8.893, 0.446]\n";
    if (arm)
      scene += fmt::format(R"(
[body.arm]
position = [0.258, 0.044]
shape = {{ type = "rod", length = 0.1094 }}
m = 1.189
[joint.drive]
type = "revolute"
of = ["arm", "ground"]
at = [0.258, -0.156]
method = "{}"
angle = {{ type = "smooth_step", to = 0.517, duration = 0.06744 }}
)",
                           method);
    if (ball)
      scene += R"(
[sphere.ball]
radius = 0.06139
position = [3, 2.6]
m = 0.5456
velocity = [-0.384, -1.09]
[plane.floor]
point = [3, 2.50133]
normal = [-0.056, 1.087]
[contact.touch]
between = ["ball", "floor"]
restitution = 0.3276
)";
    scene += fmt::format(R"(
[sensor.work]
type = "energy"
of = "work"
[sensor.dissipated]
type = "energy"
of = "dissipated"
[[analysis]]
name = "move"
type = "dynamic"
end = 0.1
step = 0.002
integrator = "{}"
tolerance = 1e-12
)",
                         integrator);
    const RunSummary summary = test::run_text(scene);
    EXPECT_EQ(summary.status, RunStatus::finished) << summary.message;
    std::map<std::string, double> out;
    for (const auto& [name, sensor] : summary.sensors) out[name] = sensor.last[0];
    return out;
  };
  for (const std::string_view integrator : {"generalized-alpha", "hht"}) {
    const double lost = sensors(true, false, integrator, "eliminated").at("dissipated");
    for (const std::string_view method : {"eliminated", "multipliers"}) {
      SCOPED_TRACE(fmt::format("{}, {}", integrator, method));
      const double work = sensors(false, true, integrator, method).at("work");
      const auto both = sensors(true, true, integrator, method);
      EXPECT_NEAR(both.at("work"), work, 1e-3 * work);       // measured 5e-4
      EXPECT_NEAR(both.at("dissipated"), lost, 0.1 * lost);  // measured 0.09; 12 and 27 times as much before
    }
  }
}

// Where two bodies share a pinned point, a place that follows this point alone is one of the body that hangs on a fixed hinge. Where the other
// body's table came first it was taken for one of that, and turned with it: the integrator put in 0.05 J at any step.
TEST(FoundCases, PlacesOfAPinnedBodyTurnWithItInAnyOrderOfTables) {
  const std::string joints = R"(
space = "planar"
gravity = [0, -9.81]
[joint.hinge]
of = ["upper", "ground"]
type = "revolute"
at = [-0.104, 0.4]
[joint.pin]
at = [-0.3, 0.587]
type = "pin"
of = ["upper", "lower"]
[joint.bar]
of = ["swing.tip", "upper.tip"]
type = "distance"
[sensor.kinetic]
type = "energy"
of = "kinetic"
)";
  std::vector<std::string> bodies{R"(
[body.lower]
inertia = 0.003221
m = 0.1482
center = [-0.199, -0.005]
position = [-0.238, 0.679]
angle = -2.309
)",
                                  R"(
[body.swing]
m = 0.8089
velocity = [-0.488, -0.216]
inertia = 0.01317
position = [-0.456, 0.779]
center = [-0.197, 0.036]
as = "trusses"
angular_velocity = 3.985
points = { tip = [0.017, -0.151] }
)",
                                  R"(
[body.upper]
shape = { type = "rectangle", size = [0.1196, 0.1425] }
m = 0.1169
points = { tip = [0.08844438696241408, -0.3325320893009316] }
angle = -2.451
position = [-0.159, 0.628]
)"};
  const auto kinetic = [&](std::string_view integrator) {
    return test::end_of(joints + bodies[0] + bodies[1] + bodies[2] +
                        fmt::format(R"(
[[analysis]]
name = "move"
type = "dynamic"
end = 0.05
step = 0.001
integrator = "{}"
tolerance = 1e-12
)",
                                    integrator))
        .at("kinetic")[0];
  };
  const double expected = kinetic("rk853");
  do {
    for (const std::string_view integrator : {"energy-momentum", "generalized-alpha", "hht"})
      EXPECT_NEAR(kinetic(integrator), expected, 1e-4 * expected) << integrator << bodies[0] << bodies[1] << bodies[2];
  } while (std::ranges::next_permutation(bodies).found);
}

// A drive without limits is a servo with kp = k, kd = k τ. Behind a step of energy-momentum what drives remember followed the target in the
// middle of the step, half a step too early for the next: their dampers saw twice the target's rate, and angles were off by half.
TEST(FoundCases, DrivesAreServosByEveryIntegrator) {
  const auto end = [](std::string_view load, std::string_view integrator) {
    return test::end_of(fmt::format(R"(
space = "planar"
gravity = [0, 0]
[body.flap]
position = [0.131, 0.222]
shape = {{ type = "polygon", points = [[0, 0], [0.3485, 0], [0, 0.3799]] }}
m = 0.3933
[joint.hinge]
type = "revolute"
of = ["ground", "flap"]
at = [0.237, 0.269]
method = "multipliers"
[load.push]
at = "hinge"
target = {{ type = "smooth_step", to = -0.2259, duration = 0.08183 }}
{}
[sensor.angle]
type = "angle"
of = "hinge"
[sensor.torque]
type = "torque"
of = "push"
[[analysis]]
name = "move"
type = "dynamic"
end = 0.03
step = 0.0002
integrator = "{}"
)",
                                    load, integrator));
  };
  // The damper's rate is of first order in the step. Behind a step the torque was read without the damper's: -1.39 N m for -1.21 N m.
  const test::Sensors expected = end("type = \"servo\"\nkp = 339.5\nkd = 3.395", "rk853");
  for (const std::string_view integrator : {"energy-momentum", "generalized-alpha", "hht"}) {
    const test::Sensors drive = end("type = \"drive\"\nstiffness = 339.5\nsettling = 0.01", integrator);
    EXPECT_NEAR(drive.at("angle")[0], expected.at("angle")[0], 0.005 * std::fabs(expected.at("angle")[0]))
        << integrator;
    EXPECT_NEAR(drive.at("torque")[0], expected.at("torque")[0], 0.04 * std::fabs(expected.at("torque")[0]))
        << integrator;
  }
}

// The point of a cylindrical joint is split into components, one of which starts 1e-9 of the machine away from where it belongs. It
// counted as an angle: in millimetres 1.2e-6 was more than the 1e-6 rad that are allowed.
TEST(FoundCases, DisplacementsThatFitAreLengthsAndNoAngles) {
  EXPECT_EQ(test::run_text(R"(
space = "spatial"
gravity = [0.0, 0.0, -0.009810000000000001]
[body.b1]
position = [40.0, 331.0, 282.0]
axes = [[0.71, 0.72, -0.178], [-0.6580951531707411, 0.7105367505065803, 0.24909495288489694]]
shape = { type = "cone", radius = 111.7, height = 479.1, axis = [1, 0, 0] }
density = 0.0002209
points = { q4 = [86.69620894994917, -553.384542085356, -299.23789187649317] }
[joint.j2]
type = "point_on_line"
of = ["ground", "b1"]
at = [59.0, 360.0, -6.0]
axis = [0, 1, 0]
[joint.j3]
type = "cylindrical"
of = ["b1.q4", [422.520946, 103.98163600000001, -155.004323]]
axis = [0.525, 0.972, 0.011]
[[analysis]]
name = "move"
type = "dynamic"
end = 8.0
step = 2.0
)")
                .status,
            RunStatus::finished);
}

// Of a row that says nothing, rounding left coefficients of places and of directions, which were compared with each other: with 0.01 m as
// the unit of length it counted as a constraint, and locked the machine.
TEST(FoundCases, RowsThatSayNothingDoSoInAllUnits) {
  EXPECT_EQ(test::run_text(R"(
space = "spatial"
gravity = [0.0, 0.0, -2.4524999999999997]
[body.b1]
position = [-0.00128, -0.00191, 0.0017499999999999998]
axes = [[-0.887, -0.914, -0.187], [-0.7057008877480723, 0.6117161142632029, 0.3574767860747195]]
shape = { type = "box", size = [0.0017580000000000002, 0.002242, 0.003986] }
m = 3.2399999999999998
velocity = [0.016300000000000002, 0.01435, 0.0267]
angular_velocity = [18.81, 3.9400000000000004, 16.395]
points = { q24 = [-0.000728448739695923, 0.0026794044181747156, -0.0030852964845377875] }
[body.b2]
position = [0.0, -0.0028000000000000004, -0.002]
shape = { type = "box", size = [0.001092, 0.0015210000000000002, 0.001434] }
m = 120.48
as = "trusses"
points = { q16 = [0.00075, 0.0008800000000000002, -0.0008199999999999997], q7 = [-0.00181, -0.0028100000000000004, -0.00224], q4 = [0.0, 0.0, 0.002] }
[body.b5]
position = [-0.00181, -0.00561, -0.0022400000000000002]
axes = [[0.185, -0.663, 0.244], [-0.922431409393141, -0.330744716409382, -0.19931941082659488]]
shape = { type = "cylinder", radius = 0.003995, length = 0.002013 }
density = 3242999999.9999995
velocity = [-0.01165, -0.023400000000000004, -0.03735]
angular_velocity = [-5.49, 5.015, 19.225]
points = { q21 = [-0.00036036148977800246, -0.0019671267312954223, -0.002104079851076943], q8 = [-0.0006682236083583415, 0.0003986388216531897, 0.0018424343405135267] }
[body.b13]
position = [0.00078, -0.0005700000000000001, -0.00253]
shape = { type = "box", size = [0.002938, 0.001974, 0.001896] }
m = 37.050000000000004
points = { q15 = [-3.0000000000000028e-05, -0.00135, -0.00028999999999999973] }
[joint.j3]
type = "prismatic"
of = ["b2.q4", [0.00023549271900000001, -0.0037127006000000004, -0.000333947303]]
axis = [0.177, -0.686, -0.251]
[joint.j6]
type = "planar"
of = ["b2.q7", "b5.q8"]
normal = [0, 0, 1]
[joint.j14]
type = "revolute"
of = ["b13.q15", "b2.q16"]
axis = [0.181, -0.022, 0.953]
[joint.j19]
type = "planar"
of = ["b1", "b2"]
at = [-0.00295, -0.0022400000000000002, 0.0014299999999999998]
normal = [1, 0, 0]
[[analysis]]
name = "move"
type = "dynamic"
end = 0.004
step = 0.0002
integrator = { type = "generalized-alpha", rho_inf = 0.958 }
tolerance = 1e-12
)")
                .status,
            RunStatus::finished);
}

// Both joints hold all directions of the body but one component of one, which |v| = 1 gives to second order only. Its gradient, 1e-17
// beside the 1 of the other components, was a pivot, and Newton's method found no step.
TEST(FoundCases, ALengthThatSaysNothingToFirstOrderIsNoPivot) {
  EXPECT_EQ(test::run_text(R"(
space = "spatial"
gravity = [0, 0, 0]
[body.b4]
position = [-0.164, 0.262, 0.239]
axes = [[0.347, -0.372, -0.874], [0.8492911560438846, -0.27151210826182615, 0.45275347302131264]]
m = 0.1981
inertia = [0.001418, 0.001404, 0.001426]
center = [0.026, 0.121, -0.135]
[joint.j5]
type = "cylindrical"
of = ["ground", "b4"]
at = [-0.101, 0.3, 0.159]
axis = [1, 0, 0]
[joint.j6]
type = "revolute"
of = ["b4", "ground"]
at = [0.051, 0.018, 0.311]
axis = [0, 1, 0]
[[analysis]]
name = "move"
type = "dynamic"
end = 0.02
step = 0.001
integrator = { type = "generalized-alpha", rho_inf = 0.6511 }
tolerance = 1e-12
)")
                .status,
            RunStatus::finished);
}

// Without gravity penalties of massless directions were of 1e4 J per s², whatever the unit of time: in milliseconds accelerations of a
// body that turns were off by 4e-6.
TEST(FoundCases, AFreeBodyTurnsTheSameInAllUnitsOfTime) {
  const auto acceleration = [](double second) {
    return test::end_of(fmt::format(R"(
space = "spatial"
gravity = [0, 0, 0]
[body.b1]
position = [0, 0, -0.48]
m = 1.065
inertia = [0.01702, 0.01772, 0.01398]
center = [0.084, -0.171, -0.106]
velocity = [{}, {}, {}]
angular_velocity = [{}, {}, {}]
[sensor.turn]
type = "angular_acceleration"
at = "b1"
[[analysis]]
name = "move"
type = "dynamic"
end = {}
step = {}
integrator = "generalized-alpha"
tolerance = 1e-12
)",
                                    0.26 / second, 0.046 / second, -0.791 / second, 2.561 / second, -0.473 / second,
                                    2.905 / second, 0.04 * second, 0.001 * second))
        .at("turn");
  };
  const std::vector<double> expected = acceleration(1), in_ms = acceleration(1e3);
  for (size_t i = 0; i < 3; ++i) EXPECT_NEAR(1e6 * in_ms[i], expected[i], 1e-7 * std::fabs(expected[i])) << i;
}

// Dampers of 10 ms make of all fast vibrations exponents near -100/s. The four lowest modes of this machine end with one of them: the
// space that grew to find them had found others, of 155/s, and three modes for four.
TEST(FoundCases, OverdampedModesAreFoundWhereManyNearlyAgree) {
  const auto frequencies = [](int count) {
    const RunSummary summary = test::run_text(fmt::format(R"(
space = "planar"
gravity = [-6.378869290345922, 1.6752303055644941]
[section.scable1]
EA = 2114
EI = 1.749
rhoA = 0.103
damping_stretch = 0.001
damping_bend = 0.01
axial = "engineering"
[section.scable8]
EA = 1212
EI = 0.05359
rhoA = 0.56
damping_bend = 0.01
damping_stretch = 0.01
[cable.cable1]
section = "scable1"
path = [[-0.33729927575977076, -0.007361967938949547], [-0.288127052220296, 0.18745613294539826]]
elements = 4
[cable.cable8]
section = "scable8"
path = {{ spline = [[2.5461196495183134, -2.2038012002757283], [2.723114344786507, -2.0272427741190615], [2.942168948572002, -2.1477213222526617]] }}
elements = 4
[joint.j2]
type = "weld"
of = ["ground", "cable1.start"]
[joint.j4]
type = "weld"
of = ["cable1.end", "b3.q5"]
[joint.j9]
type = "pin"
of = ["ground", "cable8.start"]
[joint.j10]
type = "pin"
of = ["ground", "cable8.end"]
[body.b3]
position = [-0.12241694845582192, 0.15840167527764545]
shape = {{ type = "polygon", points = [[0, 0], [0.3035, 0], [0, 0.3938]] }}
m = 1.78
points = {{ q5 = [-0.16, 0.05200000000000002] }}
angle = 0.14066309890228376
[chamber.c11]
surfaces = ["cable8"]
lids = true
depth = 0.1
type = "gas"
overpressure = 37.76
exponent = 1.4
[[analysis]]
name = "rest"
type = "static"
tolerance = 1e-12
[[analysis]]
name = "modes"
type = "modes"
count = {}
damped = true
)",
                                                          count));
    return summary.at_rest.modes.at(0).frequency;
  };
  const std::vector<double> all = frequencies(20);  // of 66 exponents of 33 coordinates
  for (const int count : {4, 6, 8, 12}) {
    const std::vector<double> some = frequencies(count);
    ASSERT_EQ(some.size(), static_cast<size_t>(count));
    for (size_t k = 0; k < some.size(); ++k) EXPECT_NEAR(some[k], all[k], 1e-6 * all[2]) << count << " modes, " << k;
  }
}

// A beam without velocities of its own follows its hub. What was free of its rotation held on to where it was by a weight of 1 m², as
// directions counted as arms: the tip of a beam of 1 mm started at 0.97 of its speed, of one of 1 um at 1e-7 of it.
TEST(FoundCases, SmallFlexiblePartsFollowTheirJointsAtTheStart) {
  for (const double L : {1e-6, 1e-3, 1.0, 1e3}) {
    const double speed = test::end_of(fmt::format(R"(
space = "spatial"
[section.s]
EA = {0}
GA1 = {1}
GA2 = {1}
EI1 = {2}
EI2 = {3}
GJ = {4}
rhoA = {5}
rhoI1 = {6}
rhoI2 = {6}
[beam.b]
section = "s"
path = [[0, 0, 0], [{7}, 0, 0]]
elements = 3
[body.hub]
m = 1
inertia = [{8}, {8}, {9}]
angular_velocity = [0, 0, 3]
[joint.bearing]
type = "revolute"
of = ["ground", "hub"]
axis = [0, 0, 1]
[joint.weld]
type = "weld"
of = ["hub", "b.start"]
[sensor.tip]
type = "velocity"
at = "b.end"
[[analysis]]
name = "move"
type = "dynamic"
end = 1e-6
step = 1e-6
)",
                                                  4e8 * L, 1.4e8 * L, 1.2e4 * L * L * L, 2e4 * L * L * L,
                                                  8e3 * L * L * L, 0.1 / L, 2e-5 * L, L, 0.04 * L * L, 0.08 * L * L))
                             .at("tip")[1];
    EXPECT_NEAR(speed, 3 * L, 1e-9 * L) << L;
  }
}

}  // namespace
}  // namespace flexura
