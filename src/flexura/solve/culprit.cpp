#include "flexura/solve/culprit.hpp"

#include "flexura/model/term_type.hpp"
#include "flexura/solve/extent.hpp"

namespace flexura {

std::string culprit(const Topology& topology, int y) {
  if (y < 0) return "nothing in particular";
  int slot = -1;
  for (size_t s = 0; s < topology.slots.size(); ++s)
    if (topology.slots[s].offset <= y && y < topology.slots[s].offset + topology.slots[s].size)
      slot = static_cast<int>(s);
  for (const ItemBatch& batch : topology.batches) {
    const int ns = static_cast<int>(batch.type->info.slots.size());
    for (int i = 0; i < batch.count; ++i)
      for (int a = 0; a < ns; ++a)
        if (batch.type->info.slots[a] != SlotKind::signal && batch.slots[i * ns + a] == slot)
          return topology.item_names[batch.names[i]];
  }
  return slot < 0 ? "nothing in particular" : topology.slot_names[slot];
}

std::string unknown_name(const Topology& topology, int y) {
  constexpr const char* axes[] = {".x", ".y", ".z"};
  for (size_t s = 0; s < topology.slots.size(); ++s) {
    const Slot& slot = topology.slots[s];
    if (y < slot.offset || y >= slot.offset + slot.size) continue;
    return topology.slot_names[s] + (slot.size > 1 ? axes[y - slot.offset] : "");
  }
  return culprit(topology, y);
}

std::string_view residual_unit(const Topology& topology, int y) {
  for (size_t s = 0; s < topology.slots.size(); ++s) {
    const Slot& slot = topology.slots[s];
    if (y < slot.offset || y >= slot.offset + slot.size || slot.multiplier) continue;
    if (slot.is_length) return " N";
    return slot.kind == SlotKind::vector || topology.slot_names[s].ends_with(".angle") ? " N m" : "";
  }
  return "";
}

}  // namespace flexura
