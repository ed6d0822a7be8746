#include "flexura/study/gradient.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "flexura/scene/reader.hpp"
#include "flexura/study/scene_number.hpp"

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
      EXPECT_LE(worst, tolerance * size + apart) << exact.columns[c] << " by " << question.wrt[p];
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
