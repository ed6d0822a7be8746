// Ghoneimy et al. 2025, an elephant's head and trunk: the trunk curls towards the mouth.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "validation/ghoneimy2025/head.hpp"

namespace flexura::detail {
namespace {

/// Of the outer quarter of the trunk below the horizontal [rad].
double outer_angle(const SceneRun& run, double t) {
  const Series &tip = run.of("tip"), &ring = run.of("ring");
  return std::atan2(ring.at(t, 2) - tip.at(t, 2), tip.at(t, 0) - ring.at(t, 0));
}

double least(const Series& s) { return *std::min_element(s.x[0].begin(), s.x[0].end()); }

PlotCurve path(const std::string& label, const Series& tip) { return {label, tip.x[0], tip.x[2]}; }

void feeding(Case& one) {
  one.chosen(
      "head held; no gravity, which the paper does not name; wall 20 mm, 12 x 12 elements, energy-momentum method");
  one.chosen("the mouth: on the head's face, 0.2 m below the trunk's axis");
  one.chosen(
      "trunk held open: a wall 50 times stiffer around than along, the moment on the ring as a whole; 12 x 8 elements");
  one.chosen("reference of the tip: 24 x 24 elements");
  one.varies("load");
  const SceneRun run = one.run("feeding", {}, "");
  const SceneRun open = one.run("feeding-ring", {}, "open");
  const SceneRun ring = one.run("feeding", {"load.muscle.type=ring_moment", "analysis.fold.end=1.1"}, "ring");
  const Series& tip = run.of("tip");
  const double end = tip.t.back();
  Json early = Json::array(), angles = Json::array(), of_ring = Json::array();
  for (const double t : {0.5, 0.8})
    for (const int k : {0, 2}) early.push_back(ring.of("tip").at(t, k));
  for (const double t : {0.5, 0.7, 0.8, 0.9, end}) {
    angles.push_back(outer_angle(run, t));
    of_ring.push_back(outer_angle(ring, t));
  }
  one.quantity("tip", early,
               {finer_mesh({1.78233, -0.17323, 1.7268, -0.35639}, 1e-3)
                    .because("the finer mesh was clamped by a weld that held the wall's stretch")});
  one.quantity("outer_angle", angles);
  one.quantity("outer_angle_ring", of_ring);
  one.quantity("to_mouth", Json{run.of("to_mouth").x[0].front(), least(run.of("to_mouth"))});
  one.quantity("to_mouth_open", Json{open.of("to_mouth").x[0].front(), least(open.of("to_mouth"))});
  one.quantity("energy_error", Json{work_error(run), work_error(ring), work_error(open)},
               {closed_form({0, 0, 0}, 1e-9)});
  one.quantity("aside", Json{largest(tip, 1), largest(ring.of("tip"), 1), largest(open.of("tip"), 1)},
               {closed_form({0, 0, 0}, 1e-6)});
  // Brazier: the greatest moment of a long tube of radius r, 2 sqrt 2/9 pi E r h^2/sqrt(1 - nu^2).
  const double greatest = 2 * std::numbers::sqrt2 / 9 * std::numbers::pi * 0.938e6 * 0.07 * 4e-4 / std::sqrt(1 - 0.09);
  one.finding(fmt::format(
      "The moment dents the thin wall at the nodes that share it, the ring flattens and the outer quarter folds "
      "towards the mouth: it points {:.0f} deg down at 0.8 s (24 N m) and {:.0f} deg at {:.2f} s; the tip comes "
      "from {:.2f} to {:.2f} m of the mouth, then walls would touch. A moment on the ring as a whole does not "
      "dent it: {:.0f} deg at 0.8 s, {:.0f} deg at 1.1 s (33 N m). Beyond 34 N m the plain tube collapses there "
      "too: a long one of that radius bears {:.1f} N m (Brazier). Held open, the trunk bends all along and takes "
      "90 N m; its tip is then {:.2f} m from the mouth.",
      outer_angle(run, 0.8) / degree, outer_angle(run, end) / degree, end, run.of("to_mouth").x[0].front(),
      least(run.of("to_mouth")), outer_angle(ring, 0.8) / degree, outer_angle(ring, 1.1) / degree, greatest,
      open.of("to_mouth").x[0].back()));
  one.plot("tip", {.title = "Path of the tip, from the side",
                   .x_label = "x [m]",
                   .y_label = "z [m]",
                   .curves = {path("moment on nodes", tip),
                              path("moment on the ring", ring.of("tip")),
                              path("held open", open.of("tip")),
                              {"mouth", {0.3}, {-0.2}, PlotCurve::Style::markers},
                              {"trunk at rest", {0.3, 1.8}, {0, 0}, PlotCurve::Style::dashed}},
                   .equal_axes = true});
  one.plot("to-mouth", {.title = "Distance of tip and mouth",
                        .x_label = "time [s]",
                        .y_label = "distance [m]",
                        .curves = {curve("moment on nodes", run.of("to_mouth"), 0),
                                   curve("moment on the ring", ring.of("to_mouth"), 0),
                                   curve("held open", open.of("to_mouth"), 0)}});
  one.plot("moment",
           {.title = "Moment of the head on the trunk, about y",
            .x_label = "time [s]",
            .y_label = "moment [N m]",
            .curves = {curve("moment on nodes", run.of("moment"), 1), curve("moment on the ring", ring.of("moment"), 1),
                       curve("held open", open.of("moment"), 1)}});
}

}  // namespace

CaseDefinition feeding_case() {
  return {{"ghoneimy2025",
           "feeding",
           "a growing moment curls the trunk towards the mouth (figure 21)",
           {{"tip", "m", "moment on the ring as a whole: x and z of the tip at 0.5 s, and at 0.8 s"},
            {"outer_angle", "rad", "of the outer quarter, downwards, at 0.5, 0.7, 0.8, 0.9 and 0.98 s"},
            {"outer_angle_ring", "rad", "the same under a moment on the ring as a whole"},
            {"to_mouth", "m", "distance of tip and mouth at the start, and the least, moment on nodes"},
            {"to_mouth_open", "m", "the same of a trunk that is held open, in 3 s"},
            {"energy_error", "1", "work less energy, over the work: moment on nodes, on the ring, held open"},
            {"aside", "m", "largest y of the tip, in the same order"}}},
          feeding};
}

}  // namespace flexura::detail
