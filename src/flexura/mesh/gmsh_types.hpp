#pragma once
// Element types of Gmsh: shape and number of nodes.

#include <cstdint>
#include <string_view>

namespace flexura {

struct GmshShape {
  std::string_view name, names;  ///< "triangle", "triangles"
  int dimension, corners;
};

struct GmshType {
  int number, nodes;  ///< Gmsh's number of the type; corners come first among the nodes
  const GmshShape* shape;
};

/// Null for numbers that Gmsh does not document, and for polygons and polyhedra.
const GmshType* gmsh_type(std::int64_t number);

}  // namespace flexura
