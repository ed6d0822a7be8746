#pragma once
// Where a motion begins, differentiated both ways: accelerations and multipliers from positions and velocities, and these from those that
// were projected. Part of flexura_ensemble.

#include "flexura/solve/constraint_matrix.hpp"
#include "flexura/solve/tangent_factor.hpp"

namespace flexura {

/// Products of what a motion's start is solved with (GeneralizedAlpha::start, Constraints::project_velocities):
///
///     K [da; dλ] = [dR; −dΦ̈]                          at what starts
///     K [dv₁; dm] = [d(−Φ_qᵀ m − M (v₁ − v₀)); −dΦ̇]     at what is projected,     K = [M Φ_qᵀ; Φ_q 0] = Kᵀ
///
/// Unknowns s without inertia that are no multipliers, as a pressure, follow from rows of their own: dR_s = 0.
class StartEquations {
 public:
  StartEquations(TangentFactor& factor, DualResidual& residual);

  bool has_rows() const { return !matrix_.rows().empty(); }
  /// Why they cannot be differentiated, or "".
  std::string factor(const State<double>& state);
  /// K⁻¹ of what is felt. What the matrix has where there is no mass is taken out again.
  std::vector<double> solve(std::span<const double> coordinates, std::span<const double> multipliers);
  /// μ of the rows of s, of what is felt of s directly and through the μ of the others.
  void add_scalars(std::span<const double> unknowns, std::vector<double>& mu) const;
  /// [da; dλ, ds] of a state whose a, λ and s do not change yet, with the factor of its values.
  std::vector<double> changes(State<Tangent>& state);
  /// m of a way of the coordinates that is M⁻¹ Φ_qᵀ m, with the last factor.
  std::vector<double> multipliers_of(std::span<const double> way);
  const ConstraintMatrix<double>& matrix() const { return matrix_; }
  DualResidual& residual() { return residual_; }

  /// Coordinates that some constraint reads, or that move what it reads.
  std::span<const int> touched() const { return touched_; }
  /// μ · −dΦ, μ · −dΦ̇, μ · −dΦ̈.
  double places(State<Tangent>& state, std::span<const double> mu);
  double rates(State<Tangent>& state, std::span<const double> mu);
  double start(State<Tangent>& state, std::span<const double> mu);
  /// μ · [d(−Φ_qᵀ m − M (v₁ − v₀)); −dΦ̇]; `state` has v₁ and m as its multipliers, which do not change.
  double project(State<Tangent>& state, const State<Tangent>& from, std::span<const double> mu);
  /// m of the projection that led from v₀ to v₁, with the signals that are set.
  std::vector<double> impulses(const State<double>& from);

 private:
  double rows(const State<Tangent>& state, const std::vector<Tangent>& of, std::span<const double> mu);
  /// x [ny, of s alone] such that −∂R_s/∂s x, or its transpose, is b.
  std::vector<double> solve_scalars(std::span<const double> b, bool transposed) const;

  TangentFactor& factor_;
  DualResidual& residual_;
  ConstraintMatrix<double> matrix_;
  const Topology& topology_;
  std::vector<int> touched_;
  std::vector<int> scalars_;     ///< the s, as indices in y
  std::vector<double> tangent_;  ///< −∂R/∂q at the last factor, where there are s
  std::vector<Tangent> phi_, rate_, second_, force_;
};

}  // namespace flexura
