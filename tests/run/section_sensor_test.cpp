// What sections of cables and beams carry in equilibrium, against the closed forms of a cantilever: N, T and M from the loads
// at its tip, stress N/A + M/W, strain N/EA.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "flexura/run/session.hpp"
#include "flexura/scene/reader.hpp"

namespace flexura {
namespace {

/// A bar along x of E = 200 GPa, nu = 0.3, 1 m long and clamped at its start, in equilibrium.
class Bar {
 public:
  Bar(const std::string& space, const std::string& part, const std::string& shape, const std::string& loads,
      double share = 0.3125)
      : session_(read_scene_text(
                     fmt::format(R"(
space = "{}"
[material.steel]
E = 2e11
nu = 0.3
rho = 7800
[section.bar]
material = "steel"
shape = {}
[{}.bar]
section = "bar"
path = {}
elements = 8
{}
[joint.clamp]
type = "weld"
of = ["ground", "bar.start"]
[[analysis]]
name = "load"
type = "static"
{}
{})",
                                 space, shape, part, space == "planar" ? "[[0, 0], [1, 0]]" : "[[0, 0, 0], [1, 0, 0]]",
                                 part == "beam" ? "up = [0, 1, 0]" : "", loads, sensors(part, shape, share)),
                     "bar.toml", scene_terms()),
                 unrecorded()) {
    while (session_.advance()) {
    }
    EXPECT_EQ(session_.status(), RunStatus::finished) << session_.message();
  }
  double at(std::string_view sensor) { return session_.sensor(session_.find_sensor(sensor))[0]; }

 private:
  static std::string sensors(const std::string& part, const std::string& shape, double share) {
    std::string text;
    for (const char* type : {"axial_force", "axial_strain", "moment", "section_stress", "torque", "shear_force"}) {
      const bool of_beams = std::string_view(type) == "torque" || std::string_view(type) == "shear_force";
      if ((of_beams && part != "beam") || (std::string_view(type) == "section_stress" && shape.empty())) continue;
      text += fmt::format("[sensor.{0}]\ntype = \"{0}\"\nat = \"bar@{1}\"\n", type, share);  // the middle of an element
    }
    return text;
  }
  static RunOptions unrecorded() {
    RunOptions options;
    options.record = false;
    return options;
  }
  Session session_;
};

constexpr double arm = 1 - 0.3125;  ///< from the place that is read to the tip [m]
const std::string circle = "{ type = \"circle\", radius = 0.01 }",
                  tube = "{ type = \"tube\", radius = 0.01, wall = 0.002 }",
                  strip = "{ type = \"rectangle\", height = 0.02, width = 0.01 }";

std::string force(const std::string& f) {
  return "[load.tip]\ntype = \"force\"\nat = \"bar.end\"\nforce = " + f + "\n";
}

// Tension of 1 kN: N/A, N/EA. A cable's strain is Green's, whose force grows with the stretch, by 1.6e-5; its clamp holds the
// length of the gradient too, which disturbs the strain by a factor of 5.6 less from element to element (measured: 4e-3 in the
// third, 7e-7 in the last).
TEST(SectionSensor, TensionOverAreaAndStiffness) {
  const double A = std::numbers::pi * 1e-4;
  Bar beam("spatial", "beam", circle, force("[1000, 0, 0]"));
  EXPECT_NEAR(beam.at("axial_force"), 1000, 1e-6);
  EXPECT_NEAR(beam.at("axial_strain"), 1000 / (2e11 * A), 1e-15);
  EXPECT_NEAR(beam.at("section_stress"), 1000 / A, 1);
  EXPECT_NEAR(beam.at("shear_force"), 0, 1e-6);
  EXPECT_NEAR(beam.at("torque"), 0, 1e-6);
  Bar cable("planar", "cable", circle, force("[1000, 0]"), 0.9375);
  EXPECT_NEAR(cable.at("axial_force"), 1000, 2e-3);
  EXPECT_NEAR(cable.at("axial_strain"), 1000 / (2e11 * A),
              2e-6 * 1000 / (2e11 * A) + 3 * std::pow(1000 / (2e11 * A), 2));
  EXPECT_NEAR(cable.at("section_stress"), 1000 / A, 2e-6 * 1000 / A);
}

// A force of 1 N across the tip, deflection 0.2 mm/m: the shear force is that of the tip, the moment that times the arm, and in
// the middle of an element the moment is exact: M/W of a circle, a tube, and a rectangle about either axis.
TEST(SectionSensor, BendingOverModulus) {
  const double W = std::numbers::pi / 4 * 1e-6, hollow = W * (1 - std::pow(0.8, 4));
  Bar round("spatial", "beam", circle, force("[0, 0, 1]"));
  EXPECT_NEAR(round.at("shear_force"), 1, 1e-6);
  EXPECT_NEAR(round.at("moment"), arm, 1e-6);
  EXPECT_NEAR(round.at("section_stress"), arm / W, 2e-6 * arm / W);
  Bar pipe("spatial", "beam", tube, force("[0, 0, 1]"));
  EXPECT_NEAR(pipe.at("section_stress"), arm / hollow, 2e-6 * arm / hollow);
  // up is y, along the height: force along y bends about the stiff axis, W = b h²/6.
  Bar stiff("spatial", "beam", strip, force("[0, 1, 0]"));
  EXPECT_NEAR(stiff.at("section_stress"), arm * 6 / (0.01 * 0.02 * 0.02), 10);
  Bar weak("spatial", "beam", strip, force("[0, 0, 1]"));
  EXPECT_NEAR(weak.at("section_stress"), arm * 6 / (0.02 * 0.01 * 0.01), 10);
  // Both at once add up in the corner.
  Bar both("spatial", "beam", strip, force("[0, 3, 4]"));
  EXPECT_NEAR(both.at("shear_force"), 5, 1e-4);
  EXPECT_NEAR(both.at("section_stress"), arm * 6 * (3 / (0.01 * 0.02 * 0.02) + 4 / (0.02 * 0.01 * 0.01)), 200);
}

// An end moment bends a planar cable to an arc: the same moment everywhere.
TEST(SectionSensor, BendingOfAPlanarCable) {
  Bar cable("planar", "cable", strip, "[load.tip]\ntype = \"moment\"\nat = \"bar.end\"\nmoment = -2\n");
  EXPECT_NEAR(cable.at("moment"), -2, 1e-6);
  // In the plane the height stands: 6 M/(b h²).
  EXPECT_NEAR(cable.at("section_stress"), 2 * 6 / (0.01 * 0.02 * 0.02), 10);
}

// Twisted by 0.5 N m about its axis: that torque everywhere, either way.
TEST(SectionSensor, TorqueOfATwistedBeam) {
  for (const double torque : {0.5, -0.5}) {
    Bar beam("spatial", "beam", circle,
             fmt::format("[load.tip]\ntype = \"moment\"\nat = \"bar.end\"\nmoment = [{}, 0, 0]\n", torque));
    EXPECT_NEAR(beam.at("torque"), torque, 1e-9);
    EXPECT_NEAR(beam.at("moment"), 0, 1e-9);
    EXPECT_NEAR(beam.at("section_stress"), 0, 1e-2);
  }
}

// The pressure that has grown to its whole size, in a chamber and on a plate.
TEST(SectionSensor, PressureIsThatOfTheLoad) {
  Bar cable("planar", "cable", strip, R"(
[load.air]
type = "pneumatic"
between = ["bar.start", "bar@0.5"]
pressure = 2e4
radius = 0.006
arm = 0.009
[sensor.pressure]
type = "pressure"
of = "air"
)");
  EXPECT_EQ(cable.at("pressure"), 2e4);
  Bar beside("spatial", "beam", strip, R"(
[plate.sheet]
shape = { type = "flat", size = [2, 1] }
elements = [2, 1]
material = "steel"
thickness = 0.02
[joint.edge]
type = "weld"
of = ["ground", "sheet.start"]
[load.wind]
type = "pressure"
on = "sheet"
pressure = -30
[sensor.pressure]
type = "pressure"
of = "wind"
)");
  EXPECT_EQ(beside.at("pressure"), -30);
}

}  // namespace
}  // namespace flexura
