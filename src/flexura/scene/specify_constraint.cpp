// [constraint.NAME].

#include "flexura/base/nearest_name.hpp"
#include "flexura/scene/specify.hpp"

namespace flexura::detail {

std::optional<ConstraintSpec> constraint_spec(const Specifier& with, const Record& record) {
  const auto *at = record.get<std::vector<Place>>("at"), *between = record.get<std::vector<Place>>("between");
  const auto* on = record.get<std::vector<NamePattern>>("on");
  if (at == nullptr && between == nullptr && on == nullptr) {
    with.wrong(record, "", "of what? Give " + list_of(record.variant->at_least_one));
    return {};
  }
  ConstraintSpec spec;
  spec.origin = origin_of(record);
  spec.name = record.name;
  spec.type = record.type == "area" ? ConstraintSpec::Type::area : ConstraintSpec::Type::length;
  if (on != nullptr) spec.on = *on;
  if (at != nullptr) spec.at = *at;
  if (between != nullptr) spec.between = *between;
  spec.measure =
      record.text("measure") == "quadratic" ? ConstraintSpec::Measure::quadratic : ConstraintSpec::Measure::arc;
  spec.each = record.boolean("each");
  if (record.has("change")) spec.change = signal_of(with, record, "change");
  return spec;
}

}  // namespace flexura::detail
