#include "flexura/signal/csv.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <set>
#include <sstream>
#include <system_error>

#include "flexura/base/nearest_name.hpp"

namespace flexura {
namespace {

constexpr std::size_t most_errors = 50;
constexpr std::string_view blanks = " \t";

struct Cell {
  std::string_view text;
  int column;  ///< character, from 1
};

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return text.substr(0, 0);
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

char separator_of(std::string_view row) {
  for (const char c : {';', '\t', ','}) {
    if (row.find(c) != std::string_view::npos) return c;
  }
  return ' ';
}

std::vector<Cell> cells_of(std::string_view row, char separator) {
  std::vector<Cell> cells;
  const char* const begin = row.data();
  const auto add = [&](std::string_view piece) {
    const std::string_view text = trimmed(piece);
    cells.push_back({text, static_cast<int>((text.empty() ? piece.data() : text.data()) - begin) + 1});
  };
  if (separator == ' ') {
    for (std::size_t at = row.find_first_not_of(blanks); at != std::string_view::npos;) {
      const std::size_t end = std::min(row.find_first_of(blanks, at), row.size());
      add(row.substr(at, end - at));
      at = row.find_first_not_of(blanks, end);
    }
    return cells;
  }
  for (std::size_t at = 0;;) {
    const std::size_t end = row.find(separator, at);
    add(row.substr(at, end == std::string_view::npos ? end : end - at));
    if (end == std::string_view::npos) return cells;
    at = end + 1;
  }
}

std::string_view unquoted(std::string_view text) {
  const bool quoted = text.size() >= 2 && (text.front() == '"' || text.front() == '\'') && text.back() == text.front();
  return quoted ? text.substr(1, text.size() - 2) : text;
}

std::from_chars_result read_number(std::string_view text, double& value) {
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  return std::from_chars(text.data(), text.data() + text.size(), value);
}

bool is_number(std::string_view text) {
  double ignored = 0;
  const auto [end, error] = read_number(text, ignored);
  return error != std::errc::invalid_argument && end == text.data() + text.size();
}

/// What is wrong with a cell, "" if it is a finite number.
std::string cell_error(std::string_view text, double& value) {
  if (text.empty()) return "empty cell, expected a number";
  const std::string shown = "'" + std::string(text.substr(0, 40)) + (text.size() > 40 ? "..." : "") + "'";
  const auto [end, error] = read_number(text, value);
  if (error == std::errc::invalid_argument || end != text.data() + text.size()) {
    std::string point(text);
    std::replace(point.begin(), point.end(), ',', '.');
    const bool decimal_comma = point != text && is_number(point);
    return shown + " is not a number" + (decimal_comma ? "; write a decimal point, not a comma" : "");
  }
  if (error == std::errc::result_out_of_range) return shown + " is outside the range of numbers";
  if (!std::isfinite(value)) return shown + " is not a finite number";
  return {};
}

bool is_gap(std::string_view text) {
  return text.empty() || text == "nan" || text == "NaN" || text == "NAN" || text == "NA" || text == "-";
}

class CsvParser {
 public:
  explicit CsvParser(CsvGaps gaps) : gaps_(gaps) {}

  void line(std::string_view text, int number) {
    const std::string_view row = text.substr(0, text.find('#'));
    if (trimmed(row).empty()) return;
    if (!separator_) separator_ = separator_of(trimmed(row));
    const std::vector<Cell> cells = cells_of(row, separator_);
    if (!width_) {
      width_ = cells.size();
      first_line_ = number;
      table_.columns.resize(width_);
      table_.places.resize(width_);
      if (std::none_of(cells.begin(), cells.end(), [](const Cell& c) { return is_number(unquoted(c.text)); })) {
        header(cells, number);
        return;
      }
    }
    if (cells.size() != width_) {
      const Cell& place = cells[std::min(cells.size() - 1, width_)];
      error(number, place.column,
            "the row has " + std::to_string(cells.size()) + " cells, line " + std::to_string(first_line_) + " has " +
                std::to_string(width_));
      return;
    }
    for (std::size_t c = 0; c < width_; ++c) {
      double value = 0;
      const std::string_view cell = unquoted(cells[c].text);
      const bool gap = gaps_ == CsvGaps::allowed && is_gap(cell);
      std::string message;
      if (gap)
        value = std::numeric_limits<double>::quiet_NaN();
      else
        message = cell_error(cell, value);
      if (!message.empty()) error(number, cells[c].column, std::move(message));
      table_.columns[c].push_back(value);
      table_.places[c].push_back(cells[c].column);
    }
    table_.lines.push_back(number);
  }

  CsvTable finish() {
    if (table_.lines.empty() && table_.errors.empty()) error(0, 0, "the file holds no row of numbers");
    if (unlisted_ > 0) table_.errors.push_back({0, 0, std::to_string(unlisted_) + " further errors are not listed"});
    return std::move(table_);
  }

  void error(int line, int column, std::string message) {
    if (table_.errors.size() < most_errors) {
      table_.errors.push_back({line, column, std::move(message)});
    } else {
      ++unlisted_;
    }
  }

 private:
  void header(const std::vector<Cell>& cells, int number) {
    std::set<std::string_view> seen;
    for (const Cell& cell : cells) {
      const std::string_view name = unquoted(cell.text);
      if (!name.empty() && !seen.insert(name).second)
        error(number, cell.column, "there are two columns named '" + std::string(name) + "'");
      table_.names.emplace_back(name);
    }
  }

  CsvGaps gaps_;
  CsvTable table_;
  char separator_ = 0;
  std::size_t width_ = 0;
  int first_line_ = 0;
  long unlisted_ = 0;
};

}  // namespace

CsvTable parse_csv(std::string_view text, CsvGaps gaps) {
  CsvParser parser(gaps);
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  if (text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff")) {
    parser.error(1, 1, "the file is UTF-16; save it as UTF-8");
    return parser.finish();
  }
  for (int number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find_first_of("\r\n"), text.size());
    parser.line(text.substr(0, end), number);
    text.remove_prefix(std::min(end + (text.substr(end).starts_with("\r\n") ? 2 : 1), text.size()));
  }
  return parser.finish();
}

CsvTable read_csv(const std::string& path) {
  const auto failed = [&](const std::string& why) {
    CsvTable table;
    table.errors.push_back({0, 0, "cannot read '" + path + "': " + why});
    return table;
  };
  std::error_code code;
  if (std::filesystem::is_directory(path, code)) return failed("it is a folder");
  std::ifstream file(path, std::ios::binary);
  if (!file) return failed(std::strerror(errno));
  std::ostringstream text;
  text << file.rdbuf();
  if (file.bad()) return failed("reading failed");
  return parse_csv(text.view());
}

CsvHeading::CsvHeading(std::string_view text) {
  const auto bracket = text.find_first_of("[(/");
  name = trimmed(text.substr(0, bracket));
  if (bracket == std::string_view::npos) return;
  std::string_view rest = trimmed(text.substr(bracket + 1));
  if (!rest.empty() && (rest.back() == ']' || rest.back() == ')')) rest = trimmed(rest.substr(0, rest.size() - 1));
  if (text[bracket] == '(' && rest == "t")
    name = trimmed(text);
  else
    unit = rest;
}

int find_column(const CsvTable& csv, const CsvColumn& column, std::vector<CsvError>& errors) {
  const int count = static_cast<int>(csv.columns.size());
  if (const int* number = std::get_if<int>(&column)) {
    if (*number >= 0 && *number < count) return *number;
    errors.push_back(
        {0, 0,
         "there is no column " + std::to_string(*number) + "; the columns are 0 to " + std::to_string(count - 1)});
    return -1;
  }
  const std::string& name = std::get<std::string>(column);
  const auto found = std::find(csv.names.begin(), csv.names.end(), name);
  if (found != csv.names.end() && !name.empty()) return static_cast<int>(found - csv.names.begin());
  std::string message = "there is no column named '" + name + "'; ";
  if (csv.names.empty()) {
    message += "the file has no header, give the column's number, from 0";
  } else if (const std::string nearest = nearest_name(name, csv.names); !nearest.empty()) {
    message += "nearest: '" + nearest + "'";
  } else {
    message += "the columns are";
    for (const std::string& known : csv.names) message += " '" + known + "'";
  }
  errors.push_back({0, 0, message});
  return -1;
}

std::optional<TableSignal> table_from_csv(const CsvTable& csv, const CsvColumn& time, const CsvColumn& value,
                                          Interpolation interpolation, std::optional<double> period,
                                          std::vector<CsvError>& errors) {
  if (!csv.ok()) {
    errors.insert(errors.end(), csv.errors.begin(), csv.errors.end());
    return {};
  }
  const std::size_t before = errors.size();
  const int t = find_column(csv, time, errors), u = find_column(csv, value, errors);
  if (errors.size() > before) return {};
  const std::vector<double>& times = csv.columns[t];
  std::size_t unlisted = 0;
  for (std::size_t row = 1; row < times.size(); ++row) {
    if (times[row] > times[row - 1]) continue;
    if (errors.size() - before >= most_errors) {
      ++unlisted;
    } else {
      errors.push_back({csv.lines[row], csv.places[t][row],
                        "the time does not increase from line " + std::to_string(csv.lines[row - 1])});
    }
  }
  if (unlisted > 0) errors.push_back({0, 0, std::to_string(unlisted) + " further errors are not listed"});
  if (errors.size() > before) return {};
  TableSignal table(times, csv.columns[u], interpolation, period);
  for (const SignalProblem& problem : table.problems())
    errors.push_back({0, 0, problem.field + ": " + problem.message});
  if (errors.size() > before) return {};
  return table;
}

}  // namespace flexura
