#include "flexura/scene/urdf_collision.hpp"

#include <cmath>
#include <numbers>

#include "flexura/math/convex_hull.hpp"

namespace flexura {

MeshCorners corners_of(const TriangleMesh& mesh, const std::array<double, 3>& scale) {
  constexpr int directions = 2048, many = 4000;
  std::vector<Vec<3, double>> points;
  for (const std::array<double, 3>& p : mesh.points)
    points.push_back({scale[0] * p[0], scale[1] * p[1], scale[2] * p[2]});
  const auto only = [&](const std::vector<int>& some) {
    std::vector<Vec<3, double>> out;
    for (const int i : some) out.push_back(points[i]);
    return out;
  };
  if (points.size() > many) points = only(outermost_points(points, directions));
  std::vector<int> corners = convex_hull_corners(points);
  if (corners.empty()) corners = outermost_points(points, directions);  // flat
  MeshCorners out;
  if (corners.size() > MeshCorners::most) {
    points = only(corners);
    corners = outermost_points(points, MeshCorners::most);
    out.left_out = left_outside(points, corners, directions);
  }
  for (const int i : corners) out.points.push_back({points[i][0], points[i][1], points[i][2]});
  return out;
}

std::vector<UrdfContact> contacts_of(const UrdfLook& collision, const MeshCorners& mesh) {
  using Kind = UrdfGeometry::Kind;
  const UrdfGeometry& geometry = collision.geometry;
  std::vector<UrdfContact> out;
  const auto add = [&](double x, double y, double z, double radius = 0) {
    std::array<double, 3> p{x, y, z};
    collision.placed.turn(p);
    for (int i = 0; i < 3; ++i) p[i] += collision.placed.p[i];
    out.push_back({p, radius});
  };
  constexpr int around = 16;
  if (geometry.kind == Kind::sphere) {
    out.push_back({collision.placed.p, geometry.radius});
  } else if (geometry.kind == Kind::box) {
    const auto [a, b, c] = geometry.size;
    for (const double x : {-0.5 * a, 0.5 * a})
      for (const double y : {-0.5 * b, 0.5 * b})
        for (const double z : {-0.5 * c, 0.5 * c}) add(x, y, z);
  } else if (geometry.kind == Kind::cylinder) {
    for (const double z : {-0.5 * geometry.length, 0.5 * geometry.length}) {
      if (geometry.has_round_ends) add(0, 0, z, geometry.radius);
      for (int k = 0; k < around && !geometry.has_round_ends; ++k) {
        const double angle = 2 * std::numbers::pi * k / around;
        add(geometry.radius * std::cos(angle), geometry.radius * std::sin(angle), z);
      }
    }
  }
  if (geometry.kind == Kind::mesh)
    for (const auto& [x, y, z] : mesh.points) add(x, y, z);
  return out;
}

}  // namespace flexura
