#include "flexura/mesh/triangle_mesh.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <set>

#include "flexura/mesh/coincident_nodes.hpp"

namespace flexura {
namespace {

using Point = std::array<double, 3>;

Point middle_of_box(const TriangleMesh& mesh) {
  Point low, high;
  low.fill(std::numeric_limits<double>::infinity());
  high.fill(-std::numeric_limits<double>::infinity());
  for (const auto& triangle : mesh.triangles)
    for (const int corner : triangle)
      for (int i = 0; i < 3; ++i) {
        low[i] = std::min(low[i], mesh.points[corner][i]);
        high[i] = std::max(high[i], mesh.points[corner][i]);
      }
  Point middle{};
  for (int i = 0; i < 3; ++i) middle[i] = low[i] + (high[i] - low[i]) / 2;
  return middle;
}

/// Moments of a solid by the divergence theorem: each triangle spans a tetrahedron with the origin, counted negative
/// where the origin lies outside. With a, b, c the corners, d = det(a, b, c), s = a + b + c:
///
///   V = Σ d/6,   ∫ x dV = Σ d/24 s,   ∫ x xᵀ dV = Σ d/120 (a aᵀ + b bᵀ + c cᵀ + s sᵀ)
struct Moments {
  double volume = 0;
  Point first{};
  std::array<Point, 3> second{};
};

Moments moments_about(const TriangleMesh& mesh, const Point& origin) {
  Moments m;
  for (const auto& triangle : mesh.triangles) {
    std::array<Point, 3> x;
    Point s{};
    for (int k = 0; k < 3; ++k)
      for (int i = 0; i < 3; ++i) {
        x[k][i] = mesh.points[triangle[k]][i] - origin[i];
        s[i] += x[k][i];
      }
    const auto& [a, b, c] = x;
    const double d =
        a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
    m.volume += d / 6;
    for (int i = 0; i < 3; ++i) {
      m.first[i] += d / 24 * s[i];
      for (int j = 0; j < 3; ++j) m.second[i][j] += d / 120 * (a[i] * a[j] + b[i] * b[j] + c[i] * c[j] + s[i] * s[j]);
    }
  }
  return m;
}

std::string written(const Point& p) { return fmt::format("({:.6g}, {:.6g}, {:.6g})", p[0], p[1], p[2]); }

using Corners = std::array<Point, 3>;

Corners corners_of(const TriangleMesh& mesh, std::size_t triangle) {
  Corners out;
  for (int k = 0; k < 3; ++k) out[k] = mesh.points[mesh.triangles[triangle][k]];
  return out;
}

double dot(const Point& a, const Point& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

Point cross(const Point& a, const Point& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

/// How often a closed surface goes around a point: the sum of the solid angles of its triangles over 4π, each by
/// tan(Ω/2) = det(a, b, c) / (abc + (a·b) c + (b·c) a + (c·a) b) [Van Oosterom and Strackee 1983].
double windings_around(const TriangleMesh& mesh, const Point& x) {
  double sum = 0;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    Corners r = corners_of(mesh, t);
    for (Point& corner : r)
      for (int i = 0; i < 3; ++i) corner[i] -= x[i];
    const auto& [a, b, c] = r;
    const double la = std::sqrt(dot(a, a)), lb = std::sqrt(dot(b, b)), lc = std::sqrt(dot(c, c));
    sum += std::atan2(dot(a, cross(b, c)), la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb);
  }
  return sum / (2 * std::acos(-1.0));
}

/// A place that the surface goes around more than once, right behind its triangles: a second skin of other triangles over the
/// first, or solids that overlap or lie in each other. Looks at a sample, which finds what is an eighth of the surface or more.
std::optional<Point> counted_twice(const TriangleMesh& mesh) {
  const std::size_t count = mesh.triangles.size();
  const std::size_t samples = std::min<std::size_t>(count, std::clamp<std::size_t>(20'000'000 / count, 8, 64));
  std::vector<Point> found;
  for (std::size_t k = 0; k < samples; ++k) {
    const auto [a, b, c] = corners_of(mesh, k * count / samples);
    Point ab, ac, x;
    for (int i = 0; i < 3; ++i) ab[i] = b[i] - a[i], ac[i] = c[i] - a[i];
    const Point normal = cross(ab, ac);
    const double twice_area = std::sqrt(dot(normal, normal));
    if (!(twice_area > 0)) continue;
    constexpr double depth = 1e-3;  // of the triangle's size
    for (int i = 0; i < 3; ++i) x[i] = (a[i] + b[i] + c[i]) / 3 - depth * normal[i] / std::sqrt(twice_area);
    if (windings_around(mesh, x) > 1.5) found.push_back(x);
  }
  if (8 * found.size() < samples || found.empty()) return std::nullopt;
  return found.front();
}

}  // namespace

void join_points(TriangleMesh& mesh) {
  constexpr double same_place = 1e-12;  // of the size; rounding of doubles leaves 1e-16 of the coordinates
  std::vector<Vec3> places;
  Vec3 low{HUGE_VAL, HUGE_VAL, HUGE_VAL}, high{-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
  for (const Point& p : mesh.points) {
    places.push_back({p[0], p[1], p[2]});
    for (int i = 0; i < 3; ++i) low[i] = std::min(low[i], p[i]), high[i] = std::max(high[i], p[i]);
  }
  if (places.empty()) return;
  std::vector<int> number(places.size());
  std::iota(number.begin(), number.end(), 0);
  for (const auto& [a, b] : coincident_nodes(places, same_place * norm(high - low))) number[b] = number[a];
  std::vector<Point> kept;
  std::vector<int> moved(number.size());
  for (size_t k = 0; k < number.size(); ++k) {
    if (number[k] == static_cast<int>(k)) {
      moved[k] = static_cast<int>(kept.size());
      kept.push_back(mesh.points[k]);
    } else {
      moved[k] = moved[number[k]];
    }
  }
  mesh.points = std::move(kept);
  for (auto& triangle : mesh.triangles)
    for (int& corner : triangle) corner = moved[corner];
}

std::string why_not_solid(const TriangleMesh& mesh) {
  if (mesh.triangles.empty()) return "has no triangles";
  // Each edge must be walked as often one way as the other.
  std::map<std::pair<int, int>, std::pair<int, int>> walks;
  for (const auto& t : mesh.triangles)
    for (int k = 0; k < 3; ++k) {
      const int from = t[k], to = t[(k + 1) % 3];
      if (from < to) ++walks[{from, to}].first;
      if (from > to) ++walks[{to, from}].second;
    }
  int open = 0, turned = 0;
  std::pair<int, int> first_open, first_turned;
  for (const auto& [edge, count] : walks) {
    if (count.first == count.second) continue;
    const bool is_open = (count.first + count.second) % 2 == 1;
    if ((is_open ? open : turned)++ == 0) (is_open ? first_open : first_turned) = edge;
  }
  const auto edge_text = [&](const std::pair<int, int>& edge) {
    return fmt::format("from {} to {}", written(mesh.points[edge.first]), written(mesh.points[edge.second]));
  };
  if (open > 0)
    return fmt::format("is not closed: {} edge{} without a second triangle, as that {}", open,
                       open == 1 ? " is" : "s are", edge_text(first_open));
  if (turned > 0)
    return fmt::format("has triangles that look to different sides: they meet at {} edge{}, as that {}", turned,
                       turned == 1 ? "" : "s", edge_text(first_turned));
  std::set<std::array<int, 3>> seen;
  int twice = 0, first_twice = 0;
  for (std::array<int, 3> t : mesh.triangles) {
    std::rotate(t.begin(), std::min_element(t.begin(), t.end()), t.end());
    if (!seen.insert(t).second && twice++ == 0) first_twice = t[0];
  }
  if (twice > 0)
    return fmt::format("covers its surface more than once: {} triangle{} given again, as one at {}", twice,
                       twice == 1 ? " is" : "s are", written(mesh.points[first_twice]));
  const Point middle = middle_of_box(mesh);
  const double volume = moments_about(mesh, middle).volume;
  double box = 0;
  for (const auto& triangle : mesh.triangles)
    for (const int corner : triangle)
      for (int i = 0; i < 3; ++i) box = std::max(box, 2 * std::fabs(mesh.points[corner][i] - middle[i]));
  if (!(std::fabs(volume) > 1e-14 * box * box * box)) return "encloses no volume";
  if (volume < 0) return "has triangles that look inward: the volume is negative";
  if (const std::optional<Point> place = counted_twice(mesh))
    return fmt::format("goes around a part of its volume more than once, as at {}: surfaces lie upon or in each other",
                       written(*place));
  return {};
}

SolidProperties solid_properties(const TriangleMesh& mesh) {
  const Point middle = middle_of_box(mesh);  // near the centre, so that few digits are lost
  const Moments m = moments_about(mesh, middle);
  SolidProperties solid;
  solid.volume = m.volume;
  Point offset{};
  for (int i = 0; i < 3; ++i) {
    offset[i] = m.first[i] / m.volume;
    solid.center[i] = middle[i] + offset[i];
  }
  const auto central = [&](int i, int j) { return m.second[i][j] - m.volume * offset[i] * offset[j]; };
  solid.inertia = {central(1, 1) + central(2, 2),
                   central(0, 0) + central(2, 2),
                   central(0, 0) + central(1, 1),
                   -central(0, 1),
                   -central(1, 2),
                   -central(0, 2)};
  return solid;
}

}  // namespace flexura
