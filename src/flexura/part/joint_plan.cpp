// What a joint of bodies holds, and whether the places and directions that it is given fit.

#include "flexura/part/joint_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "flexura/part/machine_draft.hpp"

namespace flexura::detail {
namespace {

/// Unit vector of a direction; a problem where it is zero.
Triple direction(MachineDraft& draft, const JointSpec& spec, const char* key, const Triple& x) {
  if (norm(x) > 0) return (1 / norm(x)) * x;
  draft.wrong(spec.origin, key, "a direction must not be zero");
  return {1, 0, 0};
}

/// False after a problem.
bool set_positions(MachineDraft& draft, JointPlan& plan) {
  const JointSpec& spec = *plan.spec;
  for (int s = 0; s < 2 && spec.at; ++s) {
    Location& side = plan.side[s];
    const bool is_place = !side.is_ground() && side.body() < 0;
    if (is_place || spec.of[s].at != Place::At::whole) {
      draft.wrong(spec.origin, "at",
                  fmt::format("\"{}\" is a place already; {}", spec.of[s].text,
                              is_place ? "`at` is for whole bodies" : "leave out `at`"));
      return false;
    }
    side.X = spec.at;
  }
  // The ground as a whole is where the other place is.
  for (const int s : {0, 1})
    if (plan.side[s].is_ground() && !plan.side[s].X) plan.side[s].X = plan.side[1 - s].X;
  return true;
}

/// False after a problem that leaves nothing to go on with.
bool set_directions(MachineDraft& draft, JointPlan& plan) {
  const JointSpec& spec = *plan.spec;
  const size_t before = draft.problems.count();
  if (spec.axis)
    plan.axis =
        direction(draft, spec, plan.row->direction == JointRow::Direction::normal ? "normal" : "axis", *spec.axis);
  if (plan.row->direction == JointRow::Direction::axes) {
    if (spec.axes.size() != 2) {
      draft.wrong(spec.origin, "axes", "must be two directions, one of each place");
      return false;
    }
    plan.axis = direction(draft, spec, "axes", spec.axes[0]);
    plan.second_axis = direction(draft, spec, "axes", spec.axes[1]);
    if (draft.problems.count() > before) return false;
    if (const double c = dot(plan.axis, plan.second_axis); std::fabs(c) > 1e-6) {
      draft.wrong(spec.origin, "axes",
                  fmt::format("must be perpendicular to each other; the angle between them is {:.4g} deg",
                              std::acos(std::clamp(c, -1.0, 1.0)) * 180 / std::numbers::pi));
      return false;
    }
  }
  if (draft.dim() == 2 && plan.row->has_angle) plan.axis = {0, 0, 1};
  return true;
}

/// How far the places are apart in directions in which they must not be [m].
double gap(const JointPlan& plan) {
  const Triple d = plan.arm();
  if (plan.row->on_line) return norm(d - dot(d, plan.axis) * plan.axis);
  if (plan.row->in_plane) return std::fabs(dot(d, plan.axis));
  return plan.row->coincide && !plan.row->keeps_turn ? norm(d) : 0;
}

/// The side that is a cable's, in a joint that keeps directions; −1: none.
int side_with_tangent(const MachineDraft& draft, const JointRow& row, std::array<const Location*, 2> sides) {
  for (const int s : {0, 1})
    if (row.keeps_turn && sides[s]->cable() >= 0 && !draft.machine.cables[sides[s]->cable()].has_axes()) return s;
  return -1;
}

void mark_what_is_shared(MachineDraft& draft, JointPlan& plan) {
  for (const int s : {0, 1}) {
    const Location& side = plan.side[s];
    if (side.body() < 0 || !plan.eliminates()) continue;
    const RigidBody& body = draft.bodies[side.body()];
    if (plan.row->coincide && !plan.keeps_frame() && !(plan.row->keeps_turn && plan.has_arm()))
      plan.point_mark[s] = mark_of(draft, side.body(), body.point_at(side.position()));
    if (plan.row->keeps_axis) plan.axis_mark[s] = mark_of(draft, side.body(), body.vector_along(plan.axis));
  }
}

const char* name_of(JointSpec::Method method) {
  return method == JointSpec::Method::relations ? "relations" : "compliant";
}

/// A side as it starts.
struct Start {
  bool is_rigid = true;
  std::optional<Triple> position;
  RigidFrame turn;  ///< from the reference to the initial pose
};

Start start_of(const MachineDraft& draft, const Location& at) {
  Start out;
  if (at.is_ground()) {
    out.position = at.position();
  } else if (at.body() >= 0) {
    const RigidBody& body = draft.bodies[at.body()];
    out.position = body.start_of(at.position());
    for (int k = 0; k < 3; ++k) out.turn.axes[k] = body.start_turned(unit_axis(k));
  } else {
    out.is_rigid = false;
    const auto initial = draft.initial.find(at.point);
    if (initial != draft.initial.end())
      out.position = initial->second;
    else if (at.point >= 0)
      out.position = at.position();
  }
  return out;
}

/// By how much the two sides are turned against each other in a way that the joint does not let them.
double turned(const JointPlan& plan, const Start& a, const Start& b) {
  if (plan.row->keeps_axis) return norm(a.turn.turned(plan.axis) - b.turn.turned(plan.axis));
  double most = 0;
  for (int k = 0; k < 3 && plan.row->keeps_turn; ++k) most = std::max(most, norm(a.turn.axes[k] - b.turn.axes[k]));
  return most;
}

}  // namespace

void plan_joint(MachineDraft& draft, const JointSpec& spec, const Location& a, const Location& b) {
  using Method = JointSpec::Method;
  const JointRow& row = row_of(spec.type, draft.dim());
  const int tangent_side = side_with_tangent(draft, row, {&a, &b});
  if (row.clamps && tangent_side < 0)
    return draft.wrong(spec.origin, "type", "clamp_direction is for cables; a body is held by \"weld\"");
  if (draft.dim() == 3 && tangent_side >= 0 && row.coincide && !row.clamps)
    return draft.wrong(spec.origin, "of",
                       fmt::format("the cable \"{}\" has no torsion: nothing can be held against turning about its "
                                   "tangent; \"clamp_direction\" holds place and tangent, and a [beam.NAME] has all "
                                   "directions",
                                   (tangent_side == 0 ? a : b).part));
  if (spec.method == Method::relations || spec.method == Method::compliant)
    return draft.wrong(spec.origin, "method", fmt::format("\"{}\" is for a plate and a body", name_of(spec.method)));
  if (spec.holds_stretch && !(is_on_fibres(draft, a) && b.is_ground()) && !(is_on_fibres(draft, b) && a.is_ground()))
    return refuse_stretch(draft, spec);
  JointPlan plan;
  plan.spec = &spec;
  plan.row = &row;
  plan.side = {a, b};
  plan.size = draft.size;
  if (draft.dim() == 2 || row.clamps) plan.tangent_side = tangent_side;
  if (!set_positions(draft, plan) || !set_directions(draft, plan)) return;
  if (const double open = gap(plan); open > draft.near(plan.side[0].position()) && !draft.options.assemble)
    return draft.wrong(spec.origin, "of",
                       fmt::format("\"{}\" and \"{}\" are {:.6g} m from where a {} joint needs them in the reference "
                                   "configuration; `assemble = true` at the top would bring them together",
                                   spec.of[0].text, spec.of[1].text, open, row.name));
  mark_what_is_shared(draft, plan);
  plan.part = note_joint(draft, spec, plan.side[0], plan.side[1], 0);
  draft.plans.push_back(std::move(plan));
}

void refuse_stretch(MachineDraft& draft, const JointSpec& spec) {
  draft.wrong(spec.origin, "stretch",
              "\"held\" is for a cable or a beam of full elements on the ground, and for plates");
}

void check_initial_poses(MachineDraft& draft, const JointPlan& plan) {
  const JointSpec& spec = *plan.spec;
  const Start a = start_of(draft, plan.side[0]), b = start_of(draft, plan.side[1]);
  if (a.position && b.position && plan.row->coincide && (a.is_rigid || norm(plan.arm()) == 0)) {
    const double open = norm(*b.position - *a.position - a.turn.turned(plan.arm()));
    if (open > 1e-6 * (draft.size + norm(*a.position)))
      return draft.wrong(
          spec.origin, "of",
          fmt::format("\"{}\" and \"{}\" are {:.6g} m from where a {} joint needs them, where they start "
                      "(`initial`); `assemble = true` at the top would bring them together",
                      spec.of[0].text, spec.of[1].text, open, plan.row->name));
  }
  if (a.is_rigid && b.is_rigid && turned(plan, a, b) > 1e-6)
    draft.wrong(spec.origin, "of",
                fmt::format("\"{}\" and \"{}\" start (`initial`) turned against each other as a {} joint does not let "
                            "them; `assemble = true` at the top would bring them together",
                            spec.of[0].text, spec.of[1].text, plan.row->name));
}

}  // namespace flexura::detail
