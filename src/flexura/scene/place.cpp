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

std::vector<std::string_view> between_commas(std::string_view text) {
  std::vector<std::string_view> out;
  for (size_t comma = text.find(','); comma != std::string_view::npos; comma = text.find(',')) {
    out.push_back(text.substr(0, comma));
    text.remove_prefix(comma + 1);
  }
  out.push_back(text);
  return out;
}

/// "(0.2, 0.7)" or "(0.2, 0.7, 1)"
std::variant<Place, std::string> shares_on_part(Place place, std::string_view inside) {
  const std::vector<std::string_view> words = between_commas(inside);
  if (words.size() < 2 || words.size() > 3)
    return fmt::format("\"{}\" needs two shares, as in @(0.2, 0.7), or three on a solid", place.text);
  place.at = words.size() == 2 ? Place::At::surface : Place::At::inside;
  for (size_t k = 0; k < words.size(); ++k) {
    const auto share = split_quantity(words[k]);
    if (!share || !share->unit.empty() || !is_share(share->number))
      return fmt::format("the shares in \"{}\" must be numbers from 0 to 1", place.text);
    (words.size() == 2 ? place.surface : place.inside)[k] = share->number;
  }
  return place;
}

/// "[0.01, 0, 30 mm]"
std::variant<Place, std::string> coordinates_in_part(Place place, std::string_view inside) {
  const std::vector<std::string_view> words = between_commas(inside);
  place.at = Place::At::local;
  for (const std::string_view word : words) {
    const auto length = split_quantity(word);
    const auto unit = length && !length->unit.empty() ? parse_unit(length->unit) : parse_unit("m");
    if (!length || words.size() != 3 || !unit || !fits(unit->dimension, parse_unit("m")->dimension))
      return fmt::format("the coordinates in \"{}\" must be three lengths [m], as in @[0.01, 0, 0.03]", place.text);
    place.coordinates.push_back(unit->to_si(length->number));
  }
  return place;
}

std::variant<Place, std::string> position_on_part(Place place, std::string_view at) {
  const auto is_in = [&](char first, char last) { return at.size() >= 2 && at.front() == first && at.back() == last; };
  if (is_in('(', ')')) return shares_on_part(std::move(place), at.substr(1, at.size() - 2));
  if (is_in('[', ']')) return coordinates_in_part(std::move(place), at.substr(1, at.size() - 2));
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
