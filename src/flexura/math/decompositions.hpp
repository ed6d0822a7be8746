#pragma once
// Products and decompositions of dense matrices: Eigen's, compiled once, as each takes seconds of every file that names it.

#include <Eigen/Core>
#include <memory>

namespace flexura {

/// A B, Aᵀ B; of blocks of columns too.
using AnyMatrix = Eigen::Ref<const Eigen::MatrixXd>;
Eigen::MatrixXd product(const AnyMatrix& A, const AnyMatrix& B);
Eigen::VectorXcd complex_product(const AnyMatrix& A, const Eigen::VectorXcd& x);
Eigen::MatrixXd transposed_product(const AnyMatrix& A, const AnyMatrix& B);

/// A = V Λ Vᵀ of a symmetric matrix, whose lower half is read.
struct SymmetricEigen {
  Eigen::VectorXd values;   ///< ascending
  Eigen::MatrixXd vectors;  ///< orthonormal columns
};
SymmetricEigen symmetric_eigen(const Eigen::MatrixXd& A);

/// A V = V Λ of any square matrix; pairs of conjugate eigenvalues stand together.
struct GeneralEigen {
  Eigen::VectorXcd values;
  Eigen::MatrixXcd vectors;
};
GeneralEigen general_eigen(const Eigen::MatrixXd& A);

/// A P = Q R by Householder's reflections, of the columns that remain the largest first.
class PivotedQr {
 public:
  /// `threshold`: pivots that are not larger, relative to the largest, count as zero; 0: those of rounding.
  explicit PivotedQr(const Eigen::MatrixXd& A, double threshold = 0);
  ~PivotedQr();

  Eigen::Index rank() const;
  Eigen::MatrixXd q() const;                    ///< square: behind the first rank() columns those perpendicular to A
  Eigen::MatrixXd q(Eigen::Index first) const;  ///< the first columns of it
  /// x with the least |A x − b|, in the pivots that are not zero.
  Eigen::MatrixXd solve(const Eigen::MatrixXd& b) const;

 private:
  struct Factor;
  std::unique_ptr<Factor> factor_;
};

}  // namespace flexura
