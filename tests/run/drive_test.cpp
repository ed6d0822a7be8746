// What drives of joints do, by every method, against closed forms.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "flexura/run/session.hpp"
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

TEST(Drive, OfAFreeJointIsRefused) {
  std::string text = driven("type = \"dynamic\"");
  text.replace(text.find("displacement ="), 14, "#");
  EXPECT_THROW(interpret_scene(read_scene_text(text, "drive.toml", scene_terms())), InputError);
}

}  // namespace
}  // namespace flexura
