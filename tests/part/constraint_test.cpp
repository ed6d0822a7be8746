// Lengths and areas that are kept, in scenes: closed forms on lines of 1 to 32 elements, other measures, edges of plates and
// solids, surfaces, changes over time, what is wrong with them.

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cmath>

#include "tests/support/scenes.hpp"

namespace flexura::test {
namespace {

using testing::HasSubstr;

constexpr double EA = 2000, rhoA = 0.5, length = 0.8, g = 9.81;

std::string cable(bool planar, int elements, const std::string& more = "") {
  return fmt::format(
      "space = \"{}\"\n[section.s]\nEA = {}\nEI = 0.02\nrhoA = {}\n[cable.hose]\nsection = \"s\"\npath = {}\n"
      "elements = {}\n[joint.clamp]\ntype = \"weld\"\nof = [\"ground\", \"hose.start\"]\n{}",
      planar ? "planar" : "spatial", EA, rhoA,
      planar ? fmt::format("[[0, 0], [0, -{}]]", length) : fmt::format("[[0, 0, 0], [0, 0, -{}]]", length), elements,
      more);
}
std::string kept(const std::string& keys) { return "[constraint.c]\n" + keys + "\n"; }
const std::string statics = "[[analysis]]\nname = \"s\"\ntype = \"static\"\ntolerance = 1e-13\n";
const std::string whole = "type = \"length\"\non = [\"hose\"]\n";
std::string sensors() { return sensor_text("L", "length", "of", "c") + sensor_text("T", "tension", "of", "c"); }

struct LineCase {
  bool planar;
  int elements;
};
class EveryLine : public testing::TestWithParam<LineCase> {};
INSTANTIATE_TEST_SUITE_P(Elements, EveryLine, testing::ValuesIn([] {
                           std::vector<LineCase> all;
                           for (const bool planar : {true, false})
                             for (const int n : {1, 2, 3, 7, 32}) all.push_back({planar, n});
                           return all;
                         }()),
                         [](const auto& one) {
                           return fmt::format("{}_{}", one.param.planar ? "planar" : "spatial", one.param.elements);
                         });

// A cable that hangs: its elements share one tension, λ = ρ g L/2 less the mean of the cable's own force N = EA (J² − 1) J/2, of which
// the second power is left where J − 1 runs evenly from −ε to ε: EA ε²/2, ε = ρ g L/(2 EA). The next power is 1e-9 of EA.
TEST_P(EveryLine, ThatHangsHasHalfItsWeightForTension) {
  const auto& [planar, elements] = GetParam();
  const std::string gravity = planar ? "gravity = [0, -9.81]\n" : "gravity = [0, 0, -9.81]\n";
  const Sensors s =
      end_of(gravity + cable(planar, elements,
                             kept(whole) + sensors() + sensor_text("end", "position", "at", "hose.end") + statics));
  const double weight = rhoA * g * length, strain = weight / (2 * EA);
  EXPECT_NEAR(s.at("T")[0], weight / 2 - EA * strain * strain / 2, 2e-9 * EA);
  EXPECT_NEAR(s.at("L")[0], length, 1e-14);
  EXPECT_NEAR(s.at("end")[planar ? 1 : 2], -length, 1e-12);
}

// A tendon: a tenth shorter, nothing pulls at the cable, whose own force is EA (0.9² − 1) 0.9/2; the tension balances it. Of a quadratic measure,
// ∫ r_x² dx, a line that is stretched evenly has the same length, and λ r_x in place of the unit tangent.
TEST_P(EveryLine, ThatIsShortenedCarriesWhatTheCableHas) {
  const auto& [planar, elements] = GetParam();
  for (const bool quadratic : {false, true}) {
    const Sensors s = end_of(
        cable(planar, elements,
              kept(whole + "change = -0.1\n" + (quadratic ? "measure = \"quadratic\"\n" : "")) + sensors() + statics));
    EXPECT_NEAR(s.at("L")[0], 0.9 * length, 1e-13);
    EXPECT_NEAR(s.at("T")[0], 0.0855 * EA / (quadratic ? 0.9 : 1.0), 1e-8);
  }
}

// Each element by itself: its tension is about the weight below its middle, largest in the first. Elements share their gradients, so that
// it is more by a share of one element's weight (measured: 0.092, alike for 2 to 32 elements).
TEST_P(EveryLine, OfElementsThatAreKeptEachHasTheWeightBelowThem) {
  const auto& [planar, elements] = GetParam();
  const std::string gravity = planar ? "gravity = [0, -9.81]\n" : "gravity = [0, 0, -9.81]\n";
  const Sensors s = end_of(gravity + cable(planar, elements, kept(whole + "each = true\n") + sensors() + statics));
  EXPECT_NEAR(s.at("T")[0], rhoA * g * length * (1 - 0.5 / elements), 0.11 * rhoA * g * length / elements);
  EXPECT_NEAR(s.at("L")[0], length, 1e-13);
}

// The quadratic measure bounds the length: what is stretched unevenly may shorten. The cable that hangs is stretched above by as
// much as it is compressed below, N = ρ g (L − s) − λ r_x; with ε = N/EA small ∫ ε dx = −½ ∫ ε² dx.
TEST(QuadraticLength, LetsALineShortenWhereItIsStretchedUnevenly) {
  const double weak = 20;
  std::string text =
      "gravity = [0, -9.81]\n" + cable(true, 16, kept(whole + "measure = \"quadratic\"\n") + sensors() + statics);
  text.replace(text.find("EA = 2000"), 9, fmt::format("EA = {}", weak));
  const Sensors s = end_of(text);
  const double spread = rhoA * g * length / weak;        // of ε between the ends
  const double shorter = length * spread * spread / 24;  // ½ ∫ ε²
  EXPECT_LT(s.at("L")[0], length - 0.8 * shorter);
  EXPECT_GT(s.at("L")[0], length - 1.2 * shorter);
}

// ── In motion ────────────────────────────────────────────────────────────────────────────────────────────────────────

// Generalized-α keeps positions to Newton's tolerance, explicit methods by projection; each with a length that changes over time.
TEST(KeptLength, IsKeptInMotionByImplicitAndExplicitMethods) {
  for (const std::string method : {"generalized-alpha", "energy-momentum", "rk45"}) {
    std::string text =
        "gravity = [9.81, 0]\n" + cable(true, 3, kept(whole + "change = \"= 0.05 * (cos(6 * t) - 1)\"\n") + sensors()) +
        sensor_text("v", "constraint_violation", "of", "length") +
        fmt::format("[[analysis]]\nname = \"m\"\ntype = \"dynamic\"\nend = 0.2\nstep = 1e-4\nintegrator = \"{}\"\n",
                    method);
    const Sensors s = end_of(text);
    EXPECT_NEAR(s.at("L")[0], length * (1 - 0.05 * (1 - std::cos(1.2))), 1e-10) << method;
    EXPECT_LT(s.at("v")[0], 1e-10) << method;
  }
}

// ── On plates and solids ─────────────────────────────────────────────────────────────────────────────────────────────

const std::string spatial = R"(
space = "spatial"
[material.m]
type = "neo-hooke"
mu = 1e5
bulk = 1e6
rho = 1000
)";

std::string sheet(const std::string& element, const std::string& elements = "[4, 3]") {
  return spatial +
         fmt::format(
             "[plate.sheet]\nelement = \"{}\"\nshape = {{ type = \"flat\", size = [0.4, 0.3] }}\nelements = {}\n"
             "material = \"{}\"\nthickness = 0.004\n",
             element, elements, element == "thin" ? "e" : "m") +
         "[material.e]\nE = 3e5\nnu = 0.3\nrho = 1000\n";
}
const std::string first_moment = "[[analysis]]\nname = \"m\"\ntype = \"dynamic\"\nend = 1e-4\nstep = 1e-4\n";

// Edges, lines of nodes, ways between nodes: as long as they are drawn, whatever is named twice.
TEST(KeptLength, IsOfEdgesRingsAndWaysOnPlates) {
  const auto length_of = [](const std::string& keys) {
    return end_of(sheet("full") + kept("type = \"length\"\n" + keys) + sensor_text("L", "length", "of", "c") +
                  first_moment)
        .at("L")[0];
  };
  EXPECT_NEAR(length_of("at = [\"sheet.start\"]"), 0.3, 1e-14);
  EXPECT_NEAR(length_of("at = [\"sheet@0.5\"]"), 0.3, 1e-14);
  EXPECT_NEAR(length_of("at = [\"sheet@0.5\", \"sheet@0.5\", \"sheet@0.25\"]"), 0.6, 1e-14);
  EXPECT_NEAR(length_of("between = [\"sheet@(0, 0)\", \"sheet@(1, 0)\"]"), 0.4, 1e-14);
  EXPECT_NEAR(length_of("between = [\"sheet@(0.25, 0)\", \"sheet@(0.75, 1)\"]"), 0.5, 1e-14);
}

// The circle, as cubic elements have it: 9.7e-3 m less with 4 of them, 4.1e-5 m with 16, fourth order.
TEST(KeptLength, GoesAroundATube) {
  for (const int n : {4, 16}) {
    const Sensors s =
        end_of(spatial +
               fmt::format("[plate.tube]\nelement = \"full\"\nshape = {{ type = \"tube\", axis = [[0, 0, 0], [1, 0, "
                           "0]], radius = [0.2, 0.2] }}\nelements = [2, {}]\nmaterial = \"m\"\nthickness = 0.01\n",
                           n) +
               kept("type = \"length\"\nat = [\"tube@0.5\"]\n") + sensor_text("L", "length", "of", "c") + first_moment);
    EXPECT_NEAR(s.at("L")[0], 2 * M_PI * 0.2, n == 4 ? 1e-2 : 5e-5) << n;
  }
}

// A curve of a solid, straight edges and those with a node in the middle.
TEST(KeptLength, IsOfWaysAlongSolids) {
  for (const std::string element : {"hexahedra-8", "hexahedra-20", "hexahedra-27", "tetrahedra-4", "tetrahedra-10"}) {
    const Sensors s = end_of(
        spatial +
        fmt::format(
            "[solid.leg]\nshape = {{ type = \"block\", size = [0.2, 0.02, 0.03] }}\nelements = [4, 1, 1]\nelement = "
            "\"{}\"\nmaterial = \"m\"\n[joint.x]\ntype = \"weld\"\nof = [\"ground\", \"leg.left\"]\n"
            "[load.pull]\ntype = \"force\"\nat = \"leg.right\"\nforce = [20, 0, 0]\n",
            element) +
        kept("type = \"length\"\nbetween = [\"leg@(0, 0, 0)\", \"leg@(1, 0, 0)\"]\n") + sensors() +
        sensor_text("z", "position", "at", "leg@(1, 0, 0)") + statics);
    EXPECT_NEAR(s.at("L")[0], 0.2, 1e-13) << element;
    EXPECT_GT(s.at("T")[0], 5) << element;  // one edge of four bears its share and what bending adds
  }
}

// A free sheet whose area is to be 1.21 of its own stretches evenly by 1.1. St. Venant–Kirchhoff of the wall (thin plates): second
// Piola–Kirchhoff tension E t/(1 − ν) (1.1² − 1)/2 per length; on a sheet stretched evenly it is the tension over the length as it is.
TEST(KeptArea, OfAFreeSheetStretchesItEvenly) {
  const Sensors s = end_of(
      sheet("thin") + kept("type = \"area\"\non = [\"sheet\"]\nchange = 0.1\n") + sensor_text("A", "area", "of", "c") +
      sensor_text("T", "surface_tension", "of", "c") +
      "[joint.pin]\ntype = \"weld\"\nof = [\"ground\", \"sheet@(0.5, 0.3333333333333333)\"]\nstretch = \"free\"\n" +
      statics);
  EXPECT_NEAR(s.at("A")[0], 1.21 * 0.12, 1e-13);
  EXPECT_NEAR(s.at("T")[0], -3e5 * 0.004 / 0.7 * 0.105, 1e-7);
}

// Of a solid's face: kept while the block is pressed flat.
TEST(KeptArea, OfASolidsFaceIsKept) {
  for (const std::string element : {"hexahedra-8", "hexahedra-20", "hexahedra-27", "tetrahedra-4", "tetrahedra-10"}) {
    const Sensors s = end_of(
        spatial +
        fmt::format(
            "[solid.leg]\nshape = {{ type = \"block\", size = [0.05, 0.04, 0.03] }}\nelements = [2, 2, 2]\nelement = "
            "\"{}\"\nmaterial = \"m\"\n[joint.x]\ntype = \"weld\"\nof = [\"ground\", \"leg.bottom\"]\n"
            "[load.press]\ntype = \"force\"\nat = \"leg.top\"\nforce = [0, 0, -20]\n",
            element) +
        kept("type = \"area\"\nat = [\"leg.top\"]\n") + sensor_text("A", "area", "of", "c") +
        sensor_text("T", "surface_tension", "of", "c") + statics);
    EXPECT_NEAR(s.at("A")[0], 0.002, 1e-14) << element;
    EXPECT_GT(s.at("T")[0], 0) << element;
  }
}

// ── Redundant and wrong ──────────────────────────────────────────────────────────────────────────────────────────────

// All of the line is held: its row is empty, set aside with a warning, and the tension is 0.
TEST(KeptLength, OfALineThatCannotMoveIsSetAside) {
  const Sensors s = end_of(sheet("full") +
                           "[joint.clamp]\ntype = \"weld\"\nof = [\"ground\", \"sheet.start\"]\nstretch = \"held\"\n" +
                           kept("type = \"length\"\nat = [\"sheet.start\"]\n") + sensors() + statics);
  EXPECT_EQ(s.at("T")[0], 0);
}

TEST(KeptLength, SaysWhatIsWrong) {
  const auto said = [](const std::string& keys) { return message_of(sheet("full") + kept(keys) + first_moment); };
  EXPECT_EQ(said("type = \"length\"\n"), "of what? Give \"on\", \"between\" or \"at\"");
  EXPECT_THAT(said("type = \"length\"\nat = [\"sheet@(0, 0)\"]\n"), HasSubstr("is not a line"));
  EXPECT_THAT(said("type = \"area\"\nat = [\"sheet.start\"]\n"), HasSubstr("is not a surface"));
  EXPECT_THAT(said("type = \"length\"\nbetween = [\"sheet@(0, 0)\", \"sheet@(0, 0)\"]\n"), "both places are the same");
  EXPECT_THAT(said("type = \"length\"\nbetween = [\"sheet@(0, 0)\", \"sheet@(0.3, 0)\"]\n"),
              HasSubstr("is not one node"));
  EXPECT_EQ(said("type = \"area\"\non = [\"sheat\"]\n"), "there is no plate named \"sheat\"");
  EXPECT_THAT(message_of(cable(true, 2, kept(whole) + sensor_text("A", "area", "of", "c") + statics)),
              HasSubstr("read its \"length\" or \"tension\""));
}

}  // namespace
}  // namespace flexura::test
