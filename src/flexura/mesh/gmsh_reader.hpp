#pragma once
// Quadrilateral meshes written by Gmsh.

#include <string>
#include <string_view>
#include <vector>

#include "flexura/mesh/surface_mesh.hpp"

namespace flexura {

struct GmshOptions {
  double scale = 1;  ///< of the file's coordinates to m
  int order = 1;     ///< 2: solids of 4 and 8 nodes get middles of their sides, which stay straight: 10 and 20
};

struct GmshSurface {
  SurfaceMesh mesh;
  std::vector<std::string> notices;  ///< what was left out or changed, in sentences
};

/// From the contents of a file of any format that read_gmsh_records reads; `file` is its name in messages. Quadrilaterals of 4, 8, 9
/// and more nodes become those of their corners; lines and points serve for sets, volumes are left out. Physical groups become sets of their name
/// ("physical_DIM_TAG" if they have none): nodes and elements of surfaces, nodes in order and sides of curves, nodes of
/// points. Elements side by side are turned to look to the same face, that of the first. Gradients: see recover_gradients. Nodes that
/// no quadrilateral uses are left out. Throws InputError with file and line; triangles are refused.
GmshSurface read_gmsh(std::string_view contents, const std::string& file, const GmshOptions& options = {});

}  // namespace flexura
