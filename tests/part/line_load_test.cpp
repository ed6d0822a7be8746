// Loads that turn with cables, beams and bodies in space, in scenes: planar problems in any plane, closed forms, messages.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "tests/support/scenes.hpp"

namespace flexura::test {
namespace {

using std::numbers::pi;

/// A frame in no special direction, and its numbers in scenes.
const Triple X = {2.0 / 3, 1.0 / 3, 2.0 / 3}, Y = {-2.0 / 3, 2.0 / 3, 1.0 / 3}, Z = cross(X, Y);
std::string written(const Triple& v) { return fmt::format("[{:.17g}, {:.17g}, {:.17g}]", v[0], v[1], v[2]); }

const std::string section = R"(
[section.s]
EA = 1e4
EI = 1
rhoA = 1
integration = "reduced"
curvature = "material"
)";

/// A clamped cable of 1 m and 8 elements in the plane, or in a plane of space across Z.
std::string cable(bool spatial, const std::string& loads) {
  const std::string end = spatial ? written(X) : "[1, 0]", start = spatial ? "[0, 0, 0]" : "[0, 0]";
  std::string text = std::string("space = \"") + (spatial ? "spatial" : "planar") + "\"\n" + section;
  text += fmt::format("[cable.c]\nsection = \"s\"\npath = [{}, {}]\nelements = 8\n", start, end);
  text += "[joint.clamp]\ntype = \"weld\"\nof = [\"ground\", \"c.start\"]\n";
  text += "[sensor.tip]\ntype = \"position\"\nat = \"c.end\"\n[sensor.middle]\ntype = \"position\"\nat = \"c@0.55\"\n";
  return text + loads + "[[analysis]]\nname = \"s\"\ntype = \"static\"\ntolerance = 1e-12\n";
}
std::string load(const std::string& type, const std::string& keys) {
  return fmt::format("[load.{}]\ntype = \"{}\"\n{}", type, type, keys);
}

// Far from straight: the tip turns by more than a right angle.
TEST(LineLoads, ArePlanarOnesInEveryPlane) {
  const std::string normal = "normal = " + written(3 * Z) + "\n";
  const std::pair<std::string, std::string> cases[] = {
      {load("follower_force", "at = \"c.end\"\nforce = [-1, 3]\n"),
       load("follower_force", "at = \"c.end\"\nforce = [-1, 3, 0]\n" + normal)},
      {load("distributed", "on = \"c\"\nforce = [0, 8]\nframe = \"follower\"\n"),
       load("distributed", "on = \"c\"\nforce = [0, 8, 0]\nframe = \"follower\"\n" + normal)},
      {load("distributed", "on = \"c\"\nforce = [1, 5]\n"),
       load("distributed", "on = \"c\"\nforce = " + written(X + 5 * Y) + "\n")},
      {load("pneumatic", "between = [\"c.start\", \"c.end\"]\nradius = 0.1\narm = 0.1\npressure = 800\n"),
       load("pneumatic", "between = [\"c.start\", \"c.end\"]\nradius = 0.1\narm = 0.1\npressure = 800\n" + normal)}};
  for (const auto& [planar, spatial] : cases) {
    const Sensors flat = end_of(cable(false, planar)), laid = end_of(cable(true, spatial));
    for (const char* name : {"tip", "middle"}) {
      const Triple expected = flat.at(name)[0] * X + flat.at(name)[1] * Y;
      for (int i = 0; i < 3; ++i) EXPECT_NEAR(laid.at(name)[i], expected[i], 1e-9) << spatial << name;
      EXPECT_GT(flat.at("tip")[1], 0.3) << planar;
    }
  }
}

/// A beam as long, as stiff, and thin.
std::string beam(const Triple& along, const Triple& up, int elements, const std::string& loads) {
  return fmt::format(R"(
space = "spatial"
[section.s]
EA = 1e4
GA1 = 1e4
GA2 = 1e4
EI1 = 1
EI2 = 1
GJ = 1
rhoA = 1
rhoI1 = 1e-3
rhoI2 = 1e-3
[beam.c]
section = "s"
path = [[0, 0, 0], {}]
up = {}
elements = {}
[joint.clamp]
type = "weld"
of = ["ground", "c.start"]
[sensor.tip]
type = "position"
at = "c.end"
[sensor.r]
type = "reaction"
of = "clamp"
[sensor.m]
type = "reaction_moment"
of = "clamp"
)",
                     written(along), written(up), elements) +
         loads + "[[analysis]]\nname = \"s\"\ntype = \"static\"\ntolerance = 1e-12\n";
}

// Constant pressure bends to an arc of curvature M/EI, here three quarters of a circle, away from the chamber; what holds the
// start feels nothing of it. Fourth order: 8 and 16 elements leave 3.2e-3 and 2e-4 of a cable, 1.9e-4 and 1.2e-5 of a beam.
TEST(LineLoads, APneumaticMomentBendsToACircle) {
  const double turn = 1.5 * pi, pressure = turn / (pi * 0.01 * 0.1);
  const std::string between =
      fmt::format("between = [\"c.start\", \"c.end\"]\nradius = 0.1\narm = 0.1\npressure = {:.17g}\n", pressure);
  const auto error = [&](const Sensors& s, const Triple& towards) {
    const Triple expected = (std::sin(turn) / turn) * X + ((1 - std::cos(turn)) / turn) * towards;
    for (const char* name : {"r", "m"})
      for (const double x : s.at(name)) EXPECT_NEAR(x, 0, 1e-6) << name;
    return norm(Triple{s.at("tip")[0], s.at("tip")[1], s.at("tip")[2]} - expected);
  };
  const auto expect_order = [](const double(&errors)[2], double limit) {
    EXPECT_LT(errors[1], limit);
    EXPECT_NEAR(std::log2(errors[0] / errors[1]), 4, 0.3);
  };
  double of_cable[2];
  for (const int k : {0, 1}) {
    std::string text = cable(true, load("pneumatic", between + "normal = " + written(Z) + "\n") +
                                       "[sensor.r]\ntype = \"reaction\"\nof = \"clamp\"\n"
                                       "[sensor.m]\ntype = \"reaction_moment\"\nof = \"clamp\"\n");
    if (k == 1) text.replace(text.find("elements = 8"), 12, "elements = 16");
    of_cable[k] = error(end_of(text), Y);
  }
  expect_order(of_cable, 3e-4);
  for (const double angle : {0.0, 40.0, 90.0, 200.0}) {
    const double a = angle * pi / 180;
    const Triple chamber = std::cos(a) * Z + std::sin(a) * cross(X, Z);  // d1 = Z, d2 = d3 x d1
    double of_beam[2];
    for (const int k : {0, 1})
      of_beam[k] =
          error(end_of(beam(X, Z, 8 << k, load("pneumatic", between + fmt::format("angle = \"{} deg\"\n", angle)))),
                -1.0 * chamber);
    expect_order(of_beam, 2e-5);
  }
}

// Beck 1952: a column under a force along its tip's tangent flutters from P L²/EI = 20.05 on, in every plane.
TEST(LineLoads, ColumnsOfBeckFlutterAt20) {
  const auto swing = [](double force, const Triple& kick) {
    std::string text = cable(
        true,
        load("follower_force", fmt::format("at = \"c.end\"\nforce = [-{}, 0, 0]\nnormal = {}\n", force, written(Z))) +
            load("force", "at = \"c.end\"\nforce = " + written(1e-3 * kick) + "\nfrom = \"swing\"\nuntil = 0.05\n"));
    text +=
        "[[analysis]]\nname = \"swing\"\ntype = \"dynamic\"\nend = 10\nstep = 2e-3\nintegrator = { type = "
        "\"generalized-alpha\", rho_inf = 1 }\n";
    const std::vector<double> tip = end_of(text).at("tip");
    return norm(Triple{tip[0], tip[1], tip[2]} - dot(Triple{tip[0], tip[1], tip[2]}, X) * X);
  };
  for (const Triple& kick : {Y, Z}) {
    EXPECT_LT(swing(19.0, kick), 1e-3);
    EXPECT_GT(swing(22.0, kick), 0.05);
  }
}

// On a body that is turned by 90 deg: along its own directions.
TEST(LineLoads, FollowersTurnWithBodies) {
  const Sensors body = end_of(R"x(
space = "spatial"
[body.b]
m = 1
inertia = [1, 1, 1]
points = { tip = [1, 0, 0] }
[joint.hub]
type = "revolute"
of = ["ground", "b"]
axis = [0, 0, 1]
angle = "= pi / 2 * min(1, t)"
[load.f]
type = "follower_force"
at = "b.tip"
force = [3, 4, 5]
[sensor.r]
type = "reaction"
of = "hub"
[[analysis]]
name = "turn"
type = "inverse_dynamics"
end = 2
step = 0.1
)x");
  const double expected[] = {4, -3, -5};
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(body.at("r")[i], expected[i], 1e-9) << i;
}

// Per metre of the reference; fixed in space it is f L at the clamp, following a bent beam it is f times the chord turned.
TEST(LineLoads, ABeamCarriesWhatIsSpreadOnIt) {
  const auto spread = [](const std::string& keys) {
    return end_of(beam({1, 0, 0}, {0, 0, 1}, 8, load("distributed", "on = \"c\"\n" + keys)));
  };
  const Sensors fixed = spread("force = [0, 0, 5]\n");
  EXPECT_NEAR(fixed.at("r")[2], -5, 1e-8);
  // d1 = z: across, upwards. A slender cable in the same plane: shear (GA = 1e4 EI/L²) makes 1e-3 of difference.
  const Sensors follower = spread("force = [0, 8, 0]\nframe = \"follower\"\n");
  const Sensors line = end_of(cable(false, load("distributed", "on = \"c\"\nforce = [0, 8]\nframe = \"follower\"\n")));
  EXPECT_NEAR(follower.at("tip")[0], line.at("tip")[0], 2e-3);
  EXPECT_NEAR(follower.at("tip")[2], line.at("tip")[1], 2e-3);
  EXPECT_GT(follower.at("tip")[2], 0.5);
  // What a constant force across a line adds up to is the chord turned: 8 J (r1 - r0), but for shear.
  EXPECT_NEAR(follower.at("r")[0], 8 * follower.at("tip")[2], 0.02);
  EXPECT_NEAR(follower.at("r")[2], -8 * follower.at("tip")[0], 0.02);
}

TEST(LineLoads, SayWhatTheyMiss) {
  const auto message = [](const std::string& loads) { return message_of(cable(true, loads)); };
  const std::string follower = "at = \"c.end\"\nforce = [0, 1, 0]\n",
                    chamber = "radius = 0.1\narm = 0.1\npressure = 1\n";
  const std::string missing =
      "a cable has no torsion and cannot say which way is across it: give \"normal\", the direction of space across "
      "which it "
      "bends, or make it a [beam.NAME]";
  EXPECT_EQ(message(load("follower_force", follower)), missing);
  EXPECT_EQ(message(load("follower_force", follower + "normal = " + written(X) + "\n")),
            "lies along the cable: what bends there has no direction across it");
  EXPECT_EQ(message(load("distributed", "on = \"c\"\nforce = [0, 1, 0]\nframe = \"follower\"\n")), missing);
  EXPECT_EQ(message(load("distributed", "on = \"c\"\nforce = [0, 1, 0]\nnormal = [0, 0, 1]\n")),
            "is that of frame = \"follower\"; a force that is fixed in space needs none");
  EXPECT_EQ(message(load("pneumatic", "between = [\"c.start\", \"c.end\"]\nangle = 1\n" + chamber)),
            "is that of a beam's section; on a cable \"normal\" says where the chamber lies");
  EXPECT_EQ(message("[body.b]\nm = 1\ninertia = [1, 1, 1]\n[joint.b]\ntype = \"weld\"\nof = [\"ground\", \"b\"]\n" +
                    load("pneumatic", "between = [\"c.start\", \"b\"]\n" + chamber)),
            "a chamber lies between two places of one cable or beam");
}

}  // namespace
}  // namespace flexura::test
