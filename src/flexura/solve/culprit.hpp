#pragma once
// Which part of a model an equation belongs to.

#include <string>

#include "flexura/model/model.hpp"

namespace flexura {

/// The item that has most to do with row or coordinate `y`, for messages.
std::string culprit(const Topology& topology, int y);

}  // namespace flexura
