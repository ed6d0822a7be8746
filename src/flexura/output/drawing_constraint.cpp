// Lines whose length is kept, thin curves along their elements. Surfaces are drawn as the parts that they belong to.

#include <algorithm>
#include <map>
#include <vector>

#include "flexura/output/drawing_builder.hpp"
#include "flexura/part/forms.hpp"

namespace flexura::detail {
namespace {

/// An edge of a line, as it is or walked from its end.
struct Walked {
  const KeptElement* edge;
  bool is_turned;
  double at(double share) const { return is_turned ? 1 - share : share; }
};

/// Slots of the points at its ends.
int end_of(const KeptElement& edge, bool first) {
  const bool has_gradients = edge.slots.size() == 4;
  return first ? edge.slots.front() : has_gradients ? edge.slots[2] : edge.slots.back();
}

/// Edges that follow each other, as far as they do.
std::vector<std::vector<Walked>> lines_of(const KeptPart& kept) {
  std::multimap<int, size_t> around;
  for (size_t k = 0; k < kept.elements.size(); ++k)
    for (const bool first : {true, false}) around.emplace(end_of(kept.elements[k], first), k);
  std::vector<char> is_taken(kept.elements.size(), 0);
  std::vector<std::vector<Walked>> lines;
  const auto walk = [&](size_t k, int from) {
    std::vector<Walked>& line = lines.emplace_back();
    for (bool goes_on = true; goes_on;) {
      const KeptElement& edge = kept.elements[k];
      is_taken[k] = 1;
      line.push_back({&edge, end_of(edge, true) != from});
      from = end_of(edge, line.back().is_turned);
      goes_on = false;
      const auto [first, last] = around.equal_range(from);
      for (auto next = first; next != last && !goes_on; ++next)
        if (!is_taken[next->second]) k = next->second, goes_on = true;
    }
  };
  // From loose ends first, then around what is closed.
  for (size_t k = 0; k < kept.elements.size(); ++k)
    for (const bool first : {true, false})
      if (const int end = end_of(kept.elements[k], first); !is_taken[k] && around.count(end) == 1) walk(k, end);
  for (size_t k = 0; k < kept.elements.size(); ++k)
    if (!is_taken[k]) walk(k, end_of(kept.elements[k], true));
  return lines;
}

}  // namespace

void DrawingBuilder::add_kept(const KeptPart& kept) {
  if (kept.is_area) return;
  constexpr int per_element = 8;
  for (const std::vector<Walked>& line : lines_of(kept)) {
    Drawable& curve = begin(Drawable::Kind::curve, "constraint." + kept.name, "length");
    curve.section.is_nominal = true;
    curve.section.radius = 0.004 * size_;
    curve.field = drawing_.field_points;
    const int elements = static_cast<int>(line.size());
    for (int s = 0; s <= elements * per_element; ++s) {
      const int e = std::min(s / per_element, elements - 1);
      const double xi = line[e].at(static_cast<double>(s - e * per_element) / per_element);
      const DrawnForm position = drawn(edge_form(*line[e].edge, xi, false, topology_.dim));
      DrawnForm tangent = drawn(edge_form(*line[e].edge, xi, true, topology_.dim));
      for (auto& [slot, weight] : tangent) weight *= line[e].is_turned ? -1 : 1;
      row(curve.position, position);
      row(curve.tangent, tangent);
      add_field_point(position);
    }
    curve.field_count = curve.position.size();
  }
}

}  // namespace flexura::detail
