#include "flexura/part/location.hpp"

#include <fmt/format.h>

#include <cmath>
#include <set>

#include "flexura/part/find_place.hpp"
#include "flexura/part/machine_draft.hpp"

namespace flexura::detail {
namespace {

double clean(double x) { return std::fabs(x) < 1e-15 ? 0.0 : x; }

/// "(0, 0, 1)" as names of directions have it.
std::string name_of(const Triple& n) {
  return fmt::format("({:.12g}, {:.12g}, {:.12g})", clean(n[0]), clean(n[1]), clean(n[2]));
}

void complain(MachineDraft& draft, const Location& location, std::string message, std::string nearest = {}) {
  draft.problems.errors.push_back({location.place.source, location.path, std::move(message), std::move(nearest)});
}

/// A name of a mass stands for the place where it is; null where that is itself, or a place of a mass is asked for.
const Place* resolve(const MachineDraft& draft, const Place& place) {
  std::set<std::string> seen;
  const Place* at = &place;
  for (auto alias = draft.aliases.find(at->part); alias != draft.aliases.end(); alias = draft.aliases.find(at->part)) {
    if (at->at != Place::At::whole || !seen.insert(at->part).second) return nullptr;
    at = &alias->second;
  }
  return at;
}

/// The form of a place on a cable, plate or solid.
LinearForm form_of_place(const MachineDraft& draft, const MaterialPlace& at, Carried what) {
  if (at.on == MaterialPlace::On::plate) return plate_form(draft.machine.plates[at.part], at, what);
  if (at.on == MaterialPlace::On::solid) return solid_form(draft.machine.solids[at.part], at, what);
  const CablePart& cable = draft.machine.cables[at.part];
  if (at.node >= 0)
    return form_of({{{what == Carried::point ? cable.points[at.node] : cable.vectors[at.node], 1.0}}}, draft.dim());
  return what == Carried::point ? cable_point(cable, at.element, at.xi, draft.dim())
                                : cable_along(cable, at.element, at.xi, draft.dim());
}

/// Where it is, and slots that are there without being made.
void look_up(MachineDraft& draft, Location& location) {
  const MaterialPlace& at = location.at;
  const Machine& machine = draft.machine;
  switch (at.on) {
    case MaterialPlace::On::ground:
      return;
    case MaterialPlace::On::point:
      location.point = machine.points[at.part].slot;
      location.X =
          triple({draft.builder.reference(location.point).begin(), draft.builder.reference(location.point).end()});
      return;
    case MaterialPlace::On::body:
      location.X = draft.bodies[at.part].reference.to_space(at.local);
      return;
    case MaterialPlace::On::cable:
      if (at.node >= 0) {
        location.point = machine.cables[at.part].points[at.node];
        location.vector = machine.cables[at.part].vectors[at.node];
      }
      break;
    case MaterialPlace::On::plate:
      if (at.nodes.size() == 1) location.point = machine.plates[at.part].model.nodes[at.nodes[0]].r;
      break;
    case MaterialPlace::On::solid:
      if (at.nodes.size() == 1) location.point = machine.solids[at.part].model.nodes[at.nodes[0]];
      break;
  }
  location.X = reference_of(draft, form_of_place(draft, at, Carried::point));
}

std::string name_of_ground_point(const Triple& X, int dim) {
  std::string name = "ground@[";
  for (int i = 0; i < dim; ++i) name += fmt::format("{}{:.12g}", i == 0 ? "" : ", ", X[i]);
  return name + "]";
}

/// As its place names it: "trunk@0.75.r", "trunk.end.r", or inside an element.
std::string name_of_plate_point(const Location& location) {
  const MaterialPlace& at = location.at;
  const Place& place = location.place;
  if (at.nodes.empty())
    return fmt::format("{}.element {}@({:.12g}, {:.12g}).r", location.part, at.element + 1, at.xi, at.eta);
  if (place.at == Place::At::share) return fmt::format("{}@{:.12g}.r", location.part, place.share);
  return fmt::format("{}.{}.r", location.part, place.point);
}

/// "leg.top.r", or inside an element.
std::string name_of_solid_point(const Location& location) {
  const MaterialPlace& at = location.at;
  if (!at.nodes.empty()) return fmt::format("{}.{}.r", location.part, location.place.point);
  return fmt::format("{}.element {}@({:.12g}, {:.12g}, {:.12g}).r", location.part, at.element + 1, at.xi, at.eta,
                     at.zeta);
}

/// n as a combination of the directions of a beam's node.
int direction_on_frame(MachineDraft& draft, const Location& location, const Triple& n, const Origin& joint) {
  const CablePart& beam = draft.machine.cables[location.at.part];
  if (location.at.node < 0) {
    draft.wrong(joint, "of", "a joint that holds directions of a beam must be at one of its nodes");
    return -1;
  }
  LinearForm form{3, {}, {}, {}};
  for (const int slot : beam.axes(location.at.node)) {
    const auto d = draft.builder.reference(slot);
    const double c = dot(n, {d[0], d[1], d[2]});
    if (std::fabs(c - 1) < 1e-14) return slot;
    if (std::fabs(c) > 1e-15) form.terms.push_back(scaled(slot, 3, c));
  }
  return draft.combine_once(fmt::format("{}.{}.{}", beam.name, location.at.node, name_of(n)), SlotKind::vector, form,
                            "beam." + beam.name);
}

/// n from the tangent of a cable: in the plane a r_x + b J r_x, in space only along it.
int direction_on_cable(MachineDraft& draft, Location& location, const Triple& n, const Origin& joint) {
  const Triple g = reference_direction(draft, location);
  const int tangent = vector_slot(draft, location);
  if (tangent < 0) return -1;
  const double g2 = dot(g, g), a = dot(n, g) / g2;
  LinearTerm term = scaled(tangent, draft.dim(), a);
  if (draft.dim() == 2) {
    const double b = (n[1] * g[0] - n[0] * g[1]) / g2;
    term.matrix = {a, -b, b, a};
  } else if (norm(n - a * g) > 1e-9) {
    draft.wrong(joint, "of",
                fmt::format("the cable \"{}\" has no torsion: only its tangent can be held, not other directions; a "
                            "[beam.NAME] has them",
                            location.part));
    return -1;
  }
  if (term.matrix == scaled(tangent, draft.dim(), 1).matrix) return tangent;
  return draft.combine_once(fmt::format("{}.{} of {}", joint.path, name_of(n), location.part), SlotKind::vector,
                            {draft.dim(), {term}, {}, {}}, "cable." + location.part);
}

}  // namespace

std::optional<Location> locate(MachineDraft& draft, const Place& place, const std::string& path) {
  const Place* at = resolve(draft, place);
  if (at == nullptr) {
    const bool is_mass = place.at != Place::At::whole && draft.aliases.contains(place.part);
    complain(draft, {.at = {}, .place = place, .path = path, .part = {}, .X = {}},
             fmt::format("\"{}\" is {}", place.part, is_mass ? "a mass: it has no places of its own" : "at itself"));
    return {};
  }
  Location location{.at = {}, .place = place, .path = path, .part = at->part, .X = {}};
  const FoundPlace found = find_place(draft.machine, *at);
  if (const auto* none = std::get_if<NoPlace>(&found)) {
    // A part that could not be made was said to be wrong.
    const bool is_part = draft.graph.knows(at->part);
    if (is_part || draft.problems.count() == 0) {
      location.place.source = at->source;
      complain(draft, location, none->message, none->nearest);
    }
    return {};
  }
  location.at = std::get<MaterialPlace>(found);
  if (!location.is_ground())
    look_up(draft, location);
  else if (!at->coordinates.empty())
    location.X = location.at.local;
  return location;
}

std::optional<MaterialPlace> find_quietly(const MachineDraft& draft, const Place& place) {
  const Place* at = resolve(draft, place);
  if (at == nullptr) return {};
  const FoundPlace found = find_place(draft.machine, *at);
  const auto* there = std::get_if<MaterialPlace>(&found);
  return there == nullptr ? std::nullopt : std::optional(*there);
}

bool are_same(const Location& a, const Location& b) {
  using On = MaterialPlace::On;
  if (a.is_ground() || b.is_ground() || a.at.on != b.at.on || a.at.part != b.at.part) return false;
  switch (a.at.on) {
    case On::body:
      return a.X == b.X;
    case On::plate:
    case On::solid:
      return a.at.nodes == b.at.nodes && a.X == b.X;
    case On::cable:
      if (a.at.node >= 0 || b.at.node >= 0) return a.at.node == b.at.node;
      return a.at.element == b.at.element && std::fabs(a.at.xi - b.at.xi) <= 1e-9;
    default:
      return true;
  }
}

bool is_on_frame(const MachineDraft& draft, const Location& location) {
  return location.cable() >= 0 && location.at.node >= 0 && !draft.machine.cables[location.cable()].frames.empty();
}

bool is_on_fibres(const MachineDraft& draft, const Location& location) {
  return location.cable() >= 0 && location.at.node >= 0 && draft.machine.cables[location.cable()].is_full();
}

int point_slot(MachineDraft& draft, Location& location) {
  if (location.point >= 0) return location.point;
  const MaterialPlace& at = location.at;
  switch (at.on) {
    case MaterialPlace::On::body:
      return location.point = body_slot(draft, at.part, draft.bodies[at.part].point_at(location.position()));
    case MaterialPlace::On::ground:
      if (!location.X) {
        complain(draft, location, "which point of the ground? Write its coordinates, as in [0, 0]");
        return -1;
      }
      return location.point = draft.fixed_slot(name_of_ground_point(*location.X, draft.dim()), SlotKind::point,
                                               *location.X, location.place.source);
    case MaterialPlace::On::plate:
      return location.point = draft.combine_once(name_of_plate_point(location), SlotKind::point,
                                                 form_of_place(draft, at, Carried::point), "plate." + location.part);
    case MaterialPlace::On::solid:
      return location.point = draft.combine_once(name_of_solid_point(location), SlotKind::point,
                                                 form_of_place(draft, at, Carried::point), "solid." + location.part);
    default:
      return location.point = draft.combine_once(
                 fmt::format("{}.element {}@{:.12g}.r", location.part, at.element + 1, at.xi), SlotKind::point,
                 form_of_place(draft, at, Carried::point), "cable." + location.part);
  }
}

int vector_slot(MachineDraft& draft, Location& location) {
  if (location.vector >= 0) return location.vector;
  const MaterialPlace& at = location.at;
  switch (at.on) {
    case MaterialPlace::On::body:
      return location.vector = axis_slot(draft, at.part, 0);
    case MaterialPlace::On::ground:
      return location.vector = draft.fixed_slot("ground.x", SlotKind::vector, {1, 0, 0}, location.place.source);
    case MaterialPlace::On::cable:
      return location.vector = draft.combine_once(
                 fmt::format("{}.element {}@{:.12g}.r_x", location.part, at.element + 1, at.xi), SlotKind::vector,
                 form_of_place(draft, at, Carried::along), "cable." + location.part);
    case MaterialPlace::On::solid:
      complain(
          draft, location,
          fmt::format("\"{}\" is a point of a solid: it has no direction; a small [body.NAME] welded to the solid has",
                      location.place.text));
      return -1;
    default:
      complain(draft, location, fmt::format("\"{}\" is a point: it has no direction", location.place.text));
      return -1;
  }
}

int direction_slot(MachineDraft& draft, Location& location, const Triple& n, const Origin& joint) {
  if (location.body() >= 0) return body_slot(draft, location.body(), draft.bodies[location.body()].vector_along(n));
  if (location.is_ground()) return draft.fixed_slot("ground." + name_of(n), SlotKind::vector, n, joint.source);
  if (location.cable() < 0) {
    draft.wrong(joint, "of", fmt::format("\"{}\" is a point: it has no direction", location.part));
    return -1;
  }
  return draft.machine.cables[location.cable()].has_axes() ? direction_on_frame(draft, location, n, joint)
                                                           : direction_on_cable(draft, location, n, joint);
}

Triple reference_of(const MachineDraft& draft, const LinearForm& form) {
  Triple out{};
  for (const LinearTerm& term : form.terms)
    for (int i = 0; i < form.rows; ++i)
      out[i] += term.matrix[i * form.rows + i] * draft.builder.reference(term.slot)[i];
  return out;
}

Triple reference_direction(const MachineDraft& draft, const Location& location) {
  return reference_of(draft, form_of_place(draft, location.at, Carried::along));
}

}  // namespace flexura::detail
