#include "flexura/scene/list_places.hpp"

#include <fmt/format.h>

#include <charconv>

namespace flexura {

ListPath split_places(const std::string& path) {
  ListPath out{.key = path, .places = {}, .problem = {}};
  while (!out.key.empty() && out.key.back() == ']') {
    const size_t open = out.key.rfind('[');
    if (open == std::string::npos) return {path, {}, "a ] without its ["};
    size_t place = 0;
    const char *first = out.key.data() + open + 1, *last = out.key.data() + out.key.size() - 1;
    if (const auto [end, error] = std::from_chars(first, last, place); error != std::errc() || end != last)
      return {path, {}, fmt::format("\"{}\" is no place in a list: 0 is the first", std::string(first, last))};
    out.places.insert(out.places.begin(), place);
    out.key.resize(open);
  }
  return out;
}

ListItem item_at(const RawNode& node, const std::vector<size_t>& places) {
  const RawNode* at = &node;
  for (const size_t place : places) {
    if (at->kind != RawNode::Kind::array) return {nullptr, fmt::format("it is {}, no list", at->describe())};
    if (at->items.empty()) return {nullptr, fmt::format("the list has no [{}]: it is empty", place)};
    if (place >= at->items.size())
      return {nullptr, fmt::format("the list has no [{}], its last is [{}]", place, at->items.size() - 1)};
    at = &at->items[place];
  }
  return {at, {}};
}

}  // namespace flexura
