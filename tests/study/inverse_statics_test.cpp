#include "flexura/study/inverse_statics.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "flexura/base/problem.hpp"
#include "flexura/scene/reader.hpp"

namespace flexura {
namespace {

// EI = 2 N m^2, L = 1 m: an end moment of EI/L bends it by 1 rad.
SteeredStatics cantilever() {
  return SteeredStatics(read_scene_text(R"(
space = "planar"
[section.s]
EA = 1e4
EI = 2
rhoA = 1
[cable.beam]
section = "s"
path = [[0, 0], [1, 0]]
elements = 16
[joint.clamp]
type = "weld"
of = ["ground", "beam.start"]
[signal.moment]
type = "input"
[signal.force]
type = "input"
[load.moment]
type = "moment"
at = "beam.end"
moment = 1
signal = "moment"
[load.force]
type = "force"
at = "beam.end"
force = [0, 1]
signal = "force"
[sensor.angle]
type = "angle"
at = "beam.end"
[sensor.tip]
type = "position"
at = "beam.end"
[sensor.reaction]
type = "reaction_moment"
of = "clamp"
[[analysis]]
name = "hold"
type = "static"
)",
                                        "beam.toml", scene_terms()));
}

TEST(InverseStatics, FindsTheEndMomentOfAnAngle) {
  SteeredStatics beam = cantilever();
  const auto report =
      inverse_statics(beam, {{.name = "moment"}}, {{.sensor = "angle", .value = 1.0}}, {.tolerance = 1e-9});
  ASSERT_TRUE(report.converged) << report.message;
  EXPECT_NEAR(report.inputs[0], 2.0, 2e-5);  // 16 elements lose 1e-5 of the circle
  EXPECT_LE(report.iterations, 12);          // eight of them as long as one may be
  EXPECT_NEAR(std::fabs(beam.read("reaction")[0]), report.inputs[0], 1e-6);
}

TEST(InverseStatics, FindsMomentAndForceOfAPoseThatItMadeItself) {
  SteeredStatics beam = cantilever();
  ASSERT_TRUE(beam.move_to({1.5, -2.5}));
  const std::vector<double> tip = beam.read("tip"), angle = beam.read("angle");
  beam.restart();
  const auto report = inverse_statics(beam, {{.name = "force"}, {.name = "moment"}},
                                      {{.sensor = "tip", .component = 0, .value = tip[0]},
                                       {.sensor = "tip", .component = 1, .value = tip[1]},
                                       {.sensor = "angle", .value = angle[0], .weight = 0.1}},
                                      {.tolerance = 1e-8});
  ASSERT_TRUE(report.converged) << report.message;
  EXPECT_NEAR(report.inputs[0], -2.5, 1e-5);
  EXPECT_NEAR(report.inputs[1], 1.5, 1e-5);
}

TEST(InverseStatics, StopsAtBoundsAndSaysWhatIsMissing) {
  SteeredStatics beam = cantilever();
  const auto report =
      inverse_statics(beam, {{.name = "moment", .low = -1, .high = 1.5}}, {{.sensor = "angle", .value = 1.0}});
  EXPECT_FALSE(report.converged);
  EXPECT_DOUBLE_EQ(report.inputs[0], 1.5);
  EXPECT_NEAR(report.miss, 0.25, 1e-4);
  EXPECT_NE(report.message.find("missed by 0.25"), std::string::npos) << report.message;
  EXPECT_DOUBLE_EQ(beam.values()[0], 1.5);
}

TEST(InverseStatics, RefusesWhatTheSceneDoesNotHave) {
  SteeredStatics beam = cantilever();
  const auto message = [&](const SteeredInput& input, const StaticTarget& target) {
    try {
      inverse_statics(beam, {input}, {target});
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_NE(message({.name = "momnet"}, {.sensor = "angle"}).find("\"moment\""), std::string::npos);
  EXPECT_NE(message({.name = "moment"}, {.sensor = "angel"}).find("\"angle\""), std::string::npos);
  EXPECT_NE(message({.name = "moment"}, {.sensor = "tip", .component = 2}).find("no component 2"), std::string::npos);
  EXPECT_NE(message({.name = "moment", .low = 1, .high = 2}, {.sensor = "tip"}).find("the start between them"),
            std::string::npos);
}

}  // namespace
}  // namespace flexura
