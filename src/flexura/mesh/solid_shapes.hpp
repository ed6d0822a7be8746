#pragma once
// Solids in closed form as meshes: block, cylinder, tube. Lengths in m, angles in rad, axes along Z.
//
// Every cell of the grid is one hexahedron, or six tetrahedra about its diagonal. Middles of sides and faces lie on the shape
// itself, so that quadratic elements are curved where it is.

#include <numbers>

#include "flexura/mesh/solid_mesh.hpp"
#include "flexura/mesh/surface_grid.hpp"

namespace flexura {

/// From the origin along X, Y, Z; u, v, w are the shares of these lengths. Sets of faces: left and right (X), front and back (Y),
/// bottom and top (Z).
struct Block {
  std::array<double, 3> size{1, 1, 1};  ///< [m]
  std::array<int, 3> elements{4, 4, 4};
  std::array<Grading, 3> grading = {};
  SolidKind kind = SolidKind::hexahedron_20;
};
SolidMesh make_mesh(const Block& block);

/// About Z from the XY plane up. u is the share of the way from the axis to the side, v that of the turn from X, w that of the
/// height. A square core of (around/4)² elements, its sides bulged, and `radial` rings about it. Sets of faces: side, bottom,
/// top.
struct Cylinder {
  double radius = 1, height = 1;  ///< [m]
  int radial = 2, around = 8, along = 4;
  Grading grading_along = {};
  SolidKind kind = SolidKind::hexahedron_20;
};
SolidMesh make_mesh(const Cylinder& cylinder);

/// About Z from the XY plane up, of radius `inner` to `outer`. u is the share of the wall from inside, v that of the angle from
/// X, w that of the height. Sets of faces: inner, outer, bottom, top; of less than the full turn start (at X) and end.
struct ThickTube {
  double inner = 0.5, outer = 1, height = 1;  ///< [m]
  double angle = 2 * std::numbers::pi;        ///< less than the full turn: a part of it
  int radial = 2, around = 16, along = 4;
  std::array<Grading, 3> grading = {};  ///< across the wall, around, along
  SolidKind kind = SolidKind::hexahedron_20;
};
SolidMesh make_mesh(const ThickTube& tube);

inline constexpr int most_solid_elements = 1000000;  ///< of one mesh

}  // namespace flexura
