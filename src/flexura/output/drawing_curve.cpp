// Cables and beams: samples of what their elements interpolate.

#include <algorithm>
#include <cmath>

#include "flexura/output/drawing_builder.hpp"

namespace flexura::detail {
namespace {

/// At least 8 per element, 16 where there are few, and not many more than 2000 in all.
int samples_per_element(size_t elements) {
  const auto n = static_cast<int>(elements);
  return std::min(std::clamp(160 / n, 8, 16), std::max(1, 2000 / n));
}

DrawnForm mean(const DrawnForm& a, const DrawnForm& b) {
  DrawnForm out;
  for (const DrawnForm* form : {&a, &b})
    for (const auto& [slot, weight] : *form) {
      const auto same = std::find_if(out.begin(), out.end(), [&](const auto& term) { return term.first == slot; });
      if (same != out.end())
        same->second += 0.5 * weight;
      else
        out.emplace_back(slot, 0.5 * weight);
    }
  return out;
}

/// At a share of its length.
SectionShape section_of(const CablePart& cable, double share) {
  const SectionLaw& law = cable.section->law;
  SectionShape out;
  if (const std::optional<SectionOutline>& outline = cable.section->outline) {
    const double factor = law.factor(share * cable.length);
    if (outline->type == SectionOutline::Type::rectangle) {
      out.type = SectionShape::Type::rectangle;
      out.width = factor * outline->height.at(share);  // along d1
      out.height = factor * outline->width.at(share);
    } else {
      out.radius = factor * outline->radius.at(share);
      if (outline->type == SectionOutline::Type::tube) {
        out.type = SectionShape::Type::tube;
        out.inner = std::max(0.0, out.radius - factor * outline->wall.at(share));
      }
    }
    return out;
  }
  // A solid round section has EI/EA = radius²/4.
  const SectionNumbers at = law.at(share, cable.length);
  out.is_nominal = true;
  const double round = at.EA > 0 ? 2 * std::sqrt(std::max(0.0, at.EI1 / at.EA)) : 0.0;
  out.radius = std::clamp(round, 0.005 * cable.length, 0.03 * cable.length);
  return out;
}

}  // namespace

void DrawingBuilder::add_cable(int index) {
  const CablePart& cable = machine_.cables[index];
  const bool is_beam = cable.has_axes();
  const std::string kind = is_beam ? "beam" : "cable";
  Drawable& curve = begin(Drawable::Kind::curve, kind + "." + cable.name, kind);
  curve.section = section_of(cable, 0);
  curve.field = drawing_.field_points;
  const int elements = static_cast<int>(cable.elements.size()),
            per_element = samples_per_element(cable.elements.size());
  for (int s = 0; s <= elements * per_element; ++s) {
    const int e = std::min(s / per_element, elements - 1);
    const double xi = static_cast<double>(s - e * per_element) / per_element;
    const bool at_node = s > 0 && s < elements * per_element && s % per_element == 0;
    const DrawnForm position = on_cable(index, e, xi, false);
    DrawnForm tangent = on_cable(index, e, xi, true);
    if (at_node) tangent = mean(on_cable(index, e - 1, 1.0, true), tangent);
    row(curve.position, position);
    row(curve.tangent, tangent);
    if (is_beam) {
      row(curve.second, director(index, e, xi, 0));
      row(curve.third, director(index, e, xi, 1));
    }
    DrawnPlaces::FieldPoint point;
    point.inside.push_back(item(cable.elements[e].name));
    point.inside.back().where = xi;
    if (at_node) {
      point.inside.push_back(item(cable.elements[e - 1].name));
      point.inside.back().where = 1;
    }
    point.cable = index;
    point.along = (e + xi) / elements;
    const SectionShape section = section_of(cable, point.along);
    const bool flat = section.type == SectionShape::Type::rectangle;
    point.size = {flat ? section.width : section.radius, flat ? section.height : section.inner};
    if (flat ? section.width > curve.section.width : section.radius > curve.section.radius) curve.section = section;
    if (cable.section->law.tapers()) curve.sizes.insert(curve.sizes.end(), point.size.begin(), point.size.end());
    add_field_point(position, point);
  }
  curve.field_count = curve.position.size();
}

}  // namespace flexura::detail
