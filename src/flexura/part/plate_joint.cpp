// Joints of plates: their nodes held by the ground, carried by a body, or tied to another part's; and what solids share of
// them.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "flexura/part/machine_draft.hpp"

namespace flexura::detail {
namespace {

using Method = JointSpec::Method;

/// Of what slides: the plane or line is that of the first place.
bool check_slide(MachineDraft& draft, const JointSpec& spec, const Location& a, const Location& b) {
  const JointRow& row = row_of(spec.type, draft.dim());
  const auto refuse = [&](std::string_view key, std::string message) {
    draft.wrong(spec.origin, key, std::move(message));
    return false;
  };
  const char *key = row.in_plane ? "normal" : "axis", *what = row.in_plane ? "plane" : "line";
  if (!spec.axis || !(norm(*spec.axis) > 0)) return refuse(key, "must not be zero");
  if (a.on_plate() || (!a.is_ground() && a.body() < 0))
    return refuse("of", fmt::format("a plate slides {} a {} of the ground or of a body, the first place of the joint",
                                    row.in_plane ? "in" : "on", what));
  if (row.keeps_axis && b.at.nodes.empty())
    return refuse("of", "\"planar\" needs nodes of the plate: an edge or a corner, or shares that are those of a node");
  if (spec.displacement)
    return refuse("displacement", "the nodes of a plate slide each by itself: a joint \"prescribed\" moves them");
  return true;
}

/// False after a problem. What does not need the bodies is said at once.
bool check_plate_joint(MachineDraft& draft, const JointSpec& spec, const Location& a, const Location& b) {
  const JointRow& row = row_of(spec.type, draft.dim());
  const auto refuse = [&](std::string_view key, std::string message) {
    draft.wrong(spec.origin, key, std::move(message));
    return false;
  };
  const bool on_spot = row.coincide && !row.clamps && !row.has_angle && !row.keeps_right;
  const bool slides = (row.in_plane || row.on_line) && !row.keeps_turn && !row.has_angle;
  if (!on_spot && !row.is_driven && !slides)
    return refuse("type",
                  fmt::format("\"{}\" does not go with a plate; \"weld\", \"pin\", \"planar\", \"point_on_plane\", "
                              "\"point_on_line\" and \"prescribed\" do; a small [body.NAME] welded to the plate "
                              "takes every joint",
                              row.name));
  if (slides && !check_slide(draft, spec, a, b)) return false;
  if (row.is_driven && !a.is_ground()) return refuse("of", "the first place of a prescribed joint must be \"ground\"");
  for (const Location* side : {&a, &b})
    if (side->on_plate() && side->at.nodes.empty() && spec.type == JointType::weld)
      return refuse("of", "a weld needs nodes of the plate: an edge or a corner, or shares that are those of a node");
  const bool of_body = spec.method == Method::relations || spec.method == Method::compliant;
  if (spec.method == Method::multipliers)
    return refuse("method", slides
                                ? "of a plate: what is linear is eliminated"
                                : "a plate's welds are \"eliminated\", or with a body \"relations\" or \"compliant\"");
  if (of_body && a.body() < 0 && b.body() < 0)
    return refuse("method", fmt::format("\"{}\" is for a plate and a body",
                                        spec.method == Method::relations ? "relations" : "compliant"));
  if (spec.holds_stretch && of_body) return refuse("stretch", "\"held\" is of method = \"eliminated\"");
  if (spec.method == Method::compliant && !spec.stiffness)
    return refuse("", "\"stiffness\" is missing: of all springs together [N/m]");
  const std::pair<const char*, bool> of_springs[] = {{"stiffness", spec.stiffness.has_value()},
                                                     {"direction_length", spec.direction_length.has_value()}};
  for (const auto& [key, is_given] : of_springs)
    if (spec.method != Method::compliant && is_given) refuse(key, "is that of method = \"compliant\"");
  return true;
}

std::vector<int> node_slots(const MachineDraft& draft, const Location& at) {
  std::vector<int> out;
  for (const int node : at.at.nodes)
    out.push_back(at.on_solid() ? draft.machine.solids[at.at.part].model.nodes[node]
                                : draft.machine.plates[at.at.part].model.nodes[node].r);
  return out;
}

/// Slots of the points on both sides, but for bodies.
std::vector<int> held_points(const MachineDraft& draft, const PlateJoint& joint) {
  std::vector<int> out;
  for (const Location& side : joint.side) {
    if (side.on_solid() && joint.side[joint.held].on_plate()) continue;  // it carries the plate
    if (side.on_plate() || side.on_solid()) {
      const std::vector<int> slots = node_slots(draft, side);
      out.insert(out.end(), slots.begin(), slots.end());
    } else if (side.body() < 0 && !side.is_ground()) {
      out.push_back(side.point);
    }
  }
  return out;
}

/// Nodes follow signals from their reference positions.
void prescribe_nodes(MachineDraft& draft, PlateJoint& joint, Location& held) {
  constexpr const char* axes[] = {"x", "y", "z"};
  const JointSpec& spec = *joint.spec;
  for (const int slot : point_slots(draft, held)) {
    for (int i = 0; i < 3; ++i) {
      if (!spec.motion[i]) continue;
      std::vector<double> row(3, 0.0);
      row[i] = -1;
      const int signal = draft.builder.effective(*spec.motion[i]);
      draft.builder.relate({1, {{slot, row}}, {draft.builder.reference(slot)[i]}, {{signal, {1.0}}}}, spec.origin.path,
                           spec.origin.source_of(axes[i]));
      draft.machine.joints[joint.part].eliminated += 1;
      if (draft.builder.stays_zero(*spec.motion[i])) draft.holds_anew(slot, unit_axis(i));
    }
    joint.shares.push_back({slot, -1});
  }
  if (std::none_of(spec.motion.begin(), spec.motion.end(), [](const auto& u) { return u.has_value(); }))
    draft.wrong(spec.origin, "of", "nothing is prescribed: give x, y or z");
}

/// Σ c_α g_α of a node = its reference.
void fix_direction(MachineDraft& draft, PlateJoint& joint, const PlateNode& slots, const std::array<double, 2>& c) {
  const int gradients[] = {slots.g_u, slots.g_v};
  LinearForm form{3, {}, {0, 0, 0}, {}};
  for (const int k : {0, 1}) {
    form.terms.push_back(scaled(gradients[k], 3, c[k]));
    for (int i = 0; i < 3; ++i) form.constant[i] -= c[k] * draft.builder.reference(gradients[k])[i];
  }
  draft.builder.relate(std::move(form), joint.spec->origin.path, joint.spec->origin.source_of("of"));
}

/// Nodes of an edge lie in order: where they are held, so is the curve between them. A weld holds the normal along it too:
/// n·g_α = 0 of the gradient across, whose length and whose direction in the tangent plane stay free.
class PlateOnGround {
 public:
  PlateOnGround(MachineDraft& draft, PlateJoint& joint, Location& held) : draft_(draft), joint_(joint), held_(held) {}

  void fix_nodes() {
    if (held_.at.nodes.empty()) {
      if (const int slot = point_slot(draft_, held_); slot >= 0) fix(slot, true);
      return;
    }
    for (const HeldNode& node : held_nodes(draft_, joint_, held_)) fix_node(node);
  }

 private:
  void fix_node(const HeldNode& node) {
    const PlatePart& plate = draft_.machine.plates[held_.at.part];
    const PlateNode& slots = plate.model.nodes[node.node];
    const bool is_weld = joint_.spec->type == JointType::weld;
    fix(slots.r, true);
    for (const std::array<double, 2>& c : node.along) {
      const int gradient = HeldNode::gradient(c);
      if (gradient > 0) {
        fix(gradient == 1 ? slots.g_u : slots.g_v, false);
      } else {
        fix_direction(draft_, joint_, slots, c);
        eliminated() += 3;
      }
    }
    if (is_weld && slots.r_z >= 0) {  // of a full plate the face of the edge, as glue holds it
      fix(slots.r_z, false);
      if (slots.r_zz >= 0) fix(slots.r_zz, false);
    } else if (is_weld) {
      fix_normal(node, slots, plate.mesh.nodes[node.node]);
    }
    for (const int slot : {slots.g_u, slots.g_v})  // of a weld all that is there is what it holds
      if (is_weld && !shows(slot)) joint_.shares.push_back({-1, slot});
  }

  void fix_normal(const HeldNode& node, const PlateNode& slots, const SurfaceNode& at) {
    const Vec3 normal = cross(at.gradient_u, at.gradient_v), n = normal / norm(normal);
    for (const int gradient : node.across()) {
      const int slot = gradient == 1 ? slots.g_u : slots.g_v;
      if (draft_.fixed.contains(slot)) continue;
      relate_normal(slot, n);
      eliminated() += 1;
    }
  }
  void relate_normal(int slot, const Vec3& n) {
    draft_.holds_anew(slot, triple_of(n));
    draft_.builder.relate({1, {{slot, {n[0], n[1], n[2]}}}, {0}, {}}, joint_.spec->origin.path,
                          joint_.spec->origin.source_of("of"));
  }

  void fix(int slot, bool is_point) {
    if (!draft_.fixed.insert(slot).second) return;
    draft_.builder.fix(slot, joint_.spec->origin.path, joint_.spec->origin.source_of("of"));
    eliminated() += 3;
    joint_.shares.push_back(is_point ? JointReaction::Share{slot, -1} : JointReaction::Share{-1, slot});
  }
  int& eliminated() { return draft_.machine.joints[joint_.part].eliminated; }
  bool shows(int vector) const {
    return std::any_of(joint_.shares.begin(), joint_.shares.end(),
                       [&](const JointReaction::Share& share) { return share.vector == vector; });
  }

  MachineDraft& draft_;
  PlateJoint& joint_;
  Location& held_;
};

}  // namespace

std::vector<int> point_slots(MachineDraft& draft, Location& held) {
  std::vector<int> out = node_slots(draft, held);
  if (out.empty()) out.push_back(point_slot(draft, held));
  return out;
}

void plan_plate_joint(MachineDraft& draft, const JointSpec& spec, const Location& a, const Location& b) {
  const bool of_solid = a.on_solid() || b.on_solid();
  if (!(of_solid ? check_solid_joint : check_plate_joint)(draft, spec, a, b)) return;
  PlateJoint joint;
  joint.spec = &spec;
  joint.side = {a, b};
  const bool holds_plate = !of_solid || (spec.type == JointType::weld && (a.on_plate() || b.on_plate()));
  joint.held = (holds_plate ? b.on_plate() : b.on_solid()) ? 1 : 0;
  joint.part = note_joint(draft, spec, a, b, 0);
  draft.plate_joints.push_back(std::move(joint));
}

void finish_plate_joint(MachineDraft& draft, PlateJoint& joint) {
  Location &held = joint.side[joint.held], &other = joint.side[1 - joint.held];
  if (held.on_solid() && joint.spec->type != JointType::prescribed) return finish_solid_joint(draft, joint);
  if (held.on_plate() && other.on_solid()) return plate_to_solid(draft, joint, held, other);
  if (slides(joint)) return slide_plate(draft, joint, held, other);
  if (other.body() >= 0) return plate_to_body(draft, joint, held, other);
  if (!other.is_ground()) return plate_to_part(draft, joint, held, other);
  Location center = other;
  center.X = held.X;
  joint.center = point_slot(draft, center);
  if (joint.spec->type == JointType::prescribed) return prescribe_nodes(draft, joint, held);
  PlateOnGround(draft, joint, held).fix_nodes();
}

namespace {

bool is_prescribed(const PlateJoint& joint) { return joint.spec->type == JointType::prescribed; }

/// Whether the forces of two joints at one node can be told apart: what slides takes what others leave of a node, which is
/// known if their directions are the same, or perpendicular; two that prescribe never have the same.
bool are_apart(const PlateJoint& a, const PlateJoint& b) {
  if (!slides(a) && !slides(b) && !(is_prescribed(a) && is_prescribed(b))) return false;
  const std::vector<Triple> of_a = held_directions(a), of_b = held_directions(b);
  const auto is_apart = [](const Triple& m, const Triple& n) {
    const double c = std::fabs(dot(m, n));
    return c < 1e-9 || c > 1 - 1e-9;
  };
  return std::all_of(of_a.begin(), of_a.end(), [&](const Triple& m) {
    return std::all_of(of_b.begin(), of_b.end(), [&](const Triple& n) { return is_apart(m, n); });
  });
}

}  // namespace

std::vector<JointReaction::Share> plate_shares(const MachineDraft& draft, const PlateJoint& joint) {
  const std::vector<int> mine = held_points(draft, joint);
  const bool meets = std::any_of(draft.plate_joints.begin(), draft.plate_joints.end(), [&](const PlateJoint& other) {
    const std::vector<int> theirs = held_points(draft, other);
    const bool takes_a_direction = slides(other) || (is_prescribed(other) && &other != &joint);
    return takes_a_direction &&
           std::find_first_of(mine.begin(), mine.end(), theirs.begin(), theirs.end()) != mine.end();
  });
  if (!is_prescribed(joint) || !meets) return joint.shares;
  std::vector<JointReaction::Share> out;
  for (const JointReaction::Share& share : joint.shares)
    for (const Triple& n : held_directions(joint)) out.push_back({share.point, -1, n});
  return out;
}

bool is_separable(const MachineDraft& draft, const PlateJoint& joint) {
  for (const Location& side : joint.side)
    if ((side.on_plate() || side.on_solid()) && side.at.nodes.empty()) return false;
  const std::vector<int> mine = held_points(draft, joint);
  const auto shared = [&](int slot) { return std::find(mine.begin(), mine.end(), slot) != mine.end(); };
  if (std::any_of(draft.claimed.begin(), draft.claimed.end(), shared)) return false;
  return std::none_of(draft.plate_joints.begin(), draft.plate_joints.end(), [&](const PlateJoint& other) {
    const std::vector<int> theirs = held_points(draft, other);
    return &other != &joint && !are_apart(joint, other) && std::any_of(theirs.begin(), theirs.end(), shared);
  });
}

int HeldNode::gradient(const std::array<double, 2>& c) {
  return c == std::array{1.0, 0.0} ? 1 : c == std::array{0.0, 1.0} ? 2 : 0;
}

std::vector<int> HeldNode::across() const {
  if (along.empty()) return {1, 2};
  if (along.size() == 2) return {};
  return {std::fabs(along[0][0]) > std::fabs(along[0][1]) ? 2 : 1};
}

std::vector<ElementSide> held_sides(const MachineDraft& draft, const Location& at) {
  const SurfaceMesh& mesh = draft.machine.plates[at.at.part].mesh;
  const MeshSet* edge = at.place.at == Place::At::named ? mesh.find(at.place.point) : nullptr;
  const std::set<int> held(at.at.nodes.begin(), at.at.nodes.end());
  std::vector<ElementSide> out;
  const auto add = [&](const ElementSide& side) {
    const std::array<int, 4>& nodes = mesh.elements[side.element].nodes;
    if (held.contains(nodes[side.side]) && held.contains(nodes[(side.side + 1) % 4])) out.push_back(side);
  };
  if (edge != nullptr && !edge->sides.empty() && edge->elements.empty()) {
    for (const ElementSide& side : edge->sides) add(side);
  } else if (held.size() > 1) {
    for (size_t e = 0; e < mesh.elements.size(); ++e)
      for (int side = 0; side < 4; ++side) add({static_cast<int>(e), side});
  }
  return out;
}

std::vector<HeldNode> held_nodes(const MachineDraft& draft, const PlateJoint& joint, const Location& at) {
  const SurfaceMesh& mesh = draft.machine.plates[at.at.part].mesh;
  std::vector<HeldNode> out;
  std::map<int, size_t> index;
  for (const int node : at.at.nodes) {
    if (index.emplace(node, out.size()).second) out.push_back({node});
  }
  if (joint.spec->holds_stretch) {
    for (HeldNode& node : out) node.along = {{1, 0}, {0, 1}};
    return out;
  }
  for (const auto& [element, side] : held_sides(draft, at)) {
    const int corners[] = {side, (side + 1) % 4};
    const std::array<int, 4>& nodes = mesh.elements[element].nodes;
    for (const int corner : corners) {
      const CornerMap map = mesh.corner_map(element, corner);
      const std::array<double, 2> c =
          side % 2 == 0 ? std::array<double, 2>{map.uu, map.uv} : std::array<double, 2>{map.vu, map.vv};
      std::vector<std::array<double, 2>>& along = out[index.at(nodes[corner])].along;
      const bool is_known = std::any_of(along.begin(), along.end(), [&](const auto& known) {
        return std::fabs(known[0] * c[1] - known[1] * c[0]) <=
               1e-6 * std::hypot(known[0], known[1]) * std::hypot(c[0], c[1]);
      });
      if (!is_known && along.size() < 2) along.push_back(c);
    }
  }
  return out;
}

}  // namespace flexura::detail
