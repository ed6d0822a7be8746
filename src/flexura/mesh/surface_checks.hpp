#pragma once
// What a mesh is like, and what is wrong with it.

#include <cstdint>
#include <string>
#include <vector>

#include "flexura/mesh/surface_mesh.hpp"

namespace flexura {

/// A number of an element: its smallest or largest over the mesh.
struct ElementExtreme {
  double value = 0;
  int element = -1;
};

struct SurfaceStatistics {
  int nodes = 0, elements = 0;
  double size = 0;  ///< diagonal of the box around the nodes [m]
  double area = 0;  ///< [m²]
  ElementExtreme smallest_area, largest_area;
  ElementExtreme largest_aspect;                 ///< longer over shorter mean side; 1 for a square
  ElementExtreme smallest_angle, largest_angle;  ///< between sides at corners [rad]
  ElementExtreme largest_turn;                   ///< of the normal from an element's centre to one of its corners [rad]
  ElementExtreme largest_bend;                   ///< principal curvature times thickness factor, at centres [1/m]
  std::vector<int> inverted;  ///< elements whose normal turns over or vanishes inside, or that have a node twice
  std::vector<int> unused;    ///< nodes without element
  std::vector<std::array<int, 2>> coincident;  ///< nodes within 1e-9 of the size
  std::vector<int> bad_nodes;  ///< a coordinate is not finite, or the gradients of a node vanish or are parallel
  ElementExtreme largest_gap;  ///< between the two curves of a common side [m]
  int boundary_sides = 0, boundaries = 0;  ///< sides with one element, and the closed curves they form
  int sides = 0;                           ///< all sides, common ones once
  int opposed_sides = 0;                   ///< common sides whose elements look to different faces
  int branched_sides = 0;                  ///< sides of three or more elements
  int parts = 0;                           ///< not joined by nodes
  int euler = 0;  ///< nodes − sides + elements, used nodes only: 1 plate, 0 tube or ring, 2 sphere
  std::vector<std::int64_t> node_tags, element_tags;  ///< those of the mesh, by which findings name nodes and elements
};
SurfaceStatistics statistics(const SurfaceMesh& mesh);

/// Whether the normal turns over or vanishes inside an element, at one of 5 × 5 places, or the element has a node twice.
bool is_folded(const SurfaceMesh& mesh, int element);

/// "8 x 24 … 192 elements, 216 nodes, 0.94 m²; sides 1 : 1.3, …": one line.
std::string summary(const SurfaceStatistics& statistics);

struct MeshFinding {
  bool error = false;  ///< elements would not work; else worth knowing
  std::string message;
};

/// What should be known before the mesh is used, in sentences; errors first.
std::vector<MeshFinding> findings(const SurfaceMesh& mesh);
std::vector<MeshFinding> findings(const SurfaceStatistics& statistics);

}  // namespace flexura
