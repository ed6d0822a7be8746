// Plates whose edges or nodes slide in a plane or on a line, symmetry planes among them.
//
//     point_on_plane   n·(r − X) = 0,  n·g_s kept         g_s along the edge, so that the curve between nodes slides too
//     point_on_line    the same for two n across the line
//     planar           besides, nothing turns out of the plane. Where the plate crosses it at a right angle, a symmetry plane,
//                      the direction of the wall that is n stays along n, p·(a g_u + b g_v) = 0 for p across n; its length,
//                      the stretch across the plane, is free. Where the plate lies in the plane, n·g_u = n·g_v = 0.
//
// On the ground, and on bodies that do not turn, these are linear and eliminated; else each has a multiplier.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "flexura/constraint/inner_product.hpp"
#include "flexura/constraint/offset.hpp"
#include "flexura/part/machine_draft.hpp"

namespace flexura::detail {
namespace {

constexpr double straight = 1e-6;  // of directions: what meshes written with few digits leave

std::vector<Triple> kept_normals(const JointSpec& spec, const JointRow& row) {
  const Triple axis = (1 / norm(*spec.axis)) * *spec.axis;
  if (row.in_plane) return {axis};
  const auto [first, second] = perpendiculars(axis);
  return {first, second};
}

class PlateSlide {
 public:
  PlateSlide(MachineDraft& draft, PlateJoint& joint, Location& held, Location& other)
      : draft_(draft),
        joint_(joint),
        spec_(*joint.spec),
        row_(row_of(spec_.type, draft.dim())),
        held_(held),
        body_(other.body()),
        on_(other.at.is_whole ? spec_.at.value_or(first_position()) : other.position()),
        normals_(kept_normals(spec_, row_)) {
    Location center = other;
    center.X = held.X;
    joint_.center =
        body_ < 0 ? point_slot(draft, center) : body_slot(draft, body_, draft.bodies[body_].point_at(held.position()));
  }

  void finish() {
    if (held_.at.nodes.empty()) {
      if (!is_there(held_.position(), held_.place.text)) return;
      if (const int slot = point_slot(draft_, held_); slot >= 0)
        for (const Triple& n : normals_) keep_place(slot, held_.position(), n);
      return;
    }
    for (const HeldNode& node : held_nodes(draft_, joint_, held_)) {
      const SurfaceNode& at = mesh().nodes[node.node];
      const PlateNode& slots = draft_.machine.plates[held_.at.part].model.nodes[node.node];
      if (!is_there(triple_of(at.position), name_of(node))) return;
      for (const Triple& n : normals_) keep_place(slots.r, triple_of(at.position), n);
      for (const std::array<double, 2>& along : node.along) {
        const Triple edge = triple_of(along[0] * at.gradient_u + along[1] * at.gradient_v);
        if (!lies_there(edge, node)) return;
        for (const Triple& n : normals_) keep_direction(slots, at, along, n);
      }
      if (row_.keeps_axis && !keep_turn(node, at, slots)) return;
    }
  }

 private:
  const SurfaceMesh& mesh() const { return draft_.machine.plates[held_.at.part].mesh; }
  Triple first_position() const {
    return held_.at.nodes.empty() ? held_.position() : triple_of(mesh().nodes[held_.at.nodes[0]].position);
  }
  std::string name_of(const HeldNode& node) const {
    return fmt::format("node {} of \"{}\"", node.node + 1, held_.place.text);
  }
  const char* what() const { return row_.in_plane ? "plane" : "line"; }
  bool wrong(std::string message) {
    draft_.wrong(spec_.origin, "of", std::move(message));
    return false;
  }

  // Each is false after a problem.

  bool is_there(const Triple& X, const std::string& name) {
    double gap = 0;
    for (const Triple& n : normals_) gap = std::hypot(gap, dot(X - on_, n));
    if (gap <= draft_.near(X)) return true;
    return wrong(fmt::format("{} is {:.6g} m off the {} in the reference configuration", name, gap, what()));
  }

  bool lies_there(const Triple& edge, const HeldNode& node) {
    double off = 0;
    for (const Triple& n : normals_) off = std::hypot(off, dot(edge, n) / norm(edge));
    if (off <= straight) return true;
    return wrong(fmt::format("the edge leaves the {} at {}, by {:.3g} deg", what(), name_of(node),
                             std::asin(std::min(off, 1.0)) * 180 / std::numbers::pi));
  }

  /// What does not turn out of the plane.
  bool keep_turn(const HeldNode& node, const SurfaceNode& at, const PlateNode& slots) {
    const Vec3 across = cross(at.gradient_u, at.gradient_v);
    const Triple N = triple_of(across / norm(across)), n = normals_[0];
    if (norm(cross(n, N)) <= straight) {  // the plate lies in the plane
      for (const std::array<double, 2> g : {std::array{1.0, 0.0}, {0.0, 1.0}}) keep_direction(slots, at, g, n);
      return true;
    }
    if (std::fabs(dot(n, N)) > straight)
      return wrong(
          fmt::format("at {} the plate meets the plane at {:.3g} deg; \"planar\" is for plates that cross it at a "
                      "right angle, where it is "
                      "a plane of symmetry, or lie in it; \"point_on_plane\" lets them turn",
                      name_of(node), 90 - std::asin(std::min(1.0, std::fabs(dot(n, N)))) * 180 / std::numbers::pi));
    // n = a g_u + b g_v
    const Triple u = triple_of(at.gradient_u), v = triple_of(at.gradient_v);
    const double uu = dot(u, u), uv = dot(u, v), vv = dot(v, v), det = uu * vv - uv * uv;
    std::array<double, 2> m{(vv * dot(n, u) - uv * dot(n, v)) / det, (uu * dot(n, v) - uv * dot(n, u)) / det};
    const double most = std::fabs(m[0]) > std::fabs(m[1]) ? m[0] : m[1];
    for (double& c : m) c = std::fabs(c) <= 1e-12 * std::fabs(most) ? 0.0 : c / most;
    for (const Triple& p : {N, cross(n, N)}) keep_direction(slots, at, m, p);
    for (const int across_wall : {slots.r_z, slots.r_zz})  // of a full plate the face of the edge
      if (across_wall >= 0) keep_direction({{across_wall, 1.0}}, 0, n);
    return true;
  }

  /// d·(r − X) = 0, X a place of the ground or of the body.
  void keep_place(int slot, const Triple& X, const Triple& d) {
    if (body_ < 0) {
      if (draft_.fixed.contains(slot) || !draft_.holds_anew(slot, d)) return;
      relate({1, {{slot, {d.begin(), d.end()}}}, {-dot(d, X)}, {}});
      joint_.shares.push_back({slot, -1, d});
      return;
    }
    const int n = on_body(d), a = body_slot(draft_, body_, draft_.bodies[body_].point_at(on_));
    if (n < 0 || a < 0) return;
    if (const auto now = draft_.builder.constant(n)) {
      const Triple still{(*now)[0], (*now)[1], (*now)[2]};
      relate({1, {{slot, *now}, {a, {-still[0], -still[1], -still[2]}}}, {0}, {}});
      joint_.shares.push_back({slot, -1, still});
      return;
    }
    if (draft_.holds_anew(slot, d, body_)) keep<Offset3d>({a, slot, n}, 0, 1);
  }

  /// d·(c_u g_u + c_v g_v) as in the reference.
  void keep_direction(const PlateNode& slots, const SurfaceNode& at, const std::array<double, 2>& c, const Triple& d) {
    std::vector<std::pair<int, double>> of;
    if (c[0] != 0) of.emplace_back(slots.g_u, c[0]);
    if (c[1] != 0) of.emplace_back(slots.g_v, c[1]);
    keep_direction(of, dot(d, triple_of(c[0] * at.gradient_u + c[1] * at.gradient_v)), d);
  }
  /// d·Σ c slot = value.
  void keep_direction(const std::vector<std::pair<int, double>>& of, double value, const Triple& d) {
    const int n = body_ < 0 ? -1 : on_body(d);
    std::optional<std::vector<double>> still = std::vector<double>(d.begin(), d.end());
    if (body_ >= 0) {
      if (n < 0) return;
      still = draft_.builder.constant(n);
    }
    LinearForm form{1, {}, {-value}, {}}, direction{3, {}, {0, 0, 0}, {}};
    bool is_new = false;
    for (const auto& [slot, c] : of) {
      direction.terms.push_back(scaled(slot, 3, c));
      if (!still) continue;
      form.terms.push_back({slot, {c * (*still)[0], c * (*still)[1], c * (*still)[2]}});
      if (draft_.fixed.contains(slot) || !draft_.holds_anew(slot, {(*still)[0], (*still)[1], (*still)[2]})) continue;
      joint_.shares.push_back({-1, slot, {(*still)[0], (*still)[1], (*still)[2]}});
      is_new = true;
    }
    if (still) {
      if (is_new || direction.terms.size() > 1) relate(std::move(form));
      return;
    }
    const int slot = of.size() == 1 && of[0].second == 1
                         ? of[0].first
                         : draft_.combine(fmt::format("{}.direction {}", spec_.origin.path, part().items.size() + 1),
                                          SlotKind::vector, direction, spec_.origin.path);
    if (draft_.holds_anew(slot, d, body_)) keep<InnerProduct3d>({slot, n}, value, 0);
  }

  /// Without the rounding of directions across others, so that what does not move is seen not to.
  int on_body(Triple d) {
    for (double& x : d)
      if (std::fabs(x) < 1e-14) x = 0;
    return body_slot(draft_, body_, draft_.bodies[body_].vector_along(d));
  }
  JointPart& part() { return draft_.machine.joints[joint_.part]; }

  void relate(LinearForm form) {
    draft_.builder.relate(std::move(form), spec_.origin.path, spec_.origin.source_of("of"));
    part().eliminated += 1;
  }

  /// By a multiplier; `of_plate`: which of the slots is the plate's.
  template <class E>
  void keep(const std::array<int, slots_of<E> - 1>& of, double value, int of_plate) {
    const std::string name = fmt::format("{}, equation {}", spec_.origin.path, part().items.size() + 1);
    std::array<int, slots_of<E>> slots{};
    std::copy(of.begin(), of.end(), slots.begin());
    slots.back() = draft_.builder.multiplier(name + ".lambda");
    part().multipliers.push_back(slots.back());
    part().items.push_back(name);
    draft_.machine.constraints[name] = {{}, spec_.name};
    draft_.builder.item<E>(slots, {.value = value, .penalty = 0}, name, 0, spec_.origin.source);
    joint_.items.push_back({name, of_plate, 1});
  }

  MachineDraft& draft_;
  PlateJoint& joint_;
  const JointSpec& spec_;
  const JointRow& row_;
  Location& held_;
  int body_;                     ///< −1: the ground
  Triple on_;                    ///< a place on the plane or line
  std::vector<Triple> normals_;  ///< along which nothing moves
};

}  // namespace

bool slides(const PlateJoint& joint) {
  const JointRow& row = row_of(joint.spec->type, 3);
  return row.in_plane || row.on_line;
}

std::vector<Triple> held_directions(const PlateJoint& joint) {
  if (slides(joint)) return kept_normals(*joint.spec, row_of(joint.spec->type, 3));
  std::vector<Triple> out;
  for (int i = 0; i < 3; ++i)
    if (joint.spec->motion[i]) out.push_back(unit_axis(i));
  return out;
}

void slide_plate(MachineDraft& draft, PlateJoint& joint, Location& held, Location& other) {
  PlateSlide(draft, joint, held, other).finish();
}

}  // namespace flexura::detail
