// Joints of plates: their nodes held by the ground, carried by a body, or tied to another part's.

#include <fmt/format.h>

#include <algorithm>

#include "flexura/part/machine_draft.hpp"

namespace flexura::detail {
namespace {

using Method = JointSpec::Method;

/// False after a problem. What does not need the bodies is said at once.
bool check(MachineDraft& draft, const JointSpec& spec, const Location& a, const Location& b) {
  const JointRow& row = row_of(spec.type, draft.dim());
  const auto refuse = [&](std::string_view key, std::string message) {
    draft.wrong(spec.origin, key, std::move(message));
    return false;
  };
  const bool on_spot = row.coincide && !row.clamps && !row.has_angle && !row.keeps_right;
  if (!on_spot && !row.is_driven)
    return refuse("type", fmt::format("\"{}\" does not go with a plate; \"weld\", \"pin\" and \"prescribed\" do; a "
                                      "small [body.NAME] welded to the plate takes every joint",
                                      row.name));
  if (row.is_driven && !a.is_ground()) return refuse("of", "the first place of a prescribed joint must be \"ground\"");
  for (const Location* side : {&a, &b})
    if (side->on_plate() && side->at.nodes.empty() && spec.type == JointType::weld)
      return refuse("of", "a weld needs nodes of the plate: an edge or a corner, or shares that are those of a node");
  const bool of_body = spec.method == Method::relations || spec.method == Method::compliant;
  if (spec.method == Method::multipliers)
    return refuse("method", "a plate's welds are \"eliminated\", or with a body \"relations\" or \"compliant\"");
  if (of_body && a.body() < 0 && b.body() < 0)
    return refuse("method", fmt::format("\"{}\" is for a plate and a body",
                                        spec.method == Method::relations ? "relations" : "compliant"));
  if (spec.method == Method::compliant && !spec.stiffness)
    return refuse("", "\"stiffness\" is missing: of all springs together [N/m]");
  const std::pair<const char*, bool> of_springs[] = {{"stiffness", spec.stiffness.has_value()},
                                                     {"direction_length", spec.direction_length.has_value()}};
  for (const auto& [key, is_given] : of_springs)
    if (spec.method != Method::compliant && is_given) refuse(key, "is that of method = \"compliant\"");
  return true;
}

/// Slots of the points on both sides, but for bodies.
std::vector<int> held_points(const MachineDraft& draft, const PlateJoint& joint) {
  std::vector<int> out;
  for (const Location& side : joint.side) {
    if (side.on_plate())
      for (const int node : side.at.nodes) out.push_back(draft.machine.plates[side.at.part].model.nodes[node].r);
    else if (side.body() < 0 && !side.is_ground())
      out.push_back(side.point);
  }
  return out;
}

/// Slots of nodes, or of the place inside an element.
std::vector<int> slots_of_points(MachineDraft& draft, Location& held) {
  std::vector<int> out;
  for (const int node : held.at.nodes) out.push_back(draft.machine.plates[held.at.part].model.nodes[node].r);
  if (out.empty()) out.push_back(point_slot(draft, held));
  return out;
}

/// Nodes follow signals from their reference positions.
void prescribe_nodes(MachineDraft& draft, PlateJoint& joint, Location& held) {
  constexpr const char* axes[] = {"x", "y", "z"};
  const JointSpec& spec = *joint.spec;
  for (const int slot : slots_of_points(draft, held)) {
    for (int i = 0; i < 3; ++i) {
      if (!spec.motion[i]) continue;
      std::vector<double> row(3, 0.0);
      row[i] = -1;
      const int signal = draft.builder.effective(*spec.motion[i]);
      draft.builder.relate({1, {{slot, row}}, {draft.builder.reference(slot)[i]}, {{signal, {1.0}}}}, spec.origin.path,
                           spec.origin.source_of(axes[i]));
      draft.machine.joints[joint.part].eliminated += 1;
    }
    joint.shares.push_back({slot, -1});
  }
  if (std::none_of(spec.motion.begin(), spec.motion.end(), [](const auto& u) { return u.has_value(); }))
    draft.wrong(spec.origin, "of", "nothing is prescribed: give x, y or z");
}

/// Nodes of an edge lie in order: where they are held, so is the curve between them.
void fix_nodes(MachineDraft& draft, PlateJoint& joint, Location& held) {
  const auto fix = [&](int slot, bool is_point) {
    if (!draft.fixed.insert(slot).second) return;
    draft.builder.fix(slot, joint.spec->origin.path, joint.spec->origin.source_of("of"));
    draft.machine.joints[joint.part].eliminated += 3;
    joint.shares.push_back(is_point ? JointReaction::Share{slot, -1} : JointReaction::Share{-1, slot});
  };
  if (held.at.nodes.empty()) {
    if (const int slot = point_slot(draft, held); slot >= 0) fix(slot, true);
    return;
  }
  for (const int node : held.at.nodes) {
    const PlateNode slots = draft.machine.plates[held.at.part].model.nodes[node];
    fix(slots.r, true);
    if (decides(draft, joint, held, 1)) fix(slots.g_u, false);
    if (decides(draft, joint, held, 2)) fix(slots.g_v, false);
  }
}

}  // namespace

void plan_plate_joint(MachineDraft& draft, const JointSpec& spec, const Location& a, const Location& b) {
  if (!check(draft, spec, a, b)) return;
  PlateJoint joint;
  joint.spec = &spec;
  joint.side = {a, b};
  joint.held = b.on_plate() ? 1 : 0;
  joint.part = note_joint(draft, spec, a, b, 0);
  draft.plate_joints.push_back(std::move(joint));
}

void finish_plate_joint(MachineDraft& draft, PlateJoint& joint) {
  Location &held = joint.side[joint.held], &other = joint.side[1 - joint.held];
  if (other.body() >= 0) return plate_to_body(draft, joint, held, other);
  if (!other.is_ground()) return plate_to_part(draft, joint, held, other);
  Location center = other;
  center.X = held.X;
  joint.center = point_slot(draft, center);
  joint.spec->type == JointType::prescribed ? prescribe_nodes(draft, joint, held) : fix_nodes(draft, joint, held);
}

bool is_separable(const MachineDraft& draft, const PlateJoint& joint) {
  for (const Location& side : joint.side)
    if (side.on_plate() && side.at.nodes.empty()) return false;
  const std::vector<int> mine = held_points(draft, joint);
  const auto shared = [&](int slot) { return std::find(mine.begin(), mine.end(), slot) != mine.end(); };
  if (std::any_of(draft.claimed.begin(), draft.claimed.end(), shared)) return false;
  return std::none_of(draft.plate_joints.begin(), draft.plate_joints.end(), [&](const PlateJoint& other) {
    const std::vector<int> theirs = held_points(draft, other);
    return &other != &joint && std::any_of(theirs.begin(), theirs.end(), shared);
  });
}

int edge_direction(const MachineDraft& draft, const Location& at) {
  const SurfaceMesh& mesh = draft.machine.plates[at.at.part].mesh;
  const std::vector<int>& nodes = at.at.nodes;
  if (nodes.size() < 2 || mesh.nodes_u == 0) return 0;
  const auto same = [&](auto&& of) {
    return std::all_of(nodes.begin(), nodes.end(), [&](int node) { return of(node) == of(nodes[0]); });
  };
  if (same([&](int node) { return node / mesh.nodes_v; })) return 2;
  return same([&](int node) { return node % mesh.nodes_v; }) ? 1 : 0;
}

bool decides(const MachineDraft& draft, const PlateJoint& joint, const Location& held, int gradient) {
  return joint.spec->type == JointType::weld || edge_direction(draft, held) == gradient;
}

}  // namespace flexura::detail
