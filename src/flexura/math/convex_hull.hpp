#pragma once
// The convex hull of points in space.

#include <vector>

#include "flexura/math/vec.hpp"

namespace flexura {

/// Volume of the convex hull, in the points' unit cubed; 0 for points in one plane. O(n · faces).
double convex_hull_volume(const std::vector<Vec<3, double>>& points);

/// The points that are corners of the convex hull, ascending: not those within its faces and edges. None of points in one plane.
std::vector<int> convex_hull_corners(const std::vector<Vec<3, double>>& points);

/// Of the points those that reach farthest along `directions` spread evenly over all directions, ascending, each once.
std::vector<int> outermost_points(const std::vector<Vec<3, double>>& points, int directions);

/// By how much the points reach beyond the convex hull of some of them: the most along `directions` of all directions.
double left_outside(const std::vector<Vec<3, double>>& points, const std::vector<int>& some, int directions);

}  // namespace flexura
