#pragma once
// Items that store energy by a signal: what grows.

#include "flexura/model/model.hpp"
#include "flexura/model/term_type.hpp"

namespace flexura {

inline bool reads_a_signal(const Topology& topology, const ItemBatch& items) {
  const std::vector<SlotKind>& kinds = items.type->info.slots;
  bool reads = false;
  for (const SlotKind kind : kinds) reads |= kind == SlotKind::signal;
  for (size_t k = 0; reads && k < items.slots.size(); ++k)
    if (kinds[k % kinds.size()] == SlotKind::signal && topology.signals[items.slots[k]].signal >= 0) return true;
  return false;
}
/// A signal changes what the items store.
inline bool is_driven_by_signals(const Topology& topology, const ItemBatch& items) {
  return items.type->info.role == Role::conservative && reads_a_signal(topology, items);
}
inline bool is_driven_by_signals(const Topology& topology) {
  for (const ItemBatch& items : topology.batches)
    if (is_driven_by_signals(topology, items)) return true;
  return false;
}

}  // namespace flexura
