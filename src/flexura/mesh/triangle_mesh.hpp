#pragma once
// Surfaces of triangles, and what a closed one encloses.

#include <array>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace flexura {

struct TriangleMesh {
  std::vector<std::array<double, 3>> points;
  std::vector<std::array<int, 3>> triangles;  ///< counter-clockwise as seen from outside
};

/// Where a file of triangles is wrong; line 0 for the file as a whole.
struct MeshError {
  int line = 0;
  std::string message;
};

/// From the contents of a file: STL, ascii or binary, or Wavefront OBJ; `name` ends with .stl or .obj. Points that
/// join_points joins become one, polygons become triangles.
std::variant<TriangleMesh, MeshError> read_triangle_mesh(std::string_view contents, std::string_view name);

/// Makes points one that are at most 1e-12 of the mesh's size apart: programs that turn, scale or cut a part write a corner once for each
/// of its triangles, and its last digits differ.
void join_points(TriangleMesh& mesh);

/// What keeps the mesh from enclosing a volume: "" if it does.
std::string why_not_solid(const TriangleMesh& mesh);

/// Of a body of density 1.
struct SolidProperties {
  double volume = 0;
  std::array<double, 3> center{};
  std::array<double, 6> inertia{};  ///< about the centre: xx, yy, zz, xy, yz, xz; J_xy = −∫ x y dV
};

/// Of a closed mesh whose triangles look outward.
SolidProperties solid_properties(const TriangleMesh& mesh);

}  // namespace flexura
