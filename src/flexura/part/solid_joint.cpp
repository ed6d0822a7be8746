// Joints of solids: points of them held by the ground, carried by a body, or tied to another part's.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "flexura/part/machine_draft.hpp"

namespace flexura::detail {
namespace {

class SolidJoint {
 public:
  SolidJoint(MachineDraft& draft, PlateJoint& joint)
      : draft_(draft),
        joint_(joint),
        spec_(*joint.spec),
        held_(joint.side[joint.held]),
        other_(joint.side[1 - joint.held]) {
    near_ = draft.near(held_.position());
  }

  void finish() {
    if (slides(joint_)) return slide();
    if (other_.body() >= 0) return carry();
    if (!other_.is_ground()) return tie();
    set_center();
    fix();
  }

 private:
  const SolidPart& solid() const { return draft_.machine.solids[held_.at.part]; }
  JointPart& part() { return draft_.machine.joints[joint_.part]; }
  void wrong(std::string message) { draft_.wrong(spec_.origin, "of", std::move(message)); }
  Triple position(int node) const { return triple_of(solid().mesh.nodes[node]); }

  void relate(LinearForm form, int equations) {
    draft_.builder.relate(std::move(form), spec_.origin.path, spec_.origin.source_of("of"));
    part().eliminated += equations;
  }

  void set_center() {
    Location center = other_;
    center.X = held_.X;
    joint_.center = point_slot(draft_, center);
  }

  void fix() {
    for (const int slot : point_slots(draft_, held_)) {
      if (slot < 0) return;
      joint_.shares.push_back({slot, -1});
      if (!draft_.fixed.insert(slot).second) continue;
      draft_.builder.fix(slot, spec_.origin.path, spec_.origin.source_of("of"));
      part().eliminated += 3;
    }
  }

  /// Points as combinations of what carries the body.
  void carry() {
    const RigidBody& body = draft_.bodies[other_.body()];
    joint_.center = body_slot(draft_, other_.body(), body.point_at(held_.position()));
    if (joint_.center < 0) return;
    if (held_.at.nodes.empty()) return carry_inside(body);
    for (const int node : held_.at.nodes) {
      const std::optional<std::vector<double>> c = body.basis->weights(body.point_at(position(node)));
      if (!c) return wrong("a slender rod carries only what lies on its line");
      const int slot = solid().model.nodes[node];
      part().eliminated += 3;
      joint_.shares.push_back({slot, -1});
      draft_.define(slot, on_basis(draft_, other_.body(), *c), spec_.origin, spec_.origin.source_of("of"));
    }
  }

  void carry_inside(const RigidBody& body) {
    const int slot = point_slot(draft_, held_);
    const auto c = body.basis->weights(body.point_at(held_.position()));
    if (slot < 0 || !c) return;
    LinearForm same = on_basis(draft_, other_.body(), *c);
    same.terms.push_back(scaled(slot, 3, -1));
    same.constant.assign(3, 0.0);
    relate(std::move(same), 3);
  }

  /// The points of another part: one, or those of a face that lie where its own do.
  void tie() {
    if (spec_.type == JointType::weld) return tie_nodes();
    if (const double gap = norm(other_.position() - held_.position()); gap > near_)
      return wrong(fmt::format("\"{}\" and \"{}\" are {:.6g} m apart in the reference configuration", spec_.of[0].text,
                               spec_.of[1].text, gap));
    const int a = point_slot(draft_, other_), b = point_slot(draft_, held_);
    if (a < 0 || b < 0) return;
    joint_.center = a;
    tie_slots(b, a);
  }

  void tie_slots(int slot, int master) {
    relate({3, {scaled(master, 3, 1), scaled(slot, 3, -1)}, {0, 0, 0}, {}}, 3);
    joint_.shares.push_back({slot, -1});
  }

  void tie_nodes() {
    if (!other_.on_solid())
      return wrong(
          "a solid is welded to the ground, a body, another solid or an edge of a full plate; with others use \"pin\", "
          "or a [body.NAME] welded to both");
    const SolidPart& theirs = draft_.machine.solids[other_.at.part];
    if (held_.at.nodes.size() != other_.at.nodes.size())
      return wrong(fmt::format(
          "\"{}\" has {} nodes and \"{}\" has {}: a weld of two solids needs the same mesh on both "
          "sides; a [body.NAME] between them takes any",
          spec_.of[0].text, joint_.side[0].at.nodes.size(), spec_.of[1].text, joint_.side[1].at.nodes.size()));
    for (const int node : held_.at.nodes) {
      const Triple X = position(node);
      const auto partner = std::find_if(other_.at.nodes.begin(), other_.at.nodes.end(), [&](int candidate) {
        return norm(triple_of(theirs.mesh.nodes[candidate]) - X) <= near_;
      });
      if (partner == other_.at.nodes.end())
        return wrong(
            fmt::format("no node of \"{}\" is where node {} of \"{}\" is, at ({:.6g}, {:.6g}, {:.6g}) m: a weld "
                        "of two solids needs the same mesh on both sides",
                        other_.place.text, node, held_.place.text, X[0], X[1], X[2]));
      if (joint_.center < 0) joint_.center = theirs.model.nodes[*partner];
      tie_slots(solid().model.nodes[node], theirs.model.nodes[*partner]);
    }
  }

  /// n·(r − X) = 0 of each point, one n across a plane or two across a line.
  void slide() {
    set_center();
    std::vector<int> slots = point_slots(draft_, held_);
    const Triple on = other_.at.is_whole
                          ? spec_.at.value_or(held_.at.nodes.empty() ? held_.position() : position(held_.at.nodes[0]))
                          : other_.position();
    for (size_t k = 0; k < slots.size(); ++k) {
      if (slots[k] < 0) return;
      const Triple X = held_.at.nodes.empty() ? held_.position() : position(held_.at.nodes[k]);
      for (const Triple& n : held_directions(joint_)) {
        if (const double gap = std::fabs(dot(X - on, n)); gap > 1e-6 * (draft_.size + norm(X)))
          return wrong(fmt::format("node {} of \"{}\" is {:.6g} m off the {} in the reference configuration", k + 1,
                                   held_.place.text, gap, row_of(spec_.type, 3).in_plane ? "plane" : "line"));
        if (draft_.fixed.contains(slots[k]) || !draft_.holds_anew(slots[k], n)) continue;
        relate({1, {{slots[k], {n.begin(), n.end()}}}, {-dot(n, X)}, {}}, 1);
        joint_.shares.push_back({slots[k], -1, n});
      }
    }
  }

  MachineDraft& draft_;
  PlateJoint& joint_;
  const JointSpec& spec_;
  Location &held_, &other_;
  double near_;
};

/// Whether the points of a set hold a body against turning.
bool are_on_a_line(const SolidMesh& mesh, const std::vector<int>& nodes) {
  Vec3 longest{};
  for (const int n : nodes)
    if (const Vec3 d = mesh.nodes[n] - mesh.nodes[nodes[0]]; norm(d) > norm(longest)) longest = d;
  return std::all_of(nodes.begin(), nodes.end(), [&](int n) {
    return norm(cross(mesh.nodes[n] - mesh.nodes[nodes[0]], longest)) <= 1e-9 * dot(longest, longest);
  });
}

}  // namespace

bool check_solid_joint(MachineDraft& draft, const JointSpec& spec, const Location& a, const Location& b) {
  using Method = JointSpec::Method;
  const JointRow& row = row_of(spec.type, draft.dim());
  const auto refuse = [&](std::string_view key, std::string message) {
    draft.wrong(spec.origin, key, std::move(message));
    return false;
  };
  const bool on_spot = row.coincide && !row.clamps && !row.has_angle && !row.keeps_right;
  const bool slides = (row.in_plane || row.on_line) && !row.keeps_turn && !row.keeps_axis && !row.has_angle;
  if (!on_spot && !row.is_driven && !slides)
    return refuse(
        "type",
        fmt::format("\"{}\" does not go with a solid, whose points have no directions; \"weld\", \"pin\", "
                    "\"point_on_plane\", \"point_on_line\" and \"prescribed\" do; a small [body.NAME] welded to "
                    "the solid takes every joint",
                    row.name));
  if (spec.method != Method::eliminated) return refuse("method", "of a solid: what is linear is eliminated");
  if (spec.holds_stretch)
    return refuse("stretch", "a weld of a solid holds all its points: there is nothing more to hold");
  if ((slides || row.is_driven) && !a.is_ground())
    return refuse("of",
                  fmt::format("the first place of a {} joint of a solid must be the ground, as \"ground\"", row.name));
  if (slides && (!spec.axis || !(norm(*spec.axis) > 0)))
    return refuse(row.in_plane ? "normal" : "axis", "must not be zero");
  if (slides && spec.displacement)
    return refuse("displacement", "the points of a solid slide each by itself: a joint \"prescribed\" moves them");
  for (const Location* side : {&a, &b}) {
    if (!side->on_solid()) continue;
    const std::vector<int>& nodes = side->at.nodes;
    const SolidMesh& mesh = draft.machine.solids[side->at.part].mesh;
    const bool holds_all = mesh.is_membrane() ? nodes.size() > 1 : nodes.size() > 2 && !are_on_a_line(mesh, nodes);
    if (spec.type == JointType::weld && !holds_all)
      return refuse("of", fmt::format("a weld holds the nodes of a {}; \"{}\" is {}: use \"pin\"",
                                      mesh.is_membrane() ? "line or surface" : "face or volume", side->place.text,
                                      nodes.size() < 2 ? "one place" : "nodes on a line"));
    if (spec.type == JointType::pin && nodes.size() > 1)
      return refuse("of", fmt::format("a pin holds one place and \"{}\" has {} nodes: use \"weld\" to hold them all",
                                      side->place.text, nodes.size()));
  }
  return true;
}

void finish_solid_joint(MachineDraft& draft, PlateJoint& joint) { SolidJoint(draft, joint).finish(); }

}  // namespace flexura::detail
