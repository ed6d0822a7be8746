// Solids of scenes: closed forms, joints with reactions, sensors, gravity, motion.

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cmath>

#include "flexura/material/elastic_laws.hpp"
#include "flexura/material/homogeneous.hpp"
#include "tests/support/scenes.hpp"

namespace flexura::test {
namespace {

using testing::Each;
using testing::HasSubstr;

const std::string head = R"(
space = "spatial"
[material.m]
type = "neo-hooke"
mu = 1e5
bulk = 1e7
rho = 1000
)";
const std::string stiff = R"(
space = "spatial"
[material.m]
type = "neo-hooke"
mu = 1e8
bulk = 1e9
rho = 1000
)";
const std::string statics = "[[analysis]]\nname = \"s\"\ntype = \"static\"\ntolerance = 1e-12\n";

std::string block(const std::string& name, const std::string& size, const std::string& elements,
                  const std::string& element = "hexahedra-20", const std::string& more = "") {
  return fmt::format(
      "[solid.{}]\nshape = {{ type = \"block\", size = {} }}\nelements = {}\nelement = \"{}\"\nmaterial = \"m\"\n{}\n",
      name, size, elements, element, more);
}
std::string joint(const std::string& name, const std::string& type, const std::string& first, const std::string& second,
                  const std::string& keys = "") {
  return fmt::format("[joint.{}]\ntype = \"{}\"\nof = [{}, \"{}\"]\n{}\n", name, type, first, second, keys);
}
std::string force(const std::string& name, const std::string& at, const std::string& f) {
  return fmt::format("[load.{}]\ntype = \"force\"\nat = \"{}\"\nforce = {}\n", name, at, f);
}

class EverySolidElement : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Elements, EverySolidElement,
                         testing::Values("hexahedra-8", "hexahedra-20", "hexahedra-27", "tetrahedra-4",
                                         "tetrahedra-10"),
                         [](const auto& name) {
                           std::string out = name.param;
                           std::replace(out.begin(), out.end(), '-', '_');
                           return out;
                         });

// A bar on three planes of symmetry, pulled by its end to 1.5 of its length: homogeneous, so all elements are exact. A force on
// a face is a uniform traction.
TEST_P(EverySolidElement, ABarThatIsPulledHasTheClosedForm) {
  const double stretch = 1.5, area = 0.02 * 0.03;
  const CompressibleTension exact =
      compressible_tension(TensionTest::uniaxial, {}, ElasticConstants<double>{{1e5}, 1e7}, stretch);
  const Sensors s = end_of(head + block("bar", "[0.1, 0.02, 0.03]", "[2, 1, 1]", GetParam()) +
                           joint("x", "point_on_plane", "\"ground\"", "bar.left", "normal = [1, 0, 0]") +
                           joint("y", "point_on_plane", "\"ground\"", "bar.front", "normal = [0, 1, 0]") +
                           joint("z", "point_on_plane", "\"ground\"", "bar.bottom", "normal = [0, 0, 1]") +
                           force("pull", "bar.right", fmt::format("[{:.17g}, 0, 0]", exact.stress * area)) +
                           sensor_text("end", "position", "at", "bar.right") +
                           sensor_text("stretch", "principal_stretches", "at", "bar@(0.3, 0.4, 0.5)") +
                           sensor_text("J", "volume_ratio", "at", "bar@(0.3, 0.4, 0.5)") +
                           sensor_text("S", "second_piola_kirchhoff", "at", "bar@(0.3, 0.4, 0.5)") +
                           sensor_text("c", "cauchy_stress", "at", "bar@(0.3, 0.4, 0.5)") +
                           sensor_text("mises", "von_mises", "at", "bar@(0.3, 0.4, 0.5)") +
                           sensor_text("p", "hydrostatic_pressure", "at", "bar@(0.3, 0.4, 0.5)") +
                           sensor_text("r", "reaction", "of", "x") + statics);
  const double across = exact.stretches.of[1], J = stretch * across * across, cauchy = exact.stress * stretch / J;
  EXPECT_NEAR(s.at("end")[0], 0.1 * stretch, 1e-8);
  EXPECT_NEAR(s.at("end")[1], 0.01 * across, 1e-8);
  EXPECT_NEAR(s.at("stretch")[0], stretch, 1e-8);
  EXPECT_NEAR(s.at("stretch")[2], across, 1e-8);
  EXPECT_NEAR(s.at("J")[0], J, 1e-8);
  EXPECT_NEAR(s.at("S")[0], exact.stress / stretch, 1e-7 * exact.stress);
  EXPECT_NEAR(s.at("S")[1], 0, 1e-7 * exact.stress);
  EXPECT_NEAR(s.at("c")[0], cauchy, 1e-7 * cauchy);
  EXPECT_NEAR(s.at("mises")[0], cauchy, 1e-7 * cauchy);
  EXPECT_NEAR(s.at("p")[0], -cauchy / 3, 1e-7 * cauchy);
  EXPECT_NEAR(s.at("r")[0], -exact.stress * area, 1e-8 * exact.stress * area)
      << "of the ground on the bar, from the plane";
}

// yeoh-paper is not free of stress at rest: what nothing holds shrinks until k (J − 1) J/λ² = −2 C₁₀, J = λ³; with k = 1000 · 2 C₁₀
// where nothing is said of the volume. By its constants and by moduli; solids and a full beam.
TEST(Solid, OfThePapersYeohShrinkToTheStateWithoutStress) {
  double stretch = 1;
  for (int i = 0; i < 50; ++i) stretch -= (std::pow(stretch, 4) - stretch + 1e-3) / (4 * std::pow(stretch, 3) - 1);
  for (const char* constants : {"c10 = 5e4", "mu = 1e5", "mu = 1e5\nbulk = 1e8"}) {
    const std::string paper =
        fmt::format("space = \"spatial\"\n[material.m]\ntype = \"yeoh-paper\"\n{}\nrho = 1000\n", constants);
    const Sensors s = end_of(paper + block("bar", "[0.1, 0.02, 0.03]", "[2, 1, 1]") +
                             joint("x", "point_on_plane", "\"ground\"", "bar.left", "normal = [1, 0, 0]") +
                             joint("y", "point_on_plane", "\"ground\"", "bar.front", "normal = [0, 1, 0]") +
                             joint("z", "point_on_plane", "\"ground\"", "bar.bottom", "normal = [0, 0, 1]") +
                             sensor_text("J", "volume_ratio", "at", "bar@(0.3, 0.4, 0.5)") +
                             sensor_text("end", "position", "at", "bar.right") + statics);
    EXPECT_NEAR(s.at("end")[0], 0.1 * stretch, 1e-9) << constants;
    EXPECT_NEAR(s.at("J")[0], std::pow(stretch, 3), 1e-8) << constants;
  }
  const Sensors beam = end_of(R"(
space = "spatial"
[material.m]
type = "yeoh-paper"
mu = 1e5
rho = 1000
[section.c]
shape = { type = "rectangle", width = 0.01, height = 0.01 }
material = "m"
[beam.b]
element = "full"
section = "c"
path = [[0, 0, 0], [0.05, 0, 0]]
elements = 2
[joint.a]
type = "pin"
of = ["ground", "b.start"]
)" + sensor_text("end", "position", "at", "b.end") +
                              statics);
  EXPECT_NEAR(std::hypot(beam.at("end")[0], beam.at("end")[1], beam.at("end")[2]), 0.05 * stretch, 1e-9);
}

// Weight on a clamped face, and about its middle.
TEST(Solid, ReactionsCarryTheWeightAndItsMoment) {
  const Sensors s =
      end_of("gravity = [0, 0, -10]\n" + stiff + block("b", "[0.1, 0.02, 0.02]", "[4, 1, 1]") +
             joint("clamp", "weld", "\"ground\"", "b.left") + force("f", "b@(1, 0.5, 0.5)", "[0.1, 0, 0]") +
             sensor_text("r", "reaction", "of", "clamp") + sensor_text("m", "reaction_moment", "of", "clamp") +
             sensor_text("tip", "position", "at", "b@(1, 0.5, 0.5)") + statics);
  EXPECT_NEAR(s.at("r")[2], 0.4, 1e-8);
  EXPECT_NEAR(s.at("r")[0], -0.1, 1e-8);
  // Of the weight at the middle and the force at the tip, both of which sink by some 1e-5 m.
  EXPECT_NEAR(s.at("m")[1], -0.4 * 0.05, 1e-3 * 0.02);
  EXPECT_LT(s.at("tip")[2], 0.01);
}

// Two halves that are welded, the second to a body, are one block that is welded to a body.
TEST(Solid, WeldsOfHalvesAreTheWhole) {
  const std::string plate = R"(
[body.plate]
m = 0.1
inertia = [1e-4, 1e-4, 1e-4]
position = [0.1, 0.01, 0.01]
)";
  const std::string pull = force("f", "plate", "[0.5, 0.2, -0.3]");
  const std::string tail =
      sensor_text("plate", "position", "at", "plate") + sensor_text("clamp", "reaction", "of", "clamp") +
      sensor_text("moment", "reaction_moment", "of", "clamp") + sensor_text("held", "reaction", "of", "held") + statics;
  const Sensors whole =
      end_of(head + block("a", "[0.1, 0.02, 0.02]", "[4, 1, 1]") + plate + pull +
             joint("clamp", "weld", "\"ground\"", "a.left") + joint("held", "weld", "\"plate\"", "a.right") + tail);
  const Sensors halves =
      end_of(head + block("a", "[0.05, 0.02, 0.02]", "[2, 1, 1]") +
             block("b", "[0.05, 0.02, 0.02]", "[2, 1, 1]", "hexahedra-20", "position = [0.05, 0, 0]") + plate + pull +
             joint("clamp", "weld", "\"ground\"", "a.left") + joint("middle", "weld", "\"a.right\"", "b.left") +
             joint("held", "weld", "\"plate\"", "b.right") + sensor_text("seam", "reaction", "of", "middle") + tail);
  for (const char* name : {"plate", "clamp", "moment", "held"})
    for (size_t i = 0; i < 3; ++i) EXPECT_NEAR(whole.at(name)[i], halves.at(name)[i], 1e-8) << name << " " << i;
  EXPECT_NEAR(whole.at("clamp")[0], -0.5, 1e-8);
  EXPECT_NEAR(whole.at("held")[2], -0.3, 1e-8) << "of the plate on the block: what pulls the plate";
  EXPECT_NEAR(halves.at("seam")[0], -0.5, 1e-8) << "of the first half on the second, which is pulled";
}

// A block that hangs on a pin inside it, and on the string that another part is.
TEST(Solid, PinsHoldPlacesInsideElements) {
  const Sensors s = end_of("gravity = [0, 0, -10]\n" + head + block("b", "[0.02, 0.02, 0.06]", "[1, 1, 2]") +
                           "[point.top]\nposition = [0.01, 0.01, 0.05]\nfixed = true\n" +
                           joint("pin", "pin", "\"top\"", "b@[0.01, 0.01, 0.05]") +
                           joint("foot", "point_on_line", "\"ground\"", "b@(0.5, 0.5, 0)", "axis = [0, 0, 1]") +
                           joint("turn", "point_on_plane", "\"ground\"", "b@(1, 0.5, 0.5)", "normal = [0, 1, 0]") +
                           sensor_text("pin", "position", "at", "b@[0.01, 0.01, 0.05]") +
                           sensor_text("foot", "position", "at", "b@(0.5, 0.5, 0)") + statics);
  EXPECT_NEAR(s.at("pin")[2], 0.05, 1e-10);
  EXPECT_LT(s.at("foot")[2], 0);
}

// A free block goes on: mass from the density, momentum kept, energy balance closed.
TEST(Solid, AFreeBlockTurnsAndKeepsItsMomentum) {
  const Sensors s = end_of(head +
                           block("b", "[0.06, 0.02, 0.02]", "[3, 1, 1]", "hexahedra-8",
                                 "velocity = [1, 0, 0]\nangular_velocity = [0, 0, 20]\nabout = [0.03, 0.01, 0.01]") +
                           "[sensor.p]\ntype = \"momentum\"\n[sensor.L]\ntype = \"angular_momentum\"\n" +
                           "[[analysis]]\nname = \"go\"\ntype = \"dynamic\"\nend = 0.05\nstep = 1e-3\n");
  const double m = 1000 * 0.06 * 0.02 * 0.02;
  EXPECT_NEAR(s.at("p")[0], m, 1e-9);
  EXPECT_NEAR(s.at("p")[1], 0, 1e-9);
}

// What turns by 0.3 rad in each step ends with the part's name.
TEST(Solid, WhatTurnsTooFarInAStepIsNamed) {
  RunOptions options;
  options.record = false;
  const std::string text = stiff +
                           block("wheel", "[0.06, 0.02, 0.02]", "[3, 1, 1]", "hexahedra-8",
                                 "angular_velocity = [0, 0, 300]\nabout = [0.03, 0.01, 0.01]") +
                           "[[analysis]]\nname = \"go\"\ntype = \"dynamic\"\nend = 0.05\nstep = 1e-3\n";
  const RunSummary summary = run_scene(read_scene_text(text, "scene.toml", scene_terms()), options);
  EXPECT_EQ(summary.status, RunStatus::failed);
  EXPECT_THAT(summary.message, HasSubstr("solid 'wheel'"));
}

// A node that two joints hold: neither can say what it carries alone.
TEST(Solid, ReactionsOfSharedNodesAreRefused) {
  const std::string two = head + block("b", "[0.1, 0.02, 0.02]", "[2, 1, 1]") +
                          joint("one", "weld", "\"ground\"", "b.left") +
                          joint("two", "weld", "\"ground\"", "b.bottom") + statics;
  EXPECT_THAT(message_of(two + sensor_text("r", "reaction", "of", "one")),
              HasSubstr("the reaction of joint.one cannot be told from that of others"));
}

}  // namespace
}  // namespace flexura::test
