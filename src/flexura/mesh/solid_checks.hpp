#pragma once
// What a mesh of solid elements is like, and what is wrong with it.

#include <string>
#include <vector>

#include "flexura/mesh/solid_mesh.hpp"
#include "flexura/mesh/surface_checks.hpp"

namespace flexura {

struct SolidStatistics {
  int nodes = 0, elements = 0;
  double size = 0;    ///< diagonal of the box around the nodes [m]
  double volume = 0;  ///< [m³]
  ElementExtreme smallest_volume, largest_volume;
  ElementExtreme largest_aspect;  ///< longest over shortest of the sides between corners
  ElementExtreme largest_skew;    ///< largest over smallest Jacobian within an element
  std::vector<int> bad_nodes;     ///< a coordinate is not finite
  std::vector<int> repeating;     ///< elements that have a node twice
  std::vector<int>
      inverted;  ///< elements with a Jacobian below 0 everywhere: their nodes are in the order of a mirror image
  std::vector<int> folded;                     ///< elements with a Jacobian of both signs, or without volume
  std::vector<int> unused;                     ///< nodes without element
  std::vector<std::array<int, 2>> coincident;  ///< nodes within 1e-9 of the size
  int outer_faces = 0;                         ///< faces of one element
  std::vector<int> crowded;                    ///< elements at faces that three or more elements have
  std::vector<int> overlapping;                ///< elements that lie on the same side of a common face
  std::vector<int> hanging;                    ///< elements whose neighbours have other nodes within a common face
  int parts = 0;                               ///< not joined by nodes
  int face_parts = 0;                          ///< not joined by faces; of a membrane by sides
  std::vector<int> turned;                     ///< of a membrane: triangles of which a neighbour looks the other way
  bool is_membrane = false;                    ///< sizes are areas [m²]
  std::vector<std::int64_t> node_tags, element_tags;  ///< as in the mesh
};
SolidStatistics statistics(const SolidMesh& mesh);

/// "192 elements, 1205 nodes, 3.1e-5 m^3; …": one line.
std::string summary(const SolidStatistics& statistics);

/// What should be known before the mesh is used, in sentences; errors first. Numbers are the file's where the mesh has those.
std::vector<MeshFinding> findings(const SolidStatistics& statistics);

}  // namespace flexura
