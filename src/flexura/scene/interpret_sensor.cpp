// Sensors: what is recorded, as slots, elements and joints.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "flexura/scene/interpreter.hpp"

namespace flexura::detail {
void Interpreter::add_sensor(const Record& record) {
  const Quantity* quantity = find_quantity(record.type);
  if (quantity == nullptr) return;
  SensorSpec sensor;
  sensor.name = record.name;
  sensor.quantity = quantity;
  sensor.interval = record.number("interval");
  sensor.source = record.source;
  sensor.of = record.text("of");
  sensor.part = record.text("part");
  sensor.choice = quantity->selection.find(record.text(quantity->selection.key));
  const unsigned of = quantity->where;
  const Place* place = record.get<Place>("at");
  if ((of & (where::joint_angle | where::joint_offset)) && (record.has("of") || !record.has("at"))) {
    add_coordinate(record, sensor);
  } else if (of & where::joint_multipliers) {
    add_multipliers(record, sensor);
  } else if (of & where::joint_reaction) {
    add_reaction(record, sensor);
  } else if (of & where::signal) {
    for (size_t i = 0; i < scene_.named_signals.size() && sensor.signal < 0; ++i)
      if (scene_.named_signals[i].name == sensor.of) sensor.signal = static_cast<int>(i);
  } else if (of & where::two_places) {
    if (!add_distance(record, sensor)) return;
  } else if (place != nullptr) {
    if (!add_at_place(record, *place, sensor)) return;
  }
  result_.sensors.push_back(std::move(sensor));
}

/// False: it could not be built.
bool Interpreter::add_at_place(const Record& record, const Place& place, SensorSpec& sensor) {
  const Quantity& quantity = *sensor.quantity;
  const unsigned places = quantity.where & where::any_place;
  const auto refuse = [&](const std::string& message) {
    wrong(record, "at", message);
    return false;
  };
  std::optional<Location> location = locate(place, record.path + ".at");
  if (!location) return false;
  if (location->ground) return refuse("the ground does not move");
  const bool on_body = location->body >= 0, on_plate = location->plate >= 0, on_line = location->cable >= 0;
  const unsigned here = on_body    ? where::body
                        : on_plate ? where::plate | where::wall
                        : on_line  ? where::line | where::node
                                   : where::point;
  if (places == where::body && !on_body)
    return refuse(fmt::format("\"{}\" is not on a body; {} is that of a body", place.text, quantity.name));
  if (places == where::wall && !on_plate)
    return refuse(fmt::format("\"{}\" is not on a plate; {} is measured on a plate", place.text, quantity.name));
  if (quantity.selection.only_on != 0 && !(quantity.selection.only_on & here) && record.has(quantity.selection.key)) {
    wrong(record, quantity.selection.key, fmt::format("\"{}\" is not on a plate", place.text));
    return false;
  }
  if (!(places & here))
    return refuse(fmt::format("\"{}\" is {}; {} is measured on a cable", place.text,
                              on_body    ? "on a body"
                              : on_plate ? "on a plate"
                                         : "a point",
                              quantity.name));
  if (on_plate && (places & where::wall)) return add_on_wall(record, place, *location, sensor);
  const bool has_direction = (places & where::line) && !(places & where::point);
  if (on_body && has_direction) vector_slot(*location, place, record.path + ".at");
  if (on_body || on_plate) point_slot(*location, place, record.path + ".at");
  if (places == where::node && location->node < 0)
    return refuse(fmt::format("must be a node: \"{}\" lies inside element {} of {}", place.text, location->element + 1,
                              result_.cables[location->cable].elements.size()));
  const auto form = [&](int slot, bool gradient) {
    return slot >= 0 ? form_of({{{slot, 1.0}}}, scene_.dim) : on_line ? inside(*location, gradient) : LinearForm{};
  };
  sensor.place = form(location->point, false);
  sensor.along = form(location->vector, true);
  sensor.vector = location->vector;
  sensor.body = location->body;
  sensor.cable = location->cable;
  if (on_line) {
    sensor.elements = {{location->element, location->xi}};
    sensor.slope = cable_slope(result_.cables[location->cable], location->element, location->xi, scene_.dim);
  }
  return true;
}

/// What a plate's wall carries at a place, or how it lies there. At a node and on a side the mean of the elements around.
bool Interpreter::add_on_wall(const Record& record, const Place& place, const Location& location, SensorSpec& sensor) {
  const PlatePart& plate = result_.plates[location.plate];
  const MaterialPlace& at = location.on_plate;
  if (at.nodes.size() > 1) {
    wrong(record, "at",
          fmt::format(
              "\"{}\" has {} nodes; {} is that of one place: a node, or shares of u and v as in \"{}@(0.5, 0.5)\"",
              place.text, at.nodes.size(), sensor.quantity->name, place.part));
    return false;
  }
  sensor.plate = location.plate;
  sensor.along = plate_form(plate, at, Carried::along);
  sensor.across = plate_form(plate, at, Carried::across);
  if (sensor.quantity->probes[0].empty()) return true;
  const auto reference = [&](const LinearForm& form) { return triple(reference_of(form)); };
  const Triple u = reference(sensor.along), normal = cross(u, reference(sensor.across)),
               across = (1 / norm(normal)) * cross(normal, u);
  for (const MaterialPlace& e : elements_at(plate.mesh, at)) {
    const Triple own = reference(plate_form(plate, e, Carried::along));
    sensor.elements.push_back({e.element, e.xi, e.eta, std::atan2(dot(own, across), dot(own, u))});
  }
  return true;
}

bool Interpreter::add_distance(const Record& record, SensorSpec& sensor) {
  const auto* places = record.get<std::vector<Place>>("between");
  if (places == nullptr) return false;
  for (int k = 0; k < 2; ++k) {
    const std::string path = fmt::format("{}.between[{}]", record.path, k);
    std::optional<Location> location = locate((*places)[k], path);
    if (!location) return false;
    const int slot = point_slot(*location, (*places)[k], path);
    if (slot < 0) return false;
    sensor.ends[k] = form_of({{{slot, 1.0}}}, scene_.dim);
  }
  return true;
}

/// An angle or displacement of a joint.
void Interpreter::add_coordinate(const Record& record, SensorSpec& sensor) {
  const std::string* joint = record.get<std::string>("of");
  if (joint == nullptr) {
    if (sensor.quantity->where & where::any_place) wrong(record, "", "of what? Give a place, `at`, or a joint, `of`");
    return;
  }
  if (record.has("at")) wrong(record, "at", "the angle is that of a joint already: leave out `at` or `of`");
  sensor.coordinate = coordinate_of(record, *joint);
}

void Interpreter::add_multipliers(const Record& record, SensorSpec& sensor) {
  const std::string* joint = record.get<std::string>("of");
  if (joint == nullptr) return;
  for (const JointPart& part : result_.joints)
    if (part.name == *joint) sensor.multipliers = part.multipliers;
  const Record* named = scene_.find("joint", *joint);
  if (sensor.multipliers.empty() && named != nullptr && acts(*named))
    wrong(record, "of",
          fmt::format("joint.{} has no multipliers: its equations are eliminated{}", *joint,
                      named->spec->find_field("method", named->variant) == nullptr
                          ? ""
                          : "; `method = \"multipliers\"` keeps them"));
}

/// The dependent end of a joint, and whatever hangs on the same point by other joints.
void Interpreter::add_share(int point, int vector, std::vector<SensorSpec::Share>& shares, std::set<int>& seen) const {
  if (!seen.insert(point).second) return;
  shares.push_back({point, vector});
  for (const Relation& relation : relations_)
    if (relation.master_point == point) add_share(relation.point, relation.vector, shares, seen);
}

void Interpreter::add_reaction(const Record& record, SensorSpec& sensor) {
  const Record* joint = scene_.find("joint", sensor.of);
  if (joint == nullptr) return;
  const bool is_moment = sensor.quantity->shape == Shape::turning;
  if (const auto rod = rods_.find(sensor.of); rod != rods_.end()) {
    if (is_moment)
      return wrong(record, "of", fmt::format("joint.{} is a {}: it has no moment", sensor.of, joint->type));
    sensor.multiplier = rod->second.first;
    std::copy(rod->second.second.begin(), rod->second.second.end(), sensor.rod_ends);
    return;
  }
  for (const PlateJoint& plan : plate_joints_) {
    if (plan.record != joint) continue;
    if (!is_separable(plan))
      return wrong(record, "of",
                   fmt::format("the reaction of joint.{} cannot be told from that of others: its place is inside an "
                               "element, or several joints hold it",
                               sensor.of));
    sensor.point = plan.center;
    sensor.shares = plan.shares;
    sensor.carried = true;
    sensor.sign = plan.sign;
    sensor.item_shares = plan.item_shares;
    return;
  }
  if (const auto found = plan_of_joint_.find(sensor.of); found != plan_of_joint_.end()) {
    JointPlan& plan = plans_[found->second];
    const bool only_force = joint->type == "pin" || joint->type == "spherical" || joint->type.starts_with("point_on") ||
                            (scene_.dim == 2 && joint->type == "revolute" && !joint->has("angle"));
    if (is_moment && only_force)
      return wrong(record, "of", fmt::format("joint.{} is a {}: it has no moment", sensor.of, joint->type));
    sensor.point = side_point(plan, 1);
    sensor.shares = plan.shares;
    sensor.carried = true;
    sensor.sign = plan.share_sign;
    sensor.item_shares = plan.item_shares;
    return;
  }
  if (is_moment && joint->type != "weld" && joint->type != "clamp_direction")
    return wrong(record, "of", fmt::format("joint.{} is a {}: it has no moment", sensor.of, joint->type));
  for (const Relation& relation : relations_) {
    if (relation.record != joint) continue;
    if (!relation.separable)
      return wrong(record, "of",
                   fmt::format("the reaction of joint.{} cannot be told from that of others: its place is "
                               "inside an element, or several joints hold it",
                               sensor.of));
    std::set<int> seen;
    add_share(relation.point, relation.vector, sensor.shares, seen);
    sensor.sign = relation.sign;
    sensor.point = relation.point;
    sensor.vector = relation.vector;
    return;
  }
  if (acts(*joint) && joint->type == "gear")
    wrong(record, "of", fmt::format("joint.{} is a gear: it has no reaction; its joints have", sensor.of));
}

}  // namespace flexura::detail
