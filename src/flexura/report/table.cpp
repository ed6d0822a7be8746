#include "flexura/report/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <tuple>

#include "flexura/output/journal_record.hpp"
#include "flexura/report/thin.hpp"

namespace flexura {
namespace {

constexpr std::size_t many_columns = 16;    ///< from here on rows are taken evenly
constexpr std::uint64_t piece = 1U << 20U;  ///< numbers read at a time

std::string folder_of(const std::string& path) { return path.substr(0, path.rfind('/')); }
std::string leaf_of(const std::string& path) { return path.substr(path.rfind('/') + 1); }

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> words;
  for (std::size_t at = 0; at <= text.size() && !text.empty();) {
    const std::size_t comma = std::min(text.find(',', at), text.size());
    words.push_back(text.substr(at, comma - at));
    at = comma + 1;
  }
  return words;
}

std::size_t width_of(const DatasetInfo& info) {
  return std::accumulate(info.shape.begin() + 1, info.shape.end(), std::size_t{1}, std::multiplies<>());
}

/// Names of the numbers in one row of a dataset; "" for a single one.
std::vector<std::string> components_of(const DatasetInfo& info) {
  const std::size_t width = width_of(info);
  if (info.shape.size() == 1) return {""};
  const std::vector<std::string> given = split(info.components);
  std::vector<std::string> names;
  for (std::size_t i = 0; i < width; ++i) {
    const std::string last = given.empty() ? std::string() : given[i % given.size()];
    if (given.size() == width)
      names.push_back(last);
    else if (given.empty() || width % given.size() != 0)
      names.push_back(std::to_string(i));
    else
      names.push_back(fmt::format("{}.{}", i / given.size(), last));
  }
  return names;
}

/// Kind, name and analysis of the table at a group of the file; no kind: it is none.
TableSource table_at(const std::string& folder) {
  TableSource table;
  const auto named = [&](std::string_view prefix, const char* kind) {
    if (!folder.starts_with(prefix)) return;
    table.group = kind;
    table.name = folder.substr(prefix.size());
  };
  named("/sensors/", "sensor");
  named("/joints/", "joint");
  if (folder == "/energies") table.group = "energy", table.name = "energies";
  if (folder == "/violations") table.group = "violation", table.name = "violations";
  if (folder == "/solver") table.group = "solver", table.name = "solver";
  constexpr std::string_view analysis = "/analysis/", sensors = "/sensors/";
  if (const std::size_t at = folder.find(sensors, analysis.size());
      folder.starts_with(analysis) && at != std::string::npos) {
    table.group = "sensor";
    table.analysis = folder.substr(analysis.size(), at - analysis.size());
    table.name = folder.substr(at + sensors.size());
  }
  constexpr std::string_view energies = "/energies";
  if (folder.starts_with(analysis) && folder.ends_with(energies) && table.group.empty()) {
    table.group = "energy", table.name = energies.substr(1);
    table.analysis = folder.substr(analysis.size(), folder.size() - analysis.size() - energies.size());
  }
  return table;
}

/// The tables of one group: one per unit, of the solver one per dataset.
void add_tables(const ResultsFile& results, const std::string& folder, const std::vector<const DatasetInfo*>& datasets,
                std::vector<TableSource>& tables) {
  const TableSource common = table_at(folder);
  std::vector<std::vector<const DatasetInfo*>> parts;
  for (const DatasetInfo* info : datasets) {
    const auto same = std::find_if(parts.begin(), parts.end(), [&](const auto& part) {
      return common.group != "solver" && part.front()->unit == info->unit;
    });
    if (same == parts.end())
      parts.push_back({info});
    else
      same->push_back(info);
  }
  const std::string doc = results.text(folder, "doc");
  for (const auto& part : parts) {
    TableSource table = common;
    const DatasetInfo& first = *part.front();
    const DatasetInfo* axis = results.find(first.axis);
    if (axis == nullptr || first.shape.empty() || axis->shape != std::vector<std::uint64_t>{first.shape[0]}) continue;
    if (parts.size() > 1) table.name += "." + leaf_of(first.path);
    table.unit = first.unit;
    table.doc = doc.empty() || parts.size() > 1 ? first.doc : doc;
    table.axis = leaf_of(axis->path);
    table.axis_unit = axis->unit;
    table.axis_path = axis->path;
    table.rows = axis->shape[0];
    for (const DatasetInfo* info : part) {
      table.paths.push_back(info->path);
      const std::string leaf = leaf_of(info->path);
      for (const std::string& name : components_of(*info))
        table.columns.push_back(name.empty() ? leaf : part.size() == 1 ? name : leaf + "." + name);
    }
    if (table.rows > 0 && !table.columns.empty()) tables.push_back(std::move(table));
  }
}

}  // namespace

NamePlaces::NamePlaces(const std::vector<std::string>& names) : end_(names.size()) {
  for (std::size_t k = 0; k < names.size(); ++k) places_.emplace(names[k], k);
}

std::size_t NamePlaces::find(std::string_view name) const {
  std::size_t first = end_;
  for (std::size_t length = name.size(); length != std::string_view::npos && length > 0;) {
    ++asked_;
    if (const auto at = places_.find(name.substr(0, length)); at != places_.end()) first = std::min(first, at->second);
    length = name.rfind('.', length - 1);
  }
  return first;
}

std::vector<TableSource> list_tables(const ResultsFile& results, const std::vector<std::string>& sensors) {
  std::vector<std::pair<std::string, std::vector<const DatasetInfo*>>> folders;  // datasets are in order of their paths
  std::map<std::string, std::size_t> known;
  for (const DatasetInfo& info : results.datasets()) {
    const bool numbers = info.type == DatasetInfo::Type::real || info.type == DatasetInfo::Type::integer;
    const std::string folder = folder_of(info.path);
    if (!numbers || info.axis.empty() || is_wall_clock(leaf_of(info.path)) || table_at(folder).group.empty()) continue;
    const auto [at, is_new] = known.emplace(folder, folders.size());
    if (is_new) folders.push_back({folder, {}});
    folders[at->second].second.push_back(&info);
  }
  std::vector<TableSource> tables;
  for (const auto& [folder, datasets] : folders) add_tables(results, folder, datasets, tables);
  const std::map<std::string, int> order{{"sensor", 0}, {"energy", 1}, {"violation", 2}, {"solver", 3}, {"joint", 4}};
  const NamePlaces places(sensors);
  using Place = std::tuple<int, std::string, std::size_t, std::string>;
  std::vector<std::pair<Place, TableSource>> placed;
  for (TableSource& t : tables) {
    const std::size_t at = t.group == "sensor" ? places.find(t.name) : sensors.size();
    placed.emplace_back(Place(order.at(t.group), t.analysis, at, t.paths.front()), std::move(t));
  }
  std::sort(placed.begin(), placed.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  tables.clear();
  for (auto& [place, table] : placed) tables.push_back(std::move(table));
  return tables;
}

Outcome<TableData> read_table(const ResultsFile& results, const TableSource& source, std::size_t most) {
  using Failure = Outcome<TableData>;
  const std::size_t columns = source.columns.size();
  TableData table;
  const std::uint64_t rows_at_once = std::max<std::uint64_t>(1, piece / columns);
  const std::uint64_t pieces = (source.rows + rows_at_once - 1) / rows_at_once;
  for (std::uint64_t k = 0; k < pieces; ++k) {
    const std::uint64_t begin = source.rows * k / pieces, end = source.rows * (k + 1) / pieces;
    std::vector<std::uint64_t> rows(end - begin);
    std::iota(rows.begin(), rows.end(), begin);
    const auto at = results.read_rows(source.axis_path, rows);
    if (!at) return Failure::failure(at.error());
    std::vector<double> values(rows.size() * columns);
    std::size_t column = 0;
    for (const std::string& path : source.paths) {
      const auto part = results.read_rows(path, rows);
      if (!part) return Failure::failure(part.error());
      const std::size_t width = part->size() / rows.size();
      for (std::size_t i = 0; i < rows.size(); ++i)
        std::copy_n(part->begin() + static_cast<std::ptrdiff_t>(i * width), width,
                    values.begin() + static_cast<std::ptrdiff_t>(i * columns + column));
      column += width;
    }
    const std::size_t share = std::max<std::size_t>(1, source.rows <= most ? rows.size() : most / pieces);
    const std::vector<std::uint64_t> kept = columns < many_columns ? telling_rows(values, columns, share)
                                            : std::is_sorted(at->begin(), at->end())
                                                ? even_rows(*at, share)
                                                : telling_rows(*at, 1, share);  // load factors may go back
    for (const std::uint64_t row : kept) {
      table.at.push_back((*at)[row]);
      const auto from = values.begin() + static_cast<std::ptrdiff_t>(row * columns);
      table.values.insert(table.values.end(), from, from + static_cast<std::ptrdiff_t>(columns));
    }
  }
  return table;
}

Json table_json(const TableSource& source, const TableData& data, BlockStore& blocks) {
  Json json{{"name", source.name}, {"group", source.group}, {"unit", source.unit},
            {"doc", source.doc},   {"axis", source.axis},   {"axis_unit", source.axis_unit}};
  if (!source.analysis.empty()) json["analysis"] = source.analysis;
  json["at"] = blocks.add(data.at, {data.at.size()});
  json["columns"] = source.columns;
  json["values"] = blocks.add(data.values, {data.at.size(), source.columns.size()});
  if (data.at.size() < source.rows) json["thinned"] = {{"kept", data.at.size()}, {"of", source.rows}};
  return json;
}

}  // namespace flexura
