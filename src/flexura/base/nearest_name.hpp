#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace flexura {

/// The candidate nearest to `name` (edits, swapped neighbours and a different case count little), or "" if none is near
/// enough to be what was meant: at most a third of the letters may differ.
std::string nearest_name(std::string_view name, std::span<const std::string> candidates);

/// "E", "E or F", "E, F or G", each in quotes.
std::string list_of(const std::vector<std::string>& names, const std::string& last_word = "or");

}  // namespace flexura
