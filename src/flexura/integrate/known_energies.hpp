#pragma once
// Steppers that know the energies of the state that their last step ended with.

#include "flexura/assembly/assembler.hpp"
#include "flexura/solve/state.hpp"

namespace flexura {

/// [J]; gravity: −f·q.
template <class S>
struct StateEnergies {
  S kinetic{}, strain{}, gravity{};
};

/// At a state, whose signals are set.
template <class S>
StateEnergies<S> state_energies(const Assembler<S>& assembler, const State<S>& state) {
  return {assembler.kinetic_energy(state.v.data()), assembler.potential_energy(state.t, state.q.data()),
          S(0.0) - assembler.inner(assembler.gravity_force().data(), state.q.data())};
}

class KnowsEnergies {
 public:
  virtual ~KnowsEnergies() = default;
  /// To the bits that the run's own system would find. False: not now.
  virtual bool find_energies(StateEnergies<double>& energies) = 0;
};

}  // namespace flexura
