#pragma once
// Nodes that lie in one place.

#include <array>
#include <span>
#include <vector>

#include "flexura/mesh/surface_mesh.hpp"

namespace flexura {

/// Pairs (a < b) of places at most `distance` [m] apart, in ascending order. What is not finite is near nothing.
std::vector<std::array<int, 2>> coincident_nodes(std::span<const Vec3> places, double distance);

}  // namespace flexura
