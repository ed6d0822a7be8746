#include <algorithm>
#include <cmath>

#include "flexura/mesh/patch_joiner.hpp"

namespace flexura {
namespace {

constexpr double eighth_turn = std::numbers::pi / 4;  ///< from the middle of a patch to its side

/// Of the cube's sides those that the part has, spread over the sphere by equal angles.
void add_patches(detail::PatchJoiner& joiner, const HollowSphere& s, const std::vector<double>& radius) {
  const int half = s.along_quarter / 2;
  const auto low = [&](int axis) {
    const bool cut = s.part == HollowSphere::Part::octant || (s.part == HollowSphere::Part::half && axis == 2);
    return cut ? 0 : -1;
  };
  for (int axis = 0; axis < 3; ++axis)
    for (const int sign : {-1, 1}) {
      if (sign < low(axis)) continue;
      int b = (axis + 1) % 3, c = (axis + 2) % 3;
      if (sign < 0) std::swap(b, c);  // right-handed
      const auto angle = [&, half](int along, int step) { return eighth_turn * (low(along) + 0.5 * step / half); };
      joiner.add({{half * (1 - low(b)), half * (1 - low(c)), s.radial}, [&](int i, int j, int k) {
                    Vec3 way{};
                    way[axis] = sign;
                    way[b] = std::tan(angle(b, i));
                    way[c] = std::tan(angle(c, j));
                    return radius[k] / norm(way) * way;
                  }});
    }
}

}  // namespace

SolidMesh make_mesh(const HollowSphere& s) {
  using Part = HollowSphere::Part;
  ParameterCheck check;
  check.positive(s.inner, "inner");
  check.finite(s.outer, "outer");
  check.require(!(s.outer <= s.inner), "outer", "must be above the inner radius");
  check.count(s.radial, "elements");
  check.require(s.along_quarter >= 2 && s.along_quarter % 2 == 0, "elements",
                "of a sphere along a quarter of its girth must be even: half of them are on a side of a patch");
  detail::check_grading(check, s.grading);
  detail::check_count(check, 1.5 * s.along_quarter * s.along_quarter * s.radial, s.kind);
  check.done();
  detail::PatchJoiner joiner(s.kind, s.outer);
  add_patches(joiner, s, detail::with_middles(grid_lines(s.inner, s.outer, s.radial, s.grading)));
  SolidMesh mesh = joiner.finish();
  const std::vector<SolidFace> outer = outer_faces(mesh);
  const double near = 1e-9 * s.outer;
  const auto add = [&](const char* name, auto&& is_there) { add_face_set(mesh, name, outer, is_there); };
  add("inner", [&](const Vec3& x) { return std::fabs(norm(x) - s.inner) <= near; });
  add("outer", [&](const Vec3& x) { return std::fabs(norm(x) - s.outer) <= near; });
  constexpr const char* cuts[] = {"left", "front", "bottom"};
  if (s.part != Part::full)
    for (int axis = s.part == Part::half ? 2 : 0; axis < 3; ++axis)
      add(cuts[axis], [&](const Vec3& x) { return std::fabs(x[axis]) <= near; });
  mesh.at_shares = [s](double u, double v, double w) {
    const double r = s.inner + u * (s.outer - s.inner), turn = (s.part == Part::octant ? 2 : 8) * eighth_turn * v,
                 up = s.part == Part::full ? 4 * eighth_turn * (w - 0.5) : 2 * eighth_turn * w;
    return Vec3{r * std::cos(up) * std::cos(turn), r * std::cos(up) * std::sin(turn), r * std::sin(up)};
  };
  return mesh;
}

}  // namespace flexura
