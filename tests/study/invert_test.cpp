#include "flexura/study/invert.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "flexura/study/identify_file.hpp"
#include "flexura/study/identify_output.hpp"

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
[parameters]
a = 0
b = 0
[load.a]
type = "force"
at = "mass"
force = [0, "= a"]
[load.b]
type = "force"
at = "mass"
force = [0, "= b"]
[sensor.mass]
type = "position"
at = "mass"
[[analysis]]
name = "rest"
type = "static"
)";

Inversion read(const std::string& text) {
  StudyOptions options;
  options.scene.load = [](const std::string& path) -> std::optional<std::string> {
    if (path != "here/scene.toml") return {};
    return between;
  };
  return read_inversion_text(text, "here/study.toml", options);
}

const std::string target = R"([target.height]
sensor = "mass"
component = "y"
value = "-0.9 m"
tolerance = "0.01 mm"
)";

// a + b = 40 N. Of these the least a² + (b/3)²: b is nine times as cheap, a = 4, b = 36; the tolerance leaves 0.004 N.
TEST(Invert, SharesARedundantTaskByEffort) {
  const InvertReport report = invert(read(R"(scene = "scene.toml"
[parameter.a]
effort = 1
[parameter.b]
effort = 3
)" + target));
  EXPECT_TRUE(report.reached);
  EXPECT_NEAR(report.fit.numbers[0].value, 4, 0.02);
  EXPECT_NEAR(report.fit.numbers[1].value, 36, 0.02);
  EXPECT_NEAR(report.effort, 16 + 144, 0.2);
}

// With b at most 30 the rest is a's.
TEST(Invert, GoesRoundBounds) {
  const InvertReport report = invert(read(R"(scene = "scene.toml"
[parameter.a]
effort = 1
[parameter.b]
effort = 3
high = 30
low = -30
)" + target));
  EXPECT_TRUE(report.reached);
  EXPECT_NEAR(report.fit.numbers[0].value, 10, 0.02);
  EXPECT_EQ(report.fit.numbers[1].value, 30);
}

TEST(Invert, FindsAStiffnessAndSaysWhatIsOutOfReach) {
  const std::string design = R"(scene = "scene.toml"
set = { "parameters.a" = 10 }
[parameter.upper]
path = "spring.upper.stiffness"
low = 1
high = 1000
scale = "log"
)";
  std::string half = target;
  half.replace(half.find("-0.9 m"), 6, "-0.98 m");  // 10 N/(200 + 300 N/m)
  const InvertReport found = invert(read(design + half));
  EXPECT_TRUE(found.reached);
  EXPECT_NEAR(found.fit.numbers[0].value, 200, 0.3);  // 0.01 mm of 20 mm
  const InvertReport far = invert(read(design + target));
  EXPECT_FALSE(far.reached);
  EXPECT_EQ(far.fit.numbers[0].value, 1);
  EXPECT_THAT(invert_text(far), HasSubstr("not reached"));
}

TEST(Invert, AsksForTolerances) {
  try {
    read(
        "scene = \"scene.toml\"\n[parameter.a]\neffort = -1\n[parameter.b]\nrest = 1\n[target.height]\nsensor = "
        "\"mass\"\ncomponent = \"y\"\nvalue = 1\n");
    FAIL() << "nothing was thrown";
  } catch (const InputError& error) {
    for (const char* expected :
         {"target.height: \"tolerance\" is missing", "parameter.a.effort: is a change that counts as one",
          "parameter.b.rest: is where a number makes no effort"})
      EXPECT_THAT(error.what(), HasSubstr(expected));
  }
}

}  // namespace
}  // namespace flexura::test
