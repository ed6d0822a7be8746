#pragma once
// Words that findings about meshes share.

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace flexura::detail {

/// "1, 2, 5, 7, 9, ...": the first five.
template <class Number>
std::string first_numbers(std::span<const Number> list) {
  std::string text;
  for (size_t k = 0; k < std::min<size_t>(list.size(), 5); ++k)
    text += fmt::format("{}{}", k == 0 ? "" : ", ", list[k]);
  return list.size() > 5 ? text + ", ..." : text;
}
/// The same of places in a mesh, by the tags of its file where it has some.
inline std::string numbers_of(const std::vector<int>& list, const std::vector<std::int64_t>& tags) {
  std::vector<std::int64_t> out;
  for (const int k : list) out.push_back(tags.empty() ? k : tags[k]);
  return first_numbers<std::int64_t>(out);
}
inline std::string counted(size_t n, const char* one, const char* many) {
  return fmt::format("{} {}", n, n == 1 ? one : many);
}

}  // namespace flexura::detail
