#pragma once
// How the equations of a state change with it and with the model's numbers: exact, in one direction at a time.
//
//     dR = ∂R/∂(q, v, a) · d(q, v, a) + ∂R/∂(signals) · d(signals) + ∂R/∂(Values) · direction,     R = Tᵀ (Q − C v − M a)
//
// Part of flexura_ensemble.

#include <span>

#include "flexura/solve/state.hpp"
#include "flexura/solve/system.hpp"

namespace flexura {

using Tangent = Dual<double>;  ///< a number and what it changes by

class DualResidual {
 public:
  /// `direction`: by what the numbers change; as many as `values` has.
  DualResidual(std::shared_ptr<const Topology> topology, const Values& values, const Values& direction);

  /// R [ny] at a state, whose dependents are expanded, with the signals and the history that the assembler has; of rest without
  /// `inertia`. Valid until the next call.
  std::span<const Tangent> at(State<Tangent>& state, bool inertia) {
    expand(state);
    assembler.residual(state.t, state.q.data(), state.v.data(), residual_.data());
    if (inertia) {
      assembler.subtract_mass_times(state.a.data(), Tangent(1.0), residual_.data());
      assembler.subtract_damping(state.v.data(), residual_.data());
    }
    assembler.reduce(residual_.data());
    return std::span<const Tangent>(residual_).first(assembler.topology().ny);
  }

  /// Dependents from free coordinates and signals; places that never move are where their numbers say.
  void expand(State<Tangent>& state) const {
    for (const auto& [index, change] : fixed_) state.q[index].d = change;
    assembler.expand(state.q.data(), state.v.data(), state.a.data());
  }
  /// What R changes by of the numbers and the signals that are set, where neither the free coordinates nor, unless relations move them,
  /// dependents do. Items whose numbers stay are left out.
  std::span<const Tangent> direct(State<Tangent>& state, bool inertia);

  Assembler<Tangent> assembler;

 private:
  std::span<const Tangent> of_batches(std::span<const int> batches, State<Tangent>& state, bool inertia);
  std::span<const Tangent> reduced();

  std::vector<int> changing_;                  ///< batches whose numbers change
  std::vector<int> changing_by_signals_;       ///< with those that read signals
  std::vector<std::pair<int, double>> fixed_;  ///< coordinates of places that never move, and what they change by
  std::vector<int> driving_;                   ///< signals that move dependents
  bool moves_places_ = false, moves_reference_ = false, moves_mass_ = false;
  std::vector<Tangent> residual_;
};

/// As many numbers, all 0.
Values no_direction(const Values& values);
/// Whether some of a direction's numbers are not 0.
bool any_change(std::span<const double> x);
/// The same state, which changes by nothing.
State<Tangent> unchanging(const State<double>& state);
/// The state alone.
State<double> value_of(const State<Tangent>& state);

}  // namespace flexura
