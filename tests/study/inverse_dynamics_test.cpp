#include "flexura/study/inverse_dynamics.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>

#include "flexura/base/text.hpp"
#include "flexura/study/dynamic_output.hpp"
#include "flexura/study/inverse_file.hpp"

namespace flexura::test {
namespace {

using testing::HasSubstr;

const std::string oscillator = R"(space = "planar"
gravity = [0, 0]
[point.bob]
position = [0, -1]
[mass.bob_mass]
at = "bob"
m = 2.0
[joint.guide]
type = "prescribed"
of = ["ground", "bob"]
x = 0
[spring.coil]
type = "linear"
between = [[0, 0], "bob"]
stiffness = 50
damping = 0.4
[signal.push]
type = "input"
[load.force]
type = "force"
at = "bob"
force = [0, 1]
signal = "push"
[sensor.place]
type = "position"
at = "bob"
[[analysis]]
name = "rest"
type = "static"
[[analysis]]
name = "move"
type = "dynamic"
end = "1 s"
step = "5 ms"
)";

/// s and its rates at a share of the second: from rest to rest.
struct Course {
  double s, rate, second;
};
Course course(double t) {
  return {std::pow(t, 3) * (10 - 15 * t + 6 * t * t), 30 * t * t * (1 - t) * (1 - t), 60 * t * (1 - t) * (1 - 2 * t)};
}

std::string table(const char* name = "y") {
  std::string out = fmt::format("t [s],{} [mm]\n", name);
  for (int k = 0; k <= 50; ++k) append_text(out, "{},{}\n", k / 50.0, 1000 * (-1 + 0.1 * course(k / 50.0).s));
  return out;
}

DynamicPlan read(const std::string& text, const std::string& scene = oscillator) {
  StudyOptions options;
  options.scene.load = [=](const std::string& path) -> std::optional<std::string> {
    if (path == "here/scene.toml") return scene;
    if (path == "here/course.csv") return table();
    if (path == "here/named.csv") return table("height");
    return {};
  };
  return read_inverse_dynamics_text(text, "here/study.toml", options);
}

const std::string study = R"(scene = "scene.toml"
points = "course.csv"
[input.push]
low = -100
high = 100
samples = 26
[target.height]
sensor = "place"
component = "y"
tolerance = "0.02 mm"
)";

// f = m ÿ + c ẏ + k (y + 1): by straight lines between samples 40 ms apart, off by 1/8 f̈ h² ≈ 0.03 N of 6 N at most, and at samples
// by less; the first and the last few are felt little.
TEST(InverseDynamics, FindsTheForceOfAnOscillator) {
  const DynamicPlan plan = read(study);
  const DynamicReport report = inverse_dynamics(plan);
  EXPECT_TRUE(report.followed) << report.message << " " << report.largest[0];
  EXPECT_GT(report.first_rms[0], 20 * report.rms[0]);  // what holds the place at rest does not follow
  EXPECT_LE(report.iterations, 6);                     // linear, but for what the search damps
  ASSERT_EQ(report.inputs[0].size(), 26u);
  for (size_t k = 2; k < 24; ++k) {
    const Course at = course(report.times[0][k]);
    EXPECT_NEAR(report.inputs[0][k], 0.1 * (2 * at.second + 0.4 * at.rate + 50 * at.s), 0.15) << k;
  }
  EXPECT_EQ(report.t.size(), 200u);
  EXPECT_THAT(dynamic_inputs_csv(plan, report), HasSubstr("t [s],push"));
  const std::string page = dynamic_page(plan, report, "my scene's.toml", "your inputs'.csv");
  EXPECT_THAT(page, HasSubstr("flexura run 'my scene'\\''s.toml' --set 'signal.push="));
  EXPECT_THAT(page, HasSubstr("your inputs'\\''.csv&quot;, value=2}'"));
}

// Two inputs on one force f: of u + w = f the least (u/1)² + (w/3)² is f²/10, at each sample, also where the trajectory hardly feels it.
// The search ends where a step gains less than 1e-6 of all, misses within the tolerance included. Damped alone it left 2e-3.
TEST(InverseDynamics, RedundantInputsMakeTheLeastEffort) {
  std::string two = oscillator;
  two +=
      "[signal.pull]\ntype = \"input\"\n[load.other]\ntype = \"force\"\nat = \"bob\"\nforce = [0, 1]\nsignal = "
      "\"pull\"\n";
  std::string both = study;
  both.replace(both.find("samples = 26"), 12, "samples = 26\neffort = 1");
  both += "[input.pull]\nlow = -100\nhigh = 100\nsamples = 26\neffort = 3\n";
  const DynamicReport one = inverse_dynamics(read(study)), report = inverse_dynamics(read(both, two));
  EXPECT_TRUE(report.followed) << report.message;
  double effort = 0, least = 0;
  for (size_t k = 0; k < 26; ++k) {
    const double u = report.inputs[0][k], w = report.inputs[1][k], f = u + w;
    effort += u * u + w * w / 9, least += f * f / 10;
    const bool is_felt = k > 1 && k < 24;
    if (is_felt) {
      EXPECT_NEAR(f, one.inputs[0][k], 0.05) << k;
    }
  }
  EXPECT_LE(effort, (1 + 1e-4) * least);
  EXPECT_LE(report.iterations, one.iterations + 2);
}

// The first motion has the steps that follow; what comes next has others, and is left alone.
TEST(InverseDynamics, IsOfTheFirstMotion) {
  std::string twice = oscillator;
  twice.replace(twice.find("end = \"1 s\""), 11, "end = \"0.6 s\"");
  twice += "[[analysis]]\nname = \"on\"\ntype = \"dynamic\"\nend = \"1 s\"\nstep = \"1 ms\"\n";
  const DynamicReport report = inverse_dynamics(read(study, twice));
  EXPECT_TRUE(report.followed) << report.message;
  EXPECT_EQ(report.t.size(), 120u);
  EXPECT_NEAR(report.times[0].back(), 0.6, 1e-12);
}

// Stopped in its second run: the inputs of the first are kept, with the motion that they give.
TEST(InverseDynamics, KeepsTheBestWhenStopped) {
  std::atomic<bool> stop = false;
  int runs = 0;
  const DynamicReport report =
      inverse_dynamics(read(study), {.progress = [&](const std::string&) { stop = ++runs == 2; }, .stop = &stop});
  EXPECT_FALSE(report.followed);
  EXPECT_EQ(report.message, "interrupted");
  EXPECT_EQ(report.inputs[0].size(), 26u);
  EXPECT_EQ(report.reached.size(), report.wanted.size());
  EXPECT_EQ(report.rms, report.first_rms);
}

TEST(InverseDynamics, ReadsColumnsOfTheTargetsName) {
  std::string named = study;
  named.replace(named.find("course.csv"), 10, "named.csv");
  EXPECT_EQ(read(named).targets[0].points, read(study).targets[0].points);
}

TEST(InverseDynamics, StopsAtBoundsAndSaysSo) {
  std::string narrow = study;
  narrow.replace(narrow.find("high = 100"), 10, "high = 4");
  const DynamicReport report = inverse_dynamics(read(narrow));
  EXPECT_FALSE(report.followed);
  EXPECT_EQ(report.inputs[0].back(), 4);  // 5 N would hold the place
  EXPECT_THAT(report.message, HasSubstr("at a bound: push"));
}

TEST(InverseDynamics, SaysAllThatIsWrongAtOnce) {
  std::string still = oscillator.substr(0, oscillator.rfind("[[analysis]]"));
  try {
    read(R"(scene = "scene.toml"
points = "course.csv"
[input.psh]
low = 1
high = 0
[target.height]
sensor = "place"
tolerance = "1 s"
)",
         still);
    FAIL() << "nothing was thrown";
  } catch (const InputError& error) {
    for (const char* expected :
         {"the scene has no motion", "input.psh: the scene has no input \"psh\"", "nearest: \"push\"",
          "the bounds are the wrong way", "has no column \"height.x\"", "\"1 s\" has the wrong dimension"})
      EXPECT_THAT(error.what(), HasSubstr(expected));
  }
}

}  // namespace
}  // namespace flexura::test
