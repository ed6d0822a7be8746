#pragma once
// Meshes of hexahedra, tetrahedra, prisms and pyramids written by Gmsh.

#include "flexura/mesh/gmsh_reader.hpp"
#include "flexura/mesh/solid_mesh.hpp"

namespace flexura {

struct GmshSolid {
  SolidMesh mesh;
  std::vector<std::string> notices;  ///< what was left out, in sentences
};

/// From the contents of a file of any format that read_gmsh_records reads; `file` is its name in messages. Hexahedra of
/// 8, 20 and 27 nodes and tetrahedra of 4 and 10, also side by side; those of higher orders become linear ones. Prisms and
/// pyramids are split into tetrahedra by their corners, and refused on a face of a hexahedron. Elements in the order of a
/// mirror image are turned over. Physical groups become sets of their name ("physical_DIM_TAG" if they have none):
/// elements, outer faces and nodes of volumes, faces and nodes of surfaces, nodes of curves and points. Faces look out of
/// the element that has them. Throws InputError with file and line.
GmshSolid read_gmsh_solid(std::string_view contents, const std::string& file, const GmshOptions& options = {});

}  // namespace flexura
