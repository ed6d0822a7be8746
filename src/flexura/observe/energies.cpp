#include "flexura/observe/energies.hpp"

namespace flexura {

Energies energies_of(const StateEnergies<double>& state, const EnergyAccount<double>& account, double baseline) {
  Energies e{.kinetic = state.kinetic,
             .strain = state.strain,
             .gravity = state.gravity,
             .dissipated = account.dissipated,
             .work = account.loads + account.prescribed};
  e.numerical = baseline + account.gravity + e.work - e.kinetic - e.strain - e.dissipated;
  return e;
}

}  // namespace flexura
