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
Frame prism(int n, bool free) {
  const double q = 400, EA = 1e3, radius = 0.1, height = 0.2, turn = pi / 2 - pi / n;
  Frame out;
  const auto chord = [&](double angle, double rise) { return std::hypot(2 * radius * std::sin(angle / 2), rise); };
  for (int k = 0; k < n; ++k) {
    out.point(fmt::format("b{}", k), radius, 2 * pi * k / n, 0, !free);
    out.point(fmt::format("t{}", k), radius, 2 * pi * k / n + turn, height, false);
  }
  for (int k = 0; k < n; ++k) {
    const int then = (k + 1) % n;
    const double side = q / (2 * std::sin(pi / n)) * chord(2 * pi / n, 0);
    out.elastic(fmt::format("b{}", k), fmt::format("t{}", then), 1e6, -q * chord(2 * pi / n + turn, height), 0.06);
    out.elastic(fmt::format("b{}", k), fmt::format("t{}", k), EA, q * chord(turn, height), 0.002);
    out.elastic(fmt::format("t{}", k), fmt::format("t{}", then), EA, side, 0.002);
    if (free) out.elastic(fmt::format("b{}", k), fmt::format("b{}", then), EA, side, 0.002);
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

}  // namespace
}  // namespace flexura::test
