#pragma once
// General sparse LU with pivoting, for matrices that the block factorisation reports as weak, and as the tests' oracle.

#include <memory>
#include <span>

#include "flexura/linear/value_layout.hpp"
#include "flexura/math/scalar.hpp"

namespace flexura {

/// Eigen's supernodal SparseLU with partial pivoting and COLAMD ordering, on the value array of a LinearSolver. The pattern
/// is analysed once. Takes memory from the heap in every factorisation; about a hundred times slower than a chain's LDLᵀ.
///
/// A factor that cannot give back a known solution is of a singular matrix. If that comes from columns of multipliers that
/// depend on others (rank-revealing QR of those columns), their rows are redundant: left out, λ = 0.
class SparseFallback {
 public:
  SparseFallback();
  ~SparseFallback();
  SparseFallback(SparseFallback&&) noexcept;
  SparseFallback& operator=(SparseFallback&&) noexcept;

  void analyse(const ValueLayout& layout);

  /// False if the matrix is singular or holds NaN or Inf. Of packs, one lane is factored.
  bool factor(std::span<const double> values);
  template <int W>
  bool factor(std::span<const Pack<W>> values, int lane) {
    return factor_entries([&](std::ptrdiff_t index) { return values[index][lane]; });
  }

  /// Redundant rows that the last factorisation found, as indices in y.
  const std::vector<int>& redundant_rows() const { return redundant_rows_; }

  /// In place, in the order of y. False if the solution is not finite; y is then zero.
  bool solve(std::span<double> y) const;
  bool solve_transposed(std::span<double> y) const;

 private:
  struct Matrix;

  template <class Value>
  bool factor_entries(Value value) {
    for (std::size_t e = 0; e < source_.size(); ++e) nonzeros()[e] = value(source_[e]);
    return factor_matrix();
  }
  double* nonzeros();
  bool factor_matrix();
  bool factor_and_check();
  void find_redundant_rows();

  std::unique_ptr<Matrix> matrix_;
  std::vector<std::ptrdiff_t> source_;  ///< of each nonzero, in the value array
  std::vector<int> multipliers_, redundant_rows_;
};

}  // namespace flexura
