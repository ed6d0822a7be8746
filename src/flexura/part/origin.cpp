#include "flexura/part/origin.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace flexura {
namespace {

auto find(const Origin& origin, std::string_view key) {
  return std::find_if(origin.keys.begin(), origin.keys.end(), [&](const auto& entry) { return entry.first == key; });
}

}  // namespace

bool Origin::states(std::string_view key) const { return find(*this, key) != keys.end(); }

const Source& Origin::source_of(std::string_view key) const {
  const auto found = find(*this, key);
  return found == keys.end() ? source : found->second;
}

std::string Origin::path_of(std::string_view key) const { return key.empty() ? path : fmt::format("{}.{}", path, key); }

std::string Origin::path_of(std::string_view key, int index) const {
  return fmt::format("{}.{}[{}]", path, key, index);
}

void Problems::wrong(const Origin& origin, std::string_view key, std::string message, std::string nearest) {
  errors.push_back({origin.source_of(key), origin.path_of(key), std::move(message), std::move(nearest)});
}

void Problems::warn(const Origin& origin, std::string_view key, std::string message) {
  warnings.push_back({origin.source_of(key), origin.path_of(key), std::move(message), {}, true});
}

}  // namespace flexura
