// What holds parts, in the order in which it was named: pictures show bodies with the places where it does.

#include <algorithm>

#include "flexura/part/machine_draft.hpp"

namespace flexura::detail {
namespace {

using Places = std::vector<MaterialPlace>;

/// Nothing where one of them does not exist.
Places find_all(const MachineDraft& draft, const std::vector<Place>& places) {
  Places out;
  for (const Place& place : places) {
    std::optional<MaterialPlace> found = find_quietly(draft, place);
    if (!found) return {};
    out.push_back(std::move(*found));
  }
  return out;
}

Places places_of(const MachineDraft& draft, const JointSpec& absent) {
  Places out = find_all(draft, {absent.of[0], absent.of[1]});
  for (MaterialPlace& place : out) place = place_of(draft, absent, place);
  return out;
}

Places places_of(const TermPart& part) {
  Places out;
  for (const Places& places : part.places) out.insert(out.end(), places.begin(), places.end());
  return out;
}

Places places_of(const MachineDraft& draft, const TermSpec& absent) {
  std::vector<Place> all;
  for (const auto& [key, places] : absent.places) all.insert(all.end(), places.begin(), places.end());
  return find_all(draft, all);
}

}  // namespace

void note_holds(MachineDraft& draft) {
  std::vector<std::pair<int, Hold>> holds;
  const auto add = [&](const Origin& origin, Places places, bool guides = false) {
    if (!places.empty()) holds.emplace_back(origin.order, Hold{std::move(places), guides});
  };
  const int dim = draft.dim();
  for (const JointPart& joint : draft.machine.joints)
    if (joint.spec != nullptr)
      add(joint.spec->origin, {joint.places.begin(), joint.places.end()}, guides_bodies(*joint.spec, dim));
  for (const JointSpec& spec : draft.absent_joints) add(spec.origin, places_of(draft, spec), guides_bodies(spec, dim));
  for (const TermPart& term : draft.machine.terms)
    if (term.spec->term->role != Role::load) add(term.spec->origin, places_of(term));
  for (const TermSpec& spec : draft.absent_terms)
    if (spec.term->role != Role::load) add(spec.origin, places_of(draft, spec));
  std::sort(holds.begin(), holds.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  for (auto& [order, hold] : holds) draft.machine.holds.push_back(std::move(hold));
}

}  // namespace flexura::detail
