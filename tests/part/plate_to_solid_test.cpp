// Edges of full plates welded to faces of solids: uniform stress, bending beside one solid, turns, reactions, messages.

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cmath>

#include "tests/support/scenes.hpp"

namespace flexura::test {
namespace {

using testing::HasSubstr;

std::string of_rubber(const char* bulk = "bulk = 3e5\n") {
  return fmt::format("space = \"spatial\"\n[material.rubber]\ntype = \"neo-hooke\"\nmu = 1e5\n{}rho = 1100\n", bulk);
}
const std::string at_rest = "[[analysis]]\nname = \"pull\"\ntype = \"static\"\n";

struct Pair {
  const char *kind, *cells, *wall, *element = "full";
};
std::string parts(const Pair& of, double width, double thickness) {
  return fmt::format(R"(
[solid.block]
shape = {{ type = "block", size = [0.1, {0}, {1}] }}
element = "{2}"
elements = {3}
material = "rubber"
[plate.wall]
shape = {{ type = "flat", size = [0.1, {0}] }}
position = [0.1, 0, {4}]
element = "{6}"
elements = {5}
material = "rubber"
thickness = {1}
[joint.seam]
type = "weld"
of = ["block.right", "wall.start"]
)",
                     width, thickness, of.kind, of.cells, thickness / 2, of.wall, of.element);
}

const std::string symmetry = R"(
[joint.left]
type = "point_on_plane"
of = ["ground", "block.left"]
normal = [1, 0, 0]
[joint.front]
type = "point_on_plane"
of = ["ground", "block.front"]
normal = [0, 1, 0]
[joint.bottom]
type = "point_on_plane"
of = ["ground", "block.bottom"]
normal = [0, 0, 1]
)";

// Block, wall, block of the same rubber and section: the stress is uniform, the seams where the shares of the way are, the force that of
// the end. 1e-9: where the iterations end; across triangles the face is not divided exactly: 2e-4 of the way.
TEST(PlateOnSolid, UniformStressGoesOverWhateverTheMeshes) {
  struct Row {
    Pair of;
    double close = 1e-9;
  };
  for (const auto& [of, close] :
       {Row{{"hexahedra-8", "[4, 2, 2]", "[4, 2]"}}, Row{{"hexahedra-20", "[4, 2, 2]", "[4, 2]"}},
        Row{{"hexahedra-8", "[3, 3, 2]", "[2, 1]"}}, Row{{"hexahedra-20", "[2, 1, 1]", "[3, 4]"}},
        Row{{"hexahedra-27", "[2, 3, 1]", "[3, 2]"}}, Row{{"tetrahedra-10", "[2, 2, 2]", "[2, 3]"}, 2e-6},
        Row{{"hexahedra-20", "[2, 1, 1]", "[2, 2]", "xing2022"}}}) {
    SCOPED_TRACE(fmt::format("{} {} {} {}", of.kind, of.cells, of.wall, of.element));
    const Sensors end = end_of(
        of_rubber() + parts(of, 0.02, 0.02) + symmetry +
        fmt::format(R"(
[solid.last]
shape = {{ type = "block", size = [0.1, 0.02, 0.02] }}
position = [0.2, 0, 0]
element = "{}"
elements = {}
material = "rubber"
[joint.last_seam]
type = "weld"
of = ["wall.end", "last.left"]
[joint.pull]
type = "prescribed"
of = ["ground", "last.right"]
x = 0.03
)",
                    of.kind, of.cells) +
        sensor_text("seam", "position", "at", "block.right") + sensor_text("edge", "position", "at", "wall.start") +
        sensor_text("end", "position", "at", "wall.end") + sensor_text("weld", "reaction", "of", "seam") +
        sensor_text("last", "reaction", "of", "last_seam") + sensor_text("hand", "reaction", "of", "pull") +
        sensor_text("place", "position", "at", "block@(1, 1, 1)") + at_rest);
    const double pull = end.at("hand")[0];
    EXPECT_GT(pull, 1);
    EXPECT_NEAR(end.at("seam")[0], 0.11, close);
    EXPECT_NEAR(end.at("edge")[0], 0.11, close);
    EXPECT_NEAR(end.at("end")[0], 0.22, close);
    EXPECT_NEAR(end.at("place")[0], 0.11, 5 * close);
    EXPECT_NEAR(end.at("weld")[0], -pull, 1e-6 * pull);
    EXPECT_NEAR(end.at("last")[0], -pull, 1e-6 * pull);
    EXPECT_NEAR(end.at("edge")[1], end.at("seam")[1], close);
    EXPECT_NEAR(end.at("edge")[2], end.at("seam")[2], close);
  }
}

std::string clamped(const std::string& machine, const std::string& tip) {
  return of_rubber() + machine + R"(
[joint.clamp]
type = "weld"
of = ["ground", "block.left"]
[load.tip]
type = "force"
at = ")" +
         tip + R"("
force = [0, 0, -2e-4]
)" + sensor_text("tip", "position", "at", tip) +
         sensor_text("clamp", "reaction_moment", "of", "clamp") + at_rest;
}

// A strip of which one half is a solid and one a plate bends as the solid alone does. 1 %: that of the plate's own mesh beside the
// solid's, as docs/validation/solids.md has it.
TEST(PlateOnSolid, AStripBendsAsOneSolid) {
  const Sensors pair = end_of(clamped(parts({"hexahedra-20", "[16, 2, 1]", "[8, 2]"}, 0.02, 0.005), "wall.end"));
  const Sensors solid = end_of(clamped(R"(
[solid.block]
shape = { type = "block", size = [0.2, 0.02, 0.005] }
elements = [32, 2, 1]
material = "rubber"
)",
                                       "block.right"));
  const double bend = solid.at("tip")[2] - 0.0025;
  EXPECT_LT(bend, -0.005);
  EXPECT_NEAR(pair.at("tip")[2] - 0.0025, bend, 0.01 * std::fabs(bend));
  EXPECT_NEAR(pair.at("clamp")[1], solid.at("clamp")[1], 0.002 * std::fabs(solid.at("clamp")[1]));
}

// Free in space, no hidden spring ties the pair to it: what it turns with stays. 1e-9: sums of rounding over 100 steps.
TEST(PlateOnSolid, KeepsItsAngularMomentum) {
  const double rate = 20, length = 0.2, width = 0.02, thickness = 0.01;
  std::string text = of_rubber() + parts({"hexahedra-20", "[2, 1, 1]", "[2, 1]"}, width, thickness);
  text.replace(text.find("position = [0.1, 0, 0.005]"), 26, "position = [0, -0.01, 0]");
  text.insert(text.find("[solid.block]\n") + 14, "position = [-0.1, -0.01, -0.005]\n");
  const std::string turning = "angular_velocity = [0, 0, 20]\nabout = [0, 0, 0]\n";
  for (const std::string part : {"[solid.block]\n", "[plate.wall]\n"})
    text.insert(text.find(part) + part.size(), turning);
  const Sensors end = end_of(text + R"(
[sensor.spin]
type = "angular_momentum"
[[analysis]]
name = "turn"
type = "dynamic"
integrator = "energy-momentum"
end = 0.1
step = 1e-3
)");
  const double inertia = 1100 * length * width * thickness * (length * length + width * width) / 12;
  EXPECT_NEAR(end.at("spin")[2], inertia * rate, 1e-9 * inertia * rate);
  EXPECT_NEAR(end.at("spin")[0], 0, 1e-9 * inertia * rate);
}

// A ring of solid and a tube of full plates: faces that are the same but for what the meshes make of a circle.
TEST(PlateOnSolid, ATubeStandsOnARing) {
  const Sensors end =
      end_of(of_rubber() + R"(
[solid.block]
shape = { type = "tube", inner = 0.018, outer = 0.022, height = 0.02 }
elements = [1, 12, 1]
material = "rubber"
[plate.wall]
shape = { type = "tube", axis = [[0, 0, 0.02], [0, 0, 0.06]], radius = [0.02, 0.02], up = [1, 0, 0] }
element = "full"
elements = [2, 12]
material = "rubber"
thickness = 0.004
[joint.seam]
type = "weld"
of = ["block.top", "wall.start"]
[joint.clamp]
type = "weld"
of = ["ground", "block.bottom"]
[load.tip]
type = "force"
at = "wall.end"
force = [0, 0, 1]
)" + sensor_text("tip", "position", "at", "wall.end") +
             sensor_text("weld", "reaction", "of", "seam") + sensor_text("clamp", "reaction", "of", "clamp") + at_rest);
  EXPECT_NEAR(std::fabs(end.at("weld")[2]), 1, 1e-6);
  EXPECT_NEAR(std::fabs(end.at("clamp")[2]), 1, 1e-6);
  EXPECT_GT(end.at("tip")[2], 0.0601);
}

std::string told(const std::string& machine) {
  return message_of(of_rubber() + machine + "[joint.clamp]\ntype = \"weld\"\nof = [\"ground\", \"block.left\"]\n" +
                    at_rest);
}

TEST(PlateOnSolid, WhatCannotBeIsRefusedWithAReason) {
  const Pair good{"hexahedra-8", "[2, 1, 1]", "[2, 1]"};
  const auto changed = [&](const std::string& from, const std::string& to) {
    std::string text = parts(good, 0.02, 0.01);
    text.replace(text.find(from), from.size(), to);
    return told(text);
  };
  std::string thin = parts({good.kind, good.cells, good.wall, "thin"}, 0.02, 0.01);
  thin.replace(thin.rfind("rubber"), 6, "sheet");
  thin += "[material.sheet]\nE = 3e5\nnu = 0.3\nrho = 1100\n";
  EXPECT_EQ(told(parts(good, 0.02, 0.01)), "");
  EXPECT_EQ(changed("[\"block.right\", \"wall.start\"]", "[\"wall.start\", \"block.right\"]"), "");
  EXPECT_THAT(told(thin), HasSubstr("a thin plate has no thickness by which a solid could hold it"));
  EXPECT_THAT(changed("[0.1, 0, 0.005]", "[0.1, 0, 0.006]"), HasSubstr("m beyond \"block.right\""));
  EXPECT_THAT(changed("block.right", "block.left"), HasSubstr("m beyond \"block.left\""));
  EXPECT_THAT(changed("wall.start", "wall.corner_start_bottom"), HasSubstr("is no edge of the plate"));
  EXPECT_THAT(changed("block.right", "block@(1, 0.5, 0.5)"), HasSubstr("a weld holds the nodes of a face or volume"));
}

}  // namespace
}  // namespace flexura::test
