// Ghoneimy et al. 2025: the trunk under bending moments, from a beam to a coil, and its collapse where nothing holds it open.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "validation/ghoneimy2025/trunk.hpp"

namespace flexura::detail {
namespace {

const char* const chosen_moments =
    "moments on the mean rotation of rings: forces linear across the ring; moments on its nodes would dent the wall";

/// Rows of an analysis.
size_t rows_of(const SceneRun& run, const std::string& analysis) { return run.of(analysis, "centre_0").t.size(); }

SurfacePicture shapes_of(const std::string& title, const SceneRun& run, const std::string& analysis,
                         const std::vector<size_t>& rows) {
  SurfacePicture picture{.title = title, .from = {0.15, -1, 0.2}};
  for (const size_t row : rows) {
    const double factor = run.of(analysis, "centre_0").t[row];
    const double angle = turned(centre_line(run, analysis, row)) / degree;
    picture.panels.push_back(
        panel_of(run, analysis, row, fmt::format("{:.0f} % of the moments, {:.0f} deg", 100 * factor, angle)));
  }
  return picture;
}

/// Stops behind the limit, where the load is down to a share of the most, or some steps later: a path that has buckled in many
/// places goes on for long.
std::function<bool(const SensorSample&)> behind_limit(double& most, double share) {
  return [&most, share, since = 0, at = -1.0](const SensorSample& s) mutable {
    if (s.at != at) ++since;
    at = s.at;
    if (s.at > most) since = 0;
    most = std::max(most, s.at);
    return s.at < share * most || since > 25;
  };
}

void trunk_bend(Case& one) {
  one.chosen(chosen_moments);
  one.chosen(
      "six rings; M = E pi r^2 h strain between them, an even strain of 0.045 at the wall; 24 rings of 12 slices");
  one.varies("parameters");
  // Piecewise even moments: what the six rings add up to.
  const auto moment = [](double strain, double s) {
    double M = 0;
    for (int k = 1; k <= 6; ++k) {
      const auto even = [&](double x) {
        return trunk_modulus * std::numbers::pi * trunk_radius(x) * trunk_radius(x) * 0.02 * strain;
      };
      const double at = 0.25 * k;
      if (s < at) M += even(at - 0.125) - (k < 6 ? even(at + 0.125) : 0);
    }
    return M;
  };
  const auto drop = [&](double strain) {
    return integral([&](double s) {
      const double r = trunk_radius(s);
      return moment(strain, s) * (trunk_length - s) / (trunk_modulus * std::numbers::pi * r * r * r * 0.02);
    });
  };
  const SceneRun small = one.run("trunk-bend", {"parameters.strain=1e-5"});
  const double beam = drop(1e-5), tip = -small.of("bend", "centre_12").last(2);
  one.quantity("small_drop_over_beam", tip / beam, {closed_form(1.0, 0.03)});
  Json meshes = Json::array(), ratio = Json::array();
  for (const auto& [along, around] : {std::pair{12, 8}, {12, 12}, {24, 16}}) {
    const SceneRun other = one.run("trunk-bend", {"parameters.strain=1e-5", fmt::format("parameters.along={}", along),
                                                  fmt::format("parameters.around={}", around)});
    meshes.push_back({along, around});
    ratio.push_back(-other.of("bend", "centre_12").last(2) / beam);
  }
  one.quantity("meshes", meshes);
  one.quantity("ratio_by_mesh", ratio);
  const SceneRun run = one.run("trunk-bend", {}, "");
  const size_t count = rows_of(run, "bend");
  std::vector<double> factor, angle, straight;
  for (size_t row = 0; row < count; ++row) {
    factor.push_back(run.of("bend", "centre_0").t[row]);
    angle.push_back(turned(centre_line(run, "bend", row)) / degree);
    straight.push_back(factor.back() * angle[1] / factor[1]);
  }
  const std::vector<Vec3> line = centre_line(run, "bend", count - 1);
  one.quantity("tip", {line.back()[0], line.back()[2]});
  one.quantity("angle", angle.back());
  one.finding(fmt::format(
      "Small moments move the tip by {:.1f} % less than the tapered beam of a thin wall says, as the wall's "
      "own stiffness and the round base do. At an even strain of 0.045 the tip has turned by {:.0f} deg, "
      "{:.0f} % more than in proportion: the tube flattens.",
      100 * (1 - tip / beam), angle.back(), 100 * (angle.back() / straight.back() - 1)));
  one.plot("angle", {.title = "Angle of the tip",
                     .x_label = "share of the moments",
                     .y_label = "angle [deg]",
                     .curves = {{"trunk", factor, angle, PlotCurve::Style::line_and_markers},
                                {"in proportion", factor, straight, PlotCurve::Style::dashed}}});
  if (one.has_output())
    one.picture("shape", svg_text(shapes_of("Trunk bent by moments", run, "bend", {0, count / 2, count - 1})));
}

void trunk_coil(Case& one) {
  one.chosen(chosen_moments);
  one.chosen(
      "wall: 50 times as stiff around as along, 0.35 of the radius on average, thick below and thin above (1 -+ "
      "0.7), a rigid finger at the tip; 24 rings of 12 slices");
  one.chosen("up to 0.6 of the radius below, more than a thin shell has: the program warns of it");
  one.varies("parameters");
  const SceneRun run = one.run("trunk-coil", {}, "");
  const size_t count = rows_of(run, "coil");
  std::vector<double> factor, angle;
  for (size_t row = 0; row < count; ++row) {
    factor.push_back(run.of("coil", "centre_0").t[row]);
    angle.push_back(turned(centre_line(run, "coil", row)) / degree);
  }
  std::vector<Vec3> line = centre_line(run, "coil", count - 1);
  line.pop_back();  // the claw
  double length = 0;
  for (size_t k = 1; k < line.size(); ++k) length += norm(line[k] - line[k - 1]);
  one.quantity("tip", {line.back()[0], line.back()[2]});
  one.quantity("stretch", length / trunk_length);
  Json meshes = Json::array(), by_mesh = Json::array();
  double share_finest = 0;
  for (const auto& [along, around] : {std::pair{24, 8}, {24, 12}, {24, 16}, {48, 12}}) {
    meshes.push_back({along, around});
    if (along == 24 && around == 12) {
      by_mesh.push_back(angle.back());
      continue;
    }
    double most = 0;
    const SceneRun other =
        one.run("trunk-coil", {fmt::format("parameters.along={}", along), fmt::format("parameters.around={}", around)},
                "-", behind_limit(most, 0.97));
    const std::vector<double>& f = other.of("coil", "centre_0").t;
    share_finest = *std::max_element(f.begin(), f.end());
    by_mesh.push_back(turned(centre_line(other, "coil", std::max_element(f.begin(), f.end()) - f.begin())) / degree);
  }
  const double on_finest = by_mesh.back();
  const std::string before = fmt::format("48 rings give way at {:.0f} % of the moments", 100 * share_finest);
  one.quantity("angle", angle.back(), {finer_mesh(on_finest, 0.02 * on_finest).because(before)});
  one.quantity("turns", angle.back() / 360, {paper_at_least(1.0)});
  one.quantity("turns_finest", on_finest / 360, {paper_at_least(1.0).because(before)});
  one.quantity("meshes", meshes);
  one.quantity("angle_by_mesh", by_mesh);
  one.finding(fmt::format(
      "The tip's direction turns by {:.0f} deg, counted along the trunk, and every load step on the way is a stable "
      "equilibrium; on 48 rings it gives way at {:.0f} % of the moments, {:.0f} deg. Without the stiffening around, or "
      "with a wall as thick above as below, the linear material "
      "collapses or crumples on the inside of the bend between 170 and 300 deg (trunk-collapse).",
      angle.back(), 100 * share_finest, on_finest));
  one.plot("angle", {.title = "Angle of the tip",
                     .x_label = "share of the moments",
                     .y_label = "angle [deg]",
                     .curves = {{"trunk", factor, angle, PlotCurve::Style::line_and_markers},
                                {"one turn", {0, 1}, {360, 360}, PlotCurve::Style::dashed}}});
  const auto row_at = [&](double degrees) {
    return static_cast<size_t>(std::lower_bound(angle.begin(), angle.end(), degrees) - angle.begin());
  };
  if (one.has_output())
    one.picture("shape", svg_text(shapes_of("Trunk that coils", run, "coil",
                                            {row_at(90), row_at(180), row_at(270), count - 1})));
}

/// Distance of two points of a run in a row.
double distance(const SceneRun& run, const std::string& a, const std::string& b, size_t row) {
  const Series &x = run.of("bend", a), &y = run.of("bend", b);
  return std::hypot(x.x[0][row] - y.x[0][row], x.x[1][row] - y.x[1][row], x.x[2][row] - y.x[2][row]);
}

/// A value of the path at the moment's limit: of the parabola through the three rows about the greatest, over the angle. The moment
/// stands there; what else is read goes on, and would be off by half a step of the path.
double at_greatest(const std::vector<double>& moment, const std::vector<double>& angle,
                   const std::vector<double>& value, size_t row) {
  if (row == 0 || row + 1 >= moment.size()) return value[row];
  const double a = angle[row - 1] - angle[row], b = angle[row + 1] - angle[row];
  const auto coefficients = [&](const std::vector<double>& y) {
    const double da = (y[row - 1] - y[row]) / a, db = (y[row + 1] - y[row]) / b, second = (db - da) / (b - a);
    return std::pair(da - second * a, second);
  };
  const auto [slope, second] = coefficients(moment);
  const double to = -0.5 * slope / second;
  const auto [first_of, second_of] = coefficients(value);
  return value[row] + to * (first_of + second_of * to);
}

void trunk_collapse(Case& one) {
  one.chosen(chosen_moments);
  one.chosen("12 rings on the trunk, wall 20 mm, 24 rings of 12 slices; even tube: 20 radii long, wall r/10, 24 x 12");
  one.varies("parameters");
  double most = 0;
  const SceneRun tube = one.run("tube-collapse", {}, "tube", behind_limit(most, 0.6));
  const Series& end = tube.of("bend", "end");
  std::vector<double> moment, angle, height;
  for (size_t row = 0; row < end.t.size(); ++row) {
    moment.push_back(1.1 * end.t[row]);
    angle.push_back(2 * std::atan2(end.x[4][row], end.x[6][row]));
    height.push_back(distance(tube, "top", "bottom", row) / 0.2);
  }
  const size_t limit = std::max_element(moment.begin(), moment.end()) - moment.begin();
  one.quantity("tube_moment", moment[limit], {closed_form(1.0, 0.05)});
  const double limit_height = at_greatest(moment, angle, height, limit);
  one.quantity("tube_height", limit_height, {closed_form(7.0 / 9, 0.02)});
  double trunk_most = 0;
  const SceneRun trunk = one.run("trunk-collapse", {}, "", behind_limit(trunk_most, 0.6));
  const size_t count = rows_of(trunk, "bend");
  std::vector<double> share, turn;
  for (size_t row = 0; row < count; ++row) {
    share.push_back(1.2 * trunk.of("bend", "centre_0").t[row]);
    turn.push_back(turned(centre_line(trunk, "bend", row)));
  }
  const size_t peak = std::max_element(share.begin(), share.end()) - share.begin();
  one.quantity("trunk_moment", share[peak]);
  one.quantity("trunk_angle", turn[peak]);
  Json ring = Json::array();
  std::vector<double> places, at_limit, after;
  for (int k = 0; k < 12; ++k) {
    const double s = (k + 0.5) / 12 * trunk_length, width = 2 * trunk_radius(s);
    const std::string top = fmt::format("top_{}", k), bottom = fmt::format("bottom_{}", k);
    places.push_back(s);
    at_limit.push_back(distance(trunk, top, bottom, peak) / width);
    after.push_back(distance(trunk, top, bottom, count - 1) / width);
    ring.push_back(at_limit.back());
  }
  one.quantity("trunk_heights", ring);
  one.finding(fmt::format(
      "The even tube flattens to {:.3f} of its height and gives way at {:.3f} of Brazier's moment, who says 7/9 and 1. "
      "The plain trunk, with moments that bring all of its sections to their limit together, gives way at {:.2f} of "
      "them, "
      "its tip turned by {:.2f} rad (2.32 rad if all sections were at Brazier's curvature), and kinks.",
      limit_height, moment[limit], share[peak], turn[peak]));
  one.plot("moment", {.title = "Moments",
                      .x_label = "angle of the end [rad]",
                      .y_label = "moment over Brazier's",
                      .curves = {{"even tube", angle, moment}, {"trunk", turn, share}}});
  one.plot("height", {.title = "Height of the trunk's sections",
                      .x_label = "along the trunk [m]",
                      .y_label = "height over width of the round section",
                      .curves = {{"at the limit", places, at_limit, PlotCurve::Style::line_and_markers},
                                 {"behind it", places, after, PlotCurve::Style::line_and_markers}}});
  if (one.has_output()) {
    one.picture("shape",
                svg_text(shapes_of("Plain trunk", trunk, "bend", {peak / 2, peak, (peak + count) / 2, count - 1})));
    SurfacePicture picture{.title = "Even tube", .from = {0.15, -1, 0.2}, .columns = 2};
    picture.panel_width = 480;
    for (const size_t row : {limit, moment.size() - 1})
      picture.panels.push_back(
          panel_of(tube, "bend", row, fmt::format("{:.2f} of Brazier's moment, {:.2f} rad", moment[row], angle[row])));
    one.picture("tube", svg_text(picture));
  }
}

}  // namespace

std::vector<CaseDefinition> ghoneimy2025_bent_trunk_cases() {
  return {
      {{"ghoneimy2025",
        "trunk-bend",
        "bending moments along the trunk (figure 15)",
        {{"small_drop_over_beam", "1", "drop of the tip under small moments over that of a thin-walled beam"},
         {"meshes", "1", "rings and slices"},
         {"ratio_by_mesh", "1", "the same on these"},
         {"tip", "m", "x and z of the tip under all moments"},
         {"angle", "deg", "of the tip's direction"}}},
       trunk_bend},
      {{"ghoneimy2025",
        "trunk-coil",
        "moments coil the trunk by more than one turn (figure 16)",
        {{"angle", "deg", "of the tip's direction, counted on along the trunk"},
         {"turns", "1", "angle over 360 deg; the paper shows more than one"},
         {"turns_finest", "1", "the same on 48 rings of 12 slices"},
         {"tip", "m", "x and z"},
         {"stretch", "1", "length of the centre line over that of the reference"},
         {"meshes", "1", "rings and slices"},
         {"angle_by_mesh", "deg", "on these"}}},
       trunk_coil},
      {{"ghoneimy2025",
        "trunk-collapse",
        "the plain trunk collapses (Brazier)",
        {{"tube_moment", "1", "limit of an even tube over 2 sqrt(2)/9 pi E r h^2/sqrt(1 - nu^2)"},
         {"tube_height", "1", "its height there over its diameter"},
         {"trunk_moment", "1", "limit of the trunk over the moments at which each section would collapse by itself"},
         {"trunk_angle", "rad", "of its tip there"},
         {"trunk_heights", "1", "of its sections there, from the base on"}}},
       trunk_collapse}};
}

}  // namespace flexura::detail
