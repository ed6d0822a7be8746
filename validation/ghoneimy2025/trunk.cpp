// Ghoneimy et al. 2025, an elephant's head and trunk: the trunk alone, falling, twisted, compressed.

#include "validation/ghoneimy2025/trunk.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace flexura::detail {
namespace {

std::vector<std::string> mesh(int along, int around) {
  return {fmt::format("parameters.along={}", along), fmt::format("parameters.around={}", around)};
}

/// Distance of two paths of a point at the times of the first.
double path_distance(const Series& a, const Series& b) {
  double worst = 0;
  for (size_t k = 0; k < a.t.size(); ++k)
    worst = std::max(worst, std::hypot(a.x[0][k] - b.at(a.t[k], 0), a.x[2][k] - b.at(a.t[k], 2)));
  return worst;
}

void trunk_fall(Case& one) {
  one.chosen("wall 20 mm; thin plates with full integration, 16 rings of 12 slices; energy-momentum method at 1 ms");
  one.varies("parameters");
  const SceneRun run = one.run("trunk-fall", mesh(16, 12), "");
  const Series& tip = run.of("tip");
  const auto at = [&](double t) { return Json::array({tip.at(t, 0), tip.at(t, 2)}); };
  one.quantity("tip_0.1", at(0.1));
  one.quantity("tip_0.2", at(0.2));
  const std::pair<int, int> meshes[] = {{8, 8}, {12, 8}, {16, 8}, {16, 12}, {16, 16}, {24, 12}, {24, 16}};
  Json elements = Json::array(), end = Json::array(), time = Json::array(), off = Json::array();
  std::vector<SceneRun> runs;
  for (const auto& [along, around] : meshes)
    runs.push_back(along == 16 && around == 12 ? run : one.run("trunk-fall", mesh(along, around)));
  const Series& finest = runs.back().of("tip");
  Plot plot{.title = "Tip of the trunk", .x_label = "time [s]", .y_label = "height [m]", .curves = {}};
  for (size_t k = 0; k < runs.size(); ++k) {
    const Series& s = runs[k].of("tip");
    elements.push_back({meshes[k].first, meshes[k].second});
    end.push_back(s.last(2));
    off.push_back(path_distance(s, finest));
    time.push_back(runs[k].summary.integration_time);
    if (meshes[k].second != 8 || meshes[k].first == 8)
      plot.curves.push_back({fmt::format("{} x {}", meshes[k].first, meshes[k].second), s.t, s.x[2]});
  }
  one.quantity("tip_0.3", at(0.3), {.reference = {finest.last(0), finest.last(2)}, .tolerance = 2e-3});
  one.quantity("energy_error", energy_error(run, 0), {.reference = 0.0, .tolerance = 1e-6});
  one.quantity("meshes", elements);
  one.quantity("height_by_mesh", end);
  one.quantity("path_by_mesh", off);
  one.quantity("time_by_mesh", time);
  one.finding(
      fmt::format("16 rings of 12 slices are within {:.2f} mm of 24 of 16 all along the path, 8 of 8 within {:.1f} mm; "
                  "the rings decide, from 12 slices on more of them move the tip by less than 0.1 mm. The reference at "
                  "0.3 s is that of 24 x 16.",
                  1e3 * off[3].get<double>(), 1e3 * off[0].get<double>()));
  one.plot("tip", plot);
  energy_plot(one, run);
}

void elements(Case& one) {
  one.chosen("thin plates, 16 rings of 12 slices; the cable tapers, 24 elements");
  one.varies("parameters");
  const SceneRun plates = one.run("trunk-fall", mesh(16, 12)), cable = one.run("trunk-fall-cable", {}, "cable");
  const Series &a = plates.of("tip"), &b = cable.of("tip");
  double apart = 0;
  for (size_t k = 0; k < a.t.size(); ++k)
    apart = std::max(apart, std::hypot(a.x[0][k] - b.at(a.t[k], 0), a.x[2][k] - b.at(a.t[k], 1)));
  one.quantity("coordinates", {plates.summary.degrees_of_freedom, cable.summary.degrees_of_freedom});
  one.quantity("time", {plates.summary.integration_time, cable.summary.integration_time});
  one.quantity("tip_plates", {a.last(0), a.last(2)});
  one.quantity("tip_cable", {b.last(0), b.last(1)});
  one.quantity("path_apart", apart);
  one.finding(fmt::format(
      "The tips of plates and cable are up to {:.1f} mm apart in 0.3 s, {:.1f} % of the fall: the cable keeps its "
      "sections round, which the wall of the plates does not. The cable takes {:.0f} times less time. Plates that "
      "shear "
      "across the wall follow with the soft bodies.",
      1e3 * apart, 100 * apart / -a.last(2), plates.summary.integration_time / cable.summary.integration_time));
  one.plot("tip", {.title = "Tip of the trunk",
                   .x_label = "x [m]",
                   .y_label = "z [m]",
                   .curves = {{"thin plates", a.x[0], a.x[2]}, {"cable", b.x[0], b.x[1], PlotCurve::Style::dashed}},
                   .equal_axes = true});
}

/// Angle of the end ring about the axis, from two opposite nodes; counted on from row to row.
std::vector<double> twist_of(const SceneRun& run) {
  const Series &top = run.of("twist", "top"), &bottom = run.of("twist", "bottom");
  std::vector<double> out;
  double last = 0;
  for (size_t k = 0; k < top.t.size(); ++k) {
    const double angle = std::atan2(bottom.x[1][k] - top.x[1][k], top.x[2][k] - bottom.x[2][k]);
    last += std::remainder(angle - last, 2 * std::numbers::pi);
    out.push_back(last);
  }
  return out;
}

/// ∫ ds/(2 π r³ h (1 + c h²/r²)) times T/G.
double closed_twist(double torque, double h, double c) {
  return torque / trunk_shear * integral([&](double s) {
           const double r = trunk_radius(s);
           return 1 / (2 * std::numbers::pi * r * r * r * h * (1 + c * h * h / (r * r)));
         });
}

void trunk_twist(Case& one) {
  one.chosen("16 rings of 12 slices, a torque on the mean rotation of the end ring");
  one.varies("parameters");
  Json angle = Json::array(), closed = Json::array(), thin = Json::array(), thick = Json::array();
  for (const double h : {0.02, 0.01, 0.005}) {
    const double torque = 0.05 * h;
    const SceneRun run =
        one.run("trunk-twist", {fmt::format("parameters.wall={}", h), fmt::format("parameters.torque={}", torque)});
    angle.push_back(twist_of(run).back());
    closed.push_back(closed_twist(torque, h, 1.0 / 3));
    thin.push_back(angle.back().get<double>() / closed_twist(torque, h, 0));
    thick.push_back(angle.back().get<double>() / closed_twist(torque, h, 0.25));
  }
  one.quantity("angle", angle, {.reference = closed, .tolerance = 5e-3 * closed[0].get<double>()});
  one.quantity("over_thin_wall", thin);
  one.quantity("over_thick_wall", thick);
  const SceneRun large = one.run("trunk-twist", {}, "");
  const std::vector<double> turned = twist_of(large);
  const Series& top = large.of("twist", "top");
  std::vector<double> torque, linear;
  for (const double f : top.t) {
    torque.push_back(20 * f);
    linear.push_back(closed_twist(20 * f, 0.02, 1.0 / 3));
  }
  one.quantity("large_angle", turned.back());
  one.finding(fmt::format(
      "A wall of 20 mm twists {:.1f} % less than a thin one, as its own twisting stiffness says: a Koiter shell has "
      "J = 2 pi r^3 h (1 + h^2/3r^2), a thick tube 1 + h^2/4r^2, {:.1f} % softer here. At 20 N m the tip has turned by "
      "{:.0f} deg, {:.0f} % more than in proportion: the end ring narrows.",
      100 * (1 - thin[0].get<double>()), 100 * (1 - thick[0].get<double>()), turned.back() * 180 / std::numbers::pi,
      100 * (turned.back() / linear.back() - 1)));
  one.plot("angle", {.title = "Twist of the tip",
                     .x_label = "torque [N m]",
                     .y_label = "angle [rad]",
                     .curves = {{"trunk", torque, turned}, {"closed form", torque, linear, PlotCurve::Style::dashed}}});
  SurfacePicture picture{.title = "Trunk under torque", .from = {-0.3, -1, 0.35}};
  for (const double share : {0.0, 0.5, 1.0}) {
    const auto row = static_cast<size_t>(std::lround(share * static_cast<double>(torque.size() - 1)));
    picture.panels.push_back(panel_of(large, "twist", row, fmt::format("{:.1f} N m", torque[row])));
  }
  if (one.has_output()) one.picture("shape", svg_text(picture));
}

/// Lowest force on a clamped tapered column whose other end is free, by beam elements' worth of Rayleigh's quotient:
/// P = ∫ EI w''² / ∫ w'² with w' = Σ c_k sin((2k − 1) π s/2L), which is exact as the number of functions grows.
double euler_force(double h) {
  constexpr int n = 8;
  const auto mode = [](int k, double s) {
    const double b = (2 * k + 1) * std::numbers::pi / (2 * trunk_length);
    return std::pair{std::sin(b * s), b * std::cos(b * s)};  // w', w''
  };
  double K[n][n], G[n];
  for (int i = 0; i < n; ++i) {
    G[i] = trunk_length / 2;  // the sines are orthogonal
    for (int j = 0; j < n; ++j)
      K[i][j] = integral([&](double s) {
        const double r = trunk_radius(s);
        return trunk_modulus * std::numbers::pi * r * r * r * h * mode(i, s).second * mode(j, s).second;
      });
  }
  // Inverse iteration; K is solved by Gauss-Seidel, which converges as it is positive definite.
  std::vector<double> c(n, 1.0), next(n, 0.0);
  double force = 0;
  for (int pass = 0; pass < 60; ++pass) {
    for (int sweep = 0; sweep < 400; ++sweep)
      for (int i = 0; i < n; ++i) {
        double rest = G[i] * c[i];
        for (int j = 0; j < n; ++j)
          if (j != i) rest -= K[i][j] * next[j];
        next[i] = rest / K[i][i];
      }
    double work = 0, size = 0;
    for (int i = 0; i < n; ++i) {
      work += next[i] * G[i] * c[i];
      size += next[i] * G[i] * next[i];
    }
    force = work / size;
    for (int i = 0; i < n; ++i) c[i] = next[i] / std::sqrt(size);
  }
  return force;
}

/// Share of the loads at the first critical point of a run; NaN where there is none.
double first_critical(const SceneRun& run) {
  const std::vector<CriticalFact>& points = run.summary.at_rest.critical;
  return points.empty() ? std::nan("") : points.front().load_factor;
}

void trunk_compress(Case& one) {
  one.chosen("column: wall 20 mm, 16 rings of 12 slices, free end. Wall: 5 mm, 24 rings of 12, the end on a rail");
  one.chosen("0.05 N across the wall at three quarters of the length start its buckling");
  one.varies("parameters");
  const SceneRun column = one.run("trunk-compress");
  const double force = 90 * first_critical(column), euler = euler_force(0.02);
  one.quantity("column", force, {.reference = euler, .tolerance = 0.05 * euler});
  const double h = 0.005, slant = 1 / (1 + 0.08 * 0.08);  // cos² of the wall's angle to the axis
  const double classical =
      2 * std::numbers::pi * trunk_modulus * h * h * slant / std::sqrt(3 * (1 - trunk_poisson * trunk_poisson));
  std::vector<std::string> set = mesh(24, 12);
  set.insert(set.end(), {"parameters.wall=0.005", "parameters.force=75"});
  const SceneRun perfect = one.run("trunk-compress-guided", set);
  const double first = 75 * first_critical(perfect);
  one.quantity("wall", first, {.reference = 0.6 * classical, .tolerance = 0.15 * 0.6 * classical});
  one.quantity("wall_classical", classical);
  set.emplace_back("parameters.pinch=0.05");
  double most = 0;
  const SceneRun pinched = one.run("trunk-compress-guided", set, "wall", [&](const SensorSample& s) {
    most = std::max(most, s.at);
    return s.at < 0.5 * most;
  });
  const Series& end = pinched.of("press", "end");
  std::vector<double> shortening, load;
  for (size_t k = 0; k < end.t.size(); ++k) {
    shortening.push_back(1e3 * (trunk_length - end.x[0][k]));
    load.push_back(75 * end.t[k]);
  }
  one.quantity("wall_pinched", 75 * most);
  one.quantity("wall_after", load.back());
  one.finding(fmt::format(
      "Free, the trunk of 20 mm wall buckles as a column at {:.1f} N; Euler's force of the tapered beam is {:.1f} N. "
      "Guided, with a wall of 5 mm, it flattens in two waves around at {:.1f} N: long tubes do so at 3/5 (Southwell, "
      "{:.1f} N) of the classical E h^2 2 pi/sqrt(3 (1 - nu^2)), {:.1f} N, and the ends hold this one round. Pinched "
      "by "
      "0.05 N the limit is {:.1f} N, and the trunk carries less than half of it afterwards.",
      force, euler, first, 0.6 * classical, classical, 75 * most));
  one.plot("wall", {.title = "Trunk under an end force, wall of 5 mm",
                    .x_label = "shortening [mm]",
                    .y_label = "force [N]",
                    .curves = {{"pinched by 0.05 N", shortening, load, PlotCurve::Style::line_and_markers},
                               {"bifurcation of the perfect trunk",
                                {shortening.front(), shortening.back()},
                                {first, first},
                                PlotCurve::Style::dashed}}});
  SurfacePicture picture{.title = "Wall of 5 mm under an end force", .from = {-0.4, -1, 0.3}};
  const size_t peak = std::max_element(load.begin(), load.end()) - load.begin();
  for (const size_t row : {peak, (peak + load.size()) / 2, load.size() - 1})
    picture.panels.push_back(panel_of(pinched, "press", row, fmt::format("{:.1f} N", load[row])));
  if (one.has_output()) one.picture("shape", svg_text(picture));
}

}  // namespace

std::vector<CaseDefinition> ghoneimy2025_trunk_cases() {
  std::vector<CaseDefinition> cases{
      {{"ghoneimy2025",
        "trunk-fall",
        "the clamped trunk falls (figure 14); rings and slices",
        {{"tip_0.1", "m", "x and z of the tip at 0.1 s"},
         {"tip_0.2", "m", "at 0.2 s"},
         {"tip_0.3", "m", "at 0.3 s"},
         {"energy_error", "1", "largest change of the whole energy over the largest kinetic energy"},
         {"meshes", "1", "rings and slices of the study"},
         {"height_by_mesh", "m", "z of the tip at 0.3 s"},
         {"path_by_mesh", "m", "largest distance of the tip's path from that of the finest mesh"},
         {"time_by_mesh", "s", "of the computation"}}},
       trunk_fall},
      {{"ghoneimy2025",
        "elements",
        "the falling trunk of thin plates and of a cable",
        {{"coordinates", "1", "degrees of freedom: plates, cable"},
         {"time", "s", "of the computation"},
         {"tip_plates", "m", "x and z at 0.3 s"},
         {"tip_cable", "m", "the same"},
         {"path_apart", "m", "largest distance of the tips"}}},
       elements},
      {{"ghoneimy2025",
        "trunk-twist",
        "a torque at the trunk's end against the closed form of a tapered tube",
        {{"angle", "rad", "small torques on walls of 20, 10, 5 mm; reference: J = 2 pi r^3 h (1 + h^2/3r^2)"},
         {"over_thin_wall", "1", "the same over J = 2 pi r^3 h"},
         {"over_thick_wall", "1", "the same over J of a thick tube, 2 pi r^3 h (1 + h^2/4r^2)"},
         {"large_angle", "rad", "at 20 N m, wall of 20 mm"}}},
       trunk_twist},
      {{"ghoneimy2025",
        "trunk-compress",
        "an end force buckles the trunk as a column, and its wall",
        {{"column", "N", "first bifurcation, free end, wall 20 mm; reference: Euler's force of the tapered beam"},
         {"wall", "N", "first bifurcation, guided end, wall 5 mm; reference: 3/5 of the classical force of long tubes"},
         {"wall_classical", "N", "2 pi E h^2 cos^2/sqrt(3 (1 - nu^2))"},
         {"wall_pinched", "N", "limit of the trunk pinched by 0.05 N"},
         {"wall_after", "N", "what it carries at the end of the path"}}},
       trunk_compress}};
  for (const auto& more : {ghoneimy2025_bent_trunk_cases(), ghoneimy2025_steered_trunk_cases()})
    cases.insert(cases.end(), more.begin(), more.end());
  return cases;
}

}  // namespace flexura::detail
