#include "flexura/report/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "flexura/math/between_samples.hpp"
#include "flexura/report/table.hpp"

namespace flexura {
namespace {

constexpr std::size_t all = std::numeric_limits<std::size_t>::max();

std::string label_of(const TableSource& table) {
  return table.analysis.empty() ? table.name : table.analysis + ": " + table.name;
}

const TableSource* find_same(const std::vector<TableSource>& tables, const TableSource& wanted) {
  const auto at = std::find_if(tables.begin(), tables.end(), [&](const TableSource& t) {
    return t.group == "sensor" && t.name == wanted.name && t.analysis == wanted.analysis;
  });
  return at == tables.end() ? nullptr : &*at;
}

std::vector<TableSource> sensors_of(const ResultsFile& results) {
  std::vector<TableSource> tables = list_tables(results, {});
  std::erase_if(tables, [](const TableSource& t) { return t.group != "sensor"; });
  return tables;
}

void compare_column(const TableSource& source, const TableData& a, const TableData& b, std::size_t column,
                    bool same_axis, Comparison& comparison) {
  const std::size_t columns = source.columns.size();
  ColumnDifference result{source.name, source.columns[column], source.unit, source.analysis,
                          source.axis, source.axis_unit};
  double least = std::numeric_limits<double>::infinity(), greatest = -least, squares = 0;
  std::size_t count = 0, hint = 0;
  for (std::size_t i = 0; i < a.at.size(); ++i) {
    if (!same_axis && (a.at[i] < b.at.front() || a.at[i] > b.at.back())) continue;
    const double first = a.values[i * columns + column];
    const double second =
        same_axis
            ? b.values[i * columns + column]
            : between_samples(b.at, a.at[i], hint, [&](std::size_t row) { return b.values[row * columns + column]; });
    const double difference = std::abs(second - first);
    if (!std::isfinite(difference)) continue;
    if (count == 0) result.from = result.at = a.at[i];
    result.to = a.at[i];
    if (difference > result.max_difference) result.max_difference = difference, result.at = a.at[i];
    squares += difference * difference;
    least = std::min(least, first), greatest = std::max(greatest, first);
    ++count;
  }
  if (count == 0) {
    comparison.skipped.push_back(fmt::format("{}, {}: the runs have no {} in common", label_of(source),
                                             source.columns[column], source.axis == "t" ? "time" : source.axis));
    return;
  }
  result.rms = std::sqrt(squares / static_cast<double>(count));
  result.range = greatest - least;
  comparison.columns.push_back(std::move(result));
}

}  // namespace

Outcome<Comparison> compare_sensors(const std::string& first, const std::string& second) {
  using Failure = Outcome<Comparison>;
  const auto a = ResultsFile::open(first), b = ResultsFile::open(second);
  if (!a) return Failure::failure(a.error());
  if (!b) return Failure::failure(b.error());
  const std::vector<TableSource> in_a = sensors_of(*a), in_b = sensors_of(*b);
  Comparison comparison;
  for (const TableSource& table : in_b)
    if (find_same(in_a, table) == nullptr) comparison.only_second.push_back(label_of(table));
  for (const TableSource& table : in_a) {
    const TableSource* other = find_same(in_b, table);
    if (other == nullptr) {
      comparison.only_first.push_back(label_of(table));
      continue;
    }
    if (other->unit != table.unit || other->columns != table.columns) {
      comparison.skipped.push_back(fmt::format("{}: it measures something else in each run", label_of(table)));
      continue;
    }
    const auto x = read_table(*a, table, all), y = read_table(*b, *other, all);
    if (!x) return Failure::failure(x.error());
    if (!y) return Failure::failure(y.error());
    const bool same_axis = x->at == y->at;
    if (!same_axis && !(std::is_sorted(x->at.begin(), x->at.end()) && std::is_sorted(y->at.begin(), y->at.end()))) {
      comparison.skipped.push_back(
          fmt::format("{}: its {} goes forward and back, each run at its own values", label_of(table), table.axis));
      continue;
    }
    for (std::size_t c = 0; c < table.columns.size(); ++c) compare_column(table, *x, *y, c, same_axis, comparison);
  }
  return comparison;
}

Json comparison_json(const Comparison& comparison) {
  Json list = Json::array();
  for (const ColumnDifference& d : comparison.columns) {
    Json one{{"sensor", d.sensor}, {"column", d.column}, {"unit", d.unit}};
    if (!d.analysis.empty()) one["analysis"] = d.analysis;
    one["max_difference"] = d.max_difference;
    one["at"] = d.at;
    one["axis_unit"] = d.axis_unit;
    one["rms"] = d.rms;
    one["range"] = d.range;
    one["compared"] = {d.from, d.to};
    list.push_back(std::move(one));
  }
  return list;
}

}  // namespace flexura
