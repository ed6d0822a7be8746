#include "flexura/linear/sparse_fallback.hpp"

#include <cmath>

#define EIGEN_MPL2_ONLY
#include <Eigen/SparseCore>
#include <Eigen/SparseLU>

namespace flexura {

namespace {
// Eigen's transpose() of a factorisation is not const.
using Factor = Eigen::SparseLU<Eigen::SparseMatrix<double>, Eigen::COLAMDOrdering<int>>;

bool store_if_finite(const Eigen::VectorXd& solution, Eigen::Map<Eigen::VectorXd> y) {
  if (!solution.allFinite()) {
    y.setZero();
    return false;
  }
  y = solution;
  return true;
}
}  // namespace

struct SparseFallback::Matrix {
  Eigen::SparseMatrix<double> entries;
  mutable Factor factor;
};

SparseFallback::SparseFallback() = default;
SparseFallback::~SparseFallback() = default;
SparseFallback::SparseFallback(SparseFallback&&) noexcept = default;
SparseFallback& SparseFallback::operator=(SparseFallback&&) noexcept = default;

void SparseFallback::analyse(const ValueLayout& layout) {
  matrix_ = std::make_unique<Matrix>();
  // The index into the value array rides along as the value: doubles count exactly up to 2^53.
  std::vector<Eigen::Triplet<double>> entries;
  layout.for_each_entry(
      [&](int row, int col, std::ptrdiff_t index) { entries.emplace_back(row, col, static_cast<double>(index)); });
  matrix_->entries.resize(layout.unknowns, layout.unknowns);
  matrix_->entries.setFromTriplets(entries.begin(), entries.end());
  source_.resize(matrix_->entries.nonZeros());
  for (std::size_t e = 0; e < source_.size(); ++e) {
    source_[e] = static_cast<std::ptrdiff_t>(matrix_->entries.valuePtr()[e]);
  }
  matrix_->factor.analyzePattern(matrix_->entries);
}

bool SparseFallback::factor(std::span<const double> values) {
  return factor_entries([&](std::ptrdiff_t index) { return values[index]; });
}

double* SparseFallback::nonzeros() { return matrix_->entries.valuePtr(); }

bool SparseFallback::factor_matrix() {
  for (std::size_t e = 0; e < source_.size(); ++e) {
    if (!std::isfinite(nonzeros()[e])) return false;
  }
  matrix_->factor.factorize(matrix_->entries);
  return matrix_->factor.info() == Eigen::Success;
}

bool SparseFallback::solve(std::span<double> y) const {
  Eigen::Map<Eigen::VectorXd> in_place(y.data(), static_cast<Eigen::Index>(y.size()));
  const Eigen::VectorXd solution = matrix_->factor.solve(Eigen::VectorXd(in_place));
  return store_if_finite(solution, in_place);
}

bool SparseFallback::solve_transposed(std::span<double> y) const {
  Eigen::Map<Eigen::VectorXd> in_place(y.data(), static_cast<Eigen::Index>(y.size()));
  const Eigen::VectorXd solution = matrix_->factor.transpose().solve(Eigen::VectorXd(in_place));
  return store_if_finite(solution, in_place);
}

}  // namespace flexura
