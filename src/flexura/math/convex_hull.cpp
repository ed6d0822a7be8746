#include "flexura/math/convex_hull.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <utility>

namespace flexura {
namespace {

using Point = Vec<3, double>;

/// Six times the signed volume of the tetrahedron a b c d, above zero where d is on the side that a b c turns left to.
double volume6(const Point& a, const Point& b, const Point& c, const Point& d) {
  const Point u = b - a, v = c - a, w = d - a;
  return u[0] * (v[1] * w[2] - v[2] * w[1]) - u[1] * (v[0] * w[2] - v[2] * w[0]) + u[2] * (v[0] * w[1] - v[1] * w[0]);
}

double squared(const Point& a) { return a[0] * a[0] + a[1] * a[1] + a[2] * a[2]; }

/// Twice the area of a triangle, squared.
double area(const Point& a, const Point& b, const Point& c) {
  const Point u = b - a, v = c - a;
  return squared({u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]});
}

/// The index of the point for which f is greatest.
template <class F>
int farthest(const std::vector<Point>& points, const F& f) {
  int best = 0;
  for (size_t k = 1; k < points.size(); ++k)
    if (f(points[k]) > f(points[best])) best = static_cast<int>(k);
  return best;
}

}  // namespace

// Point by point: the faces that a new point sees give way to a cone from it to their rim.
double convex_hull_volume(const std::vector<Point>& points) {
  if (points.size() < 4) return 0;
  const Point& first = points[0];
  const int a = farthest(points, [&](const Point& x) { return squared(x - first); });
  const int b = farthest(points, [&](const Point& x) { return squared(x - points[a]); });
  const int c = farthest(points, [&](const Point& x) { return area(points[a], points[b], x); });
  const int d =
      farthest(points, [&](const Point& x) { return std::fabs(volume6(points[a], points[b], points[c], x)); });
  const double size = std::pow(squared(points[b] - points[a]), 1.5);
  const double whole = volume6(points[a], points[b], points[c], points[d]);
  if (!(std::fabs(whole) > 1e-12 * size)) return 0;
  using Face = std::array<int, 3>;  // outside: where volume6 of a point with it is below zero
  std::vector<Face> faces{{a, b, c}, {a, c, d}, {a, d, b}, {b, d, c}};
  if (whole < 0)
    for (Face& face : faces) std::swap(face[1], face[2]);
  for (size_t k = 0; k < points.size(); ++k) {
    const int p = static_cast<int>(k);
    std::vector<Face> kept;
    std::set<std::pair<int, int>> rim;
    for (const Face& face : faces) {
      if (volume6(points[face[0]], points[face[1]], points[face[2]], points[p]) >= -1e-12 * size) {
        kept.push_back(face);
        continue;
      }
      for (int i = 0; i < 3; ++i) {
        const int from = face[i], to = face[(i + 1) % 3];
        if (rim.erase({to, from}) == 0) rim.insert({from, to});  // sides between two seen faces vanish
      }
    }
    for (const auto& [from, to] : rim) kept.push_back({from, to, p});
    faces = std::move(kept);
  }
  double sum = 0;
  for (const Face& face : faces) sum += volume6(points[face[0]], points[face[1]], points[face[2]], points[a]);
  return sum / 6;
}

}  // namespace flexura
