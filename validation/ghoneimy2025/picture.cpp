// Ghoneimy et al. 2025: the trunk's shape as numbers and as a picture.

#include <algorithm>
#include <cmath>

#include "flexura/output/drawn_run.hpp"
#include "flexura/part/forms.hpp"
#include "validation/ghoneimy2025/trunk.hpp"

namespace flexura::detail {

double integral(const std::function<double(double)>& f, double end) {
  constexpr int n = 2000;  // midpoints: 1e-7 of the integrands here
  double sum = 0;
  for (int k = 0; k < n; ++k) sum += f((k + 0.5) * end / n);
  return sum * end / n;
}

std::vector<Vec3> centre_line(const SceneRun& run, const std::string& analysis, size_t row) {
  std::vector<Vec3> line;
  for (int k = 0;; ++k) {
    const auto found = run.equilibria.find({analysis, "centre_" + std::to_string(k)});
    if (found == run.equilibria.end()) break;
    const Series& s = found->second;
    line.push_back({s.x[0][row], s.x[1][row], s.x[2][row]});
  }
  if (const auto claw = run.equilibria.find({analysis, "claw"}); claw != run.equilibria.end())
    line.push_back({claw->second.x[0][row], claw->second.x[1][row], claw->second.x[2][row]});
  return line;
}

double turned(const std::vector<Vec3>& line) {
  double total = 0;
  for (size_t k = 1; k < line.size(); ++k) {
    const Vec3 d = line[k] - line[k - 1];
    const double angle = std::atan2(-d[2], d[0]);
    total += std::remainder(angle - total, 2 * std::numbers::pi);
  }
  return total;
}

std::vector<std::array<Vec3, 4>> plate_quads(const SceneModel& model, const std::vector<double>& q, int divisions) {
  std::vector<std::array<Vec3, 4>> out;
  const Topology& topology = *model.model.topology;
  const auto at = [&](const PlatePart& plate, int element, double xi, double eta) {
    const MaterialPlace place{.on = MaterialPlace::On::plate, .element = element, .xi = xi, .eta = eta};
    Triple x{};
    evaluate(plate_form(plate, place, Carried::point), topology, q, x);
    return Vec3{x[0], x[1], x[2]};
  };
  for (const PlatePart& plate : model.plates)
    for (size_t e = 0; e < plate.model.elements.size(); ++e)
      for (int i = 0; i < divisions; ++i)
        for (int j = 0; j < divisions; ++j) {
          const double n = divisions, a = i / n, b = (i + 1) / n, c = j / n, d = (j + 1) / n;
          const int element = static_cast<int>(e);
          out.push_back(
              {at(plate, element, a, c), at(plate, element, b, c), at(plate, element, b, d), at(plate, element, a, d)});
        }
  return out;
}

namespace {

/// The plates as results hold them.
std::vector<std::array<Vec3, 4>> drawn_quads(const Drawing& drawing, const std::vector<std::array<double, 3>>& slots) {
  std::vector<std::array<Vec3, 4>> out;
  for (const Drawable& plate : drawing.drawables)
    for (size_t k = 0; k + 3 < plate.quads.size(); k += 4) {
      std::array<Vec3, 4>& quad = out.emplace_back();
      for (size_t corner = 0; corner < 4; ++corner) {
        const auto x = place_of(plate.position, static_cast<int>(plate.quads[k + corner]), slots);
        quad[corner] = {x[0], x[1], x[2]};
      }
    }
  return out;
}

}  // namespace

SurfacePanel panel_of(const SceneRun& run, const std::string& analysis, size_t row, const std::string& caption) {
  SurfacePanel panel;
  panel.caption = caption;
  const auto& files = run.summary.files;
  const auto results =
      std::find_if(files.begin(), files.end(), [](const std::string& file) { return file.ends_with("results.h5"); });
  if (results == files.end()) return panel;
  const auto file = ResultsFile::open(*results);
  if (!file) return panel;
  const auto drawn = read_drawn_run(*file);
  if (!drawn) return panel;
  for (const Stretch& stretch : drawn->stretches) {
    const auto state = std::find(stretch.row.begin(), stretch.row.end(), row);
    if (drawn->analysis(stretch).name != analysis || state == stretch.row.end()) continue;
    const std::uint64_t which[] = {static_cast<std::uint64_t>(state - stretch.row.begin())};
    const auto q = read_slots(*file, *drawn, stretch, "q", which);
    if (q) panel.quads = drawn_quads(drawn->drawing(stretch), q->at(drawn->drawing(stretch), 0));
  }
  return panel;
}

}  // namespace flexura::detail
