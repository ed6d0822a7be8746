#pragma once
// Which part of a model an equation or an unknown belongs to.

#include <string>

#include "flexura/model/model.hpp"

namespace flexura {

/// The item that has most to do with row or coordinate `y`, for messages.
std::string culprit(const Topology& topology, int y);
/// Of a coordinate or multiplier: its slot's name, and which axis, "hose.node2.y".
std::string unknown_name(const Topology& topology, int y);

}  // namespace flexura
