#include "flexura/observe/quantity.hpp"

#include <algorithm>

#include "flexura/observe/body_motion.hpp"
#include "flexura/observe/sensor.hpp"

namespace flexura {
namespace {

std::vector<Quantity> all_chapters() {
  std::vector<Quantity> rows;
  for (const auto chapter :
       {detail::place_quantities(), detail::body_quantities(), detail::section_quantities(), detail::joint_quantities(),
        detail::contact_quantities(), detail::chamber_quantities(), detail::constraint_quantities(),
        detail::model_quantities(), detail::wall_quantities(), detail::solid_quantities()})
    rows.insert(rows.end(), chapter.begin(), chapter.end());
  return rows;
}

}  // namespace

std::span<const Quantity> quantities() {
  static const std::vector<Quantity> rows = all_chapters();
  return rows;
}

std::span<const Quantity* const> drawn_quantities() {
  static const std::vector<const Quantity*> rows = [] {
    std::vector<const Quantity*> drawn;
    for (const Quantity& quantity : quantities())
      if (quantity.drawn.order > 0) drawn.push_back(&quantity);
    std::stable_sort(drawn.begin(), drawn.end(),
                     [](const Quantity* a, const Quantity* b) { return a->drawn.order < b->drawn.order; });
    return drawn;
  }();
  return rows;
}

const Quantity* find_quantity(std::string_view name) {
  const std::span<const Quantity> rows = quantities();
  const auto found = std::find_if(rows.begin(), rows.end(), [&](const Quantity& q) { return q.name == name; });
  return found == rows.end() ? nullptr : &*found;
}

int Selection::find(std::string_view name) const {
  const auto found = std::find_if(choices.begin(), choices.end(), [&](const NamedChoice& c) { return c.name == name; });
  return found == choices.end() ? 0 : static_cast<int>(found - choices.begin());
}

std::vector<ChannelColumn> columns_of(const SensorSpec& sensor, int dim) {
  const Quantity& q = *sensor.quantity;
  const std::string name(q.name), unit(q.unit), doc(q.doc);
  switch (q.shape) {
    case Shape::vector:
      return {vector_column(dim, name, unit, doc)};
    case Shape::turning:
      if (dim == 3) return {vector_column(dim, name, unit, doc)};
      break;
    case Shape::frame:
      return frame_columns(dim, doc);
    case Shape::multipliers:
      return {{name, {sensor.multipliers.size()}, unit, doc}};
    case Shape::violation:
      return {{"position", {}, "1", "largest |Phi|, in its own unit"}, {"rate", {}, "1/s", "largest |dPhi/dt|"}};
    case Shape::tensor:
      return {{name, {3}, unit, doc, "wall", {"11", "22", "12"}}};
    case Shape::space_tensor:
      return {{name, {6}, unit, doc, "world", {"xx", "yy", "zz", "yz", "xz", "xy"}}};
    case Shape::principal:
      return {{name, {3}, unit, doc, "", {"1", "2", "3"}}};
    case Shape::section_force:
      return {{name, {3}, unit, doc, "section", {"N", "V1", "V2"}}};
    case Shape::section_moment:
      return {{name, {3}, unit, doc, "section", {"T", "M1", "M2"}}};
    case Shape::scalar:
      break;
  }
  return {{name, {}, unit, doc}};
}

int number_count(const Quantity& quantity, const SensorPlace& place, int dim) {
  switch (quantity.shape) {
    case Shape::vector:
      return dim;
    case Shape::turning:
      return dim == 3 ? 3 : 1;
    case Shape::frame:
      return frame_numbers(dim);
    case Shape::multipliers:
      return static_cast<int>(place.multipliers.size());
    case Shape::violation:
      return 2;
    case Shape::space_tensor:
      return 6;
    case Shape::tensor:
    case Shape::principal:
    case Shape::section_force:
    case Shape::section_moment:
      return 3;
    case Shape::scalar:
      break;
  }
  return 1;
}

int number_count(const SensorSpec& sensor, int dim) { return number_count(*sensor.quantity, sensor, dim); }

std::vector<std::string> number_names(const SensorSpec& sensor, int dim) {
  std::vector<std::string> names;
  const std::vector<ChannelColumn> columns = columns_of(sensor, dim);
  for (const ChannelColumn& column : columns)
    for (std::uint64_t i = 0; i < column.size(); ++i) {
      const std::string own = !column.components.empty() ? column.components[i % column.components.size()]
                              : column.size() > 1        ? std::to_string(i + 1)
                                                         : std::string();
      const bool several = columns.size() > 1;
      names.push_back(!several ? own : own.empty() ? column.name : column.name + "_" + own);
    }
  return names;
}

}  // namespace flexura
