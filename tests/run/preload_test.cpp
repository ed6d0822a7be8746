// Statics after statics: what begins or ends with the second analysis does so with its load factor, on paths of equilibria too.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "flexura/run/simulation.hpp"
#include "flexura/scene/reader.hpp"

namespace flexura {
namespace {

using std::numbers::pi;
using testing::HasSubstr;

struct Sample {
  double factor, value;
};
struct Path {
  RunSummary summary;
  std::vector<Sample> samples;  ///< coordinate `axis` of the sensor's place, in the analysis asked for
};
Path run(const std::string& text, const std::string& analysis, int axis = 1) {
  Path path;
  RunOptions options;
  options.record = false;
  options.sample = [&](const SensorSample& s) {
    if (s.analysis.name == analysis) path.samples.push_back({s.at, s.values[axis]});
  };
  path.summary = run_scene(read_scene_text(text, "preload.toml", scene_terms()), options);
  EXPECT_EQ(path.summary.status, RunStatus::finished) << path.summary.message;
  return path;
}

/// A cantilever under an axial force P, half of what buckles it, and then something more.
constexpr double P = pi * pi / 8, little = 1e-3;
std::string beam_column(const std::string& then, const std::string& snap) {
  return fmt::format(R"(
space = "planar"
gravity = [0, -10]
[section.strip]
EA = 1e6
EI = 1.0
rhoA = 1e-12
[cable.column]
section = "strip"
path = [[0, 0], [1, 0]]
elements = 16
[joint.clamp]
type = "weld"
of = ["ground", "column.start"]
[load.axial]
type = "force"
at = "column.end"
force = [{}, 0]
{}
[sensor.tip]
type = "position"
at = "column.end"
[[analysis]]
name = "press"
type = "static"
[[analysis]]
name = "then"
type = "static"
{}
)",
                     -P, then, snap);
}
/// Its tip under a small force `little` across.
double deflection() {
  const double k = std::sqrt(P);
  return little * (std::tan(k) / k - 1) / P;
}
constexpr char side_force[] = "[load.side]\ntype = \"force\"\nat = \"column.end\"\nforce = [0, 1e-3]\n";

// [timoshenko1961, 1.4]: tip = H (tan kL/k − L)/P, k² = P/EI; the load axial already there acts in full all the while. Both
// loads are constants without a signal of their own: they used to be one, so that the second acted at once.
TEST(Preload, ALoadThatBeginsGrowsWithTheLoadFactorBesideOneThatActs) {
  for (const char* snap : {"", "arc_length = true"}) {
    const Path path = run(beam_column(side_force + std::string("from = \"then\"\n"), snap), "then");
    ASSERT_GE(path.samples.size(), 5u);
    for (const Sample& s : path.samples) EXPECT_NEAR(s.value, s.factor * deflection(), 2e-4 * deflection()) << s.factor;
  }
}

// A mass changes the model, so no signal says that it is new: what it puts out of balance comes with the load factor.
TEST(Preload, AWeightThatIsHungOnGrowsToo) {
  for (const char* snap : {"", "arc_length = true"}) {
    const Path path = run(beam_column("[mass.weight]\nat = \"column.end\"\nm = 1e-4\nfrom = \"then\"\n", snap), "then");
    ASSERT_GE(path.samples.size(), 5u);
    for (const Sample& s : path.samples)
      EXPECT_NEAR(s.value, -s.factor * deflection(), 2e-4 * deflection()) << s.factor;
  }
}

TEST(Preload, ALoadThatEndsFadesWithTheLoadFactor) {
  for (const char* snap : {"", "arc_length = true"}) {
    const Path path = run(beam_column(side_force + std::string("until = \"press\"\n"), snap), "then");
    ASSERT_GE(path.samples.size(), 5u);
    for (const Sample& s : path.samples)
      EXPECT_NEAR(s.value, (1 - s.factor) * deflection(), 2e-4 * deflection()) << s.factor;
  }
}

TEST(Preload, LoadLevelsAreMetExactly) {
  for (const char* snap : {"", "arc_length = true\n"}) {
    const Path path = run(beam_column(side_force + std::string("from = \"then\"\n"),
                                      snap + std::string("load_levels = [0.03, 0.5, 0.62]")),
                          "then");
    for (const double level : {0.0, 0.03, 0.5, 0.62, 1.0})
      EXPECT_EQ(
          std::count_if(path.samples.begin(), path.samples.end(), [&](const Sample& s) { return s.factor == level; }),
          1)
          << level;
  }
}

/// Two springs from (±1, 0) to an apex at (0, 0.25), pressed down by 0.4 of what it can bear and then by 1.2 more:
///     F(y) = 2k (l₀/l − 1) y,  l² = 1 + y²;   dF/dy = 0 at l³ = l₀
TEST(Preload, AShallowTrussSnapsThroughOnItsPathAfterAPreload) {
  const double l0 = std::sqrt(1 + 0.0625), k = 1000;
  const auto force = [&](double y) { return 2 * k * (l0 / std::sqrt(1 + y * y) - 1) * y; };
  const double limit = force(std::sqrt(std::cbrt(l0 * l0) - 1));
  const auto load = [&](const char* name, double share, const char* from) {
    return fmt::format("[load.{}]\ntype = \"force\"\nat = \"apex\"\nforce = [0, {:.17g}]\n{}", name, -share * limit,
                       from);
  };
  const std::string text = fmt::format(R"(
space = "planar"
[point.left]
position = [-1, 0]
fixed = true
[point.right]
position = [1, 0]
fixed = true
[point.apex]
position = [0, 0.25]
[mass.weight]
at = "apex"
m = 1
[spring.a]
type = "linear"
between = ["left", "apex"]
stiffness = {0}
[spring.b]
type = "linear"
between = ["right", "apex"]
stiffness = {0}
{1}{2}
[sensor.apex]
type = "position"
at = "apex"
[[analysis]]
name = "press"
type = "static"
[[analysis]]
name = "snap"
type = "static"
arc_length = true
)",
                                       k, load("first", 0.4, ""), load("second", 1.2, "from = \"snap\"\n"));
  const Path path = run(text, "snap");
  for (const Sample& s : path.samples)
    EXPECT_NEAR(force(s.value), (0.4 + 1.2 * s.factor) * limit, 1e-6 * limit) << s.factor;
  ASSERT_EQ(path.summary.at_rest.critical.size(), 2u);
  EXPECT_EQ(path.summary.at_rest.critical[0].type, "limit point");
  EXPECT_NEAR(path.summary.at_rest.critical[0].load_factor, 0.5, 1e-6);
  EXPECT_LT(path.samples.back().value, -0.25);
}

// The elastica of a column on hinges [timoshenko1961, 2.7], ends turned by α, p = sin α/2: P L²/EI = 4 K²(p), its ends
// nearer by 2 (1 − E/K) L, its middle p L/K aside. 16 elements; the compression P/EA is 1e-5.
TEST(Branch, AColumnBucklesAlongTheElasticaToEitherSide) {
  for (const double turn : {20.0, 60.0, 110.0})
    for (const int side : {1, -1}) {
      const double p = std::sin(turn / 2 * pi / 180), K = std::comp_ellint_1(p), E = std::comp_ellint_2(p);
      const std::string text = fmt::format(R"(
space = "planar"
[section.strip]
EA = 1e6
EI = 1.0
rhoA = 1.0
integration = "reduced"
[cable.column]
section = "strip"
path = [[0, 0], [1, 0]]
elements = 16
[joint.foot]
type = "pin"
of = ["ground", "column.start"]
[joint.guide]
type = "prescribed"
of = ["ground", "column.end"]
y = 0
[load.axial]
type = "force"
at = "column.end"
force = [{:.17g}, 0]
[sensor.end]
type = "position"
at = "column.end"
[sensor.middle]
type = "position"
at = "column@0.5"
[[analysis]]
name = "buckle"
type = "static"
arc_length = true
branch = {}
)",
                                           -4 * K * K, side);
      const RunSummary summary = run(text, "buckle").summary;
      EXPECT_NEAR(summary.sensors.at(0).second.last[0], 1 - 2 * (1 - E / K), 3e-4) << turn;
      EXPECT_NEAR(std::fabs(summary.sensors.at(1).second.last[1]), p / K, 3e-4) << turn;
      EXPECT_EQ(summary.sensors.at(1).second.last[1] > 0, side > 0);
      EXPECT_TRUE(summary.warnings.empty()) << summary.warnings[0];
    }
}

TEST(Branch, OneThatIsNotMetIsSaid) {
  const Path path =
      run(beam_column(side_force + std::string("from = \"then\"\n"), "arc_length = true\nbranch = 2"), "then");
  ASSERT_EQ(path.summary.warnings.size(), 1u);
  EXPECT_THAT(path.summary.warnings[0], HasSubstr("met no bifurcation 2"));
}

}  // namespace
}  // namespace flexura
