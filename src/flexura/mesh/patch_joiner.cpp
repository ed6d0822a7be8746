#include "flexura/mesh/patch_joiner.hpp"

namespace flexura::detail {

void PatchJoiner::add(const Patch& patch) {
  std::vector<int> number(points(patch), -1);
  for (int i = 0; i < patch.n[0]; ++i)
    for (int j = 0; j < patch.n[1]; ++j)
      for (int k = 0; k < patch.n[2]; ++k)
        if (!patch.has || patch.has(i, j, k))
          info_.is_simplex ? add_tetrahedra(patch, {2 * i, 2 * j, 2 * k}, number)
                           : add_hexahedron(patch, {2 * i, 2 * j, 2 * k}, number);
}

void PatchJoiner::add_hexahedron(const Patch& patch, const Point& corner, std::vector<int>& number) {
  SolidCell element{kind_, {}};
  for (int a = 0; a < info_.nodes; ++a) {
    Point p;
    for (int i = 0; i < 3; ++i) p[i] = corner[i] + static_cast<int>(2 * info_.places[a][i]);
    element.nodes[a] = node(patch, p, number);
  }
  mesh_.elements.push_back(element);
}

void PatchJoiner::add_tetrahedra(const Patch& patch, const Point& corner, std::vector<int>& number) {
  constexpr int orders[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
  for (int o = 0; o < 6; ++o) {
    Point corners[4] = {corner, corner, corner, corner};
    for (int c = 1; c < 4; ++c) {
      corners[c] = corners[c - 1];
      corners[c][orders[o][c - 1]] += 2;
    }
    if (o >= 3) std::swap(corners[1], corners[2]);  // right-handed
    SolidCell element{kind_, {}};
    for (int a = 0; a < info_.nodes; ++a) {
      const std::array<double, 3>& x = info_.places[a];
      const double share[4] = {1 - x[0] - x[1] - x[2], x[0], x[1], x[2]};
      Point p;
      for (int i = 0; i < 3; ++i) {
        double sum = 0;
        for (int c = 0; c < 4; ++c) sum += share[c] * corners[c][i];
        p[i] = static_cast<int>(std::lround(sum));
      }
      element.nodes[a] = node(patch, p, number);
    }
    mesh_.elements.push_back(element);
  }
}

int PatchJoiner::node(const Patch& patch, const Point& p, std::vector<int>& number) {
  const size_t place =
      (static_cast<size_t>(p[0]) * (2 * patch.n[1] + 1) + p[1]) * (2 * static_cast<size_t>(patch.n[2]) + 1) + p[2];
  if (number[place] < 0) number[place] = node_at(patch.at(p[0], p[1], p[2]));
  return number[place];
}

int PatchJoiner::node_at(const Vec3& r) {
  std::int64_t cell[3];
  for (int i = 0; i < 3; ++i) cell[i] = std::llround(r[i] / grain_);
  for (int dx = -1; dx <= 1; ++dx)
    for (int dy = -1; dy <= 1; ++dy)
      for (int dz = -1; dz <= 1; ++dz) {
        const auto found = known_.find(key(cell[0] + dx, cell[1] + dy, cell[2] + dz));
        if (found != known_.end() && norm(mesh_.nodes[found->second] - r) < grain_) return found->second;
      }
  const int number = static_cast<int>(mesh_.nodes.size());
  known_.emplace(key(cell[0], cell[1], cell[2]), number);
  mesh_.nodes.push_back(r);
  return number;
}

std::vector<double> with_middles(const std::vector<double>& lines) {
  std::vector<double> out;
  for (size_t k = 0; k + 1 < lines.size(); ++k) {
    out.push_back(lines[k]);
    out.push_back(0.5 * (lines[k] + lines[k + 1]));
  }
  out.push_back(lines.back());
  return out;
}

void check_count(ParameterCheck& check, double cells, SolidKind kind) {
  const double each = cell_info(kind).is_simplex ? 6 : 1;
  check.require(cells * each <= most_solid_elements, "elements", "make more than a million elements");
}
void check_grading(ParameterCheck& check, const Grading& grading) {
  if (!(grading.ratio > 0) || !std::isfinite(grading.ratio)) check.require(false, "grading", "must be above 0");
}

}  // namespace flexura::detail
