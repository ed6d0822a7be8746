#include "flexura/study/record_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "flexura/base/nearest_name.hpp"
#include "flexura/scene/column_unit.hpp"

namespace flexura {

RecordFile::RecordFile(const std::string& name, const std::string& text, std::vector<Problem>& problems)
    : name_(name), csv_(parse_csv(text, CsvGaps::allowed)), usable_(csv_.ok()) {
  for (const CsvError& error : csv_.errors)
    problems.push_back({{name, error.line, error.column, 1}, {}, error.message, {}});
  int number = 0;
  for (size_t at = 0; at < text.size() && header_line_ == 0;) {
    const size_t end = std::min(text.find_first_of("\r\n", at), text.size());
    const std::string line = text.substr(at, end - at);
    ++number;
    if (const size_t first = line.find_first_not_of(" \t"); first != std::string::npos && line[first] != '#')
      header_line_ = number, header_text_ = line;
    at = end + (text.compare(end, 2, "\r\n") == 0 ? 2 : 1);
  }
}

std::vector<std::string> RecordFile::headings() const { return csv_.names; }

Source RecordFile::place_of(int column) const {
  if (csv_.names.empty()) return {name_, header_line_, 1, 1};
  const std::string& heading = csv_.names[static_cast<size_t>(column)];
  const size_t at = header_text_.find(heading);
  return {name_, header_line_, at == std::string::npos ? 1 : static_cast<int>(at) + 1,
          std::max(1, static_cast<int>(heading.size()))};
}

int RecordFile::find_any(const std::vector<std::string>& headings) const {
  for (const std::string& wanted : headings)
    for (size_t k = 0; k < csv_.names.size(); ++k)
      if (csv_.names[k] == wanted || CsvHeading(csv_.names[k]).name == wanted) return static_cast<int>(k);
  return -1;
}

int RecordFile::find(const RecordColumn& column, const Asked& asked, std::vector<Problem>& problems) const {
  const auto count = static_cast<long>(csv_.columns.size());
  if (const long* number = std::get_if<long>(&column)) {
    if (*number >= 1 && *number <= count) return static_cast<int>(*number) - 1;
    problems.push_back(
        {asked.source, asked.path, fmt::format("{} has columns 1 to {}; this is {}", name_, count, *number), {}});
    return -1;
  }
  const std::string& heading = std::get<std::string>(column);
  if (const int found = find_any({heading}); found >= 0) return found;
  std::vector<std::string> names;
  for (const std::string& name : csv_.names) names.push_back(CsvHeading(name).name);
  problems.push_back({asked.source, asked.path,
                      names.empty()
                          ? fmt::format("{} has no headings; give the number of the column, from 1", name_)
                          : fmt::format("{} has no column \"{}\", but {}", name_, heading, list_of(names, "and")),
                      nearest_name(heading, names)});
  return -1;
}

std::vector<double> RecordFile::in_si(int column, const std::string& unit, const std::string& wanted,
                                      const Asked& asked, std::vector<Problem>& problems) const {
  const auto k = static_cast<size_t>(column);
  const std::string text = !unit.empty() ? unit : heading_unit(csv_, column);
  const Source place = !unit.empty() ? asked.source : place_of(column);
  const std::string path = !unit.empty() ? asked.path : "";
  const ColumnUnit given = column_unit(text, wanted);
  if (!given.problem.empty()) {
    problems.push_back({place, path, fmt::format("{} ({})", given.problem, asked.path), given.nearest});
    return {};
  }
  if (!given.is_stated && !fits(Dimension{}, wanted)) {
    problems.push_back({place,
                        path,
                        fmt::format("this column has no unit; {} is in [{}]: write it behind the heading, as in "
                                    "\"{} [{}]\", or as `unit` in the study",
                                    asked.path, wanted, csv_.names.empty() ? "x" : csv_.names[k], wanted),
                        {}});
    return {};
  }
  std::vector<double> out;
  for (const double x : csv_.columns[k]) out.push_back(std::isnan(x) ? x : given.unit.to_si(x));
  return out;
}

std::vector<double> RecordFile::times(int column, const std::string& unit, const Asked& asked,
                                      std::vector<Problem>& problems) const {
  std::vector<double> out = in_si(column, unit, "s", asked, problems);
  int named = 0;
  for (size_t row = 0; row < out.size() && named < 10; ++row) {
    const Source place{name_, csv_.lines[row], csv_.places[static_cast<size_t>(column)][row], 1};
    if (std::isnan(out[row]))
      problems.push_back({place, {}, "a sample without a time", {}}), ++named;
    else if (row > 0 && !(out[row] > out[row - 1]))
      problems.push_back({place, {}, fmt::format("the time does not increase from line {}", csv_.lines[row - 1]), {}}),
          ++named;
  }
  if (named > 0) out.clear();
  return out;
}

}  // namespace flexura
