// What sections of cables and beams carry in equilibrium, against the closed forms of a cantilever: N, T and M from the loads
// at its tip, stress N/A + M/W, strain N/EA.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "flexura/math/triple.hpp"
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
  std::span<const double> all(std::string_view sensor) { return session_.sensor(session_.find_sensor(sensor)); }
  double at(std::string_view sensor) { return session_.sensor(session_.find_sensor(sensor))[0]; }

 private:
  static std::string sensors(const std::string& part, const std::string& shape, double share) {
    std::string text;
    for (const std::string_view type : {"axial_force", "axial_strain", "moment", "section_stress", "torque",
                                        "shear_force", "section_force", "section_moment"}) {
      const bool of_beams =
          type != "axial_force" && type != "axial_strain" && type != "moment" && type != "section_stress";
      if ((of_beams && part != "beam") || (type == "section_stress" && shape.empty())) continue;
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

// Of what lies beyond on what lies before: n = F and m = M + arm × F, in the directors of the section, which a `frame` tells.
// The loads, 0.05 N and N m, turn the section by 4e-5 (about the weak axis, F (L x − x²/2)/EI) and more by moments: N = 2e-6 N
// of a force across.
TEST(SectionSensor, ForcesAndMomentsByComponent) {
  const auto moment = [](const std::string& m) {
    return "[load.twist]\ntype = \"moment\"\nat = \"bar.end\"\nmoment = " + m + "\n";
  };
  const std::string frame = "[sensor.frame]\ntype = \"frame\"\nat = \"bar.start\"\n";
  for (int axis = 0; axis < 6; ++axis) {
    double load[6] = {};
    load[axis] = 0.05;
    const auto text = [&](int k) { return fmt::format("[{}, {}, {}]", load[k], load[k + 1], load[k + 2]); };
    Bar bar("spatial", "beam", strip, frame + (axis < 3 ? force(text(0)) : moment(text(3))));
    const Triple F{load[0], load[1], load[2]}, M{load[3], load[4], load[5]};
    const Triple m = M + cross(Triple{arm, 0, 0}, F);
    const std::span<const double> q = bar.all("frame").subspan(3);  // x y z w
    const double x = q[0], y = q[1], z = q[2], w = q[3];
    const Triple d1{1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w)};
    const Triple d2{2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w)};
    const Triple d3 = cross(d1, d2);
    EXPECT_NEAR(d3[0], 1, 1e-12);  // along the beam
    const double forces[] = {dot(F, d3), dot(F, d1), dot(F, d2)}, moments[] = {dot(m, d3), dot(m, d1), dot(m, d2)};
    for (size_t k = 0; k < 3; ++k) {
      EXPECT_NEAR(bar.all("section_force")[k], forces[k], 5e-6) << axis << " " << k;
      EXPECT_NEAR(bar.all("section_moment")[k], moments[k], 5e-6) << axis << " " << k;
    }
    EXPECT_EQ(bar.all("section_force")[0], bar.at("axial_force"));
    EXPECT_EQ(bar.all("section_moment")[0], bar.at("torque"));
  }
}

// A free beam that spins about an axis of its cross-section and rolls about its own: every node turns alike.
TEST(SectionSensor, NodesOfASpinningBeamTurnWithIt) {
  std::string text = R"(
space = "spatial"
[section.bar]
EA = 1e6
EI = 100.0
GJ = 80.0
GA1 = 4e5
GA2 = 4e5
rhoA = 1.0
rhoI1 = 1e-3
rhoI2 = 1e-3
[beam.bar]
section = "bar"
path = [[0, 0, 0], [1, 0, 0]]
elements = 4
angular_velocity = [2.0, 0, 3.0]
about = [0.5, 0, 0]
[[analysis]]
name = "spin"
type = "dynamic"
end = 0.01
step = 1e-3
)";
  for (const char* place : {"start", "end"})
    text += fmt::format(
        "[sensor.w_{0}]\ntype = \"angular_velocity\"\nat = \"bar.{0}\"\n[sensor.f_{0}]\ntype = \"frame\"\nat = "
        "\"bar.{0}\"\n",
        place);
  RunOptions options;
  options.record = false;
  Session session(read_scene_text(text, "spin.toml", scene_terms()), options);
  for (const char* place : {"start", "end"}) {
    const std::span<const double> w = session.sensor(session.find_sensor(fmt::format("w_{}", place)));
    EXPECT_NEAR(w[0], 2, 1e-12);
    EXPECT_NEAR(w[1], 0, 1e-12);
    EXPECT_NEAR(w[2], 3, 1e-12);
  }
  const auto frame = [&](const char* sensor) {
    const std::span<const double> f = session.sensor(session.find_sensor(sensor));
    return std::vector<double>(f.begin(), f.end());
  };
  const std::vector<double> before = frame("f_end");
  EXPECT_NEAR(before[0], 1, 1e-12);
  while (session.advance()) {
  }
  // The turn of the frame over 0.01 s: 2 acos |q₀·q₁| = |ω| t, up to what the beam bends by (measured 2e-5).
  const std::vector<double> after = frame("f_end");
  double product = 0;
  for (size_t i = 3; i < 7; ++i) product += before[i] * after[i];
  EXPECT_NEAR(2 * std::acos(std::fabs(product)), std::sqrt(13.0) * 0.01, 2e-3 * std::sqrt(13.0) * 0.01);
  EXPECT_GT(product, 0);
}

// An end moment bends a planar cable to an arc: the same moment everywhere.
TEST(SectionSensor, BendingOfAPlanarCable) {
  Bar cable("planar", "cable", strip, "[load.tip]\ntype = \"moment\"\nat = \"bar.end\"\nmoment = -2\n");
  EXPECT_NEAR(cable.at("moment"), -2, 1e-6);
  // In the plane the height stands: 6 M/(b h²).
  EXPECT_NEAR(cable.at("section_stress"), 2 * 6 / (0.01 * 0.02 * 0.02), 10);
}

// EI (1 + b k²) k = M, everywhere: the moment that is read is the applied one, up to what 16 and 32 elements leave of it in the
// middle of one, as they do without b (1.05e-2 and 2.6e-3): second order.
TEST(SectionSensor, MomentOfACableThatBendsStiffer) {
  const auto error = [](int elements) {
    RunOptions options;
    options.record = false;
    Session cable(read_scene_text(fmt::format(R"(
space = "planar"
[section.s]
EA = 1e5
EI = 1
rhoA = 1
bend_stiffening = 0.05
[cable.c]
section = "s"
path = [[0, 0], [1, 0]]
elements = {}
[joint.clamp]
type = "clamp_direction"
of = ["ground", "c.start"]
[load.m]
type = "moment"
at = "c.end"
moment = 4
[sensor.moment]
type = "moment"
at = "c@{}"
[[analysis]]
name = "bend"
type = "static"
)",
                                              elements, 0.5 + 0.5 / elements),
                                  "bend.toml", scene_terms()),
                  options);
    while (cable.advance()) {
    }
    EXPECT_EQ(cable.status(), RunStatus::finished) << cable.message();
    return 4 - cable.sensor(cable.find_sensor("moment"))[0];
  };
  const double coarse = error(16), fine = error(32);
  EXPECT_LT(std::fabs(coarse), 1.05e-2);
  EXPECT_NEAR(coarse / fine, 4, 0.1);
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
