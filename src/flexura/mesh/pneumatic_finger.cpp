#include <algorithm>
#include <cmath>

#include "flexura/mesh/patch_joiner.hpp"

namespace flexura {
namespace {

/// Lengths along one axis, each of some elements and of one kind.
struct FingerStrip {
  double length = 0;
  int count = 1;
  int kind = 0;
};

/// The lattice of an axis: its lines with the middles between them, and the kind of each cell.
struct FingerAxis {
  std::vector<double> at{0};
  std::vector<int> kind;

  explicit FingerAxis(const std::vector<FingerStrip>& strips, double from = 0) : at{from} {
    std::vector<double> ends{from};
    for (const FingerStrip& strip : strips) {
      const double start = ends.back();
      for (int k = 1; k <= strip.count; ++k) {
        ends.push_back(start + strip.length * k / strip.count);
        kind.push_back(strip.kind);
      }
    }
    at = detail::with_middles(ends);
  }
  int cells() const { return static_cast<int>(kind.size()); }
};

int elements_in(int count, double part, double whole) {
  return std::max(1, static_cast<int>(std::lround(count * part / whole)));
}

/// What a finger is made of, axis by axis.
struct FingerGrid {
  enum Along { solid_end, pocket, pocket_wall, gap };
  enum Across { side_wall, beside_channel, channel_width };
  enum Up { below, channel_height, cover, above, roof };
  FingerAxis x, y, z;

  explicit FingerGrid(const PneumaticFinger& f)
      : x(along(f)), y(across(f), f.part == PneumaticFinger::Part::half ? 0 : -0.5 * f.width), z(up(f)) {}

  static std::vector<FingerStrip> along(const PneumaticFinger& f) {
    const auto ends = [&](double length) { return elements_in(f.elements[0], length, f.pocket); };
    std::vector<FingerStrip> out{{f.base, ends(f.base), solid_end}};
    for (int k = 0; k < f.pockets; ++k) {
      if (k > 0) {
        out.push_back({f.wall, 1, pocket_wall});
        out.push_back({f.gap, 1, gap});
        out.push_back({f.wall, 1, pocket_wall});
      }
      out.push_back({f.pocket, f.elements[0], pocket});
    }
    out.push_back({f.tip, ends(f.tip), solid_end});
    return out;
  }
  static std::vector<FingerStrip> across(const PneumaticFinger& f) {
    const bool half = f.part == PneumaticFinger::Part::half;
    const double inside = f.width - 2 * f.side, beside = 0.5 * (inside - f.channel[0]);
    const int middle = f.has_channel() ? elements_in(f.elements[1], f.channel[0], inside) : 0;
    const int rest = std::max(1, (f.elements[1] - middle + 1) / 2);
    const bool is_wide = f.has_channel() && beside <= 1e-9 * inside;
    std::vector<FingerStrip> out{{f.side, 1, side_wall}};
    if (!f.has_channel())
      out.push_back({half ? 0.5 * inside : inside, half ? (f.elements[1] + 1) / 2 : f.elements[1], beside_channel});
    if (f.has_channel() && !is_wide) out.push_back({beside, rest, beside_channel});
    if (f.has_channel())
      out.push_back({(half ? 0.5 : 1) * f.channel[0], half ? (middle + 1) / 2 : middle, channel_width});
    if (half) {
      std::reverse(out.begin(), out.end());
      return out;
    }
    if (f.has_channel() && !is_wide) out.push_back({beside, rest, beside_channel});
    out.push_back({f.side, 1, side_wall});
    return out;
  }
  static std::vector<FingerStrip> up(const PneumaticFinger& f) {
    std::vector<FingerStrip> out;
    if (f.layer > 0) out.push_back({f.layer, 1, below});
    out.push_back({f.bottom - f.layer, 1, below});
    if (f.has_channel()) {
      out.push_back({f.channel[1], 1, channel_height});
      out.push_back({f.wall, 1, cover});
    }
    out.push_back({f.inside_height() - (f.has_channel() ? f.channel[1] + f.wall : 0), f.elements[2], above});
    out.push_back({f.roof, 1, roof});
    return out;
  }

  bool is_air(int i, int j, int k) const {
    const int where = x.kind[i], level = z.kind[k];
    if (where == solid_end || level == below) return false;
    if (where == pocket) return y.kind[j] != side_wall && level != roof;
    if (y.kind[j] == channel_width && level == channel_height) return true;
    return where == gap && (level == above || level == roof);
  }
};

}  // namespace

SolidMesh make_mesh(const PneumaticFinger& f) {
  using Part = PneumaticFinger::Part;
  ParameterCheck check;
  check.count(f.pockets, "pockets");
  const std::pair<const char*, double> lengths[] = {
      {"pocket", f.pocket}, {"gap", f.gap},       {"wall", f.wall},     {"side", f.side}, {"roof", f.roof},
      {"width", f.width},   {"height", f.height}, {"bottom", f.bottom}, {"base", f.base}, {"tip", f.tip}};
  for (const auto& [name, length] : lengths) check.positive(length, name);
  for (const double length : f.channel) check.finite(length, "channel");
  for (const int count : f.elements) check.count(count, "elements");
  check.require(f.layer >= 0 && f.layer < f.bottom, "layer", "must be thinner than the bottom, or 0");
  check.require(f.width > 2 * f.side, "side", "leaves no room: the width must be above both sides");
  const double covered = f.has_channel() ? f.channel[1] + f.wall : 0;
  check.require(f.inside_height() > covered, "height",
                "must be above the bottom, the channel, its cover, which is as thick as a wall, and the roof");
  check.require(f.channel[0] >= 0 && f.channel[1] >= 0 && (f.channel[0] > 0) == (f.channel[1] > 0), "channel",
                "must be a width and a height, or [0, 0] for pockets that are apart");
  check.require(f.channel[0] <= (f.width - 2 * f.side) * (1 + 1e-12), "channel", "is wider than the pockets");
  detail::check_count(check, 1.0 * f.pockets * (f.elements[0] + 5.0) * (f.elements[1] + 4.0) * (f.elements[2] + 5.0),
                      f.kind);
  check.done();
  const FingerGrid grid(f);
  const double size = std::max({grid.x.at.back(), f.width, f.height}), near = 1e-9 * size;
  detail::PatchJoiner joiner(f.kind, size);
  joiner.add({{grid.x.cells(), grid.y.cells(), grid.z.cells()},
              [&](int i, int j, int k) { return Vec3{grid.x.at[i], grid.y.at[j], grid.z.at[k]}; },
              [&](int i, int j, int k) { return !grid.is_air(i, j, k); }});
  SolidMesh mesh = joiner.finish();

  const std::vector<SolidFace> outer = outer_faces(mesh);
  const auto add_at = [&](const char* name, int axis, double at) {
    add_face_set(mesh, name, outer, [&](const Vec3& x) { return std::fabs(x[axis] - at) <= near; });
  };
  add_at("base", 0, 0);
  add_at("tip", 0, grid.x.at.back());
  add_at("bottom", 2, 0);
  add_at("top", 2, f.height);
  add_at(f.part == Part::half ? "middle" : "front", 1, grid.y.at.front());
  add_at("back", 1, grid.y.at.back());

  const double period = f.pocket + f.gap + 2 * f.wall, inside = 0.5 * f.width - f.side;
  const auto in = [&](double x, double from, double to) { return x >= from - near && x <= to + near; };
  const auto in_pocket = [&](const Vec3& x, int k) {
    const double start = f.base + k * period;
    return in(x[0], start, start + f.pocket) && in(x[1], -inside, inside) && in(x[2], f.bottom, f.height - f.roof);
  };
  const double first = f.base, last = f.base + (f.pockets - 1) * period + f.pocket;
  const auto in_channel = [&](const Vec3& x) {
    return f.has_channel() && in(x[0], first, last) && in(x[1], -0.5 * f.channel[0], 0.5 * f.channel[0]) &&
           in(x[2], f.bottom, f.bottom + f.channel[1]);
  };
  add_face_set(mesh, "cavity", outer, [&](const Vec3& x) {
    bool is_there = in_channel(x);
    for (int k = 0; k < f.pockets && !is_there; ++k) is_there = in_pocket(x, k);
    return is_there;
  });
  if (!f.has_channel())
    for (int k = 0; k < f.pockets; ++k)
      add_face_set(mesh, "pocket_" + std::to_string(k + 1), outer, [&](const Vec3& x) { return in_pocket(x, k); });
  if (f.layer > 0) add_element_set(mesh, "layer", [&](const Vec3& x) { return x[2] < f.layer; });
  mesh.at_shares = [L = grid.x.at.back(), from = grid.y.at.front(), W = grid.y.at.back() - grid.y.at.front(),
                    H = f.height](double u, double v, double w) { return Vec3{u * L, from + v * W, w * H}; };
  return mesh;
}

}  // namespace flexura
