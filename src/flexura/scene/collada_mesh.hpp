#pragma once
// Triangles of COLLADA files (.dae), in which many robots keep what their links look like.

#include <string>
#include <string_view>
#include <variant>

#include "flexura/mesh/triangle_mesh.hpp"

namespace flexura {

struct ColladaMesh {
  TriangleMesh surface;  ///< [m]: with the file's unit, and each geometry where the nodes of its scene put it
  std::string color;     ///< "#rrggbb", of the material that most triangles have; empty: none says any
};

/// From the contents of a file. <up_axis> is passed over, as RViz and Gazebo do: robots are drawn by their coordinates as they stand.
std::variant<ColladaMesh, MeshError> read_collada(std::string_view contents);

}  // namespace flexura
