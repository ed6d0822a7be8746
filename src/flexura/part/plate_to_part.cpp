// Plates tied to cables, beams, points and other plates: places that coincide, edges node by node.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "flexura/constraint/coplanar.hpp"
#include "flexura/part/machine_draft.hpp"

namespace flexura::detail {
namespace {

class PlateOnPart {
 public:
  PlateOnPart(MachineDraft& draft, PlateJoint& joint, Location& held, Location& other)
      : draft_(draft), joint_(joint), spec_(*joint.spec), held_(held), other_(other) {
    rounding_ = draft.near(held.position());
  }

  /// One place of each coincides; edges of two plates node by node, with the direction along them. A weld keeps one tangent
  /// plane too; in it each plate stretches as it likes.
  void finish() {
    if (other_.on_plate() && held_.at.nodes.size() >= 2) return hold_edge();
    const bool is_weld = spec_.type == JointType::weld;
    if (is_weld && !(other_.on_plate() && other_.at.nodes.size() == 1))
      return wrong("a plate is welded to the ground, a body or another plate; with others use \"pin\"");
    if (hold_place() && is_weld) hold_edge();
  }

 private:
  void wrong(std::string message) { draft_.wrong(spec_.origin, "of", std::move(message)); }
  const PlatePart& mine() const { return draft_.machine.plates[held_.at.part]; }
  const PlatePart& theirs() const { return draft_.machine.plates[other_.at.part]; }

  /// slot = Σ terms
  void relate(int slot, std::vector<LinearTerm> terms) {
    terms.push_back(scaled(slot, 3, -1));
    draft_.builder.relate({3, std::move(terms), {0, 0, 0}, {}}, spec_.origin.path, spec_.origin.source_of("of"));
    draft_.machine.joints[joint_.part].eliminated += 3;
  }

  // Each is false after a problem.

  bool hold_place() {
    if (const double gap = norm(other_.position() - held_.position()); gap > rounding_) {
      wrong(fmt::format("\"{}\" and \"{}\" are {:.6g} m apart in the reference configuration", spec_.of[0].text,
                        spec_.of[1].text, gap));
      return false;
    }
    const int a = point_slot(draft_, other_), b = point_slot(draft_, held_);
    if (a < 0 || b < 0) return false;
    joint_.center = a;
    relate(b, {scaled(a, 3, 1)});
    joint_.shares.push_back({b, -1});
    return true;
  }

  void hold_edge() {
    const std::vector<int>&own = held_.at.nodes, &others = other_.at.nodes;
    if (own.size() != others.size())
      return wrong(fmt::format("\"{}\" has {} nodes and \"{}\" has {}", spec_.of[0].text,
                               joint_.side[0].at.nodes.size(), spec_.of[1].text, joint_.side[1].at.nodes.size()));
    for (const HeldNode& node : held_nodes(draft_, joint_, held_)) {
      const Vec3 position = mine().mesh.nodes[node.node].position;
      const auto partner = std::find_if(others.begin(), others.end(), [&](int candidate) {
        return norm(theirs().mesh.nodes[candidate].position - position) <= rounding_;
      });
      if (partner == others.end())
        return wrong(fmt::format("no node of \"{}\" is where node {} of \"{}\" is", other_.place.text, node.node,
                                 held_.place.text));
      if (!tie_nodes(node, *partner)) return;
    }
  }

  bool tie_nodes(const HeldNode& node, int partner) {
    const PlateNode slots = mine().model.nodes[node.node], masters = theirs().model.nodes[partner];
    if (held_.at.nodes.size() > 1) {
      relate(slots.r, {scaled(masters.r, 3, 1)});
      joint_.shares.push_back({slots.r, -1});
      if (joint_.center < 0) joint_.center = masters.r;
    }
    const SurfaceNode &n = mine().mesh.nodes[node.node], &m = theirs().mesh.nodes[partner];
    for (const std::array<double, 2>& c : node.along)
      if (!tie_direction(slots, n, c, masters, m)) return false;
    if (spec_.type != JointType::weld) return true;
    if (slots.r_z >= 0 || masters.r_z >= 0) return tie_walls(slots, n, masters, m);
    for (const int gradient : node.across()) {
      if (!in_plane(gradient == 1 ? n.gradient_u : n.gradient_v, m)) return false;
      keep_coplanar(gradient == 1 ? slots.g_u : slots.g_v, masters);
    }
    return true;
  }

  /// Full plates: one direction across the wall, and how the thickness changes along it.
  bool tie_walls(const PlateNode& slots, const SurfaceNode& n, const PlateNode& masters, const SurfaceNode& m) {
    if (slots.r_z < 0 || masters.r_z < 0 || (slots.r_zz < 0) != (masters.r_zz < 0))
      return wrong("a weld of two plates needs the same `element` in both; use \"pin\", or a [body.NAME] between them"),
             false;
    if (norm(director(n) - director(m)) > 1e-6)
      return wrong("full plates are welded where they have one normal and one thickness"), false;
    for (const auto& [own, other] : {std::pair(slots.r_z, masters.r_z), std::pair(slots.r_zz, masters.r_zz)}) {
      if (own < 0) continue;
      relate(own, {scaled(other, 3, 1)});
      joint_.shares.push_back({-1, own});
    }
    return true;
  }

  /// c_u and c_v of g = c_u g_u + c_v g_v of the other plate's node; of what is not in its tangent plane the nearest.
  static std::array<double, 2> components(const Vec3& g, const SurfaceNode& m) {
    const double aa = dot(m.gradient_u, m.gradient_u), ab = dot(m.gradient_u, m.gradient_v),
                 bb = dot(m.gradient_v, m.gradient_v), det = aa * bb - ab * ab;
    const double pu = dot(g, m.gradient_u), pv = dot(g, m.gradient_v);
    return {(bb * pu - ab * pv) / det, (aa * pv - ab * pu) / det};
  }
  bool in_plane(const Vec3& g, const SurfaceNode& m) {
    const auto [cu, cv] = components(g, m);
    if (norm(cu * m.gradient_u + cv * m.gradient_v - g) <= 1e-6 * norm(g)) return true;
    wrong(
        "the plates meet at an angle: a weld of two plates needs one tangent plane; use \"pin\", or "
        "a [body.NAME] between them");
    return false;
  }

  /// The direction along the edge is the other plate's: linear.
  bool tie_direction(const PlateNode& slots, const SurfaceNode& n, const std::array<double, 2>& c,
                     const PlateNode& masters, const SurfaceNode& m) {
    const Vec3 g = c[0] * n.gradient_u + c[1] * n.gradient_v;
    if (!in_plane(g, m)) return false;
    const std::array<double, 2> of = components(g, m);
    LinearForm form{3, {}, {0, 0, 0}, {}};
    const auto add = [&](int slot, double factor) {
      if (factor != 0) form.terms.push_back(scaled(slot, 3, factor));
    };
    add(masters.g_u, of[0]);
    add(masters.g_v, of[1]);
    add(slots.g_u, -c[0]);
    add(slots.g_v, -c[1]);
    draft_.builder.relate(std::move(form), spec_.origin.path, spec_.origin.source_of("of"));
    draft_.machine.joints[joint_.part].eliminated += 3;
    if (c[0] != 0) joint_.shares.push_back({-1, slots.g_u});
    if (c[1] != 0) joint_.shares.push_back({-1, slots.g_v});
    return true;
  }

  /// The gradient stays in the other's tangent plane: by a multiplier.
  void keep_coplanar(int gradient, const PlateNode& masters) {
    JointPart& part = draft_.machine.joints[joint_.part];
    const std::string name = fmt::format("{}, orthogonality {}", spec_.origin.path, part.items.size() + 1);
    const int row = draft_.builder.multiplier(name + ".lambda");
    part.multipliers.push_back(row);
    part.items.push_back(name);
    draft_.machine.constraints[name] = {"orthogonality", spec_.name};
    draft_.builder.item<Coplanar3d>({gradient, masters.g_u, masters.g_v, row}, {.penalty = 0}, name, 0,
                                    spec_.origin.source);
    if (joint_.held == 1) {
      joint_.items.push_back({name, 0, 1});
    } else {
      for (const int slot : {1, 2}) joint_.items.push_back({name, slot, 1});
    }
  }

  MachineDraft& draft_;
  PlateJoint& joint_;
  const JointSpec& spec_;
  Location &held_, &other_;
  double rounding_;
};

}  // namespace

void plate_to_part(MachineDraft& draft, PlateJoint& joint, Location& held, Location& other) {
  PlateOnPart(draft, joint, held, other).finish();
}

}  // namespace flexura::detail
