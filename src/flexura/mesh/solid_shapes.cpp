#include "flexura/mesh/solid_shapes.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <unordered_map>

#include "flexura/base/problem.hpp"

namespace flexura {
namespace {

constexpr double full_turn = 2 * std::numbers::pi;

/// A grid of cells n[0] × n[1] × n[2], its nodes on a lattice of twice as many steps: at(i, j, k) of these.
struct Patch {
  std::array<int, 3> n;
  std::function<Vec3(int, int, int)> at;
};

/// Patches side by side as one mesh: lattice points in one place are one node.
class PatchJoiner {
 public:
  PatchJoiner(SolidKind kind, double size) : kind_(kind), info_(cell_info(kind)), grain_(1e-7 * size) {}

  void add(const Patch& patch) {
    std::vector<int> number(points(patch), -1);
    for (int i = 0; i < patch.n[0]; ++i)
      for (int j = 0; j < patch.n[1]; ++j)
        for (int k = 0; k < patch.n[2]; ++k)
          info_.is_tetrahedron ? add_tetrahedra(patch, {2 * i, 2 * j, 2 * k}, number)
                               : add_hexahedron(patch, {2 * i, 2 * j, 2 * k}, number);
  }
  SolidMesh finish() { return std::move(mesh_); }

 private:
  using Point = std::array<int, 3>;  // of the lattice

  static size_t points(const Patch& p) {
    return (2 * static_cast<size_t>(p.n[0]) + 1) * (2 * static_cast<size_t>(p.n[1]) + 1) *
           (2 * static_cast<size_t>(p.n[2]) + 1);
  }

  void add_hexahedron(const Patch& patch, const Point& corner, std::vector<int>& number) {
    SolidCell element{kind_, {}};
    for (int a = 0; a < info_.nodes; ++a) {
      Point p;
      for (int i = 0; i < 3; ++i) p[i] = corner[i] + static_cast<int>(2 * info_.places[a][i]);
      element.nodes[a] = node(patch, p, number);
    }
    mesh_.elements.push_back(element);
  }

  /// Kuhn's six, each along three sides of the cell in one of the orders of its directions: neighbours fit without more.
  void add_tetrahedra(const Patch& patch, const Point& corner, std::vector<int>& number) {
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

  int node(const Patch& patch, const Point& p, std::vector<int>& number) {
    const size_t place =
        (static_cast<size_t>(p[0]) * (2 * patch.n[1] + 1) + p[1]) * (2 * static_cast<size_t>(patch.n[2]) + 1) + p[2];
    if (number[place] < 0) number[place] = node_at(patch.at(p[0], p[1], p[2]));
    return number[place];
  }

  /// Rounded to a grain, and what may have been rounded to the next one is looked for there.
  int node_at(const Vec3& r) {
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
  static std::uint64_t key(std::int64_t x, std::int64_t y, std::int64_t z) {
    const auto mixed = [](std::int64_t c) { return static_cast<std::uint64_t>(c) * 0x9E3779B97F4A7C15ull; };
    return mixed(x) ^ (mixed(y) << 21 | mixed(y) >> 43) ^ (mixed(z) << 42 | mixed(z) >> 22);
  }

  SolidKind kind_;
  const CellInfo& info_;
  double grain_;
  SolidMesh mesh_;
  std::unordered_map<std::uint64_t, int> known_;
};

/// Lines of a direction and the middles between them.
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
  const double each = cell_info(kind).is_tetrahedron ? 6 : 1;
  check.require(cells * each <= most_solid_elements, "elements", "make more than a million elements");
}
void check_grading(ParameterCheck& check, const Grading& grading) {
  if (!(grading.ratio > 0) || !std::isfinite(grading.ratio)) check.require(false, "grading", "must be above 0");
}

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
    return Vec3{u * R * std::cos(v * full_turn), u * R * std::sin(v * full_turn), w * H};
  };
  return mesh;
}

SolidMesh make_mesh(const ThickTube& t) {
  ParameterCheck check;
  check.positive(t.inner, "inner");
  check.finite(t.outer, "outer");
  check.require(!(t.outer <= t.inner), "outer", "must be above the inner radius");
  check.positive(t.height, "height");
  check.require(t.angle > 0 && t.angle <= full_turn * (1 + 1e-9), "angle", "must be above 0 and at most a full turn");
  check.count(t.radial, "elements");
  check.count(t.around, "elements");
  check.count(t.along, "elements");
  const bool closed = t.angle > full_turn * (1 - 1e-9);
  check.require(!closed || t.around >= 3, "elements", "around a closed tube must be three or more");
  for (const Grading& grading : t.grading) check_grading(check, grading);
  check_count(check, static_cast<double>(t.radial) * t.around * t.along, t.kind);
  check.done();
  const double angle = closed ? full_turn : t.angle;
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
