#include "flexura/scene/tension_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "flexura/scene/units.hpp"

namespace flexura {
namespace {

constexpr std::string_view table_blanks = " \t\r";

std::string_view without_blanks(std::string_view text) {
  const auto first = text.find_first_not_of(table_blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(table_blanks) - first + 1);
}

struct TableCell {
  std::string text;
  int column = 1;  ///< character, from 1
};

/// Cells between separators; one in quotes may hold separators, and quotes written twice.
std::vector<TableCell> table_cells(std::string_view line, char separator) {
  std::vector<TableCell> out;
  const auto is_separator = [&](char c) { return separator == ' ' ? c == ' ' || c == '\t' : c == separator; };
  std::size_t at = 0;
  while (true) {
    while (at < line.size() && (line[at] == ' ' || line[at] == '\t') && (separator == ' ' || !is_separator(line[at])))
      ++at;
    if (separator == ' ' && at >= line.size()) return out;
    TableCell cell{{}, static_cast<int>(at) + 1};
    if (at < line.size() && (line[at] == '"' || line[at] == '\'') &&
        line.find(line[at], at + 1) != std::string_view::npos) {
      const char quote = line[at++];
      for (; at < line.size(); ++at) {
        if (line[at] == quote && at + 1 < line.size() && line[at + 1] == quote)
          ++at;
        else if (line[at] == quote)
          break;
        cell.text += line[at];
      }
      ++at;
      while (at < line.size() && !is_separator(line[at])) ++at;
    } else {
      while (at < line.size() && !is_separator(line[at])) cell.text += line[at++];
    }
    cell.text = without_blanks(cell.text);
    out.push_back(std::move(cell));
    if (at >= line.size()) return out;
    ++at;
  }
}

/// The text with a decimal point and without groups of thousands; "" where it is not written by the mark.
std::string with_point(std::string_view text, char decimal, char group) {
  const auto exponent = std::min(text.find_first_of("eE"), text.size());
  const auto point = std::min(text.find(decimal), exponent);
  std::string_view whole = text.substr(0, point);
  std::string out;
  if (!whole.empty() && (whole[0] == '+' || whole[0] == '-')) {
    if (whole[0] == '-') out = "-";
    whole.remove_prefix(1);
  }
  if (whole.find(group) != std::string_view::npos) {
    if (whole[0] == '0') return {};
    for (std::size_t at = 0, index = 0; at <= whole.size(); ++index) {
      const std::size_t end = std::min(whole.find(group, at), whole.size()), digits = end - at;
      if (index == 0 ? digits < 1 || digits > 3 : digits != 3) return {};
      out += whole.substr(at, digits);
      at = end + 1;
    }
  } else {
    out += whole;
  }
  std::string_view rest = text.substr(point);
  if (rest.find(group) != std::string_view::npos) return {};
  if (!rest.empty() && rest[0] == decimal) {
    out += '.';
    rest.remove_prefix(1);
  }
  return out + std::string(rest);
}

bool is_marked_number(std::string_view text, DecimalMark mark) {
  double ignored = 0;
  return read_marked_number(text, mark, ignored);
}
bool is_any_number(std::string_view text) {
  return is_marked_number(text, DecimalMark::point) || is_marked_number(text, DecimalMark::comma);
}

struct TableLine {
  int number;
  std::string_view text;
  std::vector<TableCell> cells;

  std::size_t numbers() const {
    return static_cast<std::size_t>(
        std::ranges::count_if(cells, [](const TableCell& cell) { return is_any_number(cell.text); }));
  }
};

/// "[MPa]", "(mm/mm)", "%": without its brackets.
std::string_view unit_text(std::string_view cell) {
  if (cell.size() >= 2 && (cell.front() == '(' || cell.front() == '[')) cell = cell.substr(1, cell.size() - 2);
  return cell;
}

bool is_row_of_units(const TableLine& line) {
  bool any = false;
  for (const TableCell& cell : line.cells) {
    const std::string_view unit = unit_text(cell.text);
    if (unit.empty() || unit == "-" || unit == "1") continue;
    if (!parse_unit(unit)) return false;
    any = true;
  }
  return any;
}

class TableParser {
 public:
  TableParser(std::string_view text, DecimalMark mark) : text_(text), mark_(mark) {}

  TensionTable run() {
    if (text_.starts_with("\xef\xbb\xbf")) text_.remove_prefix(3);
    const bool utf16 = text_.starts_with("\xff\xfe") || text_.starts_with("\xfe\xff");
    if (utf16 || !find_rows()) return plain();
    find_header();
    choose_mark();
    if (out_.csv.errors.empty()) read_rows();
    return std::move(out_);
  }

 private:
  /// Where there are no two rows of numbers: as of other tables.
  TensionTable plain() {
    out_.csv = parse_csv(text_);
    if (out_.csv.errors.size() > max_errors) {
      const std::size_t more = out_.csv.errors.size() - max_errors;
      out_.csv.errors.resize(max_errors);
      error(0, 0, fmt::format("{} further errors are like that", more));
    }
    out_.cell_problem.resize(out_.width());
    for (auto& column : out_.cell_problem) column.resize(out_.csv.lines.size());
    for (const TableLine& line : lines_of(' '))
      if (out_.first_line == 0) out_.first_line = line.number, out_.header_text = line.text;
    if (!out_.csv.names.empty()) out_.header_line = out_.first_line;
    return std::move(out_);
  }

  std::vector<TableLine> lines_of(char separator) const {
    std::vector<TableLine> out;
    int number = 0;
    for (std::size_t at = 0; at < text_.size();) {
      const std::size_t end = std::min(text_.find_first_of("\r\n", at), text_.size());
      ++number;
      const std::string_view line = text_.substr(at, end - at), content = line.substr(0, line.find('#'));
      if (!without_blanks(content).empty()) out.push_back({number, content, table_cells(content, separator)});
      at = end + (text_.substr(end).starts_with("\r\n") ? 2 : 1);
    }
    return out;
  }

  /// The longest run of lines with the same number of cells, two of them numbers at least.
  bool find_rows() {
    std::size_t longest = 0;
    for (const char separator : {';', '\t', ',', ' '}) {
      std::vector<TableLine> lines = lines_of(separator);
      std::size_t begin = 0, count = 0, best = 0, first = 0;
      for (std::size_t i = 0; i < lines.size(); ++i) {
        const bool is_row = lines[i].numbers() >= 2;
        if (is_row && count > 0 && lines[i].cells.size() == lines[begin].cells.size())
          ++count;
        else
          begin = i, count = is_row;
        if (count > best) best = count, first = begin;
      }
      if (best <= std::max<std::size_t>(longest, 1)) continue;
      longest = best, lines_ = std::move(lines), first_ = first, end_ = first + best;
    }
    return longest > 1;
  }

  std::size_t width() const { return lines_[first_].cells.size(); }

  void find_header() {
    const std::size_t run = first_;
    for (std::size_t i = run; i-- > 0;) {
      if (lines_[i].cells.size() != width() || lines_[i].numbers() > 0) continue;
      std::size_t header = i;
      if (i > 0 && lines_[i - 1].cells.size() == width() && lines_[i - 1].numbers() == 0 &&
          is_row_of_units(lines_[i])) {
        header = i - 1;
        for (const TableCell& cell : lines_[i].cells) out_.units.emplace_back(unit_text(cell.text));
      }
      for (const TableCell& cell : lines_[header].cells) out_.csv.names.push_back(cell.text);
      out_.header_line = lines_[header].number;
      out_.header_text = lines_[header].text;
      first_ = i + 1;
      break;
    }
    if (out_.header_line == 0)
      while (first_ > 0 && lines_[first_ - 1].cells.size() == width()) --first_;
    out_.first_line = lines_[first_].number;
    if (out_.header_line == 0) out_.header_text = lines_[first_].text;
    for (std::size_t i = end_; i < lines_.size(); ++i)
      if (lines_[i].numbers() > 0) end_ = i + 1;
  }

  void choose_mark() {
    if (mark_ != DecimalMark::automatic) return;
    bool point = true, comma = true, has_comma = false;
    std::string_view example;
    int line = 0, column = 0;
    for (std::size_t i = first_; i < end_; ++i)
      for (const TableCell& cell : lines_[i].cells) {
        const bool by_point = is_marked_number(cell.text, DecimalMark::point),
                   by_comma = is_marked_number(cell.text, DecimalMark::comma);
        if (!by_point && !by_comma) continue;
        point = point && by_point, comma = comma && by_comma;
        if (cell.text.find(',') == std::string::npos) continue;
        if (!has_comma) example = cell.text, line = lines_[i].number, column = cell.column;
        has_comma = true;
      }
    mark_ = point && (!comma || !has_comma) ? DecimalMark::point : DecimalMark::comma;
    if (has_comma && point == comma)
      error(line, column,
            point ? fmt::format("the comma of '{}' may part thousands or decimals: say which with --decimal point or "
                                "--decimal comma",
                                example)
                  : "numbers are written with decimal points and with decimal commas: say which is right with "
                    "--decimal point or --decimal comma");
  }

  void read_rows() {
    out_.csv.columns.resize(width());
    out_.csv.places.resize(width());
    out_.cell_problem.resize(width());
    const int head = out_.header_line > 0 ? out_.header_line : out_.first_line;
    std::size_t wrong = 0;
    for (std::size_t i = first_; i < end_; ++i) {
      const TableLine& line = lines_[i];
      if (i > first_ && line.numbers() == 0) {
        error(line.number, 1, "numbers end here and begin again below: put each table into a file of its own");
        return;
      }
      if (line.cells.size() != width()) {
        if (++wrong <= max_errors)
          error(line.number, line.cells[std::min(line.cells.size() - 1, width())].column,
                fmt::format("the row has {} cells, line {} has {}", line.cells.size(), head, width()));
        continue;
      }
      for (std::size_t c = 0; c < width(); ++c) {
        const std::string& cell = line.cells[c].text;
        double value = std::numeric_limits<double>::quiet_NaN();
        std::string problem;
        if (cell.empty())
          problem = "empty cell, expected a number";
        else if (!read_marked_number(cell, mark_, value))
          problem = fmt::format("'{}' is not a number", cell.substr(0, 40));
        out_.csv.columns[c].push_back(value);
        out_.csv.places[c].push_back(line.cells[c].column);
        out_.cell_problem[c].push_back(std::move(problem));
      }
      out_.csv.lines.push_back(line.number);
    }
    if (wrong > max_errors)
      error(0, 0, fmt::format("{} further rows have another number of cells", wrong - max_errors));
  }

  void error(int line, int column, std::string message) {
    out_.csv.errors.push_back({line, column, std::move(message)});
  }

  static constexpr std::size_t max_errors = 5;
  std::string_view text_;
  DecimalMark mark_;
  std::vector<TableLine> lines_;
  std::size_t first_ = 0, end_ = 0;  ///< of the rows
  TensionTable out_;
};

}  // namespace

bool read_marked_number(std::string_view text, DecimalMark mark, double& value) {
  const bool comma = mark == DecimalMark::comma;
  const std::string written = with_point(text, comma ? ',' : '.', comma ? '.' : ',');
  if (written.empty()) return false;
  double read = 0;
  const auto [end, error] = std::from_chars(written.data(), written.data() + written.size(), read);
  if (error != std::errc() || end != written.data() + written.size() || !std::isfinite(read)) return false;
  value = read;
  return true;
}

TensionTable parse_tension_table(std::string_view text, DecimalMark mark) { return TableParser(text, mark).run(); }

}  // namespace flexura
