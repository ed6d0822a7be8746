#pragma once
// What a Gmsh file says, before it is a mesh.

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace flexura {

/// Of Gmsh's element types: number of nodes, dimension, name.
struct GmshType {
  int number, nodes, dimension;
  std::string_view name;
};
const GmshType* gmsh_type(std::int64_t number);

struct GmshRecords {
  struct Node {
    std::int64_t tag;
    std::array<double, 3> position;
  };
  struct Element {
    std::int64_t tag;
    const GmshType* type;
    int line;                          ///< of the file
    std::vector<std::int64_t> groups;  ///< physical tags of its dimension
    std::array<int, 4> corners;        ///< places in `nodes`: 1, 2 or 4; of solids none
    std::vector<int> nodes = {};       ///< all of them in Gmsh's order, where volumes or triangles are read
  };
  std::vector<Node> nodes;
  std::vector<Element> elements;                              ///< points, lines, quadrilaterals; of volumes all
  std::map<std::pair<int, std::int64_t>, std::string> names;  ///< of physical groups by dimension and tag
  int quadrilaterals_of_more_nodes = 0;
};

enum class GmshContents {
  surfaces,  ///< triangles and solids are refused
  volumes,
  triangles,  ///< triangles and quadrilaterals; solids are refused
};
/// Throws InputError with file and line at the first mistake.
GmshRecords read_gmsh_records(std::string_view contents, const std::string& file,
                              GmshContents wanted = GmshContents::surfaces);

}  // namespace flexura
