// Loads beyond a limit point, without arc length.

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "tests/support/scenes.hpp"

namespace flexura::test {
namespace {

using testing::HasSubstr;

// A bar whose law gives way: W = c10 (I₁ − 3) + c20 (I₁ − 3)², c20 < 0, bears 2 (λ − λ⁻²)(c10 + 2 c20 (λ² + 2/λ − 3)) per area, 2844 Pa at
// most where c10 = 1e4, c20 = −1e5. Of 50 N on 4e-4 m² that is 0.02275; at its clamp it bears a little less (measured: 0.0221).
TEST(LimitPoint, StaticsUnderAForceEndBelowItAndSayWhatGoesRound) {
  RunOptions options;
  options.record = false;
  const RunSummary s = run_scene(read_scene_text(R"(space = "spatial"
[material.m]
type = "yeoh"
c10 = 1e4
c20 = -1e5
c30 = 0
rho = 1000
[solid.b]
shape = { type = "block", size = [0.1, 0.02, 0.02] }
elements = [4, 1, 1]
material = "m"
[joint.foot]
type = "weld"
of = ["ground", "b.left"]
[load.end]
type = "force"
at = "b.right"
force = [50, 0, 0]
[sensor.end]
type = "position"
at = "b.right"
[[analysis]]
name = "pull"
type = "static"
)",
                                                 "scene.toml", scene_terms()),
                                 options);
  EXPECT_EQ(s.status, RunStatus::failed);
  EXPECT_THAT(s.message, HasSubstr("arc_length = true follows the path round a limit point"));
  ASSERT_EQ(s.at_rest.paths.size(), 1u);
  const double limit = 2844 * 4e-4 / 50;
  EXPECT_GT(s.at_rest.paths[0].load_factor, 0.95 * limit);
  EXPECT_LT(s.at_rest.paths[0].load_factor, limit);
  ASSERT_EQ(s.sensors.size(), 1u);  // what was reached is kept
  EXPECT_GT(s.sensors[0].second.last[0], 0.1);
  EXPECT_LT(s.sensors[0].second.last[0], 0.108);
}

/// An eighth of a balloon with a limit point at 15.6 kPa, blown up by 16 kPa: by what `how` says.
RunSummary balloon(const char* pressure, const char* how) {
  std::string text = R"(space = "spatial"
[material.m]
type = "yeoh"
c10 = 1.6e5
c20 = 0
c30 = 100
bulk = 2e8
rho = 1000
[solid.s]
shape = { type = "sphere", inner = 0.01, outer = 0.0104, part = "octant" }
elements = [1, 2, 2]
material = "m"
[chamber.c]
surfaces = ["s.inner"]
planes = ["x", "y", "z"]
type = "pressure"
pressure = ")";
  text += std::string(pressure) + "\"\n";
  for (const auto& [name, side, normal] : {std::tuple{"x", "left", "[1, 0, 0]"}, std::tuple{"y", "front", "[0, 1, 0]"},
                                           std::tuple{"z", "bottom", "[0, 0, 1]"}})
    text += fmt::format(
        "[joint.{0}]\ntype = \"point_on_plane\"\nof = [\"ground\", \"s.{1}\"]\nnormal = {2}\n[plane.{0}]\n"
        "point = [0, 0, 0]\nnormal = {2}\n",
        name, side, normal);
  text += "[[analysis]]\nname = \"blow\"\ntype = \"static\"\n";
  RunOptions options;
  options.record = false;
  return run_scene(read_scene_text(text + how, "scene.toml", scene_terms()), options);
}

// Beyond it statics go to the other side of the loop: said, with the loads between which it was; by arc length, and below the limit, nothing is.
TEST(LimitPoint, StaticsThatSnapSaySo) {
  const RunSummary snapped = balloon("16 kPa", "");
  ASSERT_EQ(snapped.status, RunStatus::finished) << snapped.message;
  ASSERT_EQ(snapped.warnings.size(), 1u);
  EXPECT_THAT(snapped.warnings[0],
              testing::ContainsRegex("analysis 'blow': between 0.[0-9]+ and (0.9[0-9]*|1) of the loads it snapped to "
                                     "another equilibrium and lost 0.[0-9]+ J: arc_length = true"));
  EXPECT_TRUE(balloon("14 kPa", "").warnings.empty());
  EXPECT_TRUE(balloon("16 kPa", "arc_length = true\n").warnings.empty());
}

}  // namespace
}  // namespace flexura::test
