#pragma once
// A measured record: a table of numbers with a column of time, units in its headings or stated by whoever reads it, and gaps.
//
//     t [s], tip x [mm], tip y [mm]
//     0.00,  0.1,        -175.2
//     0.01,  ,           -175.0

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "flexura/base/problem.hpp"
#include "flexura/signal/csv.hpp"

namespace flexura {

/// A column as a study names it: by its heading, with or without the unit, or by its number, counted from 1.
using RecordColumn = std::variant<std::string, long>;

/// Where a study asks for something, for messages.
struct Asked {
  Source source;
  std::string path;
};

class RecordFile {
 public:
  /// Problems of the table itself go to `problems`.
  RecordFile(const std::string& name, const std::string& text, std::vector<Problem>& problems);

  bool usable() const { return usable_; }
  const std::string& name() const { return name_; }
  /// Index of a column; −1 and a problem where there is none.
  int find(const RecordColumn& column, const Asked& asked, std::vector<Problem>& problems) const;
  /// Index of the column with the first of these headings that there is; −1.
  int find_any(const std::vector<std::string>& headings) const;
  std::vector<std::string> headings() const;

  /// Numbers in SI. `unit`: as the study states it, "" where it does not; `wanted`: what the numbers are. A unit that is missing,
  /// unknown or of another dimension is a problem.
  std::vector<double> in_si(int column, const std::string& unit, const std::string& wanted, const Asked& asked,
                            std::vector<Problem>& problems) const;
  /// The same of times, which increase from row to row.
  std::vector<double> times(int column, const std::string& unit, const Asked& asked,
                            std::vector<Problem>& problems) const;
  /// Where the heading of a column is.
  Source place_of(int column) const;

 private:
  std::string name_;
  CsvTable csv_;
  int header_line_ = 0;
  std::string header_text_;
  bool usable_ = false;
};

}  // namespace flexura
