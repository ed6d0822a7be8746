// Chambers over solids: what surfaces of solids, and plates beside them, enclose; follower pressure on them; inflated spheres and tubes
// against closed forms; gas by lines; what is refused.

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cmath>
#include <fstream>
#include <numbers>

#include "tests/support/scenes.hpp"

namespace flexura::test {
namespace {

using std::numbers::pi;
using testing::HasSubstr;
using testing::StartsWith;

const std::string head = R"(
space = "spatial"
[material.m]
type = "neo-hooke"
mu = 1e5
bulk = 1e7
rho = 1000
)";
const std::string statics = "[[analysis]]\nname = \"s\"\ntype = \"static\"\n";

std::string solid(const std::string& name, const std::string& shape, const std::string& elements,
                  const std::string& more = "") {
  return fmt::format("[solid.{}]\nshape = {{ {} }}\nelements = {}\nmaterial = \"m\"\n{}\n", name, shape, elements,
                     more);
}
std::string tube(const std::string& name, int around, const std::string& element = "hexahedra-20") {
  return solid(name, "type = \"tube\", inner = 0.02, outer = 0.03, height = 0.1", fmt::format("[1, {}, 2]", around),
               fmt::format("element = \"{}\"\n", element));
}
std::string chamber(const std::string& keys) { return "[chamber.c]\n" + keys; }
std::string joint(const std::string& name, const std::string& type, const std::string& of, const std::string& keys) {
  return fmt::format("[joint.{}]\ntype = \"{}\"\nof = [\"ground\", \"{}\"]\n{}\n", name, type, of, keys);
}

ChamberPart made(const std::string& text) {
  const bool whole = text.find("[[analysis]]") != std::string::npos;
  const std::string move = "[[analysis]]\nname = \"move\"\ntype = \"dynamic\"\nend = 1\nstep = 0.01\n";
  const SceneModels models = interpret_scene(read_scene_text(whole ? text : text + move, "scene.toml", scene_terms()));
  EXPECT_EQ(models.models[0].chambers.size(), 1u);
  return models.models[0].chambers[0];
}
std::vector<std::string> problems_of(const std::string& text) {
  std::vector<std::string> out;
  try {
    interpret_scene(read_scene_text(text, "scene.toml", scene_terms()));
  } catch (const InputError& error) {
    for (const Problem& problem : error.problems()) out.push_back(problem.message);
  }
  return out;
}

// A prism of n sides, exactly; curved sides: fourth order, 7.8e-4, 4.9e-5 and 3.1e-6 of the volume.
TEST(SolidChambers, InATubeHaveItsVolume) {
  const std::string keys = "surfaces = [\"t.inner\"]\nlids = true\n";
  for (const int n : {8, 13}) {
    const double prism = 0.1 * 0.5 * n * 0.02 * 0.02 * std::sin(2 * pi / n);
    EXPECT_NEAR(made(head + tube("t", n, "hexahedra-8") + chamber(keys)).volume, prism, 1e-12 * prism) << n;
  }
  double before = 0;
  for (const int n : {8, 16, 32}) {
    const double exact = 0.1 * pi * 0.02 * 0.02;
    const double error = std::fabs(made(head + tube("t", n) + chamber(keys)).volume / exact - 1);
    RecordProperty(fmt::format("error_{}", n), fmt::format("{:.2e}", error));
    if (before > 0) {
      EXPECT_NEAR(std::log2(before / error), 4, 0.1) << n;
    }
    before = error;
  }
}

// Rooms of a finger are boxes: with the channel one, without it one for each pocket.
TEST(SolidChambers, InAFingerHaveTheVolumeOfItsRooms) {
  const double room = 8e-3 * 12e-3 * 11e-3, way = 2 * 1.5e-3 + 2e-3;
  const auto finger = [&](const std::string& keys, const std::string& element) {
    return head + solid("f", "type = \"finger\", pockets = 3" + keys, "[1, 3, 1]", "element = \"" + element + "\"\n");
  };
  for (const char* element : {"hexahedra-8", "hexahedra-27", "tetrahedra-10"}) {
    const double one = 3 * room + 2 * way * 4e-3 * 2e-3;
    EXPECT_NEAR(made(finger("", element) + chamber("surfaces = [\"f.cavity\"]\n")).volume, one, 1e-12 * one);
    const std::string half = finger(", part = \"half\"", element) +
                             "[plane.y]\npoint = [0, 0, 0]\nnormal = [0, 1, 0]\n" +
                             chamber("surfaces = [\"f.cavity\"]\nplanes = [\"y\"]\n");
    EXPECT_NEAR(made(half).volume, 0.5 * one, 1e-12 * one);
    EXPECT_NEAR(made(finger(", channel = [0, 0]", element) + chamber("surfaces = [\"f.pocket_2\"]\n")).volume, room,
                1e-12 * room);
  }
}

/// A cube of 3 × 3 × 3 cells without the one in the middle, of which the walls are a group; sheared.
std::string cube_with_a_hole() {
  std::string nodes, elements;
  const auto number = [](int i, int j, int k) { return 1 + i + 4 * j + 16 * k; };
  for (int k = 0; k < 4; ++k)
    for (int j = 0; j < 4; ++j)
      for (int i = 0; i < 4; ++i)
        nodes += fmt::format("{} {} {} {}\n", number(i, j, k), i + 0.3 * k, j + 0.1 * i, 1.5 * k);
  int count = 0;
  for (int k = 0; k < 3; ++k)
    for (int j = 0; j < 3; ++j)
      for (int i = 0; i < 3; ++i) {
        if (i == 1 && j == 1 && k == 1) continue;
        elements += fmt::format("{} 5 2 1 1", ++count);
        for (const int up : {0, 1})
          for (const auto& [a, b] : {std::pair{0, 0}, {1, 0}, {1, 1}, {0, 1}})
            elements += fmt::format(" {}", number(i + a, j + b, k + up));
        elements += "\n";
      }
  for (int axis = 0; axis < 3; ++axis)
    for (const int at : {1, 2}) {
      elements += fmt::format("{} 3 2 2 2", ++count);
      for (const auto& [a, b] : {std::pair{1, 1}, {2, 1}, {2, 2}, {1, 2}}) {
        int x[3];
        x[axis] = at, x[(axis + 1) % 3] = a, x[(axis + 2) % 3] = b;
        elements += fmt::format(" {}", number(x[0], x[1], x[2]));
      }
      elements += "\n";
    }
  return fmt::format(
      "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n2\n2 2 \"hole\"\n3 1 \"rubber\"\n$EndPhysicalNames\n"
      "$Nodes\n64\n{}$EndNodes\n$Elements\n{}\n{}$EndElements\n",
      nodes, count, elements);
}

TEST(SolidChambers, InAGmshMeshAreItsGroups) {
  const std::string file = testing::TempDir() + "chamber_cube.msh";
  std::ofstream(file) << cube_with_a_hole();
  const std::string scene =
      head +
      fmt::format("[solid.g]\nshape = {{ type = \"gmsh\", file = \"{}\", scale = 0.01 }}\nmaterial = \"m\"\n", file);
  // det of the shear and stretch: 1 · 1 · 1.5 − 0.3 · 0.1 · 0 = 1.5 of a cell of 1 cm³.
  EXPECT_NEAR(made(scene + chamber("surfaces = [\"g.hole\"]\n")).volume, 1.5e-6, 1e-12 * 1.5e-6);
  EXPECT_THAT(problems_of(scene + chamber("surfaces = [\"g.rubber\"]\n") + statics),
              testing::Contains(HasSubstr("\"g.rubber\" is a volume")));
}

// A tube of plates stands on a tube of rubber; their nodes do not meet. Both are round to 4e-4 here.
TEST(SolidChambers, GoOnFromSolidsToPlates) {
  const std::string scene = head + tube("t", 16) + R"(
[material.skin]
E = "1 MPa"
nu = 0.4
rho = 1000
[plate.p]
shape = { type = "tube", axis = [[0, 0, 0.1], [0, 0, 0.25]], radius = [0.02, 0.02] }
elements = [2, 20]
material = "skin"
thickness = "1 mm"
)" + chamber("surfaces = [\"t.inner\", \"p\"]\nlids = true\n");
  const double exact = 0.25 * pi * 0.02 * 0.02;
  EXPECT_NEAR(made(scene).volume, exact, 4e-4 * exact);
}

TEST(SolidChambers, SayWhatTheyCannotBe) {
  const auto say = [](const std::string& keys) { return problems_of(head + tube("t", 8) + chamber(keys) + statics); };
  EXPECT_THAT(
      say("surfaces = [\"t.innner\"]\nlids = true\n"),
      testing::Contains(
          "the solid \"t\" has no surface named \"innner\"; it has \"inner\", \"outer\", \"bottom\" and \"top\""));
  EXPECT_THAT(say("surfaces = [\"t\"]\n"),
              testing::Contains("which surface of \"t\"? It has \"inner\", \"outer\", \"bottom\" and \"top\""));
  EXPECT_THAT(say("surfaces = [\"u.inner\"]\n"),
              testing::Contains("there is no plate or surface of a solid named \"u.inner\""));
  EXPECT_THAT(say("surfaces = [\"t.inner\"]\n"),
              testing::Contains(StartsWith("leaks at \"t.inner\": an opening 0.04 m wide at (")));
  EXPECT_THAT(say("surfaces = [\"t.inner\", \"t.inner\"]\nlids = true\n"),
              testing::Contains("\"t.inner\" is named twice"));
  EXPECT_THAT(say("surfaces = [\"t.inner\", \"solid.t.inner\"]\nlids = true\n"),
              testing::Contains("\"solid.t.inner\" is named twice"));
  EXPECT_THAT(say("surfaces = [\"t.outer\"]\nlids = true\n"),
              testing::Contains(StartsWith("encloses the material of \"t.outer\" and no room")));
  EXPECT_THAT(say("surfaces = [\"t.*\"]\n"),
              testing::Contains(StartsWith("encloses the material of \"t.inner\", \"t.outer\"")));
  EXPECT_THAT(say("surfaces = [\"t.inner\"]\nlids = true\noverpressure = \"2 mm\"\n").size(), 1u);
}

TEST(SolidPressure, SaysWhereItCannotPress) {
  const auto say = [](const std::string& on) {
    return message_of(head + tube("t", 8) +
                      fmt::format("[load.p]\ntype = \"pressure\"\non = \"{}\"\npressure = 1e3\n", on) +
                      joint("foot", "weld", "t.bottom", "") + statics);
  };
  EXPECT_EQ(say("t.inner"), "");
  EXPECT_EQ(say("t.iner"),
            "the solid \"t\" has no surface named \"iner\"; it has \"inner\", \"outer\", \"bottom\" and \"top\"");
  EXPECT_EQ(say("t"), "which surface of \"t\"? It has \"inner\", \"outer\", \"bottom\" and \"top\"");
  EXPECT_EQ(say("tt.inner"), "there is no plate named \"tt.inner\"");
}

/// W of rubber by its principal stretches, J = 1.
struct Law {
  std::string text;
  double c10, c01 = 0, c20 = 0, c30 = 0;
  double W(double a, double b, double c) const {
    const double I = a * a + b * b + c * c - 3, II = 1 / (a * a) + 1 / (b * b) + 1 / (c * c) - 3;
    return c10 * I + c01 * II + c20 * I * I + c30 * I * I * I;
  }
};
const Law mooney{"type = \"mooney-rivlin\"\nc10 = 8e4\nc01 = 1e4\nbulk = 2e10\nrho = 1000\n", 8e4, 1e4};
const Law yeoh{"type = \"yeoh\"\nc10 = 1e5\nc20 = 3e3\nc30 = 500\nbulk = 2e10\nrho = 1000\n", 1e5, 0, 3e3, 500};

/// p = ∫ W'(λ)/(λⁿ − 1) dλ from the outer to the inner stretch, n = 3 of a sphere, 2 of a tube that keeps its length: λⁿ − 1 goes with
/// the cube or square of the radius.
double inflation_pressure(const Law& law, int n, double inner, double outer, double stretch) {
  const double grown = (std::pow(stretch, n) - 1) * std::pow(inner, n);
  const double far = std::pow(1 + grown / std::pow(outer, n), 1.0 / n);
  const auto slope = [&](double x) {
    const double h = 1e-5;
    const auto W = [&](double l) { return n == 3 ? law.W(1 / (l * l), l, l) : law.W(1 / l, l, 1); };
    return (W(x + h) - W(x - h)) / (2 * h) / (std::pow(x, n) - 1);
  };
  constexpr int steps = 400;  // Simpson's rule
  double sum = 0;
  for (int k = 0; k <= steps; ++k)
    sum += (k == 0 || k == steps ? 1 : k % 2 == 0 ? 2 : 4) * slope(far + (stretch - far) * k / steps);
  return sum * (stretch - far) / steps / 3;
}

const std::string planes = R"(
[plane.x]
point = [0, 0, 0]
normal = [1, 0, 0]
[plane.y]
point = [0, 0, 0]
normal = [0, 1, 0]
[plane.z]
point = [0, 0, 0]
normal = [0, 0, 1]
)";

std::string held(const std::string& name) {
  return joint(name + "_x", "point_on_plane", name + ".left", "normal = [1, 0, 0]") +
         joint(name + "_y", "point_on_plane", name + ".front", "normal = [0, 1, 0]") +
         joint(name + "_z", "point_on_plane", name + ".bottom", "normal = [0, 0, 1]");
}

/// An octant of a thick sphere, 1 cm inside, with its chamber.
std::string sphere(const Law& law, double outer, const std::string& elements, const std::string& keys,
                   const std::string& element = "hexahedra-20") {
  return "space = \"spatial\"\n[material.m]\n" + law.text +
         solid("s", fmt::format("type = \"sphere\", inner = 0.01, outer = {}, part = \"octant\"", outer), elements,
               "element = \"" + element + "\"\n") +
         held("s") + planes + chamber("surfaces = [\"s.inner\"]\nplanes = [\"x\", \"y\", \"z\"]\n" + keys) +
         sensor_text("r", "position", "at", "s@(0, 0, 0)") + sensor_text("p", "pressure", "of", "c") +
         sensor_text("V", "volume", "of", "c");
}

// Yeoh's rubber, inside stretched by 1.65; k/mu = 1e5, so that the closed form of what keeps its volume holds to 1e-6. Fourth order in
// the pressure at the stretch of the volume that is found: errors 2.6e-3, 1.3e-4, 2.8e-6.
TEST(SolidChambers, BlowUpAThickSphere) {
  double before = 0;
  for (const int n : {2, 4, 8}) {
    const Sensors s = end_of(
        sphere(yeoh, 0.015, fmt::format("[{}, {}, {}]", n / 2, n, n), "type = \"pressure\"\npressure = \"110 kPa\"\n") +
        statics);
    const double stretch = std::cbrt(s.at("V")[0] / (pi / 6)) / 0.01;
    const double error = std::fabs(s.at("p")[0] / inflation_pressure(yeoh, 3, 0.01, 0.015, stretch) - 1);
    RecordProperty(fmt::format("stretch_{}", n), fmt::format("{:.6f}", stretch));
    RecordProperty(fmt::format("error_{}", n), fmt::format("{:.2e}", error));
    EXPECT_NEAR(s.at("r")[0] / 0.01, stretch, 0.02 / n);
    EXPECT_LE(error, 0.01);
    if (before > 0) {
      EXPECT_LE(error, before / 12) << n;
    }
    before = error;
  }
}

// Mooney's rubber, by a pressure on the wall inside: a quarter of a tube that keeps its length. Third order at the nodes: errors 1.2e-3,
// 1.6e-4, 2.4e-5.
TEST(SolidPressure, BlowsUpAThickTube) {
  double before = 0;
  for (const int n : {1, 2, 4}) {
    const Sensors s =
        end_of("space = \"spatial\"\n[material.m]\n" + mooney.text +
               solid("t",
                     fmt::format("type = \"tube\", inner = 0.01, outer = 0.02, height = 0.005, "
                                 "angle = {}",
                                 pi / 2),
                     fmt::format("[{}, {}, 1]", 2 * n, 2 * n)) +
               joint("x", "point_on_plane", "t.end", "normal = [1, 0, 0]") +
               joint("y", "point_on_plane", "t.start", "normal = [0, 1, 0]") +
               joint("z", "point_on_plane", "t.bottom", "normal = [0, 0, 1]") +
               joint("top", "point_on_plane", "t.top", "normal = [0, 0, 1]") +
               "[load.p]\ntype = \"pressure\"\non = \"t.inner\"\npressure = \"= 7e4 * (1 + 0 * t)\"\n" +
               sensor_text("r", "position", "at", "t@(0, 0, 0)") + sensor_text("p", "pressure", "of", "p") + statics);
    const double stretch = s.at("r")[0] / 0.01, exact = inflation_pressure(mooney, 2, 0.01, 0.02, stretch);
    const double error = std::fabs(7e4 / exact - 1);
    EXPECT_NEAR(s.at("p")[0], 7e4, 1e-9);
    RecordProperty(fmt::format("stretch_{}", n), fmt::format("{:.6f}", stretch));
    RecordProperty(fmt::format("error_{}", n), fmt::format("{:.2e}", error));
    EXPECT_GT(stretch, 1.3);
    EXPECT_LE(error, 0.01);
    if (before > 0) {
      EXPECT_LE(error, before / 6) << n;
    }
    before = error;
  }
}

// Around what is closed both are the same: a chamber at a given pressure, and a pressure on its walls.
TEST(SolidPressure, OnAClosedSurfaceIsThatOfAChamber) {
  const auto finger = [](const std::string& air) {
    return end_of(head + solid("f", "type = \"finger\", pockets = 2", "[1, 1, 1]", "element = \"hexahedra-8\"\n") +
                  joint("base", "weld", "f.base", "") + air + sensor_text("tip", "position", "at", "f.tip") + statics);
  };
  const Sensors chambered = finger(chamber("type = \"pressure\"\nsurfaces = [\"f.cavity\"]\npressure = 2e3\n")),
                pressed = finger("[load.p]\ntype = \"pressure\"\non = \"f.cavity\"\npressure = 2e3\n");
  EXPECT_LT(chambered.at("tip")[2], 0.008 - 1e-4) << "bends down";
  for (size_t i = 0; i < 3; ++i) EXPECT_NEAR(chambered.at("tip")[i], pressed.at("tip")[i], 1e-10);
}

// A barrel that becomes shorter as its piston, a solid of another mesh, comes down: the gas keeps P V. The disc of the piston, of 8
// elements around, lacks 7.8e-4 of its area, and the gas widens the barrel (E = 1 GPa, nu = 0) by 2e-4.
TEST(SolidChambers, InASyringeFollowItsPiston) {
  const std::string down = "x = 0\ny = 0\nz = -0.03";
  const std::string scene =
      "space = \"spatial\"\n[material.m]\nE = 1e9\nnu = 0.0\nrho = 1000\n" + tube("barrel", 12) +
      solid("piston", "type = \"cylinder\", radius = 0.02, height = 0.02", "[1, 8, 1]", "position = [0, 0, 0.1]\n") +
      joint("foot", "weld", "barrel.bottom", "") + joint("rim", "prescribed", "barrel.top", down) +
      joint("rod", "prescribed", "piston.top", down) + joint("front", "prescribed", "piston.bottom", down) +
      chamber("surfaces = [\"barrel.inner\", \"piston.bottom\"]\nlids = true\n") +
      sensor_text("p", "pressure", "of", "c") + sensor_text("V", "volume", "of", "c") + statics;
  const Sensors s = end_of(scene);
  const double V0 = made(scene).volume, V = s.at("V")[0];
  EXPECT_NEAR(V0, 0.1 * pi * 0.02 * 0.02, 7.8e-4 * V0);
  EXPECT_NEAR(V, 0.7 * V0, 5e-4 * V0);
  EXPECT_NEAR((101325 + s.at("p")[0]) * V, 101325 * V0, 1e-8 * 101325 * V0);
}

const Law skin{"type = \"yeoh\"\nc10 = 1.6e5\nc20 = 0\nc30 = 100\nbulk = 1e9\nrho = 1000\n", 1.6e5, 0, 0, 100};

/// Of `found` in [from, to], where it changes sign.
template <class F>
double root(double from, double to, F&& found) {
  const bool low = found(from) > 0;
  for (int k = 0; k < 60; ++k) {
    const double middle = 0.5 * (from + to);
    ((found(middle) > 0) == low ? from : to) = middle;
  }
  return 0.5 * (from + to);
}

/// `radius` inside, a wall of a twenty-fifth of it.
std::string small_or_large(const std::string& name, double radius) {
  const std::string keys = fmt::format("surfaces = [\"{}.inner\"]\nplanes = [\"x\", \"y\", \"z\"]\n", name);
  return solid(name, fmt::format("type = \"sphere\", inner = {}, outer = {}, part = \"octant\"", radius, 1.04 * radius),
               "[1, 4, 4]") +
         held(name) + fmt::format("[chamber.{}_air]\n{}", name, keys) +
         sensor_text("V_" + name, "volume", "of", name + "_air") +
         sensor_text("p_" + name, "pressure", "of", name + "_air") +
         sensor_text("m_" + name, "gas_mass", "of", name + "_air");
}

// By pressure a balloon has a limit point, which the arc length finds; filled with a liquid, by volume, it has none, and statics go
// through all of it. Closed form: 15.590 kPa at a stretch of 1.406.
TEST(SolidChambers, BlowUpABalloonThroughItsLimitPoint) {
  const std::string body =
      "space = \"spatial\"\n[material.m]\n" + skin.text +
      solid("s", "type = \"sphere\", inner = 0.05, outer = 0.052, part = \"octant\"", "[1, 4, 4]") + held("s") +
      planes + sensor_text("p", "pressure", "of", "c") + sensor_text("V", "volume", "of", "c");
  const std::string walls = "surfaces = [\"s.inner\"]\nplanes = [\"x\", \"y\", \"z\"]\n";
  RunOptions options;
  options.record = false;
  const RunSummary path = run_scene(read_scene_text(body + chamber(walls + "type = \"pressure\"\npressure = 16e3\n") +
                                                        statics + "arc_length = true\n",
                                                    "scene.toml", scene_terms()),
                                    options);
  ASSERT_EQ(path.status, RunStatus::finished) << path.message;
  ASSERT_EQ(path.at_rest.critical.size(), 2u);
  EXPECT_NEAR(path.at_rest.critical[0].load_factor * 16e3, 15590, 0.005 * 15590);
  EXPECT_NEAR(path.at_rest.critical[1].load_factor * 16e3, 11613, 0.02 * 11613);
  const double V0 = pi / 6 * std::pow(0.05, 3);
  for (const double stretch : {1.4, 2.0}) {
    const Sensors s = end_of(
        body + chamber(walls + fmt::format("type = \"liquid\"\nadded = {}\n", std::pow(stretch, 3) - 1)) + statics);
    EXPECT_NEAR(s.at("V")[0], std::pow(stretch, 3) * V0, 1.5e-3 * std::pow(stretch, 3) * V0) << "1.2e-3 by the mesh";
    EXPECT_NEAR(s.at("p")[0], inflation_pressure(skin, 3, 0.05, 0.052, stretch),
                0.01 * inflation_pressure(skin, 3, 0.05, 0.052, stretch))
        << stretch;
  }
}

// Both are blown up beyond their limit points, the small one to a stretch of 1.8, the large one to 2.2; then the line between them opens.
// The small one empties until it is below its limit point. Closed form: one pressure, and the gas that there is.
TEST(SolidChambers, OfTwoBalloonsTheSmallOneEmptiesIntoTheLargeOne) {
  const Sensors s = end_of(
      "mass_damping = 200\nspace = \"spatial\"\n[material.m]\n" + skin.text + planes + small_or_large("small", 0.025) +
      small_or_large("large", 0.05) +
      "[line.a]\ntype = \"inflow\"\nof = \"small_air\"\nrate = { type = \"piecewise\", points = [[0, 5.554e-5], [1, "
      "5.554e-5], [1, 0]] }\n"
      "[line.b]\ntype = \"inflow\"\nof = \"large_air\"\nrate = { type = \"piecewise\", points = [[0, 8.629e-4], [1, "
      "8.629e-4], [1, 0]] }\n"
      "[line.tube]\ntype = \"between\"\nof = \"small_air\"\nto = \"large_air\"\nresistance = 2e7\nopening = { type = "
      "\"piecewise\", points = [[0, 0], [1, 0], [1.1, 1]] }\n"
      "[[analysis]]\nname = \"fill\"\ntype = \"dynamic\"\nend = 1\nstep = 0.025\n"
      "[[analysis]]\nname = \"join\"\ntype = \"dynamic\"\nend = 6\nstep = 0.05\n");
  const double RT = 287.05 * 293.15, mass = s.at("m_small")[0] + s.at("m_large")[0];
  const auto p = [](double radius, double stretch) {
    return inflation_pressure(skin, 3, radius, 1.04 * radius, stretch);
  };
  const auto gas = [&](double radius, double stretch) {
    return (101325 + p(radius, stretch)) * pi / 6 * std::pow(radius * stretch, 3) / RT;
  };
  const auto large_beside = [&](double small) {
    return root(1.42, 2.7, [&](double x) { return p(0.05, x) - p(0.025, small); });
  };
  const double small = root(1.142, 1.38, [&](double x) { return gas(0.025, x) + gas(0.05, large_beside(x)) - mass; }),
               large = large_beside(small);
  const auto stretch = [&](const char* name, double radius) { return std::cbrt(s.at(name)[0] / (pi / 6)) / radius; };
  RecordProperty("stretch_small", fmt::format("{:.4f} {:.4f}", stretch("V_small", 0.025), small));
  RecordProperty("stretch_large", fmt::format("{:.4f} {:.4f}", stretch("V_large", 0.05), large));
  EXPECT_NEAR(s.at("p_small")[0], s.at("p_large")[0], 1e-3 * s.at("p_large")[0]);
  EXPECT_NEAR(stretch("V_small", 0.025), small, 2e-3 * small);
  EXPECT_NEAR(stretch("V_large", 0.05), large, 2e-3 * large);
  EXPECT_LT(stretch("V_small", 0.025), 1.2);
  EXPECT_GT(stretch("V_large", 0.05), 2.2);
}

// The same history of the pressure at h, h/2 and h/4: second order (measured 2.02), of a sphere that a supply fills through a line.
TEST(SolidChambers, HaveOneHistoryOfThePressure) {
  double p[3];
  for (const int k : {0, 1, 2}) {
    const double h = 2e-3 / (1 << k);
    const Sensors s = end_of(
        "mass_damping = 50\n" + sphere(yeoh, 0.015, "[1, 2, 2]", "", "hexahedra-8") +
        "[line.l]\ntype = \"supply\"\nof = \"c\"\nresistance = 2e8\npressure = { type = \"smooth_step\", to = 1e5, "
        "duration = 0.04 }\n" +
        fmt::format("[[analysis]]\nname = \"go\"\ntype = \"dynamic\"\nend = 0.06\nstep = {}\n", h));
    p[k] = s.at("p")[0];
  }
  const double order = std::log2((p[0] - p[1]) / (p[1] - p[2]));
  RecordProperty("pressure", fmt::format("{:.3f} {:.3f} {:.3f}", p[0], p[1], p[2]));
  RecordProperty("order", fmt::format("{:.3f}", order));
  EXPECT_GT(p[2], 1e4);
  EXPECT_NEAR(order, 2, 0.3);
}

}  // namespace
}  // namespace flexura::test
