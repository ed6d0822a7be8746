// Places: what their texts say, and whether the part has them.

#include <fmt/format.h>

#include <algorithm>

#include "flexura/scene/scene_reader.hpp"

namespace flexura::detail {

std::optional<Place> SceneReader::read_place(const RawNode& node, const std::string& path) {
  if (node.kind == RawNode::Kind::array) {
    const std::optional<Numbers> x = read_vector(vector_field("", "m", scene_.dim, ""), node, path);
    if (!x) return {};
    Place place;
    place.part = "ground";
    place.at = Place::At::fixed;
    place.coordinates = *x;
    place.text = write_toml_value(node);
    place.source = node.source;
    return place;
  }
  if (node.kind != RawNode::Kind::text) {
    wrong_type(node, path, "a place, as \"ground\", \"NAME.end\" or the coordinates of a point of the ground");
    return {};
  }
  auto parsed = parse_place(node.text, [&](std::string_view name) { return parts_.contains(std::string(name)); });
  if (const std::string* message = std::get_if<std::string>(&parsed)) {
    wrong(node.source, path, *message);
    return {};
  }
  Place place = std::get<Place>(std::move(parsed));
  place.source = node.source;
  if (!check_place(place, path)) return {};
  return place;
}

bool SceneReader::check_place(const Place& place, const std::string& path) {
  const auto refuse = [&](std::string message, std::string nearest = {}) {
    wrong(place.source, path, std::move(message), std::move(nearest));
    return false;
  };
  if (place.part == "ground") {
    return place.at == Place::At::whole ||
           refuse("a point of the ground is written by its coordinates, and the ground itself \"ground\"");
  }
  const auto nearest_part = [&] {
    std::vector<std::string> names{"ground"};
    for (const auto& [name, kind] : parts_) names.push_back(name);
    const bool is_whole = parts_.contains(place.part);
    return nearest_name(is_whole ? place.part + "." + place.point : place.part, names);
  };
  const auto part = parts_.find(place.part);
  if (part != parts_.end() && part->second != "solid" &&
      (place.at == Place::At::inside || (place.at == Place::At::local && part->second != "membrane")))
    return refuse(
        fmt::format("\"{}\" is a {}: three shares or coordinates name places of solids", place.part, part->second));
  if (part == parts_.end()) return refuse(fmt::format("there is no part named \"{}\"", place.part), nearest_part());
  if (part->second == "use" || part->second == "linkage") {
    const bool is_scene = part->second == "use";
    if (place.at != Place::At::named)
      return refuse(fmt::format("\"{0}\" is a {1}: name a place in it, as \"{0}.NAME\"", place.part,
                                is_scene ? "scene used here" : "linkage"));
    return refuse(fmt::format("the {} \"{}\" has no part named \"{}\"", is_scene ? "scene used as" : "linkage",
                              place.part, place.point),
                  nearest_part());
  }
  if (const std::string& kind = part->second; kind == "cable" || kind == "beam") {
    if (place.at == Place::At::whole)
      return refuse(fmt::format(
          "which place of the {1}? \"{0}.start\", \"{0}.end\" or, by share of length, \"{0}@0.5\"", place.part, kind));
    if (place.at == Place::At::surface) return refuse(fmt::format("a {}'s places need one share, as in @0.5", kind));
    if (place.at == Place::At::named && place.point != "start" && place.point != "end")
      return refuse(fmt::format("a {} has no place named \"{}\"; it has \"start\" and \"end\"", kind, place.point),
                    nearest_name(place.point, std::vector<std::string>{"start", "end"}));
  } else if (part->second == "plate") {  // which sets there are is known once it is meshed
    if (place.at == Place::At::length)
      return refuse("a plate's places need two shares, as in @(0.2, 0.7), or one, for the nodes of a line, as in @0.5");
  } else if (part->second == "solid") {
    if (place.at == Place::At::surface || place.at == Place::At::share || place.at == Place::At::length)
      return refuse(
          "a solid's places need three shares, as in @(0.5, 0.5, 1), or coordinates in its own frame, as in @[0, 0, "
          "0.02]");
  } else if (part->second == "membrane") {
    if (place.at == Place::At::share || place.at == Place::At::length)
      return refuse(
          "a membrane's places need two shares, as in @(0.2, 0.7), or coordinates in its own frame, as in @[0, 0, "
          "0.02]");
  } else if (part->second == "body") {
    const std::vector<std::string>& places = body_places_.at(place.part);
    if (place.at != Place::At::whole && place.at != Place::At::named)
      return refuse(fmt::format("\"{}\" is a body: its places are \"{}\" itself, where its frame's origin is, and {}",
                                place.part, place.part, list_of(places, "and")));
    if (place.at == Place::At::named && std::find(places.begin(), places.end(), place.point) == places.end())
      return refuse(fmt::format("the body \"{}\" has no place named \"{}\"; it has {}", place.part, place.point,
                                list_of(places, "and")),
                    nearest_name(place.point, places));
  } else if ((part->second == "point" || part->second == "mass" || part->second == "sphere") &&
             place.at != Place::At::whole) {
    return refuse(fmt::format("\"{}\" is a {}: it has no places of its own", place.part, part->second));
  }
  return true;
}

}  // namespace flexura::detail
