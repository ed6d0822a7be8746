#pragma once

#include "flexura/solve/system.hpp"

namespace flexura {

/// How exactly the places of a state are known.
struct PlaceAccuracy {
  double of_place = 1e-14;  ///< ε [1]: rounding of a motion, or the tolerance of equilibria
  double h = 0;             ///< step in which roundings push masses [s]
};

/// Energy below which a state's are rounding [J], so that ratios of these mean nothing:
///
///     Σ K_ii (ε s_i)² (1 + h² K_ii/M_ii) + 1e-12 (F L + |U| + Σ P₀ V₀)      s = L of points, 1 of directions and scalars
///
/// L: the model's extent; K: its stiffness, M: its mass: roundings of places load the springs, and push masses for a step h;
/// F: the largest force of loads, weight or joints on a coordinate; U: what is stored; P₀ V₀: filling of a chamber, whose
/// energy is the difference between the work of its gas and that of the ambient. `values`: those of the system. Evaluates at
/// the signals that are set and leaves the system's matrix as it is.
double rounding_energy(System<double>& system, const Values& values, const State<double>& state, double stored,
                       const PlaceAccuracy& accuracy);

}  // namespace flexura
