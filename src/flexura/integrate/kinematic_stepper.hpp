#pragma once
// Motion that drives decide, with the forces that it takes.

#include "flexura/integrate/stepper.hpp"

namespace flexura {

std::unique_ptr<Stepper> kinematic_stepper(System<double>& system);

}  // namespace flexura
