#include "flexura/solve/row_penalties.hpp"

#include <cmath>

namespace flexura {

/// Read from the forces of items at λ = 0 and 1, at a place where Φ is not 0.
std::vector<double> row_penalties(const System<double>& system) {
  const Topology& topology = system.topology();
  std::vector<double> out(topology.ny, 0.0), q = system.assembler.initial_q(), at_zero, at_one;
  const std::vector<double> still(topology.nq, 0.0);
  for (int i = 0; i < topology.nq; ++i) q[i] += 0.3 * std::sin(1.7 * i + 0.4);
  for (size_t b = 0; b < topology.batches.size(); ++b) {
    const ItemBatch& items = topology.batches[b];
    if (items.type->info.role != Role::constraint) continue;
    const std::vector<SlotKind>& kinds = items.type->info.slots;
    for (int item = 0; item < items.count; ++item) {
      int row = -1, own = 0, size = 0;
      for (size_t k = 0; k < kinds.size(); ++k) {
        if (kinds[k] == SlotKind::signal) continue;
        const Slot& slot = topology.slots[items.slots[item * kinds.size() + k]];
        if (slot.multiplier) row = slot.offset, own = size;
        size += slot.size;
      }
      if (row < 0) continue;
      for (auto [lambda, force] : {std::pair{0.0, &at_zero}, {1.0, &at_one}}) {
        q[row] = lambda;
        force->resize(size);
        system.assembler.batches()[b]->item_force(item, system.assembler.input(0.0, q.data(), still.data()),
                                                  force->data());
      }
      const double phi = -at_zero[own];
      double along = 0, length = 0;  // at_zero = −p Φ Φ_q, at_one − at_zero = −Φ_q
      for (int i = 0; i < size; ++i) {
        if (i == own) continue;
        const double gradient = at_zero[i] - at_one[i];
        along -= at_zero[i] * gradient;
        length += gradient * gradient;
      }
      if (phi != 0 && length > 0) out[row] = along / (length * phi);
    }
  }
  return out;
}

}  // namespace flexura
