#include "flexura/scene/place.hpp"

#include <fmt/format.h>

#include <cctype>
#include <cmath>

#include "flexura/scene/units.hpp"

namespace flexura {
namespace {

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

bool is_share(double x) { return x >= 0 && x <= 1; }

std::variant<Place, std::string> position_on_part(Place place, std::string_view at) {
  if (at.starts_with('(') && at.ends_with(')')) {
    const std::string_view inside = at.substr(1, at.size() - 2);
    const size_t comma = inside.find(',');
    if (comma == std::string_view::npos) return fmt::format("\"{}\" needs two shares, as in @(0.2, 0.7)", place.text);
    place.at = Place::At::surface;
    for (int k = 0; k < 2; ++k) {
      const auto share = split_quantity(k == 0 ? inside.substr(0, comma) : inside.substr(comma + 1));
      if (!share || !share->unit.empty() || !is_share(share->number))
        return fmt::format("the shares in \"{}\" must be numbers from 0 to 1", place.text);
      place.surface[k] = share->number;
    }
    return place;
  }
  const auto quantity = split_quantity(at);
  if (!quantity)
    return fmt::format("\"{}\": after @ comes a share of the length (0.35) or a length (60 mm)", place.text);
  if (quantity->unit.empty()) {
    place.at = Place::At::share;
    place.share = quantity->number;
    if (!is_share(place.share)) return fmt::format("the share in \"{}\" must be from 0 to 1", place.text);
    return place;
  }
  const auto unit = parse_unit(quantity->unit);
  if (!unit || !fits(unit->dimension, parse_unit("m")->dimension))
    return fmt::format("the position in \"{}\" must be a share or a length [m]", place.text);
  place.at = Place::At::length;
  place.length = unit->to_si(quantity->number);
  if (!(place.length >= 0) || !std::isfinite(place.length))
    return fmt::format("the length in \"{}\" must be 0 or more", place.text);
  return place;
}

}  // namespace

bool is_name(std::string_view text) {
  if (text.empty() || !std::isalpha(static_cast<unsigned char>(text[0]))) return false;
  for (const char c : text)
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '_' && c != '-') return false;
  return true;
}

bool is_dotted_name(std::string_view text) {
  for (size_t dot = text.find('.'); dot != std::string_view::npos; dot = text.find('.')) {
    if (!is_name(text.substr(0, dot))) return false;
    text.remove_prefix(dot + 1);
  }
  return is_name(text);
}

std::variant<Place, std::string> parse_place(std::string_view text,
                                             const std::function<bool(std::string_view)>& is_part) {
  Place place;
  place.text = std::string(text);
  text = trimmed(text);
  const size_t at = text.find('@');
  if (at != std::string_view::npos) {
    place.part = std::string(trimmed(text.substr(0, at)));
    return position_on_part(std::move(place), trimmed(text.substr(at + 1)));
  }
  const size_t dot = text.rfind('.');
  if (dot == std::string_view::npos || is_part(text)) {
    place.part = std::string(text);
    if (place.part.empty()) return std::string("a place must not be empty");
    return place;
  }
  place.part = std::string(text.substr(0, dot));
  place.point = std::string(text.substr(dot + 1));
  place.at = Place::At::named;
  return place;
}

}  // namespace flexura
