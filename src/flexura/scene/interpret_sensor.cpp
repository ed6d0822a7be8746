// Sensors: what is recorded, as slots, elements and joints.

#include <fmt/format.h>

#include <algorithm>

#include "flexura/scene/interpreter.hpp"

namespace flexura::detail {
namespace {

struct Quantity {
  const char* type;
  const char* unit;
  bool needs_direction, needs_cable, needs_node;
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
                                   {"energy", "J", false, false, false},
                                   {"signal", "", false, false, false}};

}  // namespace

void Interpreter::add_sensor(const Record& record) {
  const auto* quantity = std::find_if(std::begin(quantities), std::end(quantities),
                                      [&](const Quantity& q) { return record.type == q.type; });
  if (quantity == std::end(quantities)) return;
  SensorSpec sensor;
  sensor.name = record.name;
  sensor.type = record.type;
  sensor.unit = quantity->unit;
  sensor.doc = record.variant->doc;
  sensor.interval = record.number("interval");
  sensor.source = record.source;
  sensor.of = record.text("of");
  if (record.type == "reaction" || record.type == "reaction_moment") {
    add_reaction(record, sensor);
  } else if (record.type == "signal") {
    for (size_t i = 0; i < scene_.named_signals.size() && sensor.signal < 0; ++i)
      if (scene_.named_signals[i].name == sensor.of) sensor.signal = static_cast<int>(i);
  } else if (const Place* place = record.get<Place>("at")) {
    const std::optional<Location> location = locate(*place, record.path + ".at");
    if (!location) return;
    if (location->ground) return wrong(record, "at", "the ground does not move");
    if ((quantity->needs_cable || quantity->needs_direction) && location->cable < 0)
      return wrong(record, "at", fmt::format("\"{}\" is a point; {} is measured on a cable", place->text, record.type));
    if (quantity->needs_node && location->node < 0) {
      const size_t n = result_.cables[location->cable].elements.size();
      return wrong(
          record, "at",
          fmt::format("must be a node: \"{}\" lies inside element {} of {}", place->text, location->element + 1, n));
    }
    sensor.point = location->point;
    sensor.vector = location->vector;
    sensor.cable = location->cable;
    sensor.element = location->element;
    sensor.xi = location->xi;
    sensor.node = location->node;
  }
  result_.sensors.push_back(std::move(sensor));
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
  if (const auto rod = rods_.find(sensor.of); rod != rods_.end()) {
    if (record.type == "reaction_moment")
      return wrong(record, "of", fmt::format("joint.{} is a {}: it has no moment", sensor.of, joint->type));
    sensor.multiplier = rod->second.first;
    std::copy(rod->second.second.begin(), rod->second.second.end(), sensor.ends);
    return;
  }
  if (record.type == "reaction_moment" && joint->type != "weld" && joint->type != "clamp_direction")
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
}

}  // namespace flexura::detail
