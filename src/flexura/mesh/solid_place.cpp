#include "flexura/mesh/solid_place.hpp"

#include <algorithm>
#include <cmath>

namespace flexura {
namespace {

using Local = std::array<double, 3>;

/// The point of the cell nearest to x, in its own coordinates.
Local into_cell(const CellInfo& info, Local x) {
  if (!info.is_simplex) {
    for (double& c : x) c = std::clamp(c, 0.0, 1.0);
    return x;
  }
  if (info.is_surface) x[2] = 0;
  for (double& c : x) c = std::max(c, 0.0);
  double over = x[0] + x[1] + x[2] - 1;
  if (over <= 0) return x;
  // On the face opposite to corner 0: the same off all that are above 0.
  for (int round = 0; round < 3 && over > 0; ++round) {
    int above = 0;
    for (const double c : x) above += c > 0;
    const double each = over / above;
    for (double& c : x)
      if (c > 0) c = std::max(c - each, 0.0);
    over = x[0] + x[1] + x[2] - 1;
  }
  return x;
}

Vec3 solve3(const Vec3 (&columns)[3], const Vec3& b) {
  const double det = dot(columns[0], cross(columns[1], columns[2]));
  return {dot(b, cross(columns[1], columns[2])) / det, dot(columns[0], cross(b, columns[2])) / det,
          dot(columns[0], cross(columns[1], b)) / det};
}

/// Newton's method, and Gauss's where the place is outside: with what is at a bound held there.
Local nearest_in_element(const SolidMesh& mesh, int element, const Vec3& X) {
  const CellInfo& info = cell_info(mesh.elements[element].kind);
  Local free = info.center;
  for (int iteration = 0; iteration < 30; ++iteration) {
    const SolidPoint p = solid_point(mesh, element, free);
    if (!(p.jacobian() > 0)) break;
    Vec3 d = solve3(p.slope, X - p.position);
    if (info.is_surface) d[2] = 0;
    double step = 0;
    for (int i = 0; i < 3; ++i) free[i] += std::clamp(d[i], -0.5, 0.5), step = std::max(step, std::fabs(d[i]));
    if (step < 1e-13) break;
    for (double& c : free) c = std::clamp(c, -1.0, 2.0);
  }
  Local at = into_cell(info, free);
  double best = norm(solid_point(mesh, element, at).position - X);
  double rate = 1;
  for (int iteration = 0; iteration < 60 && best > 0 && rate > 1e-4; ++iteration) {  // along the steepest way
    const SolidPoint p = solid_point(mesh, element, at);
    Local next = at;
    for (int i = 0; i < 3; ++i) next[i] += rate * dot(p.slope[i], X - p.position) / dot(p.slope[i], p.slope[i]);
    next = into_cell(info, next);
    const double distance = norm(solid_point(mesh, element, next).position - X);
    if (distance < best * (1 - 1e-12)) {
      best = distance, at = next;
    } else {
      rate *= 0.5;
    }
  }
  return at;
}

/// Coordinates within rounding of a corner, a middle or a side are those.
void snap(Local& at) {
  for (double& c : at)
    for (const double bound : {0.0, 0.5, 1.0})
      if (std::fabs(c - bound) <= 1e-9) c = bound;
}

}  // namespace

SharedPlaces::SharedPlaces(const SolidMesh& mesh) : mesh_(mesh), around_(mesh.nodes.size()) {
  for (int e = 0; e < static_cast<int>(mesh.elements.size()); ++e)
    for (const int n : mesh.elements[e].all()) around_[n].push_back(e);
}

/// On a face, a side or at a node the functions of no other node count: another element has the place if it has those
/// nodes.
std::vector<PlaceInCell> SharedPlaces::of(const PlaceInCell& place) const {
  constexpr double rounding = 1e-9;
  const SolidCell& cell = mesh_.elements[place.element];
  const SolidFunctions shape = solid_functions(cell.kind, place.at[0], place.at[1], place.at[2]);
  std::vector<int> carriers;
  for (int a = 0; a < cell_info(cell.kind).nodes; ++a)
    if (std::fabs(shape.value[a]) > rounding) carriers.push_back(cell.nodes[a]);
  const Vec3 X = solid_point(mesh_, place.element, place.at).position;
  std::vector<PlaceInCell> out;
  for (const int e : around_[carriers[0]]) {
    if (e == place.element) {
      out.push_back(place);
      continue;
    }
    const std::span<const int> nodes = mesh_.elements[e].all();
    const auto has = [&](int node) { return std::ranges::find(nodes, node) != nodes.end(); };
    if (!std::ranges::all_of(carriers, has)) continue;
    if (carriers.size() == 1) {
      const auto own = static_cast<size_t>(std::ranges::find(nodes, carriers[0]) - nodes.begin());
      out.push_back({e, cell_info(mesh_.elements[e].kind).places[own]});
      continue;
    }
    Local at = nearest_in_element(mesh_, e, X);
    snap(at);
    const double size = norm(mesh_.nodes[nodes[1]] - mesh_.nodes[nodes[0]]);
    if (norm(solid_point(mesh_, e, at).position - X) <= 1e-6 * size) out.push_back({e, at});
  }
  return out;
}

PlaceInSolid nearest_place(const SolidMesh& mesh, const Vec3& X) {
  PlaceInSolid best;
  best.distance = HUGE_VAL;
  double size = 0;
  for (int e = 0; e < static_cast<int>(mesh.elements.size()); ++e) {
    Vec3 low = mesh.nodes[mesh.elements[e].nodes[0]], high = low;
    for (const int n : mesh.elements[e].all())
      for (int i = 0; i < 3; ++i) {
        low[i] = std::min(low[i], mesh.nodes[n][i]);
        high[i] = std::max(high[i], mesh.nodes[n][i]);
      }
    // A curved cell reaches beyond its nodes by less than a quarter of its size.
    const double wide = norm(high - low), margin = cell_info(mesh.elements[e].kind).is_quadratic ? 0.25 * wide : 0;
    double away = 0;
    for (int i = 0; i < 3; ++i) away += std::pow(std::max({low[i] - margin - X[i], X[i] - high[i] - margin, 0.0}), 2);
    if (std::sqrt(away) > best.distance || best.distance <= 1e-12 * size) continue;
    size = std::max(size, wide);
    const Local at = nearest_in_element(mesh, e, X);
    const double distance = norm(solid_point(mesh, e, at).position - X);
    if (distance < best.distance - 1e-12 * wide) best = {e, at, -1, distance};
  }
  if (best.element < 0) return best;
  const SolidCell& e = mesh.elements[best.element];
  const CellInfo& info = cell_info(e.kind);
  snap(best.at);
  if (best.distance <= 1e-9 * size) best.distance = 0;
  for (int a = 0; a < info.nodes; ++a)
    if (best.at == info.places[a]) best.node = e.nodes[a];
  return best;
}

}  // namespace flexura
