#pragma once
// Distance of a state at rest from equilibrium: r = Tᵀ Q(q, v = 0) with the multipliers of the state.

#include <string>

#include "flexura/solve/system.hpp"

namespace flexura {

struct UnbalancedForce {
  int slot = -1;          ///< of the topology, where the largest one acts; -1: equilibrium up to rounding
  double size = 0;        ///< there [N at points, N m at directions and angles]
  std::string_view unit;  ///< " N", " N m" or ""

  explicit operator bool() const { return slot >= 0; }
};

/// The largest unbalanced force at coordinates that have mass, at points before directions and angles. Equilibrium, with M and K of the state:
///
///     |r_i|/√M_ii ≤ 1e-4 max |f_k|/√M_kk      f: gravity and loads
///     or |r_i|/√K_ii ≤ 1e3 ε max √K_kk |q_k|   rounding of what is elastic
///
/// What the system reads of signals are those at rest at state.t afterwards.
UnbalancedForce unbalanced_force(System<double>& system, const State<double>& state);

/// "the state is no equilibrium: unbalanced force 9.81 N at rod; add a static analysis before it"; "" of an equilibrium.
std::string imbalance_text(const Topology& topology, const UnbalancedForce& force);

}  // namespace flexura
