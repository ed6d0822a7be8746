#pragma once
// Places in lists of a scene, as paths name them: cable.actuator.path[1][0].

#include <string>
#include <vector>

#include "flexura/scene/raw_toml.hpp"

namespace flexura {

struct ListPath {
  std::string key;             ///< the path without the places
  std::vector<size_t> places;  ///< one for each depth; 0 is the first
  std::string problem;         ///< not empty: why it is no such path
};
/// "a.b[1][0]": "a.b" and 1, 0.
ListPath split_places(const std::string& path);

struct ListItem {
  const RawNode* node = nullptr;
  std::string problem;  ///< why there is none
};
/// What lies there; with no places the node itself.
ListItem item_at(const RawNode& node, const std::vector<size_t>& places);

}  // namespace flexura
