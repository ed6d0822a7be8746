#pragma once
// Which loop of a mechanism does not close: what to say when positions cannot be projected on the constraints.
//
//     Parts are the vertices of a graph; constraints between two parts, slots that two parts share, and slots that one
//     part has through another's (eliminated joints) are its edges. The loop is the shortest cycle through the
//     constraint that is violated most; if that one keeps a part rigid, the shortest cycle through the part.

#include <span>
#include <string>
#include <vector>

#include "flexura/model/model.hpp"

namespace flexura {

struct OpenLoop {
  std::vector<std::string> parts;   ///< in order around the loop; the first follows the last
  std::vector<std::string> joints;  ///< joints[i] leads from parts[i] to parts[i + 1]
  std::string worst;                ///< the constraint that is violated most
  double violation = 0;             ///< its |Φ|
  /// "loop crank – joint.b – rod – joint.c – ground – joint.a – crank does not close: joint.c is off by 0.012"
  std::string text() const;
};

/// `parts_of_slot` [slots]: names of the parts that a slot belongs to; a slot that nothing moves belongs to "ground" if it
/// has no other. `violation` by index in y: Φ of every row. Items of one joint have one name up to the first ", " .
OpenLoop explain_open_loop(const Topology& topology, std::span<const double> violation,
                           std::span<const std::vector<std::string>> parts_of_slot);

}  // namespace flexura
