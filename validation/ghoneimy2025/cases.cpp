// Ghoneimy et al. 2025, an elephant's head and trunk: the pendulums of thin plates. Trunk and head are in files of their own.

#include "validation/ghoneimy2025/cases.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace flexura::detail {

PlotCurve curve(const std::string& label, const Series& s, int component) { return {label, s.t, s.x[component]}; }

double energy_error(const SceneRun& run, double begin) {
  const Series &kinetic = run.of("kinetic"), &strain = run.of("strain"), &gravity = run.of("gravity");
  double first = std::nan(""), worst = 0, size = 0;
  for (size_t k = 0; k < kinetic.t.size(); ++k) {
    if (kinetic.t[k] < begin) continue;
    const double total = kinetic.x[0][k] + strain.x[0][k] + gravity.x[0][k];
    if (std::isnan(first)) first = total;
    worst = std::max(worst, std::fabs(total - first));
    size = std::max(size, kinetic.x[0][k]);
  }
  return worst / size;
}

void energy_plot(Case& one, const SceneRun& run) {
  one.plot("energy", {.title = "Energies",
                      .x_label = "time [s]",
                      .y_label = "energy [J]",
                      .curves = {curve("kinetic", run.of("kinetic"), 0), curve("strain", run.of("strain"), 0),
                                 curve("of weight", run.of("gravity"), 0)}});
}

namespace {

void plate_pendulum(Case& one) {
  one.chosen("thin plates with full integration, energy-momentum method at 0.25 ms");
  one.varies("plate.sheet.elements");
  const SceneRun run = one.run("plate-pendulum", {}, "");
  const Series &far = run.of("far"), &edge = run.of("edge");
  const auto at = [&](double t) { return Json::array({far.at(t, 0), far.at(t, 2)}); };
  one.quantity("far_0.1", at(0.1), {independent({0.3, -0.049049}, 1e-4)});
  one.quantity("far_0.2", at(0.2), {independent({0.29568, -0.196176}, 1e-4)});
  one.quantity("far_0.3", at(0.3), {independent({0.232466, -0.43881}, 1e-3)});
  one.quantity("edge_0.2", {edge.at(0.2, 0), edge.at(0.2, 1), edge.at(0.2, 2)},
               {independent({0.286824, -0.003293, -0.195094}, 5e-4)});
  one.quantity("energy_error", energy_error(run, 0), {closed_form(0.0, 1e-6)});
  Json by_mesh = Json::array();
  for (const int n : {4, 8, 12}) {
    const SceneRun other =
        n == 8
            ? SceneRun{}
            : one.run("plate-pendulum", {fmt::format("plate.sheet.elements=[{0}, {0}]", n), "analysis.swing.end=0.2"});
    by_mesh.push_back((n == 8 ? run : other).of("far").at(0.2, 0));
  }
  one.quantity("far_by_mesh", by_mesh, {independent({0.29527, 0.295655, 0.29586}, 5e-5)});
  one.finding("The far corner at 0.2 s goes on with the mesh: a point support on a membrane has no limit.");
  one.plot("corner", {.title = "Far corner",
                      .x_label = "time [s]",
                      .y_label = "position [m]",
                      .curves = {curve("x = y", far, 0), curve("z", far, 2)}});
  energy_plot(one, run);
}

void curved_pendulum(Case& one) {
  one.chosen("arc length 0.3 m, that of the flat plate; energy-momentum method at 0.5 ms");
  const SceneRun run = one.run("curved-pendulum", {}, "");
  const Series& strain = run.of("strain");
  double before = 0;
  for (size_t k = 0; k < strain.t.size(); ++k)
    if (strain.t[k] < 0.1 + 1e-9) before = std::max(before, std::fabs(strain.x[0][k]));
  one.quantity("strain_before", before, {closed_form(0.0, 1e-14)});
  one.quantity("energy_error", energy_error(run, 0.1015), {closed_form(0.0, 1e-6)});
  energy_plot(one, run);
}

/// Largest distance of a point on its two ways.
double apart(const Series& a, const Series& b) {
  double worst = 0;
  for (size_t k = 0; k < a.t.size(); ++k) {
    double square = 0;
    for (int i = 0; i < 3; ++i) square += std::pow(a.x[i][k] - b.at(a.t[k], i), 2);
    worst = std::max(worst, std::sqrt(square));
  }
  return worst;
}

void bending_measure(Case& one) {
  one.chosen("plate-pendulum on 8 x 8 elements; trunk-fall on 16 rings of 8 slices");
  for (const char* key : {"plate", "parameters"}) one.varies(key);
  const SceneRun koiter = one.run("plate-pendulum"),
                 cubed = one.run("plate-pendulum", {"plate.sheet.curvature=cubed_normal"}, "");
  const std::vector<std::string> mesh{"parameters.along=16", "parameters.around=8"};
  std::vector<std::string> trunk = mesh;
  trunk.emplace_back("plate.trunk.curvature=cubed_normal");
  const Series tip = one.run("trunk-fall", mesh).of("tip"), tip_cubed = one.run("trunk-fall", trunk).of("tip");
  const Series &far = koiter.of("far"), &far_cubed = cubed.of("far");
  const auto at = [](const Series& s, double t) { return Json::array({s.at(t, 0), s.at(t, 2)}); };
  one.quantity("far_koiter", at(far, 0.3), {independent({0.232466, -0.43881}, 1e-3)});
  one.quantity("far_cubed", at(far_cubed, 0.3));
  one.quantity("far_apart", apart(far, far_cubed));
  one.quantity("tip_apart", apart(tip, tip_cubed));
  one.quantity("energy_error", energy_error(cubed, 0), {closed_form(0, 1e-6)});
  one.finding(fmt::format(
      "The paper's curvature by n/|n|^3 (equation 37, curvature = cubed_normal) differs from Koiter's by the square of "
      "the surface's stretch. The soft plate, whose weight strains it by several per cent, ends up to {:.2f} mm apart, "
      "the "
      "trunk's tip {:.3f} mm in 0.3 s.",
      1e3 * apart(far, far_cubed), 1e3 * apart(tip, tip_cubed)));
  one.plot("corner", {.title = "Far corner by two measures of bending",
                      .x_label = "time [s]",
                      .y_label = "height [m]",
                      .curves = {curve("koiter", far, 2), curve("cubed_normal", far_cubed, 2)}});
}

}  // namespace

std::vector<CaseDefinition> ghoneimy2025_cases() {
  std::vector<CaseDefinition> cases{
      {{"ghoneimy2025",
        "plate-pendulum",
        "a plate pinned at a corner falls and folds (figures 6 to 8)",
        {{"far_0.1", "m", "x and z of the far corner at 0.1 s"},
         {"far_0.2", "m", "at 0.2 s"},
         {"far_0.3", "m", "at 0.3 s"},
         {"edge_0.2", "m", "corner (0.3, 0) at 0.2 s"},
         {"far_by_mesh", "m", "x of the far corner at 0.2 s on 4, 8 and 12 elements a side"},
         {"energy_error", "1", "largest change of the whole energy over the largest kinetic energy"}}},
       plate_pendulum},
      {{"ghoneimy2025",
        "curved-pendulum",
        "a curved plate is free of stress until gravity acts (figures 9 to 11)",
        {{"strain_before", "J", "largest strain energy before"},
         {"energy_error", "1", "largest change of the whole energy after, over the largest kinetic energy"}}},
       curved_pendulum},
      {{"ghoneimy2025",
        "bending-measure",
        "curvature with the unit normal and the paper's, equation (37)",
        {{"far_koiter", "m", "plate-pendulum: x and z of the far corner at 0.3 s, unit normal"},
         {"far_cubed", "m", "the same with n/|n|^3"},
         {"far_apart", "m", "largest distance of the corners in 0.3 s"},
         {"tip_apart", "m", "trunk-fall: largest distance of the tips in 0.3 s"},
         {"energy_error", "1", "with n/|n|^3: largest change of the whole energy over the largest kinetic energy"}}},
       bending_measure}};
  for (const auto& more : {ghoneimy2025_trunk_cases(), ghoneimy2025_head_cases(), ghoneimy2025_drift_cases()})
    cases.insert(cases.end(), more.begin(), more.end());
  return cases;
}

}  // namespace flexura::detail
