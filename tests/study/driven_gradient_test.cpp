// What moves by a signal: places, lengths, and their accelerations.

#include <gtest/gtest.h>

#include "tests/study/gradients.hpp"

namespace flexura {
namespace {

constexpr const char* hand_and_mass = R"toml(
space = "planar"
[parameters]
A = 0.1
[point.mass]
position = [1, 0]
[point.hand]
position = [0, 0]
[mass.m]
at = "mass"
m = 1
[mass.h]
at = "hand"
m = 1
[joint.drive]
type = "prescribed"
of = ["ground", "hand"]
x = "= A * sin(2 * pi * t)"
y = 0
[spring.s]
type = "linear"
between = ["hand", "mass"]
stiffness = 50
[sensor.hand]
type = "position"
at = "hand"
[sensor.mass]
type = "position"
at = "mass"
[[analysis]]
name = "go"
type = "dynamic"
end = 0.2
step = 0.01
tolerance = 1e-12
integrator = { type = "generalized-alpha", rho_inf = 0.5 }
)toml";

// x = A sin 2πt of the hand is 0 at the first of the times. Of many times those rows are read once that seem to depend on the state alone.
TEST(DrivenGradient, PlacesThatAreNowhereAtFirst) {
  const SceneDocument scene = scene_of(hand_and_mass);
  GradientQuestion question{.wrt = {"parameters.A"}, .of = {"hand.x", "mass.x"}};
  for (int k = 0; k <= 20; ++k) question.times.push_back(0.01 * k);
  const Derivatives d = differentiate(scene, read_again(scene), question);
  for (size_t t = 0; t < d.times.size(); ++t) {
    const double x = std::sin(2 * std::acos(-1.0) * d.times[t]);
    EXPECT_NEAR(d.slope(t, 0, 0), x, 1e-9) << d.times[t];
  }
  expect_check(scene, question);
}

// How the method damps what it computes is no number of the scene that it computes.
TEST(DrivenGradient, NumbersOfTheMethodHaveNone) {
  const SceneDocument scene = scene_of(hand_and_mass);
  const GradientQuestion question{.wrt = {"analysis.go.integrator.rho_inf"}, .of = {"mass.x"}};
  try {
    differentiate(scene, read_again(scene), question);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(error.problems()[0].message.find("how the run is computed"), std::string::npos)
        << error.problems()[0].message;
  }
}

// y = A (t − 1/8)²: at the end of the step at 1/8 s the place and its rate are 0 for any A, and only the acceleration is not.
TEST(DrivenGradient, AccelerationsAlone) {
  const SceneDocument scene = scene_of(R"(
space = "planar"
[parameters]
A = 0.1
[section.c]
EA = 100
EI = 0.01
rhoA = 1
[cable.c]
section = "c"
path = [[0, 0], [1, 0]]
elements = 4
[joint.hand]
type = "prescribed"
of = ["ground", "c.start"]
x = 0
y = "= A * (t - 0.125)^2"
[sensor.tip]
type = "position"
at = "c.end"
[sensor.force]
type = "reaction"
of = "hand"
[[analysis]]
name = "go"
type = "dynamic"
end = 0.25
step = 0.03125
tolerance = 1e-12
)");
  const GradientQuestion question{.wrt = {"parameters.A"}, .of = {"tip", "force.y"}, .times = {0.125, 0.25}};
  expect_check(scene, question);
  expect_both_ways(scene, question);
}

// A rod that grows by A t²: its equation knows the acceleration of the signal, which decides that of the mass from the start: 2 A.
TEST(DrivenGradient, LengthsOfRods) {
  const SceneDocument scene = scene_of(R"(
space = "planar"
[parameters]
A = 3
[point.a]
position = [1, 0]
[mass.m]
at = "a"
m = 2
[truss.rod]
type = "actuator"
between = [[0, 0], "a"]
extension = "= A * t^2"
[truss.side]
type = "elastic"
between = [[0, 1], "a"]
EA = 100
[sensor.acc]
type = "acceleration"
at = "a"
[sensor.p]
type = "position"
at = "a"
[[analysis]]
name = "go"
type = "dynamic"
end = 0.05
step = 0.01
tolerance = 1e-12
)");
  const GradientQuestion question{.wrt = {"parameters.A"}, .of = {"acc.x", "p.x"}, .times = {0, 0.02, 0.05}};
  const ReadScene read = read_again(scene);
  EXPECT_NEAR(differentiate(scene, read, question).slope(0, 0, 0), 2, 1e-9);
  expect_check(scene, question);
  expect_both_ways(scene, question);
}

// A slope that is no number does not agree.
TEST(DrivenGradient, NoNumberDoesNotAgree) {
  const SceneDocument scene = scene_of(hand_and_mass);
  const GradientQuestion question{.wrt = {"parameters.A"}, .of = {"mass.x"}};
  const ReadScene read = read_again(scene);
  Derivatives d = differentiate(scene, read, question);
  d.jacobian[0] = std::nan("");
  EXPECT_FALSE(check_gradient(scene, read, question, d).comparisons[0].agrees(1e-6));
}

constexpr const char* lift = R"toml(
space = "planar"
gravity = [0, -10]
[parameters]
c = 0.01
F = 5000
k = 1e6
to = 0.3
[body.cage]
m = 100
inertia = 1
position = [0, 1]
[joint.rail]
type = "prismatic"
of = ["ground", "cage"]
axis = [0, 1]
[truss.jack]
type = "drive"
between = [[0, 0], "cage.center"]
extension = "= to"
stiffness = "= k"
settling = 5e-3
max_rate = "= c"
max_force = "= F"
[sensor.l]
type = "distance"
between = [[0, 0], "cage.center"]
)toml";
constexpr const char* lifted = R"toml(
[[analysis]]
name = "lift"
type = "dynamic"
end = 1
step = 1e-3
tolerance = 1e-12
)toml";

// On its way a drive is c t far, its load by m g/k behind, wherever it is to go. With 900 N it falls, and goes by ½ t²/m of more force.
TEST(DrivenGradient, DrivesAtTheirLimits) {
  const SceneDocument scene = scene_of(std::string(lift) + lifted);
  const GradientQuestion question{
      .wrt = {"parameters.c", "parameters.k", "parameters.F", "parameters.to"}, .of = {"l"}, .times = {1}};
  const Derivatives d = differentiate(scene, read_again(scene), question);
  EXPECT_NEAR(d.slope(0, 0, 0), 1, 1e-6);
  EXPECT_NEAR(d.slope(0, 0, 1), 1000 / 1e12, 1e-13);
  EXPECT_EQ(d.slope(0, 0, 2), 0);
  EXPECT_EQ(d.slope(0, 0, 3), 0);
  expect_check(scene, {.wrt = {"parameters.c", "parameters.k"}, .of = {"l"}, .times = {1}});
  const SceneDocument weak = scene_of(std::string(lift) + lifted, {"parameters.F=900"});
  EXPECT_NEAR(differentiate(weak, read_again(weak), question).slope(0, 0, 2), 0.5 / 100, 2e-4);
  expect_check(weak, {.wrt = {"parameters.F"}, .of = {"l"}, .times = {1}});
}

// At rest a drive that gives way is where its target and its stiffness say, whatever was before.
TEST(DrivenGradient, DrivesAtRest) {
  const SceneDocument scene =
      scene_of(std::string(lift) + "[[analysis]]\nname = \"hang\"\ntype = \"static\"\ntolerance = 1e-12\n");
  const GradientQuestion question{.wrt = {"parameters.to", "parameters.k", "parameters.c"}, .of = {"l"}};
  const Derivatives d = differentiate(scene, read_again(scene), question);
  EXPECT_NEAR(d.slope(0, 0, 0), 1, 1e-10);
  EXPECT_NEAR(d.slope(0, 0, 1), 1000 / 1e12, 1e-18);
  EXPECT_EQ(d.slope(0, 0, 2), 0);
}

}  // namespace
}  // namespace flexura
