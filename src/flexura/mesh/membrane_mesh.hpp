#pragma once
// Surfaces of triangles for membranes: from those of quadrilaterals, and from Gmsh files.

#include "flexura/mesh/gmsh_reader.hpp"
#include "flexura/mesh/gmsh_solid.hpp"
#include "flexura/mesh/solid_mesh.hpp"

namespace flexura {

/// Two triangles in place of each quadrilateral, along the shorter diagonal; of equal ones along that which changes from one
/// quadrilateral to the next. Nodes and their numbers stay, edges keep their names; sets of elements become faces, and "surface" is all
/// of them. First directions are those of u in the middle of the quadrilaterals. Where the mesh is structured, shares of u and v are
/// lengths of the elements' parameters.
SolidMesh membrane_mesh(const SurfaceMesh& surface);

/// Triangles and quadrilaterals of a file of any format that read_gmsh_records reads, by their corners; physical groups of surfaces become
/// faces, of lines and points nodes; volumes are left out. Throws InputError with file and line.
GmshSolid read_gmsh_membrane(std::string_view contents, const std::string& file, const GmshOptions& options = {});

}  // namespace flexura
