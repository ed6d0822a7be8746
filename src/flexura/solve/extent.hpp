#pragma once

#include <vector>

#include "flexura/model/model.hpp"

namespace flexura {

/// Longest edge of the box around all points [m], at least 1e-9.
double extent(const Topology& topology, const std::vector<double>& q);

}  // namespace flexura
