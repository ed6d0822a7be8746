#include "flexura/mesh/solid_cell.hpp"

#include <algorithm>

namespace flexura {
namespace {

using CellPlace = std::array<double, 3>;
using CellSide = std::array<int, 2>;

constexpr CellSide gmsh_hexahedron_sides[12] = {{0, 1}, {0, 3}, {0, 4}, {1, 2}, {1, 5}, {2, 3},
                                                {2, 6}, {3, 7}, {4, 5}, {4, 7}, {5, 6}, {6, 7}};
constexpr CellSide gmsh_tetrahedron_sides[6] = {{0, 1}, {1, 2}, {2, 0}, {3, 0}, {2, 3}, {1, 3}};
constexpr CellPlace gmsh_hexahedron_middles[7] = {{0.5, 0.5, 0}, {0.5, 0, 0.5}, {0, 0.5, 0.5},  {1, 0.5, 0.5},
                                                  {0.5, 1, 0.5}, {0.5, 0.5, 1}, {0.5, 0.5, 0.5}};

constexpr int hexahedron_faces[6][4] = {{0, 4, 7, 3}, {1, 2, 6, 5}, {0, 1, 5, 4},
                                        {3, 7, 6, 2}, {0, 3, 2, 1}, {4, 5, 6, 7}};
constexpr int tetrahedron_faces[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}};
constexpr int triangle_face[3] = {0, 1, 2};

CellPlace halfway(const CellPlace& a, const CellPlace& b) {
  return {0.5 * (a[0] + b[0]), 0.5 * (a[1] + b[1]), 0.5 * (a[2] + b[2])};
}

CellFace face_of(std::span<const int> corners, std::span<const CellPlace> places) {
  CellFace face;
  const auto add = [&](const CellPlace& at) {
    const auto found = std::find(places.begin(), places.end(), at);
    if (found != places.end()) face.nodes[face.count++] = static_cast<int>(found - places.begin());
  };
  face.corners = static_cast<int>(corners.size());
  for (const int k : corners) add(places[k]);
  for (size_t k = 0; k < corners.size(); ++k)
    add(halfway(places[corners[k]], places[corners[(k + 1) % corners.size()]]));
  if (corners.size() == 4) add(halfway(places[corners[0]], places[corners[2]]));
  return face;
}

/// (ξ, η, ζ) of the nodes in Gmsh's order.
std::array<CellPlace, most_solid_nodes> gmsh_places(const CellInfo& info) {
  std::array<CellPlace, most_solid_nodes> out{};
  int k = 0;
  for (; k < info.corners; ++k) out[k] = info.places[k];
  const auto add_sides = [&](std::span<const CellSide> sides) {
    for (const auto& [a, b] : sides)
      if (k < info.nodes) out[k++] = halfway(info.places[a], info.places[b]);
  };
  add_sides(info.is_simplex ? std::span<const CellSide>(gmsh_tetrahedron_sides) : gmsh_hexahedron_sides);
  for (const CellPlace& middle : gmsh_hexahedron_middles)
    if (k < info.nodes) out[k++] = middle;
  return out;
}

CellInfo make_info(SolidKind kind, std::string_view name, std::string_view singly, int gmsh) {
  CellInfo info{.kind = kind, .name = name, .singly = singly, .nodes = node_count(kind), .gmsh = gmsh};
  info.is_simplex = !is_hexahedron(kind);
  info.is_surface = is_surface(kind);
  info.corners = info.is_surface ? 3 : info.is_simplex ? 4 : 8;
  info.is_quadratic = info.nodes > info.corners;
  for (int k = 0; k < info.nodes; ++k) info.places[k] = solid_node(kind, k);
  const double middle = info.is_simplex ? 0.25 : 0.5;
  info.center = info.is_surface ? CellPlace{1.0 / 3, 1.0 / 3, 0} : CellPlace{middle, middle, middle};
  const std::span<const CellPlace> places(info.places.data(), info.nodes);
  if (info.is_surface) {
    for (int k = 0; k < info.nodes; ++k) info.from_gmsh[k] = k;
    info.face_count = 1;
    info.faces[0] = face_of(triangle_face, places);
    return info;
  }
  const auto theirs = gmsh_places(info);
  for (int k = 0; k < info.nodes; ++k)
    info.from_gmsh[k] =
        static_cast<int>(std::find(theirs.begin(), theirs.begin() + info.nodes, info.places[k]) - theirs.begin());
  info.face_count = info.is_simplex ? 4 : 6;
  for (int f = 0; f < info.face_count; ++f)
    info.faces[f] = info.is_simplex ? face_of(tetrahedron_faces[f], places) : face_of(hexahedron_faces[f], places);
  return info;
}

}  // namespace

const CellInfo& cell_info(SolidKind kind) {
  using enum SolidKind;
  static const std::array<CellInfo, 6> rows{make_info(hexahedron_8, "hexahedra-8", "hexahedron of 8 nodes", 5),
                                            make_info(hexahedron_20, "hexahedra-20", "hexahedron of 20 nodes", 17),
                                            make_info(hexahedron_27, "hexahedra-27", "hexahedron of 27 nodes", 12),
                                            make_info(tetrahedron_4, "tetrahedra-4", "tetrahedron of 4 nodes", 4),
                                            make_info(tetrahedron_10, "tetrahedra-10", "tetrahedron of 10 nodes", 11),
                                            make_info(triangle_3, "triangles-3", "triangle of 3 nodes", 2)};
  return rows[static_cast<size_t>(kind)];
}

std::span<const SolidKind> solid_kinds() {
  using enum SolidKind;
  static constexpr SolidKind all[] = {hexahedron_8, hexahedron_20, hexahedron_27, tetrahedron_4, tetrahedron_10};
  return all;
}

}  // namespace flexura
