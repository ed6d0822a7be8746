// A rigid body welded in the middle of a cable against the same equations written by hand.

#include <gtest/gtest.h>

#include <cmath>

#include "flexura/constraint/inner_product.hpp"
#include "flexura/constraint/vector_length.hpp"
#include "flexura/integrate/generalized_alpha.hpp"
#include "flexura/run/simulation.hpp"
#include "flexura/scene/reader.hpp"
#include "tests/support/machines.hpp"

namespace flexura {
namespace {

constexpr double mass = 0.05, inertia = 2e-5, off = 0.01;  ///< centre of mass beside the cable
constexpr int elements = 6;

RunSummary run_scene_of_the_weld() {
  const std::string text = R"(
gravity = [0, -9.81]
[section.wall]
EA = 2000
EI = 0.0186
rhoA = 0.12
[cable.hose]
section = "wall"
path = [[0, 0], [0.175, 0]]
elements = 6
[joint.clamp]
type = "weld"
of = ["ground", "hose.start"]
[body.lump]
position = [0.0875, 0]
m = 0.05
center = [0, 0.01]
inertia = 2e-5
[joint.weld]
type = "weld"
of = ["hose@0.5", "lump"]
[sensor.tip]
type = "position"
at = "hose.end"
[sensor.node]
type = "position"
at = "hose@0.5"
[sensor.direction]
type = "direction"
at = "hose@0.5"
[sensor.lump]
type = "frame"
at = "lump"
[[analysis]]
name = "fall"
type = "dynamic"
end = 0.15
step = 5e-4
)";
  RunOptions options;
  options.record = false;
  return run_scene(read_scene_text(text, "weld.toml", scene_terms()), options);
}

std::vector<double> last(const RunSummary& summary, const std::string& sensor) {
  for (const auto& [name, values] : summary.sensors)
    if (name == sensor) return values.last;
  ADD_FAILURE() << "no sensor " << sensor;
  return std::vector<double>(8, NAN);
}

/// The node's r and a direction of the body's own, across which r_x has nothing: the cable may stretch there.
std::array<double, 2> tip_by_hand() {
  ModelBuilder b(2);
  const test::Cable cable =
      test::add_cable(b, elements, {.length = 0.175}, {}, {.integration = AncfCable2d::Integration::reduced});
  const int r = cable.r[elements / 2], g = cable.g[elements / 2];
  const double along[] = {1, 0};
  const int e = b.slot("along", SlotKind::vector, along);
  const int normal = b.combination("normal", SlotKind::vector, {2, {{e, {0, -1, 1, 0}}}, {}, {}}, "body");
  const double m[] = {mass, 0, inertia / 2, mass * off, 0, inertia / 2 + mass * off * off};  // 00, 10, 11, 20, 21, 22
  b.item("rigid_mass_2d", std::array{r, e, normal}, m, {}, "body");
  b.rigid_body({r, e, normal});
  b.item<VectorLength2d>({e, b.multiplier("length")}, {}, "length");
  b.item<InnerProduct2d>({g, normal, b.multiplier("angle")}, {}, "angle");
  b.fix(cable.r[0], "clamp");
  b.relate({1, {{cable.g[0], {0, 1}}}, {0}, {}}, "clamp");
  const double down[] = {0, -9.81};
  b.gravity(down, b.constant_signal());
  const Model model = b.build();
  const Values* values = &model.values;
  System<double> system(model.topology, std::span(&values, 1));
  State<double> state = system.initial_state(0);
  GeneralizedAlpha<double> method(system, NewmarkFamily::generalized_alpha(0.8), {});
  EXPECT_TRUE(method.start(state));
  for (int k = 1; k <= 300; ++k) EXPECT_TRUE(method.step(state, k == 300 ? 0.15 : k * 5e-4).converged);
  const int at = model.topology->slots[cable.r[elements]].offset;
  return {state.q[at], state.q[at + 1]};
}

// The same equations in another order: Newton stops at 1e-8 of the forces, 300 steps of it leave less than 1e-9 m.
TEST(WeldedBody, MovesAsWrittenByHand) {
  const RunSummary welded = run_scene_of_the_weld();
  ASSERT_EQ(welded.status, RunStatus::finished) << welded.message;
  const std::vector<double> tip = last(welded, "tip");
  const std::array<double, 2> expected = tip_by_hand();
  for (size_t i : {0, 1}) EXPECT_NEAR(tip[i], expected[i], 1e-9);
  EXPECT_GT(std::fabs(tip[1]), 0.01);  // it moved
}

TEST(WeldedBody, DoesNotDrift) {
  const RunSummary welded = run_scene_of_the_weld();
  const std::vector<double> node = last(welded, "node"), direction = last(welded, "direction"),
                            frame = last(welded, "lump");
  for (size_t i : {0, 1}) EXPECT_NEAR(frame[i], node[i], 1e-14);
  EXPECT_NEAR(std::cos(frame[2]), direction[0], 1e-14);
  EXPECT_NEAR(std::sin(frame[2]), direction[1], 1e-14);
}

}  // namespace
}  // namespace flexura
