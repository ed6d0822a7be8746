#pragma once

#include <span>
#include <string>
#include <string_view>

#include "flexura/part/machine.hpp"

namespace flexura {

/// What says so in it.
inline constexpr std::string_view inside_out = "inside out";

/// What to say of solids with elements that have been turned inside out, J ≤ 0 at points at which they are integrated: no law says
/// anything of such a place. "" where there are none.
std::string folded_solids(const Machine& machine, std::span<const double> q);

}  // namespace flexura
