#include "flexura/part/part_slots.hpp"

namespace flexura {

std::vector<int> node_slots(const CablePart& cable) {
  std::vector<int> slots;
  for (size_t k = 0; k < cable.points.size(); ++k) {
    slots.push_back(cable.points[k]);
    if (cable.frames.empty()) slots.push_back(cable.vectors[k]);
    if (!cable.frames.empty()) slots.insert(slots.end(), cable.frames[k].begin(), cable.frames[k].end());
    if (cable.is_full()) slots.insert(slots.end(), cable.fibres[k].begin(), cable.fibres[k].end());
  }
  return slots;
}

std::vector<int> node_slots(const PlatePart& plate) {
  std::vector<int> slots;
  for (const PlateNode& node : plate.model.nodes)
    for (const int slot : {node.r, node.g_u, node.g_v, node.r_z})
      if (slot >= 0) slots.push_back(slot);
  return slots;
}

std::vector<int> node_slots(const SolidPart& solid) { return solid.model.nodes; }

}  // namespace flexura
