// Joints between bodies that stand on the same points: where a reaction is read, the second body gets points of its own there, so that
// it is known what goes from one to the other.

#include <fmt/format.h>

#include <algorithm>

#include "flexura/part/machine_draft.hpp"

namespace flexura::detail {
namespace {

class SharedNodes {
 public:
  SharedNodes(MachineDraft& draft, JointPlan& plan, std::span<const TermSpec> terms,
              std::span<const SphereSpec> spheres)
      : draft_(draft), plan_(plan), terms_(terms), spheres_(spheres) {
    for (const int slot : nodes(1))
      if (std::find(nodes(0).begin(), nodes(0).end(), slot) != nodes(0).end()) shared_.push_back(slot);
  }

  bool has_any() const { return !shared_.empty(); }

  /// What else acts on a shared point, or ties the two bodies; empty: nothing.
  std::string other() const {
    for (const int slot : shared_)
      for (const PointPart& point : draft_.machine.points)
        if (point.slot == slot && point.fixed) return name_of(slot) + ", which is fixed";
    for (size_t k = 0; k < draft_.bodies.size(); ++k)
      if (const std::vector<int>& own = draft_.bodies[k].nodes; !is_side(static_cast<int>(k)))
        for (const int slot : own)
          if (is_shared(slot)) return held(slot, draft_.bodies[k].spec->origin);
    for (const JointPlan& plan : draft_.plans)
      if (&plan != &plan_ && is_side(plan.side[0].body()) && is_side(plan.side[1].body()))
        return fmt::format("points, and {} ties them too", plan.spec->origin.path);
    for (const JointSpec& joint : draft_.joints)
      for (const Place& place : joint.of)
        if (const int slot = shared_at(place); slot >= 0) return held(slot, joint.origin);
    for (const TermSpec& term : terms_)
      for (const auto& [key, places] : term.places)
        for (const Place& place : places)
          if (const int slot = shared_at(place); slot >= 0) return held(slot, term.origin);
    for (const SphereSpec& sphere : spheres_)
      if (sphere.at)
        if (const int slot = shared_at(*sphere.at); slot >= 0) return held(slot, sphere.origin);
    return {};
  }

  void part() {
    const std::string& author = plan_.spec->origin.path;
    const int dim = draft_.dim();
    for (int& node : draft_.bodies[plan_.side[1].body()].nodes) {
      if (!is_shared(node)) continue;
      node = draft_.combine(fmt::format("{}.{}", author, draft_.builder.slot_name(node)), SlotKind::point,
                            {dim, {scaled(node, dim, 1)}, {}, {}}, author);
      plan_.shares.push_back({node, -1});
    }
    plan_.has_own_nodes = true;
    for (const int s : {0, 1}) plan_.point_mark[s] = plan_.axis_mark[s] = -1;
  }

 private:
  const std::vector<int>& nodes(int side) const { return draft_.bodies[plan_.side[side].body()].nodes; }
  bool is_side(int body) const { return body >= 0 && (body == plan_.side[0].body() || body == plan_.side[1].body()); }
  bool is_shared(int slot) const { return std::find(shared_.begin(), shared_.end(), slot) != shared_.end(); }
  std::string name_of(int slot) const {
    for (const PointPart& point : draft_.machine.points)
      if (point.slot == slot) return "point." + point.name;
    return draft_.builder.slot_name(slot);
  }
  std::string held(int slot, const Origin& by) const {
    return fmt::format("{}, on which {} acts too", name_of(slot), by.path);
  }
  int shared_at(const Place& place) const {
    const std::optional<MaterialPlace> at = find_quietly(draft_, place);
    if (!at || at->on != MaterialPlace::On::point) return -1;
    const int slot = draft_.machine.points[at->part].slot;
    return is_shared(slot) ? slot : -1;
  }

  MachineDraft& draft_;
  JointPlan& plan_;
  std::span<const TermSpec> terms_;
  std::span<const SphereSpec> spheres_;
  std::vector<int> shared_;  ///< slots
};

}  // namespace

void part_shared_nodes(MachineDraft& draft, std::span<const TermSpec> terms, std::span<const SphereSpec> spheres) {
  for (JointPlan& plan : draft.plans) {
    if (!plan.spec->wants_reaction || plan.side[0].body() < 0 || plan.side[1].body() < 0) continue;
    SharedNodes nodes(draft, plan, terms, spheres);
    if (!nodes.has_any()) continue;
    const std::string other = nodes.other();
    if (other.empty()) {
      nodes.part();
    } else {
      plan.untold =
          fmt::format("the reaction of {} cannot be told: its bodies share {}", plan.spec->origin.path, other);
    }
  }
}

}  // namespace flexura::detail
