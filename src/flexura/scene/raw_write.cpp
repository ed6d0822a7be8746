// RawNode: look-up and writing as TOML.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "flexura/scene/place.hpp"
#include "flexura/scene/raw_toml.hpp"

namespace flexura {
namespace {

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '\t') {
      out += "\\t";
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(static_cast<unsigned char>(c)));
    } else {
      out += c;
    }
  }
  return out + "\"";
}

std::string written_key(const std::string& key) { return is_name(key) ? key : quoted(key); }

std::string written_number(double x) {
  if (std::isnan(x)) return "nan";
  if (std::isinf(x)) return x > 0 ? "inf" : "-inf";
  std::string text = fmt::format("{}", x);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

bool is_list_of_tables(const RawNode& node) {
  if (node.kind != RawNode::Kind::array || node.items.empty()) return false;
  for (const RawNode& item : node.items)
    if (item.kind != RawNode::Kind::table) return false;
  return true;
}

/// Keys with values first, then sub-tables down to depth 2: [kind.NAME]; deeper ones are written inline.
void write_table(const RawNode& table, const std::string& path, int depth, std::string& out) {
  const auto is_section = [&](const RawNode& node) {
    return depth < 2 && (node.kind == RawNode::Kind::table || (depth == 0 && is_list_of_tables(node)));
  };
  for (const RawEntry& entry : table.entries)
    if (!is_section(entry.node)) out += written_key(entry.key) + " = " + write_toml_value(entry.node) + "\n";
  for (const RawEntry& entry : table.entries) {
    if (!is_section(entry.node)) continue;
    const std::string name = (path.empty() ? "" : path + ".") + written_key(entry.key);
    if (entry.node.kind == RawNode::Kind::array) {
      for (const RawNode& item : entry.node.items) {
        out += "\n[[" + name + "]]\n";
        write_table(item, name, 2, out);
      }
      continue;
    }
    bool only_tables = depth == 0 && !entry.node.entries.empty();
    for (const RawEntry& inner : entry.node.entries)
      only_tables = only_tables && inner.node.kind == RawNode::Kind::table;
    if (!only_tables) out += "\n[" + name + "]" + (entry.comment.empty() ? "" : "  # " + entry.comment) + "\n";
    write_table(entry.node, name, depth + 1, out);
  }
}

}  // namespace

const RawNode* RawNode::find(std::string_view key) const {
  for (const RawEntry& entry : entries)
    if (entry.key == key) return &entry.node;
  return nullptr;
}

RawNode* RawNode::find(std::string_view key) {
  for (RawEntry& entry : entries)
    if (entry.key == key) return &entry.node;
  return nullptr;
}

std::string RawNode::describe() const {
  switch (kind) {
    case Kind::boolean:
      return boolean ? "true" : "false";
    case Kind::integer:
      return fmt::format("{}", integer);
    case Kind::number:
      return fmt::format("{}", number);
    case Kind::text: {
      size_t end = std::min<size_t>(text.size(), 60);
      while (end < text.size() && end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;
      return fmt::format("the text \"{}{}\"", text.substr(0, end), end < text.size() ? "..." : "");
    }
    case Kind::array:
      return items.empty() ? "an empty array" : "an array";
    case Kind::table:
      return "a table";
    case Kind::date:
      return "a date or time of day";
  }
  return {};
}

std::string write_toml_value(const RawNode& value) {
  switch (value.kind) {
    case RawNode::Kind::boolean:
      return value.boolean ? "true" : "false";
    case RawNode::Kind::integer:
      return fmt::format("{}", value.integer);
    case RawNode::Kind::number:
      return written_number(value.number);
    case RawNode::Kind::text:
      return quoted(value.text);
    case RawNode::Kind::array: {
      std::string out = "[";
      for (const RawNode& item : value.items) out += (out.size() > 1 ? ", " : "") + write_toml_value(item);
      return out + "]";
    }
    case RawNode::Kind::table: {
      std::string out = "{";
      for (const RawEntry& entry : value.entries)
        out += (out.size() > 1 ? ", " : " ") + written_key(entry.key) + " = " + write_toml_value(entry.node);
      return out + " }";
    }
    case RawNode::Kind::date:
      return "\"\"";
  }
  return {};
}

std::string write_toml(const RawNode& root) {
  std::string out;
  write_table(root, "", 0, out);
  return out;
}

}  // namespace flexura
