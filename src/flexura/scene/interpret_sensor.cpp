#include "flexura/scene/interpret_sensor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "flexura/part/find_place.hpp"
#include "flexura/part/section.hpp"
#include "flexura/part/solid_surface.hpp"
#include "flexura/scene/specify.hpp"

namespace flexura::detail {

namespace {

unsigned in_solid(const SolidModel& solid) {
  return where::solid | (solid.has_fibres ? where::fibred : 0u) | (solid.is_composite ? 0u : where::edge);
}

}  // namespace

void SensorInterpreter::add_sensor(const Record& record) {
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
  } else if (of & where::driven) {
    add_drive(record, sensor);
  } else if (of & where::joint_multipliers) {
    add_multipliers(record, sensor);
  } else if ((of & where::fixed_point) && (place != nullptr || !record.has("of"))) {
    if (!add_at_fixed(record, place, sensor)) return;
  } else if (of & where::joint_reaction) {
    add_reaction(record, sensor);
  } else if ((of & where::any_chamber) && scene_.find("chamber", sensor.of) != nullptr) {
    add_enclosed(record, sensor);
  } else if (of & where::any_kept) {
    add_kept(record, sensor);
  } else if (of & where::chamber) {
    add_pressure(record, sensor);
  } else if ((of & where::any_item) && (record.has("of") || !record.has("at"))) {
    add_item(record, sensor);
  } else if (of & where::signal) {
    for (size_t i = 0; i < scene_.named_signals.size() && sensor.signal < 0; ++i)
      if (scene_.named_signals[i].name == sensor.of) sensor.signal = static_cast<int>(i);
  } else if (of & (where::touching | where::two_touching | where::contact)) {
    if (!add_touching(record, sensor)) return;
  } else if (of & where::two_places) {
    if (!add_distance(record, sensor)) return;
  } else if (place != nullptr) {
    if (!add_at_place(record, *place, sensor)) return;
  }
  sensors.push_back(std::move(sensor));
}

/// False: it could not be built.
bool SensorInterpreter::add_at_place(const Record& record, const Place& place, SensorSpec& sensor) {
  const Quantity& quantity = *sensor.quantity;
  const unsigned places = quantity.where & where::any_place;
  const auto refuse = [&](const std::string& message) {
    wrong(record, "at", message);
    return false;
  };
  std::optional<Location> location = locate(place, record.path + ".at");
  if (!location) return false;
  if (location->is_ground()) return refuse("the ground does not move");
  sensor.at = {location->at};
  const bool on_body = location->body() >= 0, on_plate = location->on_plate(), on_line = location->cable() >= 0;
  const CablePart* line = on_line ? &machine_.cables[location->cable()] : nullptr;
  const bool on_beam = on_line && !line->frames.empty(), on_full_beam = on_line && line->is_full();
  if (on_line && (places & where::shaped))
    sensor.section =
        moduli_of(*line, (location->at.element + location->at.xi) / static_cast<double>(line->elements.size()));
  const bool on_solid = location->on_solid();
  unsigned here = on_body    ? where::body
                  : on_solid ? in_solid(machine_.solids[location->at.part].model)
                  : on_plate ? where::plate | where::wall
                  : on_line  ? where::line | where::node
                             : where::point;
  if (on_plate && machine_.plates[location->at.part].is_full) here |= where::thick;
  if (on_beam) here |= where::beam | where::beam_node;
  if (on_full_beam) here |= where::beam;
  if (sensor.section.area > 0) here |= where::shaped;
  if (on_full_beam && (places & where::beam_node) != 0 && !(places & here))
    return refuse(
        fmt::format("\"{}\" is on a beam of full elements, whose sections deform: {} is that of a rigid section; "
                    "weld a [body.NAME] there",
                    place.text, quantity.name));
  if ((places & where::body) != 0 && (places & ~(where::body | where::beam_node)) == 0 && !(places & here)) {
    const char* beams = (where_in(quantity, scene_.dim) & where::beam_node) != 0 ? " or beam" : "";
    return refuse(
        fmt::format("\"{}\" is not on a body{}; {} is that of a body{}", place.text, beams, quantity.name, beams));
  }
  if ((places & ~(where::wall | where::thick | where::solid)) == 0 && (places & where::solid) && !(places & here)) {
    const char* what = places & where::wall    ? "plate or solid"
                       : places & where::thick ? "solid or full plate"
                                               : "solid";
    return refuse(fmt::format("\"{}\" is not on a {}; {} is that of a {}", place.text, what, quantity.name, what));
  }
  if (places == where::fibred && !(places & here))
    return refuse(
        fmt::format("\"{}\" is not on a solid with fibres; {} is that of [fibre.NAME]", place.text, quantity.name));
  if (places == where::edge && !(places & here))
    return refuse(
        fmt::format("\"{}\" is not on a membrane, or on a solid without fibres, growth and relaxation; {} is that of "
                    "an edge of their elements",
                    place.text, quantity.name));
  if (places == where::wall && !on_plate)
    return refuse(fmt::format("\"{}\" is not on a plate; {} is measured on a plate", place.text, quantity.name));
  if (quantity.selection.only_on != 0 && !(quantity.selection.only_on & here) && record.has(quantity.selection.key)) {
    wrong(record, quantity.selection.key,
          fmt::format("\"{}\" is not on a {}plate", place.text,
                      quantity.selection.only_on == where::thick ? "full " : ""));
    return false;
  }
  if (on_line && places == where::shaped && !(places & here))
    return refuse(
        fmt::format("the section of \"{}\" is known by its stiffnesses: {} needs its shape, as in "
                    "shape = {{ type = \"circle\", radius = ... }}",
                    line->name, quantity.name));
  if (!(places & here))
    return refuse(fmt::format("\"{}\" is {}; {} is measured on a {}", place.text,
                              on_body    ? "on a body"
                              : on_plate ? "on a plate"
                              : on_solid ? "on a solid"
                              : on_line  ? "on a cable"
                                         : "a point",
                              quantity.name, places == where::beam ? "beam" : "cable"));
  if (on_plate && (places & (where::wall | where::thick))) return add_on_wall(record, place, *location, sensor);
  if (on_solid) return add_in_solid(record, place, *location, sensor);
  const bool has_direction = (places & where::line) && !(places & where::point);
  if (on_body && has_direction) vector_slot(draft_, *location);
  if (on_body || on_plate) point_slot(draft_, *location);
  const bool at_nodes = places == where::node || (on_beam && (places & where::beam_node) != 0);
  if (at_nodes && location->at.node < 0)
    return refuse(fmt::format("must be a node: \"{}\" lies inside element {} of {}", place.text,
                              location->at.element + 1, machine_.cables[location->cable()].elements.size()));
  const auto form = [&](int slot, bool gradient) {
    if (slot >= 0) return form_of({{{slot, 1.0}}}, scene_.dim);
    if (!on_line) return LinearForm{};
    const CablePart& cable = machine_.cables[location->cable()];
    return gradient ? cable_along(cable, location->at.element, location->at.xi, scene_.dim)
                    : cable_point(cable, location->at.element, location->at.xi, scene_.dim);
  };
  sensor.place = form(location->point, false);
  sensor.along = form(location->vector, true);
  if (on_beam && at_nodes)
    for (size_t i = 0; i < 3; ++i)
      sensor.directors[i] = form_of({{{line->frames[location->at.node][i], 1.0}}}, scene_.dim);
  sensor.vector = location->vector;
  sensor.body = location->body();
  sensor.cable = location->cable();
  if (on_line) {
    sensor.elements = {{location->at.element, location->at.xi}};
    sensor.slope = cable_slope(machine_.cables[location->cable()], location->at.element, location->at.xi, scene_.dim);
  }
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
              place.text, at.nodes.size(), sensor.quantity->name, place.part));
    return false;
  }
  sensor.plate = location.at.part;
  const LinearForm r_u = plate_form(plate, at, Carried::along), r_v = plate_form(plate, at, Carried::across);
  sensor.along = r_u;
  sensor.across = r_v;
  if (sensor.quantity->probes[0].empty()) return true;
  const auto reference = [&](const LinearForm& form) { return reference_of(draft_, form); };
  const Triple u = reference(r_u), normal = cross(u, reference(r_v)), across = (1 / norm(normal)) * cross(normal, u);
  for (const MaterialPlace& e : elements_at(plate.mesh, at)) {
    const Triple own = reference(plate_form(plate, e, Carried::along));
    const double turn = std::atan2(dot(own, across), dot(own, u));
    sensor.elements.push_back({e.element, e.xi, e.eta, std::cos(turn), std::sin(turn)});
  }
  return true;
}

/// What a solid carries at a place, the mean of the elements that have it; or where it is, of a set its middle.
bool SensorInterpreter::add_in_solid(const Record& record, const Place& place, const Location& location,
                                     SensorSpec& sensor) {
  const SolidPart& solid = machine_.solids[location.at.part];
  sensor.place = solid_form(solid, location.at, Carried::point);
  if (sensor.quantity->probes[0].empty()) return true;
  if (location.at.nodes.size() > 1) {
    wrong(record, "at",
          fmt::format("\"{}\" has {} nodes; {} is that of one place, as \"{}@[0, 0, 0]\" in the solid's own frame",
                      place.text, location.at.nodes.size(), sensor.quantity->name, place.part));
    return false;
  }
  sensor.solid = location.at.part;
  const bool is_edge = sensor.quantity->where == where::edge;
  const std::vector<MaterialPlace> elements =
      is_edge ? elements_on_edge(solid.mesh, location.at) : elements_at(solid, location.at);
  if (elements.empty() && is_edge) {
    wrong(record, "at",
          fmt::format("\"{}\" does not lie within an edge of triangles of 3 nodes or tetrahedra of 4: name its middle",
                      place.text));
    return false;
  }
  for (const MaterialPlace& e : elements) {
    SensorPlace::Element& element = sensor.elements.emplace_back();
    element.element = e.element, element.xi = e.xi, element.eta = e.eta, element.zeta = e.zeta;
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
    const int slot = point_slot(draft_, *location);
    if (slot < 0) return false;
    sensor.at.push_back(location->at);
    sensor.ends[k] = form_of({{{slot, 1.0}}}, scene_.dim);
  }
  return true;
}

/// Of spheres, planes and contacts by name.
bool SensorInterpreter::add_touching(const Record& record, SensorSpec& sensor) {
  const ContactModel& contacts = machine_.contacts;
  if (sensor.quantity->where & where::contact) {
    sensor.contact = contacts.find_group(sensor.of);
    return true;
  }
  const bool two = sensor.quantity->where & where::two_touching;
  sensor.touching[0] = contacts.find(record.text(two ? "first" : "of"));
  if (!two) return sensor.touching[0] >= 0;
  sensor.touching[1] = contacts.find(record.text("second"));
  if (sensor.touching[0] == sensor.touching[1]) wrong(record, "second", "both are the same");
  if (sensor.touching[0] > sensor.touching[1]) std::swap(sensor.touching[0], sensor.touching[1]);
  return sensor.touching[0] >= 0;
}

/// An angle or displacement of a joint.
void SensorInterpreter::add_coordinate(const Record& record, SensorSpec& sensor) {
  const std::string* joint = record.get<std::string>("of");
  if (joint == nullptr) {
    if (sensor.quantity->where & where::any_place) wrong(record, "", "of what? Give a place, `at`, or a joint, `of`");
    return;
  }
  if (record.has("at")) wrong(record, "at", "the angle is that of a joint already: leave out `at` or `of`");
  sensor.coordinate = coordinate_of(record, *sensor.quantity, *joint);
}

/// What a drive does.
void SensorInterpreter::add_drive(const Record& record, SensorSpec& sensor) {
  const Record* joint = scene_.find("joint", sensor.of);
  if (joint == nullptr || !acts(*joint)) return;
  const bool of_angle = (sensor.quantity->where & where::driven_angle) != 0;
  if (!joint->has(of_angle ? "angle" : "displacement"))
    return wrong(record, "of",
                 fmt::format("joint.{} has no prescribed {}", sensor.of, of_angle ? "angle" : "displacement"));
  const JointCoordinate which = of_angle ? JointCoordinate::angle : JointCoordinate::displacement;
  const int slot = detail::coordinate_of(draft_, sensor.of, which, origin_of(record), "of");
  if (slot >= 0) sensor.driven = geared_to(draft_, slot);
}

void SensorInterpreter::add_multipliers(const Record& record, SensorSpec& sensor) {
  const std::string* joint = record.get<std::string>("of");
  if (joint == nullptr) return;
  for (const JointPart& part : machine_.joints)
    if (part.name == *joint) sensor.multipliers = part.multipliers;
  const Record* named = scene_.find("joint", *joint);
  if (sensor.multipliers.empty() && named != nullptr && acts(*named))
    wrong(record, "of",
          fmt::format("joint.{} has no multipliers: its equations are eliminated{}", *joint,
                      named->spec->find_field("method", named->variant) == nullptr
                          ? ""
                          : "; `method = \"multipliers\"` keeps them"));
}

void SensorInterpreter::add_reaction(const Record& record, SensorSpec& sensor) {
  const Record* joint = scene_.find("joint", sensor.of);
  if (joint == nullptr || !acts(*joint)) return;
  const JointReaction* reaction = reaction_of(draft_, sensor.of);
  if (reaction == nullptr) {
    if (find_joint(joint->type, scene_.dim)->ties_joints)
      wrong(record, "of", fmt::format("joint.{} is a gear: it has no reaction; its joints have", sensor.of));
    return;  // it could not be made, which was said
  }
  if (sensor.quantity->shape == Shape::turning && !reaction->no_moment.empty())
    return wrong(record, "of", reaction->no_moment);
  if (!reaction->untold.empty()) return wrong(record, "of", reaction->untold);
  sensor.point = reaction->point;
  sensor.vector = reaction->vector;
  sensor.shares = reaction->shares;
  sensor.author = reaction->author;
  sensor.ties = reaction->ties;
  sensor.sign = reaction->sign;
  sensor.item_shares = reaction->items;
  sensor.multiplier = reaction->tension;
  std::copy_n(reaction->ends, 2, sensor.rod_ends);
}

/// What holds a fixed point. False: it could not be built.
bool SensorInterpreter::add_at_fixed(const Record& record, const Place* place, SensorSpec& sensor) {
  const auto refuse = [&](const char* key, const std::string& message) {
    wrong(record, key, message);
    return false;
  };
  if (place == nullptr) return refuse("", "of what? Give a joint, `of`, or a point that is fixed, `at`");
  if (record.has("of")) return refuse("at", "the reaction is that of a joint already: leave out `at` or `of`");
  const std::optional<Location> location = locate(*place, record.path + ".at");
  if (!location) return false;
  const bool is_point = !location->is_ground() && location->at.on == MaterialPlace::On::point;
  if (!is_point || !machine_.points[location->at.part].fixed)
    return refuse("at", fmt::format("\"{}\" is not a point that is fixed; reactions are those of joints, `of`, and of "
                                    "[point.NAME] with fixed = true",
                                    place->text));
  const PointPart& point = machine_.points[location->at.part];
  sensor.at = {location->at};
  sensor.shares = {{.point = point.slot}};
  sensor.author = "point." + point.name;
  return true;
}

/// A spring, truss, friction or motor. The force on its last place says it all: on the others it is the same.
void SensorInterpreter::add_item(const Record& record, SensorSpec& sensor) {
  const Record* item = nullptr;
  std::vector<std::string> found;
  for (const char* kind : {"spring", "truss", "load"})
    if (const Record* named = scene_.find(kind, sensor.of)) {
      item = named;
      found.push_back(kind);
    }
  if (record.get<std::string>("of") == nullptr && (sensor.quantity->where & where::any_place))
    return wrong(record, "", "of what? Give a place on a beam, `at`, or a spring, truss or load, `of`");
  if (record.has("of") && record.has("at"))
    return wrong(record, "at", "it is that of a spring, truss or load already: leave out `at` or `of`");
  if (item == nullptr || item->variant->term == nullptr) return;
  if (found.size() > 1)
    return wrong(record, "of",
                 fmt::format("there are a {} and a {} of that name: rename one of them", found[0], found[1]));
  std::vector<SlotKind> slots;
  int last = 0;
  for (size_t a = 0; a < item->variant->term->slots.size(); ++a) {
    const bool is_multiplier =
        item->variant->term->slots[a] == SlotKind::scalar && item->variant->term->scene.sources[a].key.empty();
    if (item->variant->term->slots[a] == SlotKind::signal || is_multiplier) continue;
    slots.push_back(item->variant->term->slots[a]);
    last = static_cast<int>(a);
  }
  const Record* joint = scene_.find("joint", item->text("at"));
  const bool on_length = joint == nullptr && scene_.find("truss", item->text("at")) != nullptr;
  const bool on_joint = slots == std::vector{SlotKind::scalar} && (joint != nullptr || on_length);
  const bool on_angle = on_joint && !on_length && item->text("coordinate") != "displacement" &&
                        find_joint(joint->type, scene_.dim)->has_angle;
  const bool pulls = slots == std::vector{SlotKind::point, SlotKind::point};
  const bool turns = slots == std::vector{SlotKind::vector, SlotKind::vector} && scene_.dim == 2;
  if (!on_joint && !pulls && !turns)
    return wrong(record, "of",
                 fmt::format("{} acts neither on a joint's coordinate nor between two places", item->path));
  if ((on_angle || turns) != ((sensor.quantity->where & where::item_torque) != 0))
    return wrong(record, "of",
                 on_angle || turns ? fmt::format("{} turns what it acts on: read its \"torque\"", item->path)
                                   : fmt::format("{} pulls at what it acts on: read its \"force\"", item->path));
  sensor.item_shares = {{.name = item->path, .slot = last}};
}

/// The signal of a load whose key is "pressure"; on a plate or solid that of its first item, which is that of all.
void SensorInterpreter::add_pressure(const Record& record, SensorSpec& sensor) {
  const Record* load = scene_.find("load", sensor.of);
  if (load == nullptr || load->variant->term == nullptr) return;
  const TermInfo& term = *load->variant->term;
  const bool is_pressure = std::any_of(term.scene.sources.begin(), term.scene.sources.end(),
                                       [](const SlotSource& source) { return source.key == "pressure"; });
  JointReaction::ItemShare share{.name = load->path, .slot = 0};
  for (size_t s = 0; s < term.slots.size(); ++s)
    if (term.slots[s] == SlotKind::signal) share.slot = static_cast<int>(s);
  for (const TermPart& part : machine_.terms)
    if (part.spec->origin.path == load->path && !part.items.empty()) {
      share.name = part.items[0];
      if (const SurfaceOfSolid& on = part.surface; on.solid >= 0) {
        const SolidPart& solid = machine_.solids[on.solid];
        share.slot = static_cast<int>(faces_of(solid, solid.mesh.sets[on.set])[0].slots.size());
      }
    }
  if (is_pressure) sensor.item_shares = {share};
  if (sensor.item_shares.empty()) wrong(record, "of", fmt::format("{} is no pressure", load->path));
}

/// Pressure, volume or gas of a chamber that could be made.
void SensorInterpreter::add_enclosed(const Record& record, SensorSpec& sensor) {
  if ((sensor.quantity->where & where::chamber) && scene_.find("load", sensor.of) != nullptr)
    return wrong(record, "of", "there are a load and a chamber of that name: rename one of them");
  for (size_t k = 0; k < machine_.chambers.size(); ++k) {
    const ChamberPart& chamber = machine_.chambers[k];
    if (chamber.name != sensor.of) continue;
    sensor.chamber = static_cast<int>(k);
    if (sensor.quantity->where & where::gas_inside) {
      if (!(chamber.filling > 0))
        return wrong(
            record, "of",
            fmt::format("chamber.{} holds no gas of its own: its pressure and volume can be read", chamber.name));
      if (chamber.is_topped_up) sensor.item_shares = {{.name = chamber.contents, .slot = 1}};
    } else if (!(sensor.quantity->where & where::chamber)) {
      for (const std::string& face : chamber.faces) sensor.item_shares.push_back({.name = face});
    }
  }
}

/// Of a constraint that could be made.
void SensorInterpreter::add_kept(const Record& record, SensorSpec& sensor) {
  for (size_t k = 0; k < machine_.kept.size(); ++k) {
    const KeptPart& kept = machine_.kept[k];
    if (kept.name != sensor.of) continue;
    if (((sensor.quantity->where & where::kept_area) != 0) != kept.is_area)
      return wrong(record, "of",
                   fmt::format("constraint.{} keeps {}: read its {}", kept.name, kept.is_area ? "an area" : "a length",
                               kept.is_area ? "\"area\" or \"surface_tension\"" : "\"length\" or \"tension\""));
    sensor.constraint = static_cast<int>(k);
  }
}

SectionModuli SensorInterpreter::moduli_of(const CablePart& cable, double share) const {
  const std::optional<SectionOutline>& outline = cable.section->outline;
  if (!outline) return {};
  const double factor = cable.section->law.factor(share * cable.length);
  const auto number = [&](const Along& length) { return factor * length.at(share); };
  if (outline->type == SectionOutline::Type::rectangle)
    return rectangle_moduli(number(outline->height), number(outline->width));
  const double outer = number(outline->radius);
  const bool is_tube = outline->type == SectionOutline::Type::tube;
  return round_moduli(outer, is_tube ? std::max(0.0, outer - number(outline->wall)) : 0.0);
}

int SensorInterpreter::coordinate_of(const Record& record, const Quantity& quantity, const std::string& joint) {
  const JointCoordinate which =
      (quantity.where & where::joint_angle) != 0 ? JointCoordinate::angle : JointCoordinate::displacement;
  return detail::coordinate_of(draft_, joint, which, origin_of(record), record.has("of") ? "of" : "at");
}

void SensorInterpreter::wrong(const Record& record, std::string_view key, std::string message) {
  draft_.wrong(origin_of(record), key, std::move(message));
}

}  // namespace flexura::detail
