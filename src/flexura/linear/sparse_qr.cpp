#include "flexura/linear/sparse_qr.hpp"

#define EIGEN_MPL2_ONLY
#include <Eigen/OrderingMethods>
#include <Eigen/SparseQR>

namespace flexura {

using Eigen::Index;
using Eigen::MatrixXd;
using Sparse = Eigen::SparseMatrix<double>;

struct SparseQr::Factor {
  Eigen::SparseQR<Sparse, Eigen::COLAMDOrdering<int>> qr;
};

SparseQr::SparseQr() : factor_(std::make_unique<Factor>()) {}
SparseQr::~SparseQr() = default;

void SparseQr::compute(const Sparse& A, double threshold) {
  factor_->qr.setPivotThreshold(threshold);
  factor_->qr.compute(A);
}

Index SparseQr::rank() const { return factor_->qr.rank(); }

double SparseQr::pivot(Index k) const { return factor_->qr.matrixR().coeff(k, k); }

int SparseQr::column(Index position) const { return factor_->qr.colsPermutation().indices()[position]; }

MatrixXd SparseQr::kernel() const {
  const Index r = rank(), all = factor_->qr.cols(), s = all - r;
  MatrixXd x = MatrixXd::Zero(all, s);
  x.bottomRows(s).setIdentity();
  if (r == 0) return x;
  const Sparse R = factor_->qr.matrixR();
  const MatrixXd right = MatrixXd(R.block(0, r, r, s));
  x.topRows(r) = -Sparse(R.block(0, 0, r, r)).triangularView<Eigen::Upper>().solve(right);
  return factor_->qr.colsPermutation() * x;
}

MatrixXd SparseQr::q_from(Index first) const {
  const Index n = factor_->qr.rows();
  MatrixXd x = MatrixXd::Zero(n, n - first);
  x.bottomRows(n - first).setIdentity();
  return factor_->qr.matrixQ() * x;
}

}  // namespace flexura
