// Every row of the analyses runs: whoever adds one is told if nothing computes it.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "flexura/run/simulation.hpp"
#include "flexura/scene/reader.hpp"

namespace flexura {
namespace {

constexpr const char* machine = R"(
gravity = [0, -9.81]
[body.rod]
m = 1
center = [0.5, 0]
inertia = 0.1
points = {{ tip = [1, 0] }}
[joint.hinge]
type = "revolute"
of = ["ground", "rod"]
{}
[spring.wall]
type = "linear"
between = [[2, 0], "rod.tip"]
stiffness = 100
free_length = 1
[[analysis]]
name = "one"
type = "{}"
{}
)";

TEST(AnalysisRows, AllRun) {
  for (const SettingsRow& row : analyses()) {
    const auto what = std::static_pointer_cast<const Analysis>(row.make());
    const auto* motion = dynamic_cast<const MotionAnalysis*>(what.get());
    const std::string text =
        fmt::format(fmt::runtime(machine), motion != nullptr && motion->is_driven() ? "angle = 0" : "", row.name,
                    motion == nullptr ? "" : "end = 0.02\nstep = 0.01");
    RunOptions options;
    options.record = false;
    const RunSummary summary = run_scene(read_scene_text(text, "rows.toml", scene_terms()), options);
    EXPECT_EQ(summary.status, RunStatus::finished) << row.name << ": " << summary.message;
  }
}

}  // namespace
}  // namespace flexura
