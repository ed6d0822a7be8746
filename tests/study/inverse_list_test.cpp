#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "flexura/study/inverse_file.hpp"
#include "flexura/study/inverse_output.hpp"
#include "tests/study/two_links.hpp"

namespace flexura::test {
namespace {

using testing::HasSubstr;

// 1 kg between two springs in line, of 100 and 300 N/m, pushed by two forces: it moves by (a + b)/400 N/m.
const std::string between = R"([point.mass]
position = [0, -1]
[mass.weight]
at = "mass"
m = 1
[joint.guide]
type = "prescribed"
of = ["ground", "mass"]
x = 0
[spring.upper]
type = "linear"
between = [[0, 0], "mass"]
stiffness = 100
[spring.lower]
type = "linear"
between = [[0, -2], "mass"]
stiffness = 300
[signal.a]
type = "input"
[signal.b]
type = "input"
[load.a]
type = "force"
at = "mass"
force = [0, 1]
signal = "a"
[load.b]
type = "force"
at = "mass"
force = [0, 1]
signal = "b"
[sensor.mass]
type = "position"
at = "mass"
[[analysis]]
name = "rest"
type = "static"
)";

// A body that turns about an axis in space.
const std::string turntable = R"(space = "spatial"
gravity = [0, 0, -9.81]
[signal.turn]
type = "input"
[body.table]
shape = { type = "box", size = [0.3, 0.2, 0.1] }
density = 100
[joint.axis]
type = "revolute"
of = ["ground", "table"]
at = [0, 0, 0]
axis = [1, 2, 2]
angle = "turn"
[sensor.pose]
type = "frame"
at = "table"
[[analysis]]
name = "hold"
type = "static"
)";

InversePlan read(const std::string& text, const std::string& points = "") {
  StudyOptions options;
  options.scene.load = [&](const std::string& path) -> std::optional<std::string> {
    if (path == "here/arm.toml") return two_links(-9.81);
    if (path == "here/between.toml") return between;
    if (path == "here/table.toml") return turntable;
    if (path == "here/snap.toml") return snap_through;
    if (path == "here/points.csv" && !points.empty()) return points;
    return {};
  };
  return read_inverse_statics_text(text, "here/study.toml", options);
}

const std::string links = R"(scene = "arm.toml"
[input.shoulder]
low = "-180 deg"
high = "180 deg"
start = 0.3
[input.elbow]
low = 0
high = "170 deg"
start = 0.5
)";

// cos q₂ = (r² − l₁² − l₂²)/(2 l₁ l₂), with the elbow to one side; then two points that are out of reach, by 0.2 m and by what
// an elbow of 170° leaves.
TEST(InverseList, ReachesWhatTwoLinksReachAndSaysWhatIsLeft) {
  const InversePlan plan = read(links + R"([target.tip]
sensor = "tip"
tolerance = "1 um"
points = [[0.6, 0.2], [0.5, "300 mm"], [0, 0.45], [0.6, 0.8], [0, 0.1]]
)");
  const InverseListReport report = inverse_statics(plan);
  ASSERT_EQ(report.points.size(), 5u);
  for (size_t i = 0; i < 3; ++i) {
    const ReachedPoint& point = report.points[i];
    EXPECT_TRUE(point.reached) << i << ": " << point.distances[0];
    EXPECT_FALSE(point.from_elsewhere);
    const double x = plan.points[i][0], y = plan.points[i][1];
    EXPECT_NEAR(point.inputs[1], std::acos((x * x + y * y - 0.34) / 0.3), 2e-5);
  }
  EXPECT_EQ(report.reached(), 3u);
  EXPECT_NEAR(report.points[3].distances[0], 0.2, 1e-8);
  EXPECT_NEAR(report.points[4].distances[0], std::sqrt(0.34 + 0.3 * std::cos(170 * M_PI / 180)) - 0.1, 1e-8);
  EXPECT_THAT(report.points[4].message, HasSubstr("at a bound: elbow"));
  EXPECT_THAT(inverse_csv(plan, report), HasSubstr("tip.x wanted [m]"));
  EXPECT_THAT(inverse_page(plan, report), HasSubstr("<svg"));
}

// One link, stretched: p'' points away from the target, so that a step by the slopes alone goes twice too far, and back. A search ends where
// a step promises less than 1e-13 of the squares: the distance is then right to that, the angle to some roots of it.
TEST(InverseList, ComesToTheNearestPointOfACircle) {
  const InverseListReport report = inverse_statics(read(R"(scene = "arm.toml"
restarts = 0
[input.shoulder]
low = "-90 deg"
high = "90 deg"
[target.tip]
sensor = "tip"
tolerance = "1 um"
point = [0.96, 1.28]
)"));
  EXPECT_NEAR(report.points[0].distances[0], 0.8, 1e-9);
  EXPECT_NEAR(report.points[0].inputs[0], std::atan2(1.28, 0.96), 1e-5);
  EXPECT_LE(report.points[0].iterations, 25);
}

// Place and attitude together: three numbers of two inputs that fit.
TEST(InverseList, ReachesAPose) {
  const double q1 = 0.7, q2 = 1.1;
  const InversePlan plan = read(links + fmt::format(R"([target.elbow]
at = "lower"
quantity = "frame"
component = "position"
point = [{}, {}]
tolerance = 1e-6
[target.turned]
sensor = "forearm"
component = "angle"
value = "{} deg"
tolerance = "0.001 deg"
)",
                                                    0.5 * std::cos(q1), 0.5 * std::sin(q1), (q1 + q2) * 180 / M_PI));
  const InverseListReport report = inverse_statics(plan);
  ASSERT_TRUE(report.points[0].reached);
  EXPECT_NEAR(report.points[0].inputs[0], q1, 1e-5);
  EXPECT_NEAR(report.points[0].inputs[1], q2, 3e-5);
}

// An angle beyond half a turn is reached at once, and from there one on the other side; so is one from a start beyond half a turn.
TEST(InverseList, ReachesAnglesBeyondHalfATurn) {
  for (const char* start : {"0", "\"250 deg\""}) {
    const InverseListReport report = inverse_statics(read(fmt::format(R"(scene = "arm.toml"
restarts = 0
[input.shoulder]
low = "-300 deg"
high = "300 deg"
start = {}
[target.turned]
at = "upper"
quantity = "angle"
values = ["200 deg", "-200 deg"]
tolerance = "0.001 deg"
)",
                                                                      start)));
    for (const int k : {0, 1}) {
      EXPECT_TRUE(report.points[k].reached) << start << ": " << report.points[k].message;
      EXPECT_NEAR(report.points[k].inputs[0], (k == 0 ? 200 : -200) * M_PI / 180, 2e-5);
    }
  }
}

// −q is the same attitude. A turn about another axis leaves the angle in between: of 0.4 about (1, 2, 2)/3 wanted about z, the
// nearest turn about the axis has tan(φ/2) = n_z tan(0.2).
TEST(InverseList, ReachesAnAttitude) {
  const std::string study = R"(scene = "table.toml"
restarts = 0
[input.turn]
low = -2
high = 2
[target.pose]
sensor = "pose"
component = "quat_xyzw"
tolerance = "0.001 deg"
points = [)";
  const double s = std::sin(0.6), c = std::cos(0.6);
  const InverseListReport report = inverse_statics(
      read(study + fmt::format("[{0}, {1}, {1}, {2}], [{3}, {4}, {4}, {5}], [0, 0, {6}, {7}]]\n", s / 3, 2 * s / 3, c,
                               -2 * s / 3, -4 * s / 3, -2 * c, std::sin(0.2), std::cos(0.2))));
  EXPECT_TRUE(report.points[0].reached);
  EXPECT_NEAR(report.points[0].inputs[0], 1.2, 2e-5);
  EXPECT_TRUE(report.points[1].reached);
  EXPECT_NEAR(report.points[1].inputs[0], 1.2, 2e-5);
  const double phi = 2 * std::atan(2.0 / 3 * std::tan(0.2));
  EXPECT_FALSE(report.points[2].reached);
  EXPECT_NEAR(report.points[2].inputs[0], phi, 1e-6);
  const double dot = std::cos(0.2) * std::cos(phi / 2) + 2.0 / 3 * std::sin(0.2) * std::sin(phi / 2);
  EXPECT_NEAR(report.points[2].distances[0], 2 * std::sqrt(2 - 2 * dot), 1e-7);
}

// a + b = 40 N. Of these the least a² + (b/3)²: b is nine times as cheap, a = 4, b = 36; the tolerance leaves 0.004 N. With b at most 30
// the rest is a's.
TEST(InverseList, SharesARedundantTaskByEffort) {
  const auto found = [&](const std::string& bounds) {
    const InverseListReport report = inverse_statics(read(R"(scene = "between.toml"
[input.a]
low = -100
high = 100
effort = 1
[input.b]
effort = 3
)" + bounds + R"(
[target.mass]
sensor = "mass"
component = "y"
values = ["-1 m", "-0.9 m"]
tolerance = "0.01 mm"
)"));
    EXPECT_EQ(report.reached(), 2u);
    return report.points[1];
  };
  const ReachedPoint wide = found("low = -100\nhigh = 100");
  EXPECT_NEAR(wide.inputs[0], 4, 0.02);
  EXPECT_NEAR(wide.inputs[1], 36, 0.02);
  EXPECT_NEAR(wide.effort, 16 + 144, 0.2);
  const ReachedPoint narrow = found("low = -30\nhigh = 30");
  EXPECT_NEAR(narrow.inputs[0], 10, 0.02);
  EXPECT_EQ(narrow.inputs[1], 30);
  EXPECT_TRUE(narrow.at_bound[1]);
}

TEST(InverseList, ReadsPointsOfATable) {
  const std::string study = "points = \"points.csv\"\n" + links + R"([target.tip]
sensor = "tip"
tolerance = 1e-6
)";
  const InversePlan plan = read(study, "x [mm],y [m]\n600,0.2\n500,0.3\n");
  ASSERT_EQ(plan.points.size(), 2u);
  EXPECT_EQ(plan.points[1], (std::vector<double>{0.5, 0.3}));
}

TEST(InverseList, TellsThatItDoesNotBeginWhereItShould) {
  const InversePlan plan = read(R"(scene = "snap.toml"
restarts = 0
[input.push]
low = -5
high = 1
start = -5
[target.mass]
sensor = "mass"
component = "y"
value = 0.28
tolerance = "0.01 mm"
)");
  const InverseListReport report = inverse_statics(plan);
  EXPECT_TRUE(report.points[0].reached);
  ASSERT_EQ(report.warnings.size(), 1u);
  EXPECT_THAT(report.warnings[0], HasSubstr("no equilibrium was found at the inputs to start from"));
  EXPECT_THAT(inverse_page(plan, report), HasSubstr(report.warnings[0]));
}

// Two numbers are two columns: one with the target's name alone is neither.
TEST(InverseList, ReadsAColumnOfTheTargetsNameAsOneNumber) {
  const std::string target = "[target.tip]\nsensor = \"tip\"\ntolerance = \"1 um\"\n";
  std::string study = links;
  study.insert(study.find("[input"), "points = \"points.csv\"\n");
  const InversePlan one = read(study + target + "component = \"y\"\n", "k,tip [mm]\n1,400\n2,300\n");
  EXPECT_EQ(one.points, (std::vector<std::vector<double>>{{0.4}, {0.3}}));
  try {
    read(study + target, "k,tip [m]\n1,0.4\n2,0.3\n");
    FAIL() << "nothing was thrown";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("has no column \"tip.x\", but \"k\" and \"tip\""));
  }
}

TEST(InverseList, SaysAllThatIsWrongAtOnce) {
  try {
    read("points = \"points.csv\"\n" + links + R"([target.tip]
sensor = "tipp"
tolerance = 1
[target.elbow]
at = "lowr"
point = [1, 2]
tolerance = "1 s"
[target.forearm]
value = 1
tolerance = 1
[target.y]
sensor = "tip"
component = "z"
value = 1
values = [1, 2]
[input.wrist]
signal = "shoulder"
low = 0
high = 1
rest = 1
[target.x]
sensor = "tip"
component = "x"
column = "w"
tolerance = "1 kg"
)",
         "x [mm],y [m]\n600,0.2\n500,0.3\n");
    FAIL() << "nothing was thrown";
  } catch (const InputError& error) {
    for (const char* expected :
         {"target.tip.sensor: the scene has no sensor \"tipp\"", "nearest: \"tip\"", "target.elbow.at",
          "nearest: \"lower\"", "target.y.values: is in place of `value`", "\"tolerance\" is missing",
          "input.wrist.signal: the input \"shoulder\" is varied already", "input.wrist.rest: is where"})
      EXPECT_THAT(error.what(), HasSubstr(expected));
  }
  try {
    read("points = \"points.csv\"\n" + links + R"([target.forearm]
value = 1
tolerance = 1
[target.y]
sensor = "tip"
component = "z"
value = 1
tolerance = 1
[target.x]
sensor = "tip"
component = "x"
column = "w"
tolerance = "1 kg"
[target.two]
sensor = "tip"
value = 1
tolerance = 1
)",
         "x [mm],y [m]\n600,0.2\n500,0.3\n");
    FAIL() << "nothing was thrown";
  } catch (const InputError& error) {
    for (const char* expected : {"target.forearm: numbers of different units: choose a component",
                                 "has no component \"z\", but \"x\" and \"y\"", "has no column \"w\"",
                                 "target.x.tolerance: \"1 kg\" has the wrong dimension; it is in [m]",
                                 "target.two.value: 2 numbers are wanted"})
      EXPECT_THAT(error.what(), HasSubstr(expected));
  }
}

}  // namespace
}  // namespace flexura::test
