#pragma once

#include <vector>

#include "flexura/model/model.hpp"

namespace flexura {

/// Longest edge of the box around all points; where they are in one place, how far that is from the origin, or 1 [m].
double extent(const Topology& topology, const std::vector<double>& q);

}  // namespace flexura
