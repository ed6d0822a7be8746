#pragma once
// Volumes of hexahedra and tetrahedra, as solids take them; surfaces of triangles, as membranes do.

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "flexura/mesh/solid_cell.hpp"
#include "flexura/mesh/surface_mesh.hpp"

namespace flexura {

/// A hexahedron, a tetrahedron or a membrane's triangle, its nodes in the order of element/solid_shape.hpp.
struct SolidCell {
  SolidKind kind = SolidKind::hexahedron_8;
  std::array<int, most_solid_nodes> nodes{};

  std::span<const int> all() const { return {nodes.data(), static_cast<size_t>(cell_info(kind).nodes)}; }
  std::span<const int> corners() const { return {nodes.data(), static_cast<size_t>(cell_info(kind).corners)}; }
};

/// Face k of an element, as CellInfo::faces counts them.
struct SolidFace {
  int element = 0, face = 0;
  bool operator==(const SolidFace&) const = default;
};

/// A named part: nodes in ascending order, faces that look outwards, elements.
struct SolidSet {
  std::string name;
  std::vector<int> nodes;
  std::vector<SolidFace> faces;
  std::vector<int> elements;
};

struct SolidMesh {
  std::vector<Vec3> nodes;  ///< [m]
  std::vector<SolidCell> elements;
  std::vector<Vec3>
      along;  ///< of a membrane's elements: first direction, of any length, tangent or not; empty: along their first sides
  std::vector<SolidSet> sets;
  /// Where the shares u, v, w of a generated shape are; null for meshes of files.
  std::function<Vec3(double u, double v, double w)> at_shares;
  std::vector<std::int64_t> node_tags, element_tags;  ///< the file's numbers; empty: of none

  bool is_membrane() const { return !elements.empty() && is_surface(elements[0].kind); }
  std::string_view word() const { return is_membrane() ? "membrane" : "solid"; }  ///< what people call it
  const SolidSet* find(std::string_view name) const;                              ///< null if there is no such set
  std::vector<std::string> set_names() const;
};

/// The set of that name, added if there is none.
SolidSet& add_set(SolidMesh& mesh, std::string_view name);

/// A place inside an element with the derivatives by (ξ, η, ζ). Of a triangle the third is its unit normal, and the Jacobian that of areas.
struct SolidPoint {
  Vec3 position{};
  Vec3 slope[3]{};

  double jacobian() const { return dot(slope[0], cross(slope[1], slope[2])); }
};
SolidPoint solid_point(const SolidMesh& mesh, int element, const std::array<double, 3>& at);

/// Exact for all cells, curved ones too [m³]; of a triangle its area [m²].
double element_volume(const SolidMesh& mesh, int element);
double volume(const SolidMesh& mesh);

/// Nodes of a face: corners, middles of sides, middle, as in CellFace.
std::vector<int> face_nodes(const SolidMesh& mesh, const SolidFace& face);
/// The faces that one element only has, in the order of the elements. They look outwards.
std::vector<SolidFace> outer_faces(const SolidMesh& mesh);
/// Those outer faces of which all nodes lie where `is_there` says, as a set with their nodes.
void add_face_set(SolidMesh& mesh, std::string_view name, std::span<const SolidFace> outer,
                  const std::function<bool(const Vec3&)>& is_there);

/// The elements of which the mean of the corners lies where `is_there` says, as a set with their nodes.
void add_element_set(SolidMesh& mesh, std::string_view name, const std::function<bool(const Vec3&)>& is_there);

/// Carries the mesh's X, Y, Z axes to `x`, `y`, `z` (right-handed unit vectors) and its origin to `origin`.
void move(SolidMesh& mesh, const Vec3& x, const Vec3& y, const Vec3& z, const Vec3& origin);

}  // namespace flexura
