// Lengths of trusses: coordinates of their own, where a gear, a load or a sensor asks for them.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "flexura/constraint/distance.hpp"
#include "flexura/part/machine_draft.hpp"

namespace flexura::detail {
namespace {

/// Where an end is as it starts.
Triple start_of_end(const MachineDraft& draft, const Location& end) {
  if (end.body() >= 0) return draft.bodies[end.body()].start_of(end.position());
  const auto initial = draft.initial.find(end.point);
  return initial != draft.initial.end() ? initial->second : end.position();
}

/// A member between two places of which no equation says how long it is.
bool keeps_length(const TermInfo& term) {
  return term.role == Role::constraint && std::count(term.slots.begin(), term.slots.end(), SlotKind::signal) == 0;
}
bool is_line(const TermInfo& term) { return std::count(term.slots.begin(), term.slots.end(), SlotKind::point) == 2; }

}  // namespace

int length_slot(MachineDraft& draft, const std::string& truss, const Origin& asker, std::string_view key) {
  Member& member = draft.members.at(truss);
  if (member.coordinate >= 0) return member.coordinate;
  const TermSpec& spec = member.spec;
  const auto refuse = [&](const char* why) {
    draft.wrong(asker, key, fmt::format("truss.{} {}", truss, why));
    return -1;
  };
  if (!is_line(*spec.term)) return refuse("is a mass: it has no length of its own");
  if (keeps_length(*spec.term)) return refuse("keeps its length: `type = \"free\"` lets it go");
  const std::vector<Place>& places = spec.places.at(0).second;
  std::array<Location, 2> ends;
  for (size_t end = 0; end < 2; ++end) {
    if (!find_quietly(draft, places.at(end))) return -1;  // which is said of the truss
    std::optional<Location> location =
        locate(draft, places[end], spec.origin.path_of("between", static_cast<int>(end)));
    if (!location) return -1;
    ends[end] = std::move(*location);
  }
  if (are_same(ends[0], ends[1]) || (ends[0].is_ground() && ends[1].is_ground())) return -1;
  const int a = point_slot(draft, ends[0]), b = point_slot(draft, ends[1]);
  if (a < 0 || b < 0) return -1;
  const double length = norm(ends[1].position() - ends[0].position());
  if (!(length > 0)) return refuse("has no length in the reference configuration");
  const double zero = 0, start = norm(start_of_end(draft, ends[1]) - start_of_end(draft, ends[0])) - length;
  const int slot = draft.builder.slot(spec.origin.path + ".displacement", SlotKind::scalar, {&zero, 1});
  draft.builder.set_initial(slot, {&start, 1}, {&zero, 1});
  const std::string name = spec.origin.path + ", length";
  const int lambda = draft.builder.multiplier(name + ".lambda");
  const double penalty = draft.loading.force_per_length(length);
  in_space(draft.dim(), [&]<int D>() {
    draft.builder.item<DistanceCoordinate<D>>({a, b, slot, lambda}, {.length = length, .penalty = penalty}, name, 0,
                                              spec.origin.source);
  });
  draft.machine.constraints[name] = {{}, truss};
  return member.coordinate = slot;
}

bool ties_length(const MachineDraft& draft, const GearSpec& spec) {
  return draft.members.contains(spec.first) || draft.members.contains(spec.second);
}

}  // namespace flexura::detail
