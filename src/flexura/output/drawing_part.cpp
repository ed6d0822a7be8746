// Points, masses, springs and rods.

#include <algorithm>
#include <cmath>
#include <numbers>

#include "flexura/output/drawing_builder.hpp"

namespace flexura::detail {
namespace {

std::string spring_label(const TermSpec& spec) {
  const bool is_damper = spec.number("stiffness") == 0;
  return (is_damper ? "damper " : "spring ") + std::string(spec.term->scene.type);
}

bool pulls(const TermInfo& term) {
  return std::all_of(term.slots.begin(), term.slots.end(), [](SlotKind kind) { return kind == SlotKind::point; });
}

}  // namespace

/// Spheres are drawn as such.
void DrawingBuilder::add_point(const PointPart& part) {
  const std::vector<ContactSphere>& spheres = machine_.contacts.spheres;
  const auto is_it = [&](const ContactSphere& sphere) { return sphere.name == part.name; };
  if (std::any_of(spheres.begin(), spheres.end(), is_it)) return;
  Drawable& point = begin(Drawable::Kind::point, "point." + part.name, part.fixed ? "point ground" : "point");
  const DrawnForm form{{slot(part.slot), 1.0}};
  row(point.position, form);
  point.field = drawing_.field_points;
  point.field_count = 1;
  add_field_point(form);
}

/// A ball of steel, of a size that can be seen.
void DrawingBuilder::add_mass(const TermPart& part) {
  if (part.places.empty()) return;
  const DrawnPlace found = place(part.places[0][0]);
  Drawable& point = begin(Drawable::Kind::point, part.spec->origin.path, "mass");
  row(point.position, found.form);
  constexpr double density = 7800;  // kg/m^3
  point.radius =
      std::clamp(std::cbrt(3 * part.spec->number("m") / (4 * std::numbers::pi * density)), 0.006 * size_, 0.04 * size_);
  point.field = drawing_.field_points;
  point.field_count = 1;
  add_field_point(found.form);
}

void DrawingBuilder::add_line(const TermPart& part, std::string label) {
  if (part.places.empty() || part.places[0].size() != 2) return;
  const DrawnPlace ends[] = {place(part.places[0][0]), place(part.places[0][1])};
  if (ends[0].form.empty() || ends[1].form.empty()) return;
  const std::string& path = part.spec->origin.path;
  Drawable& line = begin(Drawable::Kind::line, path, std::move(label));
  line.field = drawing_.field_points;
  line.field_count = 2;
  for (const DrawnPlace& end : ends) {
    row(line.position, end.form);
    DrawnPlaces::FieldPoint point;
    point.between = item(path);
    add_field_point(end.form, point);
  }
}

/// What pulls at two points is a line; what turns is drawn at its second place, or where its joint is.
void DrawingBuilder::add_spring(const TermPart& part) {
  const TermSpec& spec = *part.spec;
  const std::string& path = spec.origin.path;
  const std::string label = "spring " + std::string(spec.term->scene.type);
  if (!part.places.empty() && pulls(*spec.term)) return add_line(part, spring_label(spec));
  if (!part.places.empty()) {
    DrawnPlace at = place(part.places[0].back());
    if (at.form.empty()) at = place(part.places[0].front());
    if (!at.form.empty()) row(begin(Drawable::Kind::joint, path, label).position, at.form);
    return;
  }
  if (spec.joints.empty()) return;
  const std::optional<int> of = joint_drawable(spec.joints[0].second);
  if (const std::vector<DrawnPlace> ends = ends_of_truss(spec.joints[0].second); !of && !ends.empty()) {
    Drawable& spring = begin(Drawable::Kind::line, path, label);
    for (const DrawnPlace& end : ends) row(spring.position, end.form);
    return;
  }
  if (!of) return;
  const SlotMap position = drawing_.drawables[*of].position, axis = drawing_.drawables[*of].tangent;
  Drawable& spring = begin(Drawable::Kind::joint, path, label);
  spring.position = position;
  spring.tangent = axis;
}

}  // namespace flexura::detail
