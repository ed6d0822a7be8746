#pragma once
// Material points of a solid by where they are in the reference.

#include "flexura/mesh/solid_mesh.hpp"

namespace flexura {

struct PlaceInSolid {
  int element = -1;
  std::array<double, 3> at{};  ///< (ξ, η, ζ); within 1e-9 of a face, side or corner on it
  int node = -1;               ///< where it is one
  double distance = 0;         ///< from the place that was asked for; 0: inside [m]
};

/// A place as one element has it.
struct PlaceInCell {
  int element = -1;
  std::array<double, 3> at{};
};

/// Which elements share a place of a mesh: one inside, two on a face between them, those around a side or a node.
class SharedPlaces {
 public:
  explicit SharedPlaces(const SolidMesh& mesh);
  /// The same place in each element that has it, in the order of the elements.
  std::vector<PlaceInCell> of(const PlaceInCell& place) const;

 private:
  const SolidMesh& mesh_;
  std::vector<std::vector<int>> around_;  ///< the elements of each node
};

/// The place of the mesh nearest to X. Of several elements that have it the first.
PlaceInSolid nearest_place(const SolidMesh& mesh, const Vec3& X);

}  // namespace flexura
