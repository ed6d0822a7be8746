// Registered terms that a scene names directly: keys to places, joints, signals, parameters and options.

#include <algorithm>

#include "flexura/scene/specify.hpp"

namespace flexura::detail {
namespace {

std::vector<int> options_of(const Record& record) {
  std::vector<int> options;
  for (const Option& option : record.variant->term->options) {
    const std::string wanted = record.text(option.name);
    const auto found = std::find(option.choices.begin(), option.choices.end(), wanted);
    options.push_back(found == option.choices.end() ? 0 : static_cast<int>(found - option.choices.begin()));
  }
  return options;
}

void add_sources(const Specifier& with, const Record& record, TermSpec& spec) {
  for (const auto& [key, value] : record.values) {
    if (const Place* place = value.get<Place>()) spec.places.push_back({key, {*place}});
    if (const auto* places = value.get<std::vector<Place>>()) spec.places.push_back({key, *places});
    if (value.get<SignalIndex>() != nullptr) spec.signals.emplace_back(key, signal_of(with, record, key));
  }
  for (size_t a = 0; a < spec.term->slots.size(); ++a) {
    const std::string_view key = spec.term->scene.sources[a].key;
    if (spec.term->slots[a] != SlotKind::scalar || key.empty()) continue;
    if (const std::string* joint = record.get<std::string>(key)) spec.joints.emplace_back(key, *joint);
  }
}

void add_numbers(const Record& record, TermSpec& spec) {
  for (const Field& field : spec.term->fields) {
    if (field.is_law || !record.has(field.name)) continue;
    const Numbers* numbers = record.get<Numbers>(field.name);
    spec.numbers.emplace_back(field.name, numbers != nullptr ? *numbers : Numbers{record.number(field.name)});
  }
}

}  // namespace

TermSpec term_spec(const Specifier& with, const Record& record) {
  TermSpec spec;
  spec.origin = origin_of(record);
  spec.name = record.name;
  spec.term = record.variant->term;
  spec.on = record.text("on");
  add_sources(with, record, spec);
  add_numbers(record, spec);
  spec.options = options_of(record);
  spec.relaxation = relaxation_of(record);
  spec.acts = signal_of(with, record, {});
  spec.law = with.scene.law_of(record);
  if (record.text("coordinate") == "displacement") spec.coordinate = JointCoordinate::displacement;
  spec.begins_later = record.has("from");
  return spec;
}

}  // namespace flexura::detail
