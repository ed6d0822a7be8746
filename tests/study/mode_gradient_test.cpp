// What frequencies feel of numbers of a scene.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <limits>

#include "tests/study/gradients.hpp"

namespace flexura {
namespace {

constexpr const char* ring = R"(
[[analysis]]
name = "ring"
type = "modes"
count = 4
)";

// A uniform beam without load: f ∝ √(EI/rhoA)/L², on any mesh.
TEST(ModeGradient, OfABeam) {
  const SceneDocument scene = scene_of(std::string(cantilever) + ring, {"load.tip.force=[0, 0]"});
  const Derivatives d = differentiate(scene, read_again(scene),
                                      {.wrt = {"section.wall.EI", "section.wall.rhoA", "cable.beam.path[1][0]"}});
  ASSERT_EQ(d.modes.size(), 1);
  const ModeDerivatives& modes = d.modes[0];
  EXPECT_EQ(modes.problem, "");
  // The stretch, whose stiffness is EA L²/EI = 5e6 times as large, leaves its rounding in vectors of bending.
  const double rounding = 2 * std::numeric_limits<double>::epsilon() * 5e6;
  for (size_t k = 0; k < 4; ++k) {
    const double f = modes.frequencies[k];
    EXPECT_NEAR(modes.slopes[3 * k], f / (2 * 2), rounding * f) << k;
    EXPECT_NEAR(modes.slopes[3 * k + 1], -f / (2 * 0.1), rounding * f / 0.1) << k;
    EXPECT_NEAR(modes.slopes[3 * k + 2], -2 * f, 10 * rounding * f) << k;  // of the lengths of all elements
  }
}

// About the equilibrium under a load that bends it much: the state changes too.
TEST(ModeGradient, AboutAnEquilibrium) {
  const SceneDocument scene = scene_of(bent_cantilever + ring, {"load.tip.force=[0.4, 3]"});
  const GradientQuestion question{.wrt = {"section.wall.EI", "load.tip.force[1]", "cable.beam.path[1][0]"},
                                  .of = {"tip.y"}};
  const ReadScene read = read_again(scene);
  const Derivatives d = differentiate(scene, read, question);
  const GradientCheck check = check_gradient(scene, read, question, d);
  ASSERT_EQ(check.modes.size(), 4 * question.wrt.size());
  for (const ModeComparison& c : check.modes)
    EXPECT_TRUE(c.agrees(1e-6)) << c.mode << " by " << question.wrt[c.number] << ": " << c.slope << " off by " << c.off;
}

// A mass between four equal springs swings both ways with √(2k/m). The stiffness of one spring makes one of the modes faster:
// the slopes are 0 and f/(4k).
TEST(ModeGradient, ThatShareAFrequency) {
  std::string text = "space = \"planar\"\n[point.mass]\nposition = [0, 0]\n[mass.m]\nat = \"mass\"\nm = 1\n";
  const char* places[] = {"[1, 0]", "[-1, 0]", "[0, 1]", "[0, -1]"};
  for (int k = 0; k < 4; ++k)
    text += fmt::format("[spring.s{}]\ntype = \"linear\"\nbetween = [{}, \"mass\"]\nstiffness = 50\n", k, places[k]);
  const SceneDocument scene = scene_of(text + ring);
  const Derivatives d = differentiate(scene, read_again(scene), {.wrt = {"spring.s0.stiffness", "mass.m.m"}});
  const ModeDerivatives& modes = d.modes.at(0);
  ASSERT_EQ(modes.first, (std::vector<int>{0, 0}));
  const double f = modes.frequencies[0];
  EXPECT_NEAR(modes.slopes[0], 0, 1e-9 * f / 50);
  EXPECT_NEAR(modes.slopes[2], f / (4 * 50), 1e-9 * f / 50);
  for (const size_t k : {1, 3}) EXPECT_NEAR(modes.slopes[k], -f / 2, 1e-9 * f);
}

}  // namespace
}  // namespace flexura
