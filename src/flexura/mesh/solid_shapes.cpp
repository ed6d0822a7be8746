#include "flexura/mesh/solid_shapes.hpp"

#include <algorithm>
#include <cmath>

#include "flexura/mesh/patch_joiner.hpp"

namespace flexura {
namespace {

using detail::check_count;
using detail::check_grading;
using detail::PatchJoiner;
using detail::with_middles;

constexpr double once_round = 2 * std::numbers::pi;

}  // namespace

SolidMesh make_mesh(const Block& block) {
  ParameterCheck check;
  double cells = 1;
  for (int i = 0; i < 3; ++i) {
    check.positive(block.size[i], "size");
    check.count(block.elements[i], "elements");
    check_grading(check, block.grading[i]);
    cells *= block.elements[i];
  }
  check_count(check, cells, block.kind);
  check.done();
  std::vector<double> lines[3];
  for (int i = 0; i < 3; ++i)
    lines[i] = with_middles(grid_lines(0, block.size[i], block.elements[i], block.grading[i]));
  const double size = std::max({block.size[0], block.size[1], block.size[2]});
  PatchJoiner joiner(block.kind, size);
  joiner.add({block.elements, [&](int i, int j, int k) { return Vec3{lines[0][i], lines[1][j], lines[2][k]}; }});
  SolidMesh mesh = joiner.finish();
  const std::vector<SolidFace> outer = outer_faces(mesh);
  constexpr const char* names[3][2] = {{"left", "right"}, {"front", "back"}, {"bottom", "top"}};
  for (int i = 0; i < 3; ++i)
    for (int end = 0; end < 2; ++end)
      add_face_set(mesh, names[i][end], outer,
                   [&, at = end * block.size[i]](const Vec3& r) { return std::fabs(r[i] - at) <= 1e-9 * size; });
  mesh.at_shares = [size = block.size](double u, double v, double w) {
    return Vec3{u * size[0], v * size[1], w * size[2]};
  };
  return mesh;
}

SolidMesh make_mesh(const Cylinder& c) {
  ParameterCheck check;
  check.positive(c.radius, "radius");
  check.positive(c.height, "height");
  check.count(c.radial, "elements");
  check.count(c.along, "elements");
  check.require(c.around >= 4 && c.around % 4 == 0, "elements",
                "around a cylinder must be a multiple of four: a quarter of them is a side of its core");
  check_grading(check, c.grading_along);
  check_count(check, (0.0625 * c.around + c.radial) * c.around * c.along, c.kind);
  check.done();
  const int n = c.around / 4;
  const std::vector<double> z = with_middles(grid_lines(0, c.height, c.along, c.grading_along));
  // The core is a square with corners at `core` radii whose sides are halfway between straight and round.
  constexpr double core = 0.55, bulge = 0.5;
  const auto on_core = [&](double angle, int quarter) {
    const double from_middle = angle - (0.5 + quarter) * std::numbers::pi / 2;
    const double straight = core * c.radius * std::numbers::sqrt2 / 2 / std::cos(from_middle);
    return (1 - bulge) * straight + bulge * core * c.radius;
  };
  const auto angle_of = [&](double share, int quarter) { return (quarter + share) * std::numbers::pi / 2; };
  const auto polar = [](double r, double angle) { return Vec3{r * std::cos(angle), r * std::sin(angle), 0}; };
  const auto side = [&](double share, int quarter) {
    const double angle = angle_of(share, quarter);
    return polar(on_core(angle, quarter), angle);
  };
  const auto up = [&](Vec3 r, int k) {
    r[2] = z[k];
    return r;
  };
  PatchJoiner joiner(c.kind, std::max(c.radius, c.height));
  // Coons' patch between the four sides: s along the side of quarter 0 backwards …
  joiner.add({{n, n, c.along}, [&](int i, int j, int k) {
                const double s = 0.5 * i / n, t = 0.5 * j / n;
                const Vec3 bottom = side(s, 2), top = side(1 - s, 0), left = side(1 - t, 1), right = side(t, 3);
                const Vec3 a = side(0, 2), b = side(1, 2), d = side(0, 1), e = side(0, 0);
                return up((1 - t) * bottom + t * top + (1 - s) * left + s * right -
                              ((1 - s) * (1 - t) * a + s * (1 - t) * b + (1 - s) * t * d + s * t * e),
                          k);
              }});
  for (int quarter = 0; quarter < 4; ++quarter)
    joiner.add({{c.radial, n, c.along}, [&](int i, int j, int k) {
                  const double share = 0.5 * j / n, out = 0.5 * i / c.radial;
                  return up((1 - out) * side(share, quarter) + out * polar(c.radius, angle_of(share, quarter)), k);
                }});
  SolidMesh mesh = joiner.finish();
  const std::vector<SolidFace> outer = outer_faces(mesh);
  const double near = 1e-9 * std::max(c.radius, c.height);
  add_face_set(mesh, "side", outer,
               [&](const Vec3& r) { return std::fabs(std::hypot(r[0], r[1]) - c.radius) <= near; });
  add_face_set(mesh, "bottom", outer, [&](const Vec3& r) { return std::fabs(r[2]) <= near; });
  add_face_set(mesh, "top", outer, [&](const Vec3& r) { return std::fabs(r[2] - c.height) <= near; });
  mesh.at_shares = [R = c.radius, H = c.height](double u, double v, double w) {
    return Vec3{u * R * std::cos(v * once_round), u * R * std::sin(v * once_round), w * H};
  };
  return mesh;
}

SolidMesh make_mesh(const ThickTube& t) {
  ParameterCheck check;
  check.positive(t.inner, "inner");
  check.finite(t.outer, "outer");
  check.require(!(t.outer <= t.inner), "outer", "must be above the inner radius");
  check.positive(t.height, "height");
  check.require(t.angle > 0 && t.angle <= once_round * (1 + 1e-9), "angle", "must be above 0 and at most a full turn");
  check.count(t.radial, "elements");
  check.count(t.around, "elements");
  check.count(t.along, "elements");
  const bool closed = t.angle > once_round * (1 - 1e-9);
  check.require(!closed || t.around >= 3, "elements", "around a closed tube must be three or more");
  for (const Grading& grading : t.grading) check_grading(check, grading);
  check_count(check, static_cast<double>(t.radial) * t.around * t.along, t.kind);
  check.done();
  const double angle = closed ? once_round : t.angle;
  const std::vector<double> r = with_middles(grid_lines(t.inner, t.outer, t.radial, t.grading[0])),
                            a = with_middles(grid_lines(0, angle, t.around, t.grading[1])),
                            z = with_middles(grid_lines(0, t.height, t.along, t.grading[2]));
  const double size = std::max(t.outer, t.height);
  PatchJoiner joiner(t.kind, size);
  joiner.add({{t.radial, t.around, t.along},
              [&](int i, int j, int k) { return Vec3{r[i] * std::cos(a[j]), r[i] * std::sin(a[j]), z[k]}; }});
  SolidMesh mesh = joiner.finish();
  const std::vector<SolidFace> outer = outer_faces(mesh);
  const double near = 1e-9 * size;
  const auto add = [&](const char* name, auto&& is_there) { add_face_set(mesh, name, outer, is_there); };
  const auto across = [](const Vec3& x, double at) { return std::cos(at) * x[1] - std::sin(at) * x[0]; };
  const auto along = [](const Vec3& x, double at) { return std::cos(at) * x[0] + std::sin(at) * x[1]; };
  add("inner", [&](const Vec3& x) { return std::fabs(std::hypot(x[0], x[1]) - t.inner) <= near; });
  add("outer", [&](const Vec3& x) { return std::fabs(std::hypot(x[0], x[1]) - t.outer) <= near; });
  add("bottom", [&](const Vec3& x) { return std::fabs(x[2]) <= near; });
  add("top", [&](const Vec3& x) { return std::fabs(x[2] - t.height) <= near; });
  if (!closed) {
    add("start", [&](const Vec3& x) { return std::fabs(across(x, 0)) <= near && along(x, 0) > 0; });
    add("end", [&](const Vec3& x) { return std::fabs(across(x, angle)) <= near && along(x, angle) > 0; });
  }
  mesh.at_shares = [inner = t.inner, wall = t.outer - t.inner, angle, H = t.height](double u, double v, double w) {
    const double radius = inner + u * wall;
    return Vec3{radius * std::cos(v * angle), radius * std::sin(v * angle), w * H};
  };
  return mesh;
}

}  // namespace flexura
