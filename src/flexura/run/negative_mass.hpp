#pragma once

#include <string>

#include "flexura/run/active_model.hpp"

namespace flexura {

/// Nodes whose mass makes that of what moves with them negative: in some direction that the constraints allow, kinetic energy would fall as
/// speed grows. Negative masses of nodes alone are fine: those of a body of trusses are, and its mass as a whole is not.
struct NegativeMass {
  std::string item;  ///< the node that is told, "truss.n"; "" where there is none
  std::string message;
};

/// Whether there may be any: nodes that have a mass of their own.
bool has_light_nodes(const Topology& topology);

/// At the positions of the model's state.
NegativeMass find_negative_mass(ActiveModel& active);

}  // namespace flexura
