#pragma once
// Joints of bodies that hold their directions the other way round.
//
//     a·b = 0 keeps b at a right angle to a, on either side: welds and slides by multipliers are closed half a revolution from the reference
//     too, and so are axes that point against each other. Motion never gets there; a start far from where a joint holds may.

#include <string>
#include <vector>

#include "flexura/scene/scene_model.hpp"

namespace flexura {

/// The first joint between bodies or a body and the ground that holds directions that way at q, or "".
std::string reversed_joint(const SceneModel& scene, const std::vector<double>& q);

}  // namespace flexura
