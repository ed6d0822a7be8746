// [sphere.NAME], [plane.NAME], [contact.NAME].

#include <numbers>

#include "flexura/scene/specify.hpp"

namespace flexura::detail {

std::optional<SphereSpec> sphere_spec(const Specifier& with, const Record& record) {
  const size_t before = with.problems.count();
  SphereSpec spec;
  spec.origin = origin_of(record);
  spec.name = record.name;
  spec.radius = record.number("radius");
  if (record.has("m") && record.has("density"))
    with.wrong(record, "density", "the mass is given twice, by \"m\" and by \"density\"");
  if (record.has("m")) spec.mass = record.number("m");
  if (record.has("density"))
    spec.mass = record.number("density") * 4 / 3 * std::numbers::pi * spec.radius * spec.radius * spec.radius;
  if (const Place* at = record.get<Place>("at")) spec.at = *at;
  if (const Place* nodes = record.get<Place>("nodes")) spec.nodes = *nodes;
  if (spec.at && spec.nodes) with.wrong(record, "nodes", "`at` says where it is already: give one of both");
  for (const char* key : {"position", "velocity", "m", "density"})
    if (spec.nodes && record.has(key))
      with.wrong(record, key, "the solid says where its nodes are, how they move and how heavy they are");
  for (const char* key : {"position", "velocity"})
    if (spec.at && record.has(key)) with.wrong(record, key, "`at` says where it is, and its part how it moves");
  if (!spec.at && !spec.nodes && !record.has("position"))
    with.wrong(record, "",
               "where is it? Give \"position\", a place of a part, \"at\", or a face of a solid, \"nodes\"");
  spec.position = vector_of(record, "position").value_or(Triple{});
  spec.velocity = vector_of(record, "velocity");
  spec.color = record.text("color");
  if (with.problems.count() > before) return {};
  return spec;
}

std::optional<PlaneSpec> plane_spec(const Specifier&, const Record& record) {
  return PlaneSpec{origin_of(record), record.name, vector_of(record, "point").value_or(Triple{}),
                   vector_of(record, "normal").value_or(Triple{}), record.text("color")};
}

std::optional<ContactSpec> contact_spec(const Specifier&, const Record& record) {
  const auto* between = record.get<std::vector<NamePattern>>("between");
  if (between == nullptr) return {};
  return ContactSpec{origin_of(record), record.name, *between, record.number("restitution")};
}

}  // namespace flexura::detail
