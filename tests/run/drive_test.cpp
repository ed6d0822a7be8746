// What drives of joints do, by every method, against closed forms.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "flexura/run/session.hpp"
#include "flexura/run/simulation.hpp"
#include "flexura/scene/reader.hpp"

namespace flexura {
namespace {

/// A body about the z axis, turned by 0.3 t²: (J + m r²) 0.6; a slide on it, moved by 0.1 t² along the axis: m 0.2 and its weight;
/// a shaft that a gear turns three times
/// as far, from 0.2 on.
std::string driven(const std::string& analysis) {
  return fmt::format(R"(space = "spatial"
gravity = [0, 0, -9.81]
[body.arm]
m = 2
center = [0.5, 0, 0]
inertia = [0.01, 0.02, 0.03]
[joint.turn]
type = "revolute"
of = ["ground", "arm"]
at = [0, 0, 0]
axis = [0, 0, 1]
angle = "= 0.3 * t^2"
[body.slide]
m = 3
inertia = [0.01, 0.01, 0.02]
[joint.lift]
type = "prismatic"
of = ["ground", "slide"]
at = [0, 0, 0]
axis = [0, 0, 1]
displacement = "= 0.1 * t^2"
[body.shaft]
m = 1
inertia = [0.01, 0.01, 0.004]
initial = {{ quat_xyzw = [0, 0, 0.09983341664682815, 0.9950041652780258] }}
[joint.shaft]
type = "revolute"
of = ["ground", "shaft"]
at = [0, 0, 0]
axis = [0, 0, 1]
[joint.gear]
type = "gear"
first = "turn"
second = "shaft"
ratio = 3
offset = 0.2
[spring.brake]
type = "joint"
at = "shaft"
damping = 0.05
[sensor.torque]
type = "drive_torque"
of = "turn"
[sensor.force]
type = "drive_force"
of = "lift"
[sensor.shaft]
type = "angle"
of = "shaft"
[[analysis]]
name = "move"
end = 1
step = 0.01
{})",
                     analysis);
}

TEST(Drive, DoesWhatInertiaWeightAndGearsAskFor) {
  // To rounding where accelerations are those of the constraints; of generalized-alpha and energy-momentum with their order.
  const std::pair<const char*, double> methods[] = {{"type = \"inverse_dynamics\"", 1e-12},
                                                    {"type = \"dynamic\"\nintegrator = \"rk853\"", 1e-12},
                                                    {"type = \"dynamic\"\nintegrator = \"rk4\"", 1e-12},
                                                    {"type = \"dynamic\"\nintegrator = \"adams\"", 1e-12},
                                                    {"type = \"dynamic\"", 1e-6},
                                                    {"type = \"dynamic\"\nintegrator = \"energy-momentum\"", 1e-2}};
  for (const auto& [analysis, accuracy] : methods) {
    const SceneDocument scene = read_scene_text(driven(analysis), "drive.toml", scene_terms());
    RunOptions options;
    options.record = false;
    Session session(scene, options);
    while (session.advance()) {
    }
    const auto last = [&](const char* sensor) { return session.sensor(session.find_sensor(sensor))[0]; };
    const double torque = (0.03 + 2 * 0.25) * 0.6 + 3 * (0.004 * 3 * 0.6 + 0.05 * 3 * 0.6);
    EXPECT_NEAR(last("torque"), torque, accuracy * torque) << analysis;
    EXPECT_NEAR(last("force"), 3 * (0.2 + 9.81), accuracy * 30) << analysis;
    EXPECT_NEAR(last("shaft"), 3 * 0.3 + 0.2, 1e-12) << analysis;
  }
}

/// The units of a scene, in which 1 m, 1 kg and 1 s are these.
struct Units {
  const char* name;
  double length, mass, time;
};

// The slide is prescribed, so its end is known: 3 (0.1)³ and 2 (0.1)² along its axis. Measured: 1e-17 in metres; in
// micrometres 1.7e-12, in kinematic analyses too. The step of a projection was compared with the free coordinate alone,
// which grows from zero: 52 of these 64 runs ended "no accelerations" in their first steps, some of them in SI.
TEST(Drive, OfASlideThatStartsSlowlyIsFollowedInAnyUnits) {
  constexpr Units systems[] = {{"m, kg, s", 1, 1, 1},         {"mm, t, s", 1e3, 1e-3, 1},
                               {"mm, g, ms", 1e3, 1e3, 1e3},  {"km, kg, s", 1e-3, 1, 1},
                               {"um, Gg, s", 1e6, 1e-6, 1},   {"km, t, h", 1e-3, 1e-3, 1.0 / 3600},
                               {"um, mg, us", 1e6, 1e6, 1e6}, {"inch, lb, s", 39.37, 2.205, 1}};
  for (const Units& u : systems)
    for (const char* method : {"rk45", "rk853", "rk4", "adams"})
      for (const int power : {2, 3}) {
        const double coefficient = power == 2 ? 2 : 3;
        const std::string text = fmt::format(
            R"(space = "spatial"
gravity = [{g:.17g}, {g:.17g}, 0]
[body.b]
position = [0, {y:.17g}, 0]
m = {m:.17g}
inertia = [{j:.17g}, {j:.17g}, {j:.17g}]
[joint.slide]
type = "prismatic"
of = ["ground", "b"]
at = [0, {at:.17g}, 0]
axis = [-0.78, -0.398, -0.357]
displacement = "= {c:.17g} * (t / {t:.17g})^{power}"
[sensor.place]
type = "position"
at = "b"
[[analysis]]
name = "move"
type = "dynamic"
end = {end:.17g}
step = {step:.17g}
integrator = {{ type = "{method}"{tolerances} }}
)",
            fmt::arg("g", 5 * u.length / (u.time * u.time)), fmt::arg("y", -0.08 * u.length),
            fmt::arg("m", 60 * u.mass), fmt::arg("j", 2 * u.mass * u.length * u.length),
            fmt::arg("at", -0.28 * u.length), fmt::arg("c", coefficient * u.length), fmt::arg("t", u.time),
            fmt::arg("power", power), fmt::arg("end", 0.1 * u.time), fmt::arg("step", 0.002 * u.time),
            fmt::arg("method", method),
            fmt::arg("tolerances", std::string_view(method) == "rk4"
                                       ? std::string()
                                       : fmt::format(", rtol = 1e-9, atol = {:.17g}, atol_vector = 1e-11, "
                                                     "atol_velocity = {:.17g}",
                                                     1e-11 * u.length, 1e-9 * u.length / u.time)));
        RunOptions options;
        options.record = false;
        const RunSummary run = run_scene(read_scene_text(text, "slide.toml", scene_terms()), options);
        const std::string label = fmt::format("{}, {}, t^{}", u.name, method, power);
        EXPECT_EQ(run.status, RunStatus::finished) << label << ": " << run.message;
        if (run.status != RunStatus::finished) continue;
        const double axis[] = {-0.78, -0.398, -0.357}, size = std::hypot(axis[0], axis[1], axis[2]);
        for (int i = 0; i < 3; ++i)
          EXPECT_NEAR(run.sensors[0].second.last[i] / u.length,
                      (i == 1 ? -0.08 : 0) + coefficient * std::pow(0.1, power) * axis[i] / size, 1e-11)
              << label;
      }
}

TEST(Drive, OfAFreeJointIsRefused) {
  std::string text = driven("type = \"dynamic\"");
  text.replace(text.find("displacement ="), 14, "#");
  EXPECT_THROW(interpret_scene(read_scene_text(text, "drive.toml", scene_terms())), InputError);
}

}  // namespace
}  // namespace flexura
