// Ghoneimy et al. 2025: the trunk's shape as numbers and as a picture.

#include <algorithm>
#include <cmath>

#include "flexura/part/forms.hpp"
#include "flexura/report/stored_run.hpp"
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

SurfacePanel panel_of(const SceneRun& run, const std::string& analysis, size_t row, const std::string& caption) {
  SurfacePanel panel;
  panel.caption = caption;
  const auto& files = run.summary.files;
  const auto results =
      std::find_if(files.begin(), files.end(), [](const std::string& file) { return file.ends_with("results.h5"); });
  if (results == files.end()) return panel;
  const auto stored = read_stored_run(*results);
  if (!stored || !stored->scene) return panel;
  const std::uint64_t rows[] = {row};
  const auto q = stored->results.read_rows("/analysis/" + analysis + "/q", rows);
  if (q) panel.quads = plate_quads(stored->scene->models.front(), *q);
  return panel;
}

}  // namespace flexura::detail
