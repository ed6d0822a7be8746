// Chambers in scenes: what parts enclose, whichever way they look and however they are meshed; what leaks; balloons.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "tests/support/scenes.hpp"

namespace flexura::test {
namespace {

using std::numbers::pi;

const std::string head = R"(
space = "spatial"
[material.rubber]
E = "2 MPa"
nu = 0.45
rho = 1000
)";

std::string plate(const std::string& name, const std::string& position, const std::string& axes,
                  const std::string& size, const std::string& elements) {
  return fmt::format(
      "[plate.{}]\nshape = {{ type = \"flat\", size = {} }}\nposition = {}\naxes = {}\nelements = {}\nmaterial = "
      "\"rubber\"\nthickness = \"1 mm\"\n",
      name, size, position, axes, elements);
}

/// A box 1 × 2 × 3 of six plates that look any way and are meshed differently.
std::string box(bool has_top = true) {
  std::string text = head;
  text += plate("bottom", "[0, 0, 0]", "[[1, 0, 0], [0, 1, 0]]", "[1, 2]", "[3, 4]");
  if (has_top) text += plate("top", "[0, 0, 3]", "[[1, 0, 0], [0, 1, 0]]", "[1, 2]", "[2, 5]");
  text += plate("front", "[0, 0, 0]", "[[1, 0, 0], [0, 0, 1]]", "[1, 3]", "[4, 3]");
  text += plate("back", "[0, 2, 0]", "[[1, 0, 0], [0, 0, 1]]", "[1, 3]", "[2, 2]");
  text += plate("left", "[0, 0, 0]", "[[0, 1, 0], [0, 0, 1]]", "[2, 3]", "[3, 5]");
  text += plate("right", "[1, 0, 0]", "[[0, 1, 0], [0, 0, 1]]", "[2, 3]", "[1, 2]");
  return text;
}
std::string chamber(const std::string& keys) { return "[chamber.c]\n" + keys; }

const std::string walls = "surfaces = [\"bottom\", \"front\", \"back\", \"left\", \"right\"]\n";

const std::string analysis = "[[analysis]]\nname = \"move\"\ntype = \"dynamic\"\nend = 1\nstep = 0.01\n";

std::string said_of(const std::string& text) {
  return message_of(text.find("[[analysis]]") == std::string::npos ? text + analysis : text);
}
ChamberPart made(const std::string& text) {
  const SceneModels models = interpret_scene(read_scene_text(text + analysis, "scene.toml", scene_terms()));
  EXPECT_EQ(models.models[0].chambers.size(), 1u);
  return models.models[0].chambers[0];
}

TEST(Chambers, HaveTheVolumeOfWhatIsAroundThem) {
  EXPECT_NEAR(made(box() + chamber("surfaces = [\"plate.*\"]\n")).volume, 6, 1e-13);
  EXPECT_NEAR(made(box(false) + "[plane.lid]\npoint = [5, 5, 3]\nnormal = [0, 0, -2]\n" +
                   chamber(walls + "planes = [\"lid\"]\n"))
                  .volume,
              6, 1e-13);
}

TEST(Chambers, NameWhereTheyLeak) {
  const std::string message = said_of(box(false) + chamber(walls));
  EXPECT_TRUE(message.starts_with("leaks at \"")) << message;
  EXPECT_NE(message.find("an opening"), std::string::npos) << message;
  const auto tube = [](int around, const std::string& keys) {
    return head +
           fmt::format(R"toml(
[plate.tube]
shape = {{ type = "tube", axis = [[0, 0, 0], [2, 0, 0]], radius = [0.5, 0.5] }}
elements = [4, {}]
material = "rubber"
thickness = "1 mm"
)toml",
                       around) +
           chamber("surfaces = [\"tube\"]\n" + keys);
  };
  const std::string open = said_of(tube(16, ""));
  EXPECT_TRUE(open.starts_with("leaks at \"tube.start\": an opening 1 m wide at (0, ")) << open;
  EXPECT_NE(open.find("3.14 m along its rim"), std::string::npos) << open;
  // What the mesh's arcs leave: 2.0e-4 of the volume at 16 elements around, 3.8e-5 at 32.
  const double exact = pi * 0.25 * 2, coarse = made(tube(16, "lids = true\n")).volume / exact - 1,
               fine = made(tube(32, "lids = true\n")).volume / exact - 1;
  EXPECT_LE(std::fabs(coarse), 2.1e-4);
  EXPECT_LE(std::fabs(fine), std::fabs(coarse) / 4);
}

TEST(Chambers, InThePlaneGoRoundCablesEndToEnd) {
  const std::string text = R"(
space = "planar"
[section.s]
EA = 1e4
EI = 1
rhoA = 1
[cable.lower]
section = "s"
path = [[0, 0], [2, 0]]
elements = 3
[cable.upper]
section = "s"
path = [[0, 1], [2, 1]]
elements = 2
)";
  EXPECT_NEAR(made(text + chamber("surfaces = [\"lower\", \"upper\"]\nlids = true\ndepth = 0.5\n")).volume, 1, 1e-13);
  EXPECT_EQ(said_of(text + chamber("surfaces = [\"*er\"]\ndepth = 0.5\n")),
            "leaks between \"lower.end\" and \"upper.end\": an opening 1 m wide at (2, 0); close it: lids = true or "
            "another cable");
}

// Flow is an unknown at the ends of steps: energy-momentum, which has those in the middle, would let in less than there is.
TEST(Chambers, RefuseMethodsThatCannotFollowLines) {
  const std::string scene = box() + chamber("surfaces = [\"plate.*\"]\n") + "[line.l]\ntype = \"vent\"\nof = \"c\"\n";
  for (const char* method : {"energy-momentum", "rk4"}) {
    const std::string said = said_of(scene + analysis + fmt::format("integrator = {{ type = \"{}\" }}\n", method));
    EXPECT_NE(said.find("cannot follow what"), std::string::npos) << said;
    EXPECT_NE(said.find("line.l"), std::string::npos) << said;
  }
  EXPECT_EQ(said_of(scene), "");
}

TEST(Chambers, SayWhatTheyCannotBe) {
  const std::string good = box() + chamber("surfaces = [\"plate.*\"]\n");
  EXPECT_EQ(said_of(good), "");
  EXPECT_EQ(said_of(box() + chamber("surfaces = [\"bottum\"]\n")), "there is no plate named \"bottum\"");
  EXPECT_EQ(said_of(good + "[line.l]\ntype = \"between\"\nof = \"c\"\nto = \"c\"\n"),
            "both ends are in the same chamber");
  EXPECT_EQ(said_of(box() + chamber("type = \"liquid\"\nsurfaces = [\"plate.*\"]\n") +
                    "[line.l]\ntype = \"vent\"\nof = \"c\"\n"),
            "lines lead gas: this chamber is not filled with one");
  EXPECT_EQ(said_of(box() +
                    "[plane.a]\npoint = [0, 0, 0]\nnormal = [0, 0, 1]\n[plane.b]\npoint = [0, 0, 1]\nnormal = "
                    "[0, 0, 1]\n" +
                    chamber("surfaces = [\"plate.*\"]\nplanes = [\"a\", \"b\"]\n")),
            "the planes have no point in common");
}

/// An eighth of a sphere of radius 0.1 m, 1 mm thick, with three planes of symmetry. The hole at the pole is closed by a lid.
std::string balloon(int elements, const std::string& keys) {
  return head + fmt::format(R"toml(
[plate.skin]
shape = {{ type = "hemisphere", radius = 0.1, hole = 0.05 }}
elements = [{0}, {0}]
material = "rubber"
thickness = "1 mm"
[joint.x]
type = "planar"
of = ["ground", "skin.end"]
normal = [1, 0, 0]
[joint.y]
type = "planar"
of = ["ground", "skin.start"]
normal = [0, 1, 0]
[joint.z]
type = "planar"
of = ["ground", "skin.bottom"]
normal = [0, 0, 1]
[plane.x]
point = [0, 0, 0]
normal = [1, 0, 0]
[plane.y]
point = [0, 0, 0]
normal = [0, 1, 0]
[plane.z]
point = [0, 0, 0]
normal = [0, 0, 1]
[chamber.c]
surfaces = ["skin"]
planes = ["x", "y", "z"]
tolerance = "6 mm"
{1}
[sensor.p]
type = "pressure"
of = "c"
[sensor.V]
type = "volume"
of = "c"
[sensor.r]
type = "position"
at = "skin@(0, 0)"
[[analysis]]
name = "inflate"
type = "static"
)toml",
                            elements, keys);
}

/// Of a sphere of St. Venant–Kirchhoff's material: p = 2 h E e/((1 − ν) R λ), e = (λ² − 1)/2.
double pressure_at(double stretch) {
  return 2 * 1e-3 * 2e6 * 0.5 * (stretch * stretch - 1) / ((1 - 0.45) * 0.1 * stretch);
}

// The hole of 5 mm is left open within the tolerance: about it the sphere is not round.
TEST(Balloon, OfAMembraneHasTheStretchOfTheClosedForm) {
  const Sensors s = end_of(balloon(6, "type = \"pressure\"\npressure = \"20 kPa\""));
  const double stretch = s.at("r")[0] / 0.1;
  RecordProperty("stretch", fmt::format("{:.6f}", stretch));
  RecordProperty("closed_form", fmt::format("{:.6f}", pressure_at(stretch)));
  EXPECT_NEAR(s.at("p")[0], 20e3, 1e-9);
  EXPECT_NEAR(pressure_at(stretch), 20e3, 0.002 * 20e3);
  EXPECT_NEAR(s.at("V")[0], pi / 6 * std::pow(stretch * 0.1, 3), 0.01 * s.at("V")[0]);
}

// Half as much gas again: P V = 1.5 P₀ V₀ to the tolerance of statics, and the pressure is that of the skin at its stretch.
TEST(Balloon, KeepsTheLawOfItsGas) {
  const std::string scene = balloon(4, "added = 0.5");
  const Sensors s = end_of(scene);
  const double V0 = made(scene).volume, V = s.at("V")[0], p = s.at("p")[0];
  EXPECT_NEAR((101325 + p) * V, 1.5 * 101325 * V0, 1e-8 * 101325 * V0);
  EXPECT_NEAR(p, pressure_at(s.at("r")[0] / 0.1), 0.005 * p);
}

}  // namespace
}  // namespace flexura::test
