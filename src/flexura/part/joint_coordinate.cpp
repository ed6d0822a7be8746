// Angles and displacements of joints: coordinates of their own, where a drive, a gear, a load or a sensor asks for them.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "flexura/constraint/joint_angle.hpp"
#include "flexura/constraint/offset.hpp"
#include "flexura/part/machine_draft.hpp"

namespace flexura::detail {
namespace {

Triple reference_of_slot(const MachineDraft& draft, int slot) {
  const std::span<const double> X = draft.builder.reference(slot);
  return {X[0], X[1], X.size() > 2 ? X[2] : 0.0};
}
Triple start_of_slot(const MachineDraft& draft, int slot) {
  const auto initial = draft.initial.find(slot);
  return initial == draft.initial.end() ? reference_of_slot(draft, slot) : initial->second;
}

/// A side's point, direction and spin as it starts.
Triple start_point(const MachineDraft& draft, const Location& side) {
  if (side.body() >= 0) return draft.bodies[side.body()].start_of(side.position());
  return side.point >= 0 && !side.is_ground() ? start_of_slot(draft, side.point) : side.position();
}
/// With the axes of a beam's node, or in the plane with a cable's tangent.
Triple start_turned(const MachineDraft& draft, const Location& side, const Triple& n) {
  if (side.body() >= 0) return draft.bodies[side.body()].start_turned(n);
  if (side.cable() < 0 || side.at.node < 0) return n;
  const CablePart& line = draft.machine.cables[side.cable()];
  if (line.has_axes()) {
    Triple out{};
    for (const int slot : line.axes(side.at.node)) {
      const Triple d = reference_of_slot(draft, slot);
      out = out + dot(n, d) / dot(d, d) * start_of_slot(draft, slot);
    }
    return out;
  }
  if (draft.dim() == 3 || side.vector < 0) return n;
  const Triple g = reference_of_slot(draft, side.vector), h = start_of_slot(draft, side.vector);
  const double size = norm(g) * norm(h), c = dot(g, h) / size, s = (g[0] * h[1] - g[1] * h[0]) / size;
  return {c * n[0] - s * n[1], s * n[0] + c * n[1], 0};
}
/// By how much the stated angle at the start is beyond that of the reference; 0: nothing is stated.
double stated_turn(const MachineDraft& draft, const Location& side) {
  if (side.body() < 0) return 0;
  const BodySpec& spec = *draft.bodies[side.body()].spec;
  return spec.initial_angle ? *spec.initial_angle - spec.angle.value_or(0.0) : 0.0;
}
Triple spin_of(const MachineDraft& draft, const Location& side) {
  return side.body() < 0 ? Triple{} : draft.bodies[side.body()].spin();
}

/// The angle of the initial poses in the revolution in which the joint starts; a problem where its `initial_angle` is another one.
double start_angle(MachineDraft& draft, const JointPlan& plan, double shown) {
  constexpr double revolution = 2 * std::numbers::pi, rounding = 1e-6;
  const Location &first = plan.side[0], &second = plan.side[1];
  const bool planar = draft.dim() == 2;
  const double poses = planar ? stated_turn(draft, second) - stated_turn(draft, first) : shown;
  const double requested = plan.spec->initial_angle.value_or(poses);
  const double angle = shown + revolution * std::nearbyint((requested - shown) / revolution);
  if (plan.spec->initial_angle && plan.spec->angle)
    draft.wrong(plan.spec->origin, "initial_angle", "the joint starts where `angle` says: leave one of them out");
  else if (plan.spec->initial_angle && std::fabs(angle - requested) > rounding && !draft.options.assemble)
    draft.wrong(
        plan.spec->origin, "initial_angle",
        fmt::format("the joint starts at {:.6g} rad, but for whole revolutions: the initial poses of its parts say "
                    "so, and `initial_angle` says in which revolution",
                    shown));
  return angle;
}

/// A scalar that is 0 in the reference.
int coordinate_slot(MachineDraft& draft, const std::string& name, double start, double rate) {
  const double zero = 0;
  const int slot = draft.builder.slot(name, SlotKind::scalar, {&zero, 1});
  draft.builder.set_initial(slot, {&start, 1}, {&rate, 1});
  return slot;
}

/// "joint.hinge" or "truss.boom".
std::string path_of(const MachineDraft& draft, const std::string& name) {
  return (draft.members.contains(name) ? "truss." : "joint.") + name;
}

/// By how much gears turn coordinates for one turn of this one.
std::map<int, double> turns_by_gears(const std::vector<Gear>& gears, int from) {
  std::map<int, double> turns{{from, 1.0}};
  for (bool again = true; again;) {
    again = false;
    for (const Gear& gear : gears) {
      const bool forth = turns.contains(gear.first), back = turns.contains(gear.second);
      if (forth == back) continue;
      forth ? turns[gear.second] = turns[gear.first] * gear.ratio : turns[gear.first] = turns[gear.second] / gear.ratio;
      again = true;
    }
  }
  return turns;
}

}  // namespace

int angle_slot(MachineDraft& draft, JointPlan& plan) {
  if (const int angle = draft.machine.joints[plan.part].angle; angle >= 0) return angle;
  const Origin& origin = plan.spec->origin;
  const bool planar = draft.dim() == 2;
  const auto across = perpendiculars(plan.axis);
  const Triple x = planar ? Triple{1, 0, 0} : across[0], y = planar ? Triple{0, 1, 0} : across[1];
  Location &first = plan.side[0], &second = plan.side[1];
  const int slots[] = {direction_slot(draft, first, x, origin), direction_slot(draft, first, y, origin),
                       direction_slot(draft, second, x, origin)};
  if (std::any_of(slots, slots + 3, [](int s) { return s < 0; })) return -1;
  // Where the initial poses are turned against each other.
  const Triple turned = start_turned(draft, second, x);
  const double angle = start_angle(
      draft, plan, std::atan2(dot(turned, start_turned(draft, first, y)), dot(turned, start_turned(draft, first, x))));
  const double rate = dot(spin_of(draft, second) - spin_of(draft, first),
                          planar ? Triple{0, 0, 1} : start_turned(draft, first, plan.axis));
  const int slot = coordinate_slot(draft, origin.path + ".angle", angle, rate);
  const std::string name = origin.path + ", angle";
  const int lambda = draft.builder.multiplier(name + ".lambda");
  in_space(draft.dim(), [&]<int D>() {
    draft.builder.item<JointAngle<D>>({slots[0], slots[1], slots[2], slot, lambda},
                                      {.penalty = draft.loading.torque_per_angle()}, name, 0, origin.source);
  });
  draft.machine.constraints[name] = {{}, plan.spec->name};
  if (plan.spec->angle) plan.items.push_back({name, 2, 1});
  return draft.machine.joints[plan.part].angle = slot;
}

int displacement_slot(MachineDraft& draft, JointPlan& plan) {
  if (const int offset = draft.machine.joints[plan.part].offset; offset >= 0) return offset;
  const Origin& origin = plan.spec->origin;
  Location &first = plan.side[0], &second = plan.side[1];
  const int a = side_point(draft, plan, 0), b = side_point(draft, plan, 1),
            n = direction_slot(draft, first, plan.axis, origin);
  if (a < 0 || b < 0 || n < 0) return -1;
  const double rest = dot(plan.arm(), plan.axis);
  const double start =
      dot(start_point(draft, second) - start_point(draft, first), start_turned(draft, first, plan.axis)) - rest;
  const int slot = coordinate_slot(draft, origin.path + ".displacement", start, 0);
  const std::string name = origin.path + ", displacement";
  const int lambda = draft.builder.multiplier(name + ".lambda");
  const double penalty = draft.loading.force_per_length(norm(plan.arm()));
  in_space(draft.dim(), [&]<int D>() {
    draft.builder.item<Offset<D, true>>({a, b, n, slot, lambda}, {.value = rest, .penalty = penalty}, name, 0,
                                        origin.source);
  });
  draft.machine.constraints[name] = {{}, plan.spec->name};
  if (plan.spec->displacement) plan.items.push_back({name, 1, 1});
  return draft.machine.joints[plan.part].offset = slot;
}

int coordinate_of(MachineDraft& draft, const std::string& joint, JointCoordinate which, const Origin& asker,
                  std::string_view key) {
  const auto refuse = [&](std::string_view type, const char* missing) {
    draft.wrong(asker, key, fmt::format("joint.{} is a {}: it has {}", joint, type, missing));
    return -1;
  };
  constexpr const char* neither = "neither angle nor displacement";
  const auto spec = std::find_if(draft.joints.begin(), draft.joints.end(),
                                 [&](const JointSpec& other) { return other.name == joint; });
  const bool is_truss = draft.members.contains(joint);
  if (is_truss && (spec != draft.joints.end() || draft.other_joints.contains(joint))) {
    draft.wrong(asker, key, "there are a joint and a truss of that name: rename one of them");
    return -1;
  }
  if (is_truss && which == JointCoordinate::angle) {
    draft.wrong(asker, key, fmt::format("truss.{} has a length and no angle", joint));
    return -1;
  }
  if (is_truss) return length_slot(draft, joint, asker, key);
  if (std::any_of(draft.absent_terms.begin(), draft.absent_terms.end(),
                  [&](const TermSpec& term) { return term.name == joint && term.term->scene.table == "truss"; }))
    return -1;
  if (spec == draft.joints.end()) {
    const auto other = draft.other_joints.find(joint);
    if (other != draft.other_joints.end()) return other->second.empty() ? -1 : refuse(other->second, neither);
    if (draft.problems.count() == 0) draft.wrong(asker, key, fmt::format("there is no joint named \"{}\"", joint));
    return -1;
  }
  const JointRow& row = row_of(spec->type, draft.dim());
  const auto plan = std::find_if(draft.plans.begin(), draft.plans.end(),
                                 [&](const JointPlan& other) { return other.spec == &*spec; });
  const bool of_plate = std::any_of(draft.plate_joints.begin(), draft.plate_joints.end(),
                                    [&](const PlateJoint& other) { return other.spec == &*spec; });
  if (of_plate) return refuse(row.name, "nodes of a plate, which move each by itself: no angle and no displacement");
  if (plan == draft.plans.end())  // of nodes, or it could not be made, which was said
    return row.has_angle || row.has_displacement ? -1 : refuse(row.name, neither);
  const bool wants_angle = which == JointCoordinate::angle;
  const bool displaced =
      which == JointCoordinate::displacement || (!wants_angle && !row.has_angle && row.has_displacement);
  if (displaced && row.has_displacement) return displacement_slot(draft, *plan);
  if (!displaced && row.has_angle) return angle_slot(draft, *plan);
  return refuse(row.name, row.has_angle                         ? "no displacement"
                          : row.has_displacement || wants_angle ? "no angle"
                                                                : neither);
}

void keep_coordinates(MachineDraft& draft) {
  for (const TermSpec& spec : draft.absent_terms)
    for (const auto& [key, joint] : spec.joints) {
      const auto plan = std::ranges::find(draft.plans, joint, [](const JointPlan& other) { return other.spec->name; });
      if (plan == draft.plans.end()) continue;
      const bool displaced = spec.coordinate == JointCoordinate::displacement || !plan->row->has_angle;
      if (displaced && plan->row->has_displacement) displacement_slot(draft, *plan);
      if (!displaced) angle_slot(draft, *plan);
    }
}

std::vector<std::pair<int, double>> geared_to(const MachineDraft& draft, int coordinate) {
  const std::map<int, double> turns = turns_by_gears(draft.gears, coordinate);
  return {turns.begin(), turns.end()};
}

void add_gear(MachineDraft& draft, const GearSpec& spec) {
  if (spec.first == spec.second) return draft.wrong(spec.origin, "second", "both joints are the same");
  const int first = coordinate_of(draft, spec.first, JointCoordinate::any, spec.origin, "first"),
            second = coordinate_of(draft, spec.second, JointCoordinate::any, spec.origin, "second");
  if (first < 0 || second < 0) return;
  if (spec.ratio == 0) return draft.wrong(spec.origin, "ratio", "must not be zero");
  const std::map<int, double> turns = turns_by_gears(draft.gears, first);
  const auto known = turns.find(second);
  if (known != turns.end() && std::fabs(known->second - spec.ratio) > 1e-9 * std::fabs(spec.ratio))
    return draft.wrong(
        spec.origin, "ratio",
        fmt::format("other gears tie {} to {} already, with the ratio {:.6g}: together nothing could turn",
                    path_of(draft, spec.second), path_of(draft, spec.first), known->second));
  draft.gears.push_back({first, second, spec.ratio});
  draft.machine.gears.push_back({spec.name, {spec.first, spec.second}});
  draft.builder.relate({1, {{second, {-1}}, {first, {spec.ratio}}}, {spec.offset}, {}}, spec.origin.path,
                       spec.origin.source);
}

void note_drives(MachineDraft& draft) {
  for (JointPart& joint : draft.machine.joints) {
    if (joint.spec == nullptr || !joint.spec->max_effort) continue;
    const int driven = joint.spec->angle ? joint.angle : joint.spec->displacement ? joint.offset : -1;
    if (driven >= 0) joint.driven = geared_to(draft, driven);
  }
}

}  // namespace flexura::detail
