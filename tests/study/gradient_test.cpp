#include "flexura/study/gradient.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "flexura/scene/reader.hpp"
#include "flexura/scene/scene_number.hpp"

namespace flexura {
namespace {

SceneDocument scene_of(const std::string& text, const std::vector<std::string>& set = {}) {
  SceneOptions options;
  options.set = set;
  return read_scene_text(text, "examples/gradient.toml", scene_terms(), options);
}

SceneDocument example(const std::string& name, const std::vector<std::string>& set = {}) {
  SceneOptions options;
  options.set = set;
  return read_scene("examples/" + name + ".toml", scene_terms(), options);
}

/// ∂(values)/∂p by a central difference of whole runs, fourth order in `relative` of the number.
std::vector<double> by_runs(const SceneDocument& scene, const GradientQuestion& question, const std::string& path,
                            double relative) {
  const ReadScene read = read_again(scene);
  const SceneNumber number = find_scene_numbers(scene, {path})[0];
  const double step = relative * (number.value != 0 ? std::fabs(number.value) : number.scale > 0 ? number.scale : 1);
  GradientQuestion plain = question;
  plain.wrt.clear();
  const auto at = [&](double offset) {
    const SceneDocument there = read({number.setting(number.value + offset * step)});
    return differentiate(there, read_again(there), plain).values;
  };
  const std::vector<double> a = at(-2), b = at(-1), c = at(1), d = at(2);
  std::vector<double> out;
  for (size_t i = 0; i < a.size(); ++i) out.push_back((8 * (c[i] - b[i]) - (d[i] - a[i])) / (12 * step));
  return out;
}

/// Derivatives against whole runs: within 1e-6 of the largest of each column, or of what two differences are apart, whose steps
/// leave waves of high frequency (the larger) or what Newton's tolerance of 1e-12 leaves (the smaller).
void expect_slopes(const SceneDocument& scene, const GradientQuestion& question, double tolerance = 1e-6) {
  const Derivatives exact = differentiate(scene, read_again(scene), question);
  for (size_t p = 0; p < question.wrt.size(); ++p) {
    const std::vector<double> fine = by_runs(scene, question, question.wrt[p], 5e-5),
                              coarse = by_runs(scene, question, question.wrt[p], 2e-4);
    for (size_t c = 0; c < exact.columns.size(); ++c) {
      double size = 0, apart = 0, worst = 0;
      for (size_t t = 0; t < exact.times.size(); ++t) {
        const size_t i = t * exact.columns.size() + c;
        const double slope = exact.slope(t, c, p);
        size = std::max(size, std::fabs(slope));
        apart = std::max(apart, std::fabs(fine[i] - coarse[i]));
        worst = std::max(worst, std::min(std::fabs(slope - fine[i]), std::fabs(slope - coarse[i])));
      }
      EXPECT_LE(worst, tolerance * size + apart + 1e-9 * std::max(1.0, 1 / std::fabs(exact.numbers[p])))
          << exact.columns[c] << " by " << question.wrt[p];
      EXPECT_LE(apart, 1e-4 * size + 1e-6 * std::fabs(exact.values[c])) << "the differences are none";
    }
  }
}

constexpr const char* cantilever = R"(
space = "planar"
[section.wall]
EA = 1e7
EI = 2
rhoA = 0.1
[cable.beam]
section = "wall"
path = [[0, 0], [1, 0]]
elements = 8
[joint.clamp]
type = "weld"
of = ["ground", "beam.start"]
[load.tip]
type = "force"
at = "beam.end"
force = [0, "0.001 N"]
[sensor.tip]
type = "position"
at = "beam.end"
[[analysis]]
name = "bend"
type = "static"
tolerance = 1e-12
)";

// A slender cantilever: y = F L³/3EI, dy/dEI = −y/EI, dy/dF = y/F, and L³ makes 3 y/L. Small: the load bends by 1.7e-4 L, which
// changes y by the square of that, and EA 1e7 lets it stretch by nothing.
TEST(Gradient, Cantilever) {
  const SceneDocument scene = scene_of(cantilever);
  const Derivatives d =
      differentiate(scene, read_again(scene),
                    {.wrt = {"section.wall.EI", "load.tip.force[1]", "cable.beam.path[1][0]"}, .of = {"tip.y"}});
  const double y = 0.001 / 6;
  EXPECT_NEAR(d.values[0], y, 1e-6 * y);
  EXPECT_NEAR(d.slope(0, 0, 0), -y / 2, 1e-6 * y);
  EXPECT_NEAR(d.slope(0, 0, 1), y / 0.001, 1e-6 * y / 0.001);
  EXPECT_NEAR(d.slope(0, 0, 2), 3 * y, 3e-6 * y);
}

/// Both ways to the gradient of a sum of all values with weights of either sign. They share the residuals and nothing of how these
/// are linked; 1e-10 of the terms that are summed is what was found of scenes with long motions, else 1e-12.
void expect_both_ways(const SceneDocument& scene, const GradientQuestion& question, double tolerance = 1e-10) {
  const ReadScene read = read_again(scene);
  const Derivatives forward = differentiate(scene, read, question);
  const auto weight = [](size_t i) { return std::cos(1.9 * static_cast<double>(i) + 0.3); };
  const WeightedGradient back = differentiate_backwards(scene, read, question, [&](const Derivatives& d) {
    std::vector<double> weights;
    for (size_t i = 0; i < d.values.size(); ++i) weights.push_back(weight(i));
    return weights;
  });
  EXPECT_EQ(back.values.values, forward.values);
  for (size_t p = 0; p < question.wrt.size(); ++p) {
    double sum = 0, size = 0;
    for (size_t i = 0; i < forward.values.size(); ++i) {
      const double slope = forward.jacobian[i * question.wrt.size() + p];
      sum += weight(i) * slope;
      size += std::fabs(weight(i) * slope);
    }
    EXPECT_GT(size, 0) << question.wrt[p];
    EXPECT_NEAR(back.gradient[p], sum, tolerance * size) << question.wrt[p];
  }
}

// EA L²/EI = 5e3: of the 5e6 of the closed form rounding leaves 1e-9.
TEST(Gradient, BothWaysAtRest) {
  expect_both_ways(scene_of(cantilever, {"load.tip.force=[0.4, 3]", "section.wall.EA=1e4"}),
                   {.wrt = {"section.wall.EI", "section.wall.EA", "load.tip.force[0]", "cable.beam.path[1][0]"}});
}

TEST(Gradient, BothWaysInMotion) {
  expect_both_ways(example("soft_actuator", {"analysis.move.end=0.1"}),
                   {.wrt = {"section.wall.EI", "mass.payload.m", "parameters.R2", "gravity[1]", "mass_damping"},
                    .of = {"tip", "tip_velocity", "bend"},
                    .times = {0, 0.05, 0.1}});
}

// Forces feel accelerations, of which rounding leaves ε q/(β h²), here 1e-9 of them.
TEST(Gradient, BothWaysOfForces) {
  expect_both_ways(example("soft_actuator", {"analysis.move.end=0.1"}),
                   {.wrt = {"section.wall.EI", "mass.payload.m", "parameters.R2"},
                    .of = {"wall_tension", "root_moment", "clamp_force"},
                    .times = {0, 0.05, 0.1}},
                   1e-7);
}

// Samples of a signal, each by itself a difference of copies forwards, are all found at once backwards.
TEST(Gradient, SamplesOfASignal) {
  std::string points;
  for (int k = 0; k <= 20; ++k)
    points += fmt::format("{}[{}, {}]", k > 0 ? ", " : "", 0.01 * k, 2e4 * std::sin(0.4 * k));
  const SceneDocument scene = example(
      "soft_actuator",
      {"analysis.move.end=0.2", "load.upper_chamber.pressure={ type = \"piecewise\", points = [" + points + "] }"});
  GradientQuestion question{.wrt = {}, .of = {"tip", "tip_velocity"}, .times = {0.1, 0.2}};
  for (int k = 0; k <= 20; k += 4) question.wrt.push_back(fmt::format("load.upper_chamber.pressure.points[{}][1]", k));
  expect_both_ways(scene, question);
}

// Forwards the memory of rubber goes along in duals.
TEST(Gradient, WhatRemembers) {
  const SceneDocument scene = example("relaxation", {"analysis.hold.end=0.4", "analysis.hold.tolerance=1e-12"});
  const GradientQuestion question{
      .wrt = {"material.rubber.E", "material.rubber.rho"}, .of = {"moment", "reaction.y"}, .times = {0.2, 0.4}};
  expect_slopes(scene, question);
  EXPECT_THROW(differentiate_backwards(scene, read_again(scene), question, {}), InputError);
}

struct Case {
  const char* name;
  std::vector<std::string> set, wrt, of;
  std::vector<double> times;
  double tolerance =
      1e-10;  ///< of both ways; slender parts, EA L²/EI of 1e5 and 5e6, leave that much rounding of their solves
};

class GradientOfExamples : public testing::TestWithParam<Case> {};

constexpr const char* usual = "analysis.swing.integrator=\"generalized-alpha\"";
const Case cases[] = {
    {"pendulum", {"analysis.swing.end=0.4"}, {"parameters.L", "gravity[0]", "gravity[1]"}, {"bob"}, {0, 0.1, 0.4}},
    {"double_pendulum",
     {"analysis.swing.end=0.5", usual},
     {"body.lower.density", "body.upper.density", "gravity[0]", "gravity[1]"},
     {},
     {0.25, 0.5}},
    {"swinging_mass",
     {"analysis.swing.end=0.5", usual},
     {"mass.bob_mass.m", "point.bob.position[0]", "gravity[0]"},
     {},
     {0.5}},
    {"follower_force",
     {"section.strip.EA=1e4"},
     {"section.strip.EI", "section.strip.EA", "load.jet.force[1]", "cable.beam.path[1][0]"},
     {},
     {}},
    {"springs",
     {"analysis.swing.end=0.5"},
     {"spring.coil.stiffness", "spring.coil.damping", "spring.clock.stiffness", "mass.weight.m",
      "point.mass.initial[1]", "cable.bar.angular_velocity"},
     {},
     {0.5}},
    {"free_body",
     {"analysis.fly.end=0.2", "analysis.fly.integrator=\"generalized-alpha\""},
     {"body.racket.m", "body.racket.angular_velocity[0]", "body.racket.angular_velocity[1]", "body.racket.velocity[0]"},
     {},
     {0.2}},
    {"prescribed_motion",
     {"analysis.shake.end=0.3", "joint.hand.x={ type = \"sine\", amplitude = 0.02, frequency = 1.2 }"},
     {"joint.hand.x.amplitude", "joint.hand.x.frequency", "section.cord.EI", "section.cord.rhoA"},
     {"tip", "hand"},
     {0.1, 0.3},
     2e-9},
    {"princeton_beam",
     {},
     {"parameters.load", "material.aluminium.E", "section.strip.shape.height"},
     {"tip"},
     {},
     2e-9},
    {"top",
     {"analysis.spin.end=0.1", "analysis.spin.step=0.001", "analysis.spin.integrator=\"generalized-alpha\""},
     {"body.top.m", "body.top.inertia[2]", "body.top.center[2]", "gravity[2]"},
     {},
     {0.1}},
};

TEST_P(GradientOfExamples, BothWays) {
  const Case& c = GetParam();
  expect_both_ways(example(c.name, c.set), {.wrt = c.wrt, .of = c.of, .times = c.times}, c.tolerance);
}

TEST_P(GradientOfExamples, WholeRuns) {
  const Case& c = GetParam();
  std::vector<std::string> set = c.set;
  const SceneDocument plain = example(c.name, set);
  for (const Record* analysis : plain.of_kind("analysis"))
    set.push_back("analysis." + analysis->name + ".tolerance=1e-12");
  expect_slopes(example(c.name, set), {.wrt = c.wrt, .of = c.of, .times = c.times});
}

INSTANTIATE_TEST_SUITE_P(Scenes, GradientOfExamples, testing::ValuesIn(cases),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(Gradient, StaticExamples) {
  expect_slopes(scene_of(cantilever, {"load.tip.force=[0.4, 3]"}),
                {.wrt = {"section.wall.EI", "section.wall.EA", "load.tip.force[0]", "cable.beam.path[1][0]"}});
}

TEST(Gradient, ActuatorInMotion) {
  const SceneDocument scene =
      example("soft_actuator", {"analysis.move.end=0.2", "analysis.move.tolerance=1e-12",
                                "analysis.hang.tolerance=1e-12", "mass.payload.until=\"0.1 s\""});
  expect_slopes(scene, {.wrt = {"section.wall.EI", "mass.payload.m", "parameters.L", "parameters.R2", "gravity[1]",
                                "mass_damping"},
                        .of = {"tip", "tip_velocity", "bend", "wall_tension", "root_moment", "clamp_force"},
                        .times = {0, 0.05, 0.1, 0.2}});
}

}  // namespace
}  // namespace flexura
