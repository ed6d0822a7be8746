// Joints of bodies and beams, once their places have slots: equations that are left.

#include <fmt/format.h>

#include <algorithm>

#include "flexura/constraint/inner_product.hpp"
#include "flexura/constraint/offset.hpp"
#include "flexura/part/machine_draft.hpp"

namespace flexura::detail {
namespace {

class BodyJoint {
 public:
  BodyJoint(MachineDraft& draft, JointPlan& plan)
      : draft_(draft), plan_(plan), row_(*plan.row), spec_(*plan.spec), dim_(draft.dim()) {
    carries_ = carries_side(0) || carries_side(1);
  }

  void finish() {
    for (const Location& side : plan_.side) draft_.graph.give_mass(side.part);
    keeps_linear_ = plan_.eliminates();
    check_fixed();
    if (row_.coincide && !hold_place()) return;
    if (plan_.keeps_frame() && !hold_turn()) return;
    if (plan_.tangent_side >= 0 && !hold_tangent()) return;
    if (row_.keeps_axis && !hold_axis()) return;
    if (row_.keeps_right) keep_perpendicular(plan_.axis, plan_.second_axis);
    if (row_.on_line) keep_on_line();
    if (row_.in_plane) keep_offset(plan_.axis);
    if (spec_.angle) drive(angle_slot(draft_, plan_), *spec_.angle, "angle");
    if (spec_.displacement) drive(displacement_slot(draft_, plan_), *spec_.displacement, "displacement");
  }

 private:
  JointPart& part() { return draft_.machine.joints[plan_.part]; }
  const Source& source() const { return spec_.origin.source_of("of"); }
  int point(int side) { return side_point(draft_, plan_, side); }
  int direction(int side, const Triple& n) { return direction_slot(draft_, plan_.side[side], n, spec_.origin); }

  /// Whether a body has its orientation, and perhaps its place, by this joint.
  bool carries_side(int side) const {
    const int body = plan_.side[side].body();
    const int carrier = body < 0 ? -1 : draft_.bodies[body].carrier;
    return carrier >= 0 && &draft_.plans[carrier] == &plan_;
  }

  /// Two directions across the axis; planar: one.
  std::array<Triple, 2> across() const {
    if (dim_ == 2) return {Triple{-plan_.axis[1], plan_.axis[0], 0}, Triple{}};
    return perpendiculars(norm(plan_.axis) > 0 ? plan_.axis : Triple{0, 0, 1});
  }

  // Each is false after a problem.

  bool hold_place() {
    if (row_.keeps_turn && keeps_linear_ && carries_) {
      part().eliminated += dim_;
      return true;
    }
    const int a = point(0), b = point(1);
    if (a < 0 || b < 0) return false;
    if (!keeps_linear_) {
      keep_together(a, b, row_.keeps_turn);
    } else if (row_.keeps_turn && plan_.has_arm()) {
      return keep_arm(a, b);
    } else {
      same_slots(a, b);
    }
    return true;
  }

  /// The side with which the arm between the places turns: the first, unless that is a cable's or a full beam's, which may stretch.
  int turning_side() const { return plan_.tangent_side == 0 || is_on_fibres(draft_, plan_.side[0]) ? 1 : 0; }

  /// r_b = r_a + the arm.
  bool keep_arm(int a, int b) {
    const double length = norm(plan_.arm());
    const int v = direction(turning_side(), (1 / length) * plan_.arm());
    if (v < 0) return false;
    relate(
        {dim_, {scaled(b, dim_, -1), scaled(a, dim_, 1), scaled(v, dim_, length)}, std::vector<double>(dim_, 0.0), {}},
        b);
    if (turning_side() == 1) plan_.ties.push_back({plan_.ties.back().relation, v});
    part().eliminated += dim_;
    return true;
  }

  bool hold_turn() {
    if (plan_.eliminates() && carries_) {
      part().eliminated += dim_ == 2 ? 1 : 3;
      return true;
    }
    for (const int side : {0, 1})
      if (is_on_fibres(draft_, plan_.side[side])) return hold_fibres(side);
    if (keeps_linear_) return same_axes();
    if (dim_ == 2) {
      keep_perpendicular({1, 0, 0}, {0, 1, 0});
    } else {
      for (int k = 0; k < 3; ++k) keep_perpendicular(unit_axis(k), unit_axis((k + 1) % 3));
    }
    return true;
  }

  /// The cable's tangent stays perpendicular to directions of the other part; its length stays free.
  bool hold_tangent() {
    const int own = plan_.tangent_side;
    const Triple g = reference_direction(draft_, plan_.side[own]);
    const int tangent = vector_slot(draft_, plan_.side[own]);
    const auto [first, second] = perpendiculars((1 / norm(g)) * g);
    const std::array<Triple, 2> normals = {dim_ == 2 ? Triple{-g[1] / norm(g), g[0] / norm(g), 0} : first, second};
    for (int k = 0; k < dim_ - 1; ++k) {
      const int n = direction(1 - own, normals[k]);
      if (tangent < 0 || n < 0) return false;
      const std::array slots = own == 0 ? std::array{tangent, n} : std::array{n, tangent};
      in_space(dim_, [&]<int D>() { add_constraint<InnerProduct<D>>(slots, 0); });
    }
    return true;
  }

  bool same_axes() {
    for (int k = 0; k < dim_; ++k) {
      const int a = direction(0, unit_axis(k)), b = direction(1, unit_axis(k));
      if (a < 0 || b < 0) return false;
      same_slots(a, b);
    }
    return true;
  }

  /// r_y and r_z of a full beam's node are as the other part has them; on the ground their directions, and their lengths too where
  /// the stretch is held. r_x is free: the material may stretch and shear there.
  bool hold_fibres(int side) {
    const Location& node = plan_.side[side];
    const std::array<int, 3> axes = draft_.machine.cables[node.cable()].axes(node.at.node);
    const bool lengths_are_free = plan_.side[1 - side].is_ground() && !spec_.holds_stretch;
    std::array<Triple, 3> d;
    for (int k = 0; k < 3; ++k) {
      const std::span<const double> X = draft_.builder.reference(axes[k]);
      d[k] = {X[0], X[1], X[2]};
    }
    for (int k = 0; k < 2; ++k) {
      if (keeps_linear_ && !lengths_are_free) {
        const int other = direction(1 - side, d[k]);
        if (other < 0) return false;
        part().eliminated += 3;
        relate({3, {scaled(axes[k], 3, -1), scaled(other, 3, 1)}, {0, 0, 0}, {}}, side == 1 ? axes[k] : other);
        continue;
      }
      for (int j = 0; j < 3; ++j) {
        if (j == k && lengths_are_free) continue;
        if (!keeps_linear_) {
          side == 0 ? keep_perpendicular(d[k], d[j]) : keep_perpendicular(d[j], d[k]);
        } else {
          relate({1, {{axes[k], {d[j].begin(), d[j].end()}}}, {0.0}, {}}, axes[k], side == 1 ? 1 : -1);
          ++part().eliminated;
        }
      }
    }
    return true;
  }

  bool hold_axis() {
    if (!plan_.eliminates()) {
      keep_axis();
      return true;
    }
    const int a = direction(0, plan_.axis), b = direction(1, plan_.axis);
    if (a < 0 || b < 0) return false;
    same_slots(a, b);
    part().eliminated -= 1;  // of three equations for a unit vector two are new
    return true;
  }

  void keep_axis() {
    for (const Triple& n : perpendiculars(plan_.axis)) keep_perpendicular(n, plan_.axis);
  }

  void keep_on_line() {
    keep_offset(across()[0]);
    if (dim_ == 3) keep_offset(across()[1]);
  }

  /// Two slots that are the same thing: nothing if they are one, a relation otherwise.
  void same_slots(int a, int b) {
    part().eliminated += dim_;
    if (a == b) return check_told({});
    relate({dim_, {scaled(b, dim_, -1), scaled(a, dim_, 1)}, std::vector<double>(dim_, 0.0), {}}, b);
  }

  /// The second place stays in the plane through the first.
  void keep_offset(const Triple& normal) {
    const int a = point(0), b = point(1), n = direction(0, normal);
    if (a < 0 || b < 0 || n < 0) return;
    const Location& first = plan_.side[0];
    if (!first.is_ground() || !plan_.eliminates()) return add_offset({a, b, n}, 0);
    // Linear: n·(r_b − X) = 0.
    relate({1, {{b, {normal.begin(), normal.begin() + dim_}}}, {-dot(normal, first.position())}, {}}, b);
    ++part().eliminated;
  }

  /// The places coincide, or keep the arm between them that turns with the first: by multipliers.
  void keep_together(int a, int b, bool with_arm) {
    Location ground;
    const bool moves = with_arm && plan_.has_arm();
    if (!moves) draft_.builder.pin(a, b, spec_.origin.path);
    for (int k = 0; k < dim_; ++k) {
      const int n = direction_slot(draft_, moves ? plan_.side[turning_side()] : ground, unit_axis(k), spec_.origin);
      if (n < 0) return;
      add_offset({a, b, n}, moves ? plan_.arm()[k] : 0.0);
      if (moves && turning_side() == 1) plan_.items.push_back({part().items.back(), 2, 1});
    }
  }

  /// The angle between them, and with that their lengths where they are parallel and not rigid.
  void keep_perpendicular(const Triple& a, const Triple& b) {
    const int va = direction(0, a), vb = direction(1, b);
    if (va < 0 || vb < 0) return;
    in_space(dim_, [&]<int D>() { add_constraint<InnerProduct<D>>({va, vb}, dot(a, b)); });
  }

  void add_offset(const std::array<int, 3>& slots, double value) {
    in_space(dim_, [&]<int D>() { add_constraint<Offset<D, false>>(slots, value); });
  }

  /// The second of the slots is the second place's.
  template <class E>
  void add_constraint(const std::array<int, slots_of<E> - 1>& of, double value) {
    const GivenParams<E> parameters{.value = value, .penalty = 0};
    if (std::all_of(of.begin(), of.end(), [&](int slot) { return draft_.fixed.contains(slot); }) &&
        draft_.builder.holds<E>(of, parameters))
      return;
    const std::string& path = spec_.origin.path;
    const std::string name =
        part().items.empty() ? path : fmt::format("{}, equation {}", path, part().items.size() + 1);
    std::array<int, slots_of<E>> slots{};
    std::copy(of.begin(), of.end(), slots.begin());
    slots.back() = draft_.builder.multiplier(name + ".lambda");
    part().multipliers.push_back(slots.back());
    part().items.push_back(name);
    draft_.machine.constraints[name] = {{}, spec_.name};
    plan_.items.push_back({name, 1, 1});
    draft_.builder.item<E>(slots, parameters, name, 0, spec_.origin.source);
  }

  /// What it does to a slot of the second place, or of the first (sign −1), is part of the reaction.
  void relate(LinearForm form, int slot, double sign = 1) {
    check_told(form.terms);
    plan_.ties.push_back({draft_.builder.next_relation(), slot, sign});
    draft_.builder.relate(std::move(form), spec_.origin.path, source());
  }

  /// A relation that follows from what its slots are has no force of its own.
  void check_told(const std::vector<LinearTerm>& terms) {
    if (!(spec_.wants_reaction || row_.keeps_turn)) return;  // points that others share are one by intent
    if (plan_.has_own_nodes || !plan_.shares.empty() || !plan_.untold.empty()) return;
    if (!draft_.builder.follows_from_definitions(terms)) return;
    plan_.follows = true;
    plan_.untold = fmt::format(
        "the reaction of {} cannot be told: its places are one already, by points or joints that its parts share",
        spec_.origin.path);
  }

  /// A place on a fixed point is held twice.
  void check_fixed() {
    for (const int s : {0, 1}) {
      if (!spec_.wants_reaction || !plan_.side[1 - s].is_ground() || !row_.coincide) continue;
      const int slot = point(s);
      for (const PointPart& at : draft_.machine.points)
        if (at.fixed && at.slot == slot)
          plan_.untold =
              fmt::format("the reaction of {} cannot be told: point.{} is fixed by itself", spec_.origin.path, at.name);
    }
  }

  void drive(int coordinate, const EffectiveSignal& signal, const char* key) {
    if (coordinate < 0) return;
    draft_.builder.equate(coordinate, {1, {}, {0.0}, {{draft_.builder.effective(signal), {1.0}}}}, spec_.origin.path,
                          spec_.origin.source_of(key));
  }

  MachineDraft& draft_;
  JointPlan& plan_;
  const JointRow& row_;
  const JointSpec& spec_;
  int dim_;
  bool carries_ = false;
  bool keeps_linear_ = false;  ///< places and turns by elimination, not by multipliers
};

}  // namespace

void finish_joint(MachineDraft& draft, JointPlan& plan) { BodyJoint(draft, plan).finish(); }

int side_point(MachineDraft& draft, JointPlan& plan, int s) {
  Location& side = plan.side[s];
  if (side.body() < 0) return point_slot(draft, side);
  return body_slot(draft, side.body(), draft.bodies[side.body()].point_at(side.position()));
}

}  // namespace flexura::detail
