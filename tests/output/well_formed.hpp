#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace flexura {

/// Why a text is not well-formed XML (of the kind this project writes: no comments, no CDATA), or "".
inline std::string xml_fault(std::string_view text) {
  std::vector<std::string_view> open;
  const auto at = [](std::size_t i) { return " at character " + std::to_string(i); };
  std::size_t i = 0;
  bool had_root = false;
  if (text.starts_with("<?xml")) i = text.find("?>") + 2;
  while (i < text.size()) {
    if (text[i] == '&') {
      bool known = false;
      for (const std::string_view entity : {"&amp;", "&lt;", "&gt;", "&quot;", "&apos;"})
        known = known || text.substr(i).starts_with(entity);
      if (!known) return "bare &" + at(i);
    }
    if (text[i] == '>') return "bare >" + at(i);
    if (text[i] != '<') {
      if (open.empty() && text[i] != '\n' && text[i] != ' ') return "text outside the root" + at(i);
      ++i;
      continue;
    }
    const bool closing = text[i + 1] == '/';
    std::size_t end = i + (closing ? 2 : 1);
    const std::size_t name_begin = end;
    while (end < text.size() && text[end] != ' ' && text[end] != '>' && text[end] != '/') ++end;
    const std::string_view name = text.substr(name_begin, end - name_begin);
    if (name.empty()) return "tag without a name" + at(i);
    while (end < text.size() && text[end] != '>' && text[end] != '/') {
      const std::size_t equal = text.find_first_of("=>", end);
      if (equal == std::string_view::npos || text[equal] == '>' || text[equal + 1] != '"')
        return "bad attribute" + at(end);
      const std::size_t quote = text.find_first_of("\"<", equal + 2);
      if (quote == std::string_view::npos || text[quote] == '<') return "open attribute" + at(equal);
      end = quote + 1;
    }
    if (end >= text.size()) return "open tag" + at(i);
    const bool empty = text[end] == '/';
    if (empty && text[++end] != '>') return "bad end of tag" + at(end);
    if (closing) {
      if (open.empty() || open.back() != name) return "closes what is not open" + at(i);
      open.pop_back();
    } else {
      if (open.empty() && had_root) return "a second root" + at(i);
      had_root = true;
      if (!empty) open.push_back(name);
    }
    i = end + 1;
  }
  if (!had_root) return "no root";
  return open.empty() ? "" : "open at the end: " + std::string(open.back());
}

}  // namespace flexura
