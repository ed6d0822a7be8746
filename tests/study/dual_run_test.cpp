// Slopes against whole runs in dual numbers: the same assembler, Newton and integrator on another scalar, and nothing of what gradients do.

#include <fmt/format.h>

#include <algorithm>

#include "flexura/integrate/analyses.hpp"
#include "flexura/integrate/generalized_alpha.hpp"
#include "flexura/integrate/implicit_methods.hpp"
#include "flexura/solve/statics.hpp"
#include "flexura/study/scene_variation.hpp"
#include "flexura/study/sensor_row.hpp"
#include "tests/study/gradients.hpp"

namespace flexura {
namespace {

struct Case {
  const char* name;
  std::string scene;
  std::vector<std::string> wrt, set = {};
  double tolerance = 1e-10;  ///< of the largest slope of a sensor
  /// Models are linear in most of these numbers, and accelerations where motion begins nearly: of wide differences less rounding is left.
  double relative_step = 1e-2;
};

/// A scene of equilibria and then motion by the generalized-α method, in duals that change with one number. Signals do not change.
class DualRun {
 public:
  DualRun(const SceneDocument& document, const std::string& path, double relative_step)
      : scene_(interpret_scene(document)),
        direction_(SceneVariation(scene_, read_again(document), find_scene_numbers(document, {path})[0], relative_step)
                       .direction(0)),
        both_{&scene_.models[0].model.values, &direction_},
        system_(scene_.models[0].model.topology, both_),
        state_(system_.initial_state(0)) {
    for (const AnalysisSpec& analysis : scene_.timeline.analyses)
      if (analysis.finds_equilibria())
        rest();
      else
        move(analysis);
  }
  const State<Tangent>& state() const { return state_; }

 private:
  /// Where numbers alone find the equilibrium, duals find how it changes.
  void rest() {
    const Values* values = &scene_.models[0].model.values;
    System<double> plain(scene_.models[0].model.topology, std::span(&values, 1));
    State<double> found = plain.initial_state(0);
    plain.drives.enter(0);
    StaticSolver solver(plain, {.newton = {.tolerance = 1e-12, .tangent = TangentPolicy::full}});
    ASSERT_TRUE(solver.solve(found).converged);
    for (int i = 0; i < plain.topology().ny; ++i) state_.q[i] = Tangent(found.q[i]);
    system_.assembler.set_signals(system_.drives.at(0, state_.lags));
    Newton<Tangent> newton(system_, {.tolerance = 1e-15, .tangent = TangentPolicy::full});
    system_.look_back(state_, forever);
    for (int pass = 0; pass < 2; ++pass) ASSERT_TRUE(newton.solve(state_, {.inertia = false}).converged);
    system_.accept_history(state_);
  }

  void move(const AnalysisSpec& analysis) {
    const auto& method =
        dynamic_cast<const NewmarkFamilyMethod&>(dynamic_cast<const DynamicAnalysis&>(*analysis.what).method());
    GeneralizedAlpha<Tangent> integrator(system_, method.weights(),
                                         {.tolerance = 1e-15, .tangent = TangentPolicy::full});
    ASSERT_TRUE(integrator.start(state_));
    const double h = dynamic_cast<const MotionAnalysis&>(*analysis.what).step;
    const long steps = std::lround((analysis.end - analysis.begin) / h);
    for (long k = 1; k <= steps; ++k) ASSERT_TRUE(integrator.step(state_, static_cast<double>(k) * h).converged) << k;
  }

  SceneModels scene_;
  Values direction_;
  std::array<const Values*, 2> both_;
  System<Tangent> system_;
  State<Tangent> state_;
};

class DualRuns : public testing::TestWithParam<Case> {};

TEST_P(DualRuns, AgreeBothWays) {
  const Case& c = GetParam();
  const SceneDocument document = scene_of(c.scene, c.set);
  const ReadScene read = read_again(document);
  const GradientQuestion question{.wrt = c.wrt, .relative_step = c.relative_step};
  const Derivatives forwards = differentiate(document, read, question, GradientWay::forwards),
                    backwards = differentiate(document, read, question, GradientWay::backwards);
  const size_t columns = forwards.columns.size();
  for (size_t p = 0; p < c.wrt.size(); ++p) {
    const DualRun run(document, c.wrt[p], c.relative_step);
    if (HasFatalFailure()) return;
    SceneCopy copy(document);
    const AnalysisSpec& last = copy.scene().timeline.analyses.back();
    copy.enter(0, last);
    copy.follow(value_of(run.state()));
    if (last.finds_equilibria())
      copy.rest();
    else
      copy.open_signals(1e300);
    std::vector<Problem> problems;
    const SensorRow row = SensorRow::find(copy.scene().models[0], document.file, {}, problems);
    const std::vector<double> exact = row.along(copy, value_of(run.state()), run.state());
    bool told = false;
    for (size_t k = 0; k < columns; ++k) {
      double size = 0;
      for (size_t j = 0; j < columns; ++j)
        if (forwards.sensors[j] == forwards.sensors[k]) size = std::max(size, std::fabs(exact[j]));
      told = told || size > 0;
      EXPECT_NEAR(forwards.slope(0, k, p), exact[k], c.tolerance * size) << forwards.columns[k] << " by " << c.wrt[p];
      EXPECT_NEAR(backwards.slope(0, k, p), exact[k], c.tolerance * size)
          << forwards.columns[k] << " by " << c.wrt[p] << ", backwards";
    }
    EXPECT_TRUE(told) << c.wrt[p];
  }
}

std::string motion(int steps, const std::string& step) {
  return fmt::format(R"toml(
[[analysis]]
name = "move"
type = "dynamic"
end = "= {} * {}"
step = {}
tolerance = 1e-15
)toml",
                     steps, step, step);
}

const std::string links = R"toml(
space = "planar"
gravity = [0.4, -9.81]
[body.upper]
shape = { type = "rod", length = 1, center = [0.5, 0] }
density = 1
points = { elbow = [1, 0] }
[body.lower]
position = [1, 0]
shape = { type = "rod", length = 1, center = [0.5, 0] }
density = 2
points = { tip = [1, 0] }
[joint.shoulder]
type = "revolute"
of = ["ground", "upper"]
at = [0, 0]
[joint.elbow]
type = "revolute"
of = ["upper.elbow", "lower"]
[sensor.tip]
type = "position"
at = "lower.tip"
[sensor.rate]
type = "velocity"
at = "lower.tip"
)toml" + motion(40, "5e-3");

const std::string cable =
    std::string(cantilever) + "[sensor.rate]\ntype = \"velocity\"\nat = \"beam.end\"\n" + motion(100, "1e-3");

const std::string beam = R"toml(
space = "spatial"
gravity = [0, 0, -9.81]
[section.rod]
EA = 4e4
EI1 = 2
EI2 = 3
GJ = 1.5
GA1 = 1e4
GA2 = 1e4
rhoA = 0.3
rhoI1 = 1e-4
rhoI2 = 1e-4
[beam.rod]
section = "rod"
path = { spline = [[0, 0, 0], [0.2, 0, 0], [0.35, 0.15, 0], [0.35, 0.35, 0]] }
elements = 4
[joint.clamp]
type = "weld"
of = ["ground", "rod.start"]
[load.tip]
type = "force"
at = "rod.end"
force = [1, 2, 3]
[sensor.tip]
type = "position"
at = "rod.end"
)toml";

const std::string plate = R"toml(
space = "spatial"
gravity = [0, 0, -9.81]
[material.soft]
E = 2e4
nu = 0.3
rho = 2000
[plate.sheet]
shape = { type = "flat", size = [0.3, 0.3] }
elements = [3, 3]
material = "soft"
thickness = "5 mm"
[joint.pin]
type = "weld"
of = ["ground", "sheet.start"]
[sensor.far]
type = "position"
at = "sheet.corner_end_top"
[sensor.rate]
type = "velocity"
at = "sheet.corner_end_top"
)toml" + motion(100, "2e-3");

const std::string truss = R"toml(
space = "planar"
gravity = [0, -9.81]
[point.left]
position = [0, 0]
fixed = true
[point.right]
position = [2, 0]
fixed = true
[point.top]
position = [0.9, 0.5]
[mass.load]
at = "top"
m = 3
[truss.one]
type = "elastic"
between = ["left", "top"]
EA = 3e3
[truss.two]
type = "elastic"
between = ["top", "right"]
EA = 2e3
[spring.damper]
type = "linear"
between = ["left", "top"]
stiffness = 10
damping = 4
[sensor.top]
type = "position"
at = "top"
)toml";

const std::string block = R"toml(
space = "spatial"
gravity = [0, 0, -9.81]
[material.rubber]
E = "1 MPa"
nu = 0.4
rho = 1100
type = "neo-hooke"
[solid.block]
shape = { type = "block", size = [0.06, 0.02, 0.02] }
elements = [3, 1, 1]
material = "rubber"
damping = "2 ms"
[joint.clamp]
type = "weld"
of = ["ground", "block.left"]
[load.push]
type = "pressure"
on = "block.top"
pressure = "2 kPa"
[sensor.tip]
type = "position"
at = "block@(1, 0.5, 0.5)"
)toml";

const std::string rubber = R"toml(
space = "planar"
gravity = [0, -9.81]
[material.rubber]
E = "10 MPa"
rho = 1100
relaxation = [[0.3, "20 ms"], [0.2, "1 s"]]
[section.strip]
shape = { type = "rectangle", width = "20 mm", height = "4 mm" }
material = "rubber"
[cable.strip]
section = "strip"
path = [[0, 0], [0.1, 0]]
elements = 4
[joint.clamp]
type = "weld"
of = ["ground", "strip.start"]
[point.hook]
position = [0.5, -0.2]
[mass.load]
at = "hook"
m = 1
[spring.band]
type = "linear"
between = [[0.5, 0], "hook"]
stiffness = 200
damping = 2
relaxation = [[0.3, "0.1 s"], [0.2, "5 s"]]
[sensor.end]
type = "position"
at = "strip.end"
[sensor.load]
type = "position"
at = "hook"
)toml";

INSTANTIATE_TEST_SUITE_P(
    Scenes, DualRuns,
    testing::Values(
        Case{"links", links, {"body.lower.density", "body.lower.shape.length", "gravity[1]"}},
        Case{"cable",
             cable,
             {"section.wall.EI", "section.wall.rhoA", "load.tip.force[1]"},
             {"load.tip.force=[0.4, 3]", "section.wall.EA=1e4"}},
        Case{"plate", plate, {"material.soft.E", "material.soft.rho", "gravity[2]"}},
        Case{"truss", truss + motion(100, "5e-3"), {"truss.one.EA", "spring.damper.damping", "mass.load.m"}},
        Case{"beam", beam + motion(50, "4e-3"), {"section.rod.GJ", "section.rod.EI1", "section.rod.rhoA"}},
        Case{"beam_at_rest", beam + at_rest, {"section.rod.GJ", "section.rod.EI1", "load.tip.force[2]"}},
        Case{"let_go",
             beam + at_rest + motion(50, "4e-3"),
             {"section.rod.EI2", "section.rod.rhoA", "load.tip.force[0]"}},
        Case{"block", block + motion(50, "1e-3"), {"material.rubber.E", "material.rubber.nu", "material.rubber.rho"}},
        Case{"block_at_rest", block + at_rest, {"material.rubber.E", "material.rubber.nu", "material.rubber.rho"}},
        Case{"rubber",
             rubber + motion(50, "2e-3"),
             {"material.rubber.E", "material.rubber.rho", "spring.band.stiffness"}},
        Case{"rubber_let_go",
             rubber + at_rest + motion(30, "2e-3"),
             {"material.rubber.E", "material.rubber.relaxation[0][0]"}},
        Case{"truss_at_rest", truss + at_rest, {"truss.one.EA", "truss.two.EA", "mass.load.m"}}),
    [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace flexura
