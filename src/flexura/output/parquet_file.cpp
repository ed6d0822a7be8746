// The parts of Parquet's format that a plain table takes: https://parquet.apache.org/docs/file-format/. Headers and footer are structs of
// Thrift's compact protocol, fields by their numbers there.

#include "flexura/output/parquet_file.hpp"

#include <algorithm>
#include <array>

namespace flexura {
namespace {

enum ThriftKind { int32 = 5, int64 = 6, binary = 8, list = 9, structure = 12 };
enum ParquetType { of_int64 = 2, of_double = 5, of_bytes = 6 };
constexpr int plain_encoding = 0, run_length = 3, required = 0, utf8 = 0, data_page = 0;

/// A struct; those within it end by `end`.
class Compact {
 public:
  Compact& number(int field, std::int64_t value, ThriftKind kind = int32) {
    head(field, kind);
    return zigzag(value);
  }
  Compact& text(int field, std::string_view value) {
    head(field, binary);
    return text(value);
  }
  Compact& begin(int field) {
    head(field, structure);
    return begin();
  }
  Compact& many(int field, std::size_t count, ThriftKind kind) {
    head(field, list);
    if (count < 15) {
      out_ += static_cast<char>(count << 4 | kind);
    } else {
      out_ += static_cast<char>(0xf0 | kind);
      varint(count);
    }
    return *this;
  }
  /// Elements of lists.
  Compact& begin() {
    last_.push_back(0);
    return *this;
  }
  Compact& text(std::string_view value) {
    varint(value.size());
    out_ += value;
    return *this;
  }
  Compact& zigzag(std::int64_t value) {
    varint(static_cast<std::uint64_t>(value) << 1 ^ static_cast<std::uint64_t>(value >> 63));
    return *this;
  }
  Compact& end() {
    out_ += '\0';
    last_.pop_back();
    return *this;
  }
  const std::string& bytes() const { return out_; }

 private:
  void head(int field, ThriftKind kind) {
    out_ += static_cast<char>((field - last_.back()) << 4 | kind);
    last_.back() = field;
  }
  void varint(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) out_ += static_cast<char>(value | 0x80);
    out_ += static_cast<char>(value);
  }
  std::string out_;
  std::vector<int> last_{0};  ///< the field before, of each struct that is open
};

void append(std::string& out, const void* data, std::size_t size) { out.append(static_cast<const char*>(data), size); }

std::string little_endian(std::uint32_t value) {
  std::string out;
  for (int i = 0; i < 4; ++i) out += static_cast<char>(value >> 8 * i);
  return out;
}

ParquetType parquet_type(const ParquetTable::Values& values) {
  return std::array{of_int64, of_double, of_bytes}[values.index()];
}

std::size_t size_of(const ParquetTable::Values& values) {
  return std::visit([](const auto& all) { return all.size(); }, values);
}

std::string plain_values(const ParquetTable::Values& values, std::size_t first, std::size_t count) {
  std::string out;
  if (const auto* texts = std::get_if<std::vector<std::string>>(&values)) {
    for (std::size_t i = first; i < first + count; ++i)
      out += little_endian(static_cast<std::uint32_t>((*texts)[i].size())) + (*texts)[i];
  } else if (const auto* numbers = std::get_if<std::vector<double>>(&values)) {
    append(out, numbers->data() + first, count * sizeof(double));
  } else {
    append(out, std::get<std::vector<std::int64_t>>(values).data() + first, count * sizeof(std::int64_t));
  }
  return out;
}

struct Chunk {
  std::size_t at, size, rows;
};

}  // namespace

std::string ParquetTable::bytes(std::size_t rows_of_group) const {
  const std::size_t rows = columns_.empty() ? 0 : size_of(columns_[0].values);
  std::string out = "PAR1";
  std::vector<std::vector<Chunk>> groups;
  for (std::size_t first = 0; first < rows; first += rows_of_group) {
    const std::size_t count = std::min(rows_of_group, rows - first);
    groups.emplace_back();
    for (const Column& column : columns_) {
      const std::string values = plain_values(column.values, first, count);
      const auto size = static_cast<std::int64_t>(values.size());
      Compact page;
      page.number(1, data_page).number(2, size).number(3, size).begin(5);
      page.number(1, static_cast<std::int64_t>(count))
          .number(2, plain_encoding)
          .number(3, run_length)
          .number(4, run_length);
      page.end().end();
      groups.back().push_back({out.size(), page.bytes().size() + values.size(), count});
      out += page.bytes() + values;
    }
  }

  Compact footer;
  footer.number(1, 1).many(2, columns_.size() + 1, structure);
  footer.begin().text(4, "schema").number(5, static_cast<std::int64_t>(columns_.size())).end();
  for (const Column& column : columns_) {
    const ParquetType type = parquet_type(column.values);
    footer.begin().number(1, type).number(3, required).text(4, column.name);
    if (type == of_bytes) footer.number(6, utf8);
    footer.end();
  }
  footer.number(3, static_cast<std::int64_t>(rows), int64).many(4, groups.size(), structure);
  for (const std::vector<Chunk>& group : groups) {
    std::size_t size = 0;
    footer.begin().many(1, group.size(), structure);
    for (std::size_t c = 0; c < group.size(); ++c) {
      const Chunk& chunk = group[c];
      const auto at = static_cast<std::int64_t>(chunk.at), bytes = static_cast<std::int64_t>(chunk.size);
      size += chunk.size;
      footer.begin().number(2, at, int64).begin(3).number(1, parquet_type(columns_[c].values));
      footer.many(2, 1, int32).zigzag(plain_encoding).many(3, 1, binary).text(columns_[c].name).number(4, 0);
      footer.number(5, static_cast<std::int64_t>(chunk.rows), int64).number(6, bytes, int64).number(7, bytes, int64);
      footer.number(9, at, int64).end().end();
    }
    footer.number(2, static_cast<std::int64_t>(size), int64);
    footer.number(3, static_cast<std::int64_t>(group[0].rows), int64).end();
  }
  footer.text(6, "flexura").end();
  return out + footer.bytes() + little_endian(static_cast<std::uint32_t>(footer.bytes().size())) + "PAR1";
}

}  // namespace flexura
