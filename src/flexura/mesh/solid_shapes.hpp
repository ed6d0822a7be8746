#pragma once
// Solids in closed form as meshes: block, cylinder, tube, sphere, finger, what a map makes of a block. Lengths in m, angles in rad, axes along Z.
//
// Every cell of the grid is one hexahedron, or six tetrahedra about its diagonal. Middles of sides and faces lie on the shape
// itself, so that quadratic elements are curved where it is.

#include <functional>
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

/// What r(u, v, w) makes of a block: ∂r/∂u, ∂r/∂v, ∂r/∂w right-handed everywhere. Sets of faces: left and right (ends of u), front and back
/// (v), bottom and top (w); where v is closed, r(u, v_last, w) = r(u, v_first, w), neither front nor back. Set of elements: layer.
struct MappedBlock {
  std::function<Vec3(double u, double v, double w)> map = {};  ///< [m]
  std::array<double, 3> from{0, 0, 0}, to{1, 1, 1};            ///< of u, v, w
  bool closed_v = false;
  std::function<double(double u, double v, double w)> layer =
      {};  ///< above 0 in the middle of its elements; none: no set
  std::array<int, 3> elements{4, 4, 4};
  std::array<Grading, 3> grading = {};
  SolidKind kind = SolidKind::hexahedron_20;
};
SolidMesh make_mesh(const MappedBlock& block);

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

/// About the origin, of radius `inner` to `outer`: whole, the half above the XY plane, or the octant of X, Y, Z > 0. Sides of a cube
/// spread over the sphere. u is the share of the wall from inside, v that of the turn about Z from X, w that of the angle of
/// elevation. Sets of faces: inner, outer, and where it is cut left (X), front (Y), bottom (Z).
struct HollowSphere {
  enum class Part { full, half, octant };
  double inner = 0.9, outer = 1;  ///< [m]
  Part part = Part::full;
  int radial = 1, along_quarter = 8;  ///< even
  Grading grading = {};
  SolidKind kind = SolidKind::hexahedron_20;
};
SolidMesh make_mesh(const HollowSphere& sphere);

/// A soft finger along X that bends towards −Z when air is let in: pockets in a row over a bottom, joined by a channel.
///
///      z ↑    ┌────┐ ┌────┐ ┌────┐  roof
///      ┌──────┤    │ │    │ │    ├──┐
///      │ base │  pocket  wall gap  tip       width along Y, the middle at Y = 0
///      │      └──·channel·──··─┘   │  bottom
///      └───────────────────────────┘  layer: the lowest part of the bottom
///
/// u, v, w are the shares of its length, width and height. Sets: base, tip, bottom, top, front, back (X, Z, Y), cavity: all walls of
/// pockets and channel; without a channel also pocket_1, …; layer: its elements. The half of Y > 0 has middle in place of front.
struct PneumaticFinger {
  enum class Part { full, half };
  int pockets = 6;
  double pocket = 8e-3, gap = 2e-3, wall = 1.5e-3;  ///< lengths along X, inside of a pocket and between two [m]
  double width = 16e-3, height = 16e-3;             ///< outside [m]
  double side = 2e-3, roof = 2e-3, bottom = 3e-3;   ///< thicknesses [m]
  double layer = 0;                                 ///< thickness; 0: none [m]
  double base = 8e-3, tip = 4e-3;                   ///< lengths of the ends [m]
  std::array<double, 2> channel{4e-3, 2e-3};        ///< width and height; 0: pockets are apart [m]
  Part part = Part::full;
  std::array<int, 3> elements{2, 3, 2};  ///< along a pocket, across it, up it
  SolidKind kind = SolidKind::hexahedron_20;

  bool has_channel() const { return channel[0] > 0; }
  double inside_height() const { return height - bottom - roof; }
};
SolidMesh make_mesh(const PneumaticFinger& finger);

inline constexpr int most_solid_elements = 1000000;  ///< of one mesh

}  // namespace flexura
