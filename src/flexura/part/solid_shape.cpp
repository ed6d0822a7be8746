#include "flexura/part/solid_shape.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

namespace flexura {
namespace {

using std::numbers::pi;

RigidInertia solid_of(double mass, double xx, double yy, double zz) {
  RigidInertia body;
  body.mass = mass;
  body.inertia[0] = xx;
  body.inertia[1] = yy;
  body.inertia[2] = zz;
  return body;
}

RigidInertia flat(double mass, double zz) { return solid_of(mass, 0, 0, zz); }

/// A body about the z axis, turned so that z lies along `axis` [any length]: J = J_t I + (J_z − J_t) a aᵀ.
void turn_to(RigidInertia& body, const Triple& axis) {
  const double length = std::sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
  const std::array<double, 3> a{axis[0] / length, axis[1] / length, axis[2] / length};
  const double across = body.inertia[0], more = body.inertia[2] - across, z = body.center[2];
  for (int i = 0; i < 3; ++i) {
    body.center[i] = z * a[i];
    body.inertia[i] = across + more * a[i] * a[i];
    body.inertia[3 + i] = more * a[i] * a[(i + 1) % 3];  // xy, yz, zx
  }
}

/// Signed: positive where the corners go counter-clockwise. With cross = x_k y_k+1 − y_k x_k+1:
///   A = Σ cross/2,   ∫ r dA = Σ cross/6 (r_k + r_k+1),   ∫ r² dA = Σ cross/12 (r_k² + r_k·r_k+1 + r_k+1²)
RigidInertia inertia_of_polygon(const std::vector<Triple>& corners, double density) {
  const Triple& origin = corners[0];
  double area = 0, first[2] = {0, 0}, second = 0;
  for (size_t k = 0; k < corners.size(); ++k) {
    const Triple &p = corners[k], &q = corners[(k + 1) % corners.size()];
    const double a[2] = {p[0] - origin[0], p[1] - origin[1]}, b[2] = {q[0] - origin[0], q[1] - origin[1]};
    const double cross = a[0] * b[1] - a[1] * b[0];
    area += cross / 2;
    for (int i = 0; i < 2; ++i) {
      first[i] += cross / 6 * (a[i] + b[i]);
      second += cross / 12 * (a[i] * a[i] + a[i] * b[i] + b[i] * b[i]);
    }
  }
  const double x = first[0] / area, y = first[1] / area;
  RigidInertia body =
      flat(density * std::fabs(area), density * (std::fabs(second) - std::fabs(area) * (x * x + y * y)));
  body.center[0] = origin[0] + x;
  body.center[1] = origin[1] + y;
  return body;
}

/// Edges k (from corner k to the next) that cross, or {0, 0}. Neighbours share a corner and do not count.
std::array<size_t, 2> crossing_edges(const std::vector<Triple>& p) {
  const size_t n = p.size();
  const auto side = [&](size_t a, size_t b, size_t c) {
    return (p[b][0] - p[a][0]) * (p[c][1] - p[a][1]) - (p[b][1] - p[a][1]) * (p[c][0] - p[a][0]);
  };
  for (size_t i = 0; i < n; ++i)
    for (size_t j = i + 2; j < n; ++j) {
      if (i == 0 && j + 1 == n) continue;
      const size_t i1 = i + 1, j1 = (j + 1) % n;
      if (side(i, i1, j) * side(i, i1, j1) < 0 && side(j, j1, i) * side(j, j1, i1) < 0) return {i, j};
    }
  return {0, 0};
}

// About the axis z, before the shape is turned and moved.

FoundInertia upright(const solid::Rectangle& shape, double density) {
  const double a = shape.size[0], b = shape.size[1], mass = density * a * b;
  return flat(mass, mass / 12 * (a * a + b * b));
}

FoundInertia upright(const solid::Disc& shape, double density) {
  const double r = shape.radius, mass = density * pi * r * r;
  return flat(mass, mass / 2 * r * r);
}

FoundInertia upright(const solid::Polygon& shape, double density) {
  if (shape.points.size() < 3) return NoInertia{"points", "a polygon has three or more corners"};
  if (const auto [i, j] = crossing_edges(shape.points); j > 0)
    return NoInertia{"points", fmt::format("the edges after corners {} and {} cross", i + 1, j + 1)};
  const RigidInertia body = inertia_of_polygon(shape.points, density);
  if (!(body.mass > 0)) return NoInertia{"points", "the corners enclose no area"};
  return body;
}

FoundInertia upright(const solid::Rod& shape, double density) {
  const double h = shape.length, mass = density * h;
  return flat(mass, mass / 12 * h * h);
}

FoundInertia upright(const solid::Box& shape, double density) {
  const auto [a, b, c] = shape.size;
  const double mass = density * a * b * c;
  return solid_of(mass, mass / 12 * (b * b + c * c), mass / 12 * (a * a + c * c), mass / 12 * (a * a + b * b));
}

FoundInertia upright(const solid::Cylinder& shape, double density) {
  const double r = shape.radius, h = shape.length;
  const double mass = density * pi * r * r * h, across = mass / 12 * (3 * r * r + h * h);
  return solid_of(mass, across, across, mass / 2 * r * r);
}

FoundInertia upright(const solid::Sphere& shape, double density) {
  const double r = shape.radius, mass = density * 4 / 3 * pi * r * r * r, any = mass * 2 / 5 * r * r;
  return solid_of(mass, any, any, any);
}

FoundInertia upright(const solid::Cone& shape, double density) {
  const double r = shape.radius, h = shape.height;
  const double mass = density * pi / 3 * r * r * h, across = mass * (3.0 / 20 * r * r + 3.0 / 80 * h * h);
  RigidInertia body = solid_of(mass, across, across, mass * 3 / 10 * r * r);
  body.center[2] = h / 4;
  return body;
}

FoundInertia upright(const solid::Mesh& shape, double density) {
  if (std::string why = why_not_solid(shape.surface); !why.empty()) return NoInertia{"surface", std::move(why)};
  const SolidProperties properties = solid_properties(shape.surface);
  RigidInertia body;
  body.mass = density * properties.volume;
  for (int i = 0; i < 3; ++i) body.center[i] = properties.center[i];
  for (int i = 0; i < 6; ++i) body.inertia[i] = density * properties.inertia[i];
  return body;
}

}  // namespace

std::string_view name_of(const SolidShape& shape) {
  return std::visit([](const auto& solid) { return solid.name; }, shape);
}

FoundInertia inertia_of(const SolidShape& shape, double density) {
  return std::visit(
      [&](const auto& solid) -> FoundInertia {
        FoundInertia found = upright(solid, density);
        RigidInertia* body = std::get_if<RigidInertia>(&found);
        if (body == nullptr) return found;
        if constexpr (requires { solid.axis; }) {
          if (solid.axis && norm(*solid.axis) == 0) return NoInertia{"axis", "must not be zero"};
          if (solid.axis) turn_to(*body, *solid.axis);
        }
        if constexpr (requires { solid.center; })
          for (int i = 0; i < 3 && solid.center != Triple{}; ++i) body->center[i] += solid.center[i];
        bool usable = body->mass > 0;
        for (const double x : body->inertia) usable = usable && std::isfinite(x);
        if (!usable || !(body->inertia[2] > 0) || !std::isfinite(body->mass))
          return NoInertia{"", "with this density the mass or the inertia is outside the range of numbers"};
        return found;
      },
      shape);
}

}  // namespace flexura
