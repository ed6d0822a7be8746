#include "flexura/observe/energies.hpp"

namespace flexura {

Energies energies_of(const Assembler<double>& assembler, const State<double>& state, double baseline) {
  Energies e;
  e.kinetic = assembler.kinetic_energy(state.v.data());
  e.strain = assembler.potential_energy(state.t, state.q.data());
  e.gravity = 0.0 - assembler.inner(assembler.gravity_force().data(), state.q.data());
  e.dissipated = state.energy.dissipated;
  e.work = state.energy.loads + state.energy.prescribed;
  e.numerical = baseline + state.energy.gravity + e.work - e.kinetic - e.strain - e.dissipated;
  return e;
}

}  // namespace flexura
