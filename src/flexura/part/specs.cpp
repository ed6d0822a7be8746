#include "flexura/part/specs.hpp"

#include <fmt/format.h>

#include <limits>

namespace flexura {

namespace {

Place made(const std::string& part, Place::At at, std::string text) {
  Place place;
  place.part = part;
  place.at = at;
  place.text = std::move(text);
  return place;
}

}  // namespace

Place ground() { return made("ground", Place::At::whole, "ground"); }

Place ground_at(const Triple& x) {
  Place place = made("ground", Place::At::fixed, fmt::format("[{}, {}, {}]", x[0], x[1], x[2]));
  place.coordinates = {x.begin(), x.end()};
  return place;
}

Place place_on(const std::string& part) { return made(part, Place::At::whole, part); }

Place place_on(const std::string& part, const std::string& point) {
  Place place = made(part, Place::At::named, part + "." + point);
  place.point = point;
  return place;
}

Place place_on(const std::string& part, double share) {
  Place place = made(part, Place::At::share, fmt::format("{}@{}", part, share));
  place.share = share;
  return place;
}

Place place_on(const std::string& part, double u, double v) {
  Place place = made(part, Place::At::surface, fmt::format("{}@({}, {})", part, u, v));
  place.surface[0] = u, place.surface[1] = v;
  return place;
}
Place place_on(const std::string& part, double u, double v, double w) {
  Place place = made(part, Place::At::inside, fmt::format("{}@({}, {}, {})", part, u, v, w));
  place.inside[0] = u, place.inside[1] = v, place.inside[2] = w;
  return place;
}
Place place_in(const std::string& part, const Triple& x) {
  Place place = made(part, Place::At::local, fmt::format("{}@[{}, {}, {}]", part, x[0], x[1], x[2]));
  place.coordinates.assign(x.begin(), x.end());
  return place;
}

const std::vector<double>* TermSpec::find_numbers(std::string_view wanted) const {
  for (const auto& [key, x] : numbers)
    if (key == wanted) return &x;
  return nullptr;
}

double TermSpec::number(std::string_view wanted) const {
  if (const std::vector<double>* x = find_numbers(wanted)) return x->front();
  for (const Field& field : term->fields)
    if (field.name == wanted) return field.value;
  return std::numeric_limits<double>::quiet_NaN();
}

}  // namespace flexura
