#include "flexura/output/draw_model.hpp"

#include <algorithm>

#include "flexura/output/drawing_builder.hpp"
#include "flexura/output/drawn_fields.hpp"

namespace flexura {
namespace detail {

DrawingBuilder::DrawingBuilder(const Machine& machine, std::span<const SensorSpec> sensors)
    : machine_(machine),
      sensors_(sensors),
      topology_(*machine.model.topology),
      places_of_bodies_(machine.bodies.size()) {
  drawing_.dim = topology_.dim;
  Triple low{1e300, 1e300, 1e300}, high{-1e300, -1e300, -1e300};
  for (const Slot& slot : topology_.slots) {
    if (slot.kind != SlotKind::point) continue;
    for (int i = 0; i < topology_.dim; ++i) {
      const double x = machine.model.values.reference[slot.offset + i];
      low[i] = std::min(low[i], x), high[i] = std::max(high[i], x);
    }
  }
  for (const ContactSphere& sphere : machine.contacts.spheres)
    for (int i = 0; i < topology_.dim; ++i) {
      const double x = machine.model.values.reference[topology_.slots[sphere.slot].offset + i];
      low[i] = std::min(low[i], x - sphere.radius), high[i] = std::max(high[i], x + sphere.radius);
    }
  for (int i = topology_.dim; i < 3; ++i) low[i] = high[i] = 0;
  if (high[0] >= low[0] && norm(high - low) > 0) size_ = norm(high - low);
  if (high[0] >= low[0]) enclose_planes(low, high);
}

ItemPlace DrawingBuilder::item(const std::string& name) const {
  const ItemRef found = machine_.item(name);
  return {found.batch, found.index};
}

Drawable& DrawingBuilder::begin(Drawable::Kind kind, std::string name, std::string label) {
  Drawable& drawable = drawing_.drawables.emplace_back();
  drawable.kind = kind;
  if (const auto color = machine_.colors.find(name); color != machine_.colors.end()) drawable.color = color->second;
  drawable.name = std::move(name);
  drawable.label = std::move(label);
  return drawable;
}

void DrawingBuilder::add_field_point(const DrawnForm& position, DrawnPlaces::FieldPoint point) {
  row(places_.point_position, position);
  places_.points.push_back(point);
  ++drawing_.field_points;
}

void DrawingBuilder::each_term(std::string_view table, auto&& add) {
  for (const TermPart& part : machine_.terms)
    if (part.spec->term->scene.table == table) add(part);
}

DrawnModel DrawingBuilder::build() {
  const auto count = [](const auto& parts) { return static_cast<int>(parts.size()); };
  for (int k = 0; k < count(machine_.cables); ++k) add_cable(k);
  for (int k = 0; k < count(machine_.plates); ++k) add_plate(k);
  for (int k = 0; k < count(machine_.solids); ++k) add_solid(k);
  if (!machine_.bodies.empty()) find_places_of_bodies();
  for (int k = 0; k < count(machine_.bodies); ++k) add_body(k);
  for (const PointPart& point : machine_.points) add_point(point);
  for (const ContactSphere& sphere : machine_.contacts.spheres)
    if (sphere.family.empty()) add_sphere(sphere);
  for (const ContactPlane& plane : machine_.contacts.planes) add_plane(plane);
  // Springs and motors of joints are drawn where their joints are, which come first.
  each_term("mass", [&](const TermPart& part) { add_mass(part); });
  add_joints();
  for (const GearPart& gear : machine_.gears) add_gear(gear);
  each_term("truss",
            [&](const TermPart& part) { add_line(part, "truss " + std::string(part.spec->term->scene.type)); });
  each_term("spring", [&](const TermPart& part) { add_spring(part); });
  each_term("load", [&](const TermPart& part) { add_load(part); });
  for (int k = 0; k < count(machine_.chambers); ++k) note_enclosed(machine_.chambers[k], k);
  for (const KeptPart& kept : machine_.kept) add_kept(kept);
  for (const SensorSpec& sensor : sensors_) add_sensor(sensor);
  finish();
  return {std::move(drawing_), std::move(places_)};
}

/// Rods are joints too: in the order in which they were named.
void DrawingBuilder::add_joints() {
  std::map<int, std::pair<const JointPart*, const TermPart*>> named;
  for (const JointPart& joint : machine_.joints)
    if (joint.spec != nullptr) named[joint.spec->origin.order].first = &joint;
  each_term("joint", [&](const TermPart& rod) { named[rod.spec->origin.order].second = &rod; });
  for (const auto& [order, which] : named)
    which.first != nullptr ? add_joint(*which.first) : add_line(*which.second, "rod");
}

}  // namespace detail

DrawnModel draw_model(const Machine& machine, std::span<const SensorSpec> sensors) {
  DrawnModel drawn = detail::DrawingBuilder(machine, sensors).build();
  drawn.drawing.fields = fields_of(machine, drawn);
  return drawn;
}

}  // namespace flexura
