// Solids of scenes that grow, with fibres and muscles, and what is said where they are wrong.

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cmath>
#include <fstream>

#include "flexura/material/homogeneous.hpp"
#include "tests/support/scenes.hpp"

namespace flexura::test {
namespace {

using testing::HasSubstr;

const std::string statics = "[[analysis]]\nname = \"s\"\ntype = \"static\"\ntolerance = 1e-12\n";
const std::string rubber = R"(
[material.m]
type = "neo-hooke"
mu = 1e5
bulk = 1e7
rho = 1000
)";
std::string block(const std::string& name, const std::string& size, const std::string& elements,
                  const std::string& more = "", const std::string& material = "m") {
  return fmt::format("[solid.{}]\nshape = {{ type = \"block\", size = {} }}\nelements = {}\nmaterial = \"{}\"\n{}\n",
                     name, size, elements, material, more);
}
/// On three planes of symmetry.
const std::string bar = "space = \"spatial\"\n" + rubber;
const std::string planes = R"~(
[joint.x]
type = "point_on_plane"
of = ["ground", "bar.left"]
normal = [1, 0, 0]
[joint.y]
type = "point_on_plane"
of = ["ground", "bar.front"]
normal = [0, 1, 0]
[joint.z]
type = "point_on_plane"
of = ["ground", "bar.bottom"]
normal = [0, 0, 1]
[sensor.end]
type = "position"
at = "bar@(1, 1, 1)"
[sensor.mises]
type = "von_mises"
at = "bar@(0.3, 0.4, 0.5)"
)~";

// Free: each length is 1 + growth times what it was, and nothing is stressed. Stress: rounding of 1e7 Pa.
TEST(Growth, StretchesAFreeBlockWithoutStress) {
  const Sensors alike = end_of(bar + block("bar", "[0.1, 0.02, 0.03]", "[2, 1, 1]", "growth = 0.2") + planes + statics);
  EXPECT_NEAR(alike.at("end")[0], 0.12, 1e-10);
  EXPECT_NEAR(alike.at("end")[1], 0.024, 1e-10);
  EXPECT_NEAR(alike.at("end")[2], 0.036, 1e-10);
  EXPECT_NEAR(alike.at("mises")[0], 0, 1e-3);
  const Sensors along =
      end_of(bar + block("bar", "[0.1, 0.02, 0.03]", "[2, 1, 1]", "growth = { x = 0.5, z = -0.1 }") + planes + statics);
  EXPECT_NEAR(along.at("end")[0], 0.15, 1e-10);
  EXPECT_NEAR(along.at("end")[1], 0.02, 1e-10);
  EXPECT_NEAR(along.at("end")[2], 0.027, 1e-10);
}

// By a signal in time, slowly: the quasi-static shape, but for what swings (1e-6 of the length: 2 ms of its lowest period in 1 s).
TEST(Growth, FollowsASignalInTime) {
  const Sensors s =
      end_of(bar +
             block("bar", "[0.1, 0.02, 0.03]", "[2, 1, 1]",
                   "growth = { x = { type = \"smooth_step\", to = 0.3, duration = 1 } }\ndamping = 0.01") +
             planes + "[[analysis]]\nname = \"go\"\ntype = \"dynamic\"\nend = 1.2\nstep = 0.01\n");
  EXPECT_NEAR(s.at("end")[0], 0.13, 1e-4);
  EXPECT_NEAR(s.at("end")[1], 0.02, 1e-4);
}

// The same along all directions, by a signal written in place: as by its name, to the bit.
TEST(Growth, FollowsASignalWrittenInPlace) {
  const std::string keys = "type = \"smooth_step\"\nto = 0.3\nduration = 1\n";
  const std::string go = "[[analysis]]\nname = \"go\"\ntype = \"dynamic\"\nend = 1.2\nstep = 0.05\n";
  const auto grown = [&](const std::string& growth) {
    return end_of(bar + block("bar", "[0.1, 0.02, 0.03]", "[2, 1, 1]", "growth = " + growth + "\ndamping = 0.01") +
                  planes + "[signal.swell]\n" + keys + go);
  };
  const Sensors inline_signal = grown("{ type = \"smooth_step\", to = 0.3, duration = 1 }");
  EXPECT_NEAR(inline_signal.at("end")[1], 0.026, 1e-4);
  EXPECT_EQ(inline_signal.at("end"), grown("\"swell\"").at("end"));
  EXPECT_THAT(
      message_of(bar + block("bar", "[0.1, 0.02, 0.03]", "[2, 1, 1]", "growth = { type = \"rmp\", to = 1 }") + go),
      HasSubstr("rmp"));
}

// What grows freely stores and loses nothing: all that the account has at the end is what swings, and nothing is warned about. By 10 % in ten steps of 1 % its
// bulk modulus would store 3 µJ/mm³ a step if nothing gave way. Work of growth is that of the motion: of a bar that is held, ½ E A l g² at ν = 0.
TEST(Growth, DoesTheWorkThatIsStored) {
  const auto energies = [](const std::string& material, const std::string& more, double step) {
    RunOptions options;
    options.record = false;
    return run_scene(
        read_scene_text(
            "space = \"spatial\"\n" + material +
                block("bar", "[0.1, 0.02, 0.03]", "[2, 1, 1]", "damping = 1e-3\n" + more) + planes +
                fmt::format("[[analysis]]\nname = \"go\"\ntype = \"dynamic\"\nend = 0.02\nstep = {}\n", step),
            "scene.toml", scene_terms()),
        options);
  };
  const RunSummary freely = energies(rubber, "growth = { type = \"smooth_step\", to = 0.1, duration = 0.01 }", 1e-3);
  EXPECT_TRUE(freely.warnings.empty()) << freely.warnings[0];
  const std::string linear = "[material.m]\ntype = \"linear\"\nE = 1e5\nnu = 0\nrho = 1000\n";
  const std::string held =
      "growth = { x = { type = \"smooth_step\", to = 0.1, duration = 0.01 } }\n[joint.end]\ntype = "
      "\"point_on_plane\"\nof = [\"ground\", \"bar.right\"]\nnormal = [1, 0, 0]\n";
  const RunSummary strained = energies(linear, held, 1e-3);
  EXPECT_TRUE(strained.warnings.empty());
  EXPECT_NEAR(strained.work, strained.strain, 1e-4 * strained.strain);
}

// Behind a sudden load the velocities of what is damped much swing from step to step; what it loses is Δq's, not theirs: no more than the load did.
TEST(KelvinVoigt, LosesNoMoreThanASuddenLoadDoes) {
  RunOptions options;
  options.record = false;
  const auto pulled = [&](double step) {
    return run_scene(
        read_scene_text(
            bar + block("bar", "[0.1, 0.02, 0.03]", "[2, 1, 1]", "damping = 0.01") + planes +
                "[load.pull]\ntype = \"force\"\nat = \"bar.right\"\nforce = [5, 0, 0]\n" +
                fmt::format("[[analysis]]\nname = \"go\"\ntype = \"dynamic\"\nend = 0.05\nstep = {}\n", step),
            "scene.toml", scene_terms()),
        options);
  };
  for (const double step : {1e-3, 2.5e-4}) {
    const RunSummary s = pulled(step);
    EXPECT_TRUE(s.warnings.empty()) << s.warnings[0];
    EXPECT_GT(s.dissipated, 0.3 * s.work);
    EXPECT_LT(s.dissipated, s.work);
  }
}

/// A strip of two layers of which the lower grows by `strain`; its curvature about the middle.
double strip_curvature(double t1, double E1, double t2, double E2, double strain) {
  const auto material = [](const char* name, double E) {
    return fmt::format("[material.{}]\ntype = \"linear\"\nE = {}\nnu = 0\nrho = 1000\n", name, E);
  };
  const std::string text =
      "space = \"spatial\"\n" + material("one", E1) + material("two", E2) +
      block("a", fmt::format("[0.1, 0.005, {}]", t1), "[20, 1, 1]", fmt::format("growth = {{ x = {} }}", strain),
            "one") +
      block("b", fmt::format("[0.1, 0.005, {}]", t2), "[20, 1, 1]", fmt::format("position = [0, 0, {}]", t1), "two") +
      "[joint.bond]\ntype = \"weld\"\nof = [\"a.top\", \"b.bottom\"]\n"
      "[joint.foot]\ntype = \"weld\"\nof = [\"ground\", \"a.left\"]\n" +
      sensor_text("p", "position", "at", "a@(0.35, 0.5, 1)") + sensor_text("q", "position", "at", "a@(0.5, 0.5, 1)") +
      sensor_text("r", "position", "at", "a@(0.65, 0.5, 1)") + statics;
  const Sensors s = end_of(text);
  const double d = 0.5 * (s.at("r")[0] - s.at("p")[0]);
  return (s.at("p")[2] - 2 * s.at("q")[2] + s.at("r")[2]) / (d * d);
}
// Timoshenko's bimetal [timoshenko1925]: m = t₁/t₂, n = E₁/E₂. 1e-3 of it: squares of the slope and of the strain.
TEST(Growth, BendsABilayerAsABimetal) {
  const auto bimetal = [](double t1, double E1, double t2, double E2, double strain) {
    const double m = t1 / t2, n = E1 / E2;
    return 6 * strain * (1 + m) * (1 + m) / ((t1 + t2) * (3 * (1 + m) * (1 + m) + (1 + m * n) * (m * m + 1 / (m * n))));
  };
  const double numbers[][5] = {
      {0.002, 1e6, 0.002, 1e6, 1e-4}, {0.001, 4e6, 0.003, 1e6, 1e-4}, {0.002, 1e6, 0.001, 5e6, -1e-4}};
  for (const auto& [t1, E1, t2, E2, strain] : numbers) {
    const double exact = bimetal(t1, E1, t2, E2, strain);  // the lower layer grows: ends go up
    EXPECT_NEAR(strip_curvature(t1, E1, t2, E2, strain), exact, 1e-3 * std::fabs(exact)) << t1 << ' ' << E1;
  }
}

// Muscles that pull with T per area of the reference press a free bar as −T from outside would.
TEST(Fibres, PullABarTogether) {
  const double stretch = 0.8;
  const double tension =
      -compressible_tension(TensionTest::uniaxial, {}, ElasticConstants<double>{{1e5}, 1e7}, stretch).stress;
  const Sensors s =
      end_of(bar + block("bar", "[0.1, 0.02, 0.03]", "[2, 1, 1]") + planes +
             fmt::format("[fibre.muscle]\nof = \"bar\"\ndirection = [2, 0, 0]\ntension = {:.17g}\n", tension) +
             sensor_text("stretch", "fibre_stretch", "at", "bar@(0.3, 0.4, 0.5)") + statics);
  EXPECT_NEAR(s.at("end")[0], 0.1 * stretch, 1e-9);
  EXPECT_NEAR(s.at("stretch")[0], stretch, 1e-8);
}

// A force along fibres: P = P of the matrix + 2 λ k₁ x exp(k₂ x²).
TEST(Fibres, StiffenABarAlongThem) {
  const double stretch = 1.3, x = stretch * stretch - 1, k1 = 5e4, k2 = 0.4;
  const double P =
      compressible_tension(TensionTest::uniaxial, {}, ElasticConstants<double>{{1e5}, 1e7}, stretch).stress +
      2 * stretch * k1 * x * std::exp(k2 * x * x);
  const Sensors s = end_of(
      bar + block("bar", "[0.1, 0.02, 0.03]", "[2, 1, 1]") + planes +
      fmt::format("[fibre.f]\nof = \"bar\"\ndirection = [1, 0, 0]\nstiffness = {}\nexponent = {}\n", k1, k2) +
      fmt::format("[load.pull]\ntype = \"force\"\nat = \"bar.right\"\nforce = [{:.17g}, 0, 0]\n", P * 0.02 * 0.03) +
      statics);
  EXPECT_NEAR(s.at("end")[0], 0.1 * stretch, 1e-8);
}

/// Three cubes of 0.1 m in a row, each a volume of its own: "a", "b", "c"; ends "left" and "right", the other sides "walls".
std::string row_of_cubes() {
  std::string nodes, elements;
  const auto node = [](int i, int j, int k) { return 4 * i + 2 * j + k + 1; };
  for (int n = 0; n < 16; ++n)
    nodes += fmt::format("{} {} {} {}\n", n + 1, 0.1 * (n / 4), 0.1 * (n / 2 % 2), 0.1 * (n % 2));
  int count = 0;
  const auto quad = [&](int group, int a, int b, int c, int d) {
    elements += fmt::format("{} 3 2 {} {} {} {} {} {}\n", ++count, group, group, a, b, c, d);
  };
  quad(1, node(0, 0, 0), node(0, 1, 0), node(0, 1, 1), node(0, 0, 1));
  quad(2, node(3, 0, 0), node(3, 1, 0), node(3, 1, 1), node(3, 0, 1));
  for (int i = 0; i < 3; ++i) {
    for (int side = 0; side < 2; ++side) {
      quad(3 + side, node(i, 0, side), node(i + 1, 0, side), node(i + 1, 1, side), node(i, 1, side));
      quad(5 + side, node(i, side, 0), node(i + 1, side, 0), node(i + 1, side, 1), node(i, side, 1));
    }
    elements += fmt::format("{} 5 2 {} {} {} {} {} {} {} {} {} {}\n", ++count, 7 + i, 7 + i, node(i, 0, 0),
                            node(i + 1, 0, 0), node(i + 1, 1, 0), node(i, 1, 0), node(i, 0, 1), node(i + 1, 0, 1),
                            node(i + 1, 1, 1), node(i, 1, 1));
  }
  return "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n9\n2 1 \"left\"\n2 2 \"right\"\n2 3 \"low\"\n2 4 "
         "\"high\"\n2 5 \"front\"\n2 6 \"back\"\n3 7 \"a\"\n3 8 \"b\"\n3 9 \"c\"\n$EndPhysicalNames\n$Nodes\n16\n" +
         nodes + fmt::format("$EndNodes\n$Elements\n{}\n", count) + elements + "$EndElements\n";
}

// Pressed between walls each cube shortens by σ L/(k + 4 μ/3) of its own material. 1e-4: of strains of 1e-5.
TEST(SoftMaterials, OfAFileEachVolumeHasAnInlay) {
  const std::string file = testing::TempDir() + "row_of_cubes.msh";
  std::ofstream(file) << row_of_cubes();
  const std::string scene = bar +
                            "[material.n]\ntype = \"neo-hooke\"\nmu = 2e5\nbulk = 3e7\nrho = 1000\n"
                            "[material.o]\ntype = \"neo-hooke\"\nmu = 4e5\nbulk = 5e6\nrho = 1000\n" +
                            fmt::format(
                                "[solid.bar]\nshape = {{ type = \"gmsh\", file = \"{}\" }}\nmaterial = \"m\"\n"
                                "inlay = {{ at = \"b\", material = \"n\" }}\n",
                                file);
  std::string walls;
  for (const auto& [place, normal] :
       {std::pair{"left", "[1, 0, 0]"}, std::pair{"low", "[0, 0, 1]"}, std::pair{"high", "[0, 0, 1]"},
        std::pair{"front", "[0, 1, 0]"}, std::pair{"back", "[0, 1, 0]"}})
    walls += fmt::format("[joint.{}]\ntype = \"point_on_plane\"\nof = [\"ground\", \"bar.{}\"]\nnormal = {}\n", place,
                         place, normal);
  const std::string more = walls +
                           "[load.push]\ntype = \"force\"\nat = \"bar.right\"\nforce = [-1, 0, 0]\n"
                           "[sensor.end]\ntype = \"position\"\nat = \"bar.right\"\n" +
                           statics;
  const double compliance = 1 / (1e7 + 4e5 / 3) + 1 / (3e7 + 8e5 / 3) + 1 / (5e6 + 16e5 / 3);
  const Sensors s = end_of(scene + "[volume.third]\nof = \"bar\"\nat = \"c\"\nmaterial = \"o\"\n" + more);
  const double expected = 1 / 0.01 * 0.1 * compliance;
  EXPECT_NEAR(0.3 - s.at("end")[0], expected, 1e-4 * expected);
  EXPECT_THAT(message_of(scene + "[volume.third]\nof = \"bar\"\nat = \"d\"\nmaterial = \"o\"\n" + more),
              HasSubstr("no volume named \"d\""));
}

TEST(SoftMaterials, SayWhereElementsOfOnePointAreNone) {
  const std::string reduced = "formulation = \"reduced\"\n";
  EXPECT_THAT(message_of(bar + block("bar", "[0.1, 0.02, 0.03]", "[2, 1, 1]", reduced) + planes + statics),
              HasSubstr("hexahedra of 8 nodes alone"));
  EXPECT_THAT(
      message_of(bar +
                 block("bar", "[0.1, 0.02, 0.03]", "[2, 1, 1]", reduced + "element = \"hexahedra-8\"\ngrowth = 0.1\n") +
                 planes + statics),
      HasSubstr("takes \"mixed\""));
}

TEST(SoftMaterials, SayWhatIsWrong) {
  const std::string scene = bar + block("bar", "[0.1, 0.02, 0.03]", "[2, 1, 1]") + planes;
  const std::string fibre = "[fibre.f]\nof = \"bar\"\n";
  EXPECT_THAT(message_of(scene + fibre + "direction = [0, 0, 0]\nstiffness = 1\n" + statics), HasSubstr("is zero"));
  EXPECT_THAT(message_of(scene + fibre + "stiffness = 1\n" + statics), HasSubstr("either \"direction\" or \"angle\""));
  EXPECT_THAT(message_of(scene + fibre + "direction = [1, 0, 0]\nangle = 0.3\nstiffness = 1\n" + statics),
              HasSubstr("either \"direction\" or \"angle\""));
  EXPECT_THAT(message_of(scene + fibre + "angle = 0.3\n" + statics), HasSubstr("neither resist nor pull"));
  EXPECT_THAT(message_of(scene + fibre + "angle = 0.3\ntension = 1\nexponent = 2\n" + statics),
              HasSubstr("is of fibres with a \"stiffness\""));
  EXPECT_THAT(message_of(scene + sensor_text("s", "fibre_stretch", "at", "bar@(0.5, 0.5, 0.5)") + statics),
              HasSubstr("is not on a solid with fibres"));
  const auto grown = [&](const std::string& keys) {
    return bar + block("bar", "[0.1, 0.02, 0.03]", "[2, 1, 1]", keys) + planes;
  };
  EXPECT_THAT(message_of(grown("growth = { x = 0.1, radial = 0.1 }") + statics),
              HasSubstr("is either along x, y and z"));
  EXPECT_THAT(message_of(grown("axis = [0, 0, 0]") + statics), HasSubstr("is zero"));
  EXPECT_THAT(message_of(grown("growth = 0.1") +
                         "[[analysis]]\nname = \"go\"\ntype = \"dynamic\"\nend = 1\nstep = 0.1\nintegrator = "
                         "\"energy-momentum\"\n"),
              HasSubstr("cannot follow what grows"));
}

}  // namespace
}  // namespace flexura::test
