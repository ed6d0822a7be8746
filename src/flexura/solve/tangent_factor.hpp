#pragma once
// The factor of a stage's exact tangent, and what is linear about the state that it was made at.
//
//     J = Tᵀ (K + cm M + cd C) T,    dR = −J dq where v and a follow q by the stage's weights
//
// With a system of its own, so that the run that is looked at keeps its bits. Part of flexura_ensemble.

#include "flexura/linear/sparse_fallback.hpp"
#include "flexura/solve/dual_residual.hpp"
#include "flexura/solve/newton.hpp"

namespace flexura {

class TangentFactor {
 public:
  /// `unsymmetric`: of the methods that ask for it.
  TangentFactor(std::shared_ptr<const Topology> topology, const Values& values, bool unsymmetric = false);

  /// At a state with all its dependents, `h` after the past [s]. False: singular, or no numbers.
  bool factor(const State<double>& state, const StageWeights& weights, std::span<const SignalValue> signals,
              const std::vector<double>& past, double h);
  /// Of what is in `system.values` already.
  bool factor_values();
  /// In place [ny]: J⁻¹ y, J⁻ᵀ y.
  void solve(std::span<double> y);
  void solve_transposed(std::span<double> y);
  /// J⁻ᵀ y, of which only the rounding of J is left.
  void refine_transposed(std::span<double> y);
  /// M x and Dᵀ x [ny], with D = C − ∂Q/∂v at the state of the last factor.
  std::vector<double> mass_times(std::span<const double> x);
  std::vector<double> damping_transposed_times(std::span<const double> x);
  std::vector<double> damping_times(std::span<const double> x);

  /// Moves an equilibrium that was found up to a tolerance to where only rounding is left, and factors there. False: it does not
  /// come nearer.
  bool polish(State<double>& state, std::span<const SignalValue> signals);

  /// dq of `state` [ny; v and a by the weights] such that dR = 0, from what it is, by the factor and one derivative of R at rest; of
  /// equations without memory. False: no numbers.
  bool solve_linear(DualResidual& residual, State<Tangent>& state, const StageWeights& weights);
  /// dq of `state` [ny; v and a by the weights] until dR = 0. `negligible`: of dq, what only rounding would be. False: it does not come
  /// nearer, as where the equations are singular.
  bool solve_tangent(DualResidual& residual, State<Tangent>& state, const StageWeights& weights, double negligible = 0);

  System<double> system;

 private:
  bool make_damping();

  std::vector<double> delta_, without_, product_;
  StageWeights weights_;
  State<double> at_;
  SparseFallback pivoting_;
  bool analysed_ = false, use_pivoting_ = false, damping_known_ = false;
};

}  // namespace flexura
