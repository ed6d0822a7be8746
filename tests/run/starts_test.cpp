// Suite "starts": joints that start, or are driven, to any angle; what their sensors say is where their bodies are.
//
//     every joint type with an angle × −350° … 350° in steps of 10° × dynamics, statics, kinematics × elimination, multipliers,
//     bodies of trusses

#include <gmock/gmock.h>

#include <cmath>
#include <numbers>

#include "tests/support/scenes.hpp"

namespace flexura::test {
namespace {

constexpr double pi = std::numbers::pi;

/// −350° … 350° [rad]
std::vector<double> start_angles() {
  std::vector<double> out;
  for (int degrees = -350; degrees <= 350; degrees += 10) out.push_back(degrees * pi / 180);
  return out;
}

/// One kind of hinge between the ground and a crank whose tip is 0.1 m from the axis.
struct Hinge {
  const char* name;
  const char* type;
  bool planar;
  bool slides;
  /// Tip without an offset, at the angle and the displacement.
  Triple tip(double angle, double way) const {
    const double c = 0.1 * std::cos(angle), s = 0.1 * std::sin(angle);
    return planar ? Triple{c, s, 0} : Triple{-0.8 * s + 0.6 * way, c, 0.6 * s + 0.8 * way};
  }
};
constexpr Hinge hinges[] = {{"PlanarRevolute", "revolute", true, false},
                            {"Revolute", "revolute", false, false},
                            {"Cylindrical", "cylindrical", false, true}};

struct Way {
  const char* name;
  const char* of_joint;
  const char* of_body;
};
constexpr Way ways[] = {
    {"Elimination", "", ""}, {"Multipliers", "method = \"multipliers\"", ""}, {"Trusses", "", "as = \"trusses\""}};

struct Motion {
  const char* name;
  const char* analysis;
  double end;
};
constexpr Motion motions[] = {{"Dynamics", "type = \"dynamic\"\nend = 0.02\nstep = 0.005\n", 0.02},
                              {"Statics", "type = \"static\"\n", 0},
                              {"Kinematics", "type = \"kinematic\"\nend = 0.02\nstep = 0.01\n", 0.02}};

/// A crank and its hinge, one metre from the next, with sensors.
std::string crank_text(const Hinge& hinge, const Way& way, size_t k, const std::string& drive) {
  const std::string at = hinge.planar ? fmt::format("[{}, 0]", k) : fmt::format("[{}, 0, 0]", k);
  return fmt::format(
             "[body.b{0}]\n{1}\nm = 1\nposition = {2}\ninertia = {3}\npoints = {{ tip = {4} }}\n"
             "[joint.j{0}]\ntype = \"{5}\"\nof = [\"ground\", \"b{0}\"]\nat = {2}\n{6}\n{7}{8}\n",
             k, way.of_body, at, hinge.planar ? "0.01" : "[0.01, 0.012, 0.013]",
             hinge.planar ? "[0.1, 0]" : "[0, 0.1, 0]", hinge.type, way.of_joint,
             hinge.planar ? "" : "axis = [0.6, 0, 0.8]\n", drive) +
         sensor_text(fmt::format("t{}", k), "position", "at", fmt::format("b{}.tip", k)) +
         sensor_text(fmt::format("a{}", k), "angle", "of", fmt::format("j{}", k));
}

std::string space_of(const Hinge& hinge) {
  return fmt::format("space = \"{}\"\n", hinge.planar ? "planar" : "spatial");
}

class Starts : public testing::TestWithParam<std::tuple<Hinge, Way, Motion>> {};

// Positions are closed to 8 ε of the model's size (Constraints::project_positions), 70 m with 71 cranks in a row: 1.3e-13 m; Newton's to
// 1e-8 of the forces, which measured leaves 1e-12 m. What is lost is off by 0.2 m.
TEST_P(Starts, PrescribedAnglesAreWhereTheBodiesAre) {
  const auto& [hinge, way, motion] = GetParam();
  constexpr double rate = 3;
  const std::vector<double> angles = start_angles();
  std::string text = space_of(hinge);
  for (size_t k = 0; k < angles.size(); ++k)
    text += crank_text(hinge, way, k,
                       fmt::format("angle = \"= {:.17g} + {} * t\"\n{}", angles[k], rate,
                                   hinge.slides ? "displacement = \"= 0.05\"\n" : ""));
  const Sensors end = end_of(text + "[[analysis]]\nname = \"go\"\n" + motion.analysis);
  for (size_t k = 0; k < angles.size(); ++k) {
    const double angle = angles[k] + rate * motion.end;
    EXPECT_NEAR(end.at(fmt::format("a{}", k))[0], angle, 1e-11) << angles[k];
    const Triple tip = hinge.tip(angle, hinge.slides ? 0.05 : 0);
    const std::vector<double>& found = end.at(fmt::format("t{}", k));
    for (size_t i = 0; i < found.size(); ++i)
      EXPECT_NEAR(found[i], tip[i] + (i == 0 ? static_cast<double>(k) : 0), 1e-11) << angles[k] << ", " << i;
  }
}

INSTANTIATE_TEST_SUITE_P(All, Starts,
                         testing::Combine(testing::ValuesIn(hinges), testing::ValuesIn(ways),
                                          testing::ValuesIn(motions)),
                         [](const auto& test) {
                           return fmt::format("{}{}{}", std::get<0>(test.param).name, std::get<1>(test.param).name,
                                              std::get<2>(test.param).name);
                         });

/// Servos of one stiffness on links of 20 g, 6e-6 kg m² about the axis: from 0 to their targets.
void expect_servos_arrive(const Hinge& hinge, const Way& way, const std::vector<double>& targets,
                          const std::string& gains, double end_time, double left) {
  std::string text = space_of(hinge);
  for (size_t k = 0; k < targets.size(); ++k) {
    std::string crank = crank_text(hinge, way, k, hinge.slides ? "displacement = \"= 0\"\n" : "");
    crank.replace(crank.find("m = 1\n"), 6, "m = 0.02\n");
    const std::string heavy = hinge.planar ? "inertia = 0.01" : "inertia = [0.01, 0.012, 0.013]";
    crank.replace(crank.find(heavy), heavy.size(), hinge.planar ? "inertia = 6e-6" : "inertia = [6e-6, 6e-6, 6e-6]");
    text += crank +
            fmt::format("[load.s{0}]\ntype = \"servo\"\nat = \"j{0}\"\ntarget = {1:.17g}\n{2}\n", k, targets[k], gains);
  }
  const Sensors end =
      end_of(text + fmt::format("[[analysis]]\nname = \"go\"\ntype = \"dynamic\"\nend = {}\nstep = 1e-3\n", end_time));
  for (size_t k = 0; k < targets.size(); ++k) {
    const double angle = end.at(fmt::format("a{}", k))[0];
    EXPECT_NEAR(angle, targets[k], left) << k;
    const Triple tip = hinge.tip(angle, 0);
    const std::vector<double>& found = end.at(fmt::format("t{}", k));
    for (size_t i = 0; i < found.size(); ++i)
      EXPECT_NEAR(found[i], tip[i] + (i == 0 ? static_cast<double>(k) : 0), 1e-9) << targets[k] << ", " << i;
  }
}

class FreeStarts : public testing::TestWithParam<std::tuple<Hinge, Way>> {};

// kp = 2 N m/rad turns the link within some steps; exp(−kp t/kd) = exp(−10) of 6.1 rad is left, 2.8e-4.
TEST_P(FreeStarts, ServosBringLinksToTheRevolutionOfTheirTargets) {
  const auto& [hinge, way] = GetParam();
  expect_servos_arrive(hinge, way, start_angles(), "kp = 2\nkd = 0.02", 0.1, 1e-3);
}

// kp = 1000 N m/rad throws the link to its target in one step: Newton's method starts 1.5 rad away, and the rates ring down.
TEST_P(FreeStarts, StiffServosDoNotTurnLinksOver) {
  const auto& [hinge, way] = GetParam();
  expect_servos_arrive(hinge, way, {-1.5, -1.0, -0.5, 0.5, 1.0, 1.5}, "kp = 1000\nkd = 1", 0.02, 1e-3);
}

INSTANTIATE_TEST_SUITE_P(All, FreeStarts, testing::Combine(testing::ValuesIn(hinges), testing::ValuesIn(ways)),
                         [](const auto& test) {
                           return fmt::format("{}{}", std::get<0>(test.param).name, std::get<1>(test.param).name);
                         });

// In the plane `initial.angle` says the revolution, in space `initial_angle` of the joint does. Nothing acts: they stay.
TEST(Starts, FreeJointsStartInTheRevolutionThatIsStated) {
  for (const Hinge& hinge : {hinges[0], hinges[1]}) {
    const std::vector<double> angles = start_angles();
    std::string text = space_of(hinge);
    for (size_t k = 0; k < angles.size(); ++k) {
      const double half = 0.5 * angles[k];
      text += crank_text(hinge, ways[0], k, hinge.planar ? "" : fmt::format("initial_angle = {:.17g}\n", angles[k])) +
              (hinge.planar ? fmt::format("[body.b{}.initial]\nangle = {:.17g}\n", k, angles[k])
                            : fmt::format("[body.b{}.initial]\nquat_xyzw = [{:.17g}, 0, {:.17g}, {:.17g}]\n", k,
                                          0.6 * std::sin(half), 0.8 * std::sin(half), std::cos(half)));
    }
    const Sensors end = end_of(text + "[[analysis]]\nname = \"go\"\ntype = \"dynamic\"\nend = 0.01\nstep = 5e-3\n");
    for (size_t k = 0; k < angles.size(); ++k)
      EXPECT_NEAR(end.at(fmt::format("a{}", k))[0], angles[k], 1e-12) << hinge.name << k;
  }
}

TEST(Starts, AnInitialAngleThatIsNotThatOfThePosesIsRefused) {
  const std::string text = space_of(hinges[1]) + crank_text(hinges[1], ways[0], 0, "initial_angle = 7\n") +
                           "[[analysis]]\nname = \"go\"\ntype = \"dynamic\"\nend = 0.01\nstep = 5e-3\n";
  EXPECT_THAT(message_of(text), testing::HasSubstr("starts at 0 rad, but for whole revolutions"));
}

// A four-bar linkage, crank 1, coupler 3, rocker 2.5, ground 3.2 m, whose crank starts anywhere: the coupler's end stays on its side.
// Positions of 71 in a row, 700 m long, are closed to 8 ε of that, 1.3e-12 m.
TEST(Starts, LoopsStayOnTheirBranch) {
  const auto place = [](double crank) {
    const double px = std::cos(crank), py = std::sin(crank), dx = 3.2 - px, dy = -py, d2 = dx * dx + dy * dy,
                 d = std::sqrt(d2), along = (d2 + 9 - 6.25) / (2 * d), up = std::sqrt(9 - along * along);
    return std::array{px, py, px + (along * dx - up * dy) / d, py + (along * dy + up * dx) / d};
  };
  const auto [px, py, qx, qy] = place(0.4);
  const std::vector<double> angles = start_angles();
  for (const Way& way : ways) {
    std::string text = "space = \"planar\"\n";
    for (size_t k = 0; k < angles.size(); ++k) {
      const double x0 = 10 * static_cast<double>(k);
      const auto body = [&](const char* name, double x, double y, double tx, double ty) {
        text += fmt::format(
            "[body.{}{}]\n{}\nm = 1\ninertia = 0.1\nposition = [{:.17g}, {:.17g}]\npoints = {{ end = [{:.17g}, "
            "{:.17g}] }}\n",
            name, k, way.of_body, x0 + x, y, tx - x, ty - y);
      };
      const auto hinge = [&](const char* name, const std::string& a, const std::string& b, double x, double y,
                             const std::string& more) {
        text +=
            fmt::format("[joint.{}{}]\ntype = \"revolute\"\nof = [\"{}\", \"{}\"]\nat = [{:.17g}, {:.17g}]\n{}\n{}\n",
                        name, k, a, b, x0 + x, y, way.of_joint, more);
      };
      const std::string crank = fmt::format("crank{}", k), coupler = fmt::format("coupler{}", k),
                        rocker = fmt::format("rocker{}", k);
      body("crank", 0, 0, px, py);
      body("coupler", px, py, qx, qy);
      body("rocker", 3.2, 0, qx, qy);
      hinge("o", "ground", crank, 0, 0, fmt::format("angle = \"= {:.17g} + t\"", angles[k]));
      hinge("p", crank, coupler, px, py, "");
      hinge("q", coupler, rocker, qx, qy, "");
      hinge("c", "ground", rocker, 3.2, 0, "");
      text += sensor_text(fmt::format("q{}", k), "position", "at", rocker + ".end");
    }
    const Sensors end = end_of(text + "[[analysis]]\nname = \"go\"\ntype = \"kinematic\"\nend = 0.01\nstep = 0.01\n");
    for (size_t k = 0; k < angles.size(); ++k) {
      const auto exact = place(0.4 + angles[k] + 0.01);
      const std::vector<double>& found = end.at(fmt::format("q{}", k));
      EXPECT_NEAR(found[0], exact[2] + 10 * static_cast<double>(k), 1e-10) << way.name << angles[k];
      EXPECT_NEAR(found[1], exact[3], 1e-10) << way.name << angles[k];
    }
  }
}

// A universal joint between a driven shaft and one at 0.5 rad to it, on which another angle goes along: tan φ = cos 0.5 tan θ, with the
// revolutions of the drive.
TEST(Starts, AnglesThatGoAlongCountTheRevolutionsOfTheDrive) {
  const double c = std::cos(0.5), s = std::sin(0.5);
  for (const Motion& motion : motions) {
    std::string text = "space = \"spatial\"\nassemble = true\n";
    const std::vector<double> angles = start_angles();
    for (size_t k = 0; k < angles.size(); ++k) {
      const std::string at = fmt::format("[{}, 0, 0]", k);
      for (const char* name : {"a", "b"})
        text += fmt::format("[body.{0}{1}]\nm = 1\ninertia = [0.01, 0.012, 0.013]\nposition = {2}\n", name, k, at);
      text += fmt::format(
          "[joint.d{0}]\ntype = \"revolute\"\nof = [\"ground\", \"a{0}\"]\nat = {1}\naxis = [1, 0, 0]\nangle = \"= "
          "{2:.17g}\"\n"
          "[joint.u{0}]\ntype = \"universal\"\nof = [\"a{0}\", \"b{0}\"]\nat = {1}\naxes = [[0, 1, 0], [{3:.17g}, 0, "
          "{4:.17g}]]\n"
          "[joint.e{0}]\ntype = \"cylindrical\"\nof = [\"ground\", \"b{0}\"]\nat = {1}\naxis = [{4:.17g}, 0, "
          "{5:.17g}]\n",
          k, at, angles[k], -s, c, s);
      text += sensor_text(fmt::format("e{}", k), "angle", "of", fmt::format("e{}", k));
    }
    const Sensors end = end_of(text + "[[analysis]]\nname = \"go\"\n" + motion.analysis);
    for (size_t k = 0; k < angles.size(); ++k) {
      const double angle = angles[k], principal = std::atan2(c * std::sin(angle), std::cos(angle));
      EXPECT_NEAR(end.at(fmt::format("e{}", k))[0], principal + 2 * pi * std::nearbyint((angle - principal) / (2 * pi)),
                  1e-10)
          << motion.name << k;
    }
  }
}

/// A body that starts turned, which a joint that keeps it from turning is to bring back.
std::string turned_text(const char* type, int degrees) {
  return fmt::format(R"(
space = "planar"
assemble = true
[body.b]
m = 1
inertia = 0.01
points = {{ tip = [0.1, 0] }}
initial = {{ angle = "{} deg" }}
[joint.j]
type = "{}"
of = ["ground", "b"]
at = [0, 0]
{}
method = "multipliers"
[sensor.tip]
type = "position"
at = "b.tip"
[[analysis]]
name = "go"
type = "dynamic"
end = 0.01
step = 0.01
)",
                     degrees, type, std::string(type) == "prismatic" ? "axis = [1, 0]\ndisplacement = \"= 0\"" : "");
}

// sin Δ = 0 holds at half a revolution too: starts beyond a quarter ended there, silently.
TEST(Starts, WeldsAndSlidesAreNotClosedTheWrongWayRound) {
  for (const char* type : {"weld", "prismatic"}) {
    for (const int degrees : {-80, -30, 30, 80})
      EXPECT_NEAR(end_of(turned_text(type, degrees)).at("tip")[0], 0.1, 1e-14) << type << degrees;
    for (const int degrees : {-170, -100, 100, 170}) {
      try {
        run_text(turned_text(type, degrees));
        ADD_FAILURE() << type << degrees;
      } catch (const InputError& error) {
        EXPECT_THAT(error.problems()[0].message, testing::HasSubstr("the wrong way round"));
      }
    }
  }
}

// Gears with an offset: where the second starts.
TEST(Starts, GearsStartWithTheirOffsets) {
  const std::vector<double> angles = start_angles();
  std::string text = space_of(hinges[0]) + crank_text(hinges[0], ways[0], 100, "angle = \"= 0.7 + 3 * t\"");
  for (size_t k = 0; k < angles.size(); ++k)
    text += crank_text(hinges[0], ways[0], k, "") +
            fmt::format(
                "[joint.g{0}]\ntype = \"gear\"\nfirst = \"j100\"\nsecond = \"j{0}\"\nratio = -2\noffset = {1:.17g}\n",
                k, angles[k]);
  const Sensors end = end_of(text + "[[analysis]]\nname = \"go\"\ntype = \"kinematic\"\nend = 0.1\nstep = 0.01\n");
  for (size_t k = 0; k < angles.size(); ++k) {
    const double angle = angles[k] - 2;
    EXPECT_NEAR(end.at(fmt::format("a{}", k))[0], angle, 1e-11);
    EXPECT_NEAR(end.at(fmt::format("t{}", k))[0], static_cast<double>(k) + 0.1 * std::cos(angle), 1e-11) << angles[k];
    EXPECT_NEAR(end.at(fmt::format("t{}", k))[1], 0.1 * std::sin(angle), 1e-11) << angles[k];
  }
}

/// Two free hinges, 1 m apart, that a gear ties; the parts start where the angles are `first` and `ratio * first + offset`.
std::string geared_pair(const Hinge& hinge, double first, double ratio, double offset, const std::string& joint_a,
                        const std::string& joint_b) {
  std::string text = space_of(hinge);
  for (const int k : {0, 1}) {
    const double angle = k == 0 ? first : ratio * first + offset, half = 0.5 * angle;
    text += crank_text(hinge, ways[0], k, k == 0 ? joint_a : joint_b) +
            (hinge.planar ? fmt::format("[body.b{}.initial]\nangle = {:.17g}\n", k, angle)
                          : fmt::format("[body.b{}.initial]\nquat_xyzw = [{:.17g}, 0, {:.17g}, {:.17g}]\n", k,
                                        0.6 * std::sin(half), 0.8 * std::sin(half), std::cos(half)));
  }
  return text + fmt::format(
                    "[joint.g]\ntype = \"gear\"\nfirst = \"j0\"\nsecond = \"j1\"\nratio = {:.17g}\n"
                    "offset = {:.17g}\n[[analysis]]\nname = \"go\"\ntype = \"dynamic\"\nend = 0.01\n"
                    "step = 5e-3\n",
                    ratio, offset);
}

/// Of both joints of a geared pair: angles and tips are where the poses say, angles in the revolution of `first` where that is stated.
void expect_start_kept(const Hinge& hinge, const std::string& text, double first, double ratio, double offset,
                       bool is_stated) {
  const Sensors end = end_of(text);
  const double second = ratio * first + offset;
  EXPECT_NEAR(end.at("a1")[0], ratio * end.at("a0")[0] + offset, 1e-11) << text;
  EXPECT_NEAR(std::remainder(end.at("a0")[0] - first, 2 * pi), 0, 1e-11) << text;
  if (is_stated) {
    EXPECT_NEAR(end.at("a0")[0], first, 1e-11) << text;
  }
  for (const int k : {0, 1}) {
    const Triple tip = hinge.tip(k == 0 ? first : second, 0);
    for (size_t i = 0; i < end.at("t0").size(); ++i)
      EXPECT_NEAR(end.at(fmt::format("t{}", k))[i], tip[i] + (i == 0 ? k : 0), 1e-11) << text;
  }
}

constexpr double gear_ratios[] = {1, -1, 2, 0.5, -2.5, -0.4};

// Nothing acts and the poses fit the gear: everything stays where it is stated, with `assemble` as without.
TEST(Starts, GearedFreeJointsStartInTheRevolutionsOfTheirParts) {
  for (const double ratio : gear_ratios)
    for (const double degrees : {-350, -250, -200, -190, -100, 0, 120, 190, 200, 350})
      for (const double offset : {0.0, 1.9})
        for (const char* assemble : {"", "assemble = true\n"}) {
          const double first = degrees * pi / 180, second = ratio * first + offset;
          expect_start_kept(hinges[0], assemble + geared_pair(hinges[0], first, ratio, offset, "", ""), first, ratio,
                            offset, true);
          const auto stated = [](double angle) { return fmt::format("initial_angle = {:.17g}\n", angle); };
          expect_start_kept(hinges[1],
                            assemble + geared_pair(hinges[1], first, ratio, offset, stated(first), stated(second)),
                            first, ratio, offset, true);
        }
}

// One `initial_angle` says the revolutions of all joints that gears tie to its joint; without one, those at which the poses fit are found.
TEST(Starts, GearsSayTheRevolutionsThatAreNotStated) {
  for (const double ratio : gear_ratios)
    for (const double degrees : {-350, -250, -200, -100, 120, 190, 350}) {
      const double first = degrees * pi / 180, offset = 0.3, second = ratio * first + offset;
      const std::string a = fmt::format("initial_angle = {:.17g}\n", first),
                        b = fmt::format("initial_angle = {:.17g}\n", second);
      expect_start_kept(hinges[1], geared_pair(hinges[1], first, ratio, offset, a, ""), first, ratio, offset, true);
      expect_start_kept(hinges[1], geared_pair(hinges[1], first, ratio, offset, "", b), first, ratio, offset, true);
      expect_start_kept(hinges[1], geared_pair(hinges[1], first, ratio, offset, "", ""), first, ratio, offset, false);
    }
}

// A crank that starts where its drive does stays there, and so does a free link on it: the stated revolutions are those of the drive.
TEST(Starts, LinksOnDrivenCranksKeepTheirStatedAngles) {
  for (const double degrees : {-350, -200, 120, 200, 350, 700}) {
    const double angle = degrees * pi / 180;
    const Sensors end = end_of(
        space_of(hinges[0]) + crank_text(hinges[0], ways[0], 0, fmt::format("angle = \"= {:.17g} + 0*t\"", angle)) +
        fmt::format("[body.b0.initial]\nangle = {0:.17g}\n[body.link]\nm = 1\ninertia = 0.01\nposition = [0.1, 0]\n"
                    "[body.link.initial]\nangle = {0:.17g}\nposition = [{1:.17g}, {2:.17g}]\n[joint.pin]\n"
                    "type = \"revolute\"\nof = [\"b0\", \"link\"]\nat = [0.1, 0]\n",
                    angle, 0.1 * std::cos(angle), 0.1 * std::sin(angle)) +
        sensor_text("pin", "angle", "of", "pin") +
        "[[analysis]]\nname = \"go\"\ntype = \"dynamic\"\nend = 0.01\nstep = 5e-3\n");
    EXPECT_NEAR(end.at("a0")[0], angle, 1e-12);
    EXPECT_NEAR(end.at("pin")[0], 0, 1e-11) << degrees;
  }
}

// A shaft that statics winds up, by whole revolutions too: GJ φ/L, for elements that are short enough: one that is twisted by α is off by
// 0.013 α⁴ (measured from 0.05 to 0.7 rad).
TEST(Starts, StaticsWindsAShaftUpFromTheReference) {
  for (const double turns : {-2.0, -0.5, 0.25, 0.5, 1.0, 3.5}) {
    const Sensors end = end_of(fmt::format(R"(
space = "spatial"
[section.bar]
EA = 4e6
GA1 = 1.4e6
GA2 = 1.4e6
EI1 = 300
EI2 = 300
GJ = 5
rhoA = 1.5
rhoI1 = 1e-4
rhoI2 = 1e-4
[beam.b]
section = "bar"
path = [[0, 0, 0], [1, 0, 0]]
elements = 32
[joint.clamp]
type = "weld"
of = ["ground", "b.start"]
[joint.chuck]
type = "cylindrical"
of = ["ground", "b.end"]
axis = [1, 0, 0]
angle = {{ type = "constant", value = {:.17g} }}
[sensor.a]
type = "angle"
of = "chuck"
[sensor.T]
type = "drive_torque"
of = "chuck"
[[analysis]]
name = "wind"
type = "static"
)",
                                           turns * 2 * pi));
    EXPECT_NEAR(end.at("a")[0], turns * 2 * pi, 1e-12);
    const double moment = 5 * turns * 2 * pi, twist = turns * 2 * pi / 32;
    EXPECT_NEAR(end.at("T")[0], moment, (1e-7 + 0.015 * std::pow(twist, 4)) * std::fabs(moment)) << turns;
  }
}

// A displacement ramps as an angle does: a spring of 100 N/m is pressed by 0.3 m.
TEST(Starts, StaticsRampsADisplacement) {
  const Sensors end = end_of(R"(
space = "planar"
[body.block]
m = 1
inertia = 1
[joint.slide]
type = "prismatic"
of = ["ground", "block"]
axis = [1, 0]
displacement = "= 0.3"
[body.other]
m = 1
inertia = 1
position = [1, 0]
[joint.clamp]
type = "weld"
of = ["ground", "other"]
[spring.s]
type = "linear"
between = ["block", "other"]
stiffness = 100
[sensor.F]
type = "drive_force"
of = "slide"
[sensor.d]
type = "displacement"
of = "slide"
[[analysis]]
name = "press"
type = "static"
)");
  EXPECT_NEAR(end.at("d")[0], 0.3, 1e-13);
  EXPECT_NEAR(end.at("F")[0], 30, 1e-9);
}

// A record of an angle within half a revolution jumps back by a whole one where the crank goes on.
TEST(Starts, RecordsOfAnglesMayJumpByWholeRevolutions) {
  for (const Motion& motion : motions) {
    if (motion.end == 0) continue;
    std::string text = space_of(hinges[0]) +
                       crank_text(hinges[0], ways[0], 0, "angle = \"= atan2(sin(3 + 20 * t), cos(3 + 20 * t))\"");
    const Sensors end = end_of(text + "[[analysis]]\nname = \"go\"\n" + motion.analysis);
    EXPECT_NEAR(end.at("a0")[0], 3.4 - 2 * pi, 1e-13) << motion.name;
    EXPECT_NEAR(end.at("t0")[0], 0.1 * std::cos(3.4), 1e-11) << motion.name;
  }
}

// A servo that begins after three revolutions turns on to its target, no revolution back; nothing else asks for the angle before.
TEST(Starts, RevolutionsAreCountedBeforeAServoBegins) {
  const Sensors end = end_of(R"(
space = "planar"
[body.wheel]
m = 1
inertia = 0.01
angular_velocity = 20
points = { tip = [0.1, 0] }
[joint.pivot]
type = "revolute"
of = ["ground", "wheel"]
at = [0, 0]
[load.servo]
type = "servo"
at = "pivot"
target = 20.5
kp = 40
kd = 1
from = 1
[sensor.turned]
type = "angle"
at = "wheel"
[sensor.tip]
type = "position"
at = "wheel.tip"
[[analysis]]
name = "go"
type = "dynamic"
end = 3
step = 2e-3
)");
  EXPECT_NEAR(end.at("turned")[0], 20.5, 1e-6);
  EXPECT_NEAR(end.at("tip")[0], 0.1 * std::cos(20.5), 1e-7);
}

}  // namespace
}  // namespace flexura::test
