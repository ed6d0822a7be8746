#pragma once
// L D Lᵀ of a sparse symmetric matrix of numbers, for a right-hand side of each axis of space at once: one in each lane.

#include <span>
#include <vector>

#include "flexura/math/block_graph.hpp"
#include "flexura/math/scalar.hpp"

namespace flexura {

class ScalarFactor {
 public:
  struct Entry {
    int row, column;  ///< column ≤ row
    double value;
  };

  /// `entries`: those of the lower half that are not zero, each once. False if a pivot is not above `weakest`, relative to what it
  /// was eliminated from: nothing may be solved then.
  bool factor(int n, std::span<const Entry> entries, double weakest);
  /// In place; x [n][dim], dim ≤ 3 right-hand sides side by side. Takes nothing from the heap.
  void solve(std::span<double> x, int dim);
  /// Multiplications of one solve; those in lanes count once.
  double solve_work() const { return static_cast<double>(order_.size() + 2 * rows_.column.size()); }

 private:
  template <int dim>
  void solve_axes(double* x);

  std::vector<int> order_;       ///< unknown eliminated k-th
  FactorStructure rows_;         ///< of Lᵀ, in order of elimination
  std::vector<double> factor_;   ///< entries of Lᵀ
  std::vector<double> inverse_;  ///< 1 / D
  std::vector<Lanes> work_;
};

}  // namespace flexura
