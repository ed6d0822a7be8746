#pragma once
// Slopes of scenes, judged by whole runs and by each other.

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "flexura/scene/reader.hpp"
#include "flexura/study/gradient_check.hpp"

namespace flexura {

inline SceneDocument scene_of(const std::string& text, const std::vector<std::string>& set = {}) {
  SceneOptions options;
  options.set = set;
  return read_scene_text(text, "examples/gradient.toml", scene_terms(), options);
}

inline SceneDocument example(const std::string& name, const std::vector<std::string>& set = {}) {
  SceneOptions options;
  options.set = set;
  return read_scene("examples/" + name + ".toml", scene_terms(), options);
}

inline constexpr const char* cantilever = R"(
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
)";

inline constexpr const char* at_rest = R"(
[[analysis]]
name = "bend"
type = "static"
tolerance = 1e-12
)";

inline const std::string bent_cantilever = std::string(cantilever) + at_rest;

/// Both ways to the gradient of a sum of all values with weights of either sign. They share the residuals and nothing of how these
/// are linked; 1e-10 of the terms that are summed is what was found of scenes with long motions, else 1e-12.
inline void expect_both_ways(const SceneDocument& scene, const GradientQuestion& question, double tolerance = 1e-10) {
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

/// Slopes agree with differences of whole runs to 1e-6, beyond what these can tell.
inline void expect_check(const SceneDocument& scene, const GradientQuestion& question) {
  const ReadScene read = read_again(scene);
  const Derivatives d = differentiate(scene, read, question);
  const GradientCheck check = check_gradient(scene, read, question, d);
  std::vector<int> told(question.wrt.size(), 0);
  for (const GradientComparison& c : check.comparisons) {
    EXPECT_TRUE(c.agrees(1e-6)) << d.columns[c.column] << " by " << question.wrt[c.number] << ": " << c.slope
                                << " off by " << c.off << " of " << c.resolution;
    told[c.number] += c.resolution <= 1e-5 * c.slope;
  }
  for (size_t p = 0; p < told.size(); ++p) EXPECT_GT(told[p], 0) << "differences tell nothing of " << question.wrt[p];
  for (const ModeComparison& c : check.modes)
    EXPECT_TRUE(c.agrees(1e-6)) << c.analysis << " " << c.mode << " by " << question.wrt[c.number] << ": " << c.slope
                                << " off by " << c.off;
}

}  // namespace flexura
