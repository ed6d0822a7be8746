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
  one.quantity("tip_0.3", at(0.3), {finer_mesh({finest.last(0), finest.last(2)}, 2e-3)});
  one.quantity("energy_error", energy_error(run, 0), {closed_form(0.0, 1e-6)});
  one.quantity("meshes", elements);
  one.quantity("height_by_mesh", end);
  one.quantity("path_by_mesh", off);
  one.quantity("time_by_mesh", time);
  one.finding(
      fmt::format("16 rings of 12 slices are within {:.2f} mm of 24 of 16 all along the path, 8 of 8 within {:.1f} mm, "
                  "12 of 8 within {:.2f} mm. The reference at 0.3 s is that of 24 x 16.",
                  1e3 * off[3].get<double>(), 1e3 * off[0].get<double>(), 1e3 * off[1].get<double>()));
  one.plot("tip", plot);
  energy_plot(one, run);
}

void elements(Case& one) {
  one.chosen(
      "thin and full plates, 16 rings of 12 slices; full ones of the same E and nu, St. Venant-Kirchhoff, by "
      "generalized-alpha; the cable "
      "tapers, 24 elements");
  for (const char* key : {"parameters", "plate.trunk.element"}) one.varies(key);
  std::vector<std::string> of_walls = mesh(16, 12);
  of_walls.emplace_back("plate.trunk.element=full");
  of_walls.emplace_back("analysis.fall.integrator=generalized-alpha");
  const SceneRun plates = one.run("trunk-fall", mesh(16, 12)), full = one.run("trunk-fall", of_walls),
                 cable = one.run("trunk-fall-cable", {}, "cable");
  const Series &a = plates.of("tip"), &b = cable.of("tip"), &c = full.of("tip");
  double apart = 0, walls_apart = 0;
  for (size_t k = 0; k < a.t.size(); ++k) {
    apart = std::max(apart, std::hypot(a.x[0][k] - b.at(a.t[k], 0), a.x[2][k] - b.at(a.t[k], 1)));
    walls_apart = std::max(walls_apart, std::hypot(a.x[0][k] - c.at(a.t[k], 0), a.x[2][k] - c.at(a.t[k], 2)));
  }
  const auto each = [&](auto&& number) { return Json{number(plates), number(cable), number(full)}; };
  one.quantity("coordinates", each([](const SceneRun& run) { return run.summary.degrees_of_freedom; }));
  one.quantity("time", each([](const SceneRun& run) { return run.summary.integration_time; }));
  one.quantity("tip_plates", {a.last(0), a.last(2)});
  one.quantity("tip_cable", {b.last(0), b.last(1)});
  one.quantity("tip_full", {c.last(0), c.last(2)});
  one.quantity("path_apart", apart);
  one.quantity("walls_apart", walls_apart);
  one.finding(fmt::format(
      "The tips of plates and cable are up to {:.1f} mm apart in 0.3 s, {:.1f} % of the fall: the cable keeps its "
      "sections round, which the wall of the plates does not. The cable takes {:.0f} times less time. With shear "
      "across the wall and "
      "a thickness that changes (full plates) the tip is up to {:.1f} mm from that of thin plates.",
      1e3 * apart, 100 * apart / -a.last(2), plates.summary.integration_time / cable.summary.integration_time,
      1e3 * walls_apart));
  one.plot("tip", {.title = "Tip of the trunk",
                   .x_label = "x [m]",
                   .y_label = "z [m]",
                   .curves = {{"thin plates", a.x[0], a.x[2]},
                              {"full plates", c.x[0], c.x[2]},
                              {"cable", b.x[0], b.x[1], PlotCurve::Style::dashed}},
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
  Json angle = Json::array(), exact = Json::array(), thin = Json::array(), shell = Json::array();
  for (const double h : {0.02, 0.01, 0.005}) {
    const double torque = 0.05 * h;
    const SceneRun run =
        one.run("trunk-twist", {fmt::format("parameters.wall={}", h), fmt::format("parameters.torque={}", torque)});
    angle.push_back(twist_of(run).back());
    exact.push_back(closed_twist(torque, h, 0.25));
    thin.push_back(angle.back().get<double>() / closed_twist(torque, h, 0));
    shell.push_back(angle.back().get<double>() / closed_twist(torque, h, 1.0 / 3));
  }
  one.quantity("angle", angle,
               {closed_form(exact, 0, 5e-3)
                    .because("a thin shell's twisting stiffness is too great by h^2/12r^2: its "
                             "wall of 20 mm is half as thick as the tip's radius")});
  one.quantity("over_thin_wall", thin);
  one.quantity("over_koiter_shell", shell);
  const SceneRun large = one.run("trunk-twist", {}, "");
  const std::vector<double> turned = twist_of(large);
  const Series& top = large.of("twist", "top");
  std::vector<double> torque, linear;
  for (const double f : top.t) {
    torque.push_back(20 * f);
    linear.push_back(closed_twist(20 * f, 0.02, 0.25));
  }
  one.quantity("large_angle", turned.back());
  const auto over = [&](int k) { return angle[k].get<double>() / exact[k].get<double>(); };
  one.finding(fmt::format(
      "Walls of 20, 10 and 5 mm twist by {:.4f}, {:.4f} and {:.4f} times what a tapered tube does, J = 2 pi r^3 h (1 + "
      "h^2/4r^2). A Koiter shell has 1 + h^2/3r^2: {:.4f}, {:.4f} and {:.4f} of that. At 20 N m the tip has turned by "
      "{:.0f} deg, {:.0f} % more than in proportion: the end ring narrows.",
      over(0), over(1), over(2), shell[0].get<double>(), shell[1].get<double>(), shell[2].get<double>(),
      turned.back() * 180 / std::numbers::pi, 100 * (turned.back() / linear.back() - 1)));
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

/// Lowest force on a clamped tapered column whose other end is free: (EI θ')' + P θ/(1 − P/k G A) = 0, θ(0) = 0, θ'(L) = 0
/// [Engesser 1891], by shooting. Of a tube A = 2πrh and I = πr³h (1 + h²/4r²); without shear (Euler) k = ∞.
double column_force(double h, bool shears) {
  const double k = 2 * (1 + trunk_poisson) / (4 + 3 * trunk_poisson);  // thin tube [Cowper 1966]
  const auto end_moment = [&](double P) {
    constexpr int steps = 400;
    const double ds = trunk_length / steps;
    double angle = 0, moment = 1;
    const auto rates = [&](double s, double a, double m) {
      const double r = trunk_radius(s), area = 2 * std::numbers::pi * r * h;
      const double EI = trunk_modulus * area * r * r / 2 * (1 + h * h / (4 * r * r));
      return std::pair{m / EI, -P * a / (shears ? 1 - P / (k * trunk_shear * area) : 1)};
    };
    for (int i = 0; i < steps; ++i) {  // midpoint rule: 1e-5 of the force
      const double s = i * ds;
      const auto [a1, m1] = rates(s, angle, moment);
      const auto [a2, m2] = rates(s + ds / 2, angle + ds / 2 * a1, moment + ds / 2 * m1);
      angle += ds * a2;
      moment += ds * m2;
    }
    return moment;
  };
  return bisect(1, 150, 1e-4, end_moment);
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
  const double force = 90 * first_critical(column), euler = column_force(0.02, false),
               timoshenko = column_force(0.02, true);
  one.quantity("column", force, {closed_form(timoshenko, 0, 0.03)});
  one.quantity("column_over_euler", force / euler);
  const double h = 0.005, slant = 1 / (1 + 0.08 * 0.08);  // cos² of the wall's angle to the axis
  const double classical =
      2 * std::numbers::pi * trunk_modulus * h * h * slant / std::sqrt(3 * (1 - trunk_poisson * trunk_poisson));
  std::vector<std::string> set = mesh(24, 12);
  set.insert(set.end(), {"parameters.wall=0.005", "parameters.force=75"});
  const SceneRun perfect = one.run("trunk-compress-guided", set);
  const double first = 75 * first_critical(perfect);
  std::vector<std::string> finer = mesh(32, 16);
  finer.insert(finer.end(), {"parameters.wall=0.005", "parameters.force=75"});
  const double on_finer = 75 * first_critical(one.run("trunk-compress-guided", finer));
  one.quantity("wall", first,
               {closed_form(0.6 * classical, 0, 0.05)
                    .because("3/5 is that of long tubes in two waves; the ends hold this one round"),
                finer_mesh(on_finer, 0.02 * on_finer)});
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
      "Free, the trunk of 20 mm wall buckles as a column at {:.1f} N; a tapered beam that shears does at {:.1f} N, one "
      "that does not (Euler) at {:.1f} N. Guided, with a wall of 5 mm, it flattens in two waves around at {:.1f} N "
      "({:.1f} N on 32 x 16 elements): long tubes do so at 3/5 (Southwell, {:.1f} N) of the classical "
      "E h^2 2 pi/sqrt(3 (1 - nu^2)), {:.1f} N, and the ends hold this one round. Pinched by 0.05 N the limit is "
      "{:.1f} N, and the trunk carries less than half of it afterwards.",
      force, timoshenko, euler, first, on_finer, 0.6 * classical, classical, 75 * most));
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
        "the falling trunk of thin plates, of a cable and of full plates",
        {{"coordinates", "1", "degrees of freedom: thin plates, cable, full plates"},
         {"time", "s", "of the computation"},
         {"tip_plates", "m", "x and z at 0.3 s"},
         {"tip_cable", "m", "the same"},
         {"tip_full", "m", "the same of full plates"},
         {"path_apart", "m", "largest distance of the tips of thin plates and cable"},
         {"walls_apart", "m", "of thin and full plates"}}},
       elements},
      {{"ghoneimy2025",
        "trunk-twist",
        "a torque at the trunk's end against the closed form of a tapered tube",
        {{"angle", "rad", "small torques on walls of 20, 10, 5 mm; closed form: J = 2 pi r^3 h (1 + h^2/4r^2)"},
         {"over_thin_wall", "1", "the same over J = 2 pi r^3 h"},
         {"over_koiter_shell", "1", "the same over J of a thin shell, 2 pi r^3 h (1 + h^2/3r^2)"},
         {"large_angle", "rad", "at 20 N m, wall of 20 mm"}}},
       trunk_twist},
      {{"ghoneimy2025",
        "trunk-compress",
        "an end force buckles the trunk as a column, and its wall",
        {{"column", "N", "first bifurcation, free end, wall 20 mm; closed form: a tapered beam that shears"},
         {"column_over_euler", "1", "the same over the force of a beam that does not shear"},
         {"wall", "N",
          "first bifurcation, guided end, wall 5 mm; closed form: 3/5 of the classical force, of long tubes; finer: 32 "
          "x 16 elements"},
         {"wall_classical", "N", "2 pi E h^2 cos^2/sqrt(3 (1 - nu^2))"},
         {"wall_pinched", "N", "limit of the trunk pinched by 0.05 N"},
         {"wall_after", "N", "what it carries at the end of the path"}}},
       trunk_compress}};
  for (const auto& more : {ghoneimy2025_bent_trunk_cases(), ghoneimy2025_steered_trunk_cases()})
    cases.insert(cases.end(), more.begin(), more.end());
  return cases;
}

}  // namespace flexura::detail
