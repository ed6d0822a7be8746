#pragma once
// The shapes of solid elements, and that of membranes, as meshes know them: names, faces, and the order of their nodes in files. Nodes and shape
// functions: element/solid_shape.hpp.

#include <array>
#include <span>
#include <string_view>

#include "flexura/element/solid_shape.hpp"

namespace flexura {

/// Nodes of a face: corners counter-clockwise seen from outside, then the middles of the sides between them in order, then the
/// middle of the face.
struct CellFace {
  int corners = 0;  ///< 3 or 4
  int count = 0;    ///< of all nodes
  std::array<int, 9> nodes{};
};

struct CellInfo {
  SolidKind kind{};
  std::string_view name;    ///< "hexahedra-20"
  std::string_view singly;  ///< "hexahedron of 20 nodes"
  int nodes = 0, corners = 0;
  bool is_simplex = false;  ///< a tetrahedron, or a membrane's triangle
  bool is_surface = false;  ///< the latter: its one face is itself, seen against its normal
  bool is_quadratic = false;
  int gmsh = 0;                                                  ///< its number as an element type of Gmsh
  std::array<int, most_solid_nodes> from_gmsh{};                 ///< place in Gmsh's order of each of our nodes
  std::array<std::array<double, 3>, most_solid_nodes> places{};  ///< (ξ, η, ζ) of the nodes
  std::array<double, 3> center{};                                ///< (ξ, η, ζ) of the mean of the corners
  std::array<CellFace, 6> faces{};
  int face_count = 0;
};

const CellInfo& cell_info(SolidKind kind);
/// Those of solids, all five.
std::span<const SolidKind> solid_kinds();

}  // namespace flexura
