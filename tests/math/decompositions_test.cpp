// Products and decompositions of dense matrices, by what defines them. Tolerances: some hundred roundings of the matrix's size.

#include "flexura/math/decompositions.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <complex>

namespace flexura {
namespace {

using Eigen::Index;
using Eigen::MatrixXcd;
using Eigen::MatrixXd;
using Eigen::VectorXcd;
using Eigen::VectorXd;

MatrixXd numbers(Index rows, Index columns, double seed) {
  MatrixXd out(rows, columns);
  for (Index j = 0; j < columns; ++j)
    for (Index i = 0; i < rows; ++i)
      out(i, j) = std::sin(12.9898 * (i + 1) + 78.233 * (j + 1) + seed) * std::cos(3.7 * i * j);
  return out;
}

void expect_pairs(const MatrixXd& A, double tolerance) {
  const GeneralEigen pairs = general_eigen(A);
  const Index n = A.rows();
  ASSERT_EQ(pairs.values.size(), n);
  const MatrixXcd missing = A.cast<std::complex<double>>() * pairs.vectors - pairs.vectors * pairs.values.asDiagonal();
  EXPECT_LE(missing.cwiseAbs().maxCoeff(), tolerance * A.norm()) << n;
  for (Index k = 0; k < n; ++k) {
    EXPECT_NEAR(pairs.vectors.col(k).norm(), 1, 1e-13);
    if (pairs.values[k].imag() == 0) continue;
    ASSERT_LT(k + 1, n);
    EXPECT_EQ(pairs.values[k + 1], std::conj(pairs.values[k]));
    EXPECT_EQ(pairs.vectors.col(k + 1), pairs.vectors.col(k).conjugate());
    ++k;
  }
  EXPECT_NEAR(pairs.values.sum().real(), A.trace(), 1e-11 * A.norm());
}

TEST(Decompositions, PairsOfAnyMatrix) {
  for (const Index n : {1, 2, 3, 4, 7, 20, 61}) expect_pairs(numbers(n, n, 0.3), 1e-13 * std::sqrt(n));
  expect_pairs(1e-100 * numbers(9, 9, 0.1), 1e-12);
  expect_pairs(1e100 * numbers(9, 9, 0.1), 1e-12);
}

// A wheel's generator: ±i; a block of two with real eigenvalues stays none; Jordan's block has one vector, many times.
TEST(Decompositions, PairsOfSpecialMatrices) {
  MatrixXd turn(2, 2), jordan = 3 * MatrixXd::Identity(5, 5);
  turn << 0, -1, 1, 0;
  expect_pairs(turn, 1e-15);
  EXPECT_EQ(general_eigen(turn).values[0], std::complex<double>(0, 1));
  for (Index i = 0; i + 1 < 5; ++i) jordan(i, i + 1) = 1;
  expect_pairs(jordan, 1e-14);
  expect_pairs(MatrixXd::Zero(4, 4), 1e-15);
  expect_pairs(MatrixXd::Identity(4, 4), 1e-15);
  EXPECT_EQ(general_eigen(MatrixXd(0, 0)).values.size(), 0);
}

TEST(Decompositions, SymmetricPairsReadTheLowerHalf) {
  for (const Index n : {1, 2, 3, 8, 50})
    for (const bool repeated : {false, true}) {
      MatrixXd A = numbers(n, n, 1.1);
      A = (repeated ? MatrixXd(A.leftCols(std::min<Index>(n, 2)) * A.leftCols(std::min<Index>(n, 2)).transpose())
                    : MatrixXd(A + A.transpose()));
      MatrixXd half = A;
      half.triangularView<Eigen::StrictlyUpper>().setConstant(std::nan(""));
      const SymmetricEigen pairs = symmetric_eigen(half);
      const MatrixXd missing = A * pairs.vectors - pairs.vectors * pairs.values.asDiagonal();
      const double rounding = 1e-13 * std::sqrt(n);
      EXPECT_LE(missing.cwiseAbs().maxCoeff(), rounding * A.norm()) << n;
      EXPECT_LE((pairs.vectors.transpose() * pairs.vectors - MatrixXd::Identity(n, n)).cwiseAbs().maxCoeff(), rounding);
      for (Index k = 1; k < n; ++k) EXPECT_LE(pairs.values[k - 1], pairs.values[k]);
    }
  EXPECT_EQ(symmetric_eigen(MatrixXd(0, 0)).values.size(), 0);
  EXPECT_EQ(symmetric_eigen(MatrixXd::Zero(3, 3)).values, VectorXd(VectorXd::Zero(3)));
}

TEST(Decompositions, PivotedQrHasBasesAndLeastSquares) {
  for (const auto [rows, columns, rank] :
       {std::array<Index, 3>{6, 4, 4}, {6, 4, 2}, {4, 7, 3}, {5, 5, 5}, {1, 1, 1}, {3, 2, 0}}) {
    const MatrixXd A = numbers(rows, rank, 0.7) * numbers(rank, columns, 2.3);
    const PivotedQr qr(A, 1e-11);
    ASSERT_EQ(qr.rank(), rank);
    const MatrixXd q = qr.q();
    ASSERT_EQ(q.cols(), rows);
    EXPECT_LE((q.transpose() * q - MatrixXd::Identity(rows, rows)).cwiseAbs().maxCoeff(), 1e-14);
    EXPECT_EQ(qr.q(rank), MatrixXd(q.leftCols(rank)));
    EXPECT_LE((q.rightCols(rows - rank).transpose() * A).norm(), 1e-13);
    if (rank != std::min(rows, columns)) continue;
    const MatrixXd b = numbers(rows, 2, 4.2), x = qr.solve(b), gradient = A.transpose() * (A * x - b);
    EXPECT_LE(gradient.cwiseAbs().maxCoeff(), 1e-12) << rows << " " << columns;
  }
}

TEST(Decompositions, ProductsOfBlocks) {
  const MatrixXd A = numbers(7, 9, 0.2), B = numbers(4, 6, 0.9);
  EXPECT_LE((product(A.leftCols(4), B) - A.leftCols(4) * B).norm(), 1e-14);
  EXPECT_LE((transposed_product(A.bottomRows(4), B) - A.bottomRows(4).transpose() * B).norm(), 1e-14);
  const VectorXcd x = numbers(9, 1, 0.4).col(0) + std::complex<double>(0, 1) * numbers(9, 1, 1.4).col(0);
  EXPECT_LE((complex_product(A, x) - A.cast<std::complex<double>>() * x).norm(), 1e-14);
}

}  // namespace
}  // namespace flexura
