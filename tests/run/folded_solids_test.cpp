// Elements of solids that a run leaves inside out are said.

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>

#include "tests/support/scenes.hpp"

namespace flexura::test {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;

/// A bar of 4 elements under a force along its axis.
std::vector<std::string> warnings_of(const std::string& law, double force, const std::string& analysis) {
  RunOptions options;
  options.record = false;
  const std::string text = "space = \"spatial\"\n[material.m]\nrho = 1000\nE = 1e5\nnu = 0.3\ntype = \"" + law +
                           "\"\n" +
                           R"([solid.b]
shape = { type = "block", size = [0.1, 0.02, 0.02] }
elements = [4, 1, 1]
material = "m"
[joint.foot]
type = "weld"
of = ["ground", "b.left"]
[load.end]
type = "force"
at = "b.right"
force = [)" + fmt::format("{}, 0, 0]\n[[analysis]]\nname = \"press\"\n", force) +
                           analysis;
  return run_scene(read_scene_text(text, "scene.toml", scene_terms()), options).warnings;
}

// St. Venant–Kirchhoff's law gives way at a stretch of 1/√3 and lets elements through: here 4 of 4, J down to −1.2. What it bears is
// said nothing of.
TEST(FoldedSolids, AreWarnedAboutAtTheEndOfAnAnalysis) {
  const std::string at_rest = "type = \"static\"\n";
  EXPECT_THAT(warnings_of("st-venant-kirchhoff", -100, at_rest),
              Contains(HasSubstr("analysis 'press': 4 of 4 elements of solid 'b' are inside out, first element 1")));
  for (const std::string law : {"st-venant-kirchhoff", "neo-hooke"})
    EXPECT_THAT(warnings_of(law, -2, at_rest), Not(Contains(HasSubstr("inside out")))) << law;
}

// A tetrahedron that is hit goes through itself and comes back: it is told when that began, once, and of what in the end is as it was.
TEST(FoldedSolids, AreToldAboutWhereAMotionPassesThroughThem) {
  RunOptions options;
  options.record = false;
  const auto run = [&](const std::string& law, double velocity) {
    const std::string text = "space = \"spatial\"\n[material.m]\nrho = 1000\ntype = \"" + law + "\"\n" +
                             R"(E = 1e4
nu = 0.3
[solid.b]
shape = { type = "block", size = [0.1, 0.1, 0.1] }
elements = [1, 1, 1]
element = "tetrahedra-4"
material = "m"
velocity = [0, 0, )" + fmt::format("{}]\n", velocity) +
                             R"([joint.foot]
type = "weld"
of = ["ground", "b.bottom"]
[[analysis]]
name = "hit"
type = "dynamic"
end = 0.2
step = 1e-4
)";
    return run_scene(read_scene_text(text, "scene.toml", scene_terms()), options);
  };
  const RunSummary through = run("st-venant-kirchhoff", -6);
  ASSERT_EQ(through.status, RunStatus::finished) << through.message;
  EXPECT_THAT(through.warnings,
              Contains(testing::ContainsRegex(
                  "analysis 'hit': at t = 0.0[0-9]* s [0-9] of 6 elements of solid 'b' (is|are) inside "
                  "out, first element [0-9]")));
  EXPECT_EQ(
      std::ranges::count_if(through.warnings, [](const std::string& w) { return w.find("inside out") != w.npos; }), 1);
  EXPECT_THAT(run("st-venant-kirchhoff", -0.3).warnings, Not(Contains(HasSubstr("inside out"))));
}

}  // namespace
}  // namespace flexura::test
