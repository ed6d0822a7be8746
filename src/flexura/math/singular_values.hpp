#pragma once
// Small dense matrices: singular values, and what they tell of linear equations.

#include <span>
#include <vector>

namespace flexura {

/// A = U Σ Vᵀ of a matrix with few columns: these are turned in pairs until all are perpendicular (one-sided Jacobi), which
/// finds small values to their own last digits.
class SingularValues {
 public:
  /// matrix: by columns, all of one length.
  SingularValues(std::span<const double> matrix, int columns);

  int count() const { return static_cast<int>(values_.size()); }
  double value(int k) const { return values_[k]; }  ///< ≥ 0, largest first
  /// Column k of V; of a symmetric positive matrix the eigenvector.
  std::span<const double> right(int k) const {
    return {&right_[static_cast<size_t>(k) * values_.size()], values_.size()};
  }
  /// The shortest x of those with the least |A x − b|; values of which only rounding is left count as zero.
  std::vector<double> solve(std::span<const double> b) const;

 private:
  size_t rows_;
  std::vector<double> values_, turned_, right_;  ///< turned: A V, by columns
};

}  // namespace flexura
