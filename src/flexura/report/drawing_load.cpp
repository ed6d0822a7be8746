// Loads as arrows: each place that a load acts on is one, with what the term does to its slots there as its vector.

#include <algorithm>

#include "flexura/report/drawing_builder.hpp"

namespace flexura::detail {
namespace {

using Kind = Drawing::Quantity::Kind;

constexpr int most_arrows = 16;  ///< of a load on a cable or plate

}  // namespace

void DrawingBuilder::add_arrow(const Record& record, DrawnForm at, Drawing::Quantity quantity) {
  const bool is_moment = quantity.unit == "N m";
  const int index = static_cast<int>(drawing_.quantities.size());
  quantity.name = record.path;
  drawing_.quantities.push_back(std::move(quantity));
  Drawable& arrow = begin(Drawable::Kind::arrow, record.path, record.type);
  row(arrow.position, at);
  arrow.quantity = index;
  arrow.is_moment = is_moment;
}

/// One arrow for some elements of a cable or plate, with the sum of their forces, in the middle of them or of one of them.
void DrawingBuilder::add_over_elements(const Record& record, const std::string& part) {
  const auto cable = cables_.find(part), plate = plates_.find(part);
  const bool on_cables = cable != cables_.end();
  if (!on_cables && plate == plates_.end()) return;
  std::vector<std::string> names;
  if (on_cables) {
    for (const ElementRef& element : model_.cables[cable->second].elements) names.push_back(element.name);
  } else {
    for (const PlateElement& element : model_.plates[plate->second].model.elements) names.push_back(element.name);
  }
  const int n = static_cast<int>(names.size()), arrows = std::min(n, most_arrows);
  const TermInfo& term = *record.variant->term;
  for (int k = 0; k < arrows; ++k) {
    const int first = k * n / arrows, end = (k + 1) * n / arrows;
    Drawing::Quantity quantity;
    quantity.unit = "N";
    for (int e = first; e < end; ++e) quantity.items.push_back(item(record.path + ", " + names[e]));
    for (size_t s = 0; s < term.slots.size(); ++s)
      if (term.slots[s] == SlotKind::point) quantity.slots.push_back(static_cast<int>(s));
    const int middle = (first + end) / 2;
    const bool between = (end - first) % 2 == 0;  // two elements meet in the middle
    DrawnForm at = on_cables
                       ? on_cable(cable->second, middle, between ? 0.0 : 0.5, false)
                       : drawn(plate_form(model_.plates[plate->second],
                                          {.on = MaterialPlace::On::plate, .element = middle, .xi = 0.5, .eta = 0.5},
                                          Carried::point));
    add_arrow(record, std::move(at), std::move(quantity));
  }
}

/// What a motor does about or along the axis of a joint.
void DrawingBuilder::add_effort(const Record& record, const std::string& name) {
  const std::optional<int> joint = joint_drawable(name);
  const Record* of = document_.find("joint", name);
  if (!joint || of == nullptr) return;
  const JointRow& type = *find_joint(of->type, document_.dim);
  const bool turns = type.has_angle && !(type.has_displacement && record.text("coordinate") == "displacement");
  Drawing::Quantity quantity;
  quantity.kind = Kind::along_axis;
  quantity.unit = turns ? "N m" : "N";
  quantity.items = {item(record.path)};
  quantity.slots = {0};
  quantity.drawable = *joint;
  const SlotMap position = drawing_.drawables[*joint].position;
  add_arrow(record, {}, std::move(quantity));
  drawing_.drawables.back().position = position;
}

/// A chamber lies between two places of one cable.
void DrawingBuilder::note_chamber(const Record& record) {
  const auto* between = record.get<std::vector<Place>>("between");
  if (record.type != "pneumatic" || between == nullptr || between->size() != 2) return;
  const std::optional<DrawnPlace> a = place((*between)[0]), b = place((*between)[1]);
  if (!a || !b || a->cable < 0 || a->cable != b->cable) return;
  const auto share = [&](const DrawnPlace& at) {
    return (at.element + at.xi) / static_cast<double>(model_.cables[at.cable].elements.size());
  };
  const double first = share(*a), second = share(*b), margin = 1e-9;
  drawing_.chambers.push_back(
      {record.name, item(record.path), a->cable, std::min(first, second) - margin, std::max(first, second) + margin});
}

void DrawingBuilder::add_load(const Record& record) {
  const TermInfo& term = *record.variant->term;
  if (const std::string* part = record.get<std::string>("on")) return add_over_elements(record, *part);
  note_chamber(record);
  std::vector<std::pair<std::string_view, int>> done;
  for (size_t first = 0; first < term.slots.size(); ++first) {
    const SlotSource& source = term.scene.sources[first];
    const std::pair<std::string_view, int> where{source.key, source.index};
    if (term.slots[first] == SlotKind::signal || std::find(done.begin(), done.end(), where) != done.end()) continue;
    done.push_back(where);
    if (term.slots[first] == SlotKind::scalar) {
      if (const std::string* joint = record.get<std::string>(source.key)) add_effort(record, *joint);
      continue;
    }
    const Place* single = record.get<Place>(source.key);
    const auto* list = record.get<std::vector<Place>>(source.key);
    if (single == nullptr && (list == nullptr || source.index >= static_cast<int>(list->size()))) continue;
    const std::optional<DrawnPlace> at = place(single != nullptr ? *single : (*list)[source.index]);
    if (!at || at->form.empty()) continue;
    Drawing::Quantity force, moment;
    force.unit = "N";
    moment.unit = "N m";
    moment.kind = Kind::moment;
    for (size_t s = 0; s < term.slots.size(); ++s) {
      if (term.scene.sources[s].key != source.key || term.scene.sources[s].index != source.index) continue;
      if (term.slots[s] == SlotKind::point) force.slots.push_back(static_cast<int>(s));
      if (term.slots[s] == SlotKind::vector) moment.slots.push_back(static_cast<int>(s));
    }
    force.items = moment.items = {item(record.path)};
    const bool only_turns = record.type == "follower_force";  // its vector says which way, and carries nothing
    if (!force.slots.empty()) add_arrow(record, at->form, std::move(force));
    if (!moment.slots.empty() && !only_turns) add_arrow(record, at->form, std::move(moment));
  }
}

}  // namespace flexura::detail
