// Trusses in scenes: bodies made of them, prestress, cables that go slack, driven lengths, mass.

#include <fmt/ranges.h>
#include <gmock/gmock.h>

#include <array>
#include <cmath>
#include <numbers>

#include "flexura/math/vec.hpp"
#include "tests/support/scenes.hpp"

namespace flexura::test {
namespace {

using testing::HasSubstr;
using Vec3d = Vec<3, double>;

std::string list(const Vec3d& x) { return fmt::format("[{:.17g}, {:.17g}, {:.17g}]", x[0], x[1], x[2]); }

/// A uniform tetrahedron of 6 kg that spins freely: six rigid trusses with 3m/10 each and −m/5 at each node, and a body.
std::string tetrahedron(const std::string& integrator) {
  const std::array<Vec3d, 4> nodes{{{{0.1, 0, 0}}, {{1.1, 0.05, 0.1}}, {{0.2, 0.9, 0}}, {{0.3, 0.2, 1.3}}}};
  const double m = 6;
  const Vec3d w{{4, 1, -2}}, v{{0.3, -0.2, 0.5}};
  Vec3d c{};
  for (const Vec3d& node : nodes) c += 0.25 * node;
  double second[3][3], trace = 0;  // ∫ x xᵀ dm about the centre
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      second[i][j] = -m / 5 * c[i] * c[j];
      for (const Vec3d& node : nodes) second[i][j] += m / 20 * node[i] * node[j];
      if (i == j) trace += second[i][j];
    }
  std::string text = "space = \"spatial\"\n", points, sensors;
  for (int k = 0; k < 4; ++k) {
    const Vec3d arm = nodes[k] - c;
    text += fmt::format(
        "[point.p{0}]\nposition = {1}\nvelocity = {2}\n[truss.m{0}]\ntype = \"node\"\nat = \"p{0}\"\nm = {3}\n", k,
        list(nodes[k]), list(v + cross(w, arm)), -m / 5);
    points += fmt::format("{}v{} = {}", k > 0 ? ", " : "", k, list(arm));
    sensors += sensor_text(fmt::format("p{}", k), "position", "at", fmt::format("p{}", k)) +
               sensor_text(fmt::format("v{}", k), "position", "at", fmt::format("twin.v{}", k));
    for (int b = 0; b < k; ++b)
      text +=
          fmt::format("[truss.t{0}{1}]\ntype = \"rigid\"\nbetween = [\"p{0}\", \"p{1}\"]\nm = {2}\n", b, k, 0.3 * m);
  }
  text += fmt::format(
      "[body.twin]\nm = {}\nposition = {}\ninertia = [{:.17g}, {:.17g}, {:.17g}]\nproducts_of_inertia = [{:.17g}, "
      "{:.17g}, {:.17g}]\n"
      "velocity = {}\nangular_velocity = {}\npoints = {{ {} }}\n",
      m, list(c), trace - second[0][0], trace - second[1][1], trace - second[2][2], -second[0][1], -second[1][2],
      -second[0][2], list(v), list(w), points);
  return text + sensors +
         fmt::format("[[analysis]]\nname = \"free\"\ntype = \"dynamic\"\nend = 1.0\nstep = 0.002\nintegrator = {}\n",
                     integrator);
}

// [meijaard-truss, eqs 4–5] Six trusses and four masses, two of them negative in sum, are the body: 1e-9 m is asked for, rk853 leaves 7e-12.
TEST(Truss, SixOfThemAreARigidBody) {
  const Sensors end = end_of(tetrahedron(R"({ type = "rk853", rtol = 1e-12, atol = 1e-13 })"));
  for (int k = 0; k < 4; ++k)
    for (int i = 0; i < 3; ++i)
      EXPECT_NEAR(end.at(fmt::format("p{}", k))[i], end.at(fmt::format("v{}", k))[i], 1e-9) << k << " " << i;
  EXPECT_GT(std::fabs(end.at("p0")[2]), 0.5) << "it has turned";
}

/// Three struts and nine cables, the top turned by 30 degrees beyond a prism's: the only angle at which it can carry a prestress.
std::string prism(double strut_force, const std::string& strut) {
  constexpr double pi = std::numbers::pi;
  const double radius = 0.1, height = 0.2, turn = pi / 6;
  std::array<Vec3d, 6> nodes;
  std::string text = "space = \"spatial\"\n";
  for (int k = 0; k < 6; ++k) {
    const double a = 2 * pi * (k % 3) / 3 + (k < 3 ? 0 : turn);
    nodes[k] = {{radius * std::cos(a), radius * std::sin(a), k < 3 ? 0 : height}};
    text += fmt::format("[point.n{}]\nposition = {}\n{}\n", k, list(nodes[k]), k < 3 ? "fixed = true" : "");
  }
  const auto member = [&](const std::string& name, int a, int b, const std::string& how, double density) {
    text += fmt::format("[truss.{}]\nbetween = [\"n{}\", \"n{}\"]\n{}\n", name, a, b, how);
    if (density > 0)
      text += fmt::format("type = \"elastic\"\nEA = 1e5\nm = 0.01\ncarries = \"tension\"\nprestress = {:.17g}\n",
                          density * norm(nodes[b] - nodes[a]));
  };
  // Densities N/l: cables beside the struts +q, struts −q, triangles q/√3.
  for (int k = 0; k < 3; ++k) {
    const int next = (k + 1) % 3, before = (k + 2) % 3;
    const double length = norm(nodes[3 + next] - nodes[k]), q = strut_force / length;
    member(fmt::format("strut{}", k), k, 3 + next, strut, 0);
    member(fmt::format("cable{}", k), k, 3 + k, "", q);
    member(fmt::format("top{}", k), 3 + k, 3 + before, "", q / std::sqrt(3));
  }
  for (int k = 0; k < 3; ++k)
    text += sensor_text(fmt::format("n{}", k), "position", "at", fmt::format("n{}", 3 + k)) +
            sensor_text(fmt::format("strut{}", k), "force", "of", fmt::format("strut{}", k)) +
            sensor_text(fmt::format("cable{}", k), "force", "of", fmt::format("cable{}", k));
  return text;
}

// Force densities of the prism that stands by its prestress; equilibrium is where it was drawn. 1e-9 of 100 N: the tolerance of statics.
TEST(Truss, APrismStandsByItsPrestress) {
  const std::string text =
      prism(100, "type = \"rigid\"\nm = 0.05\n") + "[[analysis]]\nname = \"s\"\ntype = \"static\"\n";
  const Sensors end = end_of(text);
  for (int k = 0; k < 3; ++k) {
    const double a = 2 * std::numbers::pi * k / 3 + std::numbers::pi / 6;
    EXPECT_NEAR(end.at(fmt::format("n{}", k))[0], 0.1 * std::cos(a), 1e-10);
    EXPECT_NEAR(end.at(fmt::format("n{}", k))[2], 0.2, 1e-10);
    EXPECT_NEAR(end.at(fmt::format("strut{}", k))[0], -100, 1e-7);
    const double strut = 0.01 * (2 - 2 * std::cos(5 * std::numbers::pi / 6)) + 0.04,
                 cable = 0.01 * (2 - 2 * std::cos(std::numbers::pi / 6)) + 0.04;
    EXPECT_NEAR(end.at(fmt::format("cable{}", k))[0], 100 * std::sqrt(cable / strut), 1e-7);
  }
}

// A driven strut is as long as it is told, to rounding; its sensor of distance says so.
TEST(Truss, AnActuatorFollowsItsSignal) {
  const std::string actuator =
      "type = \"actuator\"\nm = 0.05\nextension = { type = \"smooth_step\", to = 0.004, duration = 0.05 }\n";
  const Sensors end =
      end_of(prism(100, actuator) + "[sensor.length]\ntype = \"distance\"\nbetween = [\"n0\", \"n4\"]\n" +
             "[[analysis]]\nname = \"d\"\ntype = \"dynamic\"\nend = 0.06\nstep = 0.0002\n");
  const double strut = std::sqrt(0.01 * (2 - 2 * std::cos(5 * std::numbers::pi / 6)) + 0.04);
  EXPECT_NEAR(end.at("length")[0], strut + 0.004, 1e-12);
  EXPECT_LT(end.at("strut0")[0], -100) << "stretched cables press it harder";
  EXPECT_GT(end.at("n0")[2], 0.2) << "it stands up";
}

/// A ball on a cable that is thrown upwards from its rest length: slack in the air, taut below.
std::string thrown(const std::string& carries) {
  return fmt::format(R"(
space = "planar"
gravity = [0, -9.81]
[point.anchor]
position = [0, 0]
fixed = true
[point.ball]
position = [0, -1]
velocity = [0.3, 4]
[mass.ball_mass]
at = "ball"
m = 2
[truss.cable]
type = "elastic"
between = ["anchor", "ball"]
EA = 4000
carries = "{}"
[sensor.pull]
type = "force"
of = "cable"
[sensor.ball]
type = "position"
at = "ball"
)",
                     carries);
}

// In the air a cable does not push: the parabola. 1e-6 of the way: 2500 steps of second order.
TEST(Truss, ACableGoesSlack) {
  const Sensors end =
      end_of(thrown("tension") + "[[analysis]]\nname = \"d\"\ntype = \"dynamic\"\nend = 0.5\nstep = 0.0002\n");
  EXPECT_NEAR(end.at("ball")[0], 0.3 * 0.5, 1e-6);
  EXPECT_NEAR(end.at("ball")[1], -1 + 4 * 0.5 - 0.5 * 9.81 * 0.25, 1e-6);
  EXPECT_EQ(end.at("pull")[0], 0);
  EXPECT_LT(end_of(thrown("both") + "[[analysis]]\nname = \"d\"\ntype = \"dynamic\"\nend = 0.01\nstep = 0.0002\n")
                .at("pull")[0],
            -10);
}

// Energy–momentum keeps the energy through slack and taut, whatever the step: 1e-12 of what there is.
TEST(Truss, EnergyIsKeptWhereACableGoesSlackAndTaut) {
  const std::string text =
      thrown("tension") +
      "[[analysis]]\nname = \"d\"\ntype = \"dynamic\"\nend = 3.0\nstep = 0.003\nintegrator = \"energy-momentum\"\n";
  RunOptions options;
  options.record = false;
  const RunSummary summary = run_scene(read_scene_text(text, "scene.toml", scene_terms()), options);
  ASSERT_EQ(summary.status, RunStatus::finished) << summary.message;
  EXPECT_LE(std::fabs(summary.numerical), 1e-11);
}

// ω² = (EA/l)/(m/3) of a member with mass that is held at one end.
TEST(Truss, ItsMassIsSpreadOverItsLength) {
  const std::string text = R"(
space = "planar"
[point.a]
position = [0, 0]
fixed = true
[point.b]
position = [0.5, 0]
velocity = [0.1, 0]
[truss.rod]
type = "elastic"
between = ["a", "b"]
EA = 3000
m = 0.9
[sensor.b]
type = "position"
at = "b"
[[analysis]]
name = "d"
type = "dynamic"
end = 0.025
step = 0.001
integrator = { type = "rk853", rtol = 1e-11, atol = 1e-13 }
)";
  const double omega = std::sqrt(3000 / 0.5 / 0.3);
  EXPECT_NEAR(end_of(text).at("b")[0], 0.5 + 0.1 / omega * std::sin(omega * 0.025), 1e-10);
}

// Two bars at 60 and 45 degrees carry a weight of 10 kN; each holds its foot along itself.
TEST(Truss, FixedPointsAreHeldByTheirReactions) {
  const Sensors end = end_of(R"(
gravity = [0, 0]
[point.a]
position = [0, 0]
fixed = true
[point.b]
position = [2.7320508075688772, 0]
fixed = true
[point.c]
position = [1, 1.7320508075688772]
[truss.ac]
type = "rigid"
between = ["a", "c"]
[truss.bc]
type = "rigid"
between = ["b", "c"]
[load.weight]
type = "force"
at = "c"
force = [0, -1e4]
)" + sensor_text("at_a", "reaction", "at", "a") +
                             sensor_text("at_b", "reaction", "at", "b") + sensor_text("ac", "force", "of", "ac") +
                             "[[analysis]]\nname = \"s\"\ntype = \"static\"\n");
  const double a =
      1e4 * std::cos(std::numbers::pi / 4) / std::sin(7 * std::numbers::pi / 12);  // by the triangle of forces
  EXPECT_NEAR(end.at("ac")[0], -a, 1e-8);
  EXPECT_NEAR(end.at("at_a")[0], a * 0.5, 1e-8);
  EXPECT_NEAR(end.at("at_a")[1], a * std::sqrt(0.75), 1e-8);
  EXPECT_NEAR(end.at("at_b")[0], -end.at("at_a")[0], 1e-8);
  EXPECT_NEAR(end.at("at_b")[1], 1e4 - end.at("at_a")[1], 1e-8);
}
// A pendulum that falls from the side: 3 m g at the lowest place, what its own mass, a spring and a joint do on the pivot too.
TEST(Truss, AFixedPointHoldsWhateverHangsOnIt) {
  const std::string scene = R"(
gravity = [0, -9.81]
[point.pivot]
position = [0, 0]
fixed = true
[point.bob]
position = [1, 0]
[truss.rod]
type = "rigid"
between = ["pivot", "bob"]
[mass.own]
at = "bob"
m = 2
[spring.beside]
type = "linear"
between = ["pivot", [3, 4]]
stiffness = 10
free_length = 4
)" + sensor_text("hold", "reaction", "at", "pivot") +
                            sensor_text("bob", "position", "at", "bob");
  const std::string analysis =
      "[[analysis]]\nname = \"fall\"\ntype = \"dynamic\"\nend = 0.4\nstep = 0.001\nintegrator = { type = \"rk853\", "
      "rtol = 1e-11, atol "
      "= 1e-11 }\n";
  const std::string pinned =
      "[body.beam]\nm = 1\ninertia = 1\nposition = [0, -1]\npoints = { hinge = [0, 1] }\n[joint.pin]\ntype = \"pin\"\n"
      "of = [\"pivot\", \"beam.hinge\"]\n";
  for (const bool has_body : {false, true}) {
    const Sensors end = end_of(scene + (has_body ? pinned : "") + analysis);
    const double x = end.at("bob")[0], y = end.at("bob")[1], tension = 3 * 2 * 9.81 * -y;
    EXPECT_NEAR(end.at("hold")[0], -tension * x - 10 * 0.6, 1e-6);
    EXPECT_NEAR(end.at("hold")[1], -tension * y - 10 * 0.8 + (has_body ? 9.81 : 0), 1e-6);
  }
}

TEST(Truss, SaysWhatIsWrong) {
  const std::string head =
      "space = \"planar\"\n[point.a]\nposition = [0, 0]\n[point.b]\nposition = [1, 0]\n[mass.m]\nat = \"b\"\nm = 1\n"
      "[mass.n]\nat = \"a\"\nm = 1\n";
  const std::string end = "[[analysis]]\nname = \"d\"\ntype = \"dynamic\"\nend = 0.1\nstep = 0.01\n";
  EXPECT_THAT(message_of(head + "[truss.t]\ntype = \"elastic\"\nbetween = [\"a\", \"b\"]\n" + end), HasSubstr("EA"));
  EXPECT_THAT(message_of(head + "[truss.t]\ntype = \"rigid\"\nbetween = [\"a\", \"a\"]\n" + end), HasSubstr("same"));
  EXPECT_THAT(message_of(head + "[truss.t]\ntype = \"rigid\"\nbetween = [\"a\", \"b\"]\nlength = 2\n" + end),
              HasSubstr("1 m apart at the start, not 2 m"));
  EXPECT_THAT(message_of(head + "[truss.t]\ntype = \"rigit\"\nbetween = [\"a\", \"b\"]\n" + end), HasSubstr("rigid"));
  EXPECT_THAT(message_of(head + sensor_text("r", "reaction", "at", "b") + end),
              HasSubstr("\"b\" is not a point that is fixed"));
}

// A point without mass that swings on a truss without mass: nothing is wrong with a step, whatever its length.
TEST(Truss, WhatHasNoMassIsSaidToHaveNone) {
  RunOptions options;
  options.record = false;
  for (const char* truss : {"type = \"rigid\"", "type = \"elastic\"\nEA = 100"}) {
    const std::string text = fmt::format(
        "space = \"planar\"\n[point.a]\nposition = [0, 0]\nfixed = true\n[point.b]\nposition = [1, 0]\n"
        "[truss.t]\nbetween = [\"a\", \"b\"]\n{}\n[[analysis]]\nname = \"d\"\ntype = \"dynamic\"\nend = "
        "0.1\nstep = 0.01\n",
        truss);
    const RunSummary run = run_scene(read_scene_text(text, "scene.toml", scene_terms()), options);
    EXPECT_EQ(run.status, RunStatus::failed);
    EXPECT_THAT(run.message, HasSubstr("the equations are singular: at truss.t something can move that has no mass"));
  }
}

}  // namespace
}  // namespace flexura::test
