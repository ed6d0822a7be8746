#pragma once
// Places as text.

#include <functional>
#include <string>
#include <string_view>
#include <variant>

#include "flexura/part/place.hpp"

namespace flexura {

/// The place, or what is wrong with the text. `is_part` tells names of parts that contain a dot.
std::variant<Place, std::string> parse_place(std::string_view text,
                                             const std::function<bool(std::string_view)>& is_part);

/// A letter, then letters, digits, '_' and '-'.
bool is_name(std::string_view text);
/// Names joined by dots, as "left.pump" of a used scene.
bool is_dotted_name(std::string_view text);

}  // namespace flexura
