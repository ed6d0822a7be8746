// Dry friction in whole runs, against closed forms, by every method that does not refuse it.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "flexura/integrate/methods.hpp"
#include "flexura/run/session.hpp"
#include "flexura/scene/reader.hpp"

namespace flexura {
namespace {

SceneDocument document(const std::string& text) { return read_scene_text(text, "friction.toml", scene_terms()); }
RunOptions unrecorded() {
  RunOptions options;
  options.record = false;
  return options;
}
double last(Session& session, const char* sensor) { return session.sensor(session.find_sensor(sensor))[0]; }

constexpr double slope = 0.3, m = 2, mu = 0.5, speed = 1, g = 9.81;

/// A block thrown down a slope on which it stops; beside it a rubber band that is held at a length.
std::string thrown_block(std::string_view integrator) {
  const double c = std::cos(slope), s = std::sin(slope);
  return fmt::format(R"(gravity = [0, -9.81]
[body.block]
m = {}
inertia = 0.01
velocity = [{:.17g}, {:.17g}]
[joint.slope]
type = "prismatic"
of = ["ground", "block"]
axis = [{:.17g}, {:.17g}]
[load.rub]
type = "friction"
at = "slope"
coulomb = {:.17g}
static_ratio = 1.5
presliding = 1e-5
[point.p]
position = [1, 1]
[mass.own]
at = "p"
m = 1
[joint.hold]
type = "prescribed"
of = ["ground", "p"]
x = {{ type = "ramp", to = 1e-2, duration = 0.5 }}
y = 0
[spring.band]
type = "linear"
between = [[0, 1], "p"]
stiffness = 100
relaxation = [[0.4, 1]]
[sensor.way]
type = "displacement"
of = "slope"
[sensor.rub]
type = "force"
of = "rub"
[sensor.band]
type = "force"
of = "band"
[[analysis]]
name = "slide"
type = "dynamic"
end = 3
step = 1e-3
integrator = "{}"
)",
                     m, speed * c, -speed * s, c, -s, mu * m * g * c, integrator);
}

class EveryMethod : public ::testing::TestWithParam<std::string> {};
std::vector<std::string> method_names() {
  std::vector<std::string> names;
  for (const SettingsRow& row : time_methods()) names.emplace_back(row.name);
  return names;
}

// It stops after v²/(2 a), a = g (μ cos α − sin α), and stays there for good, held by m g sin α. What it lost is μ N d. Below
// 0.01 m/s friction grows to 1.5 of it: 1e-4 of the way. The band relaxes beside it.
TEST_P(EveryMethod, IsRightWithMemoryOrRefused) {
  const SceneDocument scene = document(thrown_block(GetParam()));
  std::unique_ptr<Session> session;
  try {
    session = std::make_unique<Session>(scene, unrecorded());
  } catch (const InputError& error) {
    EXPECT_THAT(
        error.what(),
        ::testing::AnyOf(::testing::HasSubstr("cannot follow what remembers its past (load.rub)"),
                         ::testing::HasSubstr("\"newmark\" is unstable with constraints that have multipliers")));
    return;
  }
  const double friction = mu * m * g * std::cos(slope), holds = m * g * std::sin(slope);
  const double a = (friction - holds) / m, way = speed * speed / (2 * a);
  ASSERT_TRUE(session->advance_to(0.3));
  EXPECT_NEAR(last(*session, "way"), speed * 0.3 - 0.5 * a * 0.09, 2e-4) << "it slides evenly";
  EXPECT_NEAR(last(*session, "rub"), -friction, 1e-9 * friction);
  session->advance_to(1.0);
  const double stopped = last(*session, "way");
  while (session->advance()) {
  }
  ASSERT_EQ(session->status(), RunStatus::finished) << session->message();
  EXPECT_NEAR(stopped, way, 1e-3 * way);
  EXPECT_NEAR(last(*session, "way"), stopped, 1e-9);
  EXPECT_NEAR(last(*session, "rub"), -holds, 1e-6 * holds);
  // The band: 0.6 of its stiffness and what is left of 0.4 after an even rise within 0.5 s.
  const double left = 0.6 + 0.4 * (std::exp(-2.5) - std::exp(-3.0)) / 0.5;
  EXPECT_NEAR(last(*session, "band"), left, 1e-9);
  const double lost_in_band = session->state().energy.dissipated - friction * stopped;
  EXPECT_GT(lost_in_band, 0);
  const RunSummary summary = session->finish();
  std::printf("%-18s stops after %.6f m of %.6f, numerical %.2e J\n", GetParam().c_str(), stopped, way,
              summary.numerical);
  EXPECT_NEAR(summary.numerical, 0, GetParam() == "energy-momentum" ? 1e-9 : 2e-3);
}

// Where the motion is prescribed friction costs what it takes: 4 F A in a cycle, and the bristle's turn at each end.
TEST_P(EveryMethod, CostsAPrescribedMotionItsWork) {
  const double F = 4, A = 0.1;
  const std::string scene = fmt::format(R"x(
[body.block]
m = 1
inertia = 0.01
[joint.rail]
type = "prismatic"
of = ["ground", "block"]
axis = [1, 0]
displacement = "= 0.1 * sin(2 * pi * t)"
[load.rub]
type = "friction"
at = "rail"
coulomb = 4
static_ratio = 1.25
presliding = 1e-5
[sensor.rub]
type = "force"
of = "rub"
[[analysis]]
name = "move"
type = "dynamic"
end = 2
step = 1e-3
integrator = "{}"
)x",
                                        GetParam());
  std::unique_ptr<Session> session;
  try {
    session = std::make_unique<Session>(document(scene), unrecorded());
  } catch (const InputError&) {
    return;
  }
  session->advance_to(1.0);
  const EnergyAccount<double> before = session->state().energy;
  EXPECT_NEAR(last(*session, "rub"), -F, 1e-9);
  session->advance_to(1.5);
  EXPECT_NEAR(last(*session, "rub"), F, 1e-9);
  while (session->advance()) {
  }
  ASSERT_EQ(session->status(), RunStatus::finished) << session->message();
  const EnergyAccount<double>& after = session->state().energy;
  // At each end the bristle turns by 2 z, and friction is larger by a quarter for some 1e-5 m.
  EXPECT_NEAR(after.dissipated - before.dissipated, 4 * F * A, 2e-3 * 4 * F * A);
  EXPECT_NEAR(after.prescribed - before.prescribed, 4 * F * A, 2e-3 * 4 * F * A);
}

INSTANTIATE_TEST_SUITE_P(Methods, EveryMethod, ::testing::ValuesIn(method_names()), [](const auto& info) {
  std::string name = info.param;
  std::erase(name, '-');
  return name;
});

// The effort of a drive is friction's from the first step on, for what moves from the beginning.
TEST(DryFriction, InverseDynamicsFeelsItAtOnce) {
  Session session(document(R"(
[body.block]
m = 1
inertia = 0.01
[joint.rail]
type = "prismatic"
of = ["ground", "block"]
axis = [1, 0]
displacement = "= 0.1 * t"
[load.rub]
type = "friction"
at = "rail"
coulomb = 4
presliding = 1e-3
settling = 0.1
[sensor.rub]
type = "force"
of = "rub"
[[analysis]]
name = "move"
type = "inverse_dynamics"
end = 0.1
step = 1e-3
)"),
                  unrecorded());
  for (int k = 0; k < 3; ++k) {
    ASSERT_TRUE(session.advance());
    EXPECT_NEAR(last(session, "rub"), -4, 1e-12) << k;
  }
}

/// A block on a slope of 0.2, in statics.
RunSummary held_block(double coulomb) {
  Session session(document(fmt::format(R"(gravity = [0, -9.81]
[body.block]
m = 2
inertia = 0.01
[joint.slope]
type = "prismatic"
of = ["ground", "block"]
axis = [1, -0.2]
[load.rub]
type = "friction"
at = "slope"
coulomb = {}
presliding = 1e-4
[[analysis]]
name = "hold"
type = "static"
)",
                                       coulomb)),
                  unrecorded());
  while (session.advance()) {
  }
  return session.finish();
}

// A machine of one place has no size: its motions are compared with 1 m. It went by steps of 1e-9 m, and stopped at 1 % of
// the loads.
TEST(DryFriction, HoldsInStaticsUpToItsLimit) {
  const double weight = 2 * g * std::sin(std::atan(0.2));
  const RunSummary held = held_block(1.1 * weight);
  EXPECT_EQ(held.status, RunStatus::finished) << held.message;
  EXPECT_LT(held.iterations, 40);
  const RunSummary slides = held_block(0.26 * weight);
  EXPECT_EQ(slides.status, RunStatus::failed);
  EXPECT_THAT(slides.message, ::testing::HasSubstr("beyond 0.26 of the loads"));
  EXPECT_THAT(slides.message,
              ::testing::HasSubstr("it moves on and on, as where nothing holds it or friction lets go"));
}

// ── What sensors of springs and loads say ───────────────────────────────────────────────────────────────────────────

const std::string linkage = R"(gravity = [0, -9.81]
[body.arm]
m = 1
inertia = 0.1
points = { tip = [0.5, 0] }
[joint.hinge]
type = "revolute"
of = ["ground", "arm"]
[spring.band]
type = "linear"
between = [[0.5, 1], "arm.tip"]
stiffness = 30
free_length = 0.8
[spring.turn]
type = "joint"
at = "hinge"
stiffness = 5
rest = 0.2
[spring.directions]
type = "torsional"
between = ["ground", "arm"]
stiffness = 3
turn = -0.1
[load.motor]
type = "motor"
at = "hinge"
effort = 2
[load.rub]
type = "friction"
at = "hinge"
coulomb = 1
until = 0.05
[load.push]
type = "force"
at = "arm.tip"
force = [1, 0]
)";
const std::string move = "[[analysis]]\nname = \"move\"\ntype = \"dynamic\"\nend = 0.1\nstep = 1e-3\n";

// At the start: pulls of k (l − l₀), moments of k (x₀ − x), and of what has no motion yet nothing.
TEST(ForceSensors, ReadSpringsMotorsAndFriction) {
  std::string text = linkage;
  for (const char* name : {"turn", "directions", "motor", "rub"})
    text += fmt::format("[sensor.{0}]\ntype = \"torque\"\nof = \"{0}\"\n", name);
  text += "[sensor.band]\ntype = \"force\"\nof = \"band\"\n" + move;
  Session session(document(text), unrecorded());
  EXPECT_NEAR(last(session, "band"), 30 * (1 - 0.8), 1e-14);
  EXPECT_NEAR(last(session, "turn"), 5 * 0.2, 1e-15);
  EXPECT_NEAR(last(session, "directions"), 3 * -0.1, 1e-15);
  EXPECT_NEAR(last(session, "motor"), 2, 1e-15);
  EXPECT_EQ(last(session, "rub"), 0);
  session.advance_to(0.03);
  EXPECT_NEAR(std::fabs(last(session, "rub")), 1, 1e-9) << "it slides";
  while (session.advance()) {
  }
  ASSERT_EQ(session.status(), RunStatus::finished) << session.message();
  EXPECT_EQ(last(session, "rub"), 0) << "it does not act any more";
}

TEST(ForceSensors, SayWhereAnotherOneReads) {
  const std::tuple<const char*, const char*, const char*> cases[] = {
      {"force", "turn", "spring.turn turns what it acts on: read its \"torque\""},
      {"torque", "band", "spring.band pulls at what it acts on: read its \"force\""},
      {"force", "push", "load.push acts neither on a joint's coordinate nor between two places"},
      {"force", "bnd", "there is no spring named \"bnd\""}};
  for (const auto& [type, of, message] : cases) try {
      interpret_scene(document(linkage + fmt::format("[sensor.s]\ntype = \"{}\"\nof = \"{}\"\n", type, of) + move));
      ADD_FAILURE() << message;
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), ::testing::HasSubstr(message));
      EXPECT_THAT(error.what(), ::testing::HasSubstr("sensor.s.of"));
    }
}

}  // namespace
}  // namespace flexura
