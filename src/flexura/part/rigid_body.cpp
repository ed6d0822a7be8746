#include "flexura/part/rigid_body.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "flexura/part/machine_draft.hpp"

namespace flexura::detail {
namespace {

/// False after a problem.
bool check_inertia(MachineDraft& draft, const BodySpec& spec) {
  const Origin& origin = spec.origin;
  bool principal_ones = false;
  if (spec.is_frame() || draft.dim() == 2 || can_be_inertia(spec.inertia.inertia, principal_ones)) return true;
  draft.wrong(origin,
              principal_ones && origin.states("products_of_inertia") ? "products_of_inertia"
              : origin.states("inertia")                             ? "inertia"
                                                                     : "shape",
              "no mass is distributed like that: each principal moment is positive and at most the sum of the others");
  return false;
}

std::string name_of(const RigidBody& body, const BodyPlace& place) {
  for (const auto& [name, x] : body.points)
    if (place.is_point && norm(x - place.local) <= 1e-12 * body.extent) return body.spec->name + "." + name;
  const auto clean = [](double x) { return std::fabs(x) < 1e-15 ? 0.0 : x; };
  return fmt::format("{}{}{:.12g}, {:.12g}, {:.12g}{}", body.spec->name, place.is_point ? "@(" : ".vector(",
                     clean(place.local[0]), clean(place.local[1]), clean(place.local[2]), ")");
}

Triple in_space(const RigidFrame& frame, const BodyPlace& place) {
  return place.is_point ? frame.to_space(place.local) : frame.turned(place.local);
}

void note_anchor(MachineDraft& draft, int slot, int index, const BodyPlace& place) {
  draft.initial[slot] = in_space(draft.bodies[index].initial, place);
  draft.machine.anchors.push_back({slot, index, place.is_point, {place.local[0], place.local[1], place.local[2]}});
}

/// The points that carry a body of trusses, and its pose and spin as they start. False after a problem.
bool find_nodes(MachineDraft& draft, RigidBody& body) {
  const BodySpec& spec = *body.spec;
  std::vector<BodyPlace> places;
  for (size_t k = 0; k < spec.nodes.size(); ++k) {
    const std::optional<Location> at = locate(draft, spec.nodes[k], spec.origin.path_of("nodes", static_cast<int>(k)));
    if (!at) return false;
    if (at->at.on != MaterialPlace::On::point) {
      draft.wrong(spec.origin, "nodes",
                  fmt::format("\"{}\" is no point of its own: a node is a [point.NAME]", spec.nodes[k].text));
      return false;
    }
    places.push_back({true, body.reference.to_local(at->position())});
    body.nodes.push_back(at->point);
    draft.graph.join(spec.name, at->part);
    draft.graph.share_place(spec.name, at->part);
  }
  if (draft.dim() == 2 || places.empty()) return true;
  const BodyBasis basis(places);
  for (int k = 0; k < 3; ++k) {
    const auto c = basis.weights({false, unit_axis(k)});
    if (!c) break;  // said where the basis is made
    Triple axis{}, rate{};
    for (size_t a = 0; a < c->size(); ++a) {
      axis = axis + (*c)[a] * draft.initial[body.nodes[a]];
      rate = rate + (*c)[a] * draft.velocity[body.nodes[a]];
    }
    body.initial.axes[k] = axis;
    body.spin_of_nodes = body.spin_of_nodes + 0.5 * cross(axis, rate);
  }
  if (const auto c = basis.weights({})) {
    body.initial.origin = {};
    for (size_t a = 0; a < c->size(); ++a)
      body.initial.origin = body.initial.origin + (*c)[a] * draft.initial[body.nodes[a]];
  }
  return true;
}

/// Shared places that the basis does not hold are combinations of it.
void tie_marks(MachineDraft& draft, int index) {
  const RigidBody& body = draft.bodies[index];
  for (const int mark : body.marks) {
    if (!draft.marks.is_shared(mark)) continue;
    Mark& root = draft.marks.root(mark);
    const BodyPlace place = draft.marks[mark].place;
    if (std::find(body.slots.begin(), body.slots.end(), root.slot) != body.slots.end()) continue;
    const std::optional<std::vector<double>> c = body.basis->weights(place);
    if (!c) continue;
    if (root.slot < 0) {
      const int slot = body_slot(draft, index, place);
      draft.marks.root(mark).slot = slot;
      continue;
    }
    const bool is_given = root.body < 0 || draft.builder.is_defined(root.slot);
    const Origin& origin = body.spec->origin;
    if (is_given)
      draft.builder.equate(root.slot, on_basis(draft, index, *c), origin.path, origin.source);
    else
      draft.define(root.slot, on_basis(draft, index, *c), origin, origin.source);
  }
}

/// The frame as a combination of the slots.
void finish_part(MachineDraft& draft, int index) {
  const RigidBody& body = draft.bodies[index];
  BodyPart& part = draft.machine.bodies[index];
  part.slots = body.slots;
  for (int k = 0; k <= part.axes; ++k) {
    const auto c = body.basis->weights(k == 0 ? BodyPlace{} : BodyPlace{false, unit_axis(k - 1)});
    if (!c)
      return draft.wrong(body.spec->origin, "",
                         "its places are too far apart, or too near each other, to compute with");
    part.weights.insert(part.weights.end(), c->begin(), c->end());
  }
}

}  // namespace

bool can_be_inertia(const double* J, bool& principal_ones) {
  const double xx = J[0], yy = J[1], zz = J[2], xy = J[3], yz = J[4], xz = J[5];
  const double half = 0.5 * (xx + yy + zz), a = half - xx, b = half - yy, c = half - zz;
  const double size = std::max({xx, yy, zz, 0.0});
  const double minors[] = {a * b - xy * xy, b * c - yz * yz, a * c - xz * xz};
  const double det = a * (b * c - yz * yz) + xy * (-xy * c - yz * xz) - xz * (xy * yz + b * xz);
  principal_ones = std::min({a, b, c}) >= 0 && size > 0;
  return size > 0 && std::min({a, b, c}) >= -1e-9 * size &&
         *std::min_element(minors, minors + 3) >= -1e-9 * size * size && det >= -1e-9 * size * size * size;
}

int Marks::add(const Mark& mark) {
  marks_.push_back(mark);
  return static_cast<int>(marks_.size()) - 1;
}

Mark& Marks::root(int mark) { return const_cast<Mark&>(std::as_const(*this).root(mark)); }

const Mark& Marks::root(int mark) const {
  while (marks_[mark].parent >= 0) mark = marks_[mark].parent;
  return marks_[mark];
}

void Marks::unite(int a, int b) {
  Mark *first = &root(a), *second = &root(b);
  if (first == second || (first->slot >= 0 && second->slot >= 0)) return;
  if (second->slot >= 0) std::swap(first, second);
  second->parent = static_cast<int>(first - marks_.data());
  first->count += second->count;
}

void begin_body(MachineDraft& draft, const BodySpec& spec) {
  if (!check_inertia(draft, spec)) return;
  draft.graph.add(spec.name);
  RigidBody body;
  body.spec = &spec;
  body.reference = spec.reference;
  body.initial = spec.initial.value_or(spec.reference);
  if (!find_nodes(draft, body)) return;
  body.points = {{"center", body.center()}};
  body.points.insert(body.points.end(), spec.points.begin(), spec.points.end());
  const RigidInertia& J = spec.inertia;
  body.extent = spec.is_frame() ? 0 : std::sqrt(std::max({J.inertia[0], J.inertia[1], J.inertia[2]}) / J.mass);
  for (const auto& [name, x] : body.points) body.extent = std::max(body.extent, norm(x - body.center()));
  if (body.extent == 0) body.extent = 1;  // a frame without points
  body.node = draft.builder.node();
  body.stiffening_node = draft.builder.node();
  BodyPart part{.name = spec.name, .slots = {}, .weights = {}, .axes = draft.dim(), .mass = J.mass, .points = {}};
  for (const auto& [name, x] : body.points)
    part.points.emplace_back(name, std::vector<double>(x.begin(), x.begin() + draft.dim()));
  part.spec = std::make_shared<const BodySpec>(spec);
  if (!spec.is_frame()) draft.graph.give_mass(spec.name);
  draft.bodies.push_back(std::move(body));
  draft.machine.bodies.push_back(std::move(part));
}

int new_body_slot(MachineDraft& draft, int index, const BodyPlace& place) {
  const RigidBody& body = draft.bodies[index];
  const auto dim = static_cast<size_t>(draft.dim());
  const Triple X = in_space(body.reference, place), q = in_space(body.initial, place);
  const Triple arm = body.initial.turned(place.local);
  const Triple v = (place.is_point ? body.velocity() : Triple{}) + cross(body.spin(), arm);
  const int slot = draft.builder.slot(name_of(body, place), place.is_point ? SlotKind::point : SlotKind::vector,
                                      {X.data(), dim}, body.node);
  draft.builder.set_initial(slot, {q.data(), dim}, {v.data(), dim});
  note_anchor(draft, slot, index, place);
  return slot;
}

int mark_of(MachineDraft& draft, int index, const BodyPlace& place) {
  RigidBody& body = draft.bodies[index];
  // Rounding alone: places that are taken for one leave a relation as much as they are apart over an arm, which counts from 1e-10 on.
  const double rounding =
      place.is_point ? 1e-13 * body.extent + 1e-15 * norm(body.reference.to_space(place.local)) : 1e-14;
  for (const int mark : body.marks)
    if (draft.marks[mark].place.is_point == place.is_point &&
        norm(draft.marks[mark].place.local - place.local) <= rounding)
      return mark;
  body.marks.push_back(draft.marks.add({index, place}));
  return body.marks.back();
}

int slot_of_mark(MachineDraft& draft, int mark) {
  Mark& root = draft.marks.root(mark);
  if (root.slot < 0) root.slot = new_body_slot(draft, root.body, root.place);
  return root.slot;
}

int body_slot(MachineDraft& draft, int index, const BodyPlace& place) {
  finish_body(draft, index);
  const RigidBody& body = draft.bodies[index];
  const std::string name = name_of(body, place);
  if (const auto made = draft.made.find(name); made != draft.made.end()) return made->second;
  draft.made[name] = -1;
  const std::optional<std::vector<double>> c = body.basis->weights(place);
  if (!c) {
    draft.wrong(body.spec->origin, "", fmt::format("\"{}\" is not on the line that carries this slender body", name));
    return -1;
  }
  const bool is_one = std::count(c->begin(), c->end(), 0.0) + 1 == static_cast<long>(c->size());
  if (const auto one = std::find(c->begin(), c->end(), 1.0); is_one && one != c->end())
    return draft.made[name] = body.slots[one - c->begin()];
  const int slot = draft.combine(name, place.is_point ? SlotKind::point : SlotKind::vector, on_basis(draft, index, *c),
                                 body.spec->origin.path);
  note_anchor(draft, slot, index, place);
  return draft.made[name] = slot;
}

LinearForm on_basis(const MachineDraft& draft, int index, const std::vector<double>& c) {
  LinearForm form{draft.dim(), {}, {}, {}};
  for (size_t a = 0; a < c.size(); ++a)
    if (c[a] != 0) form.terms.push_back(scaled(draft.bodies[index].slots[a], draft.dim(), c[a]));
  return form;
}

int axis_slot(MachineDraft& draft, int index, int axis) { return body_slot(draft, index, {false, unit_axis(axis)}); }

void finish_body(MachineDraft& draft, int index) {
  if (draft.bodies[index].begun) return;
  draft.bodies[index].begun = true;
  draft.bodies[index].carrier >= 0 ? carry_basis(draft, index) : choose_basis(draft, index);
  tie_marks(draft, index);
  const RigidBody& body = draft.bodies[index];
  draft.builder.rigid_body(body.slots);
  const bool on_trusses = body.spec->is_frame() && !body.nodes.empty();  // which keep it rigid
  if (body.rigid_by_itself && !on_trusses) add_rigidity(draft, index);
  if (!body.spec->is_frame()) add_mass(draft, index);
  const auto note = [&](std::vector<int>& stated) {
    stated.insert(stated.end(), body.slots.begin(), body.slots.end());
  };
  if (body.spec->initial) note(draft.machine.stated_positions);
  finish_part(draft, index);
}

}  // namespace flexura::detail
