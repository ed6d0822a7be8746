#pragma once
// A place on a part, found: in the part's own parameters.

#include <vector>

#include "flexura/math/triple.hpp"

namespace flexura {

struct MaterialPlace {
  enum class On { ground, point, cable, plate, body, solid };
  On on = On::ground;
  int part = -1;                ///< index into Machine::points, cables, plates, bodies or solids
  int element = -1;             ///< cable, plate, solid: the element that it is in
  int node = -1;                ///< cable: the node that it is at, or −1
  double xi = 0, eta = 0;       ///< cable, plate, solid: in the element, 0 … 1
  std::vector<int> nodes = {};  ///< plate, solid: a set of nodes, or one
  Triple local{};               ///< body: in its frame; ground: in space [m]
  bool is_whole = false;        ///< body, ground: named as a whole, without a point of it
  double zeta = 0;              ///< solid: in the element
  int set = -1;                 ///< solid: the mesh's set, whose mean it is
};

}  // namespace flexura
