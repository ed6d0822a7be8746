#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "flexura/signal/table.hpp"

namespace flexura {

/// A place in a CSV file, counted from 1 (0: the file as a whole; columns are characters), and what is wrong there.
struct CsvError {
  int line = 0;
  int column = 0;
  std::string message;
};

/// A column by its number, counted from 0, or by its name in the header.
using CsvColumn = std::variant<int, std::string>;

/// Numbers in columns of equal length. With errors the numbers are incomplete and must not be used.
struct CsvTable {
  std::vector<std::string> names;            ///< header, empty if there is none
  std::vector<std::vector<double>> columns;  ///< [column][row]
  std::vector<std::vector<int>> places;      ///< [column][row]: character where the cell begins, from 1
  std::vector<int> lines;                    ///< [row]: line in the file, from 1
  std::vector<CsvError> errors;

  bool ok() const { return errors.empty(); }
};

/// What an empty cell, "nan", "NA" or "-" is.
enum class CsvGaps {
  refused,  ///< an error
  allowed   ///< NaN
};

/// Reads numbers separated by ; tab , or blanks (found from the first row, in this order). Understands a header,
/// comments from #, a byte-order mark and any line ends. Finds every error, of which the first 50 are listed.
CsvTable parse_csv(std::string_view text, CsvGaps gaps = CsvGaps::refused);
/// The same from a file.
CsvTable read_csv(const std::string& path);

/// "tip x [mm]", "stress (MPa)", "force / N": a name, and the unit as written or "". "p(t)" is a function of time, without unit.
struct CsvHeading {
  std::string name, unit;

  explicit CsvHeading(std::string_view text);
};

/// Number of the column; if there is no such column, −1 and an error naming those that exist.
int find_column(const CsvTable& csv, const CsvColumn& column, std::vector<CsvError>& errors);

/// A table from two columns; times must increase from row to row. Returns nothing if it appended errors.
std::optional<TableSignal> table_from_csv(const CsvTable& csv, const CsvColumn& time, const CsvColumn& value,
                                          Interpolation interpolation, std::optional<double> period,
                                          std::vector<CsvError>& errors);

}  // namespace flexura
