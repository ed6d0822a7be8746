#include "flexura/output/draw_model.hpp"

#include <algorithm>

#include "flexura/output/drawing_builder.hpp"
#include "flexura/output/drawn_fields.hpp"

namespace flexura {
namespace detail {

DrawingBuilder::DrawingBuilder(const SceneDocument& document, const SceneModel& model)
    : document_(document), model_(model), topology_(*model.model.topology) {
  for (size_t k = 0; k < model.cables.size(); ++k) cables_[model.cables[k].name] = static_cast<int>(k);
  for (size_t k = 0; k < model.plates.size(); ++k) plates_[model.plates[k].name] = static_cast<int>(k);
  for (size_t k = 0; k < model.bodies.size(); ++k) bodies_[model.bodies[k].name] = static_cast<int>(k);
  for (const auto& [name, slot] : model.points) points_[name] = slot;
  for (const JointPart& joint : model.joints) joints_.insert(joint.name);
  for (const std::string& name : topology_.item_names) item_names_.insert(name);
  drawing_.dim = topology_.dim;
  Triple low{1e300, 1e300, 1e300}, high{-1e300, -1e300, -1e300};
  for (const Slot& slot : topology_.slots) {
    if (slot.kind != SlotKind::point) continue;
    for (int i = 0; i < topology_.dim; ++i) {
      const double x = model.model.values.reference[slot.offset + i];
      low[i] = std::min(low[i], x), high[i] = std::max(high[i], x);
    }
  }
  for (const ContactSphere& sphere : model.contacts.spheres)
    for (int i = 0; i < topology_.dim; ++i) {
      const double x = model.model.values.reference[topology_.slots[sphere.slot].offset + i];
      low[i] = std::min(low[i], x - sphere.radius), high[i] = std::max(high[i], x + sphere.radius);
    }
  for (int i = topology_.dim; i < 3; ++i) low[i] = high[i] = 0;
  if (high[0] >= low[0] && norm(high - low) > 0) size_ = norm(high - low);
  if (high[0] >= low[0]) enclose_planes(low, high);
}

ItemPlace DrawingBuilder::item(const std::string& name) const {
  const ItemRef found = model_.item(name);
  return {found.batch, found.index};
}

bool DrawingBuilder::ties_joints(const Record& joint) const {
  return find_joint(joint.type, document_.dim)->ties_joints;
}

/// Joints that are relations alone have no items; loads along a cable have one per element.
bool DrawingBuilder::is_there(const Record& record) const {
  if (record.kind == "joint" && ties_joints(record))
    return joints_.contains(record.text("first")) && joints_.contains(record.text("second"));
  if (record.kind == "joint") return joints_.contains(record.name);
  const auto next = item_names_.lower_bound(record.path);
  return next != item_names_.end() && (*next == record.path || next->starts_with(record.path + ", "));
}

Drawable& DrawingBuilder::begin(Drawable::Kind kind, std::string name, std::string label) {
  Drawable& drawable = drawing_.drawables.emplace_back();
  drawable.kind = kind;
  if (const size_t dot = name.find('.'); dot != std::string::npos)
    if (const Record* part = document_.find(name.substr(0, dot), name.substr(dot + 1)))
      drawable.color = part->text("color");
  drawable.name = std::move(name);
  drawable.label = std::move(label);
  return drawable;
}

void DrawingBuilder::add_field_point(const DrawnForm& position, DrawnPlaces::FieldPoint point) {
  row(places_.point_position, position);
  places_.points.push_back(point);
  ++drawing_.field_points;
}

DrawnModel DrawingBuilder::build() {
  for (size_t k = 0; k < model_.cables.size(); ++k) add_cable(static_cast<int>(k));
  for (size_t k = 0; k < model_.plates.size(); ++k) add_plate(static_cast<int>(k));
  for (size_t k = 0; k < model_.bodies.size(); ++k) add_body(static_cast<int>(k));
  for (const auto& [name, slot] : model_.points)
    if (document_.find("sphere", name) == nullptr) add_point(name, slot);
  for (const ContactSphere& sphere : model_.contacts.spheres) add_sphere(sphere);
  for (const ContactPlane& plane : model_.contacts.planes) add_plane(plane);
  // Springs and motors of joints are drawn where their joints are, which come first.
  const auto each = [&](std::string_view kind, auto&& add) {
    for (const Record& record : document_.tables)
      if (record.kind == kind && (kind == "sensor" || is_there(record))) add(record);
  };
  each("mass", [&](const Record& record) { add_mass(record); });
  each("joint", [&](const Record& record) {
    if (!ties_joints(record)) add_joint(record);
  });
  each("joint", [&](const Record& record) {
    if (ties_joints(record)) add_gear(record);
  });
  each("spring", [&](const Record& record) { add_spring(record); });
  each("load", [&](const Record& record) { add_load(record); });
  each("sensor", [&](const Record& record) { add_sensor(record); });
  finish();
  return {std::move(drawing_), std::move(places_)};
}

}  // namespace detail

DrawnModel draw_model(const SceneDocument& document, const SceneModel& model) {
  DrawnModel drawn = detail::DrawingBuilder(document, model).build();
  drawn.drawing.fields = fields_of(model, drawn);
  return drawn;
}

}  // namespace flexura
