// Frames under load and in motion, against a second program (validation/independent/frames.py) and closed forms.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "tests/support/scenes.hpp"

namespace flexura::test {
namespace {

constexpr double pi = std::numbers::pi;

struct Frame {
  std::string text = "space = \"spatial\"\n";

  void point(const std::string& name, double radius, double angle, double z, bool fixed) {
    text += fmt::format("[point.{}]\nposition = [{:.17g}, {:.17g}, {:.17g}]\n{}", name, radius * std::cos(angle),
                        radius * std::sin(angle), z, fixed ? "fixed = true\n" : "");
  }
  void elastic(const std::string& a, const std::string& b, double EA, double prestress = 0, double m = 0) {
    text += fmt::format(
        "[truss.{0}_{1}]\ntype = \"elastic\"\nbetween = [\"{0}\", \"{1}\"]\nEA = {2}\nprestress = {3:.17g}\nm = {4}\n",
        a, b, EA, prestress, m);
  }
  RunSummary run(const std::string& analyses) const {
    RunOptions options;
    options.record = false;
    return run_scene(read_scene_text(text + analyses, "scene.toml", scene_terms()), options);
  }
};

// A star dome of 24 bars under a load on its apex. The second program has its limits at 303.189396149 N and −265.100948209 N (golden
// section on the depth). Here bisection along the path leaves 1e-7 of a step in length, and near a limit its square in load.
TEST(FrameMotion, AStarDomeHasTwoLimitPoints) {
  Frame dome;
  dome.point("apex", 0, 0, 0.08216, false);
  for (int k = 0; k < 6; ++k) {
    dome.point(fmt::format("r{}", k), 0.25, k * pi / 3, 0.06216, false);
    dome.point(fmt::format("f{}", k), 0.5, k * pi / 3 + pi / 6, 0, true);
  }
  const double EA = 960.51e3;
  for (int k = 0; k < 6; ++k) {
    const std::string ring = fmt::format("r{}", k);
    dome.elastic("apex", ring, EA, 0, 0.1);
    dome.elastic(ring, fmt::format("r{}", (k + 1) % 6), EA, 0, 0.1);
    dome.elastic(ring, fmt::format("f{}", k), EA);
    dome.elastic(ring, fmt::format("f{}", (k + 5) % 6), EA);
  }
  dome.text += "[load.push]\ntype = \"force\"\nat = \"apex\"\nforce = [0, 0, -400]\n";
  const RunSummary s = dome.run("[[analysis]]\nname = \"push\"\ntype = \"static\"\narc_length = true\n");
  ASSERT_EQ(s.status, RunStatus::finished) << s.message;
  ASSERT_EQ(s.at_rest.critical.size(), 2u);
  const double limits[] = {303.189396149, -265.100948209};
  for (size_t k = 0; k < 2; ++k) {
    EXPECT_EQ(s.at_rest.critical[k].type, "limit point");
    EXPECT_NEAR(400 * s.at_rest.critical[k].load_factor, limits[k], 1e-6);
  }
}

// The dome of 24 bars of [levy2003], section 2.4.2, in inches and pounds: 220.46 lb on the crown move it by 0.20641184 in, linearly. A ten
// thousandth of the load, up and down: what is left of its square is 1e-8, as is the last digit printed there.
TEST(FrameMotion, AStarDomeGivesWayAsPublished) {
  constexpr double inch = 0.0254, pound = 4.4482216152605;
  Frame dome;
  const auto point = [&](const std::string& name, double x, double y, double z, bool fixed) {
    dome.point(name, inch * std::hypot(x, y), std::atan2(y, x), inch * z, fixed);
  };
  point("apex", 0, 0, 3.2346, false);
  const double ring[][2] = {{4.92125, 8.5239},   {-4.92125, 8.5239}, {-9.8425, 0},
                            {-4.92125, -8.5239}, {4.92125, -8.5239}, {9.8425, 0}};
  const double feet[][2] = {{0, 19.685},  {-17.0472, 9.8425}, {-17.0472, -9.8425},
                            {0, -19.685}, {17.0472, -9.8425}, {17.0472, 9.8425}};
  for (size_t k = 0; k < 6; ++k) {
    point(fmt::format("r{}", k), ring[k][0], ring[k][1], 2.4472, false);
    point(fmt::format("f{}", k), feet[k][0], feet[k][1], 0, true);
  }
  const double EA = 30e6 * 0.0155 * pound;
  for (int k = 0; k < 6; ++k) {
    const std::string at = fmt::format("r{}", k);
    dome.elastic("apex", at, EA, 0, 0.1);
    dome.elastic(at, fmt::format("r{}", (k + 1) % 6), EA);
    dome.elastic(at, fmt::format("f{}", k), EA);
    dome.elastic(at, fmt::format("f{}", (k + 5) % 6), EA);
  }
  const double share = 1e-4;
  const auto height = [&](double load) {
    Frame pushed = dome;
    pushed.text += fmt::format("[load.push]\ntype = \"force\"\nat = \"apex\"\nforce = [0, 0, {:.17g}]\n", load);
    const RunSummary s = pushed.run(
        "[sensor.apex]\ntype = \"position\"\nat = \"apex\"\n[[analysis]]\nname = \"push\"\ntype = \"static\"\n");
    EXPECT_EQ(s.status, RunStatus::finished) << s.message;
    return s.sensors.at(0).second.last.at(2);
  };
  const double load = share * 220.46 * pound;
  EXPECT_NEAR((height(load) - height(-load)) / (2 * share * inch), 0.20641184, 1e-7);
}

// A mass on a taut string, ω² = (T/a + T/b)/m across it and (EA/a + EA/b)/m along it: no stiffness but the prestress holds it.
TEST(FrameMotion, AMassOnATautString) {
  const double T = 80, EA = 1e5, a = 0.3, b = 0.5, m = 0.4;
  Frame string;
  string.point("left", 0, 0, 0, true);
  string.point("middle", a, 0, 0, false);
  string.point("right", a + b, 0, 0, true);
  string.elastic("left", "middle", EA, T);
  string.elastic("middle", "right", EA, T);
  string.text += fmt::format("[mass.ball]\nat = \"middle\"\nm = {}\n", m);
  const RunSummary s = string.run("[[analysis]]\nname = \"modes\"\ntype = \"modes\"\ncount = 3\n");
  ASSERT_EQ(s.status, RunStatus::finished) << s.message;
  const std::vector<double>& f = s.at_rest.modes.at(0).frequency;
  const double across = std::sqrt((T / a + T / b) / m) / (2 * pi), along = std::sqrt((EA / a + EA / b) / m) / (2 * pi);
  EXPECT_NEAR(f[0] / across, 1, 1e-10);
  EXPECT_NEAR(f[1] / across, 1, 1e-10);
  EXPECT_NEAR(f[2] / along, 1, 1e-10);
}

/// prism of validation/independent/frames.py.
struct Members {
  double EA_cable = 1e3, EA_strut = 1e6, m_cable = 0.002, m_strut = 0.06;
};
Frame prism(int n, bool free, const Members& of = {}) {
  const double q = 400, radius = 0.1, height = 0.2, turn = pi / 2 - pi / n;
  Frame out;
  const auto chord = [&](double angle, double rise) { return std::hypot(2 * radius * std::sin(angle / 2), rise); };
  for (int k = 0; k < n; ++k) {
    out.point(fmt::format("b{}", k), radius, 2 * pi * k / n, 0, !free);
    out.point(fmt::format("t{}", k), radius, 2 * pi * k / n + turn, height, false);
  }
  for (int k = 0; k < n; ++k) {
    const int then = (k + 1) % n;
    const double side = q / (2 * std::sin(pi / n)) * chord(2 * pi / n, 0);
    out.elastic(fmt::format("b{}", k), fmt::format("t{}", then), of.EA_strut, -q * chord(2 * pi / n + turn, height),
                of.m_strut);
    out.elastic(fmt::format("b{}", k), fmt::format("t{}", k), of.EA_cable, q * chord(turn, height), of.m_cable);
    out.elastic(fmt::format("t{}", k), fmt::format("t{}", then), of.EA_cable, side, of.m_cable);
    if (free) out.elastic(fmt::format("b{}", k), fmt::format("b{}", then), of.EA_cable, side, of.m_cable);
  }
  return out;
}

// Modes of tensegrity prisms about their prestress, lowest first, as the second program has them to ten digits.
TEST(FrameMotion, PrestressedPrismsSwing) {
  struct Case {
    int n;
    bool free;
    std::vector<double> frequency;  ///< [Hz]
  };
  const Case cases[] = {{3, false, {27.54658545, 35.93875369, 35.93875369, 95.03968734, 95.03968734, 113.5550059}},
                        {3, true, {33.7464911, 71.74986664, 71.74986664, 88.42450391, 88.42450391, 127.5858305}},
                        {4, true, {22.24724186, 29.5159387, 30.70009261, 61.00721463, 61.00721463, 85.60318741}}};
  for (const Case& one : cases) {
    const int rigid = one.free ? 6 : 0;
    const RunSummary s =
        prism(one.n, one.free)
            .run(fmt::format("[[analysis]]\nname = \"modes\"\ntype = \"modes\"\ncount = {}\n", 6 + rigid));
    ASSERT_EQ(s.status, RunStatus::finished) << s.message;
    const std::vector<double>& f = s.at_rest.modes.at(0).frequency;
    for (int k = 0; k < 6; ++k)
      EXPECT_NEAR(f.at(rigid + k), one.frequency[k], 1e-8 * one.frequency[k]) << one.n << " " << k;
  }
}

// The twist of a standing prism, its height following, changes no length to first order: only the densities q of sides and -q of struts hold it. With masses m at
// its top and sides and struts at the angles π/2 ∓ π/n about the axis,
//     ½ Σ q (l²)̈ = 2 n q r² sin(π/n) θ̇²,  ḣ = −(r²/h) cos(π/n) θ̇   →   ω² = 2 q sin(π/n)/(m (1 + (r/h)² cos²(π/n)))
// for members that do not stretch; those that do give way by q l/EA = 1e-7.
TEST(FrameMotion, APrismsMechanismSwingsByItsPrestress) {
  for (const int n : {3, 4, 6}) {
    Frame frame = prism(n, false, {.EA_cable = 1e9, .EA_strut = 1e9, .m_cable = 0, .m_strut = 0});
    const double m = 0.3, q = 400, r = 0.1, h = 0.2;
    for (int k = 0; k < n; ++k) frame.text += fmt::format("[mass.m{0}]\nat = \"t{0}\"\nm = {1}\n", k, m);
    const RunSummary s = frame.run("[[analysis]]\nname = \"modes\"\ntype = \"modes\"\ncount = 1\n");
    ASSERT_EQ(s.status, RunStatus::finished) << s.message;
    const double aside = r / h * std::cos(pi / n);
    const double omega = std::sqrt(2 * q * std::sin(pi / n) / (m * (1 + aside * aside)));
    EXPECT_NEAR(s.at_rest.modes.at(0).frequency.at(0) * 2 * pi / omega, 1, 1e-6) << n;
  }
}

}  // namespace
}  // namespace flexura::test
