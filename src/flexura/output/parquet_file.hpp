#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace flexura {

/// A table by columns, as a file of Apache Parquet: plain values, not compressed, none of them null (a number that there is not is
/// NaN).
class ParquetTable {
 public:
  using Values = std::variant<std::vector<std::int64_t>, std::vector<double>, std::vector<std::string>>;

  /// All columns have as many values.
  void add(std::string name, Values values) { columns_.push_back({std::move(name), std::move(values)}); }
  /// The whole file, in groups of so many rows.
  std::string bytes(std::size_t rows_of_group = std::size_t{1} << 20) const;

 private:
  struct Column {
    std::string name;
    Values values;
  };
  std::vector<Column> columns_;
};

}  // namespace flexura
