// Places of a machine as combinations of slots.

#include <algorithm>
#include <cmath>

#include "flexura/output/drawing_builder.hpp"
#include "flexura/part/forms.hpp"

namespace flexura::detail {
namespace {

constexpr std::uint32_t fixed_mark = 0x80000000u;

/// factor · form, added.
void add(DrawnForm& sum, const DrawnForm& form, double factor) {
  for (const auto& [slot, weight] : form) {
    const auto same = std::find_if(sum.begin(), sum.end(), [&](const auto& term) { return term.first == slot; });
    if (same != sum.end())
      same->second += factor * weight;
    else
      sum.emplace_back(slot, factor * weight);
  }
}

}  // namespace

std::uint32_t DrawingBuilder::slot(int topology_slot) {
  const auto [at, fresh] = slot_index_.emplace(topology_slot, static_cast<std::uint32_t>(drawing_.slots.size()));
  if (!fresh) return at->second;
  const Slot& moving = topology_.slots[topology_slot];
  Drawing::MovingSlot& drawn = drawing_.slots.emplace_back();
  drawn.offset = moving.offset;
  drawn.is_vector = moving.kind != SlotKind::point;
  std::copy_n(&machine_.model.values.reference[moving.offset], std::min(moving.size, 3), drawn.reference.begin());
  return at->second;
}

/// Marked until all slots are known: they come behind those that move.
std::uint32_t DrawingBuilder::fixed(const Triple& x) {
  const auto same = std::find(drawing_.fixed.begin(), drawing_.fixed.end(), x);
  const auto index = static_cast<std::uint32_t>(same - drawing_.fixed.begin());
  if (same == drawing_.fixed.end()) drawing_.fixed.push_back(x);
  return fixed_mark | index;
}

void DrawingBuilder::finish() {
  const auto moving = static_cast<std::uint32_t>(drawing_.slots.size());
  const auto renumber = [&](SlotMap& map) {
    for (std::uint32_t& s : map.slot)
      if ((s & fixed_mark) != 0) s = moving + (s & ~fixed_mark);
  };
  for (Drawable& drawable : drawing_.drawables)
    for (SlotMap* map : {&drawable.position, &drawable.tangent, &drawable.second, &drawable.third}) renumber(*map);
  renumber(places_.point_position);
}

void DrawingBuilder::row(SlotMap& map, const DrawnForm& form) {
  for (const auto& [slot, weight] : form)
    if (weight != 0) map.add(slot, weight);
  map.end_row();
}

Triple DrawingBuilder::reference_of(const DrawnForm& form) const {
  Triple x{};
  for (const auto& [s, weight] : form)
    x = x + weight * ((s & fixed_mark) != 0 ? drawing_.fixed[s & ~fixed_mark] : drawing_.slots[s].reference);
  return x;
}

/// Forms of places are the same in all directions of space: a weight a slot.
DrawnForm DrawingBuilder::drawn(const LinearForm& form) {
  DrawnForm out;
  for (const LinearTerm& term : form.terms) out.emplace_back(slot(term.slot), term.matrix[0]);
  return out;
}

DrawnForm DrawingBuilder::on_body(int index, const Triple& local, bool is_point) {
  return drawn(body_form(machine_.bodies[index], local, is_point, topology_.dim));
}

/// r(ξ), or dr/dS with S the length in the reference.
DrawnForm DrawingBuilder::on_cable(int index, int e, double xi, bool tangent) {
  const CablePart& cable = machine_.cables[index];
  if (!tangent) return drawn(cable_point(cable, e, xi, topology_.dim));
  DrawnForm form = drawn(cable_slope(cable, e, xi, topology_.dim));
  const double length = norm(reference_of(form));
  for (auto& term : form) term.second /= length;
  return form;
}

DrawnForm DrawingBuilder::director(int index, int e, double xi, int i) {
  return drawn(beam_director(machine_.cables[index], e, xi, i));
}

DrawnPlace DrawingBuilder::place(const MaterialPlace& at) {
  if (at.on != DrawnPlace::On::ground) return {at, drawn(form_at(machine_, at, Carried::point))};
  return {at, at.is_whole ? DrawnForm{} : DrawnForm{{fixed(at.local), 1.0}}};
}

std::vector<DrawnPlace> DrawingBuilder::places(const std::vector<MaterialPlace>& all) {
  std::vector<DrawnPlace> out;
  for (const MaterialPlace& at : all) out.push_back(place(at));
  if (out.size() != 2) return out;
  for (const int s : {0, 1})
    if (out[s].on_ground() && out[s].form.empty()) out[s].form = {{fixed(reference_of(out[1 - s].form)), 1.0}};
  return out;
}

DrawnForm DrawingBuilder::direction(const DrawnPlace& place, const Triple& n) {
  const MaterialPlace& at = place.at;
  if (place.on_ground()) return {{fixed(n), 1.0}};
  if (at.on == DrawnPlace::On::body)
    return on_body(at.part, machine_.bodies[at.part].spec->reference.turned_back(n), false);
  if (at.on != DrawnPlace::On::cable) return {};
  DrawnForm form;
  if (!machine_.cables[at.part].has_axes()) {  // along the tangent only
    const DrawnForm tangent = on_cable(at.part, at.element, at.xi, true);
    const double along = dot(reference_of(tangent), n);
    if (std::fabs(along) > 1 - 1e-9) add(form, tangent, along);
    return form;
  }
  for (int i = 0; i < 3; ++i) {
    const DrawnForm d = director(at.part, at.element, at.xi, i);
    add(form, d, dot(reference_of(d), n));
  }
  return form;
}

}  // namespace flexura::detail
