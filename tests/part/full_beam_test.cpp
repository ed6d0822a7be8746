// Beams of full elements in scenes: what a bar of rubber does by closed forms, how it is held and loaded, messages.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "tests/support/scenes.hpp"

namespace flexura::test {
namespace {

using std::numbers::pi;

struct Bar {
  std::string material = "type = \"neo-hooke\"\nmu = 1e5\nbulk = 4e8\nrho = 1000";
  std::string shape = "{ type = \"rectangle\", width = 0.02, height = 0.01 }";
  std::string path = "[[0, 0, 0], [0.4, 0, 0]]", keys = "", head = "", clamp = "";
  int elements = 8;

  std::string text(const std::string& rest) const {
    return fmt::format(R"(
space = "spatial"
{}
[material.rubber]
{}
[section.s]
shape = {}
material = "rubber"
[beam.b]
element = "full"
section = "s"
path = {}
elements = {}
{}
[joint.clamp]
type = "weld"
of = ["ground", "b.start"]
{}
[sensor.tip]
type = "position"
at = "b.end"
{}
[[analysis]]
name = "s"
type = "static"
tolerance = 1e-12
)",
                       head, material, shape, path, elements, keys, clamp, rest);
  }
};
std::string force(const std::string& at, const Triple& f) {
  return fmt::format("[load.{}]\ntype = \"force\"\nat = \"{}\"\nforce = [{:.17g}, {:.17g}, {:.17g}]\n",
                     at.find('@') == std::string::npos ? at.substr(at.find('.') + 1) : "inside", at, f[0], f[1], f[2]);
}

// λ of f = A μ (λ − 1/λ²), incompressible but for μ/k, whatever the clamp: it holds directions and not lengths. Sensors of stretch, strain,
// force; stress by the shape at rest.
TEST(FullBeamScene, IsPulledAsUniaxialTensionHasIt) {
  const double stretch = 1.5, A = 2e-4, f = A * 1e5 * (stretch - 1 / (stretch * stretch));
  std::string rest = force("b.end", {f, 0, 0});
  for (const char* type : {"axial_force", "axial_strain", "stretch", "section_stress"})
    rest += sensor_text(type, type, "at", "b@0.4");
  rest += sensor_text("clamp", "reaction", "of", "clamp");
  const Sensors end = end_of(Bar{}.text(rest));
  EXPECT_NEAR(end.at("tip")[0], 0.4 * stretch, 3e-4 * 0.4) << "1/k";
  EXPECT_NEAR(end.at("stretch")[0], stretch, 3e-4);
  EXPECT_NEAR(end.at("axial_strain")[0], stretch - 1, 3e-4);
  EXPECT_NEAR(end.at("axial_force")[0], f, 1e-9 * f);
  EXPECT_NEAR(end.at("section_stress")[0], f / A, 1e-9 * f / A);
  EXPECT_NEAR(std::fabs(end.at("clamp")[0]), f, 1e-9 * f);
}

// Gravity on a stiff bar: ρ A g L⁴/8 EI, order 2; at the clamp its weight and the moment of it.
TEST(FullBeamScene, SagsUnderItsWeight) {
  Bar bar;
  bar.material = "E = 1e9\nnu = 0.3\nrho = 1000";
  bar.head = "gravity = [0, 0, -9.81]";
  bar.keys = "up = [0, 0, 1]";
  std::string rest = sensor_text("clamp", "reaction", "of", "clamp") +
                     sensor_text("moment", "section_moment", "at", "b.start") +
                     sensor_text("force", "section_force", "at", "b@0.5");
  rest += sensor_text("turn", "reaction_moment", "of", "clamp");
  const Sensors end = end_of(bar.text(rest));
  const double A = 2e-4, I = 0.02 * 1e-6 / 12, weight = 9810 * A * 0.4;
  EXPECT_NEAR(-end.at("tip")[2], weight * 0.064 / (8 * 1e9 * I), 5e-3 * weight * 0.064 / (8 * 1e9 * I));
  EXPECT_NEAR(std::fabs(end.at("clamp")[2]), weight, 1e-8 * weight);
  EXPECT_NEAR(std::fabs(end.at("turn")[1]), weight * 0.2, 2e-3 * weight * 0.2) << "shortens by a little";
  EXPECT_NEAR(std::fabs(end.at("moment")[2]), weight * 0.2, 4e-3 * weight * 0.2) << "2.6e-3: 1/(6 n²)";
  EXPECT_NEAR(std::hypot(end.at("force")[1], end.at("force")[2]), weight / 2, 2e-2 * weight);
}

// A force spread along it and one inside an element do what those of a cable do.
TEST(FullBeamScene, CarriesForcesAlongItAndInside) {
  Bar bar;
  bar.material = "E = 1e9\nnu = 0.3\nrho = 1000";
  bar.keys = "up = [0, 0, 1]";
  const double I = 0.02 * 1e-6 / 12, EI = 1e9 * I;
  const Sensors spread = end_of(bar.text("[load.line]\ntype = \"distributed\"\non = \"b\"\nforce = [0, 0, -1]\n"));
  EXPECT_NEAR(-spread.at("tip")[2], std::pow(0.4, 4) / (8 * EI), 5e-3 * std::pow(0.4, 4) / (8 * EI));
  const Sensors inside = end_of(bar.text(force("b@0.55", {0, 0, -1})));
  const double a = 0.22, deflection = a * a * (3 * 0.4 - a) / (6 * EI);
  EXPECT_NEAR(-inside.at("tip")[2], deflection, 8e-3 * deflection) << "the moment has a kink inside the element";
}

// Of a body at its end: rigid, welded exactly, and turned by M L/EI under a moment; an arm between them counts.
TEST(FullBeamScene, CarriesABodyThatIsTurned) {
  for (const char* method : {"", "method = \"multipliers\"\n"}) {
    Bar bar;
    bar.keys = "up = [0, 0, 1]";
    const double E = 9 * 4e8 * 1e5 / (3 * 4e8 + 1e5), I = 0.02 * 1e-6 / 12, M = 0.3 * E * I / 0.4;
    std::string rest = fmt::format(R"(
[body.cap]
m = 0.01
inertia = [1e-6, 1e-6, 1e-6]
position = [0.41, 0, 0]
[joint.cap]
type = "weld"
of = ["cap", "b.end"]
{}
[load.turn]
type = "moment"
at = "cap"
moment = [0, {:.17g}, 0]
[sensor.place]
type = "position"
at = "cap"
)",
                                   method, -M);
    const std::string text = bar.text(rest);
    ASSERT_EQ(message_of(text), "") << method;
    const Sensors end = end_of(text);
    const double kappa = 0.3 / 0.4;
    EXPECT_NEAR(end.at("tip")[2], (1 - std::cos(0.3)) / kappa, 2e-3 * 0.06) << method;
    EXPECT_NEAR(end.at("tip")[0], std::sin(0.3) / kappa, 1e-4) << method;
    EXPECT_NEAR(end.at("place")[0] - end.at("tip")[0], 0.01 * std::cos(0.3), 2e-5) << method;
    EXPECT_NEAR(end.at("place")[2] - end.at("tip")[2], 0.01 * std::sin(0.3), 2e-5) << method;
  }
}

// Two beams welded end to end are one; at a corner they keep the angle.
TEST(FullBeamScene, IsWeldedToAnother) {
  Bar bar;
  bar.elements = 4;
  bar.path = "[[0, 0, 0], [0.2, 0, 0]]";
  bar.keys = "up = [0, 0, 1]";
  const std::string second = R"([beam.c]
element = "full"
section = "s"
path = [[0.2, 0, 0], [0.4, 0, 0]]
elements = 4
up = [0, 0, 1]
[joint.middle]
type = "weld"
of = ["b.end", "c.start"]
[sensor.end]
type = "position"
at = "c.end"
)";
  Bar whole;
  whole.keys = bar.keys;
  const Sensors two = end_of(bar.text(second + force("c.end", {0, 0.01, 0.02})));
  const Sensors one = end_of(whole.text(force("b.end", {0, 0.01, 0.02})));
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(two.at("end")[i], one.at("tip")[i], 1e-4) << "r_x of each is its own";
}

// Curved and twisted paths are free of stress: nothing moves where nothing pulls. A hook keeps its plane.
TEST(FullBeamScene, IsFreeOfStressOnCurvedAndTwistedPaths) {
  Bar bar;
  bar.path = "{ spline = [[0, 0, 0], [0.1, 0.05, 0], [0.2, 0.1, 0.08], [0.3, 0.05, 0.1]] }";
  bar.keys = "twist = 1.5\nup = [0, 0, 1]";
  const Sensors end = end_of(bar.text(""));
  EXPECT_NEAR(end.at("tip")[0], 0.3, 1e-12);
  EXPECT_NEAR(end.at("tip")[2], 0.1, 1e-12);
}

// Pulled to where it starts, a bar of rubber is as thin there as its volume asks: it stores ½ E (ln λ)² or so, and not k/2 (J − 1)².
TEST(FullBeamScene, StartsStretchedWithItsVolume) {
  Bar bar;
  bar.keys = "initial = [[0, 0, 0], [0.42, 0, 0]]";
  std::string text = bar.text("[sensor.strain]\ntype = \"energy\"\nof = \"strain\"\n");
  text.replace(text.find("type = \"static\"\ntolerance = 1e-12"), 34, "type = \"dynamic\"\nend = 1e-9\nstep = 1e-9");
  const double expected = 0.5 * 3e5 * 0.05 * 0.05 * 8e-5;
  EXPECT_NEAR(end_of(text).at("strain")[0], expected, 0.05 * expected);
}

// Where W relaxes to a half, the bar sags twice as far in the end.
TEST(FullBeamScene, Relaxes) {
  Bar bar;
  const double f = 1e-4;
  const Sensors elastic = end_of(bar.text(force("b.end", {0, 0, f})));
  bar.material += "\nrelaxation = [[0.5, 0.1]]";
  const Sensors relaxed = end_of(bar.text(force("b.end", {0, 0, f})));
  EXPECT_NEAR(relaxed.at("tip")[2] / elastic.at("tip")[2], 2, 1e-3);
}

// Round bars and tubes; a bar that tapers to nothing but a tenth bends by its sections.
TEST(FullBeamScene, TakesRoundAndTaperedSections) {
  Bar bar;
  bar.material = "E = 1e9\nnu = 0.3\nrho = 1000";
  const double f = 1e-2;
  bar.shape = "{ type = \"tube\", radius = 0.01, wall = 0.004 }";
  const double I = pi / 4 * (1e-8 - std::pow(0.006, 4)), w = f * 0.064 / (3 * 1e9 * I);
  EXPECT_NEAR(end_of(bar.text(force("b.end", {0, f, 0}))).at("tip")[1], w, 6e-3 * w);
  bar.shape = "{ type = \"circle\", radius = [0.01, 0.005] }";
  bar.elements = 32;
  double sum = 0;  // ∫ (L − x)²/EI dx
  for (int k = 0; k < 4000; ++k) {
    const double x = 0.4 * (k + 0.5) / 4000, r = 0.01 - 0.005 * x / 0.4;
    sum += 0.4 / 4000 * (0.4 - x) * (0.4 - x) / (1e9 * pi / 4 * std::pow(r, 4));
  }
  EXPECT_NEAR(end_of(bar.text(force("b.end", {0, f, 0}))).at("tip")[1], f * sum, 3e-3 * f * sum);
}

TEST(FullBeamScene, SaysWhatIsWrong) {
  const auto says = [](const std::string& text, const std::string& part) {
    const std::string message = message_of(text);
    EXPECT_NE(message.find(part), std::string::npos) << message;
  };
  Bar bar;
  says(bar.text("[load.turn]\ntype = \"moment\"\nat = \"b.end\"\nmoment = [0, 1, 0]\n"), "weld a [body.NAME] there");
  says(bar.text("[load.turn]\ntype = \"follower_force\"\nat = \"b.end\"\nforce = [0, 1, 0]\n"), "give \"normal\"");
  says(bar.text(
           "[body.frame]\nm = 0\nposition = [0.4, 0, 0]\n[joint.f]\ntype = \"weld\"\nof = [\"b.end\", \"frame\"]\n"),
       "whose section deforms, a body needs a mass");
  says(bar.text("[sensor.turn]\ntype = \"angular_velocity\"\nat = \"b.end\"\n"), "beam of full elements");
  std::string text = bar.text("");
  text.replace(text.find("element = \"full\"\n"), 17, "");
  says(text, "law of rubber");
  bar.keys = "strains = \"selective\"\nwidth = \"held\"";
  says(bar.text(""), "strains = \"enhanced\"");
  text = Bar{}.text("");
  const size_t at = text.find("shape =");
  text.replace(at, text.find("[beam.b]") - at, "EA = 1\nEI = 1\nrhoA = 1\n");
  says(text, "needs a shape and a material");
  Bar linear;
  linear.material = "E = 1e6\nnu = 0.3\nrho = 1";
  linear.keys = "width = \"held\"";
  text = linear.text("");
  text.replace(text.find("element = \"full\"\n"), 17, "");
  says(text, "is that of element = \"full\"");
}

}  // namespace
}  // namespace flexura::test
