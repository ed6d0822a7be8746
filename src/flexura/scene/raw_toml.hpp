#pragma once
// A TOML text as a tree with places, in the order of the text. The only door to the TOML library.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "flexura/base/problem.hpp"

namespace flexura {

struct RawEntry;

struct RawNode {
  enum class Kind { boolean, integer, number, text, array, table, date };
  Kind kind = Kind::table;
  bool boolean = false;
  std::int64_t integer = 0;
  double number = 0;
  std::string text;
  std::vector<RawNode> items;     ///< array
  std::vector<RawEntry> entries;  ///< table
  Source source;
  size_t begin = 0, end = 0;  ///< bytes of a value in the text; 0, 0 where not known

  const RawNode* find(std::string_view key) const;
  RawNode* find(std::string_view key);
  /// "the text \"abc\"", "3", "an array": for messages.
  std::string describe() const;
};

struct RawEntry {
  std::string key;
  Source source;
  RawNode node;
  std::string comment = {};  ///< of a table: written behind its name
};

struct RawResult {
  RawNode root;
  std::vector<Problem> problems;  ///< at most one: the syntax error
};

RawResult parse_toml(std::string_view text, const std::string& file);

/// The tree as TOML.
std::string write_toml(const RawNode& root);
/// A value as TOML, on one line.
std::string write_toml_value(const RawNode& value);

}  // namespace flexura
