#include "flexura/mesh/surface_checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <numeric>

#include "flexura/element/surface_place.hpp"
#include "flexura/element/thin_plate_shape.hpp"
#include "flexura/mesh/coincident_nodes.hpp"
#include "flexura/mesh/finding_text.hpp"

namespace flexura {
namespace {

constexpr double degrees = 180 / std::numbers::pi;
constexpr double near = 1e-9;          // of the size: the same place
constexpr double most_gap = 1e-12;     // of the size: rounding of coordinates leaves some 1e-16
constexpr double least_normal = 1e-6;  // of the product of the gradients' lengths

void lower(ElementExtreme& extreme, double value, int element) {
  if (extreme.element < 0 || value < extreme.value) extreme = {value, element};
}
void raise(ElementExtreme& extreme, double value, int element) {
  if (extreme.element < 0 || value > extreme.value) extreme = {value, element};
}
double angle_between(const Vec3& a, const Vec3& b) { return std::atan2(norm(cross(a, b)), dot(a, b)); }

bool is_finite(const SurfaceNode& n) {
  double sum = n.thickness;
  for (int k = 0; k < 3; ++k) sum += n.position[k] + n.gradient_u[k] + n.gradient_v[k];
  return std::isfinite(sum);
}

bool sides_of_different_nodes(const SurfaceElement& e) {
  for (int a = 0; a < 4; ++a)
    for (int b = a + 1; b < 4; ++b)
      if (e.nodes[a] == e.nodes[b]) return false;
  return true;
}

/// Larger principal curvature at the centre of an element [1/m].
double curvature(const SurfaceMesh& mesh, int k) {
  const SurfaceElement& e = mesh.elements[k];
  constexpr ThinPlateShape shape = ThinPlateShape::at(0.5, 0.5);
  Vec3 h[5] = {};
  for (int c = 0; c < 4; ++c) {
    const SurfaceNode& n = mesh.nodes[e.nodes[c]];
    const CornerMap map = mesh.corner_map(k, c);
    const Vec3 x[3] = {n.position, e.length_u * (map.uu * n.gradient_u + map.uv * n.gradient_v),
                       e.length_v * (map.vu * n.gradient_u + map.vv * n.gradient_v)};
    for (int i = 0; i < 3; ++i)
      for (int d = 0; d < 5; ++d) h[d] += shape.d[3 * c + i][d] * x[i];
  }
  const SurfacePlace<double> s(h);
  const double mean = 0.5 * (s.b[0] * s.up[0] + s.b[1] * s.up[1] + 2 * s.b[2] * s.up[2]);
  const double gauss = (s.b[0] * s.b[1] - s.b[2] * s.b[2]) / (s.J * s.J);
  return std::fabs(mean) + std::sqrt(std::max(0.0, mean * mean - gauss));
}

void look_at_element(const SurfaceMesh& mesh, int k, SurfaceStatistics& out) {
  const double size = element_area(mesh, k);
  out.area += size;
  lower(out.smallest_area, size, k);
  raise(out.largest_area, size, k);
  const SurfaceElement& e = mesh.elements[k];
  double side[4];
  for (int c = 0; c < 4; ++c) {
    const Vec3& here = mesh.nodes[e.nodes[c]].position;
    const Vec3 next = mesh.nodes[e.nodes[(c + 1) % 4]].position - here;
    side[c] = norm(next);
    const SurfacePoint p = corner_point(mesh, k, c);
    const double angle = angle_between(p.along_u, p.along_v);
    lower(out.smallest_angle, angle, k);
    raise(out.largest_angle, angle, k);
  }
  const double a = side[0] + side[2], b = side[1] + side[3];
  raise(out.largest_aspect, std::min(a, b) > 0 ? std::max(a, b) / std::min(a, b) : HUGE_VAL, k);
  const SurfacePoint center = surface_point(mesh, k, 0.5, 0.5);
  const Vec3 normal = cross(center.along_u, center.along_v);
  for (const double x : {0.0, 1.0})
    for (const double y : {0.0, 1.0}) {
      const SurfacePoint p = surface_point(mesh, k, x, y);
      raise(out.largest_turn, angle_between(cross(p.along_u, p.along_v), normal), k);
    }
  if (!(size > 0) || is_folded(mesh, k)) {
    out.inverted.push_back(k);
    return;
  }
  double thickness = 0;
  for (const int n : e.nodes) thickness += 0.25 * mesh.nodes[n].thickness;
  raise(out.largest_bend, thickness * curvature(mesh, k), k);
}

/// Place at a share of a side, from its first node.
Vec3 on_side(const SurfaceMesh& mesh, const ElementSide& s, double share) {
  switch (s.side) {
    case 0:
      return surface_point(mesh, s.element, share, 0).position;
    case 1:
      return surface_point(mesh, s.element, 1, share).position;
    case 2:
      return surface_point(mesh, s.element, 1 - share, 1).position;
    default:
      return surface_point(mesh, s.element, 0, 1 - share).position;
  }
}

struct Owner {
  ElementSide side;
  bool ascending;
};

void look_at_sides(const SurfaceMesh& mesh, SurfaceStatistics& out) {
  std::map<std::pair<int, int>, std::vector<Owner>> sides;
  for (int e = 0; e < out.elements; ++e)
    for (int k = 0; k < 4; ++k) {
      const int a = mesh.elements[e].nodes[k], b = mesh.elements[e].nodes[(k + 1) % 4];
      if (a != b) sides[std::minmax(a, b)].push_back({{e, k}, a < b});
    }
  out.sides = static_cast<int>(sides.size());
  std::vector<int> part(mesh.nodes.size()), rim(mesh.nodes.size());
  std::iota(part.begin(), part.end(), 0);
  std::iota(rim.begin(), rim.end(), 0);
  const auto root = [](std::vector<int>& up, int n) {
    while (up[n] != n) n = up[n] = up[up[n]];
    return n;
  };
  std::vector<bool> on_rim(mesh.nodes.size(), false);
  for (const auto& [nodes, owners] : sides) {
    part[root(part, nodes.first)] = root(part, nodes.second);
    if (owners.size() == 1) {
      ++out.boundary_sides;
      rim[root(rim, nodes.first)] = root(rim, nodes.second);
      on_rim[nodes.first] = on_rim[nodes.second] = true;
    }
    if (owners.size() > 2) ++out.branched_sides;
    if (owners.size() == 2 && owners[0].ascending == owners[1].ascending) ++out.opposed_sides;
    for (size_t k = 1; k < owners.size(); ++k)
      for (const double share : {0.125, 0.375, 0.5, 0.625, 0.875}) {
        const double other = owners[k].ascending == owners[0].ascending ? share : 1 - share;
        const double gap = norm(on_side(mesh, owners[0].side, share) - on_side(mesh, owners[k].side, other));
        raise(out.largest_gap, gap, owners[k].side.element);
      }
  }
  std::vector<bool> used(mesh.nodes.size(), false);
  for (const SurfaceElement& e : mesh.elements)
    for (const int n : e.nodes) used[n] = true;
  for (int n = 0; n < out.nodes; ++n) {
    if (!used[n]) out.unused.push_back(n);
    if (used[n] && root(part, n) == n) ++out.parts;
    if (on_rim[n] && root(rim, n) == n) ++out.boundaries;
  }
  out.euler = out.nodes - static_cast<int>(out.unused.size()) - out.sides + out.elements;
}

}  // namespace

bool is_folded(const SurfaceMesh& mesh, int element) {
  const SurfacePoint center = surface_point(mesh, element, 0.5, 0.5);
  const Vec3 normal = cross(center.along_u, center.along_v);
  if (!sides_of_different_nodes(mesh.elements[element]) || !(norm(normal) > 0)) return true;
  for (int i = 0; i < 5; ++i)
    for (int j = 0; j < 5; ++j) {
      const SurfacePoint p = surface_point(mesh, element, i / 4.0, j / 4.0);
      if (!(dot(cross(p.along_u, p.along_v), normal) > 0)) return true;
    }
  return false;
}

SurfaceStatistics statistics(const SurfaceMesh& mesh) {
  SurfaceStatistics out;
  out.nodes = static_cast<int>(mesh.nodes.size());
  out.elements = static_cast<int>(mesh.elements.size());
  out.node_tags = mesh.node_tags, out.element_tags = mesh.element_tags;
  Vec3 low{HUGE_VAL, HUGE_VAL, HUGE_VAL}, high{-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
  for (int n = 0; n < out.nodes; ++n) {
    const SurfaceNode& node = mesh.nodes[n];
    const double product = norm(node.gradient_u) * norm(node.gradient_v);
    const bool good = is_finite(node) && norm(cross(node.gradient_u, node.gradient_v)) > least_normal * product;
    if (!good) out.bad_nodes.push_back(n);
    for (int k = 0; k < 3; ++k)
      low[k] = std::min(low[k], node.position[k]), high[k] = std::max(high[k], node.position[k]);
  }
  if (out.nodes == 0) return out;
  out.size = norm(high - low);
  for (int e = 0; e < out.elements; ++e) look_at_element(mesh, e, out);
  look_at_sides(mesh, out);
  std::vector<Vec3> places;
  for (const SurfaceNode& node : mesh.nodes) {
    constexpr double nowhere = std::numeric_limits<double>::quiet_NaN();
    places.push_back(is_finite(node) ? node.position : Vec3{nowhere, nowhere, nowhere});
  }
  out.coincident = coincident_nodes(places, near * out.size);
  return out;
}

std::string summary(const SurfaceStatistics& s) {
  return fmt::format(
      "{} elements, {} nodes, {:.6g} m^2; elements of {:.3g} to {:.3g} m^2, sides up to 1 : {:.3g}, corners from "
      "{:.3g} to "
      "{:.3g} degrees",
      s.elements, s.nodes, s.area, s.smallest_area.value, s.largest_area.value, s.largest_aspect.value,
      s.smallest_angle.value * degrees, s.largest_angle.value * degrees);
}

std::vector<MeshFinding> findings(const SurfaceMesh& mesh) { return findings(statistics(mesh)); }

std::vector<MeshFinding> findings(const SurfaceStatistics& s) {
  std::vector<MeshFinding> out;
  const auto error = [&](std::string message) { out.push_back({true, std::move(message)}); };
  const auto notice = [&](std::string message) { out.push_back({false, std::move(message)}); };
  const auto nodes = [&](const std::vector<int>& list) { return detail::numbers_of(list, s.node_tags); };
  const auto elements = [&](const std::vector<int>& list) { return detail::numbers_of(list, s.element_tags); };
  const auto element = [&](const ElementExtreme& x) { return elements({x.element}); };
  if (s.elements == 0) error("The mesh has no elements.");
  if (!s.bad_nodes.empty())
    error(fmt::format("{} no tangent plane, as a gradient is zero, not finite or parallel to the other: {}.",
                      detail::counted(s.bad_nodes.size(), "node has", "nodes have"), nodes(s.bad_nodes)));
  if (!s.inverted.empty())
    error(fmt::format("{} over itself or without area: {}.",
                      detail::counted(s.inverted.size(), "element is folded", "elements are folded"),
                      elements(s.inverted)));
  if (s.branched_sides > 0)
    error(fmt::format("{} more than two elements; shells that branch are not supported.",
                      detail::counted(s.branched_sides, "side has", "sides have")));
  if (s.largest_gap.value > most_gap * s.size)
    error(fmt::format("Gradients do not conform: the curves of a common side are up to {:.3g} m apart, at element {}.",
                      s.largest_gap.value, element(s.largest_gap)));
  if (s.opposed_sides > 0)
    error(
        fmt::format("Elements look to different faces across {}: pressure and the faces of stresses would change side.",
                    detail::counted(s.opposed_sides, "common side", "common sides")));
  if (!s.unused.empty())
    error(fmt::format("{} to no element: {}.", detail::counted(s.unused.size(), "node belongs", "nodes belong"),
                      nodes(s.unused)));
  if (!s.coincident.empty())
    notice(fmt::format("{} of nodes lie in one place and are not joined, as along a slit: first {} and {}.",
                       detail::counted(s.coincident.size(), "pair", "pairs"), nodes({s.coincident[0][0]}),
                       nodes({s.coincident[0][1]})));
  if (s.parts > 1) notice(fmt::format("The mesh consists of {} parts that are not joined.", s.parts));
  if (s.largest_aspect.value > 10)
    notice(
        fmt::format("Element {} is {:.3g} times as long as wide.", element(s.largest_aspect), s.largest_aspect.value));
  if (s.smallest_angle.value * degrees < 30 || s.largest_angle.value * degrees > 150)
    notice(fmt::format("Corners have {:.3g} to {:.3g} degrees, at elements {} and {}.",
                       s.smallest_angle.value * degrees, s.largest_angle.value * degrees, element(s.smallest_angle),
                       element(s.largest_angle)));
  if (s.largest_turn.value * degrees > 30)
    notice(fmt::format(
        "The normal turns by {:.3g} degrees from the centre of element {} to its corner: the mesh is coarse "
        "for its curvature, or a crease was smoothed.",
        s.largest_turn.value * degrees, element(s.largest_turn)));
  if (s.elements > 0 && s.largest_area.value > 1000 * s.smallest_area.value)
    notice(fmt::format("Elements differ in area by a factor of {:.3g}: smallest {}, largest {}.",
                       s.largest_area.value / s.smallest_area.value, element(s.smallest_area),
                       element(s.largest_area)));
  return out;
}

}  // namespace flexura
