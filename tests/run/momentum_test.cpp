// Momenta of whole models against the impulses of what acts on them.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "flexura/run/simulation.hpp"
#include "flexura/scene/reader.hpp"

namespace flexura {
namespace {

RunSummary run(const std::string& text) {
  RunOptions options;
  options.record = false;
  return run_scene(read_scene_text(text, "momentum.toml", scene_terms()), options);
}

const SensorSummary& of(const RunSummary& summary, const std::string& sensor) {
  for (const auto& [name, s] : summary.sensors)
    if (name == sensor) return s;
  throw std::out_of_range(sensor);
}

// A steel rod of 1 m that spins at 100 rad/s with retarded stretch loses by its own stretching what it loses however the motion is
// cut: by the jump of a load that is zero, by a second analysis, or where velocities are projected. Each starts the motion anew with
// accelerations of its own, of which the retardation must make no force; 895.8 J of 5.2 kJ went where they did.
TEST(Momentum, NothingIsLostWhereTheMotionOfADampedRodIsCut) {
  const auto lost = [](const std::string& integrator, bool jump, bool cut) {
    std::string text = R"(
space = "spatial"
[material.steel]
E = "200 GPa"
nu = 0.3
rho = 7800
[section.rod]
shape = { type = "circle", radius = "10 mm" }
material = "steel"
damping_stretch = "1 ms"
[beam.rod]
section = "rod"
path = [[-0.5, 0, 0], [0.5, 0, 0]]
elements = 4
angular_velocity = [0, 0, 100]
about = [0, 0, 0]
[sensor.energy]
type = "energy"
of = "total"
)";
    if (jump)
      text += R"([load.none]
type = "force"
at = "rod.end"
force = [0, 0, 0]
signal = { type = "piecewise", points = [[0, 0], [0.3, 0], [0.3, 1], [2, 1]] }
)";
    const auto analysis = [&](const char* name, double end) {
      text += fmt::format("[[analysis]]\nname = \"{}\"\ntype = \"dynamic\"\nend = {}\nstep = \"1 ms\"\n{}\n", name, end,
                          integrator);
    };
    if (cut) analysis("first", 0.5);
    analysis("all", 1.0);
    const RunSummary s = run(text);
    EXPECT_EQ(s.status, RunStatus::finished) << s.message;
    return of(s, "energy").greatest.at(0) - of(s, "energy").last.at(0);
  };
  const double plain = lost("", false, false);
  const std::string projected = "integrator = { type = \"generalized-alpha\", project_velocities = true }";
  EXPECT_GT(plain, 0);
  EXPECT_NEAR(lost("", true, false), plain, 0.05 * plain);
  EXPECT_NEAR(lost("", false, true), plain, 0.05 * plain);
  EXPECT_NEAR(lost(projected, false, false), plain, 0.05 * plain);
}

// m v of the centre of mass, J w + x × m v; error control of 1e-8 a step.
TEST(Momentum, OfAThrownBody) {
  const RunSummary s = run(R"(
[body.disc]
position = [1, 2]
m = 3
center = [0.5, 0]
inertia = 0.2
velocity = [4, 1]
angular_velocity = 6
[sensor.p]
type = "momentum"
[sensor.l]
type = "angular_momentum"
[[analysis]]
name = "fly"
type = "dynamic"
end = 1e-3
step = 1e-3
integrator = "rk853"
)");
  ASSERT_EQ(s.status, RunStatus::finished) << s.message;
  EXPECT_NEAR(of(s, "p").last[0], 12, 1e-7);
  EXPECT_NEAR(of(s, "p").last[1], 12, 1e-7);
  EXPECT_NEAR(of(s, "l").last[0], 0.2 * 6 + 1.5 * 12 - 2 * 12, 1e-7);
}

// A head and its trunk, free in space: torque on the one, moment on the other.
std::string head_and_trunk(const std::string& weld, const std::string& integrator) {
  return fmt::format(R"(
space = "spatial"
[body.head]
shape = {{ type = "box", size = [0.6, 0.5, 0.5] }}
density = 1000
points = {{ face = [0.3, 0, 0] }}
[material.flesh]
E = 0.938e6
nu = 0.3
rho = 1180
[plate.trunk]
shape = {{ type = "tube", axis = [[0.3, 0, 0], [1.8, 0, 0]], radius = [0.16, 0.04] }}
elements = [2, 4]
material = "flesh"
thickness = 0.02
[joint.face]
type = "weld"
of = ["head.face", "trunk.start"]
{}
[load.torque]
type = "moment"
at = "head"
moment = [3, 0, 20]
[load.muscle]
type = "moment"
at = "trunk@0.5"
moment = [0, 5, 0]
[sensor.p]
type = "momentum"
[sensor.l]
type = "angular_momentum"
[[analysis]]
name = "fly"
type = "dynamic"
end = 0.1
step = 1e-3
integrator = {}
)",
                     weld, integrator);
}

// (3, 5, 20) N m times t: an eliminated weld, the relations, and springs with dampers between head and trunk are inner
// forces. Error control of 1e-8 a step.
TEST(Momentum, OfHeadAndTrunkIsTheImpulseHoweverTheyAreJoined) {
  const std::string adams = R"({ type = "adams", rtol = 1e-8, atol = 1e-10 })";
  for (const std::string weld : {"method = \"eliminated\"", "method = \"relations\"",
                                 "method = \"compliant\"\nstiffness = 1e5\ndamping = 500"}) {
    const RunSummary s = run(head_and_trunk(weld, adams));
    ASSERT_EQ(s.status, RunStatus::finished) << s.message;
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(of(s, "p").last[i], 0, 1e-7) << weld;
    const double expected[] = {0.3, 0.5, 2};
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(of(s, "l").last[i], expected[i], 1e-7) << weld << " " << i;
  }
}

}  // namespace
}  // namespace flexura
