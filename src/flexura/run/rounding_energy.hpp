#pragma once

#include "flexura/solve/system.hpp"

namespace flexura {

/// Energy below which a state's are rounding [J], so that ratios of these mean nothing:
///
///     Σ K_ii (1e-14 s_i)² (1 + h² K_ii/M_ii) + 1e-12 (F L + |U|)      s = L of points, 1 of directions and scalars
///
/// L: the model's extent; K: its stiffness, M: its mass: roundings of places load the springs, and push masses for a step h;
/// F: the largest force of loads, weight or joints on a
/// coordinate; U: what is stored. Evaluates at the signals that are set and leaves the system's matrix as it is.
double rounding_energy(System<double>& system, const State<double>& state, double stored, double h = 0);

}  // namespace flexura
