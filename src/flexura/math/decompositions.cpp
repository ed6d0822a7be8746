#include "flexura/math/decompositions.hpp"

#define EIGEN_MPL2_ONLY
#include <Eigen/Eigenvalues>
#include <Eigen/QR>

namespace flexura {

using Eigen::Index;
using Eigen::MatrixXd;

SymmetricEigen symmetric_eigen(const MatrixXd& A) {
  const Eigen::SelfAdjointEigenSolver<MatrixXd> solver(A);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

GeneralEigen general_eigen(const MatrixXd& A) {
  const Eigen::EigenSolver<MatrixXd> solver(A);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

struct PivotedQr::Factor {
  Eigen::ColPivHouseholderQR<MatrixXd> qr;
};

PivotedQr::PivotedQr(const MatrixXd& A, double threshold) : factor_(std::make_unique<Factor>()) {
  if (threshold > 0) factor_->qr.setThreshold(threshold);
  factor_->qr.compute(A);
}

PivotedQr::~PivotedQr() = default;

Index PivotedQr::rank() const { return factor_->qr.rank(); }

MatrixXd PivotedQr::q() const { return factor_->qr.householderQ(); }

MatrixXd PivotedQr::q(Index first) const {
  MatrixXd out = MatrixXd::Identity(factor_->qr.rows(), first);
  out.applyOnTheLeft(factor_->qr.householderQ());
  return out;
}

MatrixXd PivotedQr::solve(const MatrixXd& b) const { return factor_->qr.solve(b); }

}  // namespace flexura
