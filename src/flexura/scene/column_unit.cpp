#include "flexura/scene/column_unit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "flexura/scene/coordinate_units.hpp"

namespace flexura {

ColumnUnit column_unit(std::string_view text, std::string_view expected) {
  ColumnUnit out;
  if (text.empty() || text == "1" || text == "-") return out;
  std::string unknown;
  const std::optional<Unit> given = parse_unit(text, &unknown), required = parse_unit(expected);
  const std::string brackets = unit_in_brackets(expected);
  if (!given) {
    out.problem = fmt::format("\"{}\" is not a unit{}", text, brackets.empty() ? "" : "; expected" + brackets);
    if (!unknown.empty()) out.nearest = nearest_unit(unknown, required ? &required->dimension : nullptr);
  } else if (!fits(given->dimension, expected)) {
    out.problem = fmt::format("\"{}\" has the wrong dimension; expected{}", text,
                              brackets.empty() ? " a number without unit" : brackets);
  } else {
    out.unit = *given;
    out.is_stated = true;
  }
  return out;
}

std::string heading_unit(const CsvTable& csv, int column) {
  return csv.names.empty() ? std::string() : CsvHeading(csv.names[static_cast<size_t>(column)]).unit;
}

void convert_column(CsvTable& csv, int column, const Unit& unit) {
  for (double& x : csv.columns[static_cast<size_t>(column)])
    if (!std::isnan(x)) x = unit.to_si(x);
}

int find_heading(const CsvTable& csv, std::string_view heading) {
  if (heading.empty()) return -1;
  const auto same = std::ranges::find(csv.names, heading);
  const auto found = same != csv.names.end() ? same : std::ranges::find_if(csv.names, [&](const std::string& name) {
    return CsvHeading(name).name == heading;
  });
  return found == csv.names.end() ? -1 : static_cast<int>(found - csv.names.begin());
}

CsvError at_heading(const CsvTable& csv, std::string_view text, int column, std::string message) {
  const std::string& heading = csv.names[static_cast<size_t>(column)];
  int number = 1;
  for (size_t at = 0; at < text.size(); ++number) {
    const size_t end = std::min(text.find_first_of("\r\n", at), text.size());
    const std::string_view line = text.substr(at, end - at);
    const size_t first = line.find_first_not_of(" \t\xef\xbb\xbf"), found = line.find(heading);
    if (first != std::string_view::npos && line[first] != '#')
      return {number, found == std::string_view::npos ? 1 : static_cast<int>(found) + 1, std::move(message)};
    at = end + (text.substr(end).starts_with("\r\n") ? 2 : 1);
  }
  return {1, 1, std::move(message)};
}

}  // namespace flexura
