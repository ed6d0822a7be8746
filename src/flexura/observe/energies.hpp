#pragma once
// Energies of a whole model.

#include "flexura/integrate/known_energies.hpp"

namespace flexura {

/// Energies of the whole model at a moment [J].
struct Energies {
  double kinetic = 0, strain = 0;
  double gravity = 0;     ///< potential energy of weight, −f·q
  double dissipated = 0;  ///< in dampers, since the start
  double work = 0;        ///< of loads and prescribed motions, since the start
  double numerical = 0;   ///< lost (> 0) or gained by the integration since the start
};

/// Of a state and what has been added up until it. `baseline`: put in or taken out other than by work [J].
Energies energies_of(const StateEnergies<double>& state, const EnergyAccount<double>& account, double baseline);

}  // namespace flexura
