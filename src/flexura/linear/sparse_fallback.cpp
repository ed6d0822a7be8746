#include "flexura/linear/sparse_fallback.hpp"

#include <algorithm>
#include <cmath>

#define EIGEN_MPL2_ONLY
#include <Eigen/SparseCore>
#include <Eigen/SparseLU>

#include "flexura/linear/sparse_qr.hpp"

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
  multipliers_.clear();
  for (int k = 0; k < layout.rows(); ++k)
    for (int m = 0; layout.constraint[k] && m < layout.sizes[k]; ++m) multipliers_.push_back(layout.first[k] + m);
}

bool SparseFallback::factor(std::span<const double> values) {
  return factor_entries([&](std::ptrdiff_t index) { return values[index]; });
}

double* SparseFallback::nonzeros() { return matrix_->entries.valuePtr(); }

bool SparseFallback::factor_matrix() {
  for (std::size_t e = 0; e < source_.size(); ++e) {
    if (!std::isfinite(nonzeros()[e])) return false;
  }
  redundant_rows_.clear();
  if (factor_and_check()) return true;
  find_redundant_rows();
  return !redundant_rows_.empty() && factor_and_check();
}

/// The columns' sizes give the known solution its units.
bool SparseFallback::factor_and_check() {
  const Eigen::SparseMatrix<double>& a = matrix_->entries;
  matrix_->factor.factorize(a);
  if (matrix_->factor.info() != Eigen::Success) return false;
  Eigen::VectorXd known(a.cols());
  for (Eigen::Index j = 0; j < a.cols(); ++j) {
    double size = 0;
    for (Eigen::SparseMatrix<double>::InnerIterator it(a, j); it; ++it) size = std::max(size, std::fabs(it.value()));
    if (!(size > 0)) return false;
    known[j] = (j % 3 == 1 ? -1 : 1) / size;
  }
  constexpr double singular = 1e-2;  // of a singular matrix the error is of the size of the solution or more
  const Eigen::VectorXd back = matrix_->factor.solve(a * known);
  const double size = ((back - known).array() / known.array()).abs().maxCoeff();
  return size <= singular;
}

/// Rows and columns of redundant multipliers become those of λ = 0.
void SparseFallback::find_redundant_rows() {
  if (multipliers_.empty()) return;
  Eigen::SparseMatrix<double>& a = matrix_->entries;
  std::vector<Eigen::Triplet<double>> gradients;
  for (size_t k = 0; k < multipliers_.size(); ++k) {
    double size = 0;
    for (Eigen::SparseMatrix<double>::InnerIterator it(a, multipliers_[k]); it; ++it)
      size = std::hypot(size, it.value());
    for (Eigen::SparseMatrix<double>::InnerIterator it(a, multipliers_[k]); it; ++it)
      if (it.value() != 0) gradients.emplace_back(it.row(), static_cast<int>(k), it.value() / size);
  }
  Eigen::SparseMatrix<double> columns(a.rows(), static_cast<Eigen::Index>(multipliers_.size()));
  columns.setFromTriplets(gradients.begin(), gradients.end());
  SparseQr qr;
  qr.compute(columns, 1e-11);  // of unit columns: as the block factor's ratio
  for (Eigen::Index k = qr.rank(); k < columns.cols(); ++k) redundant_rows_.push_back(multipliers_[qr.column(k)]);
  std::sort(redundant_rows_.begin(), redundant_rows_.end());
  const auto redundant = [&](Eigen::Index i) {
    return std::binary_search(redundant_rows_.begin(), redundant_rows_.end(), static_cast<int>(i));
  };
  for (Eigen::Index j = 0; j < a.cols(); ++j)
    for (Eigen::SparseMatrix<double>::InnerIterator it(a, j); it; ++it)
      if (redundant(j) || redundant(it.row())) it.valueRef() = it.row() == j ? 1.0 : 0.0;
}

bool SparseFallback::solve(std::span<double> y) const {
  for (int i : redundant_rows_) y[i] = 0;
  Eigen::Map<Eigen::VectorXd> in_place(y.data(), static_cast<Eigen::Index>(y.size()));
  const Eigen::VectorXd solution = matrix_->factor.solve(Eigen::VectorXd(in_place));
  return store_if_finite(solution, in_place);
}

bool SparseFallback::solve_transposed(std::span<double> y) const {
  for (int i : redundant_rows_) y[i] = 0;
  Eigen::Map<Eigen::VectorXd> in_place(y.data(), static_cast<Eigen::Index>(y.size()));
  const Eigen::VectorXd solution = matrix_->factor.transpose().solve(Eigen::VectorXd(in_place));
  return store_if_finite(solution, in_place);
}

}  // namespace flexura
