#include "flexura/run/crossing_surfaces.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "flexura/math/box_tree.hpp"
#include "flexura/output/draw_model.hpp"

namespace flexura {
namespace {

constexpr double deep = 1e-5;  ///< of the larger surface's size: less is rounding, or surfaces that lie on each other
constexpr double touching = 1e-4;  ///< of it: at the start

using Corners = std::array<Vec3, 3>;
using Triangles = std::vector<Corners>;

Box box_of(const Triangles& triangles) {
  Box box = Box::nothing();
  for (const Corners& corners : triangles)
    for (const Vec3& x : corners) box.include(x.c, 3, 0);
  return box;
}

Box box_of(const Corners& corners, double margin) {
  Box box = Box::nothing();
  for (const Vec3& x : corners) box.include(x.c, 3, margin);
  return box;
}

double size_of(const Box& box) {
  double sum = 0;
  for (int i = 0; i < 3; ++i) sum += (box.high[i] - box.low[i]) * (box.high[i] - box.low[i]);
  return std::sqrt(sum);
}

/// Where a side of `a` crosses `b`, its ends farther than `depth` from the plane of b.
std::optional<Vec3> crossing(const Corners& a, const Corners& b, double depth) {
  const Vec3 along = b[1] - b[0], across = b[2] - b[0], area = cross(along, across);
  const double length = norm(area);
  if (!(length > 0)) return {};
  const Vec3 n = area / length;
  for (int k = 0; k < 3; ++k) {
    const Vec3 &from = a[static_cast<size_t>(k)], &to = a[static_cast<size_t>((k + 1) % 3)];
    const double before = dot(n, from - b[0]), after = dot(n, to - b[0]);
    if (before * after >= 0 || std::min(std::fabs(before), std::fabs(after)) <= depth) continue;
    const Vec3 at = from + (before / (before - after)) * (to - from), x = at - b[0];
    const double u = dot(cross(x, across), n) / length, v = dot(cross(along, x), n) / length;
    if (u >= 0 && v >= 0 && u + v <= 1) return at;
  }
  return {};
}

double distance(const Vec3& x, const Corners& t) {
  const Vec3 along = t[1] - t[0], across = t[2] - t[0], area = cross(along, across);
  const double length = norm(area);
  if (length > 0) {
    const Vec3 n = area / length, d = x - t[0];
    const double u = dot(cross(d, across), n) / length, v = dot(cross(along, d), n) / length;
    if (u >= 0 && v >= 0 && u + v <= 1) return std::fabs(dot(n, d));
  }
  double least = HUGE_VAL;
  for (int k = 0; k < 3; ++k) {
    const Vec3 &from = t[static_cast<size_t>(k)], side = t[static_cast<size_t>((k + 1) % 3)] - from;
    const double square = dot(side, side);
    const double share = square > 0 ? std::clamp(dot(x - from, side) / square, 0.0, 1.0) : 0.0;
    least = std::min(least, norm(x - from - share * side));
  }
  return least;
}

/// Whether corners of one lie on the other within the tolerance, or one crosses the other.
bool meet(const Corners& a, const Corners& b, double tolerance) {
  const auto lies_on = [&](const Corners& of, const Corners& on) {
    return std::ranges::any_of(of, [&](const Vec3& x) { return distance(x, on) <= tolerance; });
  };
  return lies_on(a, b) || lies_on(b, a) || crossing(a, b, 0) || crossing(b, a, 0);
}

/// test(triangle of a, triangle of b) of those whose boxes overlap, until one is found.
template <class Test>
auto first_of(const Triangles& a, const Triangles& b, double margin, Test test)
    -> decltype(test(a.front(), b.front())) {
  Box of_a = box_of(a), of_b = box_of(b);
  for (int i = 0; i < 3; ++i) {
    of_a.low[i] -= margin, of_a.high[i] += margin;
    of_b.low[i] -= margin, of_b.high[i] += margin;
  }
  if (!of_a.overlaps(of_b)) return {};
  std::vector<Box> boxes;
  std::vector<const Corners*> triangles;
  const auto gather = [&](const Triangles& from, const Box& within) {
    for (const Corners& corners : from)
      if (const Box box = box_of(corners, margin); box.overlaps(within)) {
        boxes.push_back(box);
        triangles.push_back(&corners);
      }
  };
  gather(a, of_b);
  const int count = static_cast<int>(boxes.size());
  gather(b, of_a);
  BoxTree tree;
  for (const auto& [i, j] : tree.overlaps(boxes))
    if (i < count && j >= count)
      if (auto found = test(*triangles[static_cast<size_t>(i)], *triangles[static_cast<size_t>(j)])) return found;
  return {};
}

}  // namespace

CrossingSurfaces::CrossingSurfaces(const Machine& machine) {
  if (machine.solids.size() + machine.plates.size() < 2) return;
  DrawnModel drawn = draw_model(machine, {});
  for (Drawable& drawable : drawn.drawing.drawables) {
    const std::string_view kind = std::string_view(drawable.name).substr(0, drawable.name.find('.'));
    if (drawable.kind != Drawable::Kind::surface || (kind != "solid" && kind != "membrane" && kind != "plate"))
      continue;
    Surface& surface = surfaces_.emplace_back(Surface{drawable.name, std::move(drawable.position), {}});
    for (size_t k = 0; k + 3 < drawable.quads.size(); k += 4) {
      const auto corner = [&](size_t i) { return static_cast<int>(drawable.quads[k + i]); };
      surface.triangles.push_back({corner(0), corner(1), corner(2)});
      surface.triangles.push_back({corner(0), corner(2), corner(3)});
    }
  }
  slots_ = std::move(drawn.drawing.slots);
  fixed_ = std::move(drawn.drawing.fixed);
}

std::vector<Vec3> CrossingSurfaces::vertices(const Surface& surface, std::span<const double> q) const {
  std::vector<Vec3> out(static_cast<size_t>(surface.position.size()));
  const SlotMap& map = surface.position;
  for (size_t v = 0; v < out.size(); ++v)
    for (std::uint32_t k = map.start[v]; k < map.start[v + 1]; ++k) {
      const std::uint32_t slot = map.slot[k];
      const double* x =
          slot < slots_.size() ? &q[static_cast<size_t>(slots_[slot].offset)] : fixed_[slot - slots_.size()].data();
      out[v] += static_cast<double>(map.weight[k]) * Vec3::load(x);
    }
  return out;
}

std::vector<CrossingSurfaces::Crossing> CrossingSurfaces::find(std::span<const double> q,
                                                               std::span<const double> start) const {
  const auto triangles_at = [&](const Surface& surface, std::span<const double> positions) {
    const std::vector<Vec3> x = vertices(surface, positions);
    Triangles out;
    for (const std::array<int, 3>& t : surface.triangles)
      out.push_back({x[static_cast<size_t>(t[0])], x[static_cast<size_t>(t[1])], x[static_cast<size_t>(t[2])]});
    return out;
  };
  std::vector<Triangles> now;
  for (const Surface& surface : surfaces_) now.push_back(triangles_at(surface, q));
  std::vector<Crossing> out;
  for (size_t i = 0; i < now.size(); ++i)
    for (size_t j = i + 1; j < now.size(); ++j) {
      const double size = std::max(size_of(box_of(now[i])), size_of(box_of(now[j])));
      const std::optional<Vec3> at = first_of(now[i], now[j], 0, [&](const Corners& a, const Corners& b) {
        const std::optional<Vec3> one = crossing(a, b, deep * size);
        return one ? one : crossing(b, a, deep * size);
      });
      if (!at) continue;
      const double near = touching * size;
      const bool met = first_of(triangles_at(surfaces_[i], start), triangles_at(surfaces_[j], start), near,
                                [&](const Corners& a, const Corners& b) { return meet(a, b, near); });
      if (!met) out.push_back({surfaces_[i].name, surfaces_[j].name, *at});
    }
  return out;
}

}  // namespace flexura
