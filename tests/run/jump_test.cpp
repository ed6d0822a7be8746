#include <gtest/gtest.h>

#include "flexura/run/simulation.hpp"
#include "flexura/scene/reader.hpp"

namespace flexura {
namespace {

RunSummary run(const std::string& signal, const std::string& analysis) {
  const std::string text = R"(
title = "a force that jumps off the grid of steps"
[point.p]
position = [0, 0]
[mass.bob]
at = "p"
m = 1
[load.push]
type = "force"
at = "p"
force = [1, 0]
signal = )" + signal + R"(
[sensor.speed]
type = "velocity"
at = "p"
[[analysis]]
name = "move"
type = "dynamic"
end = 0.5
step = 0.01
)" + analysis;
  RunOptions options;
  options.record = false;
  return run_scene(read_scene_text(text, "jump.toml", scene_terms()), options);
}

double last_speed(const RunSummary& summary) { return summary.sensors.at(0).second.last.at(0); }

// Constant acceleration between jumps is integrated exactly by the Newmark family, so only a step across the jump could
// err: by up to h/2 = 5e-3 m/s. The time of a jump is read 1e-12 s early.
TEST(Jump, StepsLandOnItAndTakeItsTwoSides) {
  const std::string piecewise = "{ type = \"piecewise\", points = [[0, 0], [0.1234, 0], [0.1234, 1], [1, 1]] }";
  EXPECT_NEAR(last_speed(run(piecewise, "")), 0.5 - 0.1234, 1e-11);
  EXPECT_NEAR(last_speed(run(piecewise, "adaptive = {}")), 0.5 - 0.1234, 1e-9);
  EXPECT_NEAR(last_speed(run("\"= step(t - 0.1234) - step(t - 0.3)\"", "")), 0.3 - 0.1234, 1e-11);
  EXPECT_NEAR(last_speed(run("{ type = \"ramp\", from = 2, to = 1, start = 0.2, duration = 0 }", "")), 0.7, 1e-11);
}

}  // namespace
}  // namespace flexura
