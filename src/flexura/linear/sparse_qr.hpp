#pragma once
// A P = Q R of a sparse matrix, with its rank: Eigen's, compiled once.

#include <Eigen/SparseCore>
#include <memory>

namespace flexura {

class SparseQr {
 public:
  SparseQr();
  ~SparseQr();

  /// `threshold`: of a column that depends on others less is left.
  void compute(const Eigen::SparseMatrix<double>& A, double threshold);

  Eigen::Index rank() const;
  double pivot(Eigen::Index k) const;       ///< R_kk
  int column(Eigen::Index position) const;  ///< of A, at a position of A P; behind rank() those that depend on others
  /// X with A X = 0: a column for each of A that depends on others.
  Eigen::MatrixXd kernel() const;
  /// Columns of Q, which is square, from the one given on.
  Eigen::MatrixXd q_from(Eigen::Index first) const;

 private:
  struct Factor;
  std::unique_ptr<Factor> factor_;
};

}  // namespace flexura
