#pragma once
// What contacts know of the collision geometry of a URDF file: spheres, and points, which are spheres of radius 0.

#include <array>
#include <vector>

#include "flexura/mesh/triangle_mesh.hpp"
#include "flexura/scene/urdf_robot.hpp"

namespace flexura {

struct UrdfContact {
  std::array<double, 3> center{};  ///< in the link's frame
  double radius = 0;               ///< [m]
};

/// Corners of a mesh, in metres and the frame of its geometry.
struct MeshCorners {
  static constexpr int most = 64;
  std::vector<std::array<double, 3>> points;
  double left_out =
      0;  ///< by how much the convex hull reaches beyond them [m]; above 0 where it has more corners than `most`
};

/// Of the convex hull of the points of a mesh.
MeshCorners corners_of(const TriangleMesh& mesh, const std::array<double, 3>& scale);

/// Of a sphere itself; of a box its eight corners, of a capsule the spheres of its ends, of a cylinder sixteen points on either rim, of a mesh
/// its corners: what of them can touch a plane, of a cylinder to 1.9 % of its radius.
std::vector<UrdfContact> contacts_of(const UrdfLook& collision, const MeshCorners& mesh = {});

}  // namespace flexura
