// Loads beyond a limit point, without arc length.

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

}  // namespace
}  // namespace flexura::test
