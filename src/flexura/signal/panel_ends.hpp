#pragma once
// The polynomial through values at the nodes of a panel (lag_panel.hpp), at its ends.

#include <span>

#include "flexura/signal/lag_panel.hpp"

namespace flexura {

/// At the beginning (0) or the end (1).
double extrapolated(std::span<const double, LagPanel::nodes> u, int end);

}  // namespace flexura
