// Drives with limits of rate and effort: trusses and joints' coordinates, against closed forms.

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cmath>

#include "tests/support/scenes.hpp"

namespace flexura::test {
namespace {

constexpr double mass = 100, g = 10, weight = mass * g, k = 1e7;

/// A lift: a body of 100 kg on a vertical rail, one metre above the ground, and a jack below it.
std::string lift(const std::string& jack, const std::string& more = "") {
  return fmt::format(R"(
space = "planar"
gravity = [0, -{}]
[body.cage]
m = {}
inertia = 1
position = [0, 1]
[joint.rail]
type = "prismatic"
of = ["ground", "cage"]
axis = [0, 1]
[truss.jack]
type = "drive"
between = [[0, 0], "cage.center"]
stiffness = {}
{}
[sensor.l]
type = "distance"
between = [[0, 0], "cage.center"]
[sensor.f]
type = "force"
of = "jack"
[sensor.v]
type = "velocity"
at = "cage"
{})",
                     g, mass, k, jack, more);
}
const std::string statics = "[[analysis]]\nname = \"hang\"\ntype = \"static\"\n";
std::string motion(double end, double step, const std::string& more = "") {
  return fmt::format("[[analysis]]\nname = \"d\"\ntype = \"dynamic\"\nend = {}\nstep = {}\n{}\n", end, step, more);
}
std::string jump(double to, double at = 0.1) {
  return fmt::format("extension = {{ type = \"ramp\", to = {}, start = {}, duration = 0 }}\n", to, at);
}
const std::string undamped = "integrator = { type = \"generalized-alpha\", rho_inf = 1 }";
const std::string settling = "settling = 2e-3\n";
const double omega = std::sqrt(k / mass);

// l = L + u − W/k, a force of W, whatever the rate.
TEST(LimitedDrive, CarriesALoadOverItsStiffness) {
  const Sensors end = end_of(lift("extension = 0.2\nmax_force = 1500\nmax_rate = 1e-3") + statics);
  EXPECT_NEAR(end.at("l")[0], 1.2 - weight / k, 1e-12);
  EXPECT_NEAR(end.at("f")[0], -weight, 1e-5);  // tolerance of statics
}

// After a target that jumps by 0.5 m the nut goes at 0.1 m/s, and the load swings by c/ω about it, undamped:
// l = 1 − W/k + c t − (c/ω) sin ωt. Second order: in steps of 0.1 ms, ω h = 0.03, the period is too long by (ω h)²/12.
TEST(LimitedDrive, RunsAfterAJumpAtItsLargestRate) {
  const double c = 0.1;
  for (const double t : {0.005, 0.013, 0.1, 0.4}) {
    const Sensors end = end_of(lift(jump(0.5) + "max_rate = 0.1") + statics + motion(0.1 + t, 1e-4, undamped));
    const double phase = omega * t * std::pow(omega * 1e-4, 2) / 12;
    EXPECT_NEAR(end.at("l")[0], 1 - weight / k + c * t - c / omega * std::sin(omega * t), 1e-7 + phase * c / omega)
        << t;
    EXPECT_NEAR(end.at("v")[1], c - c * std::cos(omega * t), 1e-4 + phase * c) << t;
  }
}

// Damped, it is there after 0.5 m at 0.1 m/s and stays, and on the way it is as far as the rate says, in fixed steps and others.
TEST(LimitedDrive, GetsThereInTheTimeThatItsRateAsks) {
  const std::string jack = jump(0.5) + settling + "max_rate = 0.1\nmax_force = 5000";  // starting so takes 4200
  for (const char* how : {"", "adaptive = { tolerance = 1e-6 }", "integrator = \"energy-momentum\""}) {
    for (const double t : {1.0, 4.9, 7.0}) {
      const Sensors end = end_of(lift(jack) + statics + motion(0.1 + t, 2e-3, how));
      EXPECT_NEAR(end.at("l")[0], 1 - weight / k + std::min(0.5, 0.1 * t), 1e-8) << how << " at " << t;
      EXPECT_NEAR(end.at("f")[0], -weight, 0.1) << how << " at " << t;
    }
  }
}

// A load of 1000 N on 800 N: squeezed by (W/k) (1 − cos ωt) until that is 800 N, then pushed back with g − F/m.
TEST(LimitedDrive, ALoadAboveItsForcePushesItBack) {
  const double F = 800, t1 = std::acos(1 - F / weight) / omega, v1 = -g / omega * std::sin(omega * t1);
  const Sensors end = end_of(lift("extension = 0.5\nmax_rate = 1e-9\nmax_force = 800") + motion(0.4, 1e-4, undamped));
  const double t = 0.4 - t1, a = g - F / mass;
  EXPECT_NEAR(end.at("v")[1], v1 - a * t, 1e-4);
  EXPECT_NEAR(end.at("l")[0], 1 - F / k + v1 * t - 0.5 * a * t * t, 5e-5);
  EXPECT_NEAR(end.at("f")[0], -F, 1e-9);
}

// With its target far above it lifts with F − W. At once it does nothing yet: the first step has half of what is to come, of first order.
TEST(LimitedDrive, LiftsWithItsForceAtMost) {
  const double a = (1500 - weight) / mass, F_step = 1500 / mass;
  for (const double h : {1e-3, 1e-4}) {
    const Sensors end = end_of(lift("extension = 5\nmax_force = 1500") + motion(0.3, h, undamped));
    EXPECT_NEAR(end.at("v")[1], a * 0.3 - 0.5 * F_step * h, 1e-9);
    EXPECT_NEAR(end.at("f")[0], -1500, 1e-9);
  }
}

// What it has no force to accelerate with it loses, and does not make up: its nut goes at c and no faster. From rest to c with F − W that is
// c²/(2 a).
TEST(LimitedDrive, LagsByWhatItsForceCannotAccelerate) {
  const double c = 0.1, F = 1100, a = (F - weight) / mass;
  const auto at = [&](double t) {
    return end_of(lift(jump(0.5) + settling + "max_rate = 0.1\nmax_force = 1100") + statics + motion(t, 1e-4))
        .at("l")[0];
  };
  EXPECT_NEAR(at(1.1), 1 - weight / k + c - c * c / (2 * a), 2e-5);  // the spring fills and empties: 2 F/k
  EXPECT_NEAR(at(2.1) - at(1.1), c, 1e-9);
  EXPECT_NEAR(at(7), 1.5 - weight / k, 1e-8);
}

// A screw that locks: it does not lift what is above its limit and does not give way to it.
TEST(LimitedDrive, AScrewHoldsWhatItCannotLift) {
  const std::string screw = "max_rate = 0.01\nmax_force = 800\noverload = \"holds\"\n" + settling;
  const Sensors end = end_of(lift(jump(0.5) + screw) + statics + motion(2, 1e-3));
  EXPECT_NEAR(end.at("l")[0], 1 - weight / k, 1e-11);
  EXPECT_NEAR(end.at("f")[0], -weight, 1e-4);
  // Downwards its load helps.
  const Sensors down = end_of(lift(jump(-0.3) + screw) + statics + motion(1.1, 1e-3));
  EXPECT_NEAR(down.at("l")[0], 1 - weight / k - 0.01, 1e-9);
  // Relieved by 300 N after a second it goes on.
  const std::string relief = "[load.relief]\ntype = \"force\"\nat = \"cage\"\nforce = [0, 300]\nfrom = 1.1\n";
  const auto relieved = [&](double t) {
    return end_of(lift(jump(0.5) + screw, relief) + statics + motion(t, 1e-3)).at("l")[0];
  };
  EXPECT_NEAR(relieved(1.1), 1 - weight / k, 1e-11);
  EXPECT_NEAR(relieved(2.6) - relieved(1.6), 0.01, 1e-9);
}

// What it stores and what its damper takes are its own: its work is that of its force on its length.
TEST(LimitedDrive, TheBalanceOfEnergyCloses) {
  for (const char* how : {undamped.c_str(), "integrator = \"energy-momentum\""})
    for (const double step : {2e-4, 1e-4}) {
      RunOptions options;
      options.record = false;
      const std::string text =
          lift(jump(0.5) + settling + "max_rate = 0.1\nmax_force = 3000") + statics + motion(1.1, step, how);
      const RunSummary run = run_scene(read_scene_text(text, "scene.toml", scene_terms()), options);
      ASSERT_EQ(run.status, RunStatus::finished) << run.message;
      // Of 100 J; 6e-8 J are rounding of places times a stiffness of 1e7 N/m.
      EXPECT_LT(std::fabs(run.numerical), 1e-6) << how;
    }
}

// On the angle of a joint, whose own limits it takes: an arm of 3 kg m² without weight after 2 rad, bang to 12 N m.
TEST(LimitedDrive, TakesTheLimitsOfItsJoint) {
  const std::string arm = R"(
space = "planar"
[body.arm]
m = 1
inertia = 3
[joint.hinge]
type = "revolute"
of = ["ground", "arm"]
max_effort = 12
[load.turn]
type = "drive"
at = "hinge"
target = 2
stiffness = 1e5
settling = 1e-2
{}
[sensor.angle]
type = "angle"
of = "hinge"
[sensor.torque]
type = "torque"
of = "turn"
)";
  const auto with = [&](const std::string& more) {
    std::string text = arm;
    text.replace(text.find("{}"), 2, more);
    return text;
  };
  const Sensors strong = end_of(with("") + motion(0.5, 1e-3));
  EXPECT_NEAR(strong.at("angle")[0], 0.5 * 12 / 3 * 0.25, 2e-3);  // the first step, as above
  EXPECT_NEAR(strong.at("torque")[0], 12, 1e-12);
  // Slowly enough for its torque to start and stop it, c √(k I) = 5.5 N m.
  const auto slow = [&](double t) { return end_of(with("max_rate = 0.01") + motion(t, 1e-3)).at("angle")[0]; };
  EXPECT_NEAR(slow(1), 0.01, 1e-9);
  EXPECT_NEAR(slow(10), 0.1, 1e-9);
}

}  // namespace
}  // namespace flexura::test
