#pragma once
// Constraints that push back without their multiplier: forces −(λ + p Φ) Φ_q.

#include "flexura/solve/system.hpp"

namespace flexura {

/// p of each constraint row, in the unit of λ/Φ; [ny], 0 where there is none.
std::vector<double> row_penalties(const System<double>& system);

}  // namespace flexura
