// Plates on bodies: nodes of the plate as fixed combinations of what carries the body, by relations, or by springs.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "flexura/constraint/distance.hpp"
#include "flexura/constraint/inner_product.hpp"
#include "flexura/constraint/offset.hpp"
#include "flexura/load/tie.hpp"
#include "flexura/part/machine_draft.hpp"

namespace flexura::detail {
namespace {

/// The frame of a set of nodes: unit axis across their mean plane, or of a single node and a straight edge the mean of g_u;
/// two unit vectors across it, the first between the first two nodes, so that none has the angle 0 or 180 deg: halfway, and
/// of an odd number nearer to the first, since one stands opposite of halfway.
struct Ring {
  Vec3 center, axis, side[2];

  Ring(const SurfaceMesh& mesh, const std::vector<int>& nodes, const Triple& X) : center{X[0], X[1], X[2]} {
    const auto arm = [&](size_t k) { return mesh.nodes[nodes[k % nodes.size()]].position - center; };
    Vec3 sum{}, along{};
    double size = 0;
    for (size_t k = 0; k < nodes.size(); ++k) {
      sum += cross(arm(k), arm(k + 1));
      along += mesh.nodes[nodes[k]].gradient_u;
      size = std::max(size, norm(arm(k)));
    }
    axis = norm(sum) > 1e-6 * size * size ? sum : along;
    axis = axis / norm(axis);
    Vec3 first = arm(0);
    if (nodes.size() > 1) first += (nodes.size() % 2 == 0 ? 1.0 : 0.5) * arm(1);
    first -= dot(first, axis) * axis;
    const Vec3 across = mesh.nodes[nodes[0]].gradient_v;
    if (!(norm(first) > 0)) first = across - dot(across, axis) * axis;
    side[0] = first / norm(first);
    side[1] = cross(axis, side[0]);
  }
};

class PlateOnBody {
 public:
  PlateOnBody(MachineDraft& draft, PlateJoint& joint, Location& held, int body)
      : draft_(draft),
        joint_(joint),
        spec_(*joint.spec),
        held_(held),
        body_(body),
        middle_(point_at(held.position())) {}

  void finish() {
    joint_.center = body_slot(draft_, body_, middle_);
    if (joint_.center < 0) return;
    if (held_.at.nodes.empty()) return hold_inside();
    if (is_weld() && spec_.method != JointSpec::Method::eliminated && plate().model.nodes[0].r_z >= 0)
      return draft_.wrong(spec_.origin, "method", "full plates are welded by \"eliminated\"");
    if (spec_.method == JointSpec::Method::compliant) return tie_by_springs();
    if (spec_.method == JointSpec::Method::relations && spec_.type == JointType::weld) return keep_relations();
    carry_nodes();
  }

 private:
  const PlatePart& plate() const { return draft_.machine.plates[held_.at.part]; }
  JointPart& part() { return draft_.machine.joints[joint_.part]; }
  BodyPlace point_at(const Triple& X) const { return draft_.bodies[body_].point_at(X); }
  BodyPlace vector_along(const Triple& n) const { return draft_.bodies[body_].vector_along(n); }
  std::optional<std::vector<double>> weights(const BodyPlace& place) const {
    return draft_.bodies[body_].basis->weights(place);
  }

  /// f(slot, place on the body) of r and both gradients of each node, of a pin of those along its edge.
  void for_each_slot(auto&& f) {
    for (const HeldNode& node : held_nodes(draft_, joint_, held_)) {
      const SurfaceNode& n = plate().mesh.nodes[node.node];
      const PlateNode slots = plate().model.nodes[node.node];
      f(slots.r, point_at(triple_of(n.position)));
      for (const int k : {1, 2})
        if (is_weld() || holds(node, k))
          f(k == 1 ? slots.g_u : slots.g_v, vector_along(triple_of(k == 1 ? n.gradient_u : n.gradient_v)));
    }
  }
  bool is_weld() const { return spec_.type == JointType::weld; }
  static bool holds(const HeldNode& node, int gradient) {
    return std::any_of(node.along.begin(), node.along.end(),
                       [&](const auto& c) { return HeldNode::gradient(c) == gradient; });
  }

  /// A place inside an element: three equations between combinations.
  void hold_inside() {
    const int slot = point_slot(draft_, held_);
    const auto c = weights(middle_);
    if (slot < 0 || !c) return;
    LinearForm same = on_basis(draft_, body_, *c);
    same.terms.push_back(scaled(slot, 3, -1));
    same.constant.assign(3, 0.0);
    draft_.builder.relate(std::move(same), spec_.origin.path, spec_.origin.source_of("of"));
    part().eliminated += 3;
  }

  /// Nodes and the curve between them are linear: eliminated. A weld keeps the normal along it by multipliers, n·g_α = 0 of
  /// the gradient across, whose length and whose direction in the tangent plane stay free.
  void carry_nodes() {
    for (const HeldNode& node : held_nodes(draft_, joint_, held_)) {
      const SurfaceNode& n = plate().mesh.nodes[node.node];
      const PlateNode slots = plate().model.nodes[node.node];
      if (!carry({{slots.r, 1}}, point_at(triple_of(n.position)))) return;
      for (const auto& [u, v] : node.along)
        if (!carry({{slots.g_u, u}, {slots.g_v, v}}, vector_along(triple_of(u * n.gradient_u + v * n.gradient_v))))
          return;
      if (is_weld() && !(slots.r_z >= 0 ? carry_wall(slots, n) : keep_normal(node, n, slots))) return;
    }
  }

  // Each is false after a problem.

  /// Of a full plate the face of the edge, as glue holds it.
  bool carry_wall(const PlateNode& slots, const SurfaceNode& at) {
    if (slots.r_zz >= 0 && draft_.fixed.insert(slots.r_zz).second) {
      draft_.builder.fix(slots.r_zz, spec_.origin.path, spec_.origin.source_of("of"));
      part().eliminated += 3;
    }
    return carry({{slots.r_z, 1}}, vector_along(triple_of(director(at))));
  }

  /// Σ c slot = the place on the body.
  bool carry(const std::vector<std::pair<int, double>>& slots, const BodyPlace& place) {
    const std::optional<std::vector<double>> c = weights(place);
    if (!c) {
      draft_.wrong(spec_.origin, "of", "a slender rod carries only what lies on its line");
      return false;
    }
    part().eliminated += 3;
    const auto count = std::count_if(slots.begin(), slots.end(), [](const auto& slot) { return slot.second != 0; });
    LinearForm form = on_basis(draft_, body_, *c);
    for (const auto& [slot, factor] : slots) {
      if (factor == 0) continue;
      share(place.is_point ? JointReaction::Share{slot, -1} : JointReaction::Share{-1, slot});
      if (count == 1 && factor == 1) {
        draft_.define(slot, std::move(form), spec_.origin, spec_.origin.source_of("of"));
        return true;
      }
      form.terms.push_back(scaled(slot, 3, -factor));
    }
    form.constant.assign(3, 0.0);
    draft_.builder.relate(std::move(form), spec_.origin.path, spec_.origin.source_of("of"));
    return true;
  }

  void share(const JointReaction::Share& share) {
    const bool is_known = std::any_of(joint_.shares.begin(), joint_.shares.end(), [&](const auto& known) {
      return known.point == share.point && known.vector == share.vector;
    });
    if (!is_known) joint_.shares.push_back(share);
  }

  bool keep_normal(const HeldNode& node, const SurfaceNode& at, const PlateNode& slots) {
    const Vec3 normal = cross(at.gradient_u, at.gradient_v);
    for (const int gradient : node.across()) {
      const int n = vector_on_body(normal / norm(normal));
      if (n < 0) return false;
      keep<InnerProduct3d>("orthogonality", {gradient == 1 ? slots.g_u : slots.g_v, n}, {.value = 0, .penalty = 0},
                           {0});
    }
    return true;
  }

  /// The paper's relations [ghoneimy2025 eqs 44–48]: of each node n the distance from the interface's centre j, the angle
  /// of r_n − r_j to an axis u across the tube (as (r_n − r_j)·u), and (r_n − r_j)·t, r_nx·v, r_ny·(r_n − r_j) kept at
  /// their initial values, with t the tube's axis and v across it and u.
  void keep_relations() {
    const Ring ring(plate().mesh, held_.at.nodes, held_.position());
    const int t = vector_on_body(ring.axis), u = vector_on_body(ring.side[0]), v = vector_on_body(ring.side[1]);
    if (t < 0 || u < 0 || v < 0) return;
    const int j = joint_.center;
    for (const int node : held_.at.nodes) {
      const SurfaceNode& n = plate().mesh.nodes[node];
      const PlateNode slots = plate().model.nodes[node];
      const Vec3 arm = n.position - ring.center;
      keep<Distance3d>("distance", {j, slots.r}, {.length = norm(arm)}, {1});
      keep<Offset3d>("angle", {j, slots.r, u}, {.value = dot(arm, ring.side[0]), .penalty = 0}, {1});
      keep<Offset3d>("orthogonality", {j, slots.r, t}, {.value = dot(arm, ring.axis), .penalty = 0}, {1});
      keep<InnerProduct3d>("orthogonality", {slots.g_u, v}, {.value = dot(n.gradient_u, ring.side[1]), .penalty = 0},
                           {0});
      keep<Offset3d>("orthogonality", {j, slots.r, slots.g_v}, {.value = dot(arm, n.gradient_v), .penalty = 0}, {1, 2});
    }
  }

  int vector_on_body(const Vec3& n) { return body_slot(draft_, body_, vector_along(triple_of(n))); }

  /// `of_plate`: which of the slots belong to the plate.
  template <class E>
  void keep(const char* family, const std::array<int, slots_of<E> - 1>& of, const GivenParams<E>& parameters,
            std::initializer_list<int> of_plate) {
    const std::string name = fmt::format("{}, {} {}", spec_.origin.path, family, part().items.size() + 1);
    for (int k = 0; k < slots_of<E> - 1; ++k) {
      const bool is_plates = std::find(of_plate.begin(), of_plate.end(), k) != of_plate.end();
      if (is_plates == (joint_.held == 1)) joint_.items.push_back({name, k, 1});
    }
    std::array<int, slots_of<E>> slots{};
    std::copy(of.begin(), of.end(), slots.begin());
    slots.back() = draft_.builder.multiplier(name + ".lambda");
    part().multipliers.push_back(slots.back());
    part().items.push_back(name);
    draft_.machine.constraints[name] = {family, spec_.name};
    draft_.builder.item<E>(slots, parameters, name, 0, spec_.origin.source);
  }

  /// Springs between each node's r, g_u, g_v and where they are in the reference.
  void tie_by_springs() {
    int axes[3];  // of the body, for dampers
    for (int k = 0; k < 3; ++k)
      if ((axes[k] = axis_slot(draft_, body_, k)) < 0) return;
    const double share = 1 / static_cast<double>(held_.at.nodes.size());
    const double k = share * *spec_.stiffness, c = share * spec_.damping;
    const double h2 =
        spec_.direction_length ? std::pow(*spec_.direction_length, 2) : plate().thickness * plate().thickness;
    for_each_slot([&](int slot, const BodyPlace& place) {
      const int other = body_slot(draft_, body_, place);
      if (other < 0) return;
      const std::string name = fmt::format("{}, tie {}", spec_.origin.path, slot);
      const std::array slots{other, slot, axes[0], axes[1], axes[2]};
      if (place.is_point)
        draft_.builder.item<PointTie>(slots, {.stiffness = k, .damping = c}, name, 0, spec_.origin.source);
      else
        draft_.builder.item<VectorTie>(slots, {.stiffness = h2 * k, .damping = h2 * c}, name, 0, spec_.origin.source);
      part().items.push_back(name);
      for (int a = 0; a < 5; ++a)
        if ((a == 1) == (joint_.held == 1)) joint_.items.push_back({name, a, 1});
    });
  }

  MachineDraft& draft_;
  PlateJoint& joint_;
  const JointSpec& spec_;
  Location& held_;
  int body_;
  BodyPlace middle_;
};

}  // namespace

void plate_to_body(MachineDraft& draft, PlateJoint& joint, Location& held, Location& at) {
  PlateOnBody(draft, joint, held, at.body()).finish();
}

}  // namespace flexura::detail
