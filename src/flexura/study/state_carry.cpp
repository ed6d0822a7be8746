#include "flexura/study/state_carry.hpp"

#include <algorithm>

#include "flexura/run/active_model.hpp"
#include "flexura/study/gradient.hpp"

namespace flexura {

StateCarry::StateCarry(const SceneModel& from, const SceneModel& to) : from_(*from.model.topology) {
  const Topology& next = *to.model.topology;
  const std::vector<int> origin = slots_by_name(from_, next);
  for (size_t s = 0; s < next.slots.size(); ++s) {
    if (origin[s] < 0) continue;
    const Slot &a = from_.slots[origin[s]], &b = next.slots[s];
    parts_.push_back({a.offset, b.offset, b.size, 1, b.offset < next.ny && a.offset < from_.ny});
  }
  begins_anew_ = std::ranges::find(origin, -1) != origin.end();
  find_bodies(from, to, origin);
  find_memories(from_, next);
}

void StateCarry::find_bodies(const SceneModel& from, const SceneModel& to, const std::vector<int>& origin) {
  for (const BodyAnchor& anchor : to.anchors) {
    if (origin[anchor.slot] >= 0) continue;
    const auto body = std::ranges::find(from.bodies, to.bodies[anchor.body].name, &BodyPart::name);
    if (body == from.bodies.end()) continue;
    const size_t n = body->slots.size();
    for (size_t a = 0; a < n; ++a) {
      double weight = anchor.is_point ? body->weights[a] : 0.0;
      for (int k = 0; k < body->axes; ++k) weight += anchor.local[k] * body->weights[(k + 1) * n + a];
      parts_.push_back(
          {from_.slots[body->slots[a]].offset, to.model.topology->slots[anchor.slot].offset, from_.dim, weight, false});
    }
  }
}

void StateCarry::find_memories(const Topology& from, const Topology& to) {
  for (const CarriedMemory& m : carried_memories(from, to)) {
    if (m.from >= 0) memories_.push_back({m.from, m.to, m.count});
    for (int k = 0; k < m.count && m.from < 0; ++k) new_memories_.push_back(m.to + k);
  }
}

Cotangent StateCarry::back(const Cotangent& felt) const {
  Cotangent out(from_);
  for (const Part& part : parts_)
    for (int i = 0; i < part.size; ++i) {
      out.q[part.from + i] += part.weight * felt.q[part.to + i];
      out.v[part.from + i] += part.weight * felt.v[part.to + i];
      out.a[part.from + i] += part.weight * felt.a[part.to + i];
      if (part.free && part.from + i < from_.ncoord && part.to + i < static_cast<int>(felt.a_alg.size()))
        out.a_alg[part.from + i] += part.weight * felt.a_alg[part.to + i];
    }
  for (const Memory& m : memories_)
    for (int k = 0; k < m.count; ++k) out.history[m.from + k] += felt.history[m.to + k];
  if (std::ranges::any_of(new_memories_, [&](int k) { return felt.history[k] != 0; }))
    throw GradientError("something begins to remember where the model changes: differentiate forwards");
  return out;
}

}  // namespace flexura
