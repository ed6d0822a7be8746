// Membranes in scenes: forces along edges, chambers around them, pressure, prestress, mistakes.

#include <gmock/gmock.h>

#include <cmath>
#include <numbers>

#include "tests/support/scenes.hpp"

namespace flexura::test {
namespace {

using testing::HasSubstr;

const std::string head = R"(
space = "spatial"
[material.m]
type = "linear"
E = "2 MPa"
nu = 0.3
rho = 1000
)";
std::string square(const std::string& more) {
  return head + R"([membrane.sheet]
shape = { type = "flat", size = [1, 1] }
elements = [1, 1]
material = "m"
thickness = 0.001
)" + more;
}
const std::string held = R"([joint.x]
type = "point_on_plane"
of = ["ground", "sheet.start"]
normal = [1, 0, 0]
[joint.y]
type = "point_on_plane"
of = ["ground", "sheet.bottom"]
normal = [0, 1, 0]
[joint.z]
type = "point_on_plane"
of = ["ground", "sheet.surface"]
normal = [0, 0, 1]
)";
const std::string statics = "[[analysis]]\nname = \"pull\"\ntype = \"static\"\ntolerance = 1e-12\n";

// Across a cut of a sheet that widens, the forces along three edges, two of the rim and the diagonal of both triangles, are the load.
TEST(Membrane, ForcesAlongEdgesBalanceTheLoad) {
  const std::string sheet = head + R"([membrane.sheet]
shape = { type = "formula", x = "u + 0.2*u*v", y = "v", z = "0" }
elements = [1, 1]
material = "m"
thickness = 0.001
)";
  const Sensors end =
      end_of(sheet + held + R"([load.along]
type = "force"
at = "sheet.end"
force = [300, 60, 0]
)" + sensor_text("bottom", "edge_force", "at", "sheet@(0.5, 0)") +
             sensor_text("top", "edge_force", "at", "sheet@(0.5, 1)") +
             sensor_text("diagonal", "edge_force", "at", "sheet@[0.5, 0.5, 0]") +
             sensor_text("O", "position", "at", "sheet@(0, 0)") + sensor_text("A", "position", "at", "sheet@(1, 0)") +
             sensor_text("B", "position", "at", "sheet@(0, 1)") + sensor_text("C", "position", "at", "sheet@(1, 1)") +
             statics);
  const auto along_x = [&](const char* from, const char* to) {
    const std::vector<double>&a = end.at(from), &b = end.at(to);
    return (b[0] - a[0]) / std::hypot(b[0] - a[0], b[1] - a[1]);
  };
  const double diagonal = end.at("diagonal")[0];
  EXPECT_NEAR(
      along_x("O", "A") * end.at("bottom")[0] + along_x("B", "C") * end.at("top")[0] + along_x("B", "A") * diagonal,
      300, 1e-9);
  EXPECT_GT(std::fabs(diagonal), 1);
}

TEST(Membrane, HasItsPrestressAsItIsMeshed) {
  const Sensors end = end_of(square("prestress = \"50 N/m\"\n") + R"([joint.rim]
type = "weld"
of = ["ground", "sheet.surface"]
)" + sensor_text("stress", "cauchy_stress", "at", "sheet@(0.3, 0.6)") +
                             sensor_text("stretch", "principal_stretches", "at", "sheet@(0.3, 0.6)") + statics);
  const std::vector<double>& s = end.at("stress");
  const double thickness = 0.001 * end.at("stretch")[2];
  EXPECT_NEAR(s[0] * thickness, 50, 1e-9);
  EXPECT_NEAR(s[1] * thickness, 50, 1e-9);
  for (const int k : {2, 3, 4, 5}) EXPECT_NEAR(s[k], 0, 1e-6);
}

const std::string fabric = R"(
space = "spatial"
[material.m]
type = "orthotropic"
E1 = "4 MPa"
E2 = "1 MPa"
nu12 = 0.2
G12 = "0.3 MPa"
rho = 1000
)";
std::string woven(const std::string& more) { return fabric + square(more).substr(head.size()); }

// A strip that is pulled at an angle to its threads: 1/E = c⁴/E1 + (1/G12 − 2 ν12/E1) c² s² + s⁴/E2, where it may shear. By
// the strain of Green, 1e-6, at 1e-9 of it.
TEST(Membrane, WovenGivesByTheAngleOfItsThreads) {
  for (const char* direction : {"material_angle = \"30 deg\"\n", "along = [0.8660254037844386, 0.5, 0.3]\n"}) {
    const Sensors end = end_of(woven(direction) + R"x([joint.x]
type = "point_on_plane"
of = ["ground", "sheet.start"]
normal = [1, 0, 0]
[joint.y]
type = "point_on_plane"
of = ["ground", "sheet@(0, 0)"]
normal = [0, 1, 0]
[joint.z]
type = "point_on_plane"
of = ["ground", "sheet.surface"]
normal = [0, 0, 1]
[load.along]
type = "force"
at = "sheet.end"
force = [0.001, 0, 0]
)x" + sensor_text("strain", "green_strain", "at", "sheet@(0.4, 0.5)") +
                               statics);
    const double c2 = 0.75, s2 = 0.25;
    const double inverse = c2 * c2 / 4e6 + (1 / 3e5 - 0.4 / 4e6) * c2 * s2 + s2 * s2 / 1e6;
    EXPECT_NEAR(end.at("strain")[0], inverse, 1e-5 * inverse);
  }
}

TEST(Membrane, WovenHasThePrestressAlongAllDirections) {
  const Sensors end = end_of(woven("prestress = \"100 N/m\"\nmaterial_angle = \"20 deg\"\n") + R"([joint.rim]
type = "weld"
of = ["ground", "sheet.surface"]
)" + sensor_text("stress", "cauchy_stress", "at", "sheet@(0.3, 0.6)") +
                             statics);
  const std::vector<double>& s = end.at("stress");  // in a wall as thick as it was
  EXPECT_NEAR(s[0] * 0.001, 100, 1e-9);
  EXPECT_NEAR(s[1] * 0.001, 100, 1e-9);
  EXPECT_NEAR(s[5] * 0.001, 0, 1e-9);
}

// Free it has no stress; what it grows along the normal moves nothing.
TEST(Membrane, GrowsAlongItsDirections) {
  const Sensors end = end_of(square("growth = { u = 0.1, v = -0.05, normal = 0.2 }\n") + held +
                             sensor_text("corner", "position", "at", "sheet@(1, 1)") +
                             sensor_text("stress", "cauchy_stress", "at", "sheet@(0.3, 0.6)") + statics);
  EXPECT_NEAR(end.at("corner")[0], 1.1, 1e-12);
  EXPECT_NEAR(end.at("corner")[1], 0.95, 1e-12);
  for (const double s : end.at("stress")) EXPECT_NEAR(s, 0, 1e-5);
}

// A muscle along x in a sheet that is free: S = −T/λ, S = E (λ² − 1)/2.
TEST(Membrane, FibresThatPullShortenIt) {
  const std::string muscle = "[fibre.muscle]\nof = \"sheet\"\nangle = 0\ntension = \"0.2 MPa\"\n";
  const Sensors end = end_of(square("") + held + muscle + sensor_text("corner", "position", "at", "sheet@(1, 1)") +
                             sensor_text("fibre", "fibre_stretch", "at", "sheet@(0.4, 0.4)") + statics);
  const double stretch = end.at("corner")[0];
  EXPECT_NEAR(1e6 * stretch * (stretch * stretch - 1), -2e5, 1e-6);
  EXPECT_LT(stretch, 0.9);
  EXPECT_NEAR(end.at("fibre")[0], stretch, 1e-12);
}

/// Rubber that is stretched fast and held, all of its rim.
std::string held_rubber(const std::string& more) {
  return R"(
space = "spatial"
[material.m]
type = "neo-hooke"
mu = "0.1 MPa"
bulk = "1 GPa"
rho = 1000
)" + more +
         square("").substr(head.size()) + R"([signal.pull]
type = "smooth_step"
to = 0.5
duration = "1 ms"
[joint.rest]
type = "weld"
of = ["ground", "sheet.start"]
[body.bar]
m = 1
inertia = [1, 1, 1]
position = [1, 0.5, 0]
[joint.pulled]
type = "weld"
of = ["bar", "sheet.end"]
[joint.slide]
type = "prismatic"
of = ["ground", "bar"]
axis = [1, 0, 0]
displacement = "pull"
)";
}
// What is held relaxes as its series says: a share of 0.4 within 0.5 s, to μ/k = 1e-4, of which the wall thickens meanwhile.
TEST(Membrane, RelaxesAsItsSeriesSays) {
  const std::string times = "[[analysis]]\nname = \"pull\"\ntype = \"dynamic\"\nend = \"1.001 s\"\nstep = \"1 ms\"\n";
  const std::string sensor = sensor_text("stress", "cauchy_stress", "at", "sheet@(0.3, 0.6)");
  const Sensors relaxed = end_of(held_rubber("relaxation = [[0.4, 0.5]]\n") + sensor + times),
                elastic = end_of(held_rubber("") + sensor + times);
  const double left = 0.6 + 0.4 * std::exp(-1.0005 / 0.5);  // since the middle of the pull
  EXPECT_NEAR(relaxed.at("stress")[0] / elastic.at("stress")[0], left, 2e-4);
}

/// A prestressed tube between two rings with lids, in a chamber; along the axis or against it, so that its normals look out or in.
std::string balloon(const std::string& axis) {
  return head + R"([membrane.tube]
shape = { type = "tube", axis = )" +
         axis + R"(, radius = [0.1, 0.1] }
elements = [4, 12]
material = "m"
thickness = 0.001
prestress = "20 N/m"
[joint.start]
type = "weld"
of = ["ground", "tube.start"]
[joint.end]
type = "weld"
of = ["ground", "tube.end"]
[chamber.air]
surfaces = ["tube"]
lids = true
type = "pressure"
pressure = "250 Pa"
)" + sensor_text("side", "position", "at", "tube@(0.5, 0)") +
         sensor_text("volume", "volume", "of", "air") + statics;
}

// Whichever way its triangles look, gas blows it up, by the same.
TEST(Membrane, IsAWallOfAChamberFromEitherSide) {
  const Sensors one = end_of(balloon("[[0, 0, 0], [0.3, 0, 0]]")), other = end_of(balloon("[[0.3, 0, 0], [0, 0, 0]]"));
  const double reference = 12.0 / 2 * 0.01 * std::sin(2 * std::numbers::pi / 12) * 0.3;
  EXPECT_GT(one.at("volume")[0], 1.005 * reference);
  EXPECT_NEAR(one.at("volume")[0], other.at("volume")[0], 2e-3 * reference);  // other diagonals
  EXPECT_GT(one.at("side")[2], 0.1005);
}

TEST(Membrane, SaysWhatItCannotBe) {
  EXPECT_THAT(message_of(square("prestress = \"1 MN/m\"\n") + statics), HasSubstr("the material never bears as much"));
  EXPECT_THAT(message_of(square("curvature = 1\n") + statics), HasSubstr("unknown key"));
  EXPECT_THAT(message_of(square("along = [0, 1, 0]\n") + statics), HasSubstr("nothing goes along it"));
  EXPECT_THAT(message_of(woven("along = [0, 0, 1]\n") + statics),
              HasSubstr("`along` of its own frame, is across the sheet in element 1 and 1 more"));
  EXPECT_THAT(message_of(woven("carries = \"tension\"\n") + statics), HasSubstr("alike along all directions"));
  EXPECT_THAT(message_of(woven("prestress = \"10 kN/m\"\n") + statics), HasSubstr("the material never bears as much"));
  EXPECT_THAT(message_of(square("growth = {}\n") + statics),
              HasSubstr("says nothing: give \"u\", \"v\" or \"normal\""));
  EXPECT_THAT(message_of(square("carries = \"tension\"\ndamping = 0.1\n") + statics), HasSubstr("without `damping`"));
  const std::string fibre = "[fibre.f]\nof = \"sheet\"\nstiffness = 1e5\n";
  EXPECT_THAT(message_of(square("") + fibre + "direction = [1, 0, 1]\n" + statics), HasSubstr("leaves the surface"));
  EXPECT_THAT(message_of(square("prestress = 1\n") + fibre + "angle = 0\n" + statics),
              HasSubstr("is that of the material alone"));
  EXPECT_THAT(message_of(square("carries = \"tension\"\n") + fibre + "angle = 0\n" + statics),
              HasSubstr("they say where it folds"));
  EXPECT_THAT(message_of(square(held) + sensor_text("e", "edge_force", "at", "sheet@(0.5, 0.2)") + statics),
              HasSubstr("does not lie within an edge"));
  EXPECT_THAT(message_of(head +
                         "relaxation = [[0.2, 1]]\n[solid.block]\nshape = { type = \"block\", size = [1, 1, 1] }\n"
                         "elements = [1, 1, 1]\nelement = \"tetrahedra-4\"\nmaterial = \"m\"\n"
                         "[joint.held]\ntype = \"weld\"\nof = [\"ground\", \"block.bottom\"]\n" +
                         sensor_text("e", "edge_force", "at", "block@(0.5, 0, 0)") + statics),
              HasSubstr("without fibres, growth and relaxation"));
  EXPECT_THAT(message_of(square(held) + sensor_text("e", "position", "at", "sheet@0.5") + statics),
              HasSubstr("a membrane's places need two shares"));
  EXPECT_THAT(message_of(square(held) + sensor_text("e", "position", "at", "sheet.middle") + statics),
              HasSubstr("the membrane \"sheet\" has no place named \"middle\""));
}

}  // namespace
}  // namespace flexura::test
