#include "flexura/scene/urdf_collision.hpp"

#include <cmath>
#include <numbers>

namespace flexura {

std::vector<UrdfContact> contacts_of(const UrdfLook& collision) {
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
  return out;
}

}  // namespace flexura
