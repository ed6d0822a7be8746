#pragma once

#include "validation/reproduce_case.hpp"

namespace flexura::detail {

// robots.cpp
void handbook_robot(Case& one);
/// Moments of the cranks along a path: part of the Delta robot's case.
void delta_inverse_dynamics(Case& one);

}  // namespace flexura::detail
