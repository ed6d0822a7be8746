#pragma once
// Motion that drives decide, with the forces that it takes or without.

#include "flexura/integrate/stepper.hpp"

namespace flexura {

/// `forces`: multipliers too; without, they are zero.
std::unique_ptr<Stepper> kinematic_stepper(System<double>& system, bool forces);

}  // namespace flexura
