#pragma once
// Small motions about a state, at rest or moving, as a system of first order in as few coordinates as there are freedoms:
//
//     ẋ = A x + B₀ u + B₁ u̇ + B₂ ü            x = (z, ż of what has mass; z of what dampers alone hold; gas)
//
// z are coordinates of the model itself, those that a factor of Φ_q with pivoting leaves free. The others follow from
// Φ = 0, Φ̇ = 0 and Φ̈ = 0, each differentiated where the state is, so that A is the derivative of the motion in fixed coordinates of
// the manifold also where Φ_q turns with the motion:
//
//     q = q(z, u),  v = v(z, ż, u, u̇),  a = a(z, ż, z̈, u, u̇, ü);      M̄ z̈ + D̄ ż + K̄ z = Σ B̄_k u^(k),    Nᵀ dR = 0,  N = ∂q/∂z
//
// What has neither mass nor damping is in equilibrium with the rest (index reduced). All derivatives are of dual numbers.
// Part of flexura_ensemble.

#include <Eigen/Core>
#include <span>
#include <string>
#include <vector>

#include "flexura/solve/dual_residual.hpp"

namespace flexura {

struct LinearMotion {
  std::string problem;       ///< why there is none
  std::vector<int> states;   ///< coordinate of each state, an index in y
  std::vector<char> rates;   ///< 1: the state is its rate
  std::vector<int> at_rest;  ///< coordinates that follow the rest without inertia and damping
  int constraints = 0;       ///< independent ones, projected out
  int inputs = 0;
  Eigen::MatrixXd A, B[3];  ///< B_k: of the k-th derivative of the inputs
  /// Changes of q (multipliers included), v and a of the free unknowns with [x, u, u̇, ü], [ny × (states + 3 inputs)]. What has no mass
  /// moves, but its acceleration is not told: 0.
  Eigen::MatrixXd q, v, a;
  Eigen::VectorXd x, drift;  ///< x and ẋ at the state itself
  double imbalance = 0;      ///< largest z̈ at the state, of what has mass
};

/// About a state with all its dependents, whose a and multipliers fit q and v. `inputs`: by how much effective signals
/// change with each; `signals`: those of the state. `system`: of the same model, with the same signals.
LinearMotion linearise_motion(System<double>& system, DualResidual& residual, const State<double>& state,
                              std::span<const SignalValue> signals, const std::vector<std::vector<double>>& inputs);

}  // namespace flexura
