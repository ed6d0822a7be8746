#include "flexura/output/body_mesh.hpp"

#include <cmath>
#include <numbers>

#include "flexura/math/triple.hpp"

namespace flexura {
namespace {

constexpr int around = 24, rings = 12;  ///< faces around an axis, and from pole to pole

/// Σ share_k · size_k · axis_k about the centre.
Triple on_axes(const BodyShape& s, const Triple& x) {
  Triple out = s.center;
  for (int k = 0; k < 3; ++k) out = out + x[k] * s.axes[k];
  return out;
}

/// A ring of points about the third axis; quadrilaterals to the ring before.
void add_ring(const BodyShape& s, double a, double b, double height, bool joined, BodyMesh& mesh) {
  const auto first = static_cast<std::int64_t>(mesh.points.size());
  for (int k = 0; k < around; ++k) {
    const double angle = 2 * std::numbers::pi * k / around;
    mesh.points.push_back(on_axes(s, {a * std::cos(angle), b * std::sin(angle), height}));
    const std::int64_t next = (k + 1) % around;
    if (joined) mesh.faces.push_back({first - around + k, first - around + next, first + next, first + k});
  }
}

/// Triangles from the ring that begins at `ring` to a point on the axis; `up`: the point is above.
void add_tip(const BodyShape& s, double height, std::int64_t ring, bool up, BodyMesh& mesh) {
  const auto tip = static_cast<std::int64_t>(mesh.points.size());
  mesh.points.push_back(on_axes(s, {0, 0, height}));
  for (std::int64_t k = 0; k < around; ++k) {
    const std::int64_t a = ring + k, b = ring + (k + 1) % around;
    mesh.faces.push_back(up ? std::vector{a, b, tip} : std::vector{b, a, tip});
  }
}

BodyMesh ellipsoid(const BodyShape& s, const Triple& axes) {
  BodyMesh mesh;
  for (int k = 1; k < rings; ++k) {
    const double angle = std::numbers::pi * k / rings;
    add_ring(s, axes[0] * std::sin(angle), axes[1] * std::sin(angle), -axes[2] * std::cos(angle), k > 1, mesh);
  }
  add_tip(s, -axes[2], 0, false, mesh);
  add_tip(s, axes[2], static_cast<std::int64_t>(rings - 2) * around, true, mesh);
  return mesh;
}

BodyMesh turned(const BodyShape& s) {
  BodyMesh mesh;
  const double half = s.size[2] / 2;
  add_ring(s, s.size[0], s.size[0], -half, false, mesh);
  if (s.size[1] > 0) add_ring(s, s.size[1], s.size[1], half, true, mesh);
  add_tip(s, -half, 0, false, mesh);
  add_tip(s, half, s.size[1] > 0 ? around : 0, true, mesh);
  return mesh;
}

BodyMesh box(const BodyShape& s) {
  BodyMesh mesh;
  for (int corner = 0; corner < 8; ++corner)
    mesh.points.push_back(
        on_axes(s, {((corner & 1) != 0 ? 0.5 : -0.5) * s.size[0], ((corner & 2) != 0 ? 0.5 : -0.5) * s.size[1],
                    ((corner & 4) != 0 ? 0.5 : -0.5) * s.size[2]}));
  mesh.faces = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
  return mesh;
}

BodyMesh triangles(const BodyShape& s) {
  BodyMesh mesh;
  for (std::size_t k = 0; k + 2 < s.vertices.size(); k += 3)
    mesh.points.push_back({s.vertices[k], s.vertices[k + 1], s.vertices[k + 2]});
  for (std::size_t k = 0; k + 2 < s.triangles.size(); k += 3)
    mesh.faces.push_back({s.triangles[k], s.triangles[k + 1], s.triangles[k + 2]});
  return mesh;
}

}  // namespace

BodyMesh mesh_of(const BodyShape& shape) {
  switch (shape.type) {
    case BodyShape::Type::box:
      return box(shape);
    case BodyShape::Type::sphere:
      return ellipsoid(shape, {shape.size[0], shape.size[0], shape.size[0]});
    case BodyShape::Type::ellipsoid:
      return ellipsoid(shape, shape.size);
    case BodyShape::Type::cylinder:
    case BodyShape::Type::cone:
      return turned(shape);
    case BodyShape::Type::mesh:
      return triangles(shape);
    case BodyShape::Type::link:
      break;
  }
  return {};
}

}  // namespace flexura
