#include "flexura/study/state_carry.hpp"

#include <algorithm>

#include "flexura/study/gradient.hpp"

namespace flexura {

StateCarry::StateCarry(const SceneModel& from, const SceneModel& to)
    : from_(*from.model.topology), memories_(carried_memories(from_, *to.model.topology)) {
  const Topology& next = *to.model.topology;
  const std::vector<int> origin = slots_by_name(from_, next);
  for (size_t s = 0; s < next.slots.size(); ++s) {
    if (origin[s] < 0) continue;
    const Slot &a = from_.slots[origin[s]], &b = next.slots[s];
    parts_.push_back({a.offset, b.offset, b.size, 1, b.offset < next.ny && a.offset < from_.ny});
  }
  begins_anew_ = std::ranges::find(origin, -1) != origin.end();
  find_bodies(from, to, origin);
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
  for (const CarriedMemory& m : memories_)
    for (int k = 0; k < m.count; ++k) {
      const double now = felt.history[m.to + k];
      if (m.from >= 0)
        out.history[m.from + k] += now;
      else if (now != 0)
        throw GradientError("something begins to remember where the model changes: differentiate forwards");
    }
  return out;
}

}  // namespace flexura
