// Sensors of reactions leave motions and forces as they are, and read what the joints carry: linkages of trusses whose base has no members
// of its own, frames without mass, bodies on shared points.

#include <gmock/gmock.h>

#include <cmath>

#include "tests/support/scenes.hpp"

namespace flexura::test {
namespace {

using ::testing::HasSubstr;

std::string dynamic(double end, double step) {
  return fmt::format("[[analysis]]\nname = \"move\"\ntype = \"dynamic\"\nend = {}\nstep = {}\n", end, step);
}

/// To 1e-12, so that motions of bodies that other coordinates carry are the same.
const std::string exactly =
    "[[analysis]]\nname = \"move\"\ntype = \"dynamic\"\nend = 0.3\nstep = 1e-3\n"
    "integrator = { type = \"rk853\", rtol = 1e-12, atol = 1e-13 }\n";

const std::string hold = "[[analysis]]\nname = \"hold\"\ntype = \"static\"\n";

std::string reactions_of(const std::vector<std::string>& joints) {
  std::string out;
  for (const std::string& joint : joints)
    out += sensor_text("reaction_" + joint, "reaction", "of", joint) +
           sensor_text("moment_" + joint, "reaction_moment", "of", joint);
  return out;
}

/// The same ends, whichever joint's reaction is read and with all of them: to 1e-8 of the largest, where Newton's method stops.
Sensors expect_untouched(const std::string& scene, const std::string& sensors, const std::string& analysis,
                         const std::vector<std::string>& joints) {
  const Sensors alone = end_of(scene + sensors + analysis);
  double size = 1;
  for (const auto& [name, values] : alone)
    for (const double x : values) size = std::max(size, std::fabs(x));
  const auto compare = [&](const std::vector<std::string>& read) {
    Sensors with = end_of(scene + sensors + reactions_of(read) + analysis);
    for (const auto& [name, values] : alone)
      for (size_t i = 0; i < values.size(); ++i)
        EXPECT_NEAR(with.at(name)[i], values[i], 1e-8 * size) << name << " beside the reaction of " << read[0];
    return with;
  };
  for (const std::string& joint : joints) compare({joint});
  return compare(joints);
}

const std::string planar_cart = R"(
space = "planar"
gravity = [0, -9.81]
[body.cart]
m = 2
inertia = 0.1
[joint.rail]
type = "prismatic"
of = ["ground", "cart"]
axis = [1, 0]
[joint.hold]
type = "weld"
of = ["cart", "p.base"]
[load.push]
type = "force"
at = "cart"
force = [5, 0]
)";
const std::string parallelogram = R"(
[linkage.p]
type = "parallelogram"
length = 0.5
width = 0.3
inclination = "40 deg"
m = 0.2
base = "free"
)";
const std::string straight_line = R"(
[linkage.p]
type = "straight_line"
arm = 0.25
side = 0.1
crank = 0.1
m = 0.1
base = "free"
)";
const std::string sarrus = R"(
[linkage.p]
type = "sarrus"
position = [0, 0, 0.1]
width = 0.2
leg = 0.25
height = 0.2
m = 0.03
base = "free"
)";
const std::string table = R"(
[body.table]
m = 2
position = [0.1, 0.1, 0.3]
inertia = [0.1, 0.1, 0.1]
[joint.on]
type = "weld"
of = ["p.top", "table"]
)";
const std::string jack = R"(
[truss.jack]
type = "actuator"
between = ["p.Q", "p.G"]
extension = { type = "smooth_step", to = 0.1, duration = 1 }
)";

TEST(ReactionMotion, OfAParallelogramOnTheGround) {
  const std::string scene = "space = \"planar\"\ngravity = [0, -9.81]\n" + parallelogram + R"(
[joint.hold]
type = "weld"
of = ["ground", "p.base"]
[truss.brace]
type = "elastic"
EA = 1e5
between = ["p.A", "p.C"]
)";
  const std::string sensors = sensor_text("B", "position", "at", "p.B") + sensor_text("C", "position", "at", "p.C") +
                              sensor_text("brace", "force", "of", "brace") + sensor_text("arm", "force", "of", "p.A_D");
  expect_untouched(scene, sensors, dynamic(0.3, 1e-3), {"hold"});
  // Half the weight of three members stands on A and B, all of it on the weld.
  const Sensors still = expect_untouched(scene, sensors, hold, {"hold"});
  EXPECT_NEAR(still.at("reaction_hold")[0], 0, 1e-8);
  EXPECT_NEAR(still.at("reaction_hold")[1], 3 * 0.2 * 9.81, 1e-8);
}

TEST(ReactionMotion, OfPlanarLinkagesOnACart) {
  expect_untouched(planar_cart + parallelogram,
                   sensor_text("B", "position", "at", "p.B") + sensor_text("C", "position", "at", "p.C") +
                       sensor_text("arm", "force", "of", "p.B_C"),
                   dynamic(0.3, 1e-3), {"rail", "hold"});
  expect_untouched(planar_cart + straight_line,
                   sensor_text("P", "position", "at", "p.P") + sensor_text("D", "position", "at", "p.D") +
                       sensor_text("arm", "force", "of", "p.P_C"),
                   dynamic(0.3, 1e-3), {"rail", "hold"});
}

std::string lift_on_a_cart() {
  return R"(
space = "spatial"
gravity = [0, 0, -9.81]
[body.cart]
m = 10
inertia = [1, 1, 1]
[joint.rail]
type = "prismatic"
of = ["ground", "cart"]
axis = [1, 0, 0]
[joint.hold]
type = "weld"
of = ["cart", "p.base"]
[load.push]
type = "force"
at = "cart"
force = [20, 0, 0]
)" + sarrus +
         table + jack;
}

// The table is held by one weld, which gives it what its acceleration takes.
TEST(ReactionMotion, OfASarrusLinkageOnACart) {
  const std::string sensors =
      sensor_text("table", "position", "at", "table") + sensor_text("a", "acceleration", "at", "table") +
      sensor_text("jack", "force", "of", "jack") + sensor_text("cart", "position", "at", "cart");
  const Sensors end = expect_untouched(lift_on_a_cart(), sensors, dynamic(0.4, 2e-3), {"rail", "hold", "on"});
  const std::vector<double>&a = end.at("a"), &on = end.at("reaction_on");
  for (size_t i = 0; i < 3; ++i) EXPECT_NEAR(on[i], 2 * (a[i] + (i == 2 ? 9.81 : 0)), 1e-5) << i;
  EXPECT_GT(std::fabs(a[2]), 0.1);
}

// All that stands on the rail: the rate of its momentum, over 2 ms, and its weight.
TEST(ReactionMotion, OfARailUnderALinkage) {
  const auto at = [&](double t) {
    return end_of(lift_on_a_cart() + "[sensor.momentum]\ntype = \"momentum\"\n" + reactions_of({"rail"}) +
                  dynamic(t, 1e-3));
  };
  const Sensors before = at(0.299), now = at(0.3), after = at(0.301);
  const double weight = (10 + 2 + 35 * 0.03) * 9.81;
  const double rate = (after.at("momentum")[2] - before.at("momentum")[2]) / 2e-3;
  EXPECT_GT(std::fabs(rate), 1);
  EXPECT_NEAR(now.at("reaction_rail")[2], weight + rate, 1e-3);
}

// Forces on a frame without mass, three trusses on points of it.
TEST(ReactionMotion, OfAFrameWithoutMass) {
  const Sensors end = expect_untouched(R"(
space = "spatial"
gravity = [0, 0, -9.81]
[point.a]
position = [0, 0, 0]
[point.b]
position = [1, 0, 0]
[point.c]
position = [0, 1, 0]
[point.d]
position = [0, 0, 1]
[body.f]
as = "trusses"
nodes = ["a", "b", "c", "d"]
m = 0
[joint.w]
type = "weld"
of = ["ground", "f"]
[point.e]
position = [0.5, 0.5, 1.5]
[truss.x]
between = ["b", "e"]
m = 1
[truss.y]
between = ["c", "e"]
m = 1
[truss.z]
between = ["d", "e"]
m = 1
)",
                                       sensor_text("e", "position", "at", "e") + sensor_text("fx", "force", "of", "x"),
                                       dynamic(0.1, 1e-3), {"w"});
  EXPECT_NEAR(end.at("reaction_w")[2], 3 * 9.81, 1e-9);
}

std::string on_points(bool nodes) {
  const std::string points = R"(
[point.a]
position = [0, 0, 0]
[point.b]
position = [0, 1, 0]
[point.c]
position = [1, 0, 0]
[point.d]
position = [0.3, 0.3, 0.5]
[point.e]
position = [-0.3, 0.3, 0.5]
[point.f]
position = [-0.5, 0.3, -0.5]
)";
  return std::string("space = \"spatial\"\ngravity = [0, 0, -9.81]\n") + (nodes ? points : "") + R"(
[body.x]
m = 3
center = [0.3, 0.2, 0.1]
inertia = [0.2, 0.3, 0.4]
)" + (nodes ? "as = \"trusses\"\nnodes = [\"a\", \"b\", \"c\", \"d\"]\n" : "") +
         R"(
[body.y]
m = 2
center = [-0.3, 0.2, 0.1]
inertia = [0.2, 0.3, 0.4]
points = { tip = [-0.7, 0.1, 0.2] }
)" + (nodes ? "as = \"trusses\"\nnodes = [\"a\", \"b\", \"e\", \"f\"]\n" : "") +
         R"(
[joint.h]
type = "revolute"
of = ["x", "y"]
at = [0, 0, 0]
axis = [0, 1, 0]
[joint.g]
type = "spherical"
of = ["ground", "x"]
at = [1, 0, 0]
[load.f]
type = "force"
at = "y.tip"
force = [1, 2, 3]
)";
}

// Two bodies on two points are hinged there: force and moment go through the points, as they go through the hinge of bodies with
// places of their own.
TEST(ReactionMotion, OfAHingeOnSharedPoints) {
  const std::string sensors = sensor_text("angle", "angle", "of", "h") + sensor_text("tip", "position", "at", "y.tip");
  const Sensors twin =
      expect_untouched(on_points(false), sensors + sensor_text("g", "reaction", "of", "g"), exactly, {"h"});
  const Sensors end =
      expect_untouched(on_points(true), sensors + sensor_text("g", "reaction", "of", "g"), exactly, {"h"});
  for (const auto& [name, values] : twin)
    for (size_t i = 0; i < values.size(); ++i)
      EXPECT_NEAR(end.at(name)[i], values[i], 1e-8 * (1 + std::fabs(values[i]))) << name << " " << i;
  EXPECT_GT(std::fabs(twin.at("reaction_h")[0]), 10);
  EXPECT_GT(std::fabs(twin.at("moment_h")[2]), 1);
}

std::string pinned(bool nodes) {
  const auto body = [&](const char* name, const char* on, double x) {
    return fmt::format("[body.{}]\nm = 1\ncenter = [0.5, 0]\ninertia = 0.1\nposition = [{}, 0]\n{}", name, x,
                       nodes ? fmt::format("as = \"trusses\"\nnodes = {}\n", on) : "");
  };
  const std::string points =
      "[point.a]\nposition = [0, 0]\n[point.b]\nposition = [1, 0]\n[point.c]\nposition = [2, 0]\n";
  return "space = \"planar\"\ngravity = [0, -9.81]\n" + (nodes ? points : "") + body("x", "[\"a\", \"b\"]", 0) +
         body("y", "[\"b\", \"c\"]", 1) + R"(
[joint.A]
type = "pin"
of = ["ground", "x"]
at = [0, 0]
[joint.B]
type = "pin"
of = ["x", "y"]
at = [1, 0]
)";
}

TEST(ReactionMotion, OfAPinOnASharedPoint) {
  const std::string read = sensor_text("B", "reaction", "of", "B");
  const Sensors twin = end_of(pinned(false) + read + exactly);
  const Sensors end = end_of(pinned(true) + read + exactly);
  for (size_t i = 0; i < 2; ++i) EXPECT_NEAR(end.at("B")[i], twin.at("B")[i], 1e-8);
  EXPECT_NEAR(end.at("B")[0], -9.92485, 1e-4);
}

TEST(ReactionMotion, RefusesWhatCannotBeTold) {
  const std::string read = sensor_text("h", "reaction", "of", "h") + dynamic(0.1, 1e-3);
  EXPECT_THAT(message_of(on_points(true) + "[mass.m]\nat = \"b\"\nm = 1\n" + read),
              HasSubstr("its bodies share point.b, on which mass.m acts too"));
  EXPECT_THAT(message_of(on_points(true) +
                         "[joint.second]\ntype = \"spherical\"\nof = [\"y\", \"x\"]\nat = [0, 1, 0]\n" + read),
              HasSubstr("joint.second ties them too"));
  std::string fixed = on_points(true);
  fixed.insert(fixed.find("[point.b]"), "fixed = true\n");
  EXPECT_THAT(message_of(fixed + read), HasSubstr("point.a, which is fixed"));
  std::string ground = on_points(true);
  ground.insert(ground.find("[point.d]"), "fixed = true\n");
  EXPECT_THAT(message_of(ground + sensor_text("g", "reaction", "of", "g") + dynamic(0.1, 1e-3)),
              HasSubstr("the reaction of joint.g cannot be told: point.c is fixed by itself"));
}

}  // namespace
}  // namespace flexura::test
