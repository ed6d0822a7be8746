// What a joint of bodies holds, and whether the places and directions that the scene gives it fit.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "flexura/scene/interpreter.hpp"

namespace flexura::detail {
namespace {

std::optional<Triple> unit(const Triple& v) {
  if (!(norm(v) > 0)) return {};
  return (1 / norm(v)) * v;
}

}  // namespace

/// The initial poses must fit the joint, as the reference does; both sides are bodies, nodes or ground.
void Interpreter::check_initial_poses(const JointPlan& plan) {
  const Record& record = *plan.record;
  struct Side {
    bool is_rigid = true;
    std::optional<Triple> position;
    RigidFrame turn;  ///< from the reference to the initial pose
  };
  const auto side = [&](int s) {
    const Location& at = plan.side[s];
    Side out;
    if (at.body >= 0) {
      const Body& body = bodies_[at.body];
      out.position = body.start_of(at.position());
      for (int k = 0; k < 3; ++k) out.turn.axes[k] = body.start_turned(unit_axis(k));
    } else if (at.ground) {
      out.position = at.position();
    } else {
      out.is_rigid = false;
      const auto initial = initial_.find(at.point);
      if (at.point >= 0 && initial == initial_.end()) out.position = at.position();
      if (initial != initial_.end())
        out.position = Triple{initial->second[0], initial->second[1], scene_.dim > 2 ? initial->second[2] : 0.0};
    }
    return out;
  };
  const Side a = side(0), b = side(1);
  const std::vector<Place>& places = *record.get<std::vector<Place>>("of");
  const Triple arm = plan.side[1].position() - plan.side[0].position();
  if (a.position && b.position && plan.coincide && (a.is_rigid || norm(arm) == 0)) {
    const double gap = norm(*b.position - *a.position - a.turn.turned(arm));
    if (gap > 1e-6 * (1 + norm(*a.position)))
      return wrong(record, "of",
                   fmt::format("\"{}\" and \"{}\" are {:.6g} m from where a {} joint needs them, where they start "
                               "(`initial`); `assemble = true` at the top would bring them together",
                               places[0].text, places[1].text, gap, record.type));
  }
  if (!a.is_rigid || !b.is_rigid) return;
  double turned = 0;
  for (int k = 0; k < 3 && plan.same_turn; ++k) turned = std::max(turned, norm(a.turn.axes[k] - b.turn.axes[k]));
  if (plan.same_axis) turned = norm(a.turn.turned(plan.axis) - b.turn.turned(plan.axis));
  if (turned > 1e-6)
    wrong(record, "of",
          fmt::format("\"{}\" and \"{}\" start (`initial`) turned against each other as a {} joint does not let them; "
                      "`assemble = true` at the top would bring them together",
                      places[0].text, places[1].text, record.type));
}

/// True if the joint is for this file: planned, or wrong.
bool Interpreter::plan_joint(const Record& record, const Location& a, const Location& b,
                             const std::vector<Place>& places) {
  const bool bodies = a.body >= 0 || b.body >= 0;
  const auto has_frames = [&](const Location& l) { return l.cable >= 0 && !result_.cables[l.cable].frames.empty(); };
  const bool own_kind = record.type != "weld" && record.type != "pin" && record.type != "clamp_direction";
  if (!bodies && !own_kind && !has_frames(a) && !has_frames(b)) return false;
  if (record.type == "prescribed") return false;
  if (record.type == "clamp_direction") {
    wrong(record, "type", "clamp_direction is for cables; a body is held by \"weld\"");
    return true;
  }
  if (const std::string method = record.text("method"); method == "relations" || method == "compliant") {
    wrong(record, "method", fmt::format("\"{}\" is for a plate and a body", method));
    return true;
  }
  JointPlan plan;
  plan.record = &record;
  plan.side[0] = a, plan.side[1] = b;
  plan.eliminated = record.text("method") != "multipliers";
  if (const Numbers* at = record.get<Numbers>("at")) {
    for (int s : {0, 1}) {
      Location& side = plan.side[s];
      if (!side.ground && side.body < 0)
        return wrong(record, "at", fmt::format("\"{}\" is a place already; `at` is for whole bodies", places[s].text)),
               true;
      if (places[s].at != Place::At::whole)
        return wrong(record, "at", fmt::format("\"{}\" is a place already; leave out `at`", places[s].text)), true;
      side.X = *at;
    }
  }
  // The ground as a whole is where the other place is.
  for (int s : {0, 1})
    if (plan.side[s].ground && plan.side[s].X.empty()) plan.side[s].X = plan.side[1 - s].X;
  const std::string& type = record.type;
  const auto direction = [&](const char* key, const Numbers& x, Triple& out) {
    const std::optional<Triple> n = unit(triple(x));
    if (!n) wrong(record, key, "a direction must not be zero");
    out = n.value_or(Triple{1, 0, 0});
  };
  const size_t before = problems.size();
  if (const Numbers* axis = record.get<Numbers>("axis")) direction("axis", *axis, plan.axis);
  if (const Numbers* normal = record.get<Numbers>("normal")) direction("normal", *normal, plan.axis);
  if (const Points* axes = record.get<Points>("axes")) {
    if (axes->size() != 2) return wrong(record, "axes", "must be two directions, one of each place"), true;
    direction("axes", (*axes)[0], plan.axis);
    direction("axes", (*axes)[1], plan.second_axis);
    if (problems.size() > before) return true;
    if (const double c = dot(plan.axis, plan.second_axis); std::fabs(c) > 1e-6)
      return wrong(record, "axes",
                   fmt::format("must be perpendicular to each other; the angle between them is {:.4g} deg",
                               std::acos(std::clamp(c, -1.0, 1.0)) * 180 / 3.14159265358979323846)),
             true;
  }
  if (scene_.dim == 2 && type == "revolute") plan.axis = {0, 0, 1};
  plan.coincide = type == "weld" || type == "pin" || type == "spherical" || type == "revolute" || type == "universal";
  plan.same_axis = scene_.dim == 3 && (type == "revolute" || type == "cylindrical" || type == "planar");
  plan.same_turn = type == "weld" || type == "prismatic";
  const double size = 1 + norm(plan.side[0].position());
  // How far the places are apart in directions in which they must not be.
  const Triple d = plan.side[1].position() - plan.side[0].position();
  double open = 0;
  if (plan.coincide && type != "weld") open = norm(d);
  if (type == "prismatic" || type == "cylindrical" || type == "point_on_line")
    open = norm(d - dot(d, plan.axis) * plan.axis);
  if (type == "planar" || type == "point_on_plane") open = std::fabs(dot(d, plan.axis));
  if (open > 1e-9 * size && !scene_.head.boolean("assemble"))
    return wrong(record, "of",
                 fmt::format(
                     "\"{}\" and \"{}\" are {:.6g} m from where a {} joint needs them in the reference configuration; "
                     "`assemble = true` at the top would bring them together",
                     places[0].text, places[1].text, open, type)),
           true;
  for (const Record* sensor : scene_.of_kind("sensor"))
    if (const Quantity* quantity = find_quantity(sensor->type);
        quantity != nullptr && (quantity->where & where::joint_reaction) && sensor->text("of") == record.name)
      plan.wants_reaction = true;
  for (int s : {0, 1}) {
    Location& side = plan.side[s];
    if (side.body < 0) continue;
    const RigidFrame& frame = bodies_[side.body].reference;
    if (plan.coincide && type != "weld" && plan.eliminated)
      plan.point_mark[s] = mark_of(side.body, {true, frame.to_local(side.position())});
    if (plan.same_axis && plan.eliminated)
      plan.axis_mark[s] = mark_of(side.body, {false, frame.turned_back(plan.axis)});
  }
  JointPart part;
  part.name = record.name;
  part.type = type;
  for (int s : {0, 1}) part.parts[s] = plan.side[s].part;
  plan.part = static_cast<int>(result_.joints.size());
  result_.joints.push_back(std::move(part));
  plan_of_joint_[record.name] = static_cast<int>(plans_.size());
  plans_.push_back(std::move(plan));
  return true;
}

}  // namespace flexura::detail
