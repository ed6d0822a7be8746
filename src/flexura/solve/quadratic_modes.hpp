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
  /// ‖Q⁻¹ (s² M + s C + K) x‖ |s − σ|² / ‖x‖, Q = K + σ C + σ² M [1/s²]: how far s² may be from an eigenvalue.
  std::vector<double> errors;
  std::string problem;
  bool sure = true;  ///< all were computed: none can be missing
};

/// By projection on a block Krylov space of second order with a real shift, then refined pair by pair: conjugate pairs stay
/// together, one real LU serves all, and where nothing damps no projection does. Of few unknowns the space becomes whole.
/// `near`: |s|² of about the lowest that is no rigid motion [1/s²]; 0: not known.
ComplexPairs quadratic_modes(QuadraticPencil& pencil, int count, double near = 0);

}  // namespace flexura
