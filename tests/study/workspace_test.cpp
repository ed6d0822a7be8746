#include "flexura/study/workspace.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "flexura/study/workspace_file.hpp"
#include "flexura/study/workspace_output.hpp"
#include "tests/study/two_links.hpp"

namespace flexura::test {
namespace {

using std::numbers::pi;
using testing::HasSubstr;

WorkspacePlan read(const std::string& text, double gravity = -9.81) {
  StudyOptions options;
  options.scene.load = [gravity](const std::string& path) -> std::optional<std::string> {
    if (path != "here/arm.toml") return {};
    return two_links(gravity);
  };
  return read_workspace_text(text, "here/study.toml", options);
}

const std::string whole_turn = R"(scene = "arm.toml"
cells = 16
[design]
type = "grid"
[input.shoulder]
low = "-180 deg"
high = "180 deg"
count = 13
[input.elbow]
low = "-170 deg"
high = "170 deg"
count = 9
[place]
at = "lower.tip"
[target.near]
point = [0.3, 0.3]
[target.far]
point = [0, "1 m"]
[target.within]
point = [0.05, 0]
)";

const double least_reach =
    std::sqrt(0.25 + 0.09 + 0.3 * std::cos(170 * pi / 180));  // an elbow at 170°: no nearer to the shoulder

TEST(Workspace, ManipulabilityOfTwoLinks) {
  const WorkspaceReport map = map_workspace(read(whole_turn));
  ASSERT_EQ(map.samples.size(), 117u);
  EXPECT_EQ(map.found(), 117u);
  for (const WorkspaceSample& s : map.samples) {
    const double q1 = s.inputs[0], q2 = s.inputs[1];
    EXPECT_NEAR(s.place[0], 0.5 * std::cos(q1) + 0.3 * std::cos(q1 + q2), 1e-8);
    EXPECT_NEAR(s.manipulability, 0.15 * std::fabs(std::sin(q2)), 1e-9);
    // σ₁² + σ₂² = ‖J‖²
    const double squares = 0.25 + 0.3 * std::cos(q2) + 2 * 0.09, w = s.manipulability;
    const double first = std::sqrt((squares + std::sqrt(squares * squares - 4 * w * w)) / 2);
    EXPECT_NEAR(s.singular_values[0], first, 1e-8);
  }
}

// An annulus. Its cells count whole where the boundary cuts them: of its length 2π (0.8 + 0.21), half a cell more or less.
TEST(Workspace, BoundaryOfTwoLinksIsAnAnnulus) {
  const WorkspaceReport map = map_workspace(read(whole_turn));
  int outer = 0, inner = 0;
  for (const WorkspaceSample& s : map.boundary) {
    const double r = std::hypot(s.place[0], s.place[1]);
    (r > 0.5 ? outer : inner) += 1;
    EXPECT_NEAR(r, r > 0.5 ? 0.8 : least_reach, 1e-7);
  }
  EXPECT_GE(outer, 30);
  EXPECT_GE(inner, 8);
  const double area = pi * (0.64 - least_reach * least_reach), edge = 2 * pi * (0.8 + least_reach) * map.cell;
  EXPECT_NEAR(map.measure(), area + 0.25 * edge, 0.25 * edge);
  EXPECT_TRUE(map.targets[0].found.reached);
  EXPECT_NEAR(map.targets[1].found.distances[0], 0.2, 1e-7);
  EXPECT_NEAR(map.targets[2].found.distances[0], least_reach - 0.05, 1e-7);
}

TEST(Workspace, IsTheSameOnAnyNumberOfThreads) {
  const WorkspacePlan plan = read(whole_turn);
  const WorkspaceReport one = map_workspace(plan), three = map_workspace(plan, {.threads = 3});
  EXPECT_EQ(workspace_csv(plan, one.samples), workspace_csv(plan, three.samples));
  EXPECT_EQ(workspace_csv(plan, one.boundary), workspace_csv(plan, three.boundary));
  EXPECT_EQ(targets_csv(plan, one), targets_csv(plan, three));
}

// One input moves the tip on a circle: J is a column of length l, and there is no boundary.
TEST(Workspace, OfOneInputIsACurve) {
  const WorkspacePlan plan = read(R"(scene = "arm.toml"
[design]
type = "sobol"
runs = 8
[input.elbow]
low = -1
high = 1
effort = 0.1
[place]
sensor = "tip"
)");
  const WorkspaceReport map = map_workspace(plan);
  for (const WorkspaceSample& s : map.samples) EXPECT_NEAR(s.manipulability, 0.03, 1e-9);
  EXPECT_TRUE(map.boundary.empty());
  ASSERT_EQ(map.warnings.size(), 1u);
  EXPECT_THAT(map.warnings[0], HasSubstr("a curve"));
  EXPECT_THAT(workspace_page(plan, map), HasSubstr("<svg"));
}

// An angle is the input itself, and goes on beyond half a turn: a set from -300° to 300° that has two ends, and none at ±180°.
TEST(Workspace, AnglesCountTurns) {
  const WorkspaceReport map = map_workspace(read(R"(scene = "arm.toml"
cells = 12
[design]
type = "grid"
[input.shoulder]
low = "-300 deg"
high = "300 deg"
count = 7
[place]
at = "upper"
quantity = "angle"
[target.over]
point = ["250 deg"]
)"));
  ASSERT_EQ(map.found(), 7u);
  for (const WorkspaceSample& s : map.samples) EXPECT_NEAR(s.place[0], s.inputs[0], 1e-8);
  ASSERT_EQ(map.boundary.size(), 2u);
  for (const WorkspaceSample& s : map.boundary) EXPECT_NEAR(std::fabs(s.place[0]), 300 * pi / 180, 1e-7);
  EXPECT_TRUE(map.targets[0].found.reached);
  EXPECT_NEAR(map.targets[0].found.inputs[0], 250 * pi / 180, 2 * map.tolerance);
}

TEST(Workspace, InputsNamedAsOtherColumnsAreToldApart) {
  WorkspacePlan plan = read(whole_turn);
  plan.inputs[0].input.name = "x";
  const std::string head = workspace_csv(plan, {});
  EXPECT_THAT(head, HasSubstr("sample,input.x"));
  EXPECT_THAT(head, HasSubstr(",elbow"));
  EXPECT_THAT(head, HasSubstr(",x [m],y [m],manipulability"));
  plan.inputs[0].input.name = "condition";
  EXPECT_THAT(workspace_csv(plan, {}), HasSubstr("sample,input.condition"));
  plan.inputs[0].input.name = "distance";
  EXPECT_THAT(targets_csv(plan, {}), HasSubstr("input.distance"));
}

TEST(Workspace, SaysAllThatIsWrongAtOnce) {
  try {
    read(R"(scene = "arm.toml"
[design]
type = "grid"
[input.shoulder]
low = "1 m"
high = 2
[input.elbw]
low = 2
high = 1
count = 3
[place]
at = "lower.tipp"
[target.far]
point = [1, 2, 3]
)");
    FAIL() << "nothing was thrown";
  } catch (const InputError& error) {
    for (const char* expected :
         {"study.toml:5:7: error: input.shoulder.low: \"1 m\" has the wrong dimension; it is in [rad]",
          "study.toml:4:8: error: input.shoulder: \"count\" is missing",
          "study.toml:8:7: error: input.elbw.low: the bounds are the wrong way", "study.toml:12:6: error: place.at",
          "nearest: \"tip\""})
      EXPECT_THAT(error.what(), HasSubstr(expected));
  }
}

}  // namespace
}  // namespace flexura::test
