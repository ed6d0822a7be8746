// Ghoneimy et al. 2025: the trunk steered by inputs: postures by inverse statics, and all that the tip reaches.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "flexura/math/convex_hull.hpp"
#include "flexura/study/inverse_statics.hpp"
#include "validation/ghoneimy2025/trunk.hpp"

namespace flexura::detail {
namespace {

const char* const chosen_inputs =
    "five inputs: moments that curl each quarter of the trunk, and bend the first one sideways; 1 strains the wall by "
    "0.3. Wall as in trunk-coil, 1 -+ 0.5 below and above; 12 rings of 8 slices";

/// What the tip shall do.
struct Posture {
  const char* name;
  double x, z;      ///< of the finger [m]
  double down;      ///< direction that it points in, from +X downwards [deg]
  double start[4];  ///< inputs to begin with: they choose how often the trunk turns
};

const std::vector<Posture>& postures_of_the_paper() {
  static const std::vector<Posture> all{{"manipulate", 1.27, -0.64, -10, {0.5, 0.55, -0.2, -0.35}},
                                        {"pick", 0.85, -1.08, 80, {0.85, 0.5, 0.1, 0.1}},
                                        {"eat", 0.0, -0.33, 290, {1.12, 1.15, 1.05, 0.85}},
                                        {"grip", 0.6, -0.42, 220, {-0.1, 0.6, 1.05, 1.0}}};
  return all;
}

std::vector<Vec3> centre_of(SteeredStatics& trunk) {
  std::vector<Vec3> line;
  for (int k = 0; k <= 12; ++k) {
    const std::vector<double> x = trunk.read(fmt::format("centre_{}", k));
    line.push_back({x[0], x[1], x[2]});
  }
  const std::vector<double> claw = trunk.read("claw");
  line.push_back({claw[0], claw[1], claw[2]});
  return line;
}

void postures(Case& one) {
  one.chosen(chosen_inputs);
  one.chosen("targets: place and direction of the tip, in the plane; the paper shows pictures only");
  SteeredStatics trunk(one.document("trunk-steered"), one.threads());
  Json inputs = Json::array(), tips = Json::array(), directions = Json::array(), wanted = Json::array(),
       misses = Json::array(), missed = Json::array(), sought = Json::array(), curls = Json::array();
  SurfacePicture picture{.title = "Postures", .note = "dot and line: target", .from = {0.15, -1, 0.2}};
  for (const Posture& posture : postures_of_the_paper()) {
    trunk.restart();
    const long before = trunk.equilibria();
    const double c = std::cos(posture.down * degree), s = std::sin(posture.down * degree);
    std::vector<SteeredInput> free;
    for (int k = 0; k < 4; ++k)
      free.push_back({.name = fmt::format("curl_{}", k + 1), .start = posture.start[k], .low = -0.6, .high = 1.3});
    const InverseStaticsReport found =
        inverse_statics(trunk, free,
                        {{.sensor = "tip", .component = 0, .value = posture.x},
                         {.sensor = "tip", .component = 2, .value = posture.z},
                         {.sensor = "claw", .component = 0, .value = posture.x + 0.1 * c},
                         {.sensor = "claw", .component = 2, .value = posture.z - 0.1 * s}},
                        {.tolerance = 1e-4});
    const std::vector<double> tip = trunk.read("tip"), claw = trunk.read("claw");
    inputs.push_back(found.inputs);
    tips.push_back({tip[0], tip[2]});
    wanted.push_back({posture.x, posture.z});
    directions.push_back(std::atan2(tip[2] - claw[2], claw[0] - tip[0]) / degree);
    curls.push_back(turned(centre_of(trunk)) / degree);
    misses.push_back(found.miss);
    missed.push_back(0.0);
    sought.push_back(trunk.equilibria() - before);
    SurfacePanel panel;
    panel.caption = fmt::format("{}: {:.0f} deg", posture.name, curls.back().get<double>());
    panel.quads = plate_quads(trunk.model(), trunk.state().q, 3);
    panel.points = {{posture.x, 0, posture.z}};
    panel.lines = {{{posture.x, 0, posture.z}, {posture.x + 0.15 * c, 0, posture.z - 0.15 * s}}};
    picture.panels.push_back(std::move(panel));
  }
  one.quantity("tip", tips, {closed_form(wanted, 1e-4)});
  one.quantity("miss", misses, {closed_form(missed, 1e-4)});
  one.quantity("direction", directions);
  one.quantity("turned", curls);
  one.quantity("inputs", inputs);
  one.quantity("equilibria", sought);
  one.finding(
      "Manipulate, pick, eat and grip are found from the place and direction of the tip, with one input more than "
      "that takes; where several postures end in the same pose, the inputs to start from choose.");
  one.picture("shapes", svg_text(picture));
}

/// Van der Corput's sequence of a base: the digits of k mirrored at the point [Halton 1960].
double halton(int k, int base) {
  double out = 0, share = 1;
  for (; k > 0; k /= base) {
    share /= base;
    out += share * (k % base);
  }
  return out;
}

void reachability(Case& one) {
  one.chosen(chosen_inputs);
  one.chosen(
      "200 samples of four inputs: curl_1 and curl_2 from -0.5 to 1, curl_3 = curl_4 from -0.5 to 1, side from -0.6 to "
      "0.6");
  SteeredStatics trunk(one.document("trunk-steered"), one.threads());
  const int samples = 200;
  std::vector<Vec3> tips;
  int lost = 0;
  std::vector<double> by_count, counts;
  for (int k = 1; k <= samples; ++k) {
    const auto between = [&](int base, double low, double high) { return low + (high - low) * halton(k, base); };
    const double tip_curl = between(5, -0.5, 1);
    const std::vector<double> wanted{between(2, -0.5, 1), between(3, -0.5, 1), tip_curl, tip_curl,
                                     between(7, -0.6, 0.6)};
    std::vector<double> to = trunk.values();
    const char* const names[] = {"curl_1", "curl_2", "curl_3", "curl_4", "side"};
    for (int i = 0; i < 5; ++i)
      to[std::find(trunk.inputs().begin(), trunk.inputs().end(), names[i]) - trunk.inputs().begin()] = wanted[i];
    trunk.restart();  // so that a sample does not depend on those before
    if (!trunk.move_to(to)) {
      ++lost;
      continue;
    }
    const std::vector<double> tip = trunk.read("tip");
    tips.push_back({tip[0], tip[1], tip[2]});
    if (k % 25 == 0) {
      counts.push_back(k);
      by_count.push_back(convex_hull_volume(tips));
    }
  }
  // The cubes that hold a tip: a cloud with hollows has less volume than its hull.
  const double edge = 0.15;
  std::set<std::array<int, 3>> cubes;
  for (const Vec3& tip : tips) {
    std::array<int, 3> cube{};
    for (int i = 0; i < 3; ++i) cube[i] = static_cast<int>(std::floor(tip[i] / edge));
    cubes.insert(cube);
  }
  Vec3 low = tips.front(), high = tips.front();
  for (const Vec3& tip : tips)
    for (int i = 0; i < 3; ++i) {
      low[i] = std::min(low[i], tip[i]);
      high[i] = std::max(high[i], tip[i]);
    }
  one.quantity("samples", static_cast<int>(tips.size()));
  one.quantity("not_found", lost);
  one.quantity("hull_volume", by_count.empty() ? 0.0 : by_count.back());
  one.quantity("hull_by_samples", by_count);
  one.quantity("cube_volume", static_cast<double>(cubes.size()) * edge * edge * edge);
  one.quantity("lowest", {low[0], low[1], low[2]});
  one.quantity("highest", {high[0], high[1], high[2]});
  const double sphere = 4 * std::numbers::pi / 3 * std::pow(trunk_length, 3);
  one.finding(
      fmt::format("The tip reaches a cloud of {:.2f} m^3 by its convex hull, {:.0f} % of the sphere of the trunk's "
                  "length; cubes of "
                  "{:g} m that hold a sample fill {:.2f} m^3: the cloud is a bent sheet of some thickness, and few "
                  "samples thin it. "
                  "{} of {} samples have no stable equilibrium on the straight way from rest.",
                  by_count.back(), 100 * by_count.back() / sphere, edge,
                  static_cast<double>(cubes.size()) * edge * edge * edge, lost, samples));
  trunk.restart();
  const auto rest = plate_quads(trunk.model(), trunk.state().q, 2);
  const std::pair<const char*, Vec3> views[] = {
      {"from the side", {0, -1, 0}}, {"from the front", {1, 0, 0}}, {"from above", {0, 0, 1}}};
  for (const auto& [name, from] : views) {
    SurfacePicture view{.title = "", .from = from, .columns = 1};
    if (from[2] > 0) view.up = {0, 1, 0};
    view.panels = {{fmt::format("Where the tip gets, {}", name), rest, {}, tips}};
    view.panel_width = view.panel_height = 520;
    view.point_radius = 2.2;
    one.picture(name[5] == 't' ? (from[0] > 0 ? "front" : "side") : "above", svg_text(view));
  }
}

}  // namespace

std::vector<CaseDefinition> ghoneimy2025_steered_trunk_cases() {
  return {{{"ghoneimy2025",
            "postures",
            "manipulate, pick, eat, grip (figure 18), by inverse statics",
            {{"tip", "m", "x and z of the tip; reference: the target"},
             {"miss", "m", "root of the sum of squares of what place and direction miss"},
             {"direction", "deg", "of the tip, from +X downwards"},
             {"turned", "deg", "by the tip's direction, counted on along the trunk"},
             {"inputs", "1", "curl_1 to curl_4"},
             {"equilibria", "1", "that were sought"}}},
           postures},
          {{"ghoneimy2025",
            "reachability",
            "all that the tip reaches (section 2)",
            {{"samples", "1", "equilibria found"},
             {"not_found", "1", "samples without"},
             {"hull_volume", "m^3", "of the convex hull of the tips"},
             {"hull_by_samples", "m^3", "after 25, 50, ... samples"},
             {"cube_volume", "m^3", "of the cubes of 0.15 m that hold a tip"},
             {"lowest", "m", "least x, y, z"},
             {"highest", "m", "greatest x, y, z"}}},
           reachability}};
}

}  // namespace flexura::detail
