#include "flexura/part/name_pattern.hpp"

namespace flexura {
namespace {

/// Without going back further than to the last star: linear in most cases, and never worse than the product of lengths.
bool fits(std::string_view pattern, std::string_view name) {
  size_t p = 0, n = 0, star = std::string_view::npos, from = 0;
  while (n < name.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++, from = n;
    } else if (p < pattern.size() && pattern[p] == name[n]) {
      ++p, ++n;
    } else if (star != std::string_view::npos) {
      p = star + 1, n = ++from;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

}  // namespace

bool NamePattern::matches(std::string_view kind, std::string_view name) const {
  if (fits(text, name)) return true;
  return text.size() > kind.size() && text.starts_with(kind) && text[kind.size()] == '.' &&
         fits(std::string_view(text).substr(kind.size() + 1), name);
}

}  // namespace flexura
