// Places → slots. Inside an element: combinations of its four slots.

#include <fmt/format.h>

#include <cmath>

#include "flexura/scene/interpreter.hpp"

namespace flexura::detail {

LinearTerm scaled(int slot, int dim, double factor) {
  LinearTerm term{slot, std::vector<double>(static_cast<size_t>(dim) * dim, 0.0)};
  for (int i = 0; i < dim; ++i) term.matrix[i * dim + i] = factor;
  return term;
}

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
  const int n = static_cast<int>(cable.elements.size()), per_element = static_cast<int>(cable.points.size() - 1) / n;
  if (place.at == Place::At::whole) {
    problems.push_back({place.source,
                        path,
                        fmt::format("which place of \"{0}\"? \"{0}.start\", \"{0}.end\" or \"{0}@0.5\"", place.part),
                        {}});
    return {};
  }
  double share = place.share;
  if (place.at == Place::At::named) share = place.point == "end" ? 1.0 : 0.0;
  if (place.at == Place::At::length) {
    share = place.length / cable.length;
    if (share > 1 + 1e-9) {
      problems.push_back({place.source,
                          path,
                          fmt::format("\"{}\" is beyond the end: the cable is {:.6g} m long", place.text, cable.length),
                          {}});
      return {};
    }
  }
  const double x = std::min(share, 1.0) * n;
  const double nearest_node = std::round(x * per_element);
  if (std::fabs(x - nearest_node / per_element) <= 1e-9 * n) {
    location.node = static_cast<int>(nearest_node);
    location.point = cable.points[location.node];
    location.vector = cable.vectors[location.node];
    location.element = std::min(location.node / per_element, n - 1);
    location.xi = static_cast<double>(location.node) / per_element - location.element;
    const auto X = builder_.reference(location.point), T = builder_.reference(location.vector);
    location.X.assign(X.begin(), X.end());
    location.direction.assign(T.begin(), T.end());
    return location;
  }
  location.element = static_cast<int>(x);
  location.xi = x - location.element;
  for (const bool gradient : {false, true}) {
    std::vector<double>& out = gradient ? location.direction : location.X;
    out.assign(scene_.dim, 0.0);
    for (const LinearTerm& term : inside(location, gradient).terms)
      for (int i = 0; i < scene_.dim; ++i) out[i] += term.matrix[i * scene_.dim + i] * builder_.reference(term.slot)[i];
  }
  return location;
}

/// r(ξ) or r_x(ξ) of the cubic through the element's nodes, ξ = x/l.
LinearForm Interpreter::inside(const Location& location, bool gradient) const {
  if (!result_.cables[location.cable].frames.empty()) return inside_beam(location, gradient);
  const ElementRef& element = result_.cables[location.cable].elements[location.element];
  const double x = location.xi, l = element.length;
  const double position[] = {1 - 3 * x * x + 2 * x * x * x, l * (x - 2 * x * x + x * x * x), 3 * x * x - 2 * x * x * x,
                             l * (x * x * x - x * x)};
  const double slope[] = {(6 * x * x - 6 * x) / l, 1 - 4 * x + 3 * x * x, (6 * x - 6 * x * x) / l, 3 * x * x - 2 * x};
  const int dim = scene_.dim;
  LinearForm form{dim, {}, std::vector<double>(dim, 0.0), {}};
  for (int a = 0; a < 4; ++a) form.terms.push_back(scaled(element.slots[a], dim, gradient ? slope[a] : position[a]));
  return form;
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
    const PlatePlace& at = location.on_plate;
    const std::string name = at.nodes.empty() ? fmt::format("{}.element {}@({:.12g}, {:.12g}).r", location.part,
                                                            at.element + 1, at.xi, at.eta)
                             : place.at == Place::At::share ? fmt::format("{}@{:.12g}.r", location.part, place.share)
                                                            : fmt::format("{}.{}.r", location.part, place.point);
    const auto [made, fresh] = made_slots_.emplace(name, -1);
    if (fresh) {
      LinearForm form{3, {}, {0, 0, 0}, {}};
      for (const auto& [slot, weight] : plate_weights(result_.plates[location.plate], at, 0))
        form.terms.push_back(scaled(slot, 3, weight));
      made->second = combine(name, SlotKind::point, form, "plate." + location.part);
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
