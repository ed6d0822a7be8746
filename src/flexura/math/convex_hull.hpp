#pragma once
// The convex hull of points in space.

#include <vector>

#include "flexura/math/vec.hpp"

namespace flexura {

/// Volume of the convex hull, in the points' unit cubed; 0 for points in one plane. O(n · faces).
double convex_hull_volume(const std::vector<Vec<3, double>>& points);

}  // namespace flexura
