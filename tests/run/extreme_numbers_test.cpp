// Scenes at the edge of what numbers hold, found by fuzzing: whatever a solver answers, the state stays numbers.

#include <gtest/gtest.h>

#include <cmath>

#include "flexura/integrate/generalized_alpha.hpp"
#include "flexura/run/simulation.hpp"
#include "flexura/scene/reader.hpp"

namespace flexura {
namespace {

// A bending stiffness of 1e300 N m² overflows where it meets the mass of a bob on a rod. Accelerations do not need it.
TEST(ExtremeNumbers, AStartFindsNumbersOrLeavesTheStateAsItWas) {
  const SceneDocument document = read_scene_text(R"(gravity = [0, -9.81]
[section.w]
EA = 2000
EI = 1e300
rhoA = 0.12
[cable.a]
section = "w"
path = [[0, 0], [1, 0]]
elements = 2
[joint.c]
type = "weld"
of = ["ground", "a.start"]
[point.b]
position = [1, -1]
[mass.m]
at = "b"
m = 1
[joint.r]
type = "distance"
of = ["a.end", "b"]
[[analysis]]
name = "d"
type = "dynamic"
end = 1
step = 0.01
)",
                                                 "scene.toml", scene_terms());
  const SceneModels scene = interpret_scene(document);
  const Model& model = scene.models.front().model;
  const Values* values = &model.values;
  System<double> system(model.topology, std::span(&values, 1));
  State<double> state = system.initial_state(0);
  const State<double> before = state;
  GeneralizedAlpha<double> integrator(system, NewmarkFamily::generalized_alpha(0.8), {});
  if (!integrator.start(state)) {
    EXPECT_EQ(state.q, before.q);
    EXPECT_EQ(state.v, before.v);
    EXPECT_EQ(state.a, before.a);
    EXPECT_EQ(state.a_alg, before.a_alg);
  }
  for (const std::vector<double>* list : {&state.q, &state.v, &state.a, &state.a_alg})
    for (double x : *list) EXPECT_TRUE(std::isfinite(x));
}

// What a sensor reads moves nothing, but no result holds what is no number: of the signal sqrt(0.05 - t) the run ends at 0.051 s.
TEST(ExtremeNumbers, ARunEndsWhereASensorReadsNone) {
  RunOptions options;
  options.record = false;
  const RunSummary summary = run_scene(read_scene_text(R"toml(
[point.p]
position = [0, 0]
[mass.m]
at = "p"
m = 1
[signal.z]
type = "expression"
formula = "sqrt(0.05 - t)"
[sensor.root]
type = "signal"
of = "z"
[[analysis]]
name = "d"
type = "dynamic"
end = 0.1
step = 0.001
)toml",
                                                       "scene.toml", scene_terms()),
                                       options);
  EXPECT_EQ(summary.status, RunStatus::failed);
  EXPECT_NE(summary.message.find("sensor root has no finite value at t = 0.051 s"), std::string::npos)
      << summary.message;
  EXPECT_DOUBLE_EQ(summary.sensors.at(0).second.last.at(0), 0);
}

}  // namespace
}  // namespace flexura
