#pragma once
// What a journal holds, in memory. The file itself: docs/results-format.md, "Journal".

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "flexura/observe/channel_column.hpp"

namespace flexura {

/// A stream of rows: all columns of a row are written together. The first column is the axis ("t", "load_factor", "mode").
/// `path` is the group of the results file that receives one dataset per column, e.g. "/sensors/tip".
struct Channel {
  std::string path;
  std::string doc;
  std::vector<ChannelColumn> columns;

  /// Numbers in one row.
  std::uint64_t size() const;
  /// Units of eight bytes that a row takes.
  std::uint64_t words() const;
  bool operator==(const Channel&) const = default;
};

using ChannelId = std::uint32_t;

/// A named text or file, e.g. "/scene/text", "/scene/files/pump.csv"; the last one of a name counts.
struct Blob {
  std::string path;
  std::string content;
  bool is_text = true;  ///< UTF-8; otherwise bytes
  std::string doc;
};

/// A named number or text at a group or dataset of the results file; the last one of a path and name counts.
struct Attribute {
  enum class Kind { real, integer, text };
  std::string path;
  std::string name;
  Kind kind = Kind::text;
  double real = 0;
  std::int64_t integer = 0;
  std::string text;
};

/// Numbers of one name and shape, owned: a table of the model, modes, or a part of a checkpoint.
struct NamedArray {
  std::string name;  ///< in a checkpoint a plain name, else a path of the results file
  std::vector<std::uint64_t> shape;
  ColumnType type = ColumnType::real;
  std::vector<double> reals;           ///< row-major, if type is real or single
  std::vector<std::int64_t> integers;  ///< row-major, if type is integer
  std::string unit, doc;
};

/// The same without owning: what a writer takes. Text does not fit here; write it as an attribute or a blob.
struct ArrayView {
  ArrayView(std::string_view array_name, std::span<const double> values) : name(array_name), reals(values) {}
  ArrayView(std::string_view array_name, std::span<const std::int64_t> values)
      : name(array_name), type(ColumnType::integer), integers(values) {}
  /// One number; it must outlive the view.
  ArrayView(std::string_view array_name, const double& value) : name(array_name), reals(&value, 1) {}
  ArrayView(std::string_view array_name, const std::int64_t& value)
      : name(array_name), type(ColumnType::integer), integers(&value, 1) {}

  std::string_view name;
  ColumnType type = ColumnType::real;
  std::span<const double> reals = {};
  std::span<const std::int64_t> integers = {};
};

/// Part of a row: a number or many. Lets a row be written as {t, q, v}.
struct RowPart {
  RowPart(const double& value) : values(&value, 1) {}         // NOLINT
  RowPart(std::span<const double> many) : values(many) {}     // NOLINT
  RowPart(const std::vector<double>& many) : values(many) {}  // NOLINT
  std::span<const double> values;
};

/// State of a run at one moment, sufficient to go on, as it was written.
struct Checkpoint {
  std::vector<NamedArray> arrays;
  std::vector<std::uint64_t> rows;  ///< of each channel, when it was written

  /// Null if there is no array of this name and type.
  const std::vector<double>* reals(std::string_view name) const;
  const std::vector<std::int64_t>* integers(std::string_view name) const;
};

/// True for quantities of the clock on the wall.
inline bool is_wall_clock(std::string_view name) { return name.starts_with("wall_"); }

}  // namespace flexura
