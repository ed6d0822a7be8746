#pragma once
// Text that grows. fmt::format_to and fmt::join compile much of fmt's formatting again wherever they are called, up to 2 s of a
// unit; what is here calls fmt::vformat, which is in fmt's library.

#include <fmt/core.h>

#include <string>
#include <string_view>
#include <utility>

namespace flexura {

/// Appends what fmt::format would return.
template <class... Args>
void append_text(std::string& text, fmt::format_string<Args...> format, Args&&... args) {
  text += fmt::vformat(format, fmt::make_format_args(args...));
}

/// The items as "{}" writes each, with `between` in between.
template <class Range>
std::string joined_text(const Range& items, std::string_view between) {
  std::string text;
  bool first = true;
  for (const auto& item : items) {
    if (!std::exchange(first, false)) text += between;
    append_text(text, "{}", item);
  }
  return text;
}

}  // namespace flexura
