#pragma once
// Which part of a model an equation or an unknown belongs to.

#include <string>
#include <string_view>

#include "flexura/model/model.hpp"

namespace flexura {

/// The item that has most to do with row or coordinate `y`, for messages.
std::string culprit(const Topology& topology, int y);
/// Of a coordinate or multiplier: its slot's name, and which axis, "hose.node2.y".
std::string unknown_name(const Topology& topology, int y);
/// Unit of what is unbalanced there: " N" of a point, " N m" of a direction or an angle; "" of constraints and others.
std::string_view residual_unit(const Topology& topology, int y);

}  // namespace flexura
