#pragma once
// Contents of a Gmsh file, before it is a mesh.

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "flexura/mesh/gmsh_input.hpp"
#include "flexura/mesh/gmsh_types.hpp"

namespace flexura {

struct GmshRecords {
  struct Node {
    std::int64_t tag;
    std::array<double, 3> position;
  };
  struct Element {
    std::int64_t tag;
    const GmshType* type;
    GmshPosition at;
    std::vector<std::int64_t> groups;  ///< physical tags of its dimension, each once, above 0
    std::vector<int> nodes;  ///< places in `nodes` above: corners first; of surfaces and of high orders corners alone

    int dimension() const { return type->shape->dimension; }
    bool has_more_nodes() const { return type->nodes > type->shape->corners; }
  };
  std::vector<Node> nodes;
  std::vector<Element> elements;  ///< those of the dimension that is read, and of lower ones those of groups
  std::map<std::pair<int, std::int64_t>, std::string> names;  ///< of physical groups by dimension and tag
  std::vector<std::string> notices;                           ///< what was left out, in sentences

  /// That of its name, or "physical_DIM_TAG".
  std::string group_name(int dimension, std::int64_t tag) const;
};

enum class GmshContents {
  quadrilaterals,  ///< triangles are refused; volumes are left out
  surfaces,        ///< triangles and quadrilaterals; volumes are left out
  volumes,
};

/// Formats 1, 2.0 to 2.2, 4.0 and 4.1, ASCII and binary of either byte order. Rows with the same nodes are one element, in the groups of
/// all; a group with a sign in its entity (format 4.1) reverses the elements. Elements of lower dimensions that have a node twice or
/// one that does not exist are left out. Throws InputError with line or byte at the first mistake.
GmshRecords read_gmsh_records(std::string_view contents, const std::string& file, GmshContents contents_read);

}  // namespace flexura
