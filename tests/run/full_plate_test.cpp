// Full plates of scenes: closed forms, reactions, sensors of the wall, welds, messages.

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cmath>

#include "flexura/material/elastic_laws.hpp"
#include "flexura/material/homogeneous.hpp"
#include "tests/support/scenes.hpp"

namespace flexura::test {
namespace {

using testing::HasSubstr;

const std::string head = R"(
space = "spatial"
[material.m]
type = "neo-hooke"
mu = 1e5
bulk = 1e7
rho = 1000
)";
const std::string statics = "[[analysis]]\nname = \"s\"\ntype = \"static\"\ntolerance = 1e-12\n";

std::string plate(const std::string& element, const std::string& elements, const std::string& more = "") {
  return fmt::format(
      "[plate.p]\nshape = {{ type = \"flat\", size = [0.1, 0.04] }}\nelements = {}\nelement = \"{}\"\nmaterial = "
      "\"m\"\nthickness = 0.004\n{}\n",
      elements, element, more);
}
std::string weld(const std::string& first, const std::string& second, const std::string& type = "weld",
                 const std::string& more = "") {
  return fmt::format("[joint.{}_{}]\ntype = \"{}\"\nof = [\"{}\", \"{}\"]\n{}\n", type,
                     second.substr(second.find('.') + 1), type, first, second, more);
}

// Turning freely by 0.02 rad a step from rest: energy and angular momentum stay, although r_zz [1/m] is beside lengths. 1e-12: Newton's.
TEST(FullPlateScene, TurnsFreelyWithItsEnergy) {
  const Sensors s = end_of(head + plate("full", "[2, 1]", "angular_velocity = [0, 0, 20]\nabout = [0.05, 0.02, 0]") +
                           "[sensor.energy]\ntype = \"energy\"\n[sensor.spin]\ntype = \"angular_momentum\"\n"
                           "[[analysis]]\nname = \"turn\"\ntype = \"dynamic\"\nintegrator = \"energy-momentum\"\n"
                           "end = 0.05\nstep = 1e-3\n");
  const double inertia = 1000 * 0.1 * 0.04 * 0.004 * (0.1 * 0.1 + 0.04 * 0.04) / 12;
  EXPECT_NEAR(s.at("spin")[2], inertia * 20, 1e-10 * inertia * 20);
  EXPECT_NEAR(s.at("energy")[0], inertia * 200, 1e-10 * inertia * 200);
}

// A sheet on two lines of symmetry, pulled by forces along its end: uniaxial tension. Over the face of the edge the force is even.
TEST(FullPlateScene, ASheetThatIsPulledHasTheClosedForm) {
  const double stretch = 1.4, area = 0.04 * 0.004;
  const CompressibleTension exact =
      compressible_tension(TensionTest::uniaxial, {}, ElasticConstants<double>{{1e5}, 1e7}, stretch);
  for (const bool paper : {false, true}) {
    const Sensors s = end_of(
        head + plate(paper ? "xing2022" : "full", "[2, 1]") +
        weld("ground", "p.start", "planar", "normal = [1, 0, 0]") +
        weld("ground", "p.bottom", "planar", "normal = [0, 1, 0]") +
        "[joint.low]\ntype = \"point_on_plane\"\nof = [\"ground\", \"p.top\"]\nnormal = [0, 0, 1]\n" +
        "[joint.low2]\ntype = \"point_on_plane\"\nof = [\"ground\", \"p.corner_start_bottom\"]\nnormal = [0, 0, 1]\n" +
        fmt::format("[load.pull]\ntype = \"edge_force\"\nat = \"p.end\"\nforce = [{:.17g}, 0, 0]\n",
                    exact.stress * 0.004) +
        sensor_text("end", "position", "at", "p@(1, 0.3)") + sensor_text("N", "membrane_force", "at", "p@(0.5, 0.5)") +
        sensor_text("E", "membrane_strain", "at", "p@(0.5, 0.5)") +
        sensor_text("stretch", "principal_stretches", "at", "p@(0.3, 0.4)") +
        sensor_text("J", "volume_ratio", "at", "p@(0.3, 0.4)") + "face = \"top\"\n" +
        sensor_text("S", "second_piola_kirchhoff", "at", "p@(0.3, 0.4)") + "face = \"bottom\"\n" +
        sensor_text("c", "cauchy_stress", "at", "p@(0.3, 0.4)") +
        sensor_text("G", "green_strain", "at", "p@(0.3, 0.4)") +
        sensor_text("p", "hydrostatic_pressure", "at", "p@(0.3, 0.4)") + "face = \"top\"\n" + statics);
    EXPECT_NEAR(s.at("end")[0], 0.1 * stretch, 1e-7);
    EXPECT_NEAR(s.at("E")[0], (stretch * stretch - 1) / 2, 1e-6);
    EXPECT_NEAR(s.at("N")[0], exact.stress * area / 0.04 / stretch, 1e-5 * exact.stress * 0.004);
    const double across = exact.stretches.of[1], J = stretch * across * across, cauchy = exact.stress * stretch / J;
    EXPECT_NEAR(s.at("stretch")[0], stretch, 1e-6);
    EXPECT_NEAR(s.at("stretch")[2], across, 1e-6);
    EXPECT_NEAR(s.at("J")[0], J, 1e-6);
    EXPECT_NEAR(s.at("S")[0], exact.stress / stretch, 1e-5 * exact.stress);
    EXPECT_NEAR(s.at("S")[1], 0, 1e-5 * exact.stress);
    EXPECT_NEAR(s.at("c")[0], cauchy, 1e-5 * cauchy);
    EXPECT_NEAR(s.at("G")[2], (across * across - 1) / 2, 1e-6);
    EXPECT_NEAR(s.at("p")[0], -cauchy / 3, 1e-5 * cauchy);
  }
}

// Under its weight, clamped: the reaction is the weight; the moment of the wall at the clamp that of the weight, as a wide beam.
TEST(FullPlateScene, AClampCarriesTheWeight) {
  const Sensors s = end_of("gravity = [0, 0, -0.5]\n" + head + plate("full", "[8, 3]") + weld("ground", "p.start") +
                           sensor_text("r", "reaction", "of", "weld_start") +
                           sensor_text("M", "reaction_moment", "of", "weld_start") +
                           sensor_text("m", "bending_moment", "at", "p@(0.5, 0.5)") + statics);
  const double weight = 1000 * 0.1 * 0.04 * 0.004 * 0.5;
  EXPECT_NEAR(s.at("r")[2], weight, 1e-7 * weight);
  EXPECT_NEAR(s.at("M")[1], -weight * 0.05, 2e-2 * weight * 0.05);
  EXPECT_NEAR(std::fabs(s.at("m")[0]), weight / 2 * 0.025 / 0.04, 0.1 * weight / 2 * 0.025 / 0.04);
}

// Welded to a body that the ground holds: the same plate.
TEST(FullPlateScene, AWeldToABodyHoldsAsTheGroundDoes) {
  const std::string gravity = "gravity = [0, 0, -0.5]\n", tip = sensor_text("tip", "position", "at", "p@(1, 0.5)");
  const Sensors ground = end_of(gravity + head + plate("full", "[4, 2]") + weld("ground", "p.start") + tip + statics);
  const Sensors body =
      end_of(gravity + head + plate("full", "[4, 2]") + "[body.b]\nm = 0.1\ninertia = [1e-4, 1e-4, 1e-4]\n" +
             weld("b", "p.start") + weld("ground", "b") + tip + statics);
  EXPECT_LT(ground.at("tip")[2], -1e-4);
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(body.at("tip")[i], ground.at("tip")[i], 1e-9);
}

// Of thin plates these are not known; a face is that of a plate.
TEST(FullPlateScene, SensorsOfTheInsideSayWhereTheyAre) {
  const std::string thin = "space = \"spatial\"\n[material.m]\nE = 1e6\nnu = 0.3\nrho = 1000\n" +
                           plate("thin", "[2, 1]") + weld("ground", "p.start");
  EXPECT_THAT(message_of(thin + sensor_text("J", "volume_ratio", "at", "p@(0.3, 0.4)") + statics),
              HasSubstr("is not on a solid or full plate; volume_ratio is that of a solid or full plate"));
  EXPECT_THAT(message_of(head +
                         "[solid.b]\nshape = { type = \"block\", size = [0.1, 0.1, 0.1] }\nelements = [1, 1, 1]\n"
                         "material = \"m\"\n" +
                         weld("ground", "b.bottom") + sensor_text("J", "volume_ratio", "at", "b@(0.3, 0.4, 0.5)") +
                         "face = \"top\"\n" + statics),
              HasSubstr("is not on a full plate"));
}

TEST(FullPlateScene, SaysWhatBelongsToThinPlates) {
  const auto wrong = [](const std::string& more) { return message_of(head + plate("full", "[2, 1]", more) + statics); };
  EXPECT_THAT(wrong("curvature = \"koiter\""), HasSubstr("element = \"thin\""));
  EXPECT_THAT(message_of(head + plate("thin", "[2, 1]") + statics), HasSubstr("element = \"full\""));
}

/// Of the sheet p: three planes, two of symmetry.
const std::string on_planes =
    weld("ground", "p.start", "planar", "normal = [1, 0, 0]") +
    weld("ground", "p.bottom", "planar", "normal = [0, 1, 0]") +
    "[joint.low]\ntype = \"point_on_plane\"\nof = [\"ground\", \"p.top\"]\nnormal = [0, 0, 1]\n"
    "[joint.low2]\ntype = \"point_on_plane\"\nof = [\"ground\", \"p.corner_start_bottom\"]\nnormal = [0, 0, 1]\n";

// A strip whose top grows by b more than its bottom along u is free of stress on a circle of radius t/b: with b = 0.04 (L/t = 25)
// that is one radian. The end, by 4, 8 and 16 elements: order 2, as n is bilinear and cuts the corner between nodes; 1e-4 of the length
// on 16 (measured 6e-5).
TEST(FullPlateScene, CurlIntoACircleAsTheTopGrowsMore) {
  const double R = 0.004 / 0.04;
  double off[3];
  for (int k = 0; k < 3; ++k) {
    const Sensors s = end_of(head + plate("full", fmt::format("[{}, 1]", 4 << k), "growth = { bend_u = 0.04 }") +
                             weld("ground", "p.start") + sensor_text("end", "position", "at", "p@(1, 0.5)") +
                             sensor_text("mises", "von_mises", "at", "p@(0.5, 0.5)") + statics);
    off[k] = std::hypot(s.at("end")[0] - R * std::sin(0.1 / R), s.at("end")[2] + R * (1 - std::cos(0.1 / R)));
  }
  EXPECT_LT(off[2], 1e-4 * 0.1);
  EXPECT_NEAR(off[0] / off[1], 4, 0.5);
  EXPECT_NEAR(off[1] / off[2], 4, 0.2);
}

// Free of all but rigid motions it takes the lengths that it is told, without stress; 1e-3 Pa is rounding of 1e7.
TEST(FullPlateScene, GrowWithoutStress) {
  for (const char* element : {"full", "xing2022"}) {
    const Sensors s = end_of(head + plate(element, "[2, 1]", "growth = { u = 0.2, v = -0.1, normal = 0.5 }") +
                             on_planes + sensor_text("end", "position", "at", "p@(1, 1)") +
                             sensor_text("mises", "von_mises", "at", "p@(0.5, 0.5)") + statics);
    EXPECT_NEAR(s.at("end")[0], 0.12, 1e-10) << element;
    EXPECT_NEAR(s.at("end")[1], 0.036, 1e-10) << element;
    EXPECT_NEAR(s.at("mises")[0], 0, 1e-3) << element;
  }
}

// A pull along fibres: P = P of the matrix + 2 λ k₁ x, which is free of stress across. Tolerances: of the sheet without fibres.
TEST(FullPlateScene, FibresStiffenASheet) {
  const double stretch = 1.2, k1 = 5e4;
  const double P =
      compressible_tension(TensionTest::uniaxial, {}, ElasticConstants<double>{{1e5}, 1e7}, stretch).stress +
      2 * stretch * k1 * (stretch * stretch - 1);
  for (const bool paper : {false, true}) {
    const Sensors s =
        end_of(head + plate(paper ? "xing2022" : "full", "[2, 1]") + "[fibre.f]\nof = \"p\"\nangle = 0\n" +
               fmt::format("stiffness = {}\n", k1) + on_planes +
               fmt::format("[load.pull]\ntype = \"edge_force\"\nat = \"p.end\"\nforce = [{:.17g}, 0, 0]\n", P * 0.004) +
               sensor_text("end", "position", "at", "p@(1, 0.3)") + statics);
    EXPECT_NEAR(s.at("end")[0], 0.1 * stretch, 1e-7);
  }
}

// Muscles in the wall that pull with T per area of the reference press a free sheet as −T from outside would; across u too.
TEST(FullPlateScene, FibresPullASheetTogether) {
  const double stretch = 0.8;
  const CompressibleTension exact =
      compressible_tension(TensionTest::uniaxial, {}, ElasticConstants<double>{{1e5}, 1e7}, stretch);
  for (const bool paper : {false, true})
    for (const bool across : {false, true}) {
      const Sensors s = end_of(head + plate(paper ? "xing2022" : "full", "[2, 1]") +
                               fmt::format("[fibre.f]\nof = \"p\"\nangle = \"{} deg\"\ntension = {:.17g}\n",
                                           across ? 90 : 0, -exact.stress) +
                               on_planes + sensor_text("end", "position", "at", "p@(1, 1)") + statics);
      EXPECT_NEAR(s.at("end")[0], 0.1 * (across ? exact.stretches.of[1] : stretch), 1e-7);
      EXPECT_NEAR(s.at("end")[1], 0.04 * (across ? stretch : exact.stretches.of[1]), 1e-7);
    }
}

TEST(FullPlateScene, SayWhatIsWrongWithFibresAndGrowth) {
  const std::string fibre = "[fibre.f]\nof = \"p\"\nstiffness = 1\n";
  EXPECT_THAT(message_of(head + plate("thin", "[2, 1]", "growth = 0.1") + statics),
              HasSubstr("is that of full elements"));
  EXPECT_THAT(
      message_of(head + plate("full", "[2, 1]") + fibre + "direction = [1, 0, 0]\nframe = \"axes\"\n" + statics),
      HasSubstr("is for solids"));
  EXPECT_THAT(message_of(head + plate("full", "[2, 1]", "growth = { }") + statics), HasSubstr("says nothing"));
  EXPECT_THAT(
      message_of(head + plate("full", "[2, 1]", "growth = { u = -0.9, bend_u = 1.5 }") + statics),
      HasSubstr("the stretch of a face would be -0.65 at t = 0 s: 1 + u less half of bend_u must stay above 0"));
  EXPECT_THAT(
      message_of(head +
                 plate("full", "[2, 1]",
                       "growth = { v = { type = \"ramp\", to = -0.5, duration = 2 }, bend_v = \"= 1.5 * sin(t)\" }") +
                 "[[analysis]]\nname = \"d\"\ntype = \"dynamic\"\nend = 2\nstep = 0.1\n"),
      HasSubstr("at t = 1.202 s"));
}

}  // namespace
}  // namespace flexura::test
