#include "flexura/run/crossing_surfaces.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <optional>
#include <utility>

#include "flexura/math/box_tree.hpp"
#include "flexura/output/draw_model.hpp"

namespace flexura {
namespace {

constexpr double deep = 1e-5;  ///< of the smaller surface's size: by which solids are made smaller
constexpr double weights =
    3e-7;  ///< of the largest coordinate: rounding of the drawing's weights, which are single precision
constexpr double thin = 0.1;       ///< of the shortest side at a corner, by which a solid is made smaller there at most
constexpr double grazing = 1e-9;   ///< beyond a triangle's sides, of their lengths
constexpr double touching = 1e-4;  ///< of the larger surface's size: at the start

/// By how much more the second of two surfaces is made smaller: at a box's corner, where its faces move by 1/√3 of the distance,
/// more than the first anywhere.
constexpr double farther = 3;
/// Moves one of two surfaces without thickness, in which rows of vertices may lie in the other's plane: oblique to what is usual.
constexpr double oblique[3] = {0.27, 0.33, 0.25};
constexpr double parallel = 0.1;  ///< of the distance: how far the ends of a side must then be from the other's plane

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
std::optional<Vec3> triangle_crossing(const Corners& a, const Corners& b, double depth) {
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
    if (u >= -grazing && v >= -grazing && u + v <= 1 + grazing) return at;
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
    const double along_side = square > 0 ? std::clamp(dot(x - from, side) / square, 0.0, 1.0) : 0.0;
    least = std::min(least, norm(x - from - along_side * side));
  }
  return least;
}

/// Whether corners of one lie on the other within the tolerance, or one crosses the other.
bool triangles_meet(const Corners& a, const Corners& b, double tolerance) {
  const auto lies_on = [&](const Corners& of, const Corners& on) {
    return std::ranges::any_of(of, [&](const Vec3& x) { return distance(x, on) <= tolerance; });
  };
  return lies_on(a, b) || lies_on(b, a) || triangle_crossing(a, b, 0) || triangle_crossing(b, a, 0);
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

/// Σ of the solid angles of the triangles seen from x, of 4π: ±1 inside a closed surface, 0 outside (Van Oosterom and Strackee 1983).
double winding(const Triangles& triangles, const Vec3& x) {
  double sum = 0;
  for (const Corners& t : triangles) {
    const Vec3 a = t[0] - x, b = t[1] - x, c = t[2] - x;
    const double la = norm(a), lb = norm(b), lc = norm(c);
    sum += std::atan2(dot(a, cross(b, c)), la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb);
  }
  return sum / (2 * std::numbers::pi);
}

bool lies_inside(const Triangles& inner, const Triangles& outer) {
  const Box in = box_of(inner), out = box_of(outer);
  for (int i = 0; i < 3; ++i)
    if (in.low[i] < out.low[i] || in.high[i] > out.high[i]) return false;
  return std::fabs(winding(outer, inner[0][0])) > 0.5;
}

double angle_between(const Vec3& a, const Vec3& b) { return std::atan2(norm(cross(a, b)), dot(a, b)); }

Box box_of(const std::vector<Vec3>& points) {
  Box box = Box::nothing();
  for (const Vec3& x : points) box.include(x.c, 3, 0);
  return box;
}

}  // namespace

CrossingSurfaces::CrossingSurfaces(const Machine& machine) {
  if (machine.solids.size() + machine.plates.size() < 2) return;
  start_ = machine.model.values.q0;
  DrawnModel drawn = draw_model(machine, {});
  slots_ = std::move(drawn.drawing.slots);
  fixed_ = std::move(drawn.drawing.fixed);
  for (Drawable& drawable : drawn.drawing.drawables) {
    const std::string_view kind = std::string_view(drawable.name).substr(0, drawable.name.find('.'));
    if (drawable.kind == Drawable::Kind::surface && (kind == "solid" || kind == "membrane" || kind == "plate"))
      add(drawable.name, kind == "solid", std::move(drawable.position), drawable.quads);
  }
  x_.resize(surfaces_.size());
  met_.assign(surfaces_.size(), std::vector<char>(surfaces_.size(), 0));
}

void CrossingSurfaces::add(std::string name, bool is_solid, SlotMap position, std::span<const std::uint32_t> quads) {
  Surface& surface = surfaces_.emplace_back(Surface{std::move(name), is_solid, std::move(position), {}, {}, {}});
  for (size_t k = 0; k + 3 < quads.size(); k += 4) {
    const auto corner = [&](size_t i) { return static_cast<int>(quads[k + i]); };
    surface.triangles.push_back({corner(0), corner(1), corner(2)});
    surface.triangles.push_back({corner(0), corner(2), corner(3)});
  }
  find_edges(surface);
}

/// Drawn surfaces have several vertices at the corners of solids, one for each normal.
void CrossingSurfaces::find_edges(Surface& surface) const {
  std::vector<Vec3> x;
  place(surface, start_, x);
  const double cell = 1e-6 * size_of(box_of(x));
  std::map<std::array<long long, 3>, int> corners;
  for (const Vec3& at : x) {
    std::array<long long, 3> key{};
    for (int i = 0; i < 3 && cell > 0; ++i) key[static_cast<size_t>(i)] = std::llround((at[i] - x[0][i]) / cell);
    surface.corner.push_back(corners.try_emplace(key, static_cast<int>(corners.size())).first->second);
  }
  if (surface.is_solid) return;
  std::map<std::pair<int, int>, int> triangles_at;
  const auto side = [&](const std::array<int, 3>& t, size_t k) {
    return std::minmax(surface.corner[static_cast<size_t>(t[k])], surface.corner[static_cast<size_t>(t[(k + 1) % 3])]);
  };
  for (const std::array<int, 3>& t : surface.triangles)
    for (size_t k = 0; k < 3; ++k) ++triangles_at[side(t, k)];
  for (const std::array<int, 3>& t : surface.triangles)
    for (size_t k = 0; k < 3; ++k)
      if (triangles_at[side(t, k)] == 1) surface.edges.push_back({t[k], t[(k + 1) % 3], t[(k + 2) % 3]});
}

void CrossingSurfaces::place(const Surface& surface, std::span<const double> q, std::vector<Vec3>& out) const {
  const SlotMap& map = surface.position;
  out.assign(static_cast<size_t>(map.size()), Vec3{});
  for (size_t v = 0; v < out.size(); ++v)
    for (std::uint32_t k = map.start[v]; k < map.start[v + 1]; ++k) {
      const std::uint32_t slot = map.slot[k];
      const double* x =
          slot < slots_.size() ? &q[static_cast<size_t>(slots_[slot].offset)] : fixed_[slot - slots_.size()].data();
      out[v] += static_cast<double>(map.weight[k]) * Vec3::load(x);
    }
}

void CrossingSurfaces::place_all(std::span<const double> q) {
  for (size_t k = 0; k < surfaces_.size(); ++k) place(surfaces_[k], q, x_[k]);
}

/// A solid with its faces moved inwards, a plate or membrane with its edges drawn in, and all of it moved.
std::vector<std::array<Vec3, 3>> CrossingSurfaces::smaller(const Surface& surface, const std::vector<Vec3>& x,
                                                           double distance, const Vec3& moved) const {
  const auto at = [&x](int vertex) { return x[static_cast<size_t>(vertex)]; };
  const auto corner = [&surface](int vertex) {
    return static_cast<size_t>(surface.corner[static_cast<size_t>(vertex)]);
  };
  std::vector<Vec3> inwards(x.size(), Vec3{});
  std::vector<double> shortest(x.size(), HUGE_VAL);
  if (surface.is_solid) {
    double volume = 0;
    for (const auto& [a, b, c] : surface.triangles) volume += dot(at(a) - at(0), cross(at(b) - at(0), at(c) - at(0)));
    const double outwards = volume < 0 ? -1 : 1;
    for (const std::array<int, 3>& t : surface.triangles) {
      const Vec3 area = cross(at(t[1]) - at(t[0]), at(t[2]) - at(t[0]));
      const double length = norm(area);
      if (!(length > 0)) continue;
      for (size_t k = 0; k < 3; ++k) {
        const Vec3 here = at(t[k]), next = at(t[(k + 1) % 3]) - here, last = at(t[(k + 2) % 3]) - here;
        inwards[corner(t[k])] += -outwards * angle_between(next, last) / length * area;
        double& least = shortest[corner(t[k])];
        least = std::min({least, norm(next), norm(last)});
      }
    }
  }
  for (const auto& [a, b, third] : surface.edges) {
    const Vec3 along = at(b) - at(a), off = at(third) - at(a);
    const Vec3 across = off - dot(off, along) / std::max(dot(along, along), 1e-300) * along;
    const Vec3 unit = across / std::max(norm(across), 1e-300);
    inwards[corner(a)] += unit;
    inwards[corner(b)] += unit;
  }
  std::vector<Vec3> placed(x.begin(), x.end());
  for (size_t v = 0; v < x.size(); ++v) {
    const size_t c = static_cast<size_t>(surface.corner[v]);
    const double length = norm(inwards[c]);
    constexpr double cancelled = 1e-3;  // both sides of a slit
    placed[v] += moved;
    if (length > cancelled) placed[v] += std::min(distance, thin * shortest[c]) / length * inwards[c];
  }
  std::vector<std::array<Vec3, 3>> out;
  out.reserve(surface.triangles.size());
  for (const auto& [a, b, c] : surface.triangles)
    out.push_back({placed[static_cast<size_t>(a)], placed[static_cast<size_t>(b)], placed[static_cast<size_t>(c)]});
  return out;
}

/// Where both cross, or where one begins that lies inside the other.
std::optional<Vec3> CrossingSurfaces::crossing(size_t first, size_t second) const {
  const Box a = box_of(x_[first]), b = box_of(x_[second]);
  if (!a.overlaps(b)) return {};
  double largest = 0;
  for (const Box& box : {a, b})
    for (int i = 0; i < 3; ++i) largest = std::max({largest, std::fabs(box.low[i]), std::fabs(box.high[i])});
  const double distance = deep * std::min(size_of(a), size_of(b)) + weights * largest;
  const bool solid = surfaces_[first].is_solid || surfaces_[second].is_solid;
  const Vec3 moved = solid ? Vec3{} : distance * Vec3::load(oblique);
  const Triangles one = smaller(surfaces_[first], x_[first], distance, moved),
                  other = smaller(surfaces_[second], x_[second], farther * distance, {});
  const double depth = solid ? 1e-3 * distance : parallel * distance;
  const std::optional<Vec3> at = first_of(one, other, 0, [&](const Corners& s, const Corners& t) {
    const std::optional<Vec3> found = triangle_crossing(s, t, depth);
    return found ? found : triangle_crossing(t, s, depth);
  });
  if (at) return at;
  if (surfaces_[second].is_solid && lies_inside(one, other)) return one[0][0];
  if (surfaces_[first].is_solid && lies_inside(other, one)) return other[0][0];
  return {};
}

/// Whether both touch or cross.
bool CrossingSurfaces::meet(size_t first, size_t second) const {
  const double size = std::max(size_of(box_of(x_[first])), size_of(box_of(x_[second]))), near = touching * size;
  const auto triangles = [&](size_t k) { return smaller(surfaces_[k], x_[k], 0, {}); };
  return first_of(triangles(first), triangles(second), near,
                  [&](const Corners& a, const Corners& b) { return triangles_meet(a, b, near); }) ||
         crossing(first, second);
}

std::vector<CrossingSurfaces::Crossing> CrossingSurfaces::find(std::span<const double> q) {
  std::vector<Crossing> out;
  if (surfaces_.size() < 2) return out;
  place_all(q);
  std::vector<std::pair<size_t, size_t>> pairs;
  for (size_t i = 0; i < surfaces_.size(); ++i)
    for (size_t j = i + 1; j < surfaces_.size(); ++j) {
      if (met_[i][j] != 0) continue;
      const std::optional<Vec3> at = crossing(i, j);
      if (!at) continue;
      met_[i][j] = 1;
      out.push_back({surfaces_[i].name, surfaces_[j].name, *at});
      pairs.emplace_back(i, j);
    }
  if (out.empty()) return out;
  place_all(start_);
  for (size_t k = pairs.size(); k-- > 0;)
    if (meet(pairs[k].first, pairs[k].second)) out.erase(out.begin() + static_cast<std::ptrdiff_t>(k));
  return out;
}

}  // namespace flexura
