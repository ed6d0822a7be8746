// Plates whose edges slide: planes of symmetry, rollers, lines. Quarters against wholes on the same mesh, with reactions.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/scenes.hpp"

namespace flexura::test {
namespace {

std::string joint(const std::string& name, const std::string& type, const std::string& first, const std::string& second,
                  const std::string& keys) {
  return fmt::format("[joint.{}]\ntype = \"{}\"\nof = [{}, \"{}\"]\n{}\n", name, type, first, second, keys);
}

/// Residuals below which Newton stops leave 1e-9 of the size.
void expect_same(const std::vector<double>& a, const std::vector<double>& b, double tolerance, const char* what) {
  ASSERT_EQ(a.size(), b.size());
  for (size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], tolerance) << what << " " << i;
}

const std::string head = R"(
space = "spatial"
[material.m]
E = 1e6
nu = 0.3
rho = 1000
)";
const std::string statics = "[[analysis]]\nname = \"s\"\ntype = \"static\"\ntolerance = 1e-12\n";

/// An eighth of a pinched cylinder on diaphragms. PLANE: what the planes belong to.
std::string eighth(const std::string& plane = "\"ground\"") {
  return head + R"(
[plate.tube]
shape = { type = "tube", axis = [[0, 0, 0], [1, 0, 0]], radius = [1, 1], angle = "90 deg" }
elements = [4, 4]
material = "m"
thickness = 0.03
[load.pinch]
type = "force"
at = "tube.corner_start_bottom"
force = [0, 0, -6]
)" + joint("middle", "planar", plane, "tube.start", "normal = [1, 0, 0]") +
         joint("crown", "planar", plane, "tube.bottom", "normal = [0, 1, 0]") +
         joint("side", "planar", plane, "tube.top", "normal = [0, 0, 2]") +
         joint("diaphragm", "prescribed", "\"ground\"", "tube.end", "y = 0\nz = 0") +
         sensor_text("pole", "position", "at", "tube.corner_start_bottom") +
         sensor_text("inside", "position", "at", "tube@(0.5, 0.5)") +
         sensor_text("rim", "position", "at", "tube.corner_end_top") + statics;
}

const std::string whole_tube = head + R"x(
[plate.tube]
shape = { type = "tube", axis = [[-1, 0, 0], [1, 0, 0]], radius = [1, 1] }
elements = [8, 16]
material = "m"
thickness = 0.03
[load.down]
type = "force"
at = "tube@(0.5, 0)"
force = [0, 0, -24]
[load.up]
type = "force"
at = "tube@(0.5, 0.5)"
force = [0, 0, 24]
)x" + joint("first", "prescribed", "\"ground\"", "tube.start", "y = 0\nz = 0") +
                               joint("last", "prescribed", "\"ground\"", "tube.end", "y = 0\nz = 0") +
                               joint("middle", "point_on_plane", "\"ground\"", "tube@0.5", "normal = [1, 0, 0]") +
                               sensor_text("pole", "position", "at", "tube@(0.5, 0)") +
                               sensor_text("inside", "position", "at", "tube@(0.75, 0.125)") +
                               sensor_text("rim", "position", "at", "tube@(1, 0.25)") +
                               sensor_text("held", "reaction", "of", "middle") + statics;

TEST(SlidingPlates, AnEighthOfAPinchedCylinderIsTheWholeOne) {
  const Sensors whole = end_of(whole_tube);
  std::string text = eighth();
  for (const char* name : {"middle", "crown", "side", "diaphragm"})
    text += sensor_text(std::string("r_") + name, "reaction", "of", name);
  const Sensors part = end_of(text);
  EXPECT_GT(1 - whole.at("pole")[2], 0.03) << "as deep as the wall is thick";
  for (const char* place : {"pole", "inside", "rim"}) expect_same(part.at(place), whole.at(place), 1e-9, place);
  for (const double f : whole.at("held")) EXPECT_NEAR(f, 0, 1e-6) << "what is symmetric does not lean on its plane";
  // All that holds it together carries the load, each plane along its normal.
  std::vector<double> sum(3);
  for (const char* name : {"middle", "crown", "side", "diaphragm"})
    for (int i = 0; i < 3; ++i) sum[i] += part.at(std::string("r_") + name)[i];
  expect_same(sum, {0, 0, 6}, 1e-6, "equilibrium");
  EXPECT_EQ(part.at("r_middle")[1], 0);
  EXPECT_EQ(part.at("r_middle")[2], 0);
  EXPECT_EQ(part.at("r_crown")[0], 0);
  EXPECT_GT(std::fabs(part.at("r_side")[2]), 0.1);
}

// The same planes on a body that could turn, which takes multipliers: what they carry is the same.
TEST(SlidingPlates, PlanesOfABodyAreThoseOfTheGround) {
  std::string on_ground = eighth(), on_body = eighth("\"frame\"");
  on_body += "[body.frame]\nm = 1\ninertia = [1, 1, 1]\n" +
             joint("hub", "revolute", "\"ground\"", "frame", "axis = [0, 0, 1]\nangle = 0");
  for (std::string* text : {&on_ground, &on_body})
    *text += sensor_text("r", "reaction", "of", "middle") + sensor_text("m", "reaction_moment", "of", "middle");
  const Sensors a = end_of(on_ground), b = end_of(on_body);
  for (const char* place : {"pole", "inside", "rim"}) expect_same(b.at(place), a.at(place), 1e-9, place);
  EXPECT_GT(std::fabs(a.at("m")[1]), 0.1);
  expect_same(b.at("m"), a.at("m"), 1e-6, "moment");
}

// A hemisphere with a hole, pulled and pushed at four places of its equator: a quarter, and all of it.
TEST(SlidingPlates, AQuarterOfAHemisphereIsTheWholeOne) {
  const auto hemisphere = [](const char* to, int around, const std::string& more) {
    return head +
           fmt::format(R"(
[plate.h]
shape = {{ type = "hemisphere", radius = 1, hole = "18 deg", to = "{} deg" }}
elements = [{}, 4]
material = "m"
thickness = 0.03
)",
                       to, around) +
           more + statics;
  };
  const auto pull = [](const char* name, const char* at, double x, double y) {
    return fmt::format("[load.{}]\ntype = \"force\"\nat = \"h{}\"\nforce = [{}, {}, 0]\n", name, at, x, y);
  };
  const Sensors part = end_of(hemisphere(
      "90", 4,
      joint("zx", "planar", "\"ground\"", "h.start", "normal = [0, 1, 0]") +
          joint("yz", "planar", "\"ground\"", "h.end", "normal = [1, 0, 0]") +
          joint("height", "point_on_plane", "\"ground\"", "h@(0.5, 1)", "normal = [0, 0, 1]") +
          pull("a", ".corner_start_bottom", 1, 0) + pull("b", ".corner_end_bottom", 0, -1) +
          sensor_text("a", "position", "at", "h.corner_start_bottom") +
          sensor_text("b", "position", "at", "h.corner_end_bottom") + sensor_text("r", "reaction", "of", "yz")));
  // The whole one is held where it does not move by itself.
  const Sensors whole = end_of(
      hemisphere("360", 16,
                 joint("zx", "point_on_plane", "\"ground\"", "h@0", "normal = [0, 1, 0]") +
                     joint("yz", "point_on_plane", "\"ground\"", "h@0.25", "normal = [1, 0, 0]") +
                     joint("height", "point_on_plane", "\"ground\"", "h@(0.125, 1)", "normal = [0, 0, 1]") +
                     pull("a", "@(0, 0)", 2, 0) + pull("b", "@(0.25, 0)", 0, -2) + pull("c", "@(0.5, 0)", -2, 0) +
                     pull("d", "@(0.75, 0)", 0, 2) + sensor_text("a", "position", "at", "h@(0, 0)") +
                     sensor_text("b", "position", "at", "h@(0.25, 0)")));
  EXPECT_GT(part.at("a")[0], 1.02);
  expect_same(part.at("a"), whole.at("a"), 1e-9, "pulled");
  expect_same(part.at("b"), whole.at("b"), 1e-9, "pushed");
  expect_same(part.at("r"), {-1, 0, 0}, 1e-6, "the plane carries the pull along its normal");
}

// Half of a clamped strip under a force in its middle: the moment there is P L/8. A tiny force; cubic shapes hold it exactly.
TEST(SlidingPlates, ThePlaneOfABentStripCarriesItsMoment) {
  const Sensors half =
      end_of(R"(
space = "spatial"
[material.m]
E = 1e6
nu = 0
rho = 1000
[plate.strip]
shape = { type = "flat", size = [1, 0.1] }
elements = [4, 1]
material = "m"
thickness = 0.01
[load.p]
type = "force"
at = "strip.end"
force = [0, 0, -1e-6]
)" + joint("clamp", "weld", "\"ground\"", "strip.start", "") +
             joint("middle", "planar", "\"ground\"", "strip.end", "normal = [1, 0, 0]") +
             sensor_text("m", "reaction_moment", "of", "middle") + sensor_text("end", "position", "at", "strip.end") +
             sensor_text("r", "reaction", "of", "clamp") + statics);
  const double moment = 2e-6 * 2 / 8, sag = 2e-6 * 8 / (192 * 1e6 * 0.1 * 1e-6 / 12);
  EXPECT_NEAR(std::fabs(half.at("m")[1]), moment, 1e-4 * moment);
  EXPECT_NEAR(-half.at("end")[2], sag, 1e-3 * sag);
  EXPECT_NEAR(half.at("r")[2], 1e-6, 1e-11) << "the clamp alone carries the force";
}

// The edge of a strip along the line slides, its other end is pulled: it follows without a force.
TEST(SlidingPlates, AnEdgeSlidesOnALine) {
  const Sensors s = end_of(R"(
space = "spatial"
[material.m]
E = 1e6
nu = 0
rho = 1000
[plate.strip]
shape = { type = "flat", size = [1, 0.1] }
elements = [4, 1]
material = "m"
thickness = 0.01
[load.p]
type = "edge_force"
at = "strip.end"
force = [100, 0, 0]
)" + joint("roller", "point_on_plane", "\"ground\"", "strip.start", "normal = [1, 0, 0]") +
                           joint("rail", "point_on_line", "\"ground\"", "strip.bottom", "axis = [1, 0, 0]") +
                           joint("flat", "point_on_plane", "\"ground\"", "strip.top", "normal = [0, 0, 1]") +
                           sensor_text("end", "position", "at", "strip.corner_end_bottom") +
                           sensor_text("r", "reaction", "of", "rail") + statics);
  // N = E h ε (1 + ε)(…): Green's strain e of the stretch λ, N λ = E h e λ: 100 N/m on E h = 1e4 N/m.
  double stretch = 1.01;
  for (int k = 0; k < 20; ++k) stretch = std::sqrt(1 + 2 * 0.01 / stretch);
  EXPECT_NEAR(s.at("end")[0], stretch, 1e-6);
  EXPECT_EQ(s.at("end")[1], 0);
  EXPECT_EQ(s.at("end")[2], 0);
  expect_same(s.at("r"), {0, 0, 0}, 1e-9, "nothing pushes the rail");
}

// Ways to be wrong, each with what would be right.
TEST(SlidingPlates, SayWhatDoesNotSlide) {
  const auto message = [](const std::string& type, const std::string& first, const std::string& second,
                          const std::string& keys) {
    return message_of(head + R"(
[plate.sheet]
shape = { type = "flat", size = [1, 1] }
elements = [2, 2]
material = "m"
thickness = 0.01
)" + joint("clamp", "weld", "\"ground\"", "sheet.start", "") +
                      joint("j", type, first, second, keys) + statics);
  };
  EXPECT_EQ(message("planar", "\"ground\"", "sheet.end", "normal = [1, 0, 0]"), "");
  EXPECT_EQ(message("planar", "\"ground\"", "sheet.end", "normal = [0, 0, 1]"), "") << "the plate lies in it";
  EXPECT_EQ(message("point_on_plane", "[0.5, 0, 0]", "sheet.end", "normal = [1, 0, 0]"),
            "node 7 of \"sheet.end\" is 0.5 m off the plane in the reference configuration");
  EXPECT_EQ(message("point_on_plane", "\"ground\"", "sheet.top", "normal = [1, 0, 0]"),
            "the edge leaves the plane at node 3 of \"sheet.top\", by 90 deg");
  EXPECT_EQ(message("point_on_line", "\"ground\"", "sheet.end", "axis = [0, 1, 1]"),
            "the edge leaves the line at node 7 of \"sheet.end\", by 45 deg");
  EXPECT_EQ(message("planar", "\"ground\"", "sheet.end", "normal = [1, 0, 1]"),
            "at node 7 of \"sheet.end\" the plate meets the plane at 45 deg; \"planar\" is for plates that cross it at "
            "a right "
            "angle, where it is a plane of symmetry, or lie in it; \"point_on_plane\" lets them turn");
  EXPECT_EQ(message("planar", "\"ground\"", "sheet.end", "normal = [0, 0, 0]"), "must not be zero");
  EXPECT_EQ(message("planar", "\"ground\"", "sheet@(0.3, 0.3)", "normal = [0, 0, 1]"),
            "\"planar\" needs nodes of the plate: an edge or a corner, or shares that are those of a node");
  EXPECT_EQ(message("point_on_line", "\"ground\"", "sheet.end", "axis = [0, 1, 0]\ndisplacement = \"= t\""),
            "the nodes of a plate slide each by itself: a joint \"prescribed\" moves them");
  EXPECT_EQ(message("prismatic", "\"ground\"", "sheet.end", "axis = [0, 1, 0]").substr(0, 41),
            "\"prismatic\" does not go with a plate; \"we");
}

}  // namespace
}  // namespace flexura::test
