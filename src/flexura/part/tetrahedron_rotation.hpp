#pragma once
// Rotation within a tetrahedron of ten nodes, and between neighbouring ones of four, less that of the stress-free shape.
//
//     F = ∂x/∂X = R U        10 nodes: angle of R_aᵀ R_b, the largest of its six pairs of corners
//                             4 nodes: F is constant; the largest against a later cell with which it shares a node, so
//                                      that over one of a block's cells, six tetrahedra, a turn is seen whole

#include <array>
#include <span>
#include <vector>

#include "flexura/math/vec.hpp"
#include "flexura/part/machine.hpp"

namespace flexura {

class TetrahedronRotations {
 public:
  TetrahedronRotations(const SolidPart& solid, const Model& model);
  /// 0: none, 4 or 10.
  int nodes(int element) const { return cells_[static_cast<size_t>(element)].nodes; }
  /// [rad]; 0 of other cells, and below 60 degrees where it is clearly less. No heap use.
  double angle(int element, std::span<const double> q) const;

 private:
  using Matrix = std::array<Vec3, 3>;  ///< columns
  struct Cell {
    int nodes = 0;
    std::array<int, 10> offset{};     ///< where the nodes begin in q
    size_t first = 0, last = 0;       ///< of four nodes: in neighbours_
    std::array<Matrix, 4> at_rest{};  ///< inverse of ∂X/∂ξ at the corners; of four nodes the first
  };
  Matrix jacobian(const Cell& cell, int corner, const double* q) const;
  Matrix deformation(const Cell& cell, int corner, const double* q) const;
  static double between(const Matrix& a, const Matrix& b);

  std::vector<Cell> cells_;
  std::vector<int> neighbours_;
};

}  // namespace flexura
