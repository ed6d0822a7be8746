// Kato and Wagatsuma 2020: the beam of an assistive device.

#include "validation/kato2020/cases.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace flexura::detail {
namespace {

constexpr int nodes = 6;

void chosen_parameters(Case& one) {
  one.chosen(
      "the paper's table 1 is an image: L = 0.5 m, width 30 mm, thickness 2.1 mm, E = 59.6 GPa (EI = 1.38 N m^2), rho "
      "= 2200 kg/m^3; of these E and rho are fitted to nodes 6 and 1 of table 2 in the hold");
  one.chosen("upright, no damping; moment clockwise, in its exact form");
}

const char* const weight_from_the_start =
    "its weight, along the beam, acts at once on the straight beam and lets it ring";

/// As the scenes have it.
struct Beam {
  double EI = 59.6e9 * 0.03 * 0.0021 * 0.0021 * 0.0021 / 12, L = 0.5;
};

double place(int node) { return Beam().L * node / (nodes - 1); }

/// The nodes' (x, y) by their position sensors; node 1 is the clamp.
std::vector<std::pair<double, double>> shape_at(const SceneRun& run, double t) {
  std::vector<std::pair<double, double>> out{{0, 0}};
  for (int k = 2; k <= nodes; ++k) {
    const Series& s = run.of(fmt::format("position_{}", k));
    out.emplace_back(s.at(t, 0), s.at(t, 1));
  }
  return out;
}

std::vector<std::pair<double, double>> static_shape(const SceneRun& run) {
  std::vector<std::pair<double, double>> out{{0, 0}};
  for (int k = 2; k <= nodes; ++k) {
    const Series& s = run.of("bend", fmt::format("position_{}", k));
    out.emplace_back(s.last(0), s.last(1));
  }
  return out;
}

PlotCurve shape_curve(const std::string& label, const std::vector<std::pair<double, double>>& shape,
                      PlotCurve::Style style) {
  PlotCurve curve{label, {}, {}, style};
  for (const auto& [x, y] : shape) {
    curve.x.push_back(1e3 * x);
    curve.y.push_back(1e3 * y);
  }
  return curve;
}

std::vector<double> deflections(const std::vector<std::pair<double, double>>& shape) {
  std::vector<double> out;
  for (const auto& [x, y] : shape) out.push_back(x);
  return out;
}

void static_deflection(Case& one) {
  chosen_parameters(one);
  one.chosen("small moment 0.2 N m; large one 4.5 N m; without weight, which neither theory has");
  one.varies("load.bend.moment");
  const Beam beam;
  const SceneRun small = one.run("static-deflection", {"load.bend.moment=-0.2"}, "small");
  std::vector<double> theory;
  for (int k = 0; k < nodes; ++k) theory.push_back(0.2 * place(k) * place(k) / (2 * beam.EI));
  one.quantity("deflection_small", deflections(static_shape(small)), {closed_form(theory, 2e-5)});

  const SceneRun chord = one.run("static-deflection", {"load.bend.moment=-4.5"}, "large");
  const SceneRun green = one.run(
      "static-deflection", {"load.bend.moment=-4.5", "section.strip.axial=green", "section.strip.curvature=material"},
      "large-green");
  const double radius = beam.EI / 4.5;
  std::vector<std::pair<double, double>> circle;
  Json circle_points = Json::array(), points = Json::array();
  double off = 0;
  const auto exact = static_shape(green), paper = static_shape(chord);
  for (int k = 0; k < nodes; ++k) {
    const double angle = place(k) / radius;
    circle.emplace_back(radius * (1 - std::cos(angle)), radius * std::sin(angle));
    circle_points.push_back({circle.back().first, circle.back().second});
    points.push_back({exact[k].first, exact[k].second});
  }
  off = std::hypot(paper.back().first - circle.back().first, paper.back().second - circle.back().second);
  one.quantity("position_large_green", points, {closed_form(circle_points, 1e-4)});
  one.quantity("tip_off_circle_chord", off, {independent(7.30725332e-3, 1e-6)});
  const double energy = chord.of("bend", "stored").last();
  one.quantity("strain_energy_chord", energy, {independent(3.57498653, 1e-5)});
  one.quantity("strain_energy_green", green.of("bend", "stored").last(),
               {closed_form(4.5 * 4.5 * beam.L / (2 * beam.EI), 1e-3)});

  Plot plot{.title = "Deflections under 0.2 N m",
            .x_label = "along the beam [mm]",
            .y_label = "deflection [mm]",
            .curves = {}};
  PlotCurve ours{"here, 5 elements", {}, {}, PlotCurve::Style::markers}, line{"beam theory, equation (25)", {}, {}};
  for (int k = 0; k < nodes; ++k) {
    ours.x.push_back(1e3 * place(k));
    ours.y.push_back(1e3 * static_shape(small)[k].first);
  }
  for (int k = 0; k <= 50; ++k) {
    const double x = beam.L * k / 50;
    line.x.push_back(1e3 * x);
    line.y.push_back(1e3 * 0.2 * x * x / (2 * beam.EI));
  }
  plot.curves = {line, ours};
  one.plot("small", plot);
  Plot large{
      .title = "Shape under 4.5 N m", .x_label = "x [mm]", .y_label = "y [mm]", .curves = {}, .equal_axes = true};
  PlotCurve arc{"circle, curvature M/EI", {}, {}};
  for (int k = 0; k <= 50; ++k) {
    const double angle = beam.L / radius * k / 50;
    arc.x.push_back(1e3 * radius * (1 - std::cos(angle)));
    arc.y.push_back(1e3 * radius * std::sin(angle));
  }
  large.curves = {arc, shape_curve("chord law (the paper's)", paper, PlotCurve::Style::markers),
                  shape_curve("green, material curvature", exact, PlotCurve::Style::markers)};
  one.plot("large", large);
  one.finding(fmt::format(
      "Under 0.2 N m the tip deflects {:.4f} mm, beam theory gives {:.4f} mm. Under 4.5 N m the paper's chord law "
      "ends {:.2f} mm off the circle of curvature M/EI, the law `green` {:.3f} mm.",
      1e3 * deflections(static_shape(small)).back(), 1e3 * theory.back(), 1e3 * off,
      1e3 * std::hypot(exact.back().first - circle.back().first, exact.back().second - circle.back().second)));
}

/// Time from the release until x first passes zero.
double passage(const std::vector<double>& t, const std::vector<double>& x) {
  for (const double zero : zero_crossings(t, x))
    if (zero > 4.5 + 1e-9) return zero - 4.5;
  return NAN;
}

void bend_hold_release(Case& one) {
  chosen_parameters(one);
  one.chosen(weight_from_the_start);
  one.chosen("Newmark, 1 ms up to the release, 0.02 ms after it");
  const SceneRun run = one.run("bend-hold-release", {}, "");
  const Series& tip = run.of("position_6");
  const Series& total = run.of("total");
  std::vector<double> mean_deflection(tip.t.size(), 0.0);
  for (int k = 2; k <= nodes; ++k) {
    const Series& node = run.of(fmt::format("position_{}", k));
    for (size_t i = 0; i < mean_deflection.size(); ++i) mean_deflection[i] += node.x[0][i] / nodes;
  }
  const double straight = passage(tip.t, mean_deflection), tip_straight = passage(tip.t, tip.x[0]);
  one.quantity(
      "time_to_straight", straight,
      {paper(0.03062).because("the paper does not say what ends its third window"), independent(0.03593, 2e-4)});
  one.quantity("time_to_straight_tip", tip_straight, {independent(0.03432, 2e-4)});
  const double stored = run.of("stored").at(4.5);
  one.quantity("strain_energy_held", stored, {independent(3.634, 0.003)});
  const double held = total.at(4.5 + 2e-4), end = total.last();
  one.quantity("energy_change_after_release", (end - held) / held, {closed_form(0, 0.02)});
  Json shapes = Json::array();
  Plot plot{.title = "Deformed shapes", .x_label = "x [mm]", .y_label = "y [mm]", .curves = {}, .equal_axes = true};
  for (const double t : {1.0, 2.0, 3.0, 4.5, 4.51, 4.52, 4.53062}) {
    const auto shape = shape_at(run, t);
    Json points = Json::array();
    for (const auto& [x, y] : shape) points.push_back({x, y});
    shapes.push_back(points);
    plot.curves.push_back(shape_curve(fmt::format("t = {:g} s", t), shape, PlotCurve::Style::line_and_markers));
  }
  one.quantity("shapes", shapes);
  one.plot("shapes", plot);
  Plot motion{
      .title = "Tip after the release", .x_label = "t [s]", .y_label = "x [mm]", .curves = {{"node 6", {}, {}}}};
  for (size_t i = 0; i < tip.t.size(); ++i) {
    if (tip.t[i] < 4.45 || tip.t[i] > 4.75) continue;
    motion.curves[0].x.push_back(tip.t[i]);
    motion.curves[0].y.push_back(1e3 * tip.x[0][i]);
  }
  one.plot("tip", motion);
  one.finding(fmt::format(
      "After the release the mean deflection of the nodes passes zero after {:.5f} s, the tip's after "
      "{:.5f} s; the paper's third window ends 0.03062 s after it, without saying why. With 1600 kg/m^3 and "
      "no weight it would be 0.0305 s, but the moments before the release then are not the paper's. "
      "{:.3f} J are stored before; the sum of energies changes by {:.3f} % in the half second after.",
      straight, tip_straight, stored, 100 * (end - held) / held));
}

constexpr double windows[4][2] = {{0, 4}, {4, 4.5}, {4.5, 4.53062}, {4.5, 5}};

/// Means of the magnitude over a window, nodes 1 to 6.
std::vector<double> means(const SceneRun& run, const std::string& sensor, int window) {
  std::vector<double> out;
  for (int k = 1; k <= nodes; ++k)
    out.push_back(mean_within(run.of(fmt::format("{}_{}", sensor, k)), 0, windows[window][0], windows[window][1]));
  return out;
}

void elastic_moments(Case& one) {
  chosen_parameters(one);
  one.chosen(weight_from_the_start);
  one.chosen("Newmark, 0.1 ms up to the release, 0.02 ms after it: with coarser steps energy grows");
  one.chosen(
      "means over the samples of every step in (begin, end] of a window; the paper's magnitude is |Q|, Q the elastic "
      "force "
      "conjugate to r_x");
  const std::vector<std::vector<double>> table2{{2.2908, 0.0006, 0.0006, 0.0006, 0.0006, 2.2447},
                                                {4.5843, 0.0006, 0.0006, 0.0006, 0.0006, 4.4810},
                                                {6.3484, 2.0090, 1.9251, 2.1164, 2.6307, 2.2436},
                                                {5.0382, 2.2731, 2.0002, 2.3620, 2.7676, 2.1269}};
  const std::vector<const char*> names{"bend", "hold", "release_first", "release"};
  const SceneRun run = one.run("elastic-moments", {}, "");
  std::vector<std::vector<double>> norm, moment;
  for (int w = 0; w < 4; ++w) {
    norm.push_back(means(run, "force_norm", w));
    moment.push_back(means(run, "moment", w));
  }
  const auto inner = [](const std::vector<double>& x) { return std::vector<double>(x.begin() + 1, x.end() - 1); };
  // Independent figures: validation/independent. Those of 4.5–5 s are sensitive: its two steps differ by up to 0.13 N.
  const char* const unexplained = "node 1 right after the release is unexplained";
  one.quantity("force_norm_node_6_hold", norm[1][5], {chosen_to_fit(4.4810), independent(4.479832, 2e-5)});
  one.quantity("force_norm_node_1_hold", norm[1][0], {chosen_to_fit(4.5843), independent(4.584467, 2e-5)});
  one.quantity("moment_node_6_hold", moment[1][5], {independent(4.498872, 2e-5)});
  one.quantity("force_norm_bend", norm[0],
               {chosen_to_fit(table2[0]),
                independent({2.294850, 0.000567001, 0.000585143, 0.000568249, 0.000608361, 2.244457}, 2e-5)});
  one.quantity("force_norm_hold", norm[1],
               {chosen_to_fit(table2[1]),
                independent({4.584467, 0.000592858, 0.000602424, 0.000584186, 0.000625993, 4.479832}, 2e-5)});
  one.quantity("force_norm_inner_bend", inner(norm[0]), {paper(inner(table2[0]), 0.02, 5e-5)});
  one.quantity("force_norm_inner_hold", inner(norm[1]), {paper(inner(table2[1]), 0.02, 5e-5)});
  one.quantity("force_norm_release_first", norm[2],
               {paper(table2[2]).because(unexplained), independent({5.190, 1.990, 1.940, 2.107, 2.656, 2.248}, 0.02)});
  one.quantity(
      "force_norm_release", norm[3],
      {paper(table2[3], 0.02)
           .because(
               "sensitive: a step half as long changes them by up to 0.13 N, and the paper does not state its own"),
       independent({5.103, 2.330, 2.216, 2.161, 2.761, 2.250}, 0.15)});
  for (int w = 0; w < 4; ++w) one.quantity(fmt::format("moment_{}", names[w]), moment[w]);
  const double stored = run.of("stored").at(4.5);
  one.quantity("strain_energy_held", stored, {independent(3.634, 0.003)});
  const Series& base = run.of("waist_moment");
  one.quantity("base_moment_hold", mean_within(base, 0, 4, 4.5), {independent(4.579970, 2e-5)});
  double peak = 0;
  for (size_t i = 0; i < base.t.size(); ++i)
    if (base.t[i] > 4.5 + 1e-9) peak = std::max(peak, std::fabs(base.x[0][i]));
  one.quantity("base_moment_peak", peak);
  // κ L, weight over moment, and so all before the release, stay; the time to straight goes with the root of the length.
  const double share = 0.36116 / Beam().L;
  const SceneRun shorter = one.run("elastic-moments", {fmt::format("cable.beam.path=[[0,0],[0,{}]]", 0.36116),
                                                       fmt::format("material.carbon.E={}", 59.6e9 * share),
                                                       fmt::format("material.carbon.rho={}", 2200 / (share * share))});
  one.quantity("force_norm_release_first_short", means(shorter, "force_norm", 2),
               {paper(table2[2]).because("so the window is not the time that this beam takes to be straight")});

  const std::vector<double> axis{1, 2, 3, 4, 5, 6};
  for (int w : {1, 2, 3}) {
    Plot plot{.title = fmt::format("Elastic force at the nodes, {:g} to {:g} s", windows[w][0], windows[w][1]),
              .x_label = "node",
              .y_label = "mean |Q| [N]",
              .curves = {}};
    plot.curves.push_back({"paper, table 2", axis, table2[w], PlotCurve::Style::markers});
    plot.curves.push_back({"here", axis, norm[w], PlotCurve::Style::line_and_markers});
    plot.curves.push_back({"here, r_x x Q [N m]", axis, moment[w], PlotCurve::Style::dashed});
    one.plot(names[w], plot);
  }
  Plot reaction{.title = "Moment of the waist on the beam",
                .x_label = "t [s]",
                .y_label = "M [N m]",
                .curves = {{"here", {}, {}}}};
  for (size_t i = 0; i < base.t.size(); ++i) {
    if (base.t[i] > 4.6 || (base.t[i] > 4.5 && i % 5 != 0)) continue;
    reaction.curves[0].x.push_back(base.t[i]);
    reaction.curves[0].y.push_back(base.x[0][i]);
  }
  one.plot("base-moment", reaction);
  double worst = 0;
  for (int k = 1; k < nodes; ++k) worst = std::max(worst, std::fabs(norm[2][k] / table2[2][k] - 1));
  one.finding(fmt::format(
      "E and rho are fitted to nodes 6 and 1 in the hold, {:.4f} and {:.4f} N for 4.4810 and 4.5843: table 2 is |Q|, "
      "4.5 over the stretch of r_x by the chord law at node 6, and that plus the weight's moment at node 1. Not "
      "fitted, "
      "nodes 2 to 5 are {:.1e} to {:.1e} N (paper 6e-4): the ringing of a beam on which its weight acts at once; "
      "without "
      "weight they would be 1e-4. After the release nodes 2 to 6 are within {:.1f} % of the paper in the first 0.03062 "
      "s; node 1 is {:.2f} N against 6.35 N, which stays open. A beam of 0.361 m to scale, which is straight after "
      "0.0305 s, would miss them. The means over 4.5 to 5 s go with the step. {:.3f} J are stored.",
      norm[1][5], norm[1][0], *std::min_element(norm[1].begin() + 1, norm[1].end() - 1),
      *std::max_element(norm[1].begin() + 1, norm[1].end() - 1), 100 * worst, norm[2][0], stored));
}

}  // namespace

std::vector<CaseDefinition> kato2020_cases() {
  std::vector<CaseDefinition> cases{
      {{"kato2020",
        "static-deflection",
        "deflections of the six nodes against beam theory and the circle (figure 5)",
        {{"deflection_small", "m", "of nodes 1 to 6 under 0.2 N m; closed form: M x^2/(2 EI)"},
         {"position_large_green", "m",
          "x, y of nodes 1 to 6 under 4.5 N m, laws green and material; closed form: the circle"},
         {"tip_off_circle_chord", "m", "distance of the tip from the circle with the paper's laws"},
         {"strain_energy_chord", "J", "under 4.5 N m with the paper's laws"},
         {"strain_energy_green", "J", "the same with green and material; closed form: M^2 L/(2 EI)"}}},
       static_deflection},
      {{"kato2020",
        "bend-hold-release",
        "shapes over time, release at 4.5 s (figure 6 b)",
        {{"time_to_straight", "s", "from the release until the mean deflection of the nodes passes zero"},
         {"time_to_straight_tip", "s", "until the tip's does"},
         {"strain_energy_held", "J", "stored at 4.5 s"},
         {"energy_change_after_release", "1", "relative, from the release to 5 s"},
         {"shapes", "m", "x, y of nodes 1 to 6 at 1, 2, 3, 4.5, 4.51, 4.52, 4.53062 s"}}},
       bend_hold_release},
      {{"kato2020",
        "elastic-moments",
        "mean elastic moments of the nodes over four windows (table 2)",
        {{"force_norm_node_6_hold", "N", "mean |Q| at node 6 over 4 to 4.5 s"},
         {"force_norm_node_1_hold", "N", "mean |Q| at node 1 over 4 to 4.5 s"},
         {"moment_node_6_hold", "N m", "mean |r_x x Q| at node 6 over 4 to 4.5 s"},
         {"force_norm_bend", "N", "mean |Q|, nodes 1 to 6, 0 to 4 s"},
         {"force_norm_hold", "N", "4 to 4.5 s"},
         {"force_norm_inner_bend", "N", "nodes 2 to 5, 0 to 4 s"},
         {"force_norm_inner_hold", "N", "nodes 2 to 5, 4 to 4.5 s"},
         {"force_norm_release_first", "N", "4.5 to 4.53062 s"},
         {"force_norm_release_first_short", "N", "the same of a beam to scale that is straight after 0.0305 s"},
         {"force_norm_release", "N", "4.5 to 5 s"},
         {"moment_bend", "N m", "mean |r_x x Q|, nodes 1 to 6, 0 to 4 s"},
         {"moment_hold", "N m", "4 to 4.5 s"},
         {"moment_release_first", "N m", "4.5 to 4.53062 s"},
         {"moment_release", "N m", "4.5 to 5 s"},
         {"strain_energy_held", "J", "stored at 4.5 s"},
         {"base_moment_hold", "N m", "mean magnitude of the waist's moment over 4 to 4.5 s"},
         {"base_moment_peak", "N m", "largest magnitude after the release"}}},
       elastic_moments}};
  cases.push_back(kato2020_stiffness_design());
  return cases;
}

}  // namespace flexura::detail
