// Angles and displacements of joints: coordinates of their own, where a drive, a gear, a load or a sensor asks for them.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "flexura/scene/interpreter.hpp"

namespace flexura::detail {

int Interpreter::angle_slot(JointPlan& plan) {
  JointPart& part = result_.joints[plan.part];
  if (part.angle >= 0) return part.angle;
  const Record& record = *plan.record;
  const auto across = perpendiculars(plan.axis);
  const Triple x = scene_.dim == 2 ? Triple{1, 0, 0} : across[0], y = scene_.dim == 2 ? Triple{0, 1, 0} : across[1];
  const int slots[] = {direction_slot(plan.side[0], x, record), direction_slot(plan.side[0], y, record),
                       direction_slot(plan.side[1], x, record)};
  if (std::any_of(slots, slots + 3, [](int s) { return s < 0; })) return -1;
  // Where the initial poses are turned against each other.
  const auto now = [&](int s, const Triple& v) {
    return plan.side[s].body < 0 ? v : bodies_[plan.side[s].body].start_turned(v);
  };
  const auto spin = [&](int s) { return plan.side[s].body < 0 ? Triple{} : bodies_[plan.side[s].body].spin; };
  const double zero = 0, angle = std::atan2(dot(now(1, x), now(0, y)), dot(now(1, x), now(0, x)));
  const double rate = dot(spin(1) - spin(0), scene_.dim == 2 ? Triple{0, 0, 1} : now(0, plan.axis));
  part.angle = builder_.slot(record.path + ".angle", SlotKind::scalar, {&zero, 1});
  builder_.set_initial(part.angle, {&angle, 1}, {&rate, 1});
  std::vector<int> all(slots, slots + 3);
  all.push_back(part.angle);
  const std::string name = record.path + ", angle";
  all.push_back(builder_.multiplier(name + ".lambda"));
  const double penalty = 1;
  builder_.item(fmt::format("joint_angle_{}d", scene_.dim), all, {&penalty, 1}, {}, name, 0, record.source);
  result_.constraints[name] = {{}, record.name};
  if (record.has("angle")) plan.item_shares.push_back({name, 2, 1});
  return part.angle;
}

int Interpreter::offset_slot(JointPlan& plan) {
  JointPart& part = result_.joints[plan.part];
  if (part.offset >= 0) return part.offset;
  const Record& record = *plan.record;
  const int a = side_point(plan, 0), b = side_point(plan, 1), n = direction_slot(plan.side[0], plan.axis, record);
  if (a < 0 || b < 0 || n < 0) return -1;
  const auto now = [&](int s) {
    const Triple X = plan.side[s].position();
    return plan.side[s].body < 0 ? X : bodies_[plan.side[s].body].start_of(X);
  };
  const Triple axis = plan.side[0].body < 0 ? plan.axis : bodies_[plan.side[0].body].start_turned(plan.axis);
  const double start = dot(plan.side[1].position() - plan.side[0].position(), plan.axis);
  const double zero = 0, now_at = dot(now(1) - now(0), axis) - start, at_rest = 0;
  part.offset = builder_.slot(record.path + ".displacement", SlotKind::scalar, {&zero, 1});
  builder_.set_initial(part.offset, {&now_at, 1}, {&at_rest, 1});
  const std::string name = record.path + ", displacement";
  const int slots[] = {a, b, n, part.offset, builder_.multiplier(name + ".lambda")};
  const double parameters[] = {start, 1};
  builder_.item(fmt::format("offset_coordinate_{}d", scene_.dim), slots, parameters, {}, name, 0, record.source);
  result_.constraints[name] = {{}, record.name};
  if (record.has("displacement")) plan.item_shares.push_back({name, 1, 1});
  return part.offset;
}

/// Coordinate of a joint by its name: its angle, or its displacement where it has no angle.
int Interpreter::coordinate_of(const Record& record, const std::string& joint) {
  const auto found = plan_of_joint_.find(joint);
  const Record* named = scene_.find("joint", joint);
  const auto key = [&] {
    if (record.kind == "joint") return record.text("first") == joint ? "first" : "second";
    return record.has("of") ? "of" : "at";
  };
  if (found == plan_of_joint_.end()) {
    const bool has_coordinate = named != nullptr && (named->type == "revolute" || named->type == "cylindrical" ||
                                                     named->type == "prismatic" || named->type.starts_with("point_on"));
    if (named != nullptr && acts(*named) && !has_coordinate)  // a joint with one could not be built: said elsewhere
      wrong(record, key(), fmt::format("joint.{} is a {}: it has neither angle nor displacement", joint, named->type));
    return -1;
  }
  JointPlan& plan = plans_[found->second];
  const std::string& type = plan.record->type;
  const bool turns = type == "revolute" || type == "cylindrical";
  const bool slides =
      type == "prismatic" || type == "cylindrical" || type == "point_on_line" || type == "point_on_plane";
  const Quantity* quantity = record.kind == "sensor" ? find_quantity(record.type) : nullptr;
  const bool wants_angle = quantity != nullptr && (quantity->where & where::joint_angle);
  const bool wants_offset = (quantity != nullptr && (quantity->where & where::joint_offset)) ||
                            record.text("coordinate") == "displacement" || (!turns && slides && !wants_angle);
  if (wants_offset ? slides : turns) return wants_offset ? offset_slot(plan) : angle_slot(plan);
  const char* missing = turns                   ? "no displacement"
                        : slides || wants_angle ? "no angle"
                                                : "neither angle nor displacement";
  wrong(record, key(), fmt::format("joint.{} is a {}: it has {}", joint, type, missing));
  return -1;
}

void Interpreter::drive(JointPlan& plan, int coordinate, const char* key) {
  if (coordinate < 0) return;
  builder_.equate(coordinate, {1, {}, {0.0}, {{effective(*plan.record, key), {1.0}}}}, plan.record->path,
                  plan.record->source_of(key));
}

void Interpreter::add_gear(const Record& record) {
  const std::string* names[] = {record.get<std::string>("first"), record.get<std::string>("second")};
  if (names[0] == nullptr || names[1] == nullptr) return;
  if (*names[0] == *names[1]) return wrong(record, "second", "both joints are the same");
  const int first = coordinate_of(record, *names[0]), second = coordinate_of(record, *names[1]);
  if (first < 0 || second < 0) return;
  const double ratio = record.number("ratio");
  if (ratio == 0) return wrong(record, "ratio", "must not be zero");
  // What the gears before say of the two, by the way between them.
  std::map<int, double> turns{{first, 1.0}};
  for (bool again = true; again;) {
    again = false;
    for (const Gear& gear : gears_) {
      const bool forth = turns.contains(gear.first), back = turns.contains(gear.second);
      if (forth == back) continue;
      forth ? turns[gear.second] = turns[gear.first] * gear.ratio : turns[gear.first] = turns[gear.second] / gear.ratio;
      again = true;
    }
  }
  const auto known = turns.find(second);
  if (known != turns.end() && std::fabs(known->second - ratio) > 1e-9 * std::fabs(ratio))
    return wrong(
        record, "ratio",
        fmt::format("other gears tie joint.{} to joint.{} already, with the ratio {:.6g}: together nothing could "
                    "turn",
                    *names[1], *names[0], known->second));
  gears_.push_back({first, second, ratio, &record});
  LinearForm form{1, {{second, {-1}}, {first, {ratio}}}, {0}, {}};
  builder_.relate(form, record.path, record.source);
}

}  // namespace flexura::detail
