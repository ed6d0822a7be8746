#pragma once
// Terms whose memory is nothing but revolutions, so that methods that know no memory can follow them, too.

#include "flexura/load/torsional_spring.hpp"

namespace flexura {

constexpr bool counts_turns_only(std::string_view term) { return term == TorsionalSpring2d::name; }

}  // namespace flexura
