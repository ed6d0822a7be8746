#pragma once
// Surfaces in closed form as meshes: plates, tubes, cones, panels, rings, hemispheres. Lengths in m, angles in rad.

#include <functional>
#include <numbers>

#include "flexura/mesh/surface_grid.hpp"
#include "flexura/mesh/surface_path.hpp"

namespace flexura {

/// Rectangle in the XY plane from the origin, u along +X, v along +Y, normal +Z.
struct FlatPlate {
  double length = 1, width = 1;  ///< along X and Y
  int elements_u = 8, elements_v = 8;
  Grading grading_u = {}, grading_v = {};
  double warp = 0;  ///< see SurfaceGrid
  double distortion =
      0;  ///< inner nodes moved at random by up to this share of the smallest spacing, below 0.4; sides stay straight
  unsigned seed = 1;  ///< of the distortion
  std::function<double(double x, double y)> thickness = {};
};
SurfaceMesh make_mesh(const FlatPlate& plate);

/// A plate rolled along u: u is the arc length φ R, v runs along +Y. It leaves the origin along +X and bends towards +Z,
/// (R sin φ, y, R (1 − cos φ)); its normal points to the axis.
struct CylinderPanel {
  double radius = 1, angle = std::numbers::pi / 2, width = 1;
  int elements_u = 8, elements_v = 8;
  Grading grading_u = {}, grading_v = {};
  double warp = 0;
  std::function<double(double arc, double y)> thickness = {};
};
SurfaceMesh make_mesh(const CylinderPanel& panel);

/// Tube along a path: u = s is the arc length of the path, v the angle θ about it; c, n, b: see minimal_twist_frames.
///
///     r = c(s) + R(s) (cos θ n + sin θ b)
///     ∂r/∂s = (1 − R κ·(cos θ n + sin θ b)) t + R' (cos θ n + sin θ b)       exact, as n' = −(n·κ) t, b' = −(b·κ) t
///
/// Slice by slice; seen with the path towards the eye, each slice runs clockwise from the frame's "up", so that normals
/// point outward. All arcs of a slice share one parametric length with those of the others: neighbours conform.
struct LoftedTube {
  TubePath path = {};
  RadiusLaw radius = {};
  int along = 8, around = 16;           ///< elements along the path and about it
  double first_angle = 0;               ///< of the first node of each slice; half a spacing is pi/around
  double angle = 2 * std::numbers::pi;  ///< the full turn: a closed tube; less: a shell with edges "bottom", "top"
  Vec3 up{0, 0, 1};
  Grading grading = {}, grading_around = {};
  double warp = 0;
  std::function<double(double s, double theta)> thickness = {};
};
SurfaceMesh make_mesh(const LoftedTube& tube);

/// Straight tube from the origin along +X, slices from +Z on; a cylinder has equal radii.
struct Cone {
  double radius_start = 1, radius_end = 1, length = 1;
  int along = 8, around = 16;
  double first_angle = 0, angle = 2 * std::numbers::pi;
  Grading grading = {};
  double warp = 0;
  std::function<double(double x, double theta)> thickness = {};
};
SurfaceMesh make_mesh(const Cone& cone);

/// Part of a sphere about the origin from the XY plane up to a hole about +Z. u: azimuth from +X, v: latitude; normals
/// point outward. "start", "end": the first and last meridian; "bottom": equator; "top": rim of the hole.
struct Hemisphere {
  double radius = 10, hole = std::numbers::pi / 10;  ///< angle from +Z to the rim (18°)
  double from = 0, to = std::numbers::pi / 2;        ///< azimuths; a full turn closes it
  int elements_u = 8, elements_v = 8;
  Grading grading_u = {}, grading_v = {};
  double warp = 0;
};
SurfaceMesh make_mesh(const Hemisphere& hemisphere);

/// Flat ring in the XY plane about the origin, u along the radius, v: angle from +X; normal +Z. "start", "end": inner and
/// outer edge. Open after a full turn: slit along +X, its sides "bottom" (free to part) and "top" lie on each other.
struct Annulus {
  double inner = 6, outer = 10, angle = 2 * std::numbers::pi;
  bool closed = false;  ///< joined after a full turn
  int radial = 6, around = 30;
  Grading grading = {}, grading_around = {};  ///< along the radius and about the centre
  double warp = 0;
};
SurfaceMesh make_mesh(const Annulus& annulus);

/// Carries the mesh's X, Y, Z axes to `x`, `y`, `z` (right-handed unit vectors) and its origin to `origin`.
void move(SurfaceMesh& mesh, const Vec3& x, const Vec3& y, const Vec3& z, const Vec3& origin);

}  // namespace flexura
