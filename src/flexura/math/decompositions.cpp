#include "flexura/math/decompositions.hpp"

#define EIGEN_MPL2_ONLY
#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <algorithm>
#include <complex>
#include <limits>

namespace flexura {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXcd;
using Eigen::VectorXd;
using Complex = std::complex<double>;

namespace {

// Eigen's sequences of reflections work by blocks, which compiles for three seconds wherever one is multiplied with: matrices here
// have some hundred rows, and are reflected one vector after the other.

/// x ← H₀ H₁ … x, or its transpose: reflections as Eigen packs them, `below` rows under the diagonal.
void reflect(MatrixXd& x, const MatrixXd& packed, const VectorXd& factors, Index below, bool transposed) {
  VectorXd work(x.cols());
  const Index count = factors.size();
  for (Index i = 0; i < count; ++i) {
    const Index k = transposed ? i : count - 1 - i, first = k + below, rows = x.rows() - first;
    const VectorXd essential = packed.col(k).tail(rows - 1);
    x.bottomRows(rows).applyHouseholderOnTheLeft(essential, factors[k], work.data());
  }
}

/// Below it a pivot of the back substitution counts as zero: λ is then as good as another eigenvalue.
double least_pivot(const MatrixXd& T) {
  return std::max(std::numeric_limits<double>::epsilon() * T.cwiseAbs().maxCoeff(), std::numeric_limits<double>::min());
}

Complex guarded(Complex pivot, double least) { return std::abs(pivot) < least ? Complex(least) : pivot; }

/// Solves (T − λ) x = 0 from row `last` upwards for what x has below it. T is upper triangular but for blocks of two.
void substitute_back(const MatrixXd& T, Complex lambda, Index last, VectorXcd& x) {
  const double least = least_pivot(T), large = 1 / std::numeric_limits<double>::epsilon();
  const auto right = [&](Index row, Index first) {
    Complex sum = 0;
    for (Index j = first; j < x.size(); ++j) sum -= T(row, j) * x[j];
    return sum;
  };
  for (Index i = last; i >= 0; --i) {
    if (i > 0 && T(i, i - 1) != 0) {
      const Complex a = T(i - 1, i - 1) - lambda, d = T(i, i) - lambda, r = right(i - 1, i + 1), s = right(i, i + 1);
      const double b = T(i - 1, i), c = T(i, i - 1);
      // By elimination with the larger pivot: of a nearly equal eigenvalue the determinant is a difference of roundings.
      const bool second = std::fabs(c) > std::abs(a);
      const Complex pivot = guarded(second ? Complex(c) : a, least), factor = (second ? a : Complex(c)) / pivot;
      const Complex beside = second ? d : Complex(b), right_side = second ? s : r;
      const Complex corner = (second ? Complex(b) : d) - factor * beside, rest = (second ? r : s) - factor * right_side;
      x[i] = rest / guarded(corner, least);
      x[i - 1] = (right_side - beside * x[i]) / pivot;
      --i;
    } else {
      x[i] = right(i, i + 1) / guarded(T(i, i) - lambda, least);
    }
    const double size = std::max(std::abs(x[i]), std::abs(x[i + 1 < x.size() ? i + 1 : i]));
    if (size > large) x /= size;
  }
}

}  // namespace

MatrixXd product(const AnyMatrix& A, const AnyMatrix& B) { return A * B; }
VectorXcd complex_product(const AnyMatrix& A, const VectorXcd& x) {
  VectorXcd out(A.rows());
  out.real() = product(A, x.real()), out.imag() = product(A, x.imag());
  return out;
}
MatrixXd transposed_product(const AnyMatrix& A, const AnyMatrix& B) { return A.transpose() * B; }

SymmetricEigen symmetric_eigen(const MatrixXd& A) {
  if (A.rows() == 0) return {};
  if (A.rows() == 1) return {A.diagonal(), MatrixXd::Ones(1, 1)};
  const double size = A.triangularView<Eigen::Lower>().toDenseMatrix().cwiseAbs().maxCoeff(),
               scale = size > 0 ? size : 1;
  const Eigen::Tridiagonalization<MatrixXd> reduced(A / scale);
  Eigen::SelfAdjointEigenSolver<MatrixXd> solver;
  const VectorXd diagonal = reduced.diagonal(), beside = reduced.subDiagonal();
  solver.computeFromTridiagonal(diagonal, beside);
  SymmetricEigen out{scale * solver.eigenvalues(), solver.eigenvectors()};
  reflect(out.vectors, reduced.packedMatrix(), reduced.householderCoefficients(), 1, false);
  return out;
}

GeneralEigen general_eigen(const MatrixXd& A) {
  const Index n = A.rows();
  GeneralEigen out{VectorXcd(n), Eigen::MatrixXcd(n, n)};
  if (n == 0) return out;
  const double size = A.cwiseAbs().maxCoeff(), scale = size > 0 ? size : 1;
  MatrixXd T = A / scale, U = MatrixXd::Identity(n, n);
  if (n > 1) {
    const Eigen::HessenbergDecomposition<MatrixXd> reduced(T);
    reflect(U, reduced.packedMatrix(), reduced.householderCoefficients(), 1, false);
    T = reduced.packedMatrix();
    for (Index k = 0; k + 2 < n; ++k) T.col(k).tail(n - k - 2).setZero();
  }
  Eigen::RealSchur<MatrixXd> schur(n);
  schur.computeFromHessenberg(T, U, true);
  T = schur.matrixT(), U = schur.matrixU();
  for (Index k = 0; k < n; ++k) {
    VectorXcd x = VectorXcd::Zero(n);
    const bool pair = k + 1 < n && T(k + 1, k) != 0;
    Complex lambda = T(k, k);
    if (pair) {
      const double half = 0.5 * (T(k, k) - T(k + 1, k + 1));
      lambda = T(k + 1, k + 1) + half + std::sqrt(Complex(half * half + T(k, k + 1) * T(k + 1, k)));
      x[k] = T(k, k + 1), x[k + 1] = lambda - T(k, k);
    } else {
      x[k] = 1;
    }
    substitute_back(T, lambda, k - 1, x);
    const VectorXcd vector = complex_product(U, x);
    out.vectors.col(k) = vector / vector.norm();
    out.values[k] = scale * lambda;
    if (!pair) continue;
    out.vectors.col(k + 1) = out.vectors.col(k).conjugate();
    out.values[k + 1] = std::conj(out.values[k]);
    ++k;
  }
  return out;
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

MatrixXd PivotedQr::q() const { return q(factor_->qr.rows()); }

MatrixXd PivotedQr::q(Index first) const {
  MatrixXd out = MatrixXd::Identity(factor_->qr.rows(), first);
  reflect(out, factor_->qr.matrixQR(), factor_->qr.hCoeffs(), 0, false);
  return out;
}

MatrixXd PivotedQr::solve(const MatrixXd& b) const {
  const MatrixXd& R = factor_->qr.matrixQR();
  const Index pivots = factor_->qr.nonzeroPivots();
  MatrixXd c = b, out = MatrixXd::Zero(R.cols(), b.cols());
  reflect(c, R, factor_->qr.hCoeffs(), 0, true);
  for (Index k = pivots - 1; k >= 0; --k) {
    c.row(k) /= R(k, k);
    for (Index j = 0; j < c.cols(); ++j) c.col(j).head(k) -= c(k, j) * R.col(k).head(k);
    out.row(factor_->qr.colsPermutation().indices()[k]) = c.row(k);
  }
  return out;
}

}  // namespace flexura
