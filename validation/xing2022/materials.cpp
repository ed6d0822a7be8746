// Xing, Zhang and Liu 2022: its silicone in tension, and thick walls of it blown up, against closed forms.

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "flexura/load/face_pressure.hpp"
#include "flexura/material/homogeneous.hpp"
#include "flexura/mesh/solid_shapes.hpp"
#include "flexura/part/machine_builder.hpp"
#include "flexura/part/machine_draft.hpp"
#include "flexura/solve/statics.hpp"
#include "validation/xing2022/cases.hpp"

namespace flexura::detail {
namespace {

constexpr LawChoice law{ElasticLaw::yeoh};
ElasticConstants<double> silicone(double bulk) { return {{271200, 30530, -401.3}, bulk}; }

// ── Tension ──────────────────────────────────────────────────────────────────────────────────────────────────────────

constexpr double size[] = {0.03, 0.02, 0.01};

/// The stretch along X under a nominal stress.
double stretch_under(Case& one, TensionTest test, double stress, double bulk) {
  std::vector<std::string> set{fmt::format("material.silicone.bulk={:.17g}", bulk),
                               fmt::format("load.along.force=[{:.17g}, 0, 0]", stress * size[1] * size[2])};
  if (test == TensionTest::equibiaxial)
    set.push_back(fmt::format("load.across.force=[0, {:.17g}, 0]", stress * size[0] * size[2]));
  const SceneRun run = one.run(test == TensionTest::planar ? "block+block-planar" : "block", set);
  return run.of("pull", "end").last(0) / size[0];
}

// ── Thick walls ──────────────────────────────────────────────────────────────────────────────────────────────────────

constexpr double inner = 0.5, outer = 1, blown = 1.5;

/// A twenty-fourth of a sphere, between four planes through its middle, or a quarter of a slice of a cylinder; `cells` through the wall.
SolidMesh wall(bool is_sphere, int cells) {
  if (!is_sphere)
    return make_mesh(ThickTube{.inner = inner,
                               .outer = outer,
                               .height = 0.25,
                               .angle = std::numbers::pi / 2,
                               .radial = cells,
                               .around = 2 * cells,
                               .along = 1});
  SolidMesh mesh = make_mesh(Block{.size = {1, 1, 1}, .elements = {cells, cells, cells}});
  for (Vec3& x : mesh.nodes) {
    const Vec3 way{x[0], x[1], 1};
    x = ((inner + (outer - inner) * x[2]) / norm(way)) * way;
  }
  mesh.at_shares = nullptr;
  return mesh;
}

/// Mean radius of the inner face over that of the reference, under a pressure that follows it.
double blown_by(bool is_sphere, int cells, double pressure) {
  MachineBuilder builder({.dim = 3});
  builder.add(SolidSpec{.name = "wall",
                        .mesh = wall(is_sphere, cells),
                        .section = {.rho = 1100, .law = law, .constants = silicone(1e11)}});
  const auto plane = [&](const char* set, const Triple& normal) {
    builder.add(JointSpec{
        .name = set, .type = JointType::point_on_plane, .of = {ground(), place_on("wall", set)}, .axis = normal});
  };
  if (is_sphere) {
    plane("left", {1, 0, 0}), plane("right", {1, 0, -1}), plane("front", {0, 1, 0}), plane("back", {0, 1, -1});
  } else {
    plane("start", {0, 1, 0}), plane("end", {1, 0, 0}), plane("bottom", {0, 0, 1}), plane("top", {0, 0, 1});
  }
  MachineDraft& draft = builder.draft();
  const SolidPart& part = draft.machine.solids[0];
  const SolidSet& inside = *part.mesh.find(is_sphere ? "bottom" : "inner");
  const std::vector<int> nodes = inside.nodes, slots = part.model.nodes;
  for (const SolidFace& face : inside.faces) {
    std::vector<int> at;
    for (const int node : face_nodes(part.mesh, face)) at.push_back(slots[node]);
    at.push_back(draft.builder.constant_signal());
    draft.builder.item(std::string(FacePressureQ8::name), at, std::array{pressure}, {},
                       fmt::format("pressure {} {}", face.element, face.face));
  }
  const Machine machine = builder.build();
  System<double> system(machine.model.topology, std::array{&machine.model.values});
  State<double> state = system.initial_state(0);
  const StaticReport report = StaticSolver(system, {}).solve(state);
  if (!report.converged)
    throw CaseFailure(fmt::format("no equilibrium of the {} on {} cells", is_sphere ? "sphere" : "cylinder", cells));
  double sum = 0;
  for (const int node : nodes) {
    const double* x = &state.q[machine.model.topology->slots[slots[node]].offset];
    sum += std::hypot(x[0], x[1], is_sphere ? x[2] : 0.0);
  }
  return sum / static_cast<double>(nodes.size()) / inner;
}

void materials(Case& one) {
  for (const char* key : {"material.silicone.bulk", "load"}) one.varies(key);
  one.chosen(
      "improved Yeoh, the isochoric form; tension with the paper's bulk modulus, and with 100 GPa against what does "
      "not change its volume");
  constexpr double stretches[] = {1.5, 2};
  // Nominal stresses of the incompressible law by another program [Pa].
  constexpr double stress[3][2] = {{646862.754, 1359765.400}, {1016333.629, 2163505.089}, {753571.947, 1509338.461}};
  for (int k = 0; k < 3; ++k) {
    const auto test = static_cast<TensionTest>(k);
    Json finite = Json::array(), stiff = Json::array(), figure = Json::array();
    for (int i = 0; i < 2; ++i) {
      const CompressibleTension exact = compressible_tension(test, law, silicone(1e9), stretches[i]);
      figure.push_back(stretches[i]);
      finite.push_back(stretch_under(one, test, exact.stress, 1e9));
      stiff.push_back(stretch_under(one, test, stress[k][i], 1e11));
    }
    const std::string name(tension_test_names[k]);
    one.quantity(name, finite, {closed_form(figure, 1e-8)});
    // A volume that changes by p/k = 3e-5 at most.
    one.quantity(name + "_stiff", stiff, {independent(figure, 6e-5)});
  }
  // Pressures of the closed forms for an inner radius 1.5 times as large, A/B = 0.5 [Pa].
  for (const bool is_sphere : {true, false}) {
    Json by_mesh = Json::array();
    for (const int cells : {2, 4}) by_mesh.push_back(blown_by(is_sphere, cells, is_sphere ? 468016.2672 : 248774.2965));
    one.quantity(is_sphere ? "sphere" : "cylinder", by_mesh, {independent({blown, blown}, 0.01 * blown)});
  }
}

}  // namespace

std::vector<CaseDefinition> xing2022_material_cases() {
  std::vector<QuantityInfo> quantities;
  for (const std::string_view test : tension_test_names) {
    quantities.push_back({std::string(test), "1",
                          "stretch under the nominal stress of the closed form at 1.5 and 2, bulk modulus 1 GPa"});
    quantities.push_back(
        {std::string(test) + "_stiff", "1", "the same of the law that keeps its volume, bulk modulus 100 GPa"});
  }
  quantities.push_back(
      {"sphere", "1", "stretch of the inner radius under the pressure of the closed form, 2 and 4 cells of 20 nodes"});
  quantities.push_back({"cylinder", "1", "the same of a cylinder that keeps its length"});
  return {
      {{"xing2022", "materials", "its silicone in tension, and thick walls blown up, against closed forms", quantities},
       materials}};
}

}  // namespace flexura::detail
