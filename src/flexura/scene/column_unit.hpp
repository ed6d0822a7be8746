#pragma once
// Units of columns of numbers, from their headings or as a scene or study states them.

#include <string>
#include <string_view>

#include "flexura/scene/units.hpp"
#include "flexura/signal/csv.hpp"

namespace flexura {

/// What converts a column to SI, or what is wrong with its unit.
struct ColumnUnit {
  Unit unit = {};
  bool is_stated = false;  ///< else the numbers are taken as they are
  std::string problem, nearest;
};

/// `text`: the unit as it is written; "", "1" and "-" are none. `expected`: as schemas write it, "*": any.
ColumnUnit column_unit(std::string_view text, std::string_view expected);

/// The unit in a column's heading; "" without one.
std::string heading_unit(const CsvTable& csv, int column);

/// Converts a column to SI.
void convert_column(CsvTable& csv, int column, const Unit& unit);

/// Number of the column with that heading, with or without its unit; -1: none.
int find_heading(const CsvTable& csv, std::string_view heading);

/// Character at which the heading begins in its line, from 1, and the line; for messages.
CsvError at_heading(const CsvTable& csv, std::string_view text, int column, std::string message);

}  // namespace flexura
