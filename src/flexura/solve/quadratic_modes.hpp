#pragma once
// Small motions where nothing is symmetric: eigenvalues s of s² M x + s C x + K x = 0 nearest to zero.

#include <Eigen/Core>
#include <complex>
#include <string>
#include <vector>

#include "flexura/solve/quadratic_pencil.hpp"

namespace flexura {

struct ComplexPairs {
  std::vector<std::complex<double>> exponents;  ///< s by |s|; Im s ≥ 0, of each pair one
  Eigen::MatrixXcd vectors;                     ///< [unknowns × modes]
  std::string problem;
  bool sure = true;  ///< all were computed: none can be missing
};

/// By projection on a block Krylov space of second order with a real shift: conjugate pairs stay together, one real LU serves
/// all, and where nothing damps no projection does. Of few unknowns the space becomes whole.
ComplexPairs quadratic_modes(QuadraticPencil& pencil, int count);

}  // namespace flexura
