#include "flexura/study/gradient_output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace flexura {
namespace {

/// [rows][columns] of a list.
Json rows_of(const std::vector<double>& x, size_t columns) {
  Json out = Json::array();
  for (size_t i = 0; columns > 0 && i < x.size(); i += columns)
    out.push_back(std::vector<double>(x.begin() + static_cast<long>(i), x.begin() + static_cast<long>(i + columns)));
  return out;
}

Json cubes_of(const std::vector<double>& x, size_t rows, size_t columns) {
  Json out = Json::array();
  for (size_t i = 0; rows * columns > 0 && i < x.size(); i += rows * columns)
    out.push_back(
        rows_of({x.begin() + static_cast<long>(i), x.begin() + static_cast<long>(i + rows * columns)}, columns));
  return out;
}

std::string_view name_of(GradientWay way) { return way == GradientWay::backwards ? "backwards" : "forwards"; }

Json json_of(const ModeDerivatives& modes, size_t numbers) {
  Json first = Json::array();
  for (const int k : modes.first) first.push_back(k + 1);
  Json out{{"analysis", modes.analysis}, {"frequencies", modes.frequencies}, {"first_of_equal", first}};
  if (modes.problem.empty()) {
    out["slopes"] = rows_of(modes.slopes, numbers);
    out["eigenvalue_slopes"] = rows_of(modes.eigenvalue_slopes, numbers);
  } else {
    out["problem"] = modes.problem;
  }
  return out;
}

/// People count modes from 1.
std::string mode_name(const ModeComparison& c) { return fmt::format("{} mode {}", c.analysis, c.mode + 1); }

std::string unit_of(const std::string& unit) { return unit.empty() || unit == "1" || unit == "*" ? "" : " " + unit; }

/// Columns as wide as what is longest in them, the first to the left.
std::string table(const std::vector<std::vector<std::string>>& rows) {
  std::vector<size_t> width(rows.front().size(), 0);
  for (const std::vector<std::string>& row : rows)
    for (size_t c = 0; c < row.size(); ++c) width[c] = std::max(width[c], row[c].size());
  std::string out;
  for (const std::vector<std::string>& row : rows)
    for (size_t c = 0; c < row.size(); ++c) {
      out += c == 0 ? fmt::format("{:<{}}", row[c], width[c]) : fmt::format("  {:>{}}", row[c], width[c]);
      if (c + 1 == row.size()) out += '\n';
    }
  return out;
}

std::string slopes_text(const GradientReport& report) {
  const Derivatives& d = report.slopes;
  std::string out;
  for (size_t t = 0; t < d.times.size(); ++t) {
    out += fmt::format("{}{}, t = {:.6g} s\n", t > 0 ? "\n" : "", d.analyses[t], d.times[t]);
    std::vector<std::vector<std::string>> rows{{"", "value"}};
    for (const SceneNumber& number : report.numbers) rows.front().push_back("by " + number.path);
    for (size_t c = 0; c < d.columns.size(); ++c) {
      rows.push_back({d.columns[c] + (d.units[c].empty() ? "" : " [" + d.units[c] + "]"),
                      fmt::format("{:.6g}", d.values[t * d.columns.size() + c])});
      for (size_t p = 0; p < d.numbers.size(); ++p) rows.back().push_back(fmt::format("{:.6g}", d.slope(t, c, p)));
    }
    out += table(rows);
  }
  return out;
}

std::string modes_text(const ModeDerivatives& modes, const std::vector<SceneNumber>& numbers) {
  std::string out = fmt::format("{}\n", modes.analysis);
  std::vector<std::vector<std::string>> rows{{"", "f [Hz]"}};
  for (const SceneNumber& number : numbers) rows.front().push_back("by " + number.path);
  bool repeated = false;
  for (size_t k = 0; k < modes.frequencies.size(); ++k) {
    const bool shares = modes.first[k] != static_cast<int>(k) ||
                        (k + 1 < modes.first.size() && modes.first[k + 1] == static_cast<int>(k));
    repeated = repeated || shares;
    rows.push_back({fmt::format("mode {}{}", k + 1, shares ? " *" : ""), fmt::format("{:.6g}", modes.frequencies[k])});
    for (size_t p = 0; p < numbers.size() && modes.problem.empty(); ++p) {
      const double slope = modes.slopes[k * numbers.size() + p];
      rows.back().push_back(std::isnan(slope) ? "-" : fmt::format("{:.6g}", slope));
    }
  }
  out += modes.problem.empty() ? table(rows) : modes.problem + "\n";
  if (repeated && modes.problem.empty()) out += "* shares its frequency: how the modes part along that number alone\n";
  return out;
}

std::string check_text(const GradientReport& report) {
  std::vector<std::vector<std::string>> rows{{"against runs", "slope", "off by", "can be told", ""}};
  for (const GradientComparison& c : report.check->comparisons)
    rows.push_back({fmt::format("{} by {}", report.slopes.columns[c.column], report.numbers[c.number].path),
                    fmt::format("{:.4g}", c.slope), fmt::format("{:.2g}", c.off), fmt::format("{:.2g}", c.resolution),
                    c.agrees(report.tolerance) ? "" : "differs"});
  for (const ModeComparison& c : report.check->modes)
    rows.push_back({fmt::format("{} by {}", mode_name(c), report.numbers[c.number].path),
                    fmt::format("{:.4g}", std::fabs(c.slope)), fmt::format("{:.2g}", c.off),
                    fmt::format("{:.2g}", c.resolution), c.agrees(report.tolerance) ? "" : "differs"});
  return table(rows);
}

}  // namespace

bool GradientReport::agrees() const {
  const auto fine = [&](const auto& c) { return c.agrees(tolerance); };
  return !check || (std::ranges::all_of(check->comparisons, fine) && std::ranges::all_of(check->modes, fine));
}

Json numbers_json(const std::vector<SceneNumber>& numbers) {
  Json out = Json::array();
  for (const SceneNumber& number : numbers)
    out.push_back({{"path", number.path}, {"value", number.value}, {"unit", number.unit}});
  return out;
}

std::string numbers_text(const std::vector<SceneNumber>& numbers) {
  std::vector<std::vector<std::string>> rows;
  for (const SceneNumber& number : numbers)
    rows.push_back({number.path, fmt::format("{:g}{}", number.value, unit_of(number.unit))});
  return rows.empty() ? "" : table(rows);
}

Json gradient_json(const GradientReport& report) {
  const Derivatives& d = report.slopes;
  const size_t columns = d.columns.size(), numbers = d.numbers.size();
  Json of = Json::array(), modes = Json::array();
  for (size_t c = 0; c < columns; ++c)
    of.push_back({{"name", d.columns[c]}, {"sensor", d.sensors[c]}, {"unit", d.units[c]}});
  for (const ModeDerivatives& m : d.modes) modes.push_back(json_of(m, numbers));
  Json out{{"scene", report.scene},
           {"way", name_of(d.way)},
           {"of", of},
           {"with", numbers_json(report.numbers)},
           {"times", d.times},
           {"analyses", d.analyses},
           {"values", rows_of(d.values, columns)},
           {"jacobian", cubes_of(d.jacobian, columns, numbers)},
           {"modes", modes}};
  if (!report.check) return out;
  Json comparisons = Json::array();
  for (const GradientComparison& c : report.check->comparisons)
    comparisons.push_back({{"of", d.columns[c.column]},
                           {"with", report.numbers[c.number].path},
                           {"slope", c.slope},
                           {"off", c.off},
                           {"resolution", c.resolution},
                           {"agrees", c.agrees(report.tolerance)}});
  for (const ModeComparison& c : report.check->modes)
    comparisons.push_back({{"of", mode_name(c)},
                           {"with", report.numbers[c.number].path},
                           {"slope", c.slope},
                           {"off", c.off},
                           {"resolution", c.resolution},
                           {"agrees", c.agrees(report.tolerance)}});
  out["check"] = {{"tolerance", report.tolerance},
                  {"runs", report.check->runs},
                  {"differences", cubes_of(report.check->differences, columns, numbers)},
                  {"comparisons", comparisons},
                  {"agrees", report.agrees()}};
  return out;
}

std::string gradient_text(const GradientReport& report) {
  std::string out = report.slopes.columns.empty() ? "" : slopes_text(report);
  for (const ModeDerivatives& modes : report.slopes.modes)
    out += (out.empty() ? "" : "\n") + modes_text(modes, report.numbers);
  if (report.check) out += (out.empty() ? "" : "\n") + check_text(report);
  return out;
}

}  // namespace flexura
