// Points to which masses, springs and joints attach.

#include "flexura/part/machine_draft.hpp"

namespace flexura::detail {

void build(MachineDraft& draft, const PointSpec& spec) {
  const auto dim = static_cast<size_t>(draft.dim());
  const int slot = draft.builder.slot(spec.name, SlotKind::point, {spec.position.data(), dim});
  draft.set_initial(slot, spec.initial.value_or(spec.position), spec.velocity.value_or(Triple{}));
  if (spec.velocity) draft.machine.stated_velocities.push_back(slot);
  draft.graph.add(spec.name);
  draft.machine.points.push_back({spec.name, slot, spec.fixed});
  if (!spec.fixed) return;
  if (spec.initial && *spec.initial != spec.position)
    draft.wrong(spec.origin, "initial", "a fixed point does not move");
  if (spec.velocity) draft.wrong(spec.origin, "velocity", "a fixed point does not move");
  draft.builder.fix(slot, "point." + spec.name, spec.origin.source);  // whose reaction a sensor may read
  draft.claimed.insert(slot);
  draft.graph.join(spec.name, "ground");
}

}  // namespace flexura::detail
