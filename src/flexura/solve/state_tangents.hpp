#pragma once
// K, D and M of the free unknowns at a state, multipliers among them, entry by entry:
//
//     dR = −(K dq + D dv + M da),     R = Tᵀ (Q − C v − M a)
//
// Of a state at rest that is all that it feels; at others K lacks what v and a make of a change of q. Part of flexura_ensemble.

#include <span>
#include <vector>

#include "flexura/solve/state.hpp"
#include "flexura/solve/system.hpp"

namespace flexura {

struct TangentEntry {
  int row, column;
  double stiffness, damping, mass;
};

/// By the terms' own tangents, with these signals. Each place once, both triangles.
std::vector<TangentEntry> state_tangents(System<double>& system, const State<double>& state,
                                         std::span<const SignalValue> signals);

}  // namespace flexura
