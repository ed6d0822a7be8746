#pragma once

#include <span>
#include <string>

#include "flexura/part/machine.hpp"

namespace flexura {

/// What to say of solids with elements that have been turned inside out, J ≤ 0 at points at which they are integrated: no law says
/// anything of such a place. "" where there are none.
std::string folded_solids(const Machine& machine, std::span<const double> q);

}  // namespace flexura
