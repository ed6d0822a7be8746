// Lengths of trusses as coordinates: motors, springs, gears and friction on them, cylinders, against closed forms.

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cmath>

#include "tests/support/scenes.hpp"

namespace flexura::test {
namespace {

using testing::HasSubstr;

constexpr double mass = 3, height = 0.4, start = 0.3;

/// A block of 3 kg on a rail along x, at 0.3 m; a truss from (0, 0.4) to it, of 0.5 m: l² = x² + 0.4².
std::string slanted(const std::string& truss, const std::string& more, double velocity = 0) {
  return fmt::format(R"(
space = "planar"
[body.block]
m = {}
inertia = 0.01
position = [{}, 0]
velocity = [{}, 0]
[joint.rail]
type = "prismatic"
of = ["ground", "block"]
axis = [1, 0]
[truss.boom]
between = [[0, {}], "block.center"]
{}
[sensor.x]
type = "position"
at = "block"
[sensor.v]
type = "velocity"
at = "block"
[sensor.longer]
type = "displacement"
of = "boom"
[sensor.rate]
type = "displacement_rate"
of = "boom"
{})",
                     mass, start, velocity, height, truss, more);
}
std::string analysis(double end, double step, const std::string& more = "") {
  return fmt::format("[[analysis]]\nname = \"d\"\ntype = \"dynamic\"\nend = {}\nstep = {}\n{}\n", end, step, more);
}
const std::string exact = "integrator = { type = \"rk853\", rtol = 1e-12, atol = 1e-14 }";
const std::string is_free = "type = \"free\"";
const std::string motor = "[load.push]\ntype = \"motor\"\nat = \"boom\"\neffort = 12\n";

double length_at(double x) { return std::hypot(x, height); }

// The coordinate is the length less that of the reference, its rate l̇ = x ẋ/l; the work of the motor, F (l − 0.5), is all energy there is.
TEST(TrussLength, AMotorOnItDoesTheWorkOfItsEffort) {
  const Sensors end = end_of(slanted(is_free, motor) + "[sensor.force]\ntype = \"force\"\nof = \"push\"\n" +
                             analysis(0.6, 0.01, exact));
  const double x = end.at("x")[0], v = end.at("v")[0], longer = length_at(x) - 0.5;
  EXPECT_GT(x, 0.75);
  EXPECT_NEAR(end.at("longer")[0], longer, 1e-13);
  EXPECT_NEAR(end.at("rate")[0], x * v / length_at(x), 1e-12);
  EXPECT_NEAR(0.5 * mass * v * v, 12 * longer, 1e-11);
  EXPECT_EQ(end.at("force")[0], 12);
}

// The same by a cylinder, whose force is tension: negative.
TEST(TrussLength, ACylinderDoesWhatAMotorDoes) {
  const Sensors by_motor = end_of(slanted(is_free, motor) + analysis(0.6, 0.01, exact));
  const Sensors end = end_of(slanted("type = \"cylinder\"\nthrust = 12", "") +
                             "[sensor.force]\ntype = \"force\"\nof = \"boom\"\n" + analysis(0.6, 0.01, exact));
  EXPECT_NEAR(end.at("x")[0], by_motor.at("x")[0], 1e-12);
  EXPECT_NEAR(end.at("force")[0], -12, 1e-13);
}

// By implicit methods too, of second order: 4e-5 of what moves at 1 ms; the account of energy closes with them.
TEST(TrussLength, ByImplicitMethodsToo) {
  const double exactly = end_of(slanted(is_free, motor) + analysis(0.6, 0.01, exact)).at("x")[0];
  for (const char* method : {"generalized-alpha", "hht", "energy-momentum"}) {
    double error[2];
    for (const int k : {0, 1}) {
      const double step = k == 0 ? 2e-3 : 1e-3;
      const std::string how = fmt::format("integrator = \"{}\"", method);
      RunOptions options;
      options.record = false;
      const RunSummary run = run_scene(
          read_scene_text(slanted(is_free, motor) + analysis(0.6, step, how), "scene.toml", scene_terms()), options);
      ASSERT_EQ(run.status, RunStatus::finished) << run.message;
      error[k] = std::fabs(run.sensors.front().second.last[0] - exactly);
      EXPECT_LT(std::fabs(run.numerical), 1e-3) << method;
    }
    EXPECT_LT(error[1], 1e-5) << method;
    EXPECT_NEAR(std::log2(error[0] / error[1]), 2, 0.1) << method;
  }
}

/// A block that the truss pushes along its own line.
std::string straight(const std::string& truss, const std::string& more, double velocity = 0) {
  return fmt::format(R"(
space = "planar"
[body.block]
m = {}
inertia = 0.01
position = [0.5, 0]
velocity = [{}, 0]
[joint.rail]
type = "prismatic"
of = ["ground", "block"]
axis = [1, 0]
[truss.boom]
between = [[0, 0], "block.center"]
{}
[sensor.x]
type = "position"
at = "block"
[sensor.v]
type = "velocity"
at = "block"
{})",
                     mass, velocity, truss, more);
}

// m v̇ = F (1 − (v/c)²): v = c tanh(F t/(m c)), x = ½ + m c²/F ln cosh.
TEST(TrussLength, ACylinderTendsToItsLargestRate) {
  const double F = 30, c = 1.5, t = 0.4;
  const Sensors end = end_of(straight(fmt::format("type = \"cylinder\"\nthrust = {}\nmax_rate = {}", F, c), "") +
                             analysis(t, 0.01, exact));
  EXPECT_NEAR(end.at("v")[0], c * std::tanh(F * t / (mass * c)), 1e-11);
  EXPECT_NEAR(end.at("x")[0], 0.5 + mass * c * c / F * std::log(std::cosh(F * t / (mass * c))), 1e-11);
}

// Pulled where it moves apart: no loss, and no more than the largest thrust.
TEST(TrussLength, ACylinderBrakesWithItsLargestThrust) {
  const Sensors end = end_of(straight("type = \"cylinder\"\nthrust = -500\nmax_thrust = 30\nmax_rate = 0.1", "", 2) +
                             analysis(0.1, 0.01, exact));
  EXPECT_NEAR(end.at("v")[0], 2 - 30 / mass * 0.1, 1e-12);
}

// Full effort up to 0.9 of the largest rate, then it fades: never faster.
TEST(TrussLength, AMotorDrivesNoFasterThanItsRate) {
  const std::string limited = motor + "max_rate = 1.0\n";
  EXPECT_NEAR(end_of(straight(is_free, limited) + analysis(0.22, 0.01, exact)).at("v")[0], 12 / mass * 0.22, 1e-12);
  const double fast = end_of(straight(is_free, limited) + analysis(2, 0.01)).at("v")[0];
  EXPECT_LT(fast, 1);
  EXPECT_GT(fast, 0.98);
}

// Springs with stops, and dry friction, do on it what they do on the displacement of the rail beside it.
TEST(TrussLength, SpringsStopsAndFrictionActAsOnAJoint) {
  const auto with = [](const std::string& at) {
    return straight(is_free,
                    fmt::format("[spring.stop]\ntype = \"joint\"\nat = \"{0}\"\nstiffness = 20\ndamping = 0.3\n"
                                "rest = 0.05\nlower = -0.1\nupper = 0.1\nstop_stiffness = 2e4\nstop_damping = 5\n"
                                "[load.rub]\ntype = \"friction\"\nat = \"{0}\"\ncoulomb = 2\n",
                                at),
                    1) +
           analysis(0.8, 5e-4);
  };
  const Sensors on_rail = end_of(with("rail")), on_boom = end_of(with("boom"));
  EXPECT_NEAR(on_rail.at("x")[0], on_boom.at("x")[0], 1e-9);
  EXPECT_NEAR(on_rail.at("v")[0], on_boom.at("v")[0], 1e-7);
}

TEST(TrussLength, AServoBringsItToItsTarget) {
  const Sensors end = end_of(
      slanted(is_free,
              "[load.servo]\ntype = \"servo\"\nat = \"boom\"\nkp = 2000\nkd = 100\ntarget = { type = \"smooth_step\", "
              "to = 0.2, duration = 0.5 }\n") +
      analysis(3, 1e-3));
  EXPECT_NEAR(end.at("longer")[0], 0.2, 1e-6);
  EXPECT_NEAR(end.at("x")[0], std::sqrt(0.7 * 0.7 - height * height), 1e-6);
}

/// A crank that a signal turns, and a gear from it to the truss.
const std::string geared =
    "[body.crank]\nm = 1\ninertia = 0.02\nposition = [5, 0]\n[joint.turn]\ntype = \"revolute\"\nof = [\"ground\", "
    "\"crank\"]\nangle = \"= 0.4 * t^2\"\n[joint.screw]\ntype = \"gear\"\nfirst = \"turn\"\nsecond = \"boom\"\nratio = "
    "0.5\n[sensor.torque]\ntype = \"drive_torque\"\nof = \"turn\"\n";

// l = ½ + 0.2 t²:  ẋ = l l̇/x, ẍ = (l̇² + l l̈ − ẋ²)/x; the truss pushes with F = m ẍ l/x, the drive with J φ̈ + F/2. To rounding.
TEST(TrussLength, AGearDrivesItAndAsksForTheTorqueOfInverseDynamics) {
  for (const char* how : {"type = \"inverse_dynamics\"", "type = \"dynamic\"\nintegrator = \"rk853\""}) {
    const Sensors end =
        end_of(slanted(is_free, geared) + "[[analysis]]\nname = \"d\"\nend = 1\nstep = 0.01\n" + how + "\n");
    const double l = 0.7, rate = 0.4, x = std::sqrt(l * l - height * height), v = l * rate / x;
    const double a = (rate * rate + l * 0.4 - v * v) / x, force = mass * a * l / x;
    EXPECT_NEAR(end.at("longer")[0], 0.2, 1e-13) << how;
    EXPECT_NEAR(end.at("x")[0], x, 1e-13) << how;
    EXPECT_NEAR(end.at("torque")[0], 0.02 * 0.8 + 0.5 * force, 1e-10) << how;
  }
}

// What an actuator carries along its signal is what inverse dynamics asks for; a cylinder of that thrust moves the block as the actuator.
TEST(TrussLength, AnActuatorCarriesTheForceOfInverseDynamics) {
  const Sensors end = end_of(slanted("type = \"actuator\"\nextension = \"= 0.2 * t^2\"",
                                     "[sensor.force]\ntype = \"force\"\nof = "
                                     "\"boom\"\n") +
                             "[[analysis]]\nname = \"d\"\nend = 1\nstep = 0.01\ntype = \"inverse_dynamics\"\n");
  const double l = 0.7, rate = 0.4, x = std::sqrt(l * l - height * height), v = l * rate / x;
  EXPECT_NEAR(end.at("force")[0], -mass * (rate * rate + l * 0.4 - v * v) / x * l / x, 1e-10);
  EXPECT_NEAR(end.at("longer")[0], 0.2, 1e-12) << "its length can be read too";
  const std::string thrust =
      "\"= 3 * (0.16 * t^2 + 0.4 * (0.5 + 0.2 * t^2) - ((0.5 + 0.2 * t^2) * 0.4 * t)^2 / ((0.5 + 0.2 * t^2)^2 - "
      "0.16)) * (0.5 + 0.2 * t^2) / ((0.5 + 0.2 * t^2)^2 - 0.16)\"";
  const Sensors moved = end_of(slanted("type = \"cylinder\"\nthrust = " + thrust, "") + analysis(1, 0.01, exact));
  EXPECT_NEAR(moved.at("x")[0], x, 1e-9);
}

// Bodies in space that start elsewhere than in the reference, from a point inside to another: read against their distance.
TEST(TrussLength, BeginsWhereThePartsStart) {
  const Sensors end = end_of(R"(
space = "spatial"
gravity = [0, 0, -9.81]
[body.arm]
m = 2
inertia = [0.1, 0.2, 0.15]
position = [1, 0, 0]
initial = { position = [0, 1, 0], quat_xyzw = [0, 0, 0.7071067811865476, 0.7071067811865476] }
points = { ear = [0.1, 0.2, 0.3] }
[joint.hinge]
type = "revolute"
of = ["ground", "arm"]
at = [0, 0, 0]
axis = [0, 0, 1]
[truss.strut]
type = "free"
between = [[0.5, -0.2, 0.1], "arm.ear"]
m = 0.3
[spring.strut]
type = "joint"
at = "strut"
stiffness = 50
[sensor.longer]
type = "displacement"
of = "strut"
[sensor.length]
type = "distance"
between = [[0.5, -0.2, 0.1], "arm.ear"]
[[analysis]]
name = "d"
type = "dynamic"
end = 0.5
step = 0.001
)");
  const double reference = std::sqrt(0.6 * 0.6 + 0.4 * 0.4 + 0.2 * 0.2);
  EXPECT_NEAR(end.at("longer")[0], end.at("length")[0] - reference, 1e-10);
}

TEST(TrussLength, SaysWhatHasNone) {
  const auto said = [](const std::string& truss, const std::string& more) {
    const std::string text = straight(truss, more);
    return message_of(text.substr(0, text.find("[sensor")) + more + analysis(0.1, 0.01));
  };
  const std::string stop = "[spring.stop]\ntype = \"joint\"\nat = \"boom\"\n";
  EXPECT_THAT(said("type = \"rigid\"", stop), HasSubstr("truss.boom keeps its length"));
  EXPECT_THAT(said("type = \"body\"\nm = 1\ninertia = 1", stop), HasSubstr("truss.boom is a mass"));
  EXPECT_THAT(said(is_free, "[spring.stop]\ntype = \"joint\"\nat = \"bom\"\n"), HasSubstr("no joint named"));
  EXPECT_THAT(said(is_free, stop + "[joint.boom]\ntype = \"distance\"\nof = [[0, 0], \"block\"]\n"),
              HasSubstr("a joint and a truss of that name"));
  EXPECT_THAT(said(is_free, "[sensor.s]\ntype = \"torque\"\nof = \"push\"\n" + motor), HasSubstr("read its \"force\""));
}

}  // namespace
}  // namespace flexura::test
