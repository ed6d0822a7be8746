#pragma once

#include <vector>

#include "flexura/model/model.hpp"

namespace flexura {

/// Longest edge of the box around all points; where they are in one place, how far that is from the origin, or 1 [m].
double extent(const Topology& topology, const std::vector<double>& q);

/// Whether coordinates of the slot are lengths [m]: points, displacements of joints and length coordinates. Others are
/// components of directions, angles [rad] and multipliers.
bool is_length(const Topology& topology, int slot);

}  // namespace flexura
