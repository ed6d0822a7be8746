#pragma once
// Masses and moments of inertia of URDF files that no link can have or move with, and what is near them.

#include <array>
#include <functional>
#include <string>
#include <vector>

#include "flexura/scene/urdf_robot.hpp"

namespace flexura {

/// Of moments and products xx, yy, zz, xy, yz, xz [kg m²] the nearest that a mass can have: second moments ∫ x xᵀ dm = ½ tr(J) I − J
/// whose principal values are `least` or more, those with which the Frobenius norm of the change is least [higham1988].
std::array<double, 6> nearest_inertia(const std::array<double, 6>& inertia, double least = 0);

/// Gives every link that is in need of it (UrdfLink::mend) moments that a mass can have, and those that move without mass or without
/// inertia a millionth of the robot's mass and the inertia of a sphere with a radius of gyration of a thousandth of `extent` [m]. Second
/// moments that are mended are no smaller than that sphere's: a rod could not turn about itself.
/// `moves_without` is asked of a link's index. Returns what was changed, a text for each link.
std::vector<std::string> mend_inertia(UrdfRobot& robot, double extent,
                                      const std::function<bool(std::size_t)>& moves_without);

}  // namespace flexura
