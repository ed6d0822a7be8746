#pragma once
// Tables as testing machines write them: lines before the header, a row of units, quoted cells, decimal commas, text in some columns.
//
//     "Specimen label","A1"
//
//     Time,Tensile strain (Extension),Tensile stress
//     (s),(mm/mm),(MPa)
//     "0.1","0.1","0.0273554"

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "flexura/signal/csv.hpp"

namespace flexura {

enum class DecimalMark { automatic, point, comma };
inline constexpr std::array<std::string_view, 3> decimal_mark_names{"automatic", "point", "comma"};

/// Rows are those between the header and the last row of numbers. A cell that is no number is NaN, and `cell_problem` says why.
struct TensionTable {
  CsvTable csv;
  std::vector<std::string> units;                      ///< of the row of units, empty without one
  std::vector<std::vector<std::string>> cell_problem;  ///< [column][row], "" of numbers
  int header_line = 0;                                 ///< 0: no header; then `first_line` is that of the first row
  int first_line = 0;
  std::string header_text;  ///< the line as written

  std::size_t width() const { return csv.columns.size(); }
};

/// The separator is that of ; tab , and blanks which gives the most consecutive rows of numbers.
TensionTable parse_tension_table(std::string_view text, DecimalMark mark = DecimalMark::automatic);

/// "1,5", "1.250,5" or "1,250.5" by the mark; thousands may be grouped with the other one. False: no finite number.
bool read_marked_number(std::string_view text, DecimalMark mark, double& value);

}  // namespace flexura
