#pragma once
// Items on the model's slots that come and go while its topology stays: what they need to push, and to enter a matrix.
//
//     x_a − x_b = (W_a − W_b) y + …      W: a point's linear form over the free slots
//     r += (W_a − W_b)ᵀ F                J += (W_a − W_b)ᵀ K (W_a − W_b)
//
// A dependent point acts through its masters. Nothing of this is kept per item: an item that comes asks the linear solver where
// its pairs of blocks are, one that goes leaves nothing.

#include <span>
#include <utility>
#include <vector>

#include "flexura/math/vec.hpp"
#include "flexura/solve/system.hpp"

namespace flexura {

using Vec3d = Vec<3, double>;

/// Two points, by index into the overlay's list; b −1: a place that does not move with the model.
struct PointPair {
  int a = -1, b = -1;
};

class Overlay {
 public:
  /// `slots`: of the points, as Topology numbers them.
  Overlay(const Assembler<double>& assembler, std::span<const int> slots);

  int dim() const { return dim_; }
  int size() const { return static_cast<int>(points_.size()); }
  /// Of a point in a vector of q order; beyond the dimension 0.
  Vec3d at(int point, const double* x) const;
  Vec3d difference(PointPair pair, const double* x) const {
    return pair.b < 0 ? at(pair.a, x) : at(pair.a, x) - at(pair.b, x);
  }

  /// F on a and −F on b: in q order before the reduction, or in y.
  void add_force(PointPair pair, const Vec3d& force, double* r) const;
  void add_reduced_force(PointPair pair, const Vec3d& force, double* y) const;
  /// n·(W_a − W_b) y
  double along(PointPair pair, const Vec3d& n, const double* y) const;
  /// Σ g_i²/J_ii over what g = (W_a − W_b)ᵀ n touches, `diagonal` in y; entries that are not positive do not count.
  double compliance(PointPair pair, const Vec3d& n, std::span<const double> diagonal) const;
  /// Pairs of blocks that an item between the points couples.
  void add_couplings(PointPair pair, std::vector<std::pair<int, int>>& couplings) const;
  /// K [3 × 3], symmetric, into the value array of the solver; its overlay must hold the couplings.
  void add_tangent(PointPair pair, const double (&K)[3][3], const LinearSolver<double>& solver,
                   std::span<double> values) const;

 private:
  struct Part {  ///< a free slot of a point
    int offset, block, block_offset, size;
    double weight[3][3];  ///< W [dim × size]
  };
  struct Point {
    int offset;       ///< in q
    int first, last;  ///< in parts_
  };
  /// visit(part, sign)
  void for_parts(PointPair pair, auto&& visit) const {
    for (int p = points_[pair.a].first; p < points_[pair.a].last; ++p) visit(parts_[p], 1.0);
    if (pair.b < 0) return;
    for (int p = points_[pair.b].first; p < points_[pair.b].last; ++p) visit(parts_[p], -1.0);
  }
  void add_block(const Part& a, const Part& b, double sign, const double (&K)[3][3], const LinearSolver<double>& solver,
                 std::span<double> values) const;

  int dim_;
  std::vector<Point> points_;
  std::vector<Part> parts_;
};

}  // namespace flexura
