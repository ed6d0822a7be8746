// Points, masses, springs, rods, joints, gears and sensors.

#include <algorithm>
#include <cmath>
#include <numbers>

#include "flexura/report/drawing_builder.hpp"

namespace flexura::detail {

void DrawingBuilder::add_point(const std::string& name, int topology_slot) {
  const Record* record = document_.find("point", name);
  Drawable& point = begin(Drawable::Kind::point, "point." + name,
                          record != nullptr && record->boolean("fixed") ? "point ground" : "point");
  const DrawnForm form{{slot(topology_slot), 1.0}};
  row(point.position, form);
  point.field = drawing_.field_points;
  point.field_count = 1;
  add_field_point(form);
}

/// A ball of steel, of a size that can be seen.
void DrawingBuilder::add_mass(const Record& record) {
  const Place* at = record.get<Place>("at");
  const std::optional<DrawnPlace> found = at == nullptr ? std::nullopt : place(*at);
  if (!found) return;
  Drawable& point = begin(Drawable::Kind::point, record.path, "mass");
  row(point.position, found->form);
  constexpr double density = 7800;  // kg/m^3
  point.radius =
      std::clamp(std::cbrt(3 * record.number("m") / (4 * std::numbers::pi * density)), 0.006 * size_, 0.04 * size_);
  point.field = drawing_.field_points;
  point.field_count = 1;
  add_field_point(found->form);
}

void DrawingBuilder::add_line(const Record& record, std::string label, const std::vector<Place>& ends) {
  if (ends.size() != 2) return;
  const std::optional<DrawnPlace> a = place(ends[0]), b = place(ends[1]);
  if (!a || !b || a->form.empty() || b->form.empty()) return;
  Drawable& line = begin(Drawable::Kind::line, record.path, std::move(label));
  line.field = drawing_.field_points;
  line.field_count = 2;
  for (const DrawnPlace* end : {&*a, &*b}) {
    row(line.position, end->form);
    Drawing::FieldPoint point;
    point.between = item(record.path);
    add_field_point(end->form, point);
  }
}

void DrawingBuilder::add_spring(const Record& record) {
  const auto* between = record.get<std::vector<Place>>("between");
  if (record.type == "linear" && between != nullptr) {
    const bool is_damper = record.number("stiffness") == 0;
    return add_line(record, is_damper ? "damper linear" : "spring linear", *between);
  }
  if (record.type == "torsional" && between != nullptr) {
    for (const int s : {1, 0}) {
      const std::optional<DrawnPlace> at = place((*between)[s]);
      if (!at || at->form.empty()) continue;
      return row(begin(Drawable::Kind::joint, record.path, "spring torsional").position, at->form);
    }
    return;
  }
  const std::string* joint = record.get<std::string>("at");
  const std::optional<int> of = joint == nullptr ? std::nullopt : joint_drawable(*joint);
  if (!of) return;
  const SlotMap position = drawing_.drawables[*of].position, axis = drawing_.drawables[*of].tangent;
  Drawable& spring = begin(Drawable::Kind::joint, record.path, "spring joint");
  spring.position = position;
  spring.tangent = axis;
}

std::optional<int> DrawingBuilder::joint_drawable(const std::string& joint) const {
  for (size_t k = 0; k < drawing_.drawables.size(); ++k)
    if (drawing_.drawables[k].kind == Drawable::Kind::joint && drawing_.drawables[k].name == "joint." + joint)
      return static_cast<int>(k);
  return {};
}

void DrawingBuilder::add_joint(const Record& record) {
  const JointRow& type = *find_joint(record.type, document_.dim);
  if (type.is_term) {
    if (const auto* of = record.get<std::vector<Place>>("of")) add_line(record, "rod", *of);
    return;
  }
  const std::optional<std::array<DrawnPlace, 2>> at = sides(record);
  if (!at) return;
  const std::array<DrawnPlace, 2>& side = *at;
  const bool ground = side[0].ground || side[1].ground;
  // What slides is drawn where the second place is; what is held, where it is held.
  const int shown = type.slides() || side[0].ground ? (side[1].ground ? 0 : 1) : 0;
  Drawable& joint = begin(Drawable::Kind::joint, record.path, record.type + (ground ? " ground" : ""));
  row(joint.position, side[shown].form);

  Triple axis{};
  for (const char* key : {"axis", "normal"})
    if (const Numbers* n = record.get<Numbers>(key)) axis = triple(*n);
  if (const Points* axes = record.get<Points>("axes"); axes != nullptr && !axes->empty()) axis = triple((*axes)[0]);
  DrawnForm form;
  if (norm(axis) > 0) {
    form = direction(side[0], (1 / norm(axis)) * axis);
    if (form.empty()) form = direction(side[1], (1 / norm(axis)) * axis);
  } else if (type.coincide && type.keeps_turn) {
    for (const DrawnPlace& place : side)
      if (form.empty() && place.cable >= 0) form = on_cable(place.cable, place.element, place.xi, true);
  }
  if (!form.empty()) row(joint.tangent, form);
}

/// A gear has no place of its own: it ties two joints.
void DrawingBuilder::add_gear(const Record& record) {
  Drawable line;
  for (const char* key : {"first", "second"}) {
    const std::optional<int> joint = joint_drawable(record.text(key));
    if (!joint) return;
    const SlotMap& at = drawing_.drawables[*joint].position;
    for (size_t k = 0; k < at.slot.size(); ++k) line.position.add(at.slot[k], at.weight[k]);
    line.position.end_row();
  }
  begin(Drawable::Kind::line, record.path, "gear").position = line.position;
}

void DrawingBuilder::add_sensor(const Record& record) {
  std::vector<Place> places;
  if (const Place* at = record.get<Place>("at")) places = {*at};
  if (const auto* between = record.get<std::vector<Place>>("between")) places = *between;
  for (const Place& at : places) {
    const std::optional<DrawnPlace> found = place(at);
    if (!found || found->form.empty()) continue;
    row(begin(Drawable::Kind::sensor, record.path, record.type).position, found->form);
  }
}

}  // namespace flexura::detail
