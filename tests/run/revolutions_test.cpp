// Revolutions of frames, tangents and torsional springs: part of the state, saved and restored with it.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "flexura/run/session.hpp"
#include "flexura/scene/reader.hpp"
#include "tests/support/count_allocations.hpp"

namespace flexura {
namespace {

constexpr double pi = std::numbers::pi;

SceneDocument document(const std::string& text) { return read_scene_text(text, "turns.toml", scene_terms(), {}); }
RunOptions unrecorded() {
  RunOptions options;
  options.record = false;
  return options;
}
Session session_of(const std::string& text) { return {document(text), unrecorded()}; }
double reading(Session& session, const std::string& name, int place) {
  return session.sensor(session.find_sensor(name))[static_cast<size_t>(place)];
}
std::vector<double> readings(Session& session) {
  std::vector<double> all;
  for (int k = 0; k < session.sensor_count(); ++k) {
    const auto values = session.sensor(k);
    all.insert(all.end(), values.begin(), values.end());
  }
  return all;
}

/// A disc, a wheel on its spring, which has another one from 0.3 s on, and a strip: all turn by several radians.
std::string rotors(const std::string& integrator, double step) {
  return fmt::format(R"(space = "planar"
[section.strip]
EA = 1e4
EI = 2
rhoA = 0.1
[body.disc]
angle = "500 deg"
m = 1
inertia = 0.01
angular_velocity = 30
[body.wheel]
position = [3, 0]
m = 1
inertia = 0.02
angular_velocity = 25
[joint.axle]
type = "pin"
of = ["ground", "wheel"]
at = [3, 0]
[spring.s]
type = "torsional"
between = ["ground", "wheel"]
stiffness = 0.05
[spring.later]
type = "torsional"
between = ["ground", "wheel"]
stiffness = 0.01
from = 0.3
[cable.strip]
section = "strip"
path = [[0, 1], [0.5, 1]]
elements = 1
angular_velocity = 15
[sensor.disc]
type = "frame"
at = "disc"
[sensor.wheel]
type = "frame"
at = "wheel"
[sensor.torque]
type = "torque"
of = "s"
[sensor.end]
type = "angle"
at = "strip.end"
[[analysis]]
name = "go"
type = "dynamic"
end = 0.6
step = {}
integrator = "{}"
)",
                     step, integrator);
}

struct Method {
  std::string integrator;
  double step;
};
class RevolutionsOfMethod : public ::testing::TestWithParam<Method> {};

// Saved at every step, restored in a session that has gone on and in a fresh one: the same bits, now and two steps later.
TEST_P(RevolutionsOfMethod, RestoresRevolutionsAtEveryStep) {
  const std::string text = rotors(GetParam().integrator, GetParam().step);
  Session session = session_of(text);
  std::vector<Checkpoint> saved{session.save()};
  std::vector<std::vector<double>> read{readings(session)};
  while (session.advance()) {
    read.push_back(readings(session));
    saved.push_back(session.save());
  }
  ASSERT_EQ(session.status(), RunStatus::finished) << session.message();
  // 1 % of angles: 0.3 rad a step of second order.
  EXPECT_NEAR(reading(session, "disc", 2), 500 * pi / 180 + 30 * 0.6, 0.2);
  EXPECT_GT(reading(session, "wheel", 2), 2 * pi);
  EXPECT_NEAR(reading(session, "end", 0), 15 * 0.6, 0.5);
  for (size_t k = 0; k < saved.size(); ++k) {
    session.restore(saved[k]);
    EXPECT_EQ(readings(session), read[k]) << "saved after step " << k;
    Session fresh = session_of(text);
    fresh.restore(saved[k]);
    for (size_t step = k + 1; step < std::min(k + 3, read.size()); ++step) {
      fresh.advance();
      EXPECT_EQ(readings(fresh), read[step]) << "saved after step " << k << ", at step " << step;
      fresh.save();
    }
  }
}

// Rates tell how far all turn from step to step, however long these are: 10 rad for methods with steps of their own.
TEST_P(RevolutionsOfMethod, CountsAsSmallStepsDo) {
  Session often = session_of(rotors(GetParam().integrator, 2e-3)),
          once = session_of(rotors(GetParam().integrator, GetParam().step));
  while (often.advance()) {
  }
  while (once.advance()) {
  }
  for (const auto& [name, place] : {std::pair{"disc", 2}, {"wheel", 2}, {"end", 0}})
    EXPECT_NEAR(reading(often, name, place), reading(once, name, place), 0.5) << name;
}

INSTANTIATE_TEST_SUITE_P(Methods, RevolutionsOfMethod,
                         ::testing::Values(Method{"generalized-alpha", 0.01}, Method{"hht", 0.01},
                                           Method{"energy-momentum", 0.01}, Method{"rk45", 0.15}, Method{"rk853", 0.3},
                                           Method{"adams", 0.3}),
                         [](const auto& info) {
                           std::string name = info.param.integrator;
                           std::erase(name, '-');
                           return name;
                         });

// Energy of a wheel that winds its spring by 9 turns and back, by the conserving step: 1e-9 of it, Newton's tolerance over 1500 steps.
TEST(TorsionalWinding, KeepsTheEnergyOverManyTurns) {
  Session session = session_of(R"(space = "planar"
[body.wheel]
m = 1
inertia = 0.02
angular_velocity = 25
[joint.axle]
type = "pin"
of = ["ground", "wheel"]
[spring.s]
type = "torsional"
between = ["ground", "wheel"]
stiffness = 0.004
[sensor.wheel]
type = "frame"
at = "wheel"
[sensor.energy]
type = "energy"
of = "total"
[[analysis]]
name = "go"
type = "dynamic"
end = 15
step = 0.01
integrator = "energy-momentum"
)");
  double most = 0, least = 0, energy = 0.5 * 0.02 * 25 * 25, off = 0;
  while (session.advance()) {
    most = std::max(most, reading(session, "wheel", 2)), least = std::min(least, reading(session, "wheel", 2));
    off = std::max(off, std::fabs(reading(session, "energy", 0) - energy));
  }
  EXPECT_NEAR(most, 25 / std::sqrt(0.2), 0.1);
  EXPECT_NEAR(least, -25 / std::sqrt(0.2), 0.1);
  EXPECT_LT(off, 1e-9 * energy);
}

TEST(Revolutions, UseNoHeapOnceWarm) {
  for (const char* integrator : {"generalized-alpha", "energy-momentum", "rk853", "adams"}) {
    Session session = session_of(rotors(integrator, 1e-3));
    session.advance(20);
    readings(session);
    const long before = test::allocations();
    session.advance(100);
    EXPECT_EQ(test::allocations() - before, 0) << integrator;
  }
}

}  // namespace
}  // namespace flexura
