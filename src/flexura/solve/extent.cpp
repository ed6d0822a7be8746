#include "flexura/solve/extent.hpp"

#include <algorithm>

namespace flexura {

double extent(const Topology& topology, const std::vector<double>& q) {
  double low[3] = {1e300, 1e300, 1e300}, high[3] = {-1e300, -1e300, -1e300};
  for (const Slot& slot : topology.slots) {
    if (slot.kind != SlotKind::point) continue;
    for (int i = 0; i < slot.size; ++i) {
      low[i] = std::min(low[i], q[slot.offset + i]);
      high[i] = std::max(high[i], q[slot.offset + i]);
    }
  }
  double length = 1e-9;
  for (int i = 0; i < topology.dim; ++i) length = std::max(length, high[i] - low[i]);
  return length;
}

}  // namespace flexura
