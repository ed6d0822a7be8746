#include "flexura/scene/raw_toml.hpp"

// The library's assertions hold no promise: "[.a]" breaks one, and with NDEBUG they turn into assumptions of the
// optimiser. As nothing at all they leave the error handling that follows each.
#undef NDEBUG
#define TOML_ASSERT(expr) static_cast<void>(0)
#define TOML_EXCEPTIONS 0
#define TOML_ENABLE_FORMATTERS 0
#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <cctype>
#include <optional>

#include "flexura/scene/text_places.hpp"

namespace flexura {
namespace {

constexpr int deepest_key = 64;  ///< dots; tables of 20 000 levels end in a stack overflow where they are taken apart

class Converter {
 public:
  Converter(std::string_view text, const std::string& file) : file_(file), places_(text) {}

  Source source(const toml::source_region& region) const {
    Source source{file_, static_cast<int>(region.begin.line), static_cast<int>(region.begin.column), 1};
    if (region.end.line == region.begin.line)
      source.length = std::max(1, static_cast<int>(region.end.column) - static_cast<int>(region.begin.column));
    return source;
  }

  /// The line of a place, without its end.
  std::string line(const Source& source) const { return places_.line(static_cast<size_t>(std::max(0, source.line))); }

  size_t byte(const toml::source_position& position) const { return places_.byte(position.line, position.column); }

  RawNode convert(const toml::node& node) const {
    RawNode raw;
    raw.source = source(node.source());
    raw.begin = byte(node.source().begin);
    raw.end = byte(node.source().end);
    if (const auto* table = node.as_table()) {
      raw.kind = RawNode::Kind::table;
      for (const auto& [key, value] : *table)
        raw.entries.push_back({std::string(key.str()), source(key.source()), convert(value)});
      std::stable_sort(raw.entries.begin(), raw.entries.end(), [](const RawEntry& a, const RawEntry& b) {
        return std::pair(a.source.line, a.source.column) < std::pair(b.source.line, b.source.column);
      });
    } else if (const auto* array = node.as_array()) {
      raw.kind = RawNode::Kind::array;
      for (const auto& item : *array) raw.items.push_back(convert(item));
    } else if (const auto* text = node.as_string()) {
      raw.kind = RawNode::Kind::text;
      raw.text = text->get();
    } else if (const auto* integer = node.as_integer()) {
      raw.kind = RawNode::Kind::integer;
      raw.integer = integer->get();
      raw.number = static_cast<double>(raw.integer);
    } else if (const auto* number = node.as_floating_point()) {
      raw.kind = RawNode::Kind::number;
      raw.number = number->get();
    } else if (const auto* boolean = node.as_boolean()) {
      raw.kind = RawNode::Kind::boolean;
      raw.boolean = boolean->get();
    } else {
      raw.kind = RawNode::Kind::date;
    }
    return raw;
  }

 private:
  std::string file_;
  TextPlaces places_;
};

/// The first character beyond ASCII outside of texts and comments: TOML has none there, and the parser's behaviour for
/// some of them is undefined. Also where a line of a text is continued, as blanks are skipped there.
std::optional<Problem> stray_character(std::string_view text, const std::string& file) {
  size_t at = text.starts_with("\xef\xbb\xbf") ? 3 : 0, line_begin = at;
  int line = 1;
  std::string_view quote;  // of the text that is open
  bool in_comment = false, continued = false;
  int dots = 0;  // of one key
  for (; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '\n') {
      ++line;
      line_begin = at + 1;
      in_comment = false;
      dots = 0;
      if (quote.size() == 1) quote = {};
      continue;
    }
    if (static_cast<unsigned char>(c) >= 0x80 && !in_comment && (quote.empty() || continued)) {
      const auto is_first = [](char x) { return (static_cast<unsigned char>(x) & 0xc0) != 0x80; };
      const auto before = text.substr(line_begin, at - line_begin);
      const int column = static_cast<int>(std::count_if(before.begin(), before.end(), is_first)) + 1;
      size_t end = at + 1;
      while (end < text.size() && !is_first(text[end])) ++end;
      return Problem{{file, line, column, 1},
                     {},
                     "\"" + std::string(text.substr(at, end - at)) +
                         "\" stands outside of quotes and comments; letters beyond a to z belong in quotes",
                     {}};
    }
    if (in_comment) continue;
    if (quote.empty()) {
      in_comment = c == '#';
      const bool in_key = std::isalnum(static_cast<unsigned char>(c)) != 0 ||
                          std::string_view("_- \t\"'.").find(c) != std::string_view::npos;
      dots = !in_key ? 0 : c == '.' ? dots + 1 : dots;
      if (dots > deepest_key)
        return Problem{{file, line, static_cast<int>(at - line_begin) + 1, 1},
                       {},
                       fmt::format("a key of more than {} words with dots between them", deepest_key),
                       {}};
      if (c != '"' && c != '\'') continue;
      const size_t length = text.substr(at).starts_with(c == '"' ? "\"\"\"" : "'''") ? 3 : 1;
      quote = text.substr(at, length);
      at += length - 1;
    } else if (c == '\\' && quote[0] == '"') {
      const size_t next = text.find_first_not_of(" \t\r", at + 1);
      continued = quote.size() == 3 && next != std::string_view::npos && text[next] == '\n';
      if (!continued && at + 1 < text.size() && text[at + 1] != '\n') ++at;
      continue;
    } else if (text.substr(at).starts_with(quote)) {
      at += quote.size() - 1;
      quote = {};
    }
    if (c != ' ' && c != '\t' && c != '\r') continued = false;
  }
  return {};
}

/// The text between the first two single quotes.
std::string between_quotes(const std::string& message) {
  const size_t first = message.find('\''), second = message.find('\'', first + 1);
  return second == std::string::npos ? std::string() : message.substr(first + 1, second - first - 1);
}

/// The parser's message, in words of whoever writes a scene, where they say more.
Problem in_plain_words(const std::string& description, Source source, const Converter& converter) {
  const std::string line = converter.line(source);
  const auto has = [&](std::string_view words) { return description.find(words) != std::string::npos; };
  const bool at_line_end = source.column > static_cast<int>(line.size());
  const auto say = [&](std::string message) { return Problem{source, {}, std::move(message), {}}; };
  const std::string name = between_quotes(description);
  if (has("cannot redefine existing") && description.ends_with('\'' + name + '\'')) {
    const size_t first = std::min(line.find_first_not_of(" \t"), line.size());
    const bool header = line.substr(first).starts_with('[');
    size_t end = header ? line.rfind(']') : line.find('=');
    if (end == std::string::npos || end <= first) end = line.size() - 1;
    if (!header) end = line.find_last_not_of(" \t", end - 1);
    source.column = static_cast<int>(first) + 1;
    source.length = std::max(1, static_cast<int>(end - first) + 1);
    return say(header ? "[" + name + "] is given twice" : "\"" + name + "\" is given twice");
  }
  if (has("is not representable in 64 bits")) {
    source.column = std::max(1, source.column - static_cast<int>(name.size()));
    source.length = static_cast<int>(name.size());
    return say("the whole number is too large; with a decimal point it may be larger");
  }
  if (has("expected value, saw")) return say("a value is missing after =");
  if (has("could not determine value type")) return say("this is no value; texts stand in quotes");
  if (has("string") && has("control characters") && at_line_end) return say("the text has no closing quote");
  if (has("expected a comment or whitespace, saw ','"))
    return say("the line goes on after the value; decimals are written with a point");
  if (has("expected a comment or whitespace, saw"))
    return say("the line goes on after the value; a number with a unit stands in quotes, as in \"30 g\"");
  std::string message = description;
  const std::string start = "Error while parsing ";
  if (message.starts_with(start)) {
    message = message.substr(start.size());
    const bool vowel = std::string_view("aeiou").find(message[0]) != std::string_view::npos;
    message = (vowel ? "while reading an " : "while reading a ") + message;
  }
  if (const size_t at = message.find("saw '\\n'"); at != std::string::npos)
    message.replace(at, 8, "found the end of the line");
  if (const size_t at = message.find(" (TOML_"); at != std::string::npos) message.resize(at);
  return say(message);
}

}  // namespace

RawResult parse_toml(std::string_view text, const std::string& file) {
  if (std::optional<Problem> stray = stray_character(text, file)) return {{}, {std::move(*stray)}};
  const toml::parse_result parsed = toml::parse(text, std::string_view(file));
  const Converter converter(text, file);
  RawResult result;
  if (!parsed) {
    result.problems.push_back(in_plain_words(std::string(parsed.error().description()),
                                             converter.source(parsed.error().source()), converter));
    return result;
  }
  result.root = converter.convert(parsed.table());
  return result;
}

}  // namespace flexura
