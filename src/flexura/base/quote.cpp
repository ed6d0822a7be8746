#include "flexura/base/quote.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string_view>

namespace flexura {
namespace {

bool is_plain(char c, std::string_view others) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         others.find(c) != std::string_view::npos;
}

}  // namespace

std::string shell_word(const std::string& text) {
  if (!text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return is_plain(c, "/-_.+,=@:%"); }))
    return text;
  std::string word = "'";
  for (const char c : text) {
    if (c == '\'')
      word += R"('\'')";
    else
      word += c;
  }
  return word + "'";
}

std::string file_url(const std::string& path) {
  std::string url = "file://";
  for (const char c : std::filesystem::absolute(path).lexically_normal().string())
    url += is_plain(c, "/-_.~+,=@:()") ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  return url;
}

}  // namespace flexura
