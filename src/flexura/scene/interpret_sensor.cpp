#include "flexura/scene/interpret_sensor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "flexura/part/find_place.hpp"
#include "flexura/scene/specify.hpp"

namespace flexura::detail {
namespace {

struct Quantity {
  const char* type;
  const char* unit;
  bool needs_direction, needs_cable, needs_node;
  bool needs_plate = false;
};

constexpr Quantity quantities[] = {{"position", "m", false, false, false},
                                   {"velocity", "m/s", false, false, false},
                                   {"acceleration", "m/s^2", false, false, false},
                                   {"direction", "1", true, false, false},
                                   {"angle", "rad", true, false, false},
                                   {"axial_force", "N", false, true, false},
                                   {"curvature", "1/m", false, true, false},
                                   {"moment", "N m", false, true, false},
                                   {"node_elastic_moment", "N m", false, true, true},
                                   {"node_elastic_force_norm", "N", false, true, true},
                                   {"reaction", "N", false, false, false},
                                   {"reaction_moment", "N m", false, false, false},
                                   {"frame", "", false, false, false},
                                   {"angular_velocity", "rad/s", false, false, false},
                                   {"angular_acceleration", "rad/s^2", false, false, false},
                                   {"displacement", "m", false, false, false},
                                   {"multiplier", "", false, false, false},
                                   {"constraint_violation", "", false, false, false},
                                   {"energy", "J", false, false, false},
                                   {"momentum", "kg m/s", false, false, false},
                                   {"angular_momentum", "kg m^2/s", false, false, false},
                                   {"distance", "m", false, false, false},
                                   {"membrane_force", "N/m", false, false, false, true},
                                   {"bending_moment", "N", false, false, false, true},
                                   {"membrane_strain", "1", false, false, false, true},
                                   {"curvature_change", "1/m", false, false, false, true},
                                   {"strain", "1", false, false, false, true},
                                   {"stress", "Pa", false, false, false, true},
                                   {"von_mises", "Pa", false, false, false, true},
                                   {"signal", "", false, false, false}};

const Quantity* find_quantity(const std::string& type) {
  const auto* found =
      std::find_if(std::begin(quantities), std::end(quantities), [&](const Quantity& q) { return type == q.type; });
  return found == std::end(quantities) ? nullptr : found;
}

}  // namespace

void SensorInterpreter::add_sensor(const Record& record) {
  const Quantity* quantity = find_quantity(record.type);
  if (quantity == nullptr) return;
  SensorSpec sensor;
  sensor.name = record.name;
  sensor.type = record.type;
  sensor.unit = quantity->unit;
  sensor.doc = record.variant->doc;
  sensor.interval = record.number("interval");
  sensor.source = record.source;
  sensor.of = record.text("of");
  sensor.part = record.text("part");
  if (add_joint_quantity(record, sensor)) {
    // done, or wrong
  } else if (record.type == "reaction" || record.type == "reaction_moment") {
    add_reaction(record, sensor);
  } else if (record.type == "signal") {
    for (size_t i = 0; i < scene_.named_signals.size() && sensor.signal < 0; ++i)
      if (scene_.named_signals[i].name == sensor.of) sensor.signal = static_cast<int>(i);
  } else if (record.type == "distance") {
    if (!add_distance(record, sensor)) return;
  } else if (const Place* place = record.get<Place>("at")) {
    if (!add_at_place(record, *place, sensor)) return;
  }
  sensors.push_back(std::move(sensor));
}

/// False: it could not be built.
bool SensorInterpreter::add_at_place(const Record& record, const Place& place, SensorSpec& sensor) {
  const Quantity& quantity = *find_quantity(record.type);
  const bool of_body = record.type == "frame" || record.type.starts_with("angular_");
  const auto refuse = [&](const std::string& message) {
    wrong(record, "at", fmt::format(fmt::runtime(message), place.text, record.type));
    return false;
  };
  std::optional<Location> location = locate(place, record.path + ".at");
  if (!location) return false;
  if (location->is_ground()) return refuse("the ground does not move");
  if (of_body && location->body() < 0) return refuse("\"{}\" is not on a body; {} is that of a body");
  if (quantity.needs_plate) {
    if (!location->on_plate()) return refuse("\"{}\" is not on a plate; {} is measured on a plate");
    return add_on_wall(record, place, *location, sensor);
  }
  if (quantity.needs_cable && location->body() >= 0) return refuse("\"{}\" is on a body; {} is measured on a cable");
  if (location->on_plate()) {
    if (record.type == "direction") return add_on_wall(record, place, *location, sensor);
    if (quantity.needs_cable || quantity.needs_direction)
      return refuse("\"{}\" is on a plate; {} is measured on a cable");
    point_slot(draft_, *location);
  }
  if (record.has("axis")) {
    wrong(record, "axis", fmt::format("\"{}\" is not on a plate", place.text));
    return false;
  }
  if (quantity.needs_direction && location->body() >= 0) vector_slot(draft_, *location);
  if (location->body() >= 0) point_slot(draft_, *location);
  sensor.body = location->body();
  if ((quantity.needs_cable || quantity.needs_direction) && location->cable() < 0 && location->body() < 0)
    return refuse("\"{}\" is a point; {} is measured on a cable");
  if (quantity.needs_node && location->at.node < 0) {
    const size_t n = machine_.cables[location->cable()].elements.size();
    wrong(record, "at",
          fmt::format("must be a node: \"{}\" lies inside element {} of {}", place.text, location->at.element + 1, n));
    return false;
  }
  sensor.point = location->point;
  sensor.vector = location->vector;
  if (location->cable() < 0) return true;
  sensor.cable = location->cable();
  sensor.element = location->at.element;
  sensor.xi = location->at.xi;
  sensor.node = location->at.node;
  return true;
}

/// What a plate's wall carries at a place, or how it lies there. At a node and on a side the mean of the elements around.
bool SensorInterpreter::add_on_wall(const Record& record, const Place& place, const Location& location,
                                    SensorSpec& sensor) {
  const PlatePart& plate = machine_.plates[location.at.part];
  const MaterialPlace& at = location.at;
  if (at.nodes.size() > 1) {
    wrong(record, "at",
          fmt::format(
              "\"{}\" has {} nodes; {} is that of one place: a node, or shares of u and v as in \"{}@(0.5, 0.5)\"",
              place.text, at.nodes.size(), record.type, place.part));
    return false;
  }
  sensor.plate = location.at.part;
  sensor.face = record.text("face");
  sensor.axis = record.text("axis");
  for (int k = 0; k < 2; ++k) sensor.tangents[k] = plate_form(plate, at, k == 0 ? Carried::along : Carried::across);
  if (record.type == "direction") return true;
  const auto reference = [&](const LinearForm& form) { return reference_of(draft_, form); };
  const Triple u = reference(sensor.tangents[0]), normal = cross(u, reference(sensor.tangents[1])),
               across = (1 / norm(normal)) * cross(normal, u);
  for (const MaterialPlace& e : elements_at(plate.mesh, at)) {
    const Triple own = reference(plate_form(plate, e, Carried::along));
    sensor.wall.push_back({e.element, e.xi, e.eta, std::atan2(dot(own, across), dot(own, u))});
  }
  return true;
}

bool SensorInterpreter::add_distance(const Record& record, SensorSpec& sensor) {
  const auto* places = record.get<std::vector<Place>>("between");
  if (places == nullptr) return false;
  for (int k = 0; k < 2; ++k) {
    const std::string path = fmt::format("{}.between[{}]", record.path, k);
    std::optional<Location> location = locate((*places)[k], path);
    if (!location) return false;
    sensor.ends[k] = point_slot(draft_, *location);
    if (sensor.ends[k] < 0) return false;
  }
  return true;
}

/// What joints offer by their coordinates and multipliers. False: another quantity.
bool SensorInterpreter::add_joint_quantity(const Record& record, SensorSpec& sensor) {
  const std::string* joint = record.get<std::string>("of");
  if (record.type == "angle" && joint != nullptr) {
    if (record.has("at")) wrong(record, "at", "the angle is that of a joint already: leave out `at` or `of`");
    sensor.coordinate = coordinate_of(record, *joint);
    return true;
  }
  if (record.type == "angle" && !record.has("at")) {
    wrong(record, "", "of what? Give a place, `at`, or a joint, `of`");
    return true;
  }
  if (record.type == "displacement" && joint != nullptr) {
    sensor.coordinate = coordinate_of(record, *joint);
    return true;
  }
  if (record.type != "multiplier" || joint == nullptr)
    return record.type == "displacement" || record.type == "multiplier";
  for (const JointPart& part : machine_.joints)
    if (part.name == *joint) sensor.multipliers = part.multipliers;
  const Record* named = scene_.find("joint", *joint);
  if (sensor.multipliers.empty() && named != nullptr && acts(*named))
    wrong(record, "of",
          fmt::format("joint.{} has no multipliers: its equations are eliminated{}", *joint,
                      named->spec->find_field("method", named->variant) == nullptr
                          ? ""
                          : "; `method = \"multipliers\"` keeps them"));
  return true;
}

void SensorInterpreter::add_reaction(const Record& record, SensorSpec& sensor) {
  const Record* joint = scene_.find("joint", sensor.of);
  if (joint == nullptr || !acts(*joint)) return;
  const JointReaction* reaction = reaction_of(draft_, sensor.of);
  if (reaction == nullptr) {
    if (const JointRow* row = find_joint(joint->type, scene_.dim); row != nullptr && row->ties_joints)
      wrong(record, "of", fmt::format("joint.{} is a {}: it has no reaction; its joints have", sensor.of, row->name));
    return;  // it could not be made, which was said
  }
  if (record.type == "reaction_moment" && !reaction->no_moment.empty()) return wrong(record, "of", reaction->no_moment);
  if (!reaction->untold.empty()) return wrong(record, "of", reaction->untold);
  sensor.point = reaction->point;
  sensor.vector = reaction->vector;
  sensor.shares = reaction->shares;
  sensor.carried = reaction->carried;
  sensor.sign = reaction->sign;
  sensor.item_shares = reaction->items;
  sensor.multiplier = reaction->tension;
  std::copy_n(reaction->ends, 2, sensor.ends);
}

int SensorInterpreter::coordinate_of(const Record& record, const std::string& joint) {
  const JointCoordinate which = record.type == "angle" ? JointCoordinate::angle : JointCoordinate::displacement;
  return detail::coordinate_of(draft_, joint, which, origin_of(record), record.has("of") ? "of" : "at");
}

void SensorInterpreter::wrong(const Record& record, std::string_view key, std::string message) {
  draft_.wrong(origin_of(record), key, std::move(message));
}

}  // namespace flexura::detail
