// Places → slots. Inside an element: combinations of its four slots.

#include <fmt/format.h>

#include <cmath>

#include "flexura/scene/interpreter.hpp"

namespace flexura::detail {

bool Interpreter::are_same(const Location& a, const Location& b) {
  if (a.ground || b.ground) return false;
  if (a.body >= 0 || b.body >= 0) return a.body == b.body && a.X == b.X;
  if (a.plate >= 0 || b.plate >= 0) return a.plate == b.plate && a.on_plate.nodes == b.on_plate.nodes && a.X == b.X;
  if (a.node >= 0 || b.node >= 0 || a.cable < 0) return a.cable == b.cable && a.node == b.node && a.point == b.point;
  return a.cable == b.cable && a.element == b.element && std::fabs(a.xi - b.xi) <= 1e-9;
}

std::optional<Interpreter::Location> Interpreter::locate(const Place& place, const std::string& path) {
  std::set<std::string> seen;
  const Place* at = &place;
  for (const Record* mass = scene_.find("mass", at->part); mass != nullptr; mass = scene_.find("mass", at->part)) {
    if (!seen.insert(at->part).second) {
      problems.push_back({place.source, path, fmt::format("\"{}\" is at itself", place.part), {}});
      return {};
    }
    at = mass->get<Place>("at");
    if (at == nullptr) return {};
  }
  return locate_on_part(*at, path);
}

std::optional<Interpreter::Location> Interpreter::locate_on_part(const Place& place, const std::string& path) {
  Location location;
  location.part = place.part;
  if (place.is_ground()) {
    location.ground = true;
    location.X = place.coordinates;
    return location;
  }
  if (const auto point = point_slots_.find(place.part); point != point_slots_.end()) {
    location.point = point->second;
    const auto X = builder_.reference(location.point);
    location.X.assign(X.begin(), X.end());
    return location;
  }
  if (cable_index_.contains(place.part)) return on_cable(place, path);
  if (plate_index_.contains(place.part)) return on_plate(place, path);
  if (body_index_.contains(place.part)) return on_body(place);
  return {};  // its part could not be built: said elsewhere
}

Interpreter::Location Interpreter::on_body(const Place& place) const {
  Location location;
  location.part = place.part;
  location.body = body_index_.at(place.part);
  const Body& body = bodies_[location.body];
  Triple local{};
  for (const auto& [name, x] : body.points)
    if (place.at == Place::At::named && name == place.point) local = x;
  const Triple X = body.reference.to_space(local);
  location.X.assign(X.begin(), X.begin() + scene_.dim);
  location.direction.assign(body.reference.axes[0].begin(), body.reference.axes[0].begin() + scene_.dim);
  return location;
}

std::optional<Interpreter::Location> Interpreter::on_cable(const Place& place, const std::string& path) {
  Location location;
  location.part = place.part;
  location.cable = cable_index_.at(place.part);
  const CablePart& cable = result_.cables[location.cable];
  const FoundPlace found = find_on_cable(cable, place);
  if (const auto* none = std::get_if<NoPlace>(&found)) {
    problems.push_back({place.source, path, none->message, none->nearest});
    return {};
  }
  const auto& at = std::get<MaterialPlace>(found);
  location.element = at.element;
  location.xi = at.xi;
  location.node = at.node;
  if (at.node >= 0) {
    location.point = cable.points[at.node];
    location.vector = cable.vectors[at.node];
  }
  location.X = reference_of(at.node >= 0 ? form_of({{{location.point, 1.0}}}, scene_.dim) : inside(location, false));
  location.direction =
      reference_of(at.node >= 0 ? form_of({{{location.vector, 1.0}}}, scene_.dim) : inside(location, true));
  return location;
}

std::vector<double> Interpreter::reference_of(const LinearForm& form) const {
  std::vector<double> out(form.rows, 0.0);
  for (const LinearTerm& term : form.terms)
    for (int i = 0; i < form.rows; ++i) out[i] += term.matrix[i * form.rows + i] * builder_.reference(term.slot)[i];
  return out;
}

LinearForm Interpreter::inside(const Location& location, bool gradient) const {
  const CablePart& cable = result_.cables[location.cable];
  return gradient ? cable_along(cable, location.element, location.xi, scene_.dim)
                  : cable_point(cable, location.element, location.xi, scene_.dim);
}

int Interpreter::point_slot(Location& location, const Place& place, const std::string& path) {
  if (location.point >= 0) return location.point;
  if (location.body >= 0) {
    const BodyPlace at{true, bodies_[location.body].reference.to_local(location.position())};
    return location.point = body_slot(location.body, at, name_of(location.body, at));
  }
  if (location.ground && location.X.empty()) {
    problems.push_back({place.source, path, "which point of the ground? Write its coordinates, as in [0, 0]", {}});
    return -1;
  }
  if (location.plate >= 0) {
    const MaterialPlace& at = location.on_plate;
    const std::string name = at.nodes.empty() ? fmt::format("{}.element {}@({:.12g}, {:.12g}).r", location.part,
                                                            at.element + 1, at.xi, at.eta)
                             : place.at == Place::At::share ? fmt::format("{}@{:.12g}.r", location.part, place.share)
                                                            : fmt::format("{}.{}.r", location.part, place.point);
    const auto [made, fresh] = made_slots_.emplace(name, -1);
    if (fresh) {
      made->second = combine(name, SlotKind::point, plate_form(result_.plates[location.plate], at, Carried::point),
                             "plate." + location.part);
    }
    return location.point = made->second;
  }
  std::string name = location.ground
                         ? "ground@["
                         : fmt::format("{}.element {}@{:.12g}.r", location.part, location.element + 1, location.xi);
  if (location.ground) {
    for (double x : location.X) name += fmt::format("{}{:.12g}", name.back() == '[' ? "" : ", ", x);
    name += "]";
  }
  const auto [made, fresh] = made_slots_.emplace(name, -1);
  if (fresh && location.ground) {
    made->second = builder_.slot(name, SlotKind::point, location.X);
    builder_.fix(made->second, "ground", place.source);
    fixed_.insert(made->second);
  } else if (fresh) {
    made->second = combine(name, SlotKind::point, inside(location, false), "cable." + location.part);
  }
  return location.point = made->second;
}

int Interpreter::vector_slot(Location& location, const Place& place, const std::string& path) {
  if (location.vector >= 0) return location.vector;
  if (location.body >= 0) return location.vector = axis_slot(location.body, 0);
  if (!location.ground && location.cable < 0) {
    problems.push_back({place.source, path, fmt::format("\"{}\" is a point: it has no direction", place.text), {}});
    return -1;
  }
  const std::string name =
      location.ground ? "ground.x"
                      : fmt::format("{}.element {}@{:.12g}.r_x", location.part, location.element + 1, location.xi);
  const auto [made, fresh] = made_slots_.emplace(name, -1);
  if (fresh && location.ground) {
    std::vector<double> x(scene_.dim, 0.0);
    x[0] = 1;
    made->second = builder_.slot(name, SlotKind::vector, x);
    builder_.fix(made->second, "ground", place.source);
  } else if (fresh) {
    made->second = combine(name, SlotKind::vector, inside(location, true), "cable." + location.part);
  }
  return location.vector = made->second;
}

}  // namespace flexura::detail
