// Which way a joint is made, and what each carries.

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "flexura/part/machine_draft.hpp"

namespace flexura::detail {
namespace {

/// Joints of bodies and beams, and those that only they have, are planned before they are made.
bool is_planned(const MachineDraft& draft, const JointSpec& spec, const Location& a, const Location& b) {
  if (spec.type == JointType::prescribed) return false;
  const auto has_directions = [&](const Location& at) {
    return at.body() >= 0 || (at.cable() >= 0 && draft.machine.cables[at.cable()].has_axes());
  };
  const bool of_cables =
      spec.type == JointType::weld || spec.type == JointType::pin || spec.type == JointType::clamp_direction;
  return !of_cables || has_directions(a) || has_directions(b);
}

/// Coordinates that follow signals.
int driven_count(const JointSpec& spec) {
  return static_cast<int>(std::count_if(spec.motion.begin(), spec.motion.end(), [](const auto& u) { return !!u; }));
}

/// Of a joint of cables and points, which is a linear relation but for directions between two cables.
int eliminated_by(const JointSpec& spec, const Location& a, const Location& b, int dim) {
  if (spec.type == JointType::prescribed) return driven_count(spec);
  const bool on_ground = a.is_ground() || b.is_ground(), of_cable = a.cable() >= 0 || b.cable() >= 0;
  return spec.type != JointType::pin && on_ground && of_cable ? 2 * dim - 1 : dim;
}

std::string no_moment(const JointPart& part) {
  return fmt::format("joint.{} is a {}: it has no moment", part.name, part.type);
}

std::string shared_with_others(const std::string& name) {
  return fmt::format(
      "the reaction of joint.{} cannot be told from that of others: its place is inside an element, or several joints "
      "hold it",
      name);
}

JointReaction reaction_of_plate(const MachineDraft& draft, const PlateJoint& joint) {
  JointReaction out;
  if (!is_separable(draft, joint)) out.untold = shared_with_others(joint.spec->name);
  out.point = joint.center;
  out.shares = plate_shares(draft, joint);
  out.author = joint.spec->origin.path;
  out.sign = joint.sign();
  out.items = joint.items;
  return out;
}

JointReaction reaction_of_plan(MachineDraft& draft, JointPlan& plan) {
  const JointRow& row = *plan.row;
  const bool only_places = !row.keeps_turn && !row.keeps_axis && !row.keeps_right;
  JointReaction out;
  if (only_places && !plan.spec->angle) out.no_moment = no_moment(draft.machine.joints[plan.part]);
  out.untold = plan.untold;
  out.point = side_point(draft, plan, 1);
  out.shares = plan.shares;
  out.items = plan.items;
  out.ties = plan.ties;
  return out;
}

template <class List>
auto* of_part(List& list, int part) {
  const auto found = std::find_if(list.begin(), list.end(), [&](const auto& entry) {
    if constexpr (requires { entry.part; })
      return entry.part == part;
    else
      return entry.joint == part;
  });
  return found == list.end() ? nullptr : &*found;
}

}  // namespace

const JointRow& row_of(JointType type, int dim) {
  const std::span<const JointRow> rows = joint_rows();
  const auto is_it = [&](const JointRow& row) { return row.type == type && row.is_in(dim); };
  const auto found = std::find_if(rows.begin(), rows.end(), is_it);
  if (found != rows.end()) return *found;
  return *std::find_if(rows.begin(), rows.end(), [&](const JointRow& row) { return row.type == type; });
}

int note_joint(MachineDraft& draft, const JointSpec& spec, const Location& a, const Location& b, int eliminated) {
  JointPart part;
  part.name = spec.name;
  part.type = row_of(spec.type, draft.dim()).name;
  part.eliminated = eliminated;
  part.parts[0] = a.part;
  part.parts[1] = b.part;
  part.places = {place_of(draft, spec, a.at), place_of(draft, spec, b.at)};
  part.spec = std::make_shared<const JointSpec>(spec);
  draft.machine.joints.push_back(std::move(part));
  return static_cast<int>(draft.machine.joints.size()) - 1;
}

MaterialPlace place_of(const MachineDraft& draft, const JointSpec& spec, const MaterialPlace& named) {
  MaterialPlace out = named;
  if (!spec.at || !named.is_whole) return out;
  const bool on_body = named.on == MaterialPlace::On::body;
  out.local = on_body ? draft.bodies[named.part].reference.to_local(*spec.at) : *spec.at;
  out.is_whole = false;
  return out;
}

bool guides_bodies(const JointSpec& spec, int dim) { return row_of(spec.type, dim).guides_bodies(); }

void begin_joint(MachineDraft& draft, const JointSpec& spec) {
  const Origin& origin = spec.origin;
  std::optional<Location> a = locate(draft, spec.of[0], origin.path_of("of", 0));
  std::optional<Location> b = locate(draft, spec.of[1], origin.path_of("of", 1));
  if (!a || !b) return;
  if (a->is_ground() && b->is_ground()) return draft.wrong(origin, "of", "both places are on the ground");
  if (a->body() >= 0 && a->body() == b->body()) return draft.wrong(origin, "of", "both places are on the same body");
  if (are_same(*a, *b)) return draft.wrong(origin, "of", "both places are the same");
  if (const double open = spec.meets && a->X && b->X ? norm(*b->X - *a->X) : 0;
      open > 1e-6 * (draft.size + norm(*a->X)))
    return draft.wrong(
        origin, "of",
        fmt::format("\"{}\" and \"{}\" are {:.6g} m apart in the reference configuration, where the part "
                    "is to take the link's place",
                    spec.of[0].text, spec.of[1].text, open));
  draft.graph.join(a->part, b->part);
  if (spec.type != JointType::prescribed || (spec.motion[0] && spec.motion[1]))
    draft.graph.share_place(a->part, b->part);
  if (a->on_plate() || b->on_plate() || a->on_solid() || b->on_solid()) return plan_plate_joint(draft, spec, *a, *b);
  if (is_planned(draft, spec, *a, *b)) return plan_joint(draft, spec, *a, *b);
  const int part = note_joint(draft, spec, *a, *b, eliminated_by(spec, *a, *b, draft.dim()));
  if (spec.type != JointType::prescribed) return hold(draft, spec, part, *a, *b);
  if (b->body() >= 0) return draft.driven_bodies.push_back({part, &spec});  // once welds are known
  prescribe(draft, spec, part, *a, *b);
}

void note_shared_forces(MachineDraft& draft) {
  std::vector<JointPlan>& plans = draft.plans;
  const auto holds_all = [](const JointPlan& plan) { return plan.keeps_frame() && plan.eliminates() && !plan.follows; };
  for (const JointPlan& extra : plans) {
    if (!extra.follows) continue;
    // From its first part to its second through welds, breadth first.
    std::map<std::string, JointPlan*> through = {{extra.side[0].part, nullptr}};
    std::vector<std::string> reached = {extra.side[0].part};
    for (size_t k = 0; k < reached.size() && !through.contains(extra.side[1].part); ++k)
      for (JointPlan& plan : plans)
        for (const int s : {0, 1})
          if (holds_all(plan) && plan.side[s].part == reached[k] &&
              through.emplace(plan.side[1 - s].part, &plan).second)
            reached.push_back(plan.side[1 - s].part);
    for (std::string at = extra.side[1].part; through.contains(at) && through.at(at) != nullptr;) {
      JointPlan& plan = *through.at(at);
      if (plan.untold.empty())
        plan.untold = fmt::format(
            "the reaction of {} is not determined: {} holds the same parts, and their shares of a force are unknown",
            plan.spec->origin.path, extra.spec->origin.path);
      at = plan.side[plan.side[0].part == at ? 1 : 0].part;
    }
  }
}

const JointReaction* reaction_of(MachineDraft& draft, const std::string& name) {
  std::vector<JointPart>& parts = draft.machine.joints;
  const auto part =
      std::find_if(parts.begin(), parts.end(), [&](const JointPart& joint) { return joint.name == name; });
  if (part == parts.end()) return nullptr;
  const int index = static_cast<int>(part - parts.begin());
  if (const PlateJoint* joint = of_part(draft.plate_joints, index)) {
    part->reaction = reaction_of_plate(draft, *joint);
  } else if (JointPlan* plan = of_part(draft.plans, index)) {
    part->reaction = reaction_of_plan(draft, *plan);
  } else if (const HeldEnd* end = of_part(draft.held_ends, index)) {
    part->reaction = reaction_of_held(*end);
    if (!end->separable) part->reaction.untold = shared_with_others(name);
    if (!find_joint(part->type, draft.dim())->keeps_turn) part->reaction.no_moment = no_moment(*part);
  } else if (part->reaction.tension >= 0) {
    part->reaction.no_moment = no_moment(*part);
  }
  return &part->reaction;
}

}  // namespace flexura::detail
