// Which places, axes and orientations of bodies become one by their joints.

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "flexura/part/machine_draft.hpp"

namespace flexura::detail {
namespace {

/// Places or axes: what is said of the one holds of the other.
struct Shared {
  bool is_point;
  int* marks(JointPlan& plan) const { return is_point ? plan.point_mark : plan.axis_mark; }
  int slot(MachineDraft& draft, JointPlan& plan, int side) const {
    return is_point ? side_point(draft, plan, side)
                    : direction_slot(draft, plan.side[side], plan.axis, plan.spec->origin);
  }
};

/// A side that is no body has its slot already.
void mark_given_sides(MachineDraft& draft, JointPlan& plan, Shared what) {
  int* mark = what.marks(plan);
  for (const int s : {0, 1}) {
    if (mark[s] >= 0) continue;
    if (const int slot = what.slot(draft, plan, s); slot >= 0)
      mark[s] = draft.marks.add({-1, {what.is_point, {}}, slot});
  }
}

/// The second place gets a slot of its own, that shows what the joint carries.
void tie_apart(MachineDraft& draft, JointPlan& plan, Shared what) {
  const int* mark = what.marks(plan);
  if (draft.marks.are_one(mark[0], mark[1])) return;
  const bool swap = draft.marks.root(mark[1]).slot >= 0;
  const int master = mark[swap ? 1 : 0], own = mark[swap ? 0 : 1];
  if (draft.marks.root(own).slot >= 0) return;  // both are given: a relation, with multipliers
  const int slot = slot_of_mark(draft, master), dim = draft.dim();
  const std::string& author = plan.spec->origin.path;
  const int made =
      draft.combine(author + (what.is_point ? ".place" : ".axis"), what.is_point ? SlotKind::point : SlotKind::vector,
                    {dim, {scaled(slot, dim, 1)}, {}, {}}, author);
  draft.marks.root(own).slot = made;
  JointReaction::Share& share = plan.shares.emplace_back();
  (what.is_point ? share.point : share.vector) = made;
  share.sign = swap ? -1 : 1;
}

}  // namespace

void share_places(MachineDraft& draft) {
  for (const Shared what : {Shared{true}, Shared{false}}) {
    for (JointPlan& plan : draft.plans) {
      int* mark = what.marks(plan);
      if (mark[0] < 0 && mark[1] < 0) continue;
      mark_given_sides(draft, plan, what);
      if (mark[0] >= 0 && mark[1] >= 0 && !plan.spec->wants_reaction) draft.marks.unite(mark[0], mark[1]);
    }
    for (JointPlan& plan : draft.plans) {
      const int* mark = what.marks(plan);
      if (plan.spec->wants_reaction && mark[0] >= 0 && mark[1] >= 0) tie_apart(draft, plan, what);
    }
  }
}

void share_turns(MachineDraft& draft) {
  std::map<int, int> parent;  // bodies; others: −1 the ground, below it each side of its own
  const auto root = [&](int x) {
    while (parent.contains(x)) x = parent[x];
    return x;
  };
  const auto is_frame = [&](int x) {
    return x >= 0 && draft.bodies[x].spec->is_frame() && draft.bodies[x].nodes.empty();
  };
  std::set<int> tied;
  const auto tie = [&](size_t p, bool only_frames) {
    JointPlan& plan = draft.plans[p];
    if (!plan.keeps_frame() || !plan.eliminates() || tied.contains(static_cast<int>(p))) return false;
    const auto node = [&](int s) {
      const Location& side = plan.side[s];
      return side.body() >= 0 ? side.body() : side.is_ground() ? -1 : -2 - static_cast<int>(2 * p + s);
    };
    const int a = root(node(0)), b = root(node(1));
    if (a == b) return false;
    for (const int own : {1, 0}) {
      const int body = plan.side[own].body(), other = own == 1 ? a : b;
      if (body < 0 || draft.bodies[body].carrier >= 0 || root(body) != body) continue;
      if (draft.bodies[body].spec->of_trusses) continue;      // its nodes stay its own
      if (is_on_fibres(draft, plan.side[1 - own])) continue;  // a section that deforms
      if (only_frames && (!is_frame(body) || is_frame(other) || !plan.row->coincide)) continue;
      draft.bodies[body].carrier = static_cast<int>(p);
      parent[body] = other;
      tied.insert(static_cast<int>(p));
      return true;
    }
    return false;
  };
  // What has no mass first, so that it is carried by what has.
  for (bool again = true; again;) {
    again = false;
    for (size_t p = 0; p < draft.plans.size(); ++p) again = tie(p, true) || again;
  }
  for (size_t p = 0; p < draft.plans.size(); ++p) tie(p, false);
  const auto is_on_plate = [&](int body) {
    return std::any_of(draft.plate_joints.begin(), draft.plate_joints.end(), [&](const PlateJoint& joint) {
      const bool is_there = (joint.side[0].on_plate() && joint.side[1].body() == body) ||
                            (joint.side[1].on_plate() && joint.side[0].body() == body);
      return is_there && joint.spec->type == JointType::weld && joint.spec->method == JointSpec::Method::eliminated;
    });
  };
  for (size_t k = 0; k < draft.bodies.size(); ++k) {
    const int carrier = draft.bodies[k].carrier;
    if (is_on_plate(static_cast<int>(k))) continue;  // whose nodes give it mass
    if (!is_frame(static_cast<int>(k)) || (carrier >= 0 && draft.plans[static_cast<size_t>(carrier)].row->coincide))
      continue;
    const bool on_fibres = std::any_of(draft.plans.begin(), draft.plans.end(), [&](const JointPlan& plan) {
      return (plan.side[0].body() == static_cast<int>(k) && is_on_fibres(draft, plan.side[1])) ||
             (plan.side[1].body() == static_cast<int>(k) && is_on_fibres(draft, plan.side[0]));
    });
    draft.wrong(draft.bodies[k].spec->origin, "m",
                on_fibres ? "on a beam of full elements, whose section deforms, a body needs a mass and an inertia"
                          : "a body without mass is a frame on another part: weld it to one, or give it a mass and an "
                            "inertia");
  }
}

}  // namespace flexura::detail
