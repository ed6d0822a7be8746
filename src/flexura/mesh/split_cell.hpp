#pragma once
// Prisms and pyramids as tetrahedra.
//
//         5        Each quadrilateral face is cut along the diagonal from its smallest node, so that
//       / | \      both elements on it cut it alike. Of a prism the two faces at its smallest node are
//      3--|--4     cut from there, and the third face by its own smallest node: three tetrahedra
//      |  2  |     always [dompierre1999]. Nodes are in the order of Gmsh.
//      | / \ |
//      0-----1

#include <array>
#include <span>
#include <vector>

namespace flexura {

/// Three tetrahedra of a prism's six corners; with the orientation of the prism.
std::array<std::array<int, 4>, 3> split_prism(std::span<const int, 6> corners);
/// Two tetrahedra of a pyramid's five corners, the apex last.
std::array<std::array<int, 4>, 2> split_pyramid(std::span<const int, 5> corners);
/// The two triangles of a quadrilateral face, its corners in the order around it.
std::array<std::array<int, 3>, 2> split_face(std::span<const int, 4> corners);
/// Corners of the quadrilateral faces of a prism (six corners) or a pyramid (five), in the order around each.
std::vector<std::array<int, 4>> quadrilateral_faces(std::span<const int> corners);

}  // namespace flexura
