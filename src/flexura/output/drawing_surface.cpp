// Plates: places of their elements close enough to look smooth.

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "flexura/output/drawing_builder.hpp"

namespace flexura::detail {
namespace {

constexpr int most_vertices = 12000;

/// Divisions of an element's sides: four where there are few, one where there are many.
int divisions(size_t elements) {
  const double n = std::sqrt(static_cast<double>(most_vertices) / static_cast<double>(std::max<size_t>(elements, 1)));
  return std::clamp(static_cast<int>(n), 1, 4);
}

/// Where an element is read for a vertex at xi: drawn in so that its corners are read at the points of the 2 x 2 Gauss rule.
/// There stresses of displacements are best (Barlow 1976); between these points and the sides the membrane force of a curved
/// element swings about the true one, and a thin shell came out blotched. Where elements meet their mean is drawn; at an edge
/// of the plate what two of the points say there, straight on.
double read_at(double xi) { return 0.5 + (xi - 0.5) / std::sqrt(3.0); }

}  // namespace

void DrawingBuilder::add_plate(int index) {
  const PlatePart& plate = machine_.plates[index];
  const SurfaceMesh& mesh = plate.mesh;
  Drawable& surface = begin(Drawable::Kind::surface, "plate." + plate.name, "plate");
  surface.field = drawing_.field_points;
  const int n = divisions(mesh.elements.size());
  // A vertex is known by its corner or by its side and place on it, so that elements share those between them.
  using Key = std::tuple<int, int, int>;
  std::map<Key, std::uint32_t> known;
  std::vector<DrawnPlaces::FieldPoint> points;
  std::vector<MaterialPlace> places;
  std::map<std::pair<int, int>, int> sides;  // how many elements have them
  for (const SurfaceElement& element : mesh.elements)
    for (int k = 0; k < 4; ++k) ++sides[std::minmax(element.nodes[k], element.nodes[(k + 1) % 4])];
  for (size_t e = 0; e < mesh.elements.size(); ++e) {
    const std::array<int, 4>& nodes = mesh.elements[e].nodes;
    const ItemPlace element = item(plate.model.elements[e].name);
    const auto side_key = [&](int a, int b, int k) {  // k-th of n places from node a to node b
      return nodes[a] < nodes[b] ? Key{nodes[a], nodes[b], k} : Key{nodes[b], nodes[a], n - k};
    };
    const auto is_edge = [&](int side) { return sides.at(std::minmax(nodes[side], nodes[(side + 1) % 4])) == 1; };
    const bool edge_below = is_edge(0), edge_right = is_edge(1), edge_above = is_edge(2), edge_left = is_edge(3);
    std::vector<std::uint32_t> grid;
    for (int j = 0; j <= n; ++j)
      for (int i = 0; i <= n; ++i) {
        const bool left = i == 0, right = i == n, below = j == 0, above = j == n;
        Key key{-1 - static_cast<int>(e), i, j};
        if ((left || right) && (below || above)) {
          key = {nodes[below ? (left ? 0 : 1) : (left ? 3 : 2)], -1, 0};
        } else if (below || above) {
          key = below ? side_key(0, 1, i) : side_key(3, 2, i);
        } else if (left || right) {
          key = left ? side_key(0, 3, j) : side_key(1, 2, j);
        }
        const auto [at, fresh] = known.emplace(key, static_cast<std::uint32_t>(points.size()));
        const double xi = static_cast<double>(i) / n, eta = static_cast<double>(j) / n;
        if (fresh) {
          points.emplace_back().on_plate = true;
          points.back().plate = index;
          places.push_back(
              {.on = MaterialPlace::On::plate, .part = index, .element = static_cast<int>(e), .xi = xi, .eta = eta});
          double factor = 0;
          const double share[4] = {(1 - xi) * (1 - eta), xi * (1 - eta), xi * eta, (1 - xi) * eta};
          for (int c = 0; c < 4; ++c) factor += share[c] * mesh.nodes[nodes[c]].thickness;
          surface.thickness.push_back(factor * plate.thickness);
        }
        DrawnPlaces::FieldPoint& point = points[at->second];
        const bool across_u = (left && edge_left) || (right && edge_right);
        const bool across_v = (below && edge_below) || (above && edge_above);
        const double u = read_at(xi), v = read_at(eta);
        point.inside.push_back({element.batch, element.item, u, v});
        point.deeper.push_back({element.batch, element.item, across_u ? 1 - u : u, across_v ? 1 - v : v});
        point.at_edge |= across_u || across_v;
        grid.push_back(at->second);
      }
    const int line = n + 1;
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i)
        for (const int corner : {j * line + i, j * line + i + 1, (j + 1) * line + i + 1, (j + 1) * line + i})
          surface.quads.push_back(grid[corner]);
  }
  for (size_t k = 0; k < points.size(); ++k) {
    const DrawnForm position = drawn(plate_form(plate, places[k], Carried::point));
    row(surface.position, position);
    row(surface.tangent, drawn(plate_form(plate, places[k], Carried::along)));
    row(surface.second, drawn(plate_form(plate, places[k], Carried::across)));
    add_field_point(position, points[k]);
  }
  surface.field_count = surface.position.size();
}

}  // namespace flexura::detail
