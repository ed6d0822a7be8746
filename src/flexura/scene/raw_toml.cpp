#include "flexura/scene/raw_toml.hpp"

// The library's assertions hold no promise: "[.a]" breaks one, and with NDEBUG they turn into assumptions of the
// optimiser. As nothing at all they leave the error handling that follows each.
#undef NDEBUG
#define TOML_ASSERT(expr) static_cast<void>(0)
#define TOML_EXCEPTIONS 0
#define TOML_ENABLE_FORMATTERS 0
#include <toml++/toml.h>

#include <algorithm>

namespace flexura {
namespace {

class Converter {
 public:
  Converter(std::string_view text, const std::string& file) : file_(file) {
    lines_.push_back(0);
    for (size_t i = 0; i < text.size(); ++i)
      if (text[i] == '\n') lines_.push_back(i + 1);
    text_ = text;
  }

  Source source(const toml::source_region& region) const {
    Source source{file_, static_cast<int>(region.begin.line), static_cast<int>(region.begin.column), 1};
    if (region.end.line == region.begin.line)
      source.length = std::max(1, static_cast<int>(region.end.column) - static_cast<int>(region.begin.column));
    return source;
  }

  /// Byte of a place; columns count characters.
  size_t byte(const toml::source_position& position) const {
    if (position.line == 0 || position.line > lines_.size()) return 0;
    size_t at = lines_[position.line - 1];
    for (size_t column = 1; column < position.column && at < text_.size(); ++column) {
      ++at;
      while (at < text_.size() && (static_cast<unsigned char>(text_[at]) & 0xc0) == 0x80) ++at;
    }
    return at;
  }

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
  std::string_view text_;
  std::vector<size_t> lines_;
};

}  // namespace

RawResult parse_toml(std::string_view text, const std::string& file) {
  const toml::parse_result parsed = toml::parse(text, std::string_view(file));
  const Converter converter(text, file);
  RawResult result;
  if (!parsed) {
    std::string message(parsed.error().description());
    if (message.starts_with("Error while parsing ")) message = "while reading a " + message.substr(20);
    result.problems.push_back({converter.source(parsed.error().source()), {}, message, {}});
    return result;
  }
  result.root = converter.convert(parsed.table());
  return result;
}

}  // namespace flexura
