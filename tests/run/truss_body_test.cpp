// Bodies carried by trusses: as = "trusses", beside the same in natural coordinates; frames on points; shared loads of redundant frames.

#include <fmt/ranges.h>
#include <gmock/gmock.h>

#include <cmath>

#include "tests/support/scenes.hpp"

namespace flexura::test {
namespace {

using testing::HasSubstr;

/// The same scene with every `CARRIED` replaced.
std::string carried(std::string text, const std::string& by) {
  for (size_t at = text.find("CARRIED"); at != std::string::npos; at = text.find("CARRIED")) text.replace(at, 7, by);
  return text;
}

/// Largest difference of all sensors at the end, which both scenes have.
void expect_twins(const std::string& text, double tolerance) {
  const Sensors natural = end_of(carried(text, "")), trusses = end_of(carried(text, "as = \"trusses\""));
  for (const auto& [name, x] : natural)
    for (size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(trusses.at(name)[i], x[i], tolerance) << name << " " << i;
}

const std::string precise = R"(
[[analysis]]
name = "move"
type = "dynamic"
end = 0.5
step = 0.002
integrator = { type = "rk853", rtol = 1e-12, atol = 1e-13 }
)";

// [meijaard-truss eqs 4, 5] No uniform tetrahedron: any centre, inertia and products. rk853 leaves 1e-12 of either, the claim is 1e-9.
TEST(TrussBody, SpinsAsItsTwin) {
  expect_twins(R"(
space = "spatial"
[body.box]
CARRIED
m = 3
center = [0.1, -0.05, 0.2]
inertia = [0.05, 0.08, 0.06]
products_of_inertia = [0.004, -0.01, 0.006]
points = { tip = [0.3, 0.1, -0.2] }
velocity = [0.3, -0.2, 0.5]
angular_velocity = [4, 1, -2]
[sensor.tip]
type = "position"
at = "box.tip"
[sensor.frame]
type = "frame"
at = "box"
[sensor.spin]
type = "angular_velocity"
at = "box"
[sensor.energy]
type = "angular_momentum"
)" + precise,
               1e-9);
}

// A hinge with a motor, a slide with a spring, a ball, a force, a moment that is fixed in space, a reaction: all that ties bodies.
TEST(TrussBody, TakesJointsMotorsLoadsAndReactions) {
  expect_twins(R"(
space = "spatial"
gravity = [0, 0, -9.81]
[body.arm]
CARRIED
m = 1
inertia = [0.002, 0.02, 0.021]
position = [0.2, 0, 0]
points = { tip = [0.2, 0, 0] }
[body.carriage]
CARRIED
m = 0.5
inertia = [0.001, 0.0012, 0.0014]
position = [0.4, 0, 0.05]
[body.bob]
CARRIED
m = 0.3
inertia = [0.001, 0.002, 0.0015]
products_of_inertia = [0.0002, 0, 0.0001]
position = [0.45, 0.1, -0.1]
points = { eye = [-0.05, -0.1, 0.15] }
[body.tag]
CARRIED
m = 0.1
inertia = [0.0001, 0.0002, 0.0002]
position = [0.45, 0.1, -0.2]
[joint.shoulder]
type = "revolute"
of = ["ground", "arm"]
at = [0, 0, 0]
axis = [0, 1, 0]
[joint.rail]
type = "prismatic"
of = ["arm", "carriage"]
at = [0.4, 0, 0]
axis = [1, 0, 0]
[joint.eye]
type = "spherical"
of = ["carriage", "bob.eye"]
[joint.tag]
type = "weld"
of = ["bob", "tag"]
at = [0.45, 0.1, -0.15]
[load.motor]
type = "motor"
at = "shoulder"
effort = "= sin(9 * t) - 4"
[spring.rail]
type = "joint"
at = "rail"
stiffness = 400
damping = 3
[load.moment]
type = "moment"
at = "bob"
moment = [0.02, -0.03, 0.01]
[load.force]
type = "force"
at = "arm.tip"
force = [0, 0.4, 0.3]
[sensor.shoulder]
type = "angle"
of = "shoulder"
[sensor.rail]
type = "displacement"
of = "rail"
[sensor.bob]
type = "frame"
at = "bob"
[sensor.tag]
type = "frame"
at = "tag"
[sensor.force]
type = "reaction"
of = "eye"
[sensor.bearing]
type = "reaction"
of = "shoulder"
[sensor.bearing_moment]
type = "reaction_moment"
of = "shoulder"
)" + precise,
               1e-8);
}

// [meijaard-truss eq 3] In the plane two points carry it; the centre is off their line.
TEST(TrussBody, InThePlaneIsTwoPoints) {
  expect_twins(R"(
space = "planar"
gravity = [0, -9.81]
[body.link]
CARRIED
m = 1.2
center = [0.11, 0.07]
inertia = 0.009
points = { end = [0.3, 0] }
[body.second]
CARRIED
m = 0.4
center = [0.1, 0]
inertia = 0.002
position = [0.3, 0]
[joint.pivot]
type = "revolute"
of = ["ground", "link"]
at = [0, 0]
[joint.knee]
type = "revolute"
of = ["link.end", "second"]
[load.couple]
type = "moment"
at = "second"
moment = 0.1
[sensor.knee]
type = "angle"
of = "knee"
[sensor.end]
type = "position"
at = "link.end"
[sensor.pull]
type = "reaction"
of = "knee"
)" + precise,
               1e-9);
}

/// A cap of three members over a triangle on the ground and its mass; the frame on its points.
std::string tripod(const std::string& more) {
  return R"(
space = "spatial"
gravity = [0, 0, -10]
[point.a]
position = [1, 0, 0]
fixed = true
[point.b]
position = [-0.5, 0.8, 0]
fixed = true
[point.c]
position = [-0.5, -0.8, 0]
[point.top]
position = [0.1, 0, 1]
[truss.ab_c]
between = ["a", "c"]
m = 0.6
[truss.bc]
between = ["b", "c"]
m = 0.6
[truss.a_top]
between = ["a", "top"]
m = 0.6
[truss.b_top]
between = ["b", "top"]
m = 0.6
[truss.c_top]
between = ["c", "top"]
m = 0.6
)" + more +
         "[[analysis]]\nname = \"m\"\ntype = \"dynamic\"\nend = 0.3\nstep = 0.002\nintegrator = { type = \"rk853\", "
         "rtol = 1e-12, atol = 1e-13 "
         "}\n";
}

// A frame without mass on four points: a joint's angle, its motor and what it carries, of trusses. The angle about the fixed edge by the
// place of the top: rounding.
TEST(TrussBody, AFrameOnPointsHasAnglesAndMotors) {
  const std::string frame = R"(
[body.frame]
as = "trusses"
nodes = ["a", "b", "c", "top"]
m = 0
[joint.edge]
type = "revolute"
of = ["ground", "frame"]
at = [1, 0, 0]
axis = [-1.5, 0.8, 0]
[load.motor]
type = "motor"
at = "edge"
effort = 3
[sensor.angle]
type = "angle"
of = "edge"
[sensor.top]
type = "position"
at = "top"
[sensor.energy]
type = "energy"
)";
  const Sensors end = end_of(tripod(frame));
  const double length = std::hypot(1.5, 0.8), ex = -1.5 / length, ey = 0.8 / length;  // e across the edge: (−ey, ex)
  const auto across = [&](double x, double y) { return (x - 1) * -ey + y * ex; };
  const double before = std::atan2(1.0, across(0.1, 0)), x = end.at("top")[0], y = end.at("top")[1],
               z = end.at("top")[2];
  const double after = std::atan2(z, across(x, y));
  EXPECT_NEAR(end.at("angle")[0], after - before, 1e-10);
  EXPECT_GT(std::fabs(end.at("angle")[0]), 0.1);
}

// A square with both diagonals has one state of self-stress: of the shares that balance the one of least size is read, also by `force`.
TEST(TrussBody, RedundantMembersShareAsLeastSize) {
  const std::string text = crossed_square + sensor_text("left", "force", "of", "left") +
                           sensor_text("right", "force", "of", "right") + sensor_text("top", "force", "of", "top") +
                           sensor_text("up", "force", "of", "up") + sensor_text("down", "force", "of", "down") +
                           "[[analysis]]\nname = \"s\"\ntype = \"static\"\n";
  const Sensors end = end_of(text);
  // With top = T: up √2·(-T) … of the equilibria left = s, right = s − 100, top = s − 100, up = down + …; Σλ² is least.
  const double left = end.at("left")[0], right = end.at("right")[0], top = end.at("top")[0], up = end.at("up")[0],
               down = end.at("down")[0], r = std::sqrt(0.5);
  EXPECT_NEAR(top + 100 + r * down, 0, 1e-7);  // d along x
  EXPECT_NEAR(left + r * down, 0, 1e-7);       // d along y
  EXPECT_NEAR(top + r * up, 0, 1e-7);          // c along x
  EXPECT_NEAR(right + r * up, 0, 1e-7);        // c along y
  // The state of self-stress (1, 1, 1, −√2, −√2) is orthogonal to what is read.
  EXPECT_NEAR(left + right + top - std::sqrt(2) * (up + down), 0, 1e-7);
}

// Between two points of one body a rigid truss says nothing: its equation is left out, not its mass. Of a cart on a rail its derivative was all rounding, and Newton's method
// made a pivot of it.
TEST(TrussBody, AMemberWithinABodyIsMassAlone) {
  const auto cart = [](double m, const std::string& more) {
    return fmt::format(R"(
space = "planar"
[body.cart]
m = {}
inertia = 0.1
position = [0.5, 0.2]
points = {{ a = [-0.1, 0], b = [0.1, 0] }}
[joint.rail]
type = "prismatic"
of = ["ground", "cart"]
at = [0.5, 0.2]
axis = [1, 0]
[load.push]
type = "force"
at = "cart.a"
force = [2, 1]
)",
                       m) +
           more + sensor_text("cart", "position", "at", "cart") +
           "[[analysis]]\nname = \"m\"\ntype = \"dynamic\"\nend = 1\nstep = 0.01\n";
  };
  const std::string strut = "[truss.strut]\nbetween = [\"cart.a\", \"cart.b\"]\nm = 0.3\n";
  const Sensors with = end_of(cart(2, strut + sensor_text("force", "force", "of", "strut")));
  const Sensors without = end_of(cart(2.3, ""));
  EXPECT_NEAR(with.at("cart")[0], without.at("cart")[0], 1e-12);
  EXPECT_EQ(with.at("force")[0], 0);
  EXPECT_THAT(message_of(cart(2, strut + "length = 0.21\n")), HasSubstr("0.21"));
}

TEST(TrussBody, SaysWhatItCannotBe) {
  const std::string end = "[[analysis]]\nname = \"m\"\ntype = \"dynamic\"\nend = 1\nstep = 0.1\n";
  const std::string start = "space = \"spatial\"\n[body.b]\nas = \"trusses\"\n";
  EXPECT_THAT(message_of(start + "m = 0\n" + end), HasSubstr("a frame on points needs \"nodes\""));
  const std::string points =
      "[point.p]\nposition = [0, 0, 0]\n[point.q]\nposition = [1, 0, 0]\n[point.r]\nposition = [0, 1, "
      "0]\n[point.s]\nposition = [1, 1, 0]\n";
  const std::string inertia = "m = 1\ninertia = [1, 1, 1]\nnodes = [\"p\", \"q\", \"r\", \"s\"]\n";
  EXPECT_THAT(message_of(start + inertia + "velocity = [1, 0, 0]\n" + points + end),
              HasSubstr("follows from the nodes: give it to them"));
  EXPECT_THAT(message_of("space = \"spatial\"\n[body.b]\n" + inertia + points + end),
              HasSubstr("is that of a body with as"));
  EXPECT_THAT(message_of("space = \"planar\"\n[mass.k]\nat = \"p\"\nm = 1\n[mass.l]\nat = \"q\"\nm = "
                         "1\n[point.p]\nposition = [1, 1]\n[point.q]\nposition = [1, 1]\n[truss.t]\ntype = "
                         "\"body\"\nbetween = [\"p\", \"q\"]\nm = 1\ninertia = 1\n" +
                         end),
              HasSubstr("the two places coincide"));
}

// Nodes that lie nearly in a plane: at 1e-3 of their distance off it the sixth distance counted as redundant, and the body was bent
// (0.4 rad in a second at 1e-4). It is refused below 1e-2; there it spins as its twin.
TEST(TrussBody, ItsNodesSpanSpace) {
  const auto flat = [](double off) {
    std::string text = "space = \"spatial\"\n";
    const double x[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, off}};
    for (int k = 0; k < 4; ++k)  // ω × x, ω = (1, 2, 3)
      text += fmt::format("[point.p{}]\nposition = [{}, {}, {}]\nvelocity = [{}, {}, {}]\n", k, x[k][0], x[k][1],
                          x[k][2], 2 * x[k][2] - 3 * x[k][1], 3 * x[k][0] - x[k][2], x[k][1] - 2 * x[k][0]);
    const std::string numbers = "m = 1\ncenter = [0.2, 0.3, 0.1]\ninertia = [0.1, 0.2, 0.25]\n";
    return text + "[body.b]\nas = \"trusses\"\nnodes = [\"p0\", \"p1\", \"p2\", \"p3\"]\n" + numbers + "[body.twin]\n" +
           numbers + "angular_velocity = [1, 2, 3]\n" + sensor_text("b", "frame", "at", "b") +
           sensor_text("twin", "frame", "at", "twin") + precise;
  };
  const Sensors end = end_of(flat(0.015));
  for (size_t i = 0; i < 7; ++i) EXPECT_NEAR(end.at("b")[i], end.at("twin")[i], 1e-9) << i;
  for (const double off : {0.0, 1e-7, 1e-3, 9e-3})
    EXPECT_THAT(message_of(flat(off)), HasSubstr("lie in a plane, or nearly")) << off;
}

// A body of trusses swings below a soft beam: where its nodes have hardly any stiffness, a force that statics may leave opens its lengths. It
// had ended with lengths that were off by 9.5 cm; now what is no equilibrium is none.
TEST(TrussBody, StaticsKeepsItsLengths) {
  const auto below = [](double m) {
    return fmt::format(R"(space = "spatial"
gravity = [0, 0, -9.81]
[section.w]
EA = 1e4
GA1 = 4e3
GA2 = 4e3
EI1 = 0.01
EI2 = 0.01
GJ = 0.01
rhoA = 0.1
rhoI1 = 1e-5
rhoI2 = 1e-5
[beam.b]
section = "w"
path = [[0, 0, 0], [1, 0, 0]]
elements = 8
[joint.c]
type = "weld"
of = ["ground", "b.start"]
[body.arm]
as = "trusses"
position = [1, 0, 0]
m = {}
center = [0.1, 0, 0.02]
inertia = [0.002, 0.01, 0.011]
[joint.h]
type = "spherical"
of = ["b.end", "arm"]
[[analysis]]
name = "s"
type = "static"
)",
                       m);
  };
  RunOptions options;
  options.record = false;
  for (const double m : {0.002, 0.02, 0.2}) {
    const RunSummary run = run_scene(read_scene_text(below(m), "scene.toml", scene_terms()), options);
    EXPECT_LT(run.violation, 1e-9) << m;
  }
}

}  // namespace
}  // namespace flexura::test
