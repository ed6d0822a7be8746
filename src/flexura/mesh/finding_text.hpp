#pragma once
// Words that findings about meshes share.

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <string>

namespace flexura::detail {

/// "1, 2, 5, 7, 9, ...": the first five.
template <class Number>
std::string first_numbers(std::span<const Number> list) {
  std::string text;
  for (size_t k = 0; k < std::min<size_t>(list.size(), 5); ++k)
    text += fmt::format("{}{}", k == 0 ? "" : ", ", list[k]);
  return list.size() > 5 ? text + ", ..." : text;
}
inline std::string counted(size_t n, const char* one, const char* many) {
  return fmt::format("{} {}", n, n == 1 ? one : many);
}

}  // namespace flexura::detail
