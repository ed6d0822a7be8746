#include "flexura/math/convex_hull.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>
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

using Face = std::array<int, 3>;  // outside: where volume6 of a point with it is below zero

// Point by point: the faces that a new point sees give way to a cone from it to their rim.
std::vector<Face> hull_faces(const std::vector<Point>& points) {
  if (points.size() < 4) return {};
  const Point& first = points[0];
  const int a = farthest(points, [&](const Point& x) { return squared(x - first); });
  const int b = farthest(points, [&](const Point& x) { return squared(x - points[a]); });
  const int c = farthest(points, [&](const Point& x) { return area(points[a], points[b], x); });
  const int d =
      farthest(points, [&](const Point& x) { return std::fabs(volume6(points[a], points[b], points[c], x)); });
  const double size = std::pow(squared(points[b] - points[a]), 1.5);
  const double whole = volume6(points[a], points[b], points[c], points[d]);
  if (!(std::fabs(whole) > 1e-12 * size)) return {};
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
  return faces;
}

Point unit_normal(const std::vector<Point>& points, const Face& face) {
  const Point u = points[face[1]] - points[face[0]], v = points[face[2]] - points[face[0]];
  const Point n{u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
  const double size = std::sqrt(squared(n));
  return size > 0 ? (1 / size) * n : Point{};
}

/// Whether unit vectors span space: no point within a face or an edge has such normals.
bool span_space(const std::vector<Point>& normals) {
  constexpr double flat = 1e-6;
  const Point zero{};
  double widest = 0;
  Point second{};
  for (const Point& n : normals)
    if (const double a = area(zero, normals[0], n); a > widest) widest = a, second = n;
  return std::sqrt(widest) > flat && std::ranges::any_of(normals, [&](const Point& n) {
           return std::fabs(volume6(zero, normals[0], second, n)) > flat * std::sqrt(widest);
         });
}

/// The k-th of n directions on a spiral round the sphere.
Point spread_direction(int k, int n) {
  const double z = 1 - (2 * k + 1) / static_cast<double>(n), r = std::sqrt(1 - z * z);
  const double angle = std::numbers::pi * (3 - std::sqrt(5.0)) * k;
  return {r * std::cos(angle), r * std::sin(angle), z};
}

}  // namespace

double convex_hull_volume(const std::vector<Point>& points) {
  double sum = 0;
  const std::vector<Face> faces = hull_faces(points);
  for (const Face& face : faces) sum += volume6(points[face[0]], points[face[1]], points[face[2]], points[faces[0][0]]);
  return sum / 6;
}

std::vector<int> convex_hull_corners(const std::vector<Point>& points) {
  std::map<int, std::vector<Point>> normals;
  for (const Face& face : hull_faces(points))
    for (const int corner : face) normals[corner].push_back(unit_normal(points, face));
  std::vector<int> out;
  for (const auto& [corner, around] : normals)
    if (span_space(around)) out.push_back(corner);
  return out;
}

std::vector<int> outermost_points(const std::vector<Point>& points, int directions) {
  std::set<int> out;
  for (int k = 0; k < directions && !points.empty(); ++k) {
    const Point d = spread_direction(k, directions);
    out.insert(farthest(points, [&](const Point& x) { return dot(d, x); }));
  }
  return {out.begin(), out.end()};
}

double left_outside(const std::vector<Point>& points, const std::vector<int>& some, int directions) {
  double most = 0;
  for (int k = 0; k < directions && !some.empty(); ++k) {
    const Point d = spread_direction(k, directions);
    double reach = dot(d, points[some[0]]);
    for (const int i : some) reach = std::max(reach, dot(d, points[i]));
    for (const Point& x : points) most = std::max(most, dot(d, x) - reach);
  }
  return most;
}

}  // namespace flexura
