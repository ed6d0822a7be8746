#pragma once
// What contacts know of the collision geometry of a URDF file: spheres, and points, which are spheres of radius 0.

#include <array>
#include <vector>

#include "flexura/scene/urdf_robot.hpp"

namespace flexura {

struct UrdfContact {
  std::array<double, 3> center{};  ///< in the link's frame
  double radius = 0;               ///< [m]
};

/// Of a sphere itself; of a box its eight corners, of a capsule the spheres of its ends, of a cylinder sixteen points on either rim: what
/// of them can touch a plane, of a cylinder to 1.9 % of its radius. Of a mesh nothing.
std::vector<UrdfContact> contacts_of(const UrdfLook& collision);

}  // namespace flexura
