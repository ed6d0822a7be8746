// Joints, gears and sensors.

#include <limits>

#include "flexura/output/drawing_builder.hpp"
#include "flexura/part/joint_types.hpp"

namespace flexura::detail {

std::optional<int> DrawingBuilder::joint_drawable(const std::string& joint) const {
  for (size_t k = 0; k < drawing_.drawables.size(); ++k)
    if (drawing_.drawables[k].kind == Drawable::Kind::joint && drawing_.drawables[k].name == "joint." + joint)
      return static_cast<int>(k);
  return {};
}

/// Of a face of a solid the node that is nearest to its middle, which itself may lie beside the material.
DrawnForm DrawingBuilder::on_material(const DrawnPlace& place) {
  if (place.at.on != DrawnPlace::On::solid || place.at.set < 0) return place.form;
  const Triple middle = reference_of(place.form);
  DrawnForm nearest = place.form;
  double least = std::numeric_limits<double>::infinity();
  for (const int node : place.at.nodes) {
    const DrawnForm here{{slot(machine_.solids[place.at.part].model.nodes[node]), 1.0}};
    const double away = norm(reference_of(here) - middle);
    if (away < (1 - 1e-9) * least) least = away, nearest = here;
  }
  return nearest;
}

void DrawingBuilder::add_joint(const JointPart& part) {
  const JointRow& type = *find_joint(part.type, topology_.dim);
  const JointSpec& spec = *part.spec;
  const std::vector<DrawnPlace> side = places({part.places.begin(), part.places.end()});
  const bool ground = side[0].on_ground() || side[1].on_ground();
  // What slides is drawn where the second place is; what is held, where it is held.
  const int shown = type.slides() || side[0].on_ground() ? (side[1].on_ground() ? 0 : 1) : 0;
  Drawable& joint = begin(Drawable::Kind::joint, "joint." + part.name, part.type + (ground ? " ground" : ""));
  row(joint.position, on_material(side[shown]));

  Triple axis = spec.axis.value_or(Triple{});
  if (!spec.axes.empty()) axis = spec.axes[0];
  DrawnForm form;
  if (norm(axis) > 0) {
    form = direction(side[0], (1 / norm(axis)) * axis);
    if (form.empty()) form = direction(side[1], (1 / norm(axis)) * axis);
  } else if (type.coincide && type.keeps_turn) {
    for (const auto& [at, position] : side)
      if (form.empty() && at.on == MaterialPlace::On::cable) form = on_cable(at.part, at.element, at.xi, true);
  }
  if (!form.empty()) row(joint.tangent, form);
}

std::vector<DrawnPlace> DrawingBuilder::ends_of_truss(const std::string& name) {
  const auto found = std::find_if(machine_.terms.begin(), machine_.terms.end(), [&](const TermPart& part) {
    return part.spec->term->scene.table == "truss" && part.spec->name == name;
  });
  if (found == machine_.terms.end() || found->places.empty() || found->places[0].size() != 2) return {};
  std::vector<DrawnPlace> ends{place(found->places[0][0]), place(found->places[0][1])};
  return ends[0].form.empty() || ends[1].form.empty() ? std::vector<DrawnPlace>() : ends;
}

/// A gear has no place of its own: it ties two joints, or lengths of trusses.
void DrawingBuilder::add_gear(const GearPart& part) {
  Drawable line;
  for (const std::string& name : part.joints) {
    const std::optional<int> joint = joint_drawable(name);
    if (!joint) {
      const std::vector<DrawnPlace> ends = ends_of_truss(name);
      if (ends.empty()) return;
      row(line.position, ends[1].form);
      continue;
    }
    const SlotMap& at = drawing_.drawables[*joint].position;
    for (size_t k = 0; k < at.slot.size(); ++k) line.position.add(at.slot[k], at.weight[k]);
    line.position.end_row();
  }
  begin(Drawable::Kind::line, "joint." + part.name, "gear").position = line.position;
}

void DrawingBuilder::add_sensor(const SensorSpec& sensor) {
  for (const MaterialPlace& at : sensor.at) {
    const DrawnPlace found = place(at);
    if (found.form.empty()) continue;
    row(begin(Drawable::Kind::sensor, "sensor." + sensor.name, std::string(sensor.quantity->name)).position,
        found.form);
  }
}

}  // namespace flexura::detail
