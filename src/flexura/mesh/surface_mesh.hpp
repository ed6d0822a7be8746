#pragma once
// Surfaces of quadrilaterals with two gradients at each node, as thin plates take them.

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "flexura/math/triple.hpp"
#include "flexura/math/vec.hpp"

namespace flexura {

using Vec3 = Vec<3, double>;

inline Triple triple_of(const Vec3& x) { return {x[0], x[1], x[2]}; }

/// What all elements around a node share.
struct SurfaceNode {
  Vec3 position{};  ///< r [m]
  Vec3 gradient_u{},
      gradient_v{};      ///< g_u = ∂r/∂u, g_v = ∂r/∂v; u and v are lengths [m], so these are near unit vectors
  double thickness = 1;  ///< factor on the section's thickness
};

/// Gradients of an element at one of its corners from those of the corner's node:
///     r_x = uu g_u + uv g_v,   r_y = vu g_u + vv g_v
/// The identity on structured meshes. Elsewhere directions differ from element to element.
struct CornerMap {
  double uu = 1, uv = 0, vu = 0, vv = 1;
  bool operator==(const CornerMap&) const = default;
};

///       3 o───2───o 2        corners and sides counter-clockwise seen against the normal r_x × r_y
///       3 │       │ 1        x ∈ [0, length_u], y ∈ [0, length_v] are parameters, not arc lengths: elements side by side
///       0 o───0───o 1        share that of their common side, so that they share its curve
struct SurfaceElement {
  std::array<int, 4> nodes{};
  double length_u = 0, length_v = 0;  ///< [m]
};

/// Side k of an element leads from its corner k to corner k + 1 mod 4.
struct ElementSide {
  int element = 0, side = 0;
  bool operator==(const ElementSide&) const = default;
};

/// A named part. Nodes and sides of an edge are in order along it.
struct MeshSet {
  std::string name;
  std::vector<int> nodes;
  std::vector<ElementSide> sides;
  std::vector<int> elements;
};

struct SurfaceMesh {
  std::vector<SurfaceNode> nodes;
  std::vector<SurfaceElement> elements;
  std::vector<std::array<CornerMap, 4>> corner_maps;  ///< of each element; empty where all are the identity
  std::vector<MeshSet> sets;
  std::vector<std::int64_t> node_tags, element_tags;  ///< numbers of a file's nodes and elements; empty: counted from 0
  int nodes_u = 0, nodes_v = 0;             ///< of a structured mesh: node (i, j) has number i nodes_v + j; else 0
  bool closed_u = false, closed_v = false;  ///< the last row is joined to the first

  const MeshSet* find(std::string_view name) const;  ///< null if there is no such set
  std::vector<std::string> set_names() const;
  CornerMap corner_map(int element, int corner) const {
    return corner_maps.empty() ? CornerMap{} : corner_maps[element][corner];
  }
  /// Nodes of a structured mesh at the i-th value of u, a slice of a tube; negative i counts from the end.
  std::vector<int> slice(int i) const;
};

/// A place on a surface with two directions along it.
struct SurfacePoint {
  Vec3 position{}, along_u{}, along_v{};
};

/// Corner k of an element: r, r_x, r_y in the element's own directions.
SurfacePoint corner_point(const SurfaceMesh& mesh, int element, int corner);

/// At (ξ, η) ∈ [0, 1]² of an element as thin plates interpolate: r, r_ξ, r_η [m].
SurfacePoint surface_point(const SurfaceMesh& mesh, int element, double xi, double eta);

/// Area of an element by `points` × `points` Gauss points, 1 … 5 [m²].
double element_area(const SurfaceMesh& mesh, int element, int points = 4);
double area(const SurfaceMesh& mesh);

/// The set of that name, added if there is none.
MeshSet& add_set(SurfaceMesh& mesh, std::string_view name);

}  // namespace flexura
