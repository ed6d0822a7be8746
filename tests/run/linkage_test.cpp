// Linkages of rigid trusses that stand for joints, against closed forms; the same from C++.

#include "flexura/part/linkage.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <numbers>

#include "flexura/scene/scene_model.hpp"
#include "tests/support/scenes.hpp"

namespace flexura::test {
namespace {

using ::testing::HasSubstr;

constexpr double pi = std::numbers::pi;

std::string dynamic(double end, double step) {
  return fmt::format("[[analysis]]\nname = \"move\"\ntype = \"dynamic\"\nend = {}\nstep = {}\n", end, step);
}

const std::string swing = R"(
[linkage.swing]
type = "parallelogram"
length = 0.5
width = 0.3
inclination = "-60 deg"
m = 0.2
)";
const std::string pen = R"(
[linkage.pen]
type = "straight_line"
position = [2, 1]
angle = "30 deg"
arm = 0.25
side = 0.1
crank = 0.1
m = 0.1
)";
const std::string lift = R"(
[linkage.lift]
type = "sarrus"
position = [1, 2, 3]
axes = [[0, 1, 0], [0, 0, 1]]
width = 0.2
leg = 0.25
height = 0.2
m = 0.03
)";

// Falling from 30° off the vertical: the coupler keeps its direction and its points their circles, to what Newton's method leaves of lengths.
TEST(Linkage, AParallelogramShiftsItsCoupler) {
  const Sensors end =
      end_of("space = \"planar\"\ngravity = [0, -9.81]\n" + swing + sensor_text("C", "position", "at", "swing.C") +
             sensor_text("D", "position", "at", "swing.D") + sensor_text("turn", "angle", "at", "swing.coupler") +
             dynamic(0.5, 0.002));
  const std::vector<double>&C = end.at("C"), &D = end.at("D");
  EXPECT_NEAR(end.at("turn")[0], 0, 1e-12);
  EXPECT_NEAR(C[0] - D[0], 0.3, 1e-12);
  EXPECT_NEAR(C[1] - D[1], 0, 1e-12);
  EXPECT_NEAR(std::hypot(D[0], D[1]), 0.5, 1e-12);
  EXPECT_LT(D[0], 0.1);  // and has gone by 20°
}

// Two arms and a coupler of m each swing with ω² = 2 m g l/(2 m l²/3 + m l²) = 6 g/(5 l).
TEST(Linkage, AParallelogramSwings) {
  std::string text = "space = \"planar\"\ngravity = [0, -9.81]\n" + swing;
  text.replace(text.find("-60"), 3, "-90");
  text += "[[analysis]]\nname = \"rest\"\ntype = \"static\"\n[[analysis]]\nname = \"modes\"\ntype = \"modes\"\n";
  RunOptions options;
  options.record = false;
  const RunSummary s = run_scene(read_scene_text(text, "scene.toml", scene_terms()), options);
  ASSERT_EQ(s.status, RunStatus::finished) << s.message;
  EXPECT_NEAR(s.at_rest.modes.at(0).frequency.at(0), std::sqrt(1.2 * 9.81 / 0.5) / (2 * pi), 1e-9);
}

// The crank turned by a motor: D stays on the line that is (arm² − side²)/(2 crank) away from O, and C and D are inverse to each other.
TEST(Linkage, AnInversorDrawsALine) {
  const Sensors end = end_of("space = \"planar\"\n" + pen + R"toml(
[load.motor]
type = "couple"
between = ["pen.P", "pen.C"]
moment = 0.3
signal = "= sin(6 * t)"
)toml" + sensor_text("O", "position", "at", "pen.O") +
                             sensor_text("C", "position", "at", "pen.C") + sensor_text("D", "position", "at", "pen.D") +
                             dynamic(0.8, 0.002));
  const std::vector<double>&O = end.at("O"), &C = end.at("C"), &D = end.at("D");
  const double along = std::cos(pi / 6) * (D[0] - O[0]) + std::sin(pi / 6) * (D[1] - O[1]);
  const double across = std::cos(pi / 6) * (D[1] - O[1]) - std::sin(pi / 6) * (D[0] - O[0]);
  EXPECT_NEAR(along, 0.0525 / 0.2, 1e-12);
  EXPECT_GT(std::fabs(across), 0.05);
  EXPECT_NEAR(std::hypot(C[0] - O[0], C[1] - O[1]) * std::hypot(D[0] - O[0], D[1] - O[1]), 0.0525, 1e-12);
}

// On a cart that is pushed, turned so that its z is the cart's x: a table welded to the top goes along x alone, driven by a member.
TEST(Linkage, SarrusCarriesATableStraight) {
  const Sensors end = end_of("space = \"spatial\"\ngravity = [0, 0, -9.81]\n" + lift + R"(base = "free"
set = { truss.Q_M1.m = 0.05 }
[body.cart]
m = 3
inertia = [0.1, 0.1, 0.1]
position = [1, 2, 2.9]
[joint.rail]
type = "prismatic"
of = ["ground", "cart"]
at = [1, 2, 2.9]
axis = [0, 1, 0]
[joint.hold]
type = "weld"
of = ["cart", "lift.base"]
[body.table]
m = 1
inertia = [0.01, 0.01, 0.01]
position = [1.3, 2, 3]
[joint.on]
type = "weld"
of = ["lift.top", "table"]
[truss.jack]
type = "actuator"
between = ["lift.Q", "lift.G"]
extension = { type = "smooth_step", to = 0.15, duration = 0.5 }
[load.push]
type = "force"
at = "cart"
force = [0, 5, 0]
)" + sensor_text("table", "frame", "at", "table") +
                             sensor_text("cart", "position", "at", "cart") + dynamic(0.6, 0.002));
  const std::vector<double>&table = end.at("table"), &cart = end.at("cart");
  EXPECT_NEAR(table[0], 1.3 + 0.15, 1e-12);
  EXPECT_NEAR(table[1], cart[1], 1e-12);
  EXPECT_NEAR(table[2], 3, 1e-12);
  EXPECT_GT(cart[1], 2.1);
  for (int i = 3; i < 6; ++i) EXPECT_NEAR(table[static_cast<size_t>(i)], 0, 1e-12);
}

// A table of 1 kg on the lift, upright and at rest: what holds the three points of the base is the weight of all, and no force along the ground.
// 1e-6: what the method leaves of the acceleration 0.3 s after the jack stands (3e-5 after 0.1 s).
TEST(Linkage, ItsBaseHoldsTheWeightOfAll) {
  const Sensors end = end_of(R"(
space = "spatial"
gravity = [0, 0, -9.81]
[linkage.lift]
type = "sarrus"
width = 0.2
leg = 0.25
height = 0.2
m = 0.03
[body.table]
m = 1
inertia = [0.01, 0.01, 0.01]
position = [0, 0, 0.3]
[joint.on]
type = "weld"
of = ["lift.top", "table"]
[truss.jack]
type = "actuator"
between = ["lift.Q", "lift.G"]
extension = { type = "smooth_step", to = 0.15, duration = 0.5 }
)" + sensor_text("Q", "reaction", "at", "lift.Q") +
                             sensor_text("R", "reaction", "at", "lift.R") +
                             sensor_text("S", "reaction", "at", "lift.S") + dynamic(0.8, 0.002));
  const double weight = 9.81 * (1 + 35 * 0.03);
  for (size_t i = 0; i < 3; ++i)
    EXPECT_NEAR(end.at("Q")[i] + end.at("R")[i] + end.at("S")[i], i == 2 ? weight : 0, 1e-6 * weight);
  EXPECT_GT(std::fabs(end.at("Q")[0]), 1);
}

void expect_same(const Model& a, const Model& b) {
  EXPECT_EQ(a.topology->slot_names, b.topology->slot_names);
  EXPECT_EQ(a.topology->item_names, b.topology->item_names);
  ASSERT_EQ(a.values.reference.size(), b.values.reference.size());
  for (size_t i = 0; i < a.values.reference.size(); ++i)
    EXPECT_NEAR(a.values.reference[i], b.values.reference[i], 1e-15);
  ASSERT_EQ(a.values.parameters.size(), b.values.parameters.size());
}

TEST(Linkage, IsTheSameFromCpp) {
  const auto model_of = [](const std::string& text) {
    return interpret_scene(read_scene_text(text + dynamic(1, 0.1), "scene.toml", scene_terms())).models.at(0).model;
  };
  MachineBuilder plane({.dim = 2});
  ParallelogramLinkage shift;
  shift.length = 0.5, shift.width = 0.3, shift.inclination = -pi / 3, shift.m = 0.2;
  add_linkage(plane, 2, "swing", shift);
  StraightLineLinkage line;
  line.arm = 0.25, line.side = line.crank = 0.1, line.m = 0.1;
  const double c = std::cos(pi / 6), s = std::sin(pi / 6);
  add_linkage(plane, 2, "pen", line,
              {.origin = {2, 1, 0}, .axes = {Triple{c, s, 0}, Triple{-s, c, 0}, Triple{0, 0, 1}}});
  expect_same(plane.build().model, model_of("space = \"planar\"\n" + swing + pen));
  MachineBuilder space({.dim = 3});
  SarrusLinkage sarrus;
  sarrus.width = 0.2, sarrus.leg = 0.25, sarrus.height = 0.2, sarrus.m = 0.03;
  add_linkage(space, 3, "lift", sarrus,
              {.origin = {1, 2, 3}, .axes = {Triple{0, 1, 0}, Triple{0, 0, 1}, Triple{1, 0, 0}}});
  expect_same(space.build().model, model_of("space = \"spatial\"\n" + lift));

  MachineBuilder wrong({.dim = 3});
  sarrus.height = 0.5;
  add_linkage(wrong, 3, "lift", sarrus);
  try {
    wrong.build();
    ADD_FAILURE() << "a stretched linkage was made";
  } catch (const InputError& error) {
    EXPECT_EQ(error.problems()[0].path, "linkage.lift.height");
    EXPECT_THAT(error.problems()[0].message, HasSubstr("less than two legs"));
  }
}

// Joints that need no linkage: two bodies of six trusses each, hinged on a shared edge, on a common line, on each other's plane; beside bodies in natural
// coordinates, in the same steps.
TEST(Linkage, OtherJointsAreSharedNodesLinesAndPlanes) {
  for (const char* type : {"revolute", "cylindrical", "planar"}) {
    const auto pair = [&](const std::string& as) {
      std::string text = "space = \"spatial\"\ngravity = [0, 0, -9.81]\n";
      for (const auto& [name, x] : {std::pair{"a", 0.0}, {"b", 0.4}})
        text +=
            fmt::format("[body.{}]\n{}m = 1.5\ninertia = [0.01, 0.02, 0.025]\nposition = [{}, 0, 0]\n", name, as, x);
      text += fmt::format(
          "[joint.hold]\ntype = \"spherical\"\nof = [\"ground\", \"a\"]\nat = [0, 0, 0.1]\n[joint.between]\ntype = "
          "\"{}\"\nof = [\"a\", "
          "\"b\"]\nat = [0.2, 0, 0]\n{} = [1, 1, 1]\n",
          type, type == std::string("planar") ? "normal" : "axis");
      return end_of(text + sensor_text("b", "frame", "at", "b") + dynamic(0.3, 0.001))["b"];
    };
    const std::vector<double> natural = pair(""), trusses = pair("as = \"trusses\"\n");
    for (size_t i = 0; i < natural.size(); ++i) EXPECT_NEAR(trusses[i], natural[i], 2e-6) << type << " " << i;
  }
}

TEST(Linkage, SaysWhatIsWrong) {
  const auto changed = [](std::string text, const std::string& from, const std::string& to) {
    text.replace(text.find(from), from.size(), to);
    return message_of("space = \"planar\"\n" + text + dynamic(1, 0.1));
  };
  EXPECT_THAT(changed(swing, "-60 deg", "180 deg"), HasSubstr("would lie on a line"));
  EXPECT_THAT(changed(swing, "parallelogram", "paralelogram"), HasSubstr("no linkage of type \"paralelogram\""));
  EXPECT_THAT(changed(swing, "m = 0.2", "m = 0"), HasSubstr("out of range; allowed: > 0"));
  EXPECT_THAT(changed(pen, "side = 0.1", "side = 0.25"), HasSubstr("shorter than the arms"));
  EXPECT_THAT(changed(pen, "crank = 0.1", "crank = 0.2"), HasSubstr("the rhombus does not reach"));
  EXPECT_THAT(message_of("space = \"spatial\"\n" + pen), HasSubstr("\"straight_line\" is for planar scenes"));
  EXPECT_THAT(
      message_of("space = \"planar\"\n" + swing + sensor_text("x", "position", "at", "swing.E") + dynamic(1, 0.1)),
      HasSubstr("the linkage \"swing\" has no part named \"E\""));
  EXPECT_THAT(
      message_of("space = \"planar\"\n" + swing + sensor_text("x", "position", "at", "swing") + dynamic(1, 0.1)),
      HasSubstr("\"swing\" is a linkage: name a place in it"));
  EXPECT_THAT(
      message_of("space = \"planar\"\n" + swing + "[point.swing]\nposition = [0, 0]\nfixed = true\n" + dynamic(1, 0.1)),
      HasSubstr("is already the name of a linkage"));
}

}  // namespace
}  // namespace flexura::test
