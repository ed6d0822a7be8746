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
  EXPECT_THAT(message_of(square("growth = 1\n") + statics), HasSubstr("unknown key"));
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
