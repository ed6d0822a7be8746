// Scenes with [plate.NAME]: walls, places, joints and loads.

#include <cmath>
#include <numbers>

#include "flexura/integrate/generalized_alpha.hpp"
#include "flexura/scene/scene_model.hpp"
#include "flexura/solve/constraints.hpp"
#include "flexura/solve/modes.hpp"
#include "flexura/solve/statics.hpp"
#include "tests/scene/scene_testing.hpp"

namespace flexura::testing {
namespace {

std::string sheet(const std::string& more) {
  return R"(
space = "spatial"
[material.m]
E = 1.2e6
nu = 0
rho = 1000
[plate.sheet]
shape = { type = "flat", size = [10, 1] }
elements = [16, 2]
material = "m"
thickness = 0.1
[[analysis]]
name = "s"
type = "static"
)" + more;
}

struct Solved {
  SceneModels models;
  System<double> system;
  State<double> state;

  explicit Solved(const std::string& text)
      : models(interpret_scene(read(text))),
        system(models.models[0].model.topology, values()),
        state(system.initial_state(0)) {}
  const SceneModel& scene() const { return models.models[0]; }
  const double* at(const std::string& slot) const {
    return &state.q[scene().model.topology->slots[scene().model.topology->find_slot(slot)].offset];
  }

 private:
  std::span<const Values* const> values() {
    pointer_ = &models.models[0].model.values;
    return {&pointer_, 1};
  }
  const Values* pointer_ = nullptr;
};

std::vector<std::string> problems_of(const std::string& text) {
  try {
    interpret_scene(read(text));
  } catch (const InputError& error) {
    std::vector<std::string> lines;
    for (const Problem& problem : error.problems()) lines.push_back(line_of(problem));
    return lines;
  }
  return {};
}

// Sze, Liu & Lo 2004, table 1: cantilever with end shear, P/Pmax = 0.25, 0.5, 1 (-U, W). 16 elements: within 0.5 %.
TEST(PlateScene, CantileverUnderEndShearMeetsTheTable) {
  const double table[3][3] = {{0.25, 0.563, 3.015}, {0.5, 1.604, 4.933}, {1, 3.286, 6.698}};
  for (const auto& row : table) {
    Solved s(sheet(fmt::format(R"(
[joint.clamp]
type = "weld"
of = ["ground", "sheet.start"]
[load.shear]
type = "edge_force"
at = "sheet.end"
force = [0, 0, {}]
)",
                               4 * row[0])));
    ASSERT_TRUE(StaticSolver(s.system, {}).solve(s.state).converged);
    const double* tip = s.at("sheet.50.r");
    EXPECT_NEAR(10 - tip[0], row[1], 5e-3 * row[1]) << row[0];
    EXPECT_NEAR(tip[2], row[2], 5e-3 * row[2]) << row[0];
  }
}

// M = 2 pi EI/L rolls the strip to a circle: the ends meet. Each node of the edge takes its share through its spin. The
// circle's length is kept to what 16 cubics of 22.5 degrees lose of it.
TEST(PlateScene, AnEndMomentRollsAStripUp) {
  const double EI = 1.2e6 * 1e-3 / 12, moment = std::numbers::pi * EI / 10;  // half a circle
  Solved s(sheet(fmt::format(R"(
[joint.clamp]
type = "weld"
of = ["ground", "sheet.start"]
[load.roll]
type = "moment"
at = "sheet.end"
moment = [0, {}, 0]
)",
                             -moment)));
  ASSERT_TRUE(StaticSolver(s.system, {}).solve(s.state).converged);
  const double* tip = s.at("sheet.49.r");
  const double radius = 10 / std::numbers::pi;
  EXPECT_NEAR(tip[0], 0, 2e-2 * radius);
  EXPECT_NEAR(tip[2], 2 * radius, 2e-2 * radius);
}

// A tube with open ends is blown up evenly: N = p R per length around it.
TEST(PlateScene, PressureBlowsATubeUp) {
  Solved s(R"x(
space = "spatial"
[material.m]
E = 1e6
nu = 0
rho = 1000
[plate.hose]
shape = { type = "tube", axis = [[0, 0, 0], [0.3, 0, 0]], radius = [0.1, 0.1] }
elements = [3, 16]
material = "m"
thickness = 0.001
[joint.x]
type = "prescribed"
of = ["ground", "hose.start"]
x = 0
[joint.y]
type = "prescribed"
of = ["ground", "hose@(0, 0)"]
y = 0
z = 0
[load.p]
type = "pressure"
on = "hose"
pressure = 10
[[analysis]]
name = "s"
type = "static"
)x");
  StaticOptions options;
  const StaticReport report = StaticSolver(s.system, options).solve(s.state);
  ASSERT_TRUE(report.converged);
  const double diameter = s.at("hose.16.r")[2] - s.at("hose.24.r")[2];
  // N/h = p R/h = 1000 Pa: strain 1e-3, and its square.
  EXPECT_NEAR(diameter / 0.2 - 1, 1e-3, 2e-5);
}

Triple place_of(const Solved& s, int sensor) {
  Triple at{};
  evaluate(s.scene().sensors[sensor].place, *s.scene().model.topology, s.state.q, at);
  return at;
}

// Sensors at two lines of nodes read two places.
TEST(PlateScene, RingsAreToldApart) {
  Solved s(sheet(R"(
[joint.clamp]
type = "weld"
of = ["ground", "sheet.start"]
[sensor.a]
type = "position"
at = "sheet@0.25"
[sensor.b]
type = "position"
at = "sheet@0.5"
)"));
  const auto x = [&](int sensor) { return place_of(s, sensor)[0]; };
  EXPECT_DOUBLE_EQ(x(0), 2.5);
  EXPECT_DOUBLE_EQ(x(1), 5);
}

// theta = integral M/EI, EI = E pi r^3 h of a thin wall that tapers: 0.08 % softer, on 16 x 12 as on 64 x 24 elements; by
// moments on the nodes, which dent the wall where they are, 1.3 % softer.
TEST(PlateScene, ARingMomentBendsATaperedTubeAsABeam) {
  for (const char* type : {"ring_moment", "moment"}) {
    Solved s(fmt::format(R"x(
space = "spatial"
[material.m]
E = 1e6
nu = 0
rho = 1000
[plate.hose]
shape = {{ type = "tube", axis = [[0, 0, 0], [1.5, 0, 0]], radius = [0.16, 0.04] }}
elements = [16, 12]
material = "m"
thickness = 0.005
[joint.clamp]
type = "weld"
of = ["ground", "hose.start"]
[load.bend]
type = "{}"
at = "hose@0.75"
moment = [0, 0.01, 0]
[sensor.tip]
type = "position"
at = "hose.end"
[[analysis]]
name = "s"
type = "static"
)x",
                         type));
    ASSERT_TRUE(StaticSolver(s.system, {}).solve(s.state).converged);
    // z(L) = -int_0^l M (L - s)/EI ds, l = 0.75 L
    double z = 0;
    const int n = 1000;
    for (int k = 0; k < n; ++k) {
      const double x = 1.125 * (k + 0.5) / n, r = 0.16 - 0.08 * x;
      z -= 0.01 * (1.5 - x) / (1e6 * std::numbers::pi * r * r * r * 0.005) * 1.125 / n;
    }
    const Triple tip = place_of(s, 0);
    EXPECT_NEAR(tip[2] / z, type == std::string("moment") ? 1.013 : 1.0, 1e-3) << type;
    EXPECT_NEAR(tip[1] / z, 0, 1e-9) << type;
  }
}

// The lowest modes of a free square plate: six rigid ones, then 1.364614 and so on times (pi^2/L^2) sqrt(D/rho h) [benchmarks].
TEST(PlateScene, FreePlateHasTheFrequenciesOfTheTable) {
  Solved s(R"(
space = "spatial"
[material.m]
E = 1e9
nu = 0.3
rho = 1000
[plate.sheet]
shape = { type = "flat", size = [1, 1] }
elements = [12, 12]
material = "m"
thickness = 0.002
[[analysis]]
name = "m"
type = "modes"
)");
  const Modes modes = solve_modes(s.system, s.state, {.count = 9});
  ASSERT_TRUE(modes.converged) << modes.problem;
  const double D = 1e9 * 8e-9 / (12 * 0.91), unit = std::numbers::pi * std::numbers::pi * std::sqrt(D / 2);
  const double table[] = {1.364614, 1.985504, 2.459086};
  for (int k = 0; k < 6; ++k) EXPECT_LT(std::fabs(modes.eigenvalue[k]), 1e-6 * modes.eigenvalue[6]);
  for (int k = 0; k < 3; ++k)
    EXPECT_NEAR(2 * std::numbers::pi * modes.frequency[6 + k] / unit, table[k], 5e-3 * table[k]) << k;
}

const char* head = R"(
space = "spatial"
gravity = [0, 0, -9.81]
[body.head]
m = 10
inertia = [1, 1, 1]
position = [-0.2, 0, 0]
[material.m]
E = 1e6
nu = 0.3
rho = 1000
[plate.trunk]
shape = { type = "tube", axis = [[0, 0, 0], [0.5, 0, 0]], radius = [0.1, 0.05], first_angle = 0.3 }
elements = [4, 8]
material = "m"
thickness = 0.01
[joint.neck]
type = "spherical"
of = ["ground", "head"]
at = [-0.2, 0, 0]
[[analysis]]
name = "d"
type = "dynamic"
end = 0.1
step = 1e-3
[joint.face]
type = "weld"
of = ["head", "trunk.start"]
)";

double gap_of(const Solved& s) {  // of the ring's nodes from where the head carries them
  const BodyPart& body = s.scene().bodies[0];
  const PlatePart& plate = s.scene().plates[0];
  const auto& t = *s.scene().model.topology;
  double worst = 0;
  for (const int node : plate.mesh.find("start")->nodes) {
    const Vec3 X = plate.mesh.nodes[node].position;
    const double local[4] = {1, X[0] + 0.2, X[1], X[2]};
    for (int i = 0; i < 3; ++i) {
      double carried = 0;
      for (size_t a = 0; a < body.slots.size(); ++a) {
        double weight = 0;
        for (int k = 0; k < 4; ++k) weight += local[k] * body.weights[k * body.slots.size() + a];
        carried += weight * s.state.q[t.slots[body.slots[a]].offset + i];
      }
      worst = std::max(worst, std::fabs(carried - s.state.q[t.slots[plate.model.nodes[node].r].offset + i]));
    }
  }
  return worst;
}

void swing(Solved& s) {
  GeneralizedAlpha<double> method(s.system, NewmarkFamily::generalized_alpha(0.9), {}, {});
  ASSERT_TRUE(method.start(s.state));
  for (int k = 1; k <= 50; ++k) ASSERT_TRUE(method.step(s.state, 1e-3 * k).converged) << k;
}

// The weld is eliminated: its drift is rounding. The springs of the compliant one give way by weight over stiffness.
TEST(PlateScene, AHeadCarriesATrunkExactlyOrBySprings) {
  Solved exact(head);
  swing(exact);
  EXPECT_LT(gap_of(exact), 1e-15);
  Solved soft(std::string(head) + "method = \"compliant\"\nstiffness = 1e6\ndamping = 100\n");
  swing(soft);
  EXPECT_GT(gap_of(soft), 1e-8);
  EXPECT_LT(gap_of(soft), 1e-3);
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(soft.at("trunk.32.r")[i], exact.at("trunk.32.r")[i], 2e-3) << i;
}

// Five relations a node: 40 multipliers; they hold the distances, and leave gradients free.
TEST(PlateScene, TheRelationsOfThePaperHoldTheRing) {
  Solved s(std::string(head) + "method = \"relations\"\n");
  EXPECT_EQ(s.scene().joints[1].multipliers.size(), 40u);
  swing(s);
  EXPECT_LT(gap_of(s), 1e-9);
}

// At 0 and 180 deg from the axis across the ring the angle is stationary and its relation follows from the distance: no
// ring, of an even or odd number of nodes, has one there.
TEST(PlateScene, NoRelationOfARingIsRedundant) {
  for (const int nodes : {4, 5, 6, 7, 8, 9}) {
    std::string text = std::string(head) + "method = \"relations\"\n";
    const std::string around = "elements = [4, 8]";
    ASSERT_NE(text.find(around), std::string::npos);
    text.replace(text.find(around), around.size(), fmt::format("elements = [4, {}]", nodes));
    Solved s(text);
    Constraints constraints(s.system);
    ASSERT_TRUE(constraints.factor(s.state));
    EXPECT_EQ(constraints.redundant().size(), 0u) << nodes;
  }
}

// Inside an element, or where several joints hold a node, a reaction read 0 or that of all of them.
TEST(PlateScene, RefusesReactionsThatCannotBeTold) {
  const auto problems = [](const std::string& first, const std::string& second) {
    return problems_of(sheet(fmt::format(R"x(
[joint.clamp]
type = "weld"
of = ["ground", "sheet.start"]
[point.a]
position = [10, 1, 0]
[mass.load]
at = "a"
m = 1
[joint.first]
type = "pin"
of = ["{}"]
[joint.second]
type = "pin"
of = ["{}"]
[sensor.r]
type = "reaction"
of = "first"
)x",
                                         first, second)));
  };
  const auto refused = [](const std::vector<std::string>& lines) {
    return lines.size() == 1 && lines[0].find("the reaction of joint.first cannot be told") != std::string::npos;
  };
  const std::string corner = "sheet.corner_end_top\", \"a", inside = "ground\", \"sheet@(0.53, 0.3)",
                    other = "ground\", \"sheet.corner_end_top";
  EXPECT_TRUE(refused(problems(corner, other)));
  EXPECT_TRUE(refused(problems(inside, corner)));
  EXPECT_TRUE(problems(corner, inside).empty());
}

TEST(PlateScene, ARingMomentNeedsARing) {
  const auto lines = problems_of(sheet(R"(
[joint.clamp]
type = "weld"
of = ["ground", "sheet.start"]
[load.m]
type = "ring_moment"
at = "sheet.end"
moment = [0, 1, 0]
)"));
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_TRUE(lines[0].ends_with("a ring moment needs three nodes or more that are not on one line: a ring of a tube"))
      << lines[0];
}

// A wall may not be thicker than twice the radius of its curvature; from half the radius on there is a warning.
TEST(PlateScene, WallsMustBeThinForTheirCurvature) {
  const auto scene = [](double thickness) {
    return fmt::format(R"(
space = "spatial"
[material.m]
E = 1e6
rho = 1000
[plate.tube]
shape = {{ type = "tube", axis = [[0, 0, 0], [1, 0, 0]], radius = [0.1, 0.1] }}
elements = [4, 24]
material = "m"
thickness = {}
[[analysis]]
name = "d"
type = "dynamic"
end = 1
step = 0.1
)",
                       thickness);
  };
  EXPECT_TRUE(interpret_scene(read(scene(0.045))).warnings.empty());
  const std::vector<Problem> warnings = interpret_scene(read(scene(0.06))).warnings;
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_TRUE(line_of(warnings[0]).starts_with("10:13: plate.tube.thickness: the wall is no thin shell at element "));
  ASSERT_EQ(problems_of(scene(0.21)).size(), 1u);
  EXPECT_TRUE(problems_of(scene(0.21))[0].starts_with("10:13: plate.tube.thickness: the wall is folded into itself"));
}

/// A sheet of 1 m × 1 m with more keys.
std::string graded(const std::string& keys, const std::string& shape = R"({ type = "flat", size = [1, 1] })") {
  return fmt::format(R"(
space = "spatial"
[material.m]
E = 1e6
rho = 1000
[plate.sheet]
shape = {}
material = "m"
thickness = 0.01
{}
[[analysis]]
name = "d"
type = "dynamic"
end = 1
step = 0.1
)",
                     shape, keys);
}

/// u of the nodes along the bottom, v of those along the start.
std::array<std::vector<double>, 2> lines_of(const std::string& text) {
  const SceneModels models = interpret_scene(read(text));
  const SurfaceMesh& mesh = models.models[0].plates[0].mesh;
  std::array<std::vector<double>, 2> out;
  for (int i = 0; i < mesh.nodes_u; ++i) out[0].push_back(mesh.nodes[i * mesh.nodes_v].position[0]);
  for (int j = 0; j < mesh.nodes_v; ++j) out[1].push_back(mesh.nodes[j].position[1]);
  return out;
}

TEST(PlateScene, MeshesAreGraded) {
  const auto expect = [](const std::vector<double>& found, const std::vector<double>& expected) {
    ASSERT_EQ(found.size(), expected.size());
    for (size_t k = 0; k < found.size(); ++k) EXPECT_NEAR(found[k], expected[k], 1e-15) << k;
  };
  // 1, 2, 4 along u; along v as ever.
  const auto single = lines_of(graded("elements = [3, 2]\ngrading = [4, 1]"));
  expect(single[0], {0, 1.0 / 7, 3.0 / 7, 1});
  expect(single[1], {0, 0.5, 1});
  // 1, 3, 3, 1 along v.
  const auto both = lines_of(graded("elements = [2, 4]\ngrading = [1, 3]\nbias = \"double\""));
  expect(both[0], {0, 0.5, 1});
  expect(both[1], {0, 0.125, 0.5, 0.875, 1});
  const auto given = lines_of(graded("lines_u = [0, 0.1, 1]\nlines_v = [0, 0.2, 0.3, 1]"));
  expect(given[0], {0, 0.1, 1});
  expect(given[1], {0, 0.2, 0.3, 1});
  const auto mixed = lines_of(graded("elements = [2, 3]\ngrading = [1, 4]\nlines_u = [0, 0.1, 1]"));
  expect(mixed[0], {0, 0.1, 1});
  expect(mixed[1], {0, 1.0 / 7, 3.0 / 7, 1});
  // Every shape that has u and v: half of the elements in a tenth of the length.
  const std::string halved = "lines_u = [0, 0.05, 0.1, 0.5, 1]\nlines_v = [0, 0.05, 0.1, 0.2, 0.5, 1]";
  for (const char* shape :
       {R"({ type = "panel", radius = 1, angle = 1, width = 1 })",
        R"({ type = "tube", axis = [[0, 0, 0], [1, 0, 0]], radius = [1, 1], angle = 1 })",
        R"({ type = "hemisphere", radius = 1 })", R"({ type = "annulus", radius = [1, 2], angle = 1 })",
        R"({ type = "formula", x = "u", y = "v", z = "0" })"}) {
    const SceneModels models = interpret_scene(read(graded(halved, shape)));
    const SurfaceMesh& mesh = models.models[0].plates[0].mesh;
    EXPECT_EQ(mesh.elements.size(), 20u) << shape;
    EXPECT_NEAR(mesh.elements[19].length_u / mesh.elements[0].length_u, 10, 1e-12) << shape;
    EXPECT_NEAR(mesh.elements[19].length_v / mesh.elements[0].length_v, 10, 1e-12) << shape;
  }
}

TEST(PlateScene, SaysWhatIsWrongWithAGrading) {
  const auto message = [](const std::string& keys) {
    const std::vector<std::string> lines = problems_of(graded(keys));
    return lines.size() == 1 ? lines[0].substr(lines[0].find("plate.sheet")) : fmt::format("{} lines", lines.size());
  };
  EXPECT_EQ(message("elements = [2, 2]\nlines_u = [0, 0.2, 0.3, 1]"),
            "plate.sheet.elements: 2 elements along u, but its lines make 3");
  EXPECT_EQ(message("elements = [2, 2]\nlines_v = [0, 0.2, 0.9]"),
            "plate.sheet.lines_v: must lead from 0 to 1, shares of the length; this leads from 0 to 0.9");
  EXPECT_EQ(message("elements = [3, 2]\nlines_u = [0, 0.4, 0.3, 1]"),
            "plate.sheet.lines_u: must ascend; 0.3 follows 0.4");
  EXPECT_EQ(message("elements = [3, 2]\ngrading = [2, 1]\nlines_u = [0, 0.2, 0.3, 1]"),
            "plate.sheet.lines_u: give either these lines or a \"grading\" in that direction");
  EXPECT_EQ(message("elements = [3, 2]\nbias = \"double\""),
            "plate.sheet.bias: is that of a \"grading\", which is missing");
  EXPECT_EQ(message("elements = [3, 2]\ngrading = [0, 1]"), "plate.sheet.grading[0]: 0 is out of range; allowed: > 0");
  EXPECT_EQ(message("elements = [3, 2]\nlines_u = [1]"),
            "plate.sheet.lines_u: must be 2 or more numbers; this is a list of 1");
}

TEST(PlateScene, SaysWhatIsWrong) {
  const std::vector<std::string> lines =
      problems_of(sheet("[joint.j]\ntype = \"weld\"\nof = [\"ground\", \"sheet.ende\"]\n"));
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_TRUE(lines[0].starts_with("7:8: plate.sheet: nothing holds this part in the static analysis")) << lines[0];
  EXPECT_EQ(
      lines[1],
      "17:17: joint.j.of[1]: the plate \"sheet\" has no place named \"ende\"; it has \"start\", \"end\", \"bottom\", "
      "\"top\", \"corner_start_bottom\", \"corner_start_top\", \"corner_end_bottom\" and \"corner_end_top\" (end?)");
  EXPECT_EQ(problems_of(R"(
space = "spatial"
[plate.p]
shape = { type = "tube", axis = [[0, 0, 0], [1, 0, 0]], radius = [0.1, -0.1] }
elements = [4.5, 8]
[[analysis]]
name = "d"
type = "dynamic"
end = 1
step = 0.1
)")
                .size(),
            3u);  // material, thickness, elements
}

}  // namespace
}  // namespace flexura::testing
