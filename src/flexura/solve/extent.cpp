#include "flexura/solve/extent.hpp"

#include <algorithm>
#include <cmath>

namespace flexura {

double extent(const Topology& topology, const std::vector<double>& q) {
  double low[3] = {1e300, 1e300, 1e300}, high[3] = {-1e300, -1e300, -1e300}, furthest = 0;
  for (const Slot& slot : topology.slots) {
    if (slot.kind != SlotKind::point) continue;
    for (int i = 0; i < slot.size; ++i) {
      const double x = q[slot.offset + i];
      low[i] = std::min(low[i], x);
      high[i] = std::max(high[i], x);
      furthest = std::max(furthest, std::fabs(x));
    }
  }
  double length = 0;
  for (int i = 0; i < topology.dim; ++i) length = std::max(length, high[i] - low[i]);
  if (length > 1e-9 * furthest) return length;
  return furthest > 0 ? furthest : 1.0;
}

}  // namespace flexura
