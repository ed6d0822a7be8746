#include "flexura/mesh/gmsh_input.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>

namespace flexura {
namespace {

std::string_view trimmed_line(std::string_view text) {
  const auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
  while (!text.empty() && blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && blank(text.back())) text.remove_suffix(1);
  return text;
}

/// Format 1 closes $NOD by $ENDNOD.
bool closes(std::string_view line, std::string_view section) {
  return (line.starts_with("$End") || line.starts_with("$END")) && line.substr(4) == section;
}

}  // namespace

std::string gmsh_quoted(std::string_view text) {
  std::string out(text.substr(0, 40));
  std::replace_if(out.begin(), out.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
  return out;
}

Problem gmsh_problem(const std::string& file, const GmshPosition& at, std::string message) {
  if (at.byte >= 0) message += fmt::format(" (byte {})", at.byte);
  return {Source{file, at.line, at.line > 0 ? 1 : 0, 1}, "", std::move(message), ""};
}

void GmshInput::fail_at(const GmshPosition& at, std::string message) const {
  throw InputError({gmsh_problem(file_, at, std::move(message))});
}
void GmshInput::fail_at_end(std::string_view section) const {
  const GmshPosition end = is_binary_ ? GmshPosition{0, static_cast<std::int64_t>(at_)} : GmshPosition{line_ + 1};
  fail_at(end, fmt::format("the file ends inside ${}", section));
}

void GmshInput::set_binary(bool is_swapped, int large) { is_binary_ = true, is_swapped_ = is_swapped, large_ = large; }

bool GmshInput::next_line() {
  while (at_ < whole_.size()) {
    begin_ = at_;
    const std::size_t length = std::min(whole_.find('\n', at_), whole_.size()) - at_;
    text_ = trimmed_line(whole_.substr(at_, length));
    at_ = std::min(at_ + length + 1, whole_.size());
    ++line_;
    if (!text_.empty()) return true;
  }
  text_ = {};
  return false;
}

void GmshInput::text_record(std::string_view section) {
  reads_bytes_ = false;
  if (!next_line()) fail_at_end(section);
  if (text_.starts_with("$")) fail(fmt::format("${} ends too early: more lines were announced", section));
  words_ = text_;
}
void GmshInput::record(std::string_view section) {
  if (!is_binary_) return text_record(section);
  reads_bytes_ = true;
  begin_ = at_;
}

void GmshInput::end_of(std::string_view section) {
  if (!next_line()) fail_at_end(section);
  if (!closes(text_, section)) fail(fmt::format("expected $End{}, found \"{}\"", section, gmsh_quoted(text_)));
}
void GmshInput::skip_section(std::string_view section) {
  const GmshPosition begin = position();
  if (is_binary_) at_ = std::min(whole_.find(fmt::format("$End{}", section), at_), whole_.size());
  while (next_line())
    if (closes(text_, section)) return;
  fail_at(begin, fmt::format("${} has no $End{}", gmsh_quoted(section), gmsh_quoted(section)));
}

std::string_view GmshInput::word() {
  const std::string_view out = words_.substr(0, words_.find_first_of(" \t"));
  words_ = trimmed_line(words_.substr(out.size()));
  return out;
}
std::size_t GmshInput::words_left() const {
  std::size_t out = 0;
  for (std::string_view left = reads_bytes_ ? std::string_view() : words_; !left.empty(); ++out)
    left = trimmed_line(left.substr(std::min(left.find_first_of(" \t"), left.size())));
  return out;
}

template <class T>
T GmshInput::binary(std::string_view what) {
  if (bytes_left() < sizeof(T)) fail(fmt::format("expected {}, found the end of the file", what));
  char bytes[sizeof(T)];
  std::memcpy(bytes, whole_.data() + at_, sizeof(T));
  if (is_swapped_) std::reverse(bytes, bytes + sizeof(T));
  T out;
  std::memcpy(&out, bytes, sizeof(T));
  at_ += sizeof(T);
  return out;
}

std::int64_t GmshInput::integer_of(std::string_view word, std::string_view what) const {
  if (word.empty()) fail(fmt::format("expected {}, found the end of the line", what));
  std::int64_t value = 0;
  const auto [stop, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc() || stop != word.data() + word.size())
    fail(fmt::format("expected {}, a whole number, found \"{}\"", what, gmsh_quoted(word)));
  return value;
}
std::int64_t GmshInput::integer(std::string_view what) {
  return reads_bytes_ ? binary<std::int32_t>(what) : integer_of(word(), what);
}
std::int64_t GmshInput::large(std::string_view what) {
  if (!reads_bytes_) return integer_of(word(), what);
  return large_ == 4 ? std::int64_t{binary<std::uint32_t>(what)} : binary<std::int64_t>(what);
}
double GmshInput::number(std::string_view what) {
  double value = 0;
  if (reads_bytes_) {
    value = binary<double>(what);
    if (!std::isfinite(value)) fail(fmt::format("expected {}, a finite number, found {}", what, value));
    return value;
  }
  const std::string_view given = word();
  if (given.empty()) fail(fmt::format("expected {}, found the end of the line", what));
  const std::string_view digits = given.substr(given.starts_with('+') ? 1 : 0);
  const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error == std::errc::result_out_of_range && stop == digits.data() + digits.size() &&
      digits.find("e-") != digits.npos)
    return 0;  // 4.9e-324 and the like
  if (error != std::errc() || stop != digits.data() + digits.size() || !std::isfinite(value))
    fail(fmt::format("expected {}, a finite number, found \"{}\"", what, gmsh_quoted(given)));
  return value;
}
std::int64_t GmshInput::count(std::string_view what, bool is_large) {
  const std::int64_t value = is_large ? large(what) : integer(what);
  if (value < 0) fail(fmt::format("{} must be 0 or above, it is {}", what, value));
  if (value > static_cast<std::int64_t>(bytes_left() / 2 + 1))
    fail(fmt::format("{} is {}, more than the rest of the file can hold", what, value));
  return value;
}

void GmshInput::skip(std::int64_t n, std::size_t size) {
  if (!reads_bytes_) {
    while (n-- > 0) word();
  } else if (static_cast<std::uint64_t>(n) > bytes_left() / size) {
    fail("the file ends inside a record");
  } else {
    at_ += static_cast<std::size_t>(n) * size;
  }
}
void GmshInput::skip_integers(std::int64_t n) { skip(n, sizeof(std::int32_t)); }
void GmshInput::skip_numbers(std::int64_t n) { skip(n, sizeof(double)); }
void GmshInput::skip_large(std::int64_t n) { skip(n, static_cast<std::size_t>(large_)); }

}  // namespace flexura
