#pragma once
// Small vibrations where K and M are symmetric: A x = μ B x of solve/modal_pencil.hpp.

#include <Eigen/Core>
#include <string>
#include <vector>

#include "flexura/solve/modal_pencil.hpp"

namespace flexura {

/// Eigenvalues μ = ω² ascending, with vectors of length ny.
struct RealPairs {
  Eigen::VectorXd values;
  Eigen::MatrixXd vectors;
  /// ‖(A − σ B)⁻¹ (A − μ B) x‖ |μ − σ| / ‖x‖ in the norm of B [1/s²]: how far μ may be from an eigenvalue.
  std::vector<double> errors;
  std::string problem;
  bool sure = true;    ///< no mode is known to be missing
  bool proved = true;  ///< and that was counted
};

/// All modes: null space of the constraints, what has no mass condensed; O(n³).
RealPairs dense_modes(const ModalPencil& pencil);

/// The `count` lowest above `shift` (NaN: the lowest): block Krylov on (A − σ B)⁻¹ B, completeness by the inertia of a
/// second factorisation. A problem where no safe factor was found.
RealPairs krylov_modes(ModalPencil& pencil, int count, double shift);

/// RealPairs::errors by the factor at `shift`, which the pencil must have.
void estimate_errors(const ModalPencil& pencil, double shift, RealPairs& pairs);

}  // namespace flexura
