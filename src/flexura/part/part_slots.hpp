#pragma once
// Slots of flexible parts that say how they move.

#include <vector>

#include "flexura/part/machine.hpp"

namespace flexura {

/// Points and gradients, or directors; of each node its point first.
std::vector<int> node_slots(const CablePart& cable);
std::vector<int> node_slots(const PlatePart& plate);
std::vector<int> node_slots(const SolidPart& solid);

}  // namespace flexura
