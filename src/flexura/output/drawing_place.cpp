// Places of a scene as combinations of slots.

#include <algorithm>
#include <cmath>

#include "flexura/output/drawing_builder.hpp"
#include "flexura/scene/placement.hpp"

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
  std::copy_n(&model_.model.values.reference[moving.offset], std::min(moving.size, 3), drawn.reference.begin());
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
  return drawn(body_form(model_.bodies[index], local, is_point, topology_.dim));
}

RigidFrame DrawingBuilder::pose_of(int index) const {
  std::vector<Problem> problems;
  RigidFrame frame;
  const auto placement = placement_of(*model_.body_records[index], topology_.dim, problems);
  if (!placement) return frame;
  frame.origin = placement->p;
  for (int k = 0; k < 3; ++k)
    for (int i = 0; i < 3; ++i) frame.axes[k][i] = placement->R[3 * i + k];
  return frame;
}

/// r(ξ), or dr/dS with S the length in the reference.
DrawnForm DrawingBuilder::on_cable(int index, int e, double xi, bool tangent) {
  const CablePart& cable = model_.cables[index];
  if (!tangent) return drawn(cable_point(cable, e, xi, topology_.dim));
  DrawnForm form = drawn(cable_slope(cable, e, xi, topology_.dim));
  const double length = norm(reference_of(form));
  for (auto& term : form) term.second /= length;
  return form;
}

DrawnForm DrawingBuilder::director(int index, int e, double xi, int i) {
  return drawn(beam_director(model_.cables[index], e, xi, i));
}

std::optional<DrawnPlace> DrawingBuilder::place(const Place& at, int depth) {
  if (depth > 20) return {};
  for (const char* kind : {"mass", "sphere"})
    if (const Record* on_part = document_.find(kind, at.part)) {
      if (const Place* of = on_part->get<Place>("at")) return place(*of, depth + 1);
      if (!points_.contains(at.part)) return {};
    }
  DrawnPlace out;
  if (at.is_ground()) {
    out.ground = true;
    if (!at.coordinates.empty()) out.form = {{fixed(triple(at.coordinates)), 1.0}};
    return out;
  }
  if (const auto point = points_.find(at.part); point != points_.end()) {
    out.form = {{slot(point->second), 1.0}};
    return out;
  }
  const FoundPlace found = find_place(model_, at);
  const auto* there = std::get_if<MaterialPlace>(&found);
  if (there == nullptr) return {};
  out.form = drawn(form_at(model_, *there, Carried::point));
  if (there->on == MaterialPlace::On::cable) out.cable = there->part, out.element = there->element, out.xi = there->xi;
  if (there->on == MaterialPlace::On::body) out.body = there->part, out.local = there->local;
  return out;
}

std::optional<std::array<DrawnPlace, 2>> DrawingBuilder::sides(const Record& joint) {
  const auto* of = joint.get<std::vector<Place>>("of");
  if (of == nullptr || of->size() != 2) return {};
  std::array<DrawnPlace, 2> out;
  for (int s : {0, 1}) {
    const std::optional<DrawnPlace> at = place((*of)[s]);
    if (!at) return {};
    out[s] = *at;
    const Numbers* X = joint.get<Numbers>("at");
    if (X == nullptr || (*of)[s].at != Place::At::whole) continue;
    if (at->body >= 0) {
      out[s].local = pose_of(at->body).to_local(triple(*X));
      out[s].form = on_body(at->body, out[s].local);
    }
    if (at->ground) out[s].form = {{fixed(triple(*X)), 1.0}};
  }
  for (int s : {0, 1})
    if (out[s].ground && out[s].form.empty())
      out[s].form = {{fixed(reference_of(out[1 - s].form)), 1.0}};  // where the other place is
  return out;
}

DrawnForm DrawingBuilder::direction(const DrawnPlace& at, const Triple& n) {
  if (at.ground) return {{fixed(n), 1.0}};
  if (at.body >= 0) return on_body(at.body, pose_of(at.body).turned_back(n), false);
  if (at.cable < 0) return {};
  DrawnForm form;
  if (model_.cables[at.cable].frames.empty()) {  // along the tangent only
    const DrawnForm tangent = on_cable(at.cable, at.element, at.xi, true);
    const double along = dot(reference_of(tangent), n);
    if (std::fabs(along) > 1 - 1e-9) add(form, tangent, along);
    return form;
  }
  for (int i = 0; i < 3; ++i) {
    const DrawnForm d = director(at.cable, at.element, at.xi, i);
    add(form, d, dot(reference_of(d), n));
  }
  return form;
}

}  // namespace flexura::detail
