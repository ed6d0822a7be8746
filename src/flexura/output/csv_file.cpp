#include "flexura/output/csv_file.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "flexura/base/file.hpp"
#include "flexura/base/text.hpp"

namespace flexura {

namespace {

/// ".x" or ".2.x": indices of number `index` of a row, the last one by its name where it has one.
std::string component_name(const ChannelColumn& column, std::uint64_t index) {
  std::string name;
  for (std::size_t i = column.shape.size(); i-- > 0; index /= column.shape[i]) {
    const std::uint64_t at = index % column.shape[i];
    const bool named = i + 1 == column.shape.size() && at < column.components.size();
    name.insert(0, named ? "." + column.components[at] : fmt::format(".{}", at));
  }
  return name;
}

}  // namespace

std::string csv_field(std::string text) {
  for (std::size_t at; (at = text.find('\n')) != std::string::npos;) text.replace(at, 1, "; ");
  if (text.find_first_of(",\"\r") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

NumberTable table_of(const Channel& channel, std::vector<double> rows) {
  NumberTable table;
  for (const ChannelColumn& column : channel.columns) {
    const std::string name = column.name == "value" ? channel.path.substr(channel.path.rfind('/') + 1) : column.name;
    for (std::uint64_t i = 0; i < column.size(); ++i)
      table.headings.push_back({name + component_name(column, i), column.unit.empty() ? "1" : column.unit});
  }
  table.values = std::move(rows);
  return table;
}

std::string csv_text(const NumberTable& table) {
  std::string text;
  const std::size_t width = table.headings.size();
  for (std::size_t i = 0; i < width; ++i) {
    if (i > 0) text += ',';
    text += csv_field(fmt::format("{} [{}]", table.headings[i].name, table.headings[i].unit));
  }
  text += '\n';
  for (std::size_t row = 0; row < table.rows(); ++row)
    for (std::size_t i = 0; i < width; ++i) {
      append_text(text, "{}", table.values[row * width + i]);
      text += i + 1 < width ? ',' : '\n';
    }
  return text;
}

Outcome<std::vector<std::string>> write_csv_files(const JournalReader& journal, std::span<const KeptTable> tables,
                                                  const std::string& folder) {
  using Result = Outcome<std::vector<std::string>>;
  std::vector<ChannelId> ids;
  for (const KeptTable& table : tables) ids.push_back(table.channel);
  auto rows = journal.read_rows(ids);
  if (!rows) return Result::failure(rows.error());
  std::vector<std::string> paths;
  for (std::size_t i = 0; i < tables.size(); ++i) {
    paths.push_back(fmt::format("{}/{}.csv", folder, tables[i].file));
    std::vector<double> kept = kept_rows(journal, tables[i], std::move((*rows)[i]));
    std::string error = write_file(paths.back(), csv_text(table_of(tables[i].columns, std::move(kept))));
    if (!error.empty()) return Result::failure(std::move(error));
  }
  return paths;
}

}  // namespace flexura
