#pragma once
// Of a space, vectors of few parts each. Part of flexura_ensemble.

#include <Eigen/Core>
#include <cmath>

namespace flexura {

/// Of the same space as the columns, each vector without the part that another one has by itself: where two have none in common, these two.
/// By elimination with the largest pivots; parts below `least` of the largest of a vector become zero.
inline Eigen::MatrixXd sparse_basis(Eigen::MatrixXd basis, double least) {
  using Eigen::Index;
  for (Index c = 0; c < basis.cols(); ++c) {
    Index row = 0, from = 0;
    basis.rightCols(basis.cols() - c).cwiseAbs().maxCoeff(&row, &from);
    basis.col(c).swap(basis.col(c + from));
    basis.col(c) /= basis(row, c);
    for (Index other = 0; other < basis.cols(); ++other)
      if (other != c) basis.col(other) -= basis(row, other) * Eigen::VectorXd(basis.col(c));
  }
  for (Index c = 0; c < basis.cols(); ++c) {
    const double largest = basis.col(c).cwiseAbs().maxCoeff();
    for (Index i = 0; i < basis.rows(); ++i)
      if (std::abs(basis(i, c)) < least * largest) basis(i, c) = 0;
  }
  return basis;
}

}  // namespace flexura
